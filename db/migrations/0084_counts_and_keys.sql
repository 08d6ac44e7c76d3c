-- How many open verifications there are of each match type, and of those whose name was never compared: the queue's tabs say so
-- without counting.
INSERT INTO "counters" ("organizationId", "name", "value")
SELECT "organizationId",
	iif("matchType" <> 'none', 'pending:' || "matchType", iif("nameMatchScore" IS NULL AND "outcome" IS NOT 'no_match', 'pending:notCompared', 'pending:none')),
	count(*)
FROM "verifications" WHERE "status" = 'pending' GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER "count_match_insert" AFTER INSERT ON "verifications" WHEN NEW."status" = 'pending'
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId",
		iif(NEW."matchType" <> 'none', 'pending:' || NEW."matchType", iif(NEW."nameMatchScore" IS NULL AND NEW."outcome" IS NOT 'no_match', 'pending:notCompared', 'pending:none')), 1)
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_match_update" AFTER UPDATE OF "status", "matchType", "nameMatchScore", "outcome" ON "verifications"
WHEN (OLD."status" = 'pending') <> (NEW."status" = 'pending') OR (NEW."status" = 'pending' AND (OLD."matchType" <> NEW."matchType"
	OR (OLD."nameMatchScore" IS NULL AND OLD."outcome" IS NOT 'no_match') <> (NEW."nameMatchScore" IS NULL AND NEW."outcome" IS NOT 'no_match')))
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value")
	SELECT OLD."organizationId",
		iif(OLD."matchType" <> 'none', 'pending:' || OLD."matchType", iif(OLD."nameMatchScore" IS NULL AND OLD."outcome" IS NOT 'no_match', 'pending:notCompared', 'pending:none')), -1
	WHERE OLD."status" = 'pending'
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
	INSERT INTO "counters" ("organizationId", "name", "value")
	SELECT NEW."organizationId",
		iif(NEW."matchType" <> 'none', 'pending:' || NEW."matchType", iif(NEW."nameMatchScore" IS NULL AND NEW."outcome" IS NOT 'no_match', 'pending:notCompared', 'pending:none')), 1
	WHERE NEW."status" = 'pending'
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
-- By which a key is recognised, so that another one under its name is noticed.
ALTER TABLE "keys_in_use" ADD "digest" text;
