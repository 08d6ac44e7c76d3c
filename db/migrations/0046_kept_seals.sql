-- Seals of the audit trail that went to people outside: the trail is held against them.
CREATE TABLE "kept_seals" (
	"organizationId" text NOT NULL,
	"seq" integer NOT NULL,
	"hash" text NOT NULL,
	"keptAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "seq"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TRIGGER "kept_seals_no_delete" BEFORE DELETE ON "kept_seals"
BEGIN
	SELECT RAISE(ABORT, 'a seal that was kept never changes');
END;
--> statement-breakpoint
CREATE TRIGGER "kept_seals_no_replace" BEFORE INSERT ON "kept_seals"
WHEN EXISTS (SELECT 1 FROM "kept_seals" WHERE "organizationId" = NEW."organizationId" AND "seq" = NEW."seq")
BEGIN
	SELECT RAISE(ABORT, 'a seal that was kept never changes');
END;
--> statement-breakpoint
CREATE TRIGGER "kept_seals_no_update" BEFORE UPDATE ON "kept_seals"
BEGIN
	SELECT RAISE(ABORT, 'a seal that was kept never changes');
END;
