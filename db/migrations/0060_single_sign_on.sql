-- The identity provider of an organisation, its people as the provider knows them, its directory's tokens, and for whom a session is good.
CREATE TABLE "provider_people" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"userId" text NOT NULL,
	"issuer" text,
	"subject" text,
	"externalId" text,
	"isMadeHere" integer DEFAULT 0 NOT NULL,
	"createdAt" integer NOT NULL,
	"lastSignInAt" integer,
	"removedAt" integer,
	"refusedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "provider_people_is_made_here" CHECK("provider_people"."isMadeHere" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "provider_people_once" ON "provider_people" ("organizationId","userId");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_people_subject" ON "provider_people" ("organizationId","issuer","subject");--> statement-breakpoint
CREATE INDEX "provider_people_external" ON "provider_people" ("organizationId","externalId");--> statement-breakpoint
CREATE INDEX "provider_people_user" ON "provider_people" ("userId");--> statement-breakpoint
CREATE TABLE "scim_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"createdById" text NOT NULL,
	"tokenHash" text NOT NULL,
	"hint" text NOT NULL,
	"createdAt" integer NOT NULL,
	"expiresAt" integer NOT NULL,
	"lastUsedAt" integer,
	"revokedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("createdById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "scim_tokens_hash" ON "scim_tokens" ("tokenHash");--> statement-breakpoint
CREATE INDEX "scim_tokens_organization" ON "scim_tokens" ("organizationId","id");--> statement-breakpoint
CREATE TABLE "single_sign_on" (
	"organizationId" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"clientId" text NOT NULL,
	"sealedSecret" text NOT NULL,
	"mode" text DEFAULT 'off' NOT NULL,
	"newcomerRole" text DEFAULT 'read_only' NOT NULL,
	"testedAt" integer,
	"updatedAt" integer NOT NULL,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "single_sign_on_mode" CHECK("single_sign_on"."mode" IN ('off', 'allowed', 'required')),
	CONSTRAINT "single_sign_on_newcomer_role" CHECK("single_sign_on"."newcomerRole" IN ('admin', 'member', 'read_only'))
) STRICT;
--> statement-breakpoint
CREATE TABLE "ways_in" (
	"organizationId" text NOT NULL,
	"userId" text NOT NULL,
	PRIMARY KEY("organizationId", "userId"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE "sessions" ADD "providerOrganizationId" text REFERENCES "organizations"("id");