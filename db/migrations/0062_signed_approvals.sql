-- Policies about passkeys and idle sessions, and what a passkey signed when somebody approved something.
CREATE TABLE "signed_approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"entityType" text NOT NULL,
	"entityId" text NOT NULL,
	"userId" text NOT NULL,
	"text" text NOT NULL,
	"challenge" text NOT NULL,
	"publicKey" text NOT NULL,
	"credentialId" text NOT NULL,
	"clientDataJson" text NOT NULL,
	"authenticatorData" text NOT NULL,
	"signature" text NOT NULL,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "signed_approvals_challenge" ON "signed_approvals" ("challenge");
--> statement-breakpoint
CREATE INDEX "signed_approvals_about" ON "signed_approvals" ("organizationId","entityType","entityId","id");
--> statement-breakpoint
CREATE INDEX "signed_approvals_organization" ON "signed_approvals" ("organizationId","id");
--> statement-breakpoint
CREATE TRIGGER "signed_approvals_no_delete" BEFORE DELETE ON "signed_approvals"
BEGIN
	SELECT RAISE(ABORT, 'a signed approval never changes');
END;
--> statement-breakpoint
CREATE TRIGGER "signed_approvals_no_replace" BEFORE INSERT ON "signed_approvals"
WHEN EXISTS (SELECT 1 FROM "signed_approvals" WHERE "id" = NEW."id" OR "challenge" = NEW."challenge")
BEGIN
	SELECT RAISE(ABORT, 'a signed approval never changes');
END;
--> statement-breakpoint
CREATE TRIGGER "signed_approvals_no_update" BEFORE UPDATE ON "signed_approvals"
BEGIN
	SELECT RAISE(ABORT, 'a signed approval never changes');
END;
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "passkeysRequired" integer DEFAULT false NOT NULL CONSTRAINT "organization_policies_passkeys_required" CHECK ("passkeysRequired" IN (0, 1));
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "passkeysRequiredSince" integer;
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "passkeyGraceDays" integer DEFAULT 14 NOT NULL;
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "passkeyForApprovals" integer DEFAULT false NOT NULL CONSTRAINT "organization_policies_passkey_for_approvals" CHECK ("passkeyForApprovals" IN (0, 1));
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "passkeyAboveCents" integer DEFAULT 1000000 NOT NULL;
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "passkeyForFiles" integer DEFAULT false NOT NULL CONSTRAINT "organization_policies_passkey_for_files" CHECK ("passkeyForFiles" IN (0, 1));
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "passkeyForPolicies" integer DEFAULT false NOT NULL CONSTRAINT "organization_policies_passkey_for_policies" CHECK ("passkeyForPolicies" IN (0, 1));
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "idleMinutes" integer DEFAULT 720 NOT NULL;
