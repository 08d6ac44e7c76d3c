-- An organisation of invented records, made for the people of another, is marked as such for good: it can go at any time, and nothing
-- that reaches anybody is ever queued for it. What concerns the account of somebody who looks at it belongs to their own organisation.
ALTER TABLE "organizations" ADD "sampleFor" text REFERENCES "organizations"("id");
--> statement-breakpoint
ALTER TABLE "organizations" ADD "sampleStep" integer;
--> statement-breakpoint
CREATE INDEX "organizations_sample_for" ON "organizations" ("sampleFor") WHERE "sampleFor" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER "organizations_sample_fixed" BEFORE UPDATE OF "sampleFor" ON "organizations"
WHEN NEW."sampleFor" IS NOT OLD."sampleFor"
BEGIN
	SELECT RAISE(ABORT, 'an organisation is of invented records from its beginning, or never');
END;
--> statement-breakpoint
DROP TRIGGER "organizations_kept";
--> statement-breakpoint
CREATE TRIGGER "organizations_kept" BEFORE UPDATE OF "removalStartedAt" ON "organizations"
WHEN NEW."removalStartedAt" IS NOT NULL AND NEW."sampleFor" IS NULL
	AND (NEW."closedAt" IS NULL OR NEW."closedAt" > unixepoch() * 1000 - 220838400000)
BEGIN
	SELECT RAISE(ABORT, 'the records of an organisation are kept for seven years after it closed');
END;
--> statement-breakpoint
CREATE TRIGGER "outbox_not_for_samples" BEFORE INSERT ON "outbox"
WHEN NEW."kind" NOT IN ('email', 'safety_email', 'sms', 'safety_sms', 'password_reset', 'payment_file_check', 'payee_health')
	AND EXISTS (SELECT 1 FROM "organizations" WHERE "id" = NEW."organizationId" AND "sampleFor" IS NOT NULL)
BEGIN
	SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER "outbox_of_people_at_home" AFTER INSERT ON "outbox"
WHEN EXISTS (SELECT 1 FROM "organizations" WHERE "id" = NEW."organizationId" AND "sampleFor" IS NOT NULL)
BEGIN
	UPDATE "outbox" SET "organizationId" = (SELECT "sampleFor" FROM "organizations" WHERE "id" = NEW."organizationId")
	WHERE "id" = NEW."id";
END;
