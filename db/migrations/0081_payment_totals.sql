-- How many payments an organisation has of each status, and of how much: the list says so without looking at each of them.
-- Those that are held are counted by heldPayments and heldCents.
CREATE TRIGGER "count_payments_insert" AFTER INSERT ON "payment_records" WHEN NEW."status" <> 'held'
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value")
	VALUES (NEW."organizationId", 'payments:' || NEW."status", 1), (NEW."organizationId", 'cents:' || NEW."status", NEW."amount")
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_payments_update" AFTER UPDATE OF "status" ON "payment_records" WHEN NEW."status" <> OLD."status"
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value")
	SELECT NEW."organizationId", 'payments:' || OLD."status", -1 WHERE OLD."status" <> 'held'
	UNION ALL SELECT NEW."organizationId", 'cents:' || OLD."status", -NEW."amount" WHERE OLD."status" <> 'held'
	UNION ALL SELECT NEW."organizationId", 'payments:' || NEW."status", 1 WHERE NEW."status" <> 'held'
	UNION ALL SELECT NEW."organizationId", 'cents:' || NEW."status", NEW."amount" WHERE NEW."status" <> 'held'
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
INSERT INTO "counters" ("organizationId", "name", "value")
SELECT "organizationId", 'payments:' || "status", count(*) FROM "payment_records" WHERE "status" <> 'held' GROUP BY "organizationId", "status"
UNION ALL
SELECT "organizationId", 'cents:' || "status", sum("amount") FROM "payment_records" WHERE "status" <> 'held' GROUP BY "organizationId", "status";
--> statement-breakpoint
CREATE INDEX "payment_records_waiting" ON "payment_records" ("organizationId","payeeId","status","amount") WHERE "status" IN ('held', 'verification_requested');
