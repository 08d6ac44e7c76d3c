-- Changes that weaken the policies wait before they take effect; a payment counts towards promotion from a least amount.
CREATE TABLE "policy_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"field" text NOT NULL,
	"oldValue" text NOT NULL,
	"newValue" text NOT NULL,
	"askedById" text NOT NULL,
	"askedAt" integer NOT NULL,
	"dueAt" integer NOT NULL,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("askedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "policy_changes_once" ON "policy_changes" ("organizationId","field");--> statement-breakpoint
CREATE INDEX "policy_changes_due" ON "policy_changes" ("dueAt");--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "promotionMinCents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "weakeningDelayHours" integer DEFAULT 24 NOT NULL;