-- Banks are asked by themselves when a payee is added or changed, and again after a year, within the organisation's budget.
CREATE TABLE "bank_questions" (
	"verificationId" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"cause" text NOT NULL,
	"createdAt" integer NOT NULL,
	"askedAt" integer,
	"settledAt" integer,
	"ended" text,
	FOREIGN KEY ("organizationId","verificationId") REFERENCES "verifications"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_questions_cause" CHECK("cause" IN ('payee_added', 'details_changed', 'imported')),
	CONSTRAINT "bank_questions_ended" CHECK("ended" IN ('answered', 'answer_lost', 'overtaken'))
) STRICT;
--> statement-breakpoint
CREATE TABLE "bank_confirmations" (
	"organizationId" text NOT NULL,
	"payeeId" text NOT NULL,
	"askedAt" integer NOT NULL,
	"outcome" text,
	"answeredAt" integer,
	PRIMARY KEY("organizationId", "payeeId"),
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_confirmations_outcome" CHECK("outcome" IN ('match', 'close_match', 'no_match', 'account_closed', 'account_not_shared', 'consent_refused', 'unable'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "bank_questions_waiting" ON "bank_questions" ("organizationId","createdAt") WHERE "settledAt" IS NULL;--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "askBanks" text DEFAULT 'added_or_changed' NOT NULL;--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "confirmAgainMonths" integer DEFAULT 12 NOT NULL;--> statement-breakpoint
ALTER TABLE "organization_policies" ADD "bankBudgetCents" integer DEFAULT 10000 NOT NULL;
