-- An organisation closes on a day that its administrators were told, and its data goes seven years later. Until then the
-- database refuses to remove a trail, a seal or a certificate, whoever asks.
ALTER TABLE "organizations" ADD "closesAt" integer;
--> statement-breakpoint
ALTER TABLE "organizations" ADD "closedAt" integer;
--> statement-breakpoint
ALTER TABLE "organizations" ADD "removalStartedAt" integer;
--> statement-breakpoint
CREATE INDEX "organizations_closes_at" ON "organizations" ("closesAt") WHERE "closesAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "billing_attempts_organization" ON "billing_attempts" ("organizationId");
--> statement-breakpoint
CREATE TRIGGER "organizations_kept" BEFORE UPDATE OF "removalStartedAt" ON "organizations"
WHEN NEW."removalStartedAt" IS NOT NULL
	AND (NEW."closedAt" IS NULL OR NEW."closedAt" > unixepoch() * 1000 - 220838400000)
BEGIN
	SELECT RAISE(ABORT, 'the records of an organisation are kept for seven years after it closed');
END;
--> statement-breakpoint
DROP TRIGGER "audit_logs_no_delete";
--> statement-breakpoint
CREATE TRIGGER "audit_logs_no_delete" BEFORE DELETE ON "audit_logs"
WHEN NOT EXISTS (SELECT 1 FROM "organizations" WHERE "id" = OLD."organizationId" AND "removalStartedAt" IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
DROP TRIGGER "audit_seals_no_delete";
--> statement-breakpoint
CREATE TRIGGER "audit_seals_no_delete" BEFORE DELETE ON "audit_seals"
WHEN NOT EXISTS (SELECT 1 FROM "organizations" WHERE "id" = OLD."organizationId" AND "removalStartedAt" IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
DROP TRIGGER "certificates_no_delete";
--> statement-breakpoint
CREATE TRIGGER "certificates_no_delete" BEFORE DELETE ON "certificates"
WHEN NOT EXISTS (SELECT 1 FROM "organizations" WHERE "id" = OLD."organizationId" AND "removalStartedAt" IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'a certificate never changes');
END;
--> statement-breakpoint
DROP TRIGGER "kept_seals_no_delete";
--> statement-breakpoint
CREATE TRIGGER "kept_seals_no_delete" BEFORE DELETE ON "kept_seals"
WHEN NOT EXISTS (SELECT 1 FROM "organizations" WHERE "id" = OLD."organizationId" AND "removalStartedAt" IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'a seal that was kept never changes');
END;
--> statement-breakpoint
DROP TRIGGER "signed_approvals_no_delete";
--> statement-breakpoint
CREATE TRIGGER "signed_approvals_no_delete" BEFORE DELETE ON "signed_approvals"
WHEN NOT EXISTS (SELECT 1 FROM "organizations" WHERE "id" = OLD."organizationId" AND "removalStartedAt" IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'a signed approval never changes');
END;
