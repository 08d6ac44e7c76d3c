-- How much waits of each payee's payments: lists and the Inbox say so without adding up the payments.
ALTER TABLE "payees" ADD "waitingCents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER "count_waiting_insert" AFTER INSERT ON "payment_records" WHEN NEW."status" IN ('held', 'verification_requested')
BEGIN
	UPDATE "payees" SET "waitingCents" = "waitingCents" + NEW."amount"
	WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId";
END;
--> statement-breakpoint
CREATE TRIGGER "count_waiting_update" AFTER UPDATE OF "status" ON "payment_records"
WHEN (NEW."status" IN ('held', 'verification_requested')) <> (OLD."status" IN ('held', 'verification_requested'))
BEGIN
	UPDATE "payees" SET "waitingCents" = "waitingCents" + iif(NEW."status" IN ('held', 'verification_requested'), NEW."amount", -NEW."amount")
	WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId";
END;
--> statement-breakpoint
UPDATE "payees" SET "waitingCents" = "found"."cents"
FROM (
	SELECT "organizationId", "payeeId", sum("amount") AS "cents" FROM "payment_records"
	WHERE "status" IN ('held', 'verification_requested') AND "payeeId" IS NOT NULL GROUP BY "organizationId", "payeeId"
) AS "found"
WHERE "payees"."organizationId" = "found"."organizationId" AND "payees"."id" = "found"."payeeId";
--> statement-breakpoint
-- Of two indexes that serve alike SQLite takes the one made later. That was payees_org_id, so lists of disputed and of archived
-- payees walked every payee.
DROP INDEX "payees_disputed";
--> statement-breakpoint
DROP INDEX "payees_archived";
--> statement-breakpoint
CREATE INDEX "payees_disputed" ON "payees" ("organizationId","id") WHERE "disputedAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "payees_archived" ON "payees" ("organizationId","id") WHERE "archivedAt" IS NOT NULL;
