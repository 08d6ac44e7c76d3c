-- Of how many open verifications a name was compared, by match type: the queue's tabs say so without counting. The others are the
-- rest of those that are open.
INSERT INTO "counters" ("organizationId", "name", "value")
SELECT "organizationId", 'pending:' || "matchType", count(*) FROM "verifications"
WHERE "status" = 'pending' AND ("matchType" <> 'none' OR "nameMatchScore" IS NOT NULL OR "outcome" IS 'no_match') GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER "count_match_insert" AFTER INSERT ON "verifications"
WHEN NEW."status" = 'pending' AND (NEW."matchType" <> 'none' OR NEW."nameMatchScore" IS NOT NULL OR NEW."outcome" IS 'no_match')
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'pending:' || NEW."matchType", 1)
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_match_update" AFTER UPDATE OF "status", "matchType", "nameMatchScore", "outcome" ON "verifications"
WHEN iif(OLD."status" = 'pending' AND (OLD."matchType" <> 'none' OR OLD."nameMatchScore" IS NOT NULL OR OLD."outcome" IS 'no_match'), OLD."matchType", '')
	<> iif(NEW."status" = 'pending' AND (NEW."matchType" <> 'none' OR NEW."nameMatchScore" IS NOT NULL OR NEW."outcome" IS 'no_match'), NEW."matchType", '')
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") SELECT OLD."organizationId", 'pending:' || OLD."matchType", -1
	WHERE OLD."status" = 'pending' AND (OLD."matchType" <> 'none' OR OLD."nameMatchScore" IS NOT NULL OR OLD."outcome" IS 'no_match')
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
	INSERT INTO "counters" ("organizationId", "name", "value") SELECT NEW."organizationId", 'pending:' || NEW."matchType", 1
	WHERE NEW."status" = 'pending' AND (NEW."matchType" <> 'none' OR NEW."nameMatchScore" IS NOT NULL OR NEW."outcome" IS 'no_match')
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
-- By which a key is recognised, so that another one under its name is noticed.
ALTER TABLE "keys_in_use" ADD "digest" text;
