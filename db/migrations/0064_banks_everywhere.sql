-- What banks were asked about an account, whoever asked and for whatever reason, and bulk checks that ask them.
CREATE TABLE "account_questions" (
	"organizationId" text NOT NULL,
	"bsb" text NOT NULL,
	"accountNumber" text NOT NULL,
	"accountName" text NOT NULL,
	"cause" text,
	"wantedAt" integer NOT NULL,
	"askedAt" integer,
	"endedAt" integer,
	"ended" text,
	"problem" text,
	"answeredAt" integer,
	"outcome" text,
	"reasonCode" text,
	"resultData" text,
	"verificationId" text,
	PRIMARY KEY("organizationId", "bsb", "accountNumber", "accountName"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "account_questions_cause" CHECK("cause" IN ('unknown_account', 'first_payment', 'payment_run', 'supplier_changed', 'bulk_check', 'asked_again')),
	CONSTRAINT "account_questions_ended" CHECK("ended" IN ('answered', 'unable', 'answer_lost', 'not_asked')),
	CONSTRAINT "account_questions_outcome" CHECK("outcome" IN ('match', 'close_match', 'no_match', 'account_closed', 'account_not_shared', 'consent_refused', 'unable'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "account_questions_waiting" ON "account_questions" ("organizationId","wantedAt") WHERE "endedAt" IS NULL;--> statement-breakpoint
CREATE TABLE "bulk_bank_questions" (
	"organizationId" text NOT NULL,
	"bulkCheckId" text NOT NULL,
	"position" integer NOT NULL,
	"payeeId" text NOT NULL,
	PRIMARY KEY("organizationId", "bulkCheckId", "position"),
	FOREIGN KEY ("organizationId","bulkCheckId") REFERENCES "bulk_checks"("organizationId","id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- The newest answer that a bank gave at once about each account under a name. `checkedAt` decides which row of several is taken.
INSERT INTO "account_questions" SELECT "organizationId", "bsb", "accountNumber", "accountName", NULL, "createdAt",
	max("resultData" ->> '$.checkedAt'), "resultData" ->> '$.checkedAt', 'answered', NULL, "resultData" ->> '$.checkedAt',
	"outcome", "reasonCode", "resultData", "id"
FROM "verifications"
WHERE "resultData" ->> '$.source' = 'cop' AND "resultData" ->> '$.bankVerdict' IS NOT NULL AND "resultData" ->> '$.checkedAt' IS NOT NULL
GROUP BY "organizationId", "bsb", "accountNumber", "accountName";
--> statement-breakpoint
INSERT INTO "account_questions" SELECT "payee"."organizationId", "payee"."bsb", "payee"."accountNumber", "payee"."accountName", 'asked_again',
	"again"."askedAt", "again"."askedAt", "again"."answeredAt", 'answered', NULL, "again"."answeredAt", "again"."outcome", NULL,
	json_object('source', 'cop', 'checkedAt', "again"."answeredAt"), NULL
FROM "bank_confirmations" AS "again" CROSS JOIN "payees" AS "payee"
WHERE "payee"."organizationId" = "again"."organizationId" AND "payee"."id" = "again"."payeeId" AND "again"."outcome" IN ('match', 'close_match')
ON CONFLICT DO UPDATE SET "cause" = excluded."cause", "askedAt" = excluded."askedAt", "endedAt" = excluded."endedAt",
	"answeredAt" = excluded."answeredAt", "outcome" = excluded."outcome", "reasonCode" = NULL, "resultData" = excluded."resultData",
	"verificationId" = NULL
WHERE excluded."answeredAt" > "account_questions"."answeredAt";
