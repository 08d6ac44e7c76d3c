-- What tells that the database was put back to an earlier moment, and what was lost then (docs/operations/restore.md).
CREATE TABLE "database_gate" (
	"open" integer NOT NULL,
	CONSTRAINT "database_in_use" CHECK("open" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE "database_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"beat" integer NOT NULL,
	"beatAt" integer NOT NULL,
	"restoreId" text,
	CONSTRAINT "database_state_one" CHECK("id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE "lost_entries" (
	"organizationId" text NOT NULL,
	"entryId" text NOT NULL,
	"restoreId" text NOT NULL,
	"action" text NOT NULL,
	"entityType" text,
	"entityId" text,
	"createdAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "entryId")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "lost_entries_restore" ON "lost_entries" ("restoreId","action");
--> statement-breakpoint
CREATE TABLE "lost_messages" (
	"digest" text PRIMARY KEY NOT NULL,
	"restoreId" text NOT NULL,
	"sentAt" integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "lost_payments" (
	"organizationId" text NOT NULL,
	"accountFingerprint" text NOT NULL,
	"amount" integer NOT NULL,
	"paymentId" text NOT NULL,
	"restoreId" text NOT NULL,
	"createdAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "accountFingerprint", "amount", "paymentId")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "lost_messages_restore" ON "lost_messages" ("restoreId");
--> statement-breakpoint
CREATE INDEX "lost_payments_restore" ON "lost_payments" ("restoreId");
--> statement-breakpoint
CREATE TABLE "restores" (
	"id" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"noticedAt" integer NOT NULL,
	"lostFrom" integer NOT NULL,
	"lostUntil" integer,
	"position" integer NOT NULL,
	"readTo" text DEFAULT '' NOT NULL,
	"readAt" integer,
	"releasedAt" integer,
	"releasedById" text,
	"toldTo" text DEFAULT '' NOT NULL,
	"toldAt" integer,
	CONSTRAINT "restores_source" CHECK("restores"."source" IN ('file', 'in_place'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "restores_to_tell" ON "restores" ("id") WHERE "toldAt" IS NULL;
--> statement-breakpoint
INSERT INTO "database_state" ("id", "beat", "beatAt", "restoreId") VALUES (1, 0, 0, NULL);
--> statement-breakpoint
INSERT INTO "trail_cursors" ("name", "position") SELECT 'outside', coalesce(max("position"), 0) FROM "audit_logs";
