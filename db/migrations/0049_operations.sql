-- What is known of how the service itself is doing: schedules, outside parties, figures of the last days, incidents, the notice on
-- every page, the keys in use, and which builds this schema serves. Jobs that were given up are found by an index.
CREATE TABLE "component_days" (
	"component" text NOT NULL,
	"day" text NOT NULL,
	"good" integer NOT NULL,
	"bad" integer NOT NULL,
	PRIMARY KEY("component", "day"),
	CONSTRAINT "component_days_component" CHECK("component" IN ('app', 'background', 'email', 'texts', 'bank_consent', 'bank_instant', 'register', 'accounting', 'billing', 'seals'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"watched" text NOT NULL,
	"component" text NOT NULL,
	"detail" text NOT NULL,
	"startedAt" integer NOT NULL,
	"endedAt" integer,
	"toldAt" integer,
	"endToldAt" integer,
	CONSTRAINT "incidents_component" CHECK("component" IN ('app', 'background', 'email', 'texts', 'bank_consent', 'bank_instant', 'register', 'accounting', 'billing', 'seals'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_open" ON "incidents" ("watched") WHERE "endedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "incidents_current" ON "incidents" ("startedAt") WHERE "endToldAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "incidents_started" ON "incidents" ("startedAt");
--> statement-breakpoint
CREATE TABLE "keys_in_use" (
	"variable" text NOT NULL,
	"key" text NOT NULL,
	"firstUsedAt" integer NOT NULL,
	PRIMARY KEY("variable", "key")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "operation_samples" (
	"at" integer PRIMARY KEY NOT NULL,
	"pending" integer NOT NULL,
	"oldestDueMs" integer NOT NULL,
	"failed" integer NOT NULL,
	"sealLagMs" integer NOT NULL,
	"databaseBytes" integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "provider_calls" (
	"party" text PRIMARY KEY NOT NULL,
	"lastSucceededAt" integer,
	"lastFailedAt" integer,
	"failingSince" integer,
	"lastError" text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "schedule_runs" (
	"cron" text PRIMARY KEY NOT NULL,
	"since" integer NOT NULL,
	"lastSucceededAt" integer,
	"lastFailedAt" integer,
	"failingSince" integer,
	"lastError" text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "schema_support" (
	"id" integer PRIMARY KEY NOT NULL,
	"oldestMigration" text NOT NULL,
	CONSTRAINT "schema_support_one" CHECK("id" = 1)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "site_notices" (
	"id" integer PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"setAt" integer NOT NULL,
	CONSTRAINT "site_notices_one" CHECK("id" = 1)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "outbox_failed" ON "outbox" ("finishedAt") WHERE "status" = 'failed';
--> statement-breakpoint
INSERT INTO "schema_support" ("id", "oldestMigration") VALUES (1, '0047_contact_confirmed');
