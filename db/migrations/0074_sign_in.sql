-- From when a passkey and a code count, when a session last showed a second step, what policies ask of both, and domains that DNS proves.
ALTER TABLE "passkeys" ADD "countsFrom" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "two_steps" ADD "countsFrom" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "sessions" ADD "passkeyCountsFrom" integer;
--> statement-breakpoint
ALTER TABLE "sessions" ADD "provenAt" integer;
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "passkeyForPeople" integer DEFAULT false NOT NULL CONSTRAINT "organization_policies_passkey_for_people" CHECK ("passkeyForPeople" IN (0, 1));
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "stepUpRequired" integer DEFAULT false NOT NULL CONSTRAINT "organization_policies_step_up_required" CHECK ("stepUpRequired" IN (0, 1));
--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "stepUpMinutes" integer DEFAULT 15 NOT NULL;
--> statement-breakpoint
ALTER TABLE "organization_domains" ADD "provedAt" integer;

--> statement-breakpoint
-- Payment files have scopes of their own now. What a token could do before, it can do still.
UPDATE "api_tokens" SET "scopes" = json_insert("scopes", '$[#]', 'files:read')
WHERE EXISTS (SELECT 1 FROM json_each("scopes") WHERE "value" = 'payments:read');
--> statement-breakpoint
UPDATE "api_tokens" SET "scopes" = json_insert("scopes", '$[#]', 'files:write')
WHERE EXISTS (SELECT 1 FROM json_each("scopes") WHERE "value" = 'payments:write');
