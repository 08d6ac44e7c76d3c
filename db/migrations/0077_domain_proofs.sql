-- When the DNS of a proved domain is looked at again, and since when it names the organisation no longer.
ALTER TABLE "organization_domains" ADD "proofDueAt" integer;
--> statement-breakpoint
ALTER TABLE "organization_domains" ADD "proofGoneAt" integer;
--> statement-breakpoint
CREATE INDEX "organization_domains_proof_due" ON "organization_domains" ("proofDueAt") WHERE "provedAt" IS NOT NULL;
--> statement-breakpoint
UPDATE "organization_domains" SET "proofDueAt" = "provedAt" WHERE "provedAt" IS NOT NULL;
