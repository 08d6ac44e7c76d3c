-- While the bank data provider does not answer, no check runs out of time: since when it is silent, and for how long it was.
ALTER TABLE "bank_checks" ADD "silentSince" integer;--> statement-breakpoint
ALTER TABLE "bank_checks" ADD "silentMs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- An organisation's export reads all of its rows, these too.
CREATE INDEX "organization_names_organization" ON "organization_names" ("organizationId","id");
