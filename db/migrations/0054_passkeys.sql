-- Passkeys, the challenges that were answered, and how each session began.
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"userId" text NOT NULL,
	"credentialId" text NOT NULL,
	"publicKey" text NOT NULL,
	"counter" integer NOT NULL,
	"transports" text NOT NULL,
	"kind" text NOT NULL,
	"isBackedUp" integer NOT NULL,
	"aaguid" text NOT NULL,
	"name" text NOT NULL,
	"createdAt" integer NOT NULL,
	"lastUsedAt" integer,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "passkeys_kind" CHECK("passkeys"."kind" IN ('singleDevice', 'multiDevice')),
	CONSTRAINT "passkeys_is_backed_up" CHECK("passkeys"."isBackedUp" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" ("credentialId");
--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" ("userId","id");
--> statement-breakpoint
CREATE TABLE "used_passkey_challenges" (
	"challengeHash" text PRIMARY KEY NOT NULL,
	"expiresAt" integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX "used_passkey_challenges_expiry" ON "used_passkey_challenges" ("expiresAt");
--> statement-breakpoint
ALTER TABLE "sessions" ADD "method" text;
--> statement-breakpoint
ALTER TABLE "users" ADD "passkeyOfferedAt" integer;
