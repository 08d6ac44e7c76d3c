-- Whoever we had made at the bank-data provider, written before the provider is asked: it lists no users.
CREATE TABLE "provider_users" (
	"id" text PRIMARY KEY NOT NULL,
	"checkId" text NOT NULL,
	"providerUserId" text,
	"requestedAt" integer NOT NULL,
	"goneAt" integer
) STRICT;
--> statement-breakpoint
CREATE INDEX "provider_users_user" ON "provider_users" ("providerUserId") WHERE "providerUserId" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "provider_users_left" ON "provider_users" ("requestedAt") WHERE "goneAt" IS NULL;
--> statement-breakpoint
INSERT INTO "provider_users" ("id", "checkId", "providerUserId", "requestedAt")
SELECT "id", "id", "providerUserId", "startedAt" FROM "bank_checks" WHERE "providerUserId" IS NOT NULL;
--> statement-breakpoint
-- Names of organisations that might pass for others wait until an operator has looked at them.
CREATE TABLE "organization_names" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"name" text NOT NULL,
	"why" text NOT NULL,
	"requestedById" text NOT NULL,
	"requestedAt" integer NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"decidedById" text,
	"decidedAt" integer,
	"reason" text,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("requestedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("decidedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organization_names_why" CHECK("why" IN ('institution', 'ours', 'alphabets')),
	CONSTRAINT "organization_names_status" CHECK("status" IN ('waiting', 'approved', 'refused', 'withdrawn'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "organization_names_waiting" ON "organization_names" ("organizationId") WHERE "status" = 'waiting';
--> statement-breakpoint
CREATE INDEX "organization_names_queue" ON "organization_names" ("id") WHERE "status" = 'waiting';
