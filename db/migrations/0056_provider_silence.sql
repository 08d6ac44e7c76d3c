-- While the bank data provider does not answer, no check runs out of time: since when it is silent, and for how long it was.
ALTER TABLE "bank_checks" ADD "silentSince" integer;--> statement-breakpoint
ALTER TABLE "bank_checks" ADD "silentMs" integer DEFAULT 0 NOT NULL;
