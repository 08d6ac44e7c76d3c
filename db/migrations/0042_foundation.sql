CREATE TABLE "accounting_bills" (
	"organizationId" text NOT NULL,
	"system" text NOT NULL,
	"billId" text NOT NULL,
	"contactId" text NOT NULL,
	"supplier" text NOT NULL,
	"number" text,
	"numberKey" text,
	"status" text NOT NULL,
	"amountDue" integer NOT NULL,
	"amountPaid" integer NOT NULL,
	"currency" text NOT NULL,
	"readAt" integer NOT NULL,
	"updatedAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "system", "billId"),
	CONSTRAINT "accounting_bills_system_known" CHECK("accounting_bills"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "accounting_bills_status_known" CHECK("accounting_bills"."status" IN ('open', 'paid', 'void', 'gone'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "accounting_bills_number" ON "accounting_bills" ("organizationId","numberKey") WHERE "numberKey" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "accounting_bills_open" ON "accounting_bills" ("organizationId","system","readAt") WHERE "status" = 'open';
--> statement-breakpoint
CREATE INDEX "accounting_bills_supplier" ON "accounting_bills" ("organizationId","system","contactId","status","updatedAt");
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"abn" text,
	"address" text,
	"phone" text,
	"contactEmail" text,
	"website" text,
	"planTier" text DEFAULT 'standard' NOT NULL,
	"active" integer DEFAULT true NOT NULL,
	"stripeCustomerId" text,
	"stripeSubscriptionId" text,
	"subscriptionStatus" text,
	"trialEndsAt" integer,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL,
	"logo" text,
	"subdomain" text, "firstPaidAt" integer,
	CONSTRAINT "organizations_active" CHECK("organizations"."active" IN (0, 1)),
	CONSTRAINT "organizations_subscription_status" CHECK("organizations"."subscriptionStatus" IN ('active', 'trialing', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'unpaid', 'paused'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "organizations_active_id" ON "organizations" ("active","id");
--> statement-breakpoint
CREATE INDEX "organizations_name" ON "organizations" (lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "organizations_stripe_customer" ON "organizations" ("stripeCustomerId");
--> statement-breakpoint
CREATE UNIQUE INDEX "organizations_subdomain" ON "organizations" ("subdomain");
--> statement-breakpoint
CREATE INDEX "organizations_trial_ends" ON "organizations" ("trialEndsAt");
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"username" text NOT NULL,
	"password" text NOT NULL,
	"email" text NOT NULL,
	"emailVerifiedAt" integer,
	"firstName" text NOT NULL,
	"lastName" text NOT NULL,
	"role" text DEFAULT 'member' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL,
	"lastLoginAt" integer,
	"organizationId" text, "reviewNext" integer DEFAULT false NOT NULL CHECK ("reviewNext" IN (0, 1)), "reviewKeys" integer DEFAULT false NOT NULL CHECK ("reviewKeys" IN (0, 1)), "reviewRoomy" integer DEFAULT false NOT NULL CHECK ("reviewRoomy" IN (0, 1)),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('super_admin', 'admin', 'member', 'read_only')),
	CONSTRAINT "users_status" CHECK("users"."status" IN ('pending', 'active', 'inactive', 'rejected'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" ("email");
--> statement-breakpoint
CREATE INDEX "users_first_name" ON "users" (lower("firstName"));
--> statement-breakpoint
CREATE INDEX "users_last_name" ON "users" (lower("lastName"));
--> statement-breakpoint
CREATE INDEX "users_organization" ON "users" ("organizationId");
--> statement-breakpoint
CREATE INDEX "users_status" ON "users" ("status","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" ("username");
--> statement-breakpoint
CREATE TABLE "payees" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"name" text NOT NULL,
	"accountName" text NOT NULL,
	"bsb" text NOT NULL,
	"accountNumber" text NOT NULL,
	"abn" text,
	"email" text,
	"phone" text,
	"address" text,
	"paymentCount" integer DEFAULT 0 NOT NULL,
	"lastPaymentDate" integer,
	"whitelisted" integer DEFAULT false NOT NULL,
	"whitelistedAt" integer,
	"whitelistedById" text,
	"whitelistedReason" text,
	"whitelistGlobal" integer DEFAULT false NOT NULL,
	"hash" text NOT NULL,
	"accountFingerprint" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"createdById" text,
	"bankDetailsChangedAt" integer,
	"bankDetailsChangedById" text,
	"contactChangedAt" integer,
	"disputedAt" integer,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL, "takenOffWhitelistAt" integer, "archivedAt" integer, "terms" text DEFAULT '[]' NOT NULL, "formerTrust" text, "draftSince" integer, "accountingOrigins" text, "renamedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("whitelistedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("createdById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("bankDetailsChangedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payees_whitelisted_flag" CHECK("payees"."whitelisted" IN (0, 1)),
	CONSTRAINT "payees_global_flag" CHECK("payees"."whitelistGlobal" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "payees_account_once" ON "payees" ("organizationId","accountFingerprint");
--> statement-breakpoint
CREATE INDEX "payees_archived" ON "payees" ("organizationId","id") WHERE "archivedAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "payees_bsb" ON "payees" ("bsb","organizationId") WHERE "archivedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "payees_disputed" ON "payees" ("organizationId","id") WHERE "disputedAt" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "payees_once" ON "payees" ("organizationId","bsb","accountNumber");
--> statement-breakpoint
CREATE UNIQUE INDEX "payees_org_id" ON "payees" ("organizationId","id");
--> statement-breakpoint
CREATE INDEX "payees_paid" ON "payees" ("organizationId","paymentCount","id") WHERE "whitelisted" = 0 AND "paymentCount" > 0;
--> statement-breakpoint
CREATE INDEX "payees_promotable" ON "payees" ("id") WHERE "whitelisted" = 0 AND "paymentCount" >= 3;
--> statement-breakpoint
CREATE INDEX "payees_vouching" ON "payees" ("accountFingerprint") WHERE "whitelistGlobal" = 1;
--> statement-breakpoint
CREATE INDEX "payees_whitelisted" ON "payees" ("organizationId","whitelisted","id");
--> statement-breakpoint
CREATE TABLE "accounting_contacts" (
	"organizationId" text NOT NULL,
	"system" text NOT NULL,
	"contactId" text NOT NULL,
	"payeeId" text,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"note" text,
	"seenBsb" text,
	"seenAccountNumber" text,
	"noticedAt" integer,
	"editedBy" text,
	"editedAt" integer,
	"keptAt" integer,
	"keptById" text,
	"updatedAt" integer NOT NULL, "editors" text,
	PRIMARY KEY("organizationId", "system", "contactId"),
	FOREIGN KEY ("keptById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "accounting_contacts_system_known" CHECK("accounting_contacts"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "accounting_contacts_state_known" CHECK("accounting_contacts"."state" IN ('linked', 'no_account', 'refused', 'archived'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "accounting_contacts_open" ON "accounting_contacts" ("organizationId","payeeId") WHERE "noticedAt" IS NOT NULL AND "keptAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "accounting_contacts_payee" ON "accounting_contacts" ("organizationId","payeeId") WHERE "payeeId" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "accounting_contacts_state" ON "accounting_contacts" ("organizationId","system","state","contactId");
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"payeeId" text NOT NULL,
	"requestedById" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"method" text NOT NULL,
	"accountName" text NOT NULL,
	"bsb" text NOT NULL,
	"accountNumber" text NOT NULL,
	"resultData" text,
	"verifiedName" text,
	"nameMatch" integer,
	"nameMatchScore" integer,
	"matchType" text DEFAULT 'none' NOT NULL,
	"nameDifferences" text,
	"outcome" text,
	"reasonCode" text,
	"evidence" text,
	"approved" integer,
	"approvedAt" integer,
	"rejectedReason" text,
	"cost" integer,
	"verificationTokenExpiresAt" integer,
	"verificationChannel" text,
	"notificationSent" integer DEFAULT false NOT NULL,
	"notificationSentAt" integer,
	"verifiedByPayee" integer DEFAULT false NOT NULL,
	"verifiedByPayeeAt" integer,
	"disputedByPayeeAt" integer,
	"disputeNote" text,
	"createdAt" integer NOT NULL,
	"completedAt" integer, "isOfChange" integer DEFAULT false NOT NULL CHECK ("isOfChange" IN (0, 1)), "assignedToId" text REFERENCES users(id), "contactChangedAt" integer, "queueRank" integer GENERATED ALWAYS AS (CASE
  WHEN "disputedByPayeeAt" IS NOT NULL THEN 1
  WHEN "isOfChange" = 1 AND coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.formerHolders') > 0), 0) + coalesce((json_array_length("evidence", '$.lookalikes') > 0), 0) + coalesce((coalesce(json_extract("evidence", '$.lookalikes[0].reason'), '') IN ('email_domain', 'former_email_domain') OR coalesce(json_extract("evidence", '$.lookalikes[1].reason'), '') IN ('email_domain', 'former_email_domain')), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000), 0) > 0 THEN max(2, 5 - (coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.formerHolders') > 0), 0) + coalesce((json_array_length("evidence", '$.lookalikes') > 0), 0) + coalesce((coalesce(json_extract("evidence", '$.lookalikes[0].reason'), '') IN ('email_domain', 'former_email_domain') OR coalesce(json_extract("evidence", '$.lookalikes[1].reason'), '') IN ('email_domain', 'former_email_domain')), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000), 0)))
  WHEN "outcome" = 'account_closed' THEN 5
  WHEN ("outcome" = 'no_match' OR "nameMatchScore" < 70) THEN 6
  WHEN json_array_length("evidence", '$.formerHolders') > 0 THEN 7
  WHEN json_array_length("evidence", '$.lookalikes') > 0 THEN 8
  WHEN "isOfChange" = 1 THEN 9
  WHEN "nameMatchScore" < 95 OR json_extract("resultData", '$.institutionDiffers') = 1 THEN 10
  WHEN "outcome" = 'unable' THEN 11
  WHEN "nameMatchScore" IS NULL THEN 12
  ELSE 13 END) VIRTUAL,
	FOREIGN KEY ("requestedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verifications_status" CHECK("verifications"."status" IN ('pending', 'verified', 'rejected', 'failed')),
	CONSTRAINT "verifications_method" CHECK("verifications"."method" IN ('basiq', 'whitelist', 'manual')),
	CONSTRAINT "verifications_match_type" CHECK("verifications"."matchType" IN ('exact', 'fuzzy', 'none')),
	CONSTRAINT "verifications_outcome" CHECK("verifications"."outcome" IN ('match', 'close_match', 'no_match', 'account_closed', 'account_not_shared', 'consent_refused', 'unable')),
	CONSTRAINT "verifications_channel" CHECK("verifications"."verificationChannel" IN ('email', 'sms')),
	CONSTRAINT "verifications_sent" CHECK("verifications"."notificationSent" IN (0, 1)),
	CONSTRAINT "verifications_by_payee" CHECK("verifications"."verifiedByPayee" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX "verifications_answered" ON "verifications" ("organizationId","id") WHERE "status" = 'pending' AND "outcome" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "verifications_assigned" ON "verifications" ("organizationId","status","assignedToId","queueRank","id") WHERE "assignedToId" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "verifications_one_pending" ON "verifications" ("payeeId") WHERE "status" = 'pending';
--> statement-breakpoint
CREATE UNIQUE INDEX "verifications_org_id" ON "verifications" ("organizationId","id");
--> statement-breakpoint
CREATE INDEX "verifications_payee" ON "verifications" ("organizationId","payeeId","id");
--> statement-breakpoint
CREATE INDEX "verifications_queue" ON "verifications" ("organizationId","status","id");
--> statement-breakpoint
CREATE INDEX "verifications_queue_match" ON "verifications" ("organizationId","status","matchType","id");
--> statement-breakpoint
CREATE INDEX "verifications_queue_match_rank" ON "verifications" ("organizationId","status","matchType","queueRank","id");
--> statement-breakpoint
CREATE INDEX "verifications_queue_rank" ON "verifications" ("organizationId","status","queueRank","id");
--> statement-breakpoint
CREATE TABLE "payment_records" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"payeeId" text,
	"amount" integer NOT NULL,
	"description" text,
	"reference" text,
	"verificationId" text,
	"status" text NOT NULL,
	"processedAt" integer,
	"accountName" text NOT NULL,
	"bsb" text NOT NULL,
	"accountNumber" text NOT NULL,
	"reasons" text NOT NULL,
	"failureReason" text,
	"recordedById" text,
	"version" integer DEFAULT 1 NOT NULL,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL, "referenceKey" text,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("recordedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","verificationId") REFERENCES "verifications"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_records_status_known" CHECK("payment_records"."status" IN ('authorised', 'held', 'verification_requested', 'rejected', 'successful', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "payment_records_duplicate" ON "payment_records" ("organizationId","payeeId","amount","referenceKey","createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_records_org_id" ON "payment_records" ("organizationId","id");
--> statement-breakpoint
CREATE INDEX "payment_records_payee" ON "payment_records" ("organizationId","payeeId","id");
--> statement-breakpoint
CREATE INDEX "payment_records_payee_status" ON "payment_records" ("organizationId","payeeId","status","id");
--> statement-breakpoint
CREATE INDEX "payment_records_recorded" ON "payment_records" ("organizationId","createdAt","id");
--> statement-breakpoint
CREATE INDEX "payment_records_status" ON "payment_records" ("organizationId","status","id");
--> statement-breakpoint
CREATE INDEX "payment_records_verification" ON "payment_records" ("verificationId") WHERE "verificationId" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE "accounting_payments" (
	"organizationId" text NOT NULL,
	"system" text NOT NULL,
	"paymentId" text NOT NULL,
	"payeeId" text NOT NULL,
	"state" text NOT NULL,
	"recordId" text,
	"amount" integer NOT NULL,
	"paidAt" integer NOT NULL,
	"billNumber" text,
	"updatedAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "system", "paymentId"),
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","recordId") REFERENCES "payment_records"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "accounting_payments_system_known" CHECK("accounting_payments"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "accounting_payments_state_known" CHECK("accounting_payments"."state" IN ('outcome', 'seen', 'deleted'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "accounting_payments_payee" ON "accounting_payments" ("organizationId","payeeId","paidAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "accounting_payments_record" ON "accounting_payments" ("organizationId","recordId") WHERE "recordId" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE "alert_choices" (
	"organizationId" text NOT NULL,
	"userId" text NOT NULL,
	"event" text NOT NULL,
	"inApp" integer NOT NULL,
	"email" text NOT NULL,
	"sms" integer NOT NULL,
	PRIMARY KEY("organizationId", "userId", "event"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alert_choices_in_app" CHECK("alert_choices"."inApp" IN (0, 1)),
	CONSTRAINT "alert_choices_sms" CHECK("alert_choices"."sms" IN (0, 1)),
	CONSTRAINT "alert_choices_email" CHECK("alert_choices"."email" IN ('off', 'now', 'digest'))
) STRICT;
--> statement-breakpoint
CREATE TABLE "alert_contacts" (
	"userId" text PRIMARY KEY NOT NULL,
	"quietFrom" integer,
	"quietTo" integer,
	"phone" text,
	"phoneConfirmedAt" integer,
	"phoneCodeHash" text,
	"phoneCodeExpiresAt" integer,
	"emailStoppedAt" integer,
	"emailStoppedReason" text,
	"updatedAt" integer NOT NULL,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alert_contacts_quiet_from" CHECK("alert_contacts"."quietFrom" BETWEEN 0 AND 1439),
	CONSTRAINT "alert_contacts_quiet_to" CHECK("alert_contacts"."quietTo" BETWEEN 0 AND 1439)
) STRICT;
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" text NOT NULL,
	"organizationId" text NOT NULL,
	"userId" text NOT NULL,
	"event" text NOT NULL,
	"auditId" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"href" text,
	"createdAt" integer NOT NULL,
	"inApp" integer NOT NULL,
	"readAt" integer,
	"digestDueAt" integer,
	"digestSentAt" integer,
	PRIMARY KEY("organizationId", "userId", "id"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alerts_in_app" CHECK("inApp" IN (0, 1))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "alerts_digest" ON "alerts" ("digestDueAt") WHERE "digestDueAt" IS NOT NULL AND "digestSentAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "alerts_unread" ON "alerts" ("organizationId","userId") WHERE "readAt" IS NULL AND "inApp" = 1;
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"userId" text NOT NULL,
	"organizationId" text NOT NULL,
	"name" text NOT NULL,
	"tokenHash" text NOT NULL,
	"hint" text NOT NULL,
	"scopes" text NOT NULL,
	"createdAt" integer NOT NULL,
	"expiresAt" integer,
	"lastUsedAt" integer,
	"revokedAt" integer,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_hash" ON "api_tokens" ("tokenHash");
--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" ("userId","id");
--> statement-breakpoint
CREATE TABLE "audit_logs" (
	"position" integer PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"userId" text,
	"organizationId" text NOT NULL,
	"action" text NOT NULL,
	"entityType" text,
	"entityId" text,
	"details" text,
	"ipAddress" text,
	"userAgent" text,
	"requestId" text,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX "audit_logs_entity" ON "audit_logs" ("organizationId","entityType","entityId","position");
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_logs_id" ON "audit_logs" ("id");
--> statement-breakpoint
CREATE INDEX "audit_logs_organization" ON "audit_logs" ("organizationId","position");
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"organizationId" text NOT NULL,
	"seq" integer NOT NULL,
	"position" integer NOT NULL,
	"prevHash" text NOT NULL,
	"hash" text NOT NULL,
	"sealedAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "seq"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("position") REFERENCES "audit_logs"("position") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_seals_position" ON "audit_seals" ("position");
--> statement-breakpoint
CREATE TABLE "bank_checks" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"verificationId" text NOT NULL,
	"startedById" text,
	"step" text DEFAULT 'starting' NOT NULL,
	"providerUserId" text,
	"stateHash" text,
	"returnedAt" integer,
	"outcome" text,
	"reasonCode" text,
	"startedAt" integer NOT NULL,
	"finishedAt" integer,
	FOREIGN KEY ("startedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","verificationId") REFERENCES "verifications"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_checks_step" CHECK("step" IN ('starting', 'awaiting_payee', 'at_bank', 'finished')),
	CONSTRAINT "bank_checks_outcome" CHECK("outcome" IN ('match', 'close_match', 'no_match', 'account_closed', 'account_not_shared', 'consent_refused', 'unable'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX "bank_checks_one_running" ON "bank_checks" ("verificationId") WHERE "finishedAt" IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "bank_checks_provider_user" ON "bank_checks" ("providerUserId") WHERE "providerUserId" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "bank_checks_state" ON "bank_checks" ("stateHash") WHERE "stateHash" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "bank_checks_verification" ON "bank_checks" ("verificationId","id");
--> statement-breakpoint
CREATE TABLE "billing_accounts" (
	"organizationId" text PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"syncId" text,
	"syncedAt" integer,
	"currentPeriodEnd" integer,
	"cancelAtPeriodEnd" integer DEFAULT false NOT NULL,
	"amountDue" integer,
	"cardBrand" text,
	"cardLast4" text,
	"cardExpMonth" integer,
	"cardExpYear" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "billing_accounts_cancel" CHECK("billing_accounts"."cancelAtPeriodEnd" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE "billing_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"kind" text NOT NULL,
	"providerId" text,
	"createdAt" integer NOT NULL,
	"endedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "billing_attempts_kind" CHECK("billing_attempts"."kind" IN ('element', 'checkout'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_attempts_open" ON "billing_attempts" ("organizationId") WHERE "endedAt" IS NULL;
--> statement-breakpoint
CREATE TABLE "billing_notices" (
	"organizationId" text NOT NULL,
	"key" text NOT NULL,
	"createdAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "key"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "billing_records" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"type" text NOT NULL,
	"amount" integer NOT NULL,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"relatedEntityType" text,
	"relatedEntityId" text,
	"createdAt" integer NOT NULL,
	"paidAt" integer, "taxAmount" integer, "number" text,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "billing_records_type" CHECK("billing_records"."type" IN ('subscription', 'invoice', 'payment', 'refund')),
	CONSTRAINT "billing_records_status" CHECK("billing_records"."status" IN ('open', 'paid', 'failed', 'void', 'refunded'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "billing_records_created" ON "billing_records" ("organizationId","type","createdAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_records_once" ON "billing_records" ("organizationId","relatedEntityType","relatedEntityId");
--> statement-breakpoint
CREATE INDEX "billing_records_organization" ON "billing_records" ("organizationId","id");
--> statement-breakpoint
CREATE TABLE "bsb_directory" (
	"bsb" text PRIMARY KEY NOT NULL,
	"mnemonic" text NOT NULL,
	"name" text NOT NULL,
	"street" text,
	"suburb" text,
	"state" text,
	"postcode" text,
	"paper" integer NOT NULL,
	"electronic" integer NOT NULL,
	"highValue" integer NOT NULL,
	"status" text NOT NULL,
	"successorBsb" text,
	"loadedAt" integer NOT NULL,
	CONSTRAINT "bsb_directory_status" CHECK("bsb_directory"."status" IN ('open', 'closed', 'merged'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "bsb_directory_mnemonic" ON "bsb_directory" ("mnemonic");
--> statement-breakpoint
CREATE TABLE "bsb_upload_rows" (
	"uploadId" text NOT NULL,
	"bsb" text NOT NULL,
	"mnemonic" text NOT NULL,
	"name" text NOT NULL,
	"street" text,
	"suburb" text,
	"state" text,
	"postcode" text,
	"paper" integer NOT NULL,
	"electronic" integer NOT NULL,
	"highValue" integer NOT NULL,
	"status" text NOT NULL,
	"successorBsb" text,
	PRIMARY KEY("uploadId", "bsb"),
	CONSTRAINT "bsb_upload_rows_status" CHECK("bsb_upload_rows"."status" IN ('open', 'closed', 'merged'))
) STRICT;
--> statement-breakpoint
CREATE TABLE "bsb_uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"fileName" text NOT NULL,
	"rowCount" integer NOT NULL,
	"uploadedById" text,
	"uploadedAt" integer NOT NULL,
	"loadedAt" integer,
	"endedBsbs" text DEFAULT '[]' NOT NULL,
	"toldTo" text DEFAULT '' NOT NULL,
	FOREIGN KEY ("uploadedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX "bsb_uploads_loaded" ON "bsb_uploads" ("loadedAt");
--> statement-breakpoint
CREATE TABLE "bulk_checks" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"requestedById" text NOT NULL,
	"choice" text NOT NULL,
	"status" text NOT NULL,
	"cursor" text,
	"version" integer DEFAULT 1 NOT NULL,
	"payeeCount" integer DEFAULT 0 NOT NULL,
	"noContactCount" integer DEFAULT 0 NOT NULL,
	"underWayCount" integer DEFAULT 0 NOT NULL,
	"askedCount" integer DEFAULT 0 NOT NULL,
	"centsPerCheck" integer NOT NULL,
	"waitsUntil" integer,
	"problem" text,
	"createdAt" integer NOT NULL,
	"startedAt" integer,
	"finishedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("requestedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bulk_checks_status" CHECK("bulk_checks"."status" IN ('counting', 'ready', 'running', 'finished', 'stopped'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_checks_one_running" ON "bulk_checks" ("organizationId") WHERE "status" = 'running';
--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_checks_org_id" ON "bulk_checks" ("organizationId","id");
--> statement-breakpoint
CREATE TABLE "bulk_check_payees" (
	"organizationId" text NOT NULL,
	"bulkCheckId" text NOT NULL,
	"position" integer NOT NULL,
	"verificationId" text NOT NULL,
	PRIMARY KEY("organizationId", "bulkCheckId", "position"),
	FOREIGN KEY ("organizationId","bulkCheckId") REFERENCES "bulk_checks"("organizationId","id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","verificationId") REFERENCES "verifications"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "business_register" (
	"abn" text PRIMARY KEY NOT NULL,
	"wantedAt" integer,
	"fetchedAt" integer,
	"entry" text,
	"attempts" integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX "business_register_age" ON "business_register" ("fetchedAt");
--> statement-breakpoint
CREATE INDEX "business_register_wanted" ON "business_register" ("wantedAt") WHERE "wantedAt" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE "certificates" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"facts" text NOT NULL,
	"hash" text NOT NULL,
	"issuedAt" integer NOT NULL,
	FOREIGN KEY ("organizationId","id") REFERENCES "verifications"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "certificates_org_id" ON "certificates" ("organizationId","id");
--> statement-breakpoint
CREATE TABLE "change_notices" (
	"organizationId" text NOT NULL,
	"payeeId" text NOT NULL,
	"id" text NOT NULL,
	"verificationId" text,
	"subject" text NOT NULL,
	"channel" text,
	"recipient" text,
	"facts" text NOT NULL,
	"isTrusted" integer NOT NULL,
	"mergedInto" text,
	"status" text NOT NULL,
	"problem" text,
	"dueAt" integer NOT NULL,
	"startedAt" integer,
	"endedAt" integer,
	"createdAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "payeeId", "id"),
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "change_notices_trusted" CHECK("isTrusted" IN (0, 1)),
	CONSTRAINT "change_notices_subject" CHECK("subject" IN ('contact', 'bank_details')),
	CONSTRAINT "change_notices_channel" CHECK("channel" IN ('email', 'sms')),
	CONSTRAINT "change_notices_status" CHECK("status" IN ('waiting', 'told', 'not_told')),
	CONSTRAINT "change_notices_problem" CHECK("problem" IN ('sender_unconfirmed', 'sender_limit', 'recipient_limit', 'provider', 'no_contact', 'address_stopped', 'address_refused', 'bounced', 'not_delivered', 'tried_for_long'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "contact_submissions" (
	"id" text PRIMARY KEY NOT NULL,
	"firstName" text NOT NULL,
	"lastName" text NOT NULL,
	"email" text NOT NULL,
	"company" text NOT NULL,
	"phone" text NOT NULL,
	"interest" text NOT NULL,
	"message" text NOT NULL,
	"createdAt" integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE "counters" (
	"organizationId" text NOT NULL,
	"name" text NOT NULL,
	"value" integer NOT NULL,
	PRIMARY KEY("organizationId", "name")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "decision_records" (
	"organizationId" text NOT NULL,
	"paymentId" text NOT NULL,
	"facts" text NOT NULL,
	"ruleSetId" text NOT NULL,
	PRIMARY KEY("organizationId", "paymentId"),
	FOREIGN KEY ("organizationId","paymentId") REFERENCES "payment_records"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "decisions" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"verificationId" text NOT NULL,
	"status" text NOT NULL,
	"decidedById" text,
	"reason" text,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("decidedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","verificationId") REFERENCES "verifications"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "decisions_status" CHECK("status" IN ('pending', 'verified', 'rejected', 'failed'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX "decisions_verification" ON "decisions" ("verificationId");
--> statement-breakpoint
CREATE TABLE "email_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"userId" text NOT NULL,
	"oldEmail" text NOT NULL,
	"newEmail" text NOT NULL,
	"oldTokenHash" text NOT NULL,
	"newTokenHash" text NOT NULL,
	"oldConfirmedAt" integer,
	"newConfirmedAt" integer,
	"createdAt" integer NOT NULL,
	"expiresAt" integer NOT NULL,
	"endedAt" integer,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX "email_changes_expiry" ON "email_changes" ("expiresAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_new_token" ON "email_changes" ("newTokenHash");
--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_old_token" ON "email_changes" ("oldTokenHash");
--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_open" ON "email_changes" ("userId") WHERE "endedAt" IS NULL;
--> statement-breakpoint
CREATE TABLE "health_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"status" text NOT NULL,
	"cursor" text DEFAULT '' NOT NULL,
	"payeeCount" integer DEFAULT 0 NOT NULL,
	"pointsSum" integer DEFAULT 0 NOT NULL,
	"totals" text NOT NULL,
	"startedAt" integer NOT NULL,
	"finishedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "health_runs_status" CHECK("health_runs"."status" IN ('running', 'finished', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "health_runs_one_running" ON "health_runs" ("organizationId") WHERE "status" = 'running';
--> statement-breakpoint
CREATE UNIQUE INDEX "health_runs_org_id" ON "health_runs" ("organizationId","id");
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"organizationId" text NOT NULL,
	"key" text NOT NULL,
	"requestHash" text NOT NULL,
	"response" text NOT NULL,
	"createdAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "key")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"userId" text NOT NULL,
	"deviceHash" text NOT NULL,
	"firstSeenAt" integer NOT NULL,
	"lastSeenAt" integer NOT NULL,
	PRIMARY KEY("userId", "deviceHash"),
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX "known_devices_last_seen" ON "known_devices" ("lastSeenAt");
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"until" integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "organization_domains" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"domain" text NOT NULL,
	"isPrimary" integer DEFAULT false NOT NULL,
	"autoApprove" integer DEFAULT false NOT NULL,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organization_domains_primary" CHECK("organization_domains"."isPrimary" IN (0, 1)),
	CONSTRAINT "organization_domains_auto" CHECK("organization_domains"."autoApprove" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX "organization_domains_domain" ON "organization_domains" ("domain");
--> statement-breakpoint
CREATE UNIQUE INDEX "organization_domains_once" ON "organization_domains" ("organizationId","domain");
--> statement-breakpoint
CREATE TABLE "organization_integrations" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"system" text NOT NULL,
	"credentials" text,
	"tokenVersion" integer DEFAULT 0 NOT NULL,
	"active" integer DEFAULT true NOT NULL,
	"status" text NOT NULL,
	"choices" text,
	"ledgerId" text,
	"ledgerName" text,
	"connectionId" text,
	"connectedById" text,
	"lastSyncAt" integer,
	"lastError" text,
	"lastErrorAt" integer,
	"wantedAt" integer,
	"wantsAll" integer DEFAULT false NOT NULL,
	"nextPollAt" integer,
	"syncStartedAt" integer,
	"syncSince" integer,
	"syncPage" text,
	"counts" text,
	"readTo" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL, "billsReadTo" integer, "billsTag" text, "notedTo" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("connectedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organization_integrations_active_flag" CHECK("organization_integrations"."active" IN (0, 1)),
	CONSTRAINT "organization_integrations_all_flag" CHECK("organization_integrations"."wantsAll" IN (0, 1)),
	CONSTRAINT "organization_integrations_system_known" CHECK("organization_integrations"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "organization_integrations_status_known" CHECK("organization_integrations"."status" IN ('choosing', 'connected', 'broken', 'disconnected'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "organization_integrations_ledger" ON "organization_integrations" ("ledgerId","system");
--> statement-breakpoint
CREATE UNIQUE INDEX "organization_integrations_once" ON "organization_integrations" ("organizationId","system");
--> statement-breakpoint
CREATE UNIQUE INDEX "organization_integrations_org_id" ON "organization_integrations" ("organizationId","id");
--> statement-breakpoint
CREATE INDEX "organization_integrations_poll" ON "organization_integrations" ("status","nextPollAt");
--> statement-breakpoint
CREATE TABLE "organization_policies" (
	"organizationId" text PRIMARY KEY NOT NULL,
	"secondPersonRequired" integer DEFAULT false NOT NULL,
	"autoApproveExact" integer DEFAULT false NOT NULL,
	"acceptVouching" integer DEFAULT false NOT NULL,
	"twoStepRequired" integer DEFAULT false NOT NULL,
	"reverifyAfterMonths" integer DEFAULT 12 NOT NULL,
	"firstPaymentLimitCents" integer DEFAULT 1000000 NOT NULL,
	"ruleLevels" text DEFAULT '{}' NOT NULL,
	"promotionMinSpanDays" integer DEFAULT 0 NOT NULL,
	"promotionMinDistinctDays" integer DEFAULT 0 NOT NULL,
	"timeZone" text DEFAULT 'Australia/Sydney' NOT NULL,
	"updatedAt" integer NOT NULL, "approvalEvidence" text DEFAULT 'flagged' NOT NULL CHECK ("approvalEvidence" IN ('flagged', 'always_reason', 'check_or_call_back')),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "policies_second_person" CHECK("organization_policies"."secondPersonRequired" IN (0, 1)),
	CONSTRAINT "policies_auto_approve" CHECK("organization_policies"."autoApproveExact" IN (0, 1)),
	CONSTRAINT "policies_vouching" CHECK("organization_policies"."acceptVouching" IN (0, 1)),
	CONSTRAINT "policies_two_step" CHECK("organization_policies"."twoStepRequired" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE "organization_users" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"userId" text NOT NULL,
	"role" text DEFAULT 'member' NOT NULL,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL, "status" text DEFAULT 'active' NOT NULL CONSTRAINT "organization_users_status_known" CHECK("status" IN ('pending', 'active', 'inactive', 'rejected')),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organization_users_role" CHECK("organization_users"."role" IN ('admin', 'member', 'read_only'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "organization_users_once" ON "organization_users" ("organizationId","userId");
--> statement-breakpoint
CREATE INDEX "organization_users_status" ON "organization_users" ("organizationId","status","userId");
--> statement-breakpoint
CREATE INDEX "organization_users_user" ON "organization_users" ("userId");
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"queue" text NOT NULL,
	"kind" text NOT NULL,
	"organizationId" text,
	"subjectId" text,
	"sealedPayload" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"dueAt" integer NOT NULL,
	"sentAt" integer,
	"leaseId" text,
	"leaseUntil" integer,
	"lastError" text,
	"createdAt" integer NOT NULL,
	"finishedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outbox_queue" CHECK("queue" IN ('bank-checks', 'jobs')),
	CONSTRAINT "outbox_status" CHECK("status" IN ('pending', 'done', 'failed'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" ("dueAt") WHERE "status" = 'pending';
--> statement-breakpoint
CREATE INDEX "outbox_subject" ON "outbox" ("subjectId","kind") WHERE "subjectId" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE "outside_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"kind" text NOT NULL,
	"recipientHash" text NOT NULL,
	"createdAt" integer NOT NULL,
	"reportedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outside_messages_kind" CHECK("kind" IN ('payee_link', 'invitation', 'change_notice', 'remittance'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "outside_messages_organization" ON "outside_messages" ("organizationId","createdAt");
--> statement-breakpoint
CREATE INDEX "outside_messages_recipient" ON "outside_messages" ("recipientHash","createdAt");
--> statement-breakpoint
CREATE INDEX "outside_messages_reported" ON "outside_messages" ("organizationId","reportedAt") WHERE "reportedAt" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE "payee_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"payeeId" text NOT NULL,
	"userId" text,
	"field" text NOT NULL,
	"oldValue" text,
	"newValue" text,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "payee_changes_former" ON "payee_changes" ("organizationId","oldValue") WHERE "field" = 'accountNumber';
--> statement-breakpoint
CREATE INDEX "payee_changes_payee" ON "payee_changes" ("organizationId","payeeId","id");
--> statement-breakpoint
CREATE TABLE "payee_findings" (
	"organizationId" text NOT NULL,
	"runId" text NOT NULL,
	"kind" text NOT NULL,
	"payeeId" text NOT NULL,
	"detail" text NOT NULL,
	"paidCents" integer NOT NULL,
	PRIMARY KEY("organizationId", "runId", "kind", "payeeId"),
	FOREIGN KEY ("organizationId","runId") REFERENCES "health_runs"("organizationId","id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payee_findings_kind" CHECK("payee_findings"."kind" IN ('never_verified', 'stale', 'bsb_closed', 'bsb_unusable', 'abn_bad', 'register_name', 'lookalike', 'same_abn', 'no_contact', 'staff_account'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "payee_findings_order" ON "payee_findings" ("organizationId","runId","kind","paidCents","payeeId");
--> statement-breakpoint
CREATE TABLE "payee_imports" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"name" text NOT NULL,
	"sha256" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"headings" text NOT NULL,
	"signature" text NOT NULL,
	"mapping" text NOT NULL,
	"zeroColumns" text NOT NULL,
	"rowCount" integer NOT NULL,
	"partCount" integer NOT NULL,
	"doneParts" integer DEFAULT 0 NOT NULL,
	"doneCount" integer DEFAULT 0 NOT NULL,
	"addedCount" integer DEFAULT 0 NOT NULL,
	"unchangedCount" integer DEFAULT 0 NOT NULL,
	"filledCount" integer DEFAULT 0 NOT NULL,
	"differsCount" integer DEFAULT 0 NOT NULL,
	"noAccountCount" integer DEFAULT 0 NOT NULL,
	"refusedCount" integer DEFAULT 0 NOT NULL,
	"notedCount" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"uploadedById" text,
	"version" integer DEFAULT 1 NOT NULL,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL,
	"startedAt" integer,
	"finishedAt" integer,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("uploadedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payee_imports_status" CHECK("payee_imports"."status" IN ('ready', 'running', 'paused', 'finished', 'stopped')),
	CONSTRAINT "payee_imports_kind" CHECK("payee_imports"."kind" IN ('xero', 'myob', 'table'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "payee_imports_org_id" ON "payee_imports" ("organizationId","id");
--> statement-breakpoint
CREATE INDEX "payee_imports_sha256" ON "payee_imports" ("organizationId","sha256");
--> statement-breakpoint
CREATE INDEX "payee_imports_signature" ON "payee_imports" ("organizationId","signature","id");
--> statement-breakpoint
CREATE TABLE "payee_import_parts" (
	"organizationId" text NOT NULL,
	"importId" text NOT NULL,
	"part" integer NOT NULL,
	"rowCount" integer NOT NULL,
	"sealed" text NOT NULL,
	PRIMARY KEY("organizationId", "importId", "part"),
	FOREIGN KEY ("organizationId","importId") REFERENCES "payee_imports"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "payee_import_rows" (
	"organizationId" text NOT NULL,
	"importId" text NOT NULL,
	"line" integer NOT NULL,
	"outcome" text NOT NULL,
	"message" text NOT NULL,
	"payeeId" text,
	"name" text NOT NULL,
	PRIMARY KEY("organizationId", "importId", "line"),
	FOREIGN KEY ("organizationId","importId") REFERENCES "payee_imports"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payee_import_rows_outcome_known" CHECK("payee_import_rows"."outcome" IN ('added', 'unchanged', 'filled', 'differs', 'no_account', 'refused'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "payee_import_rows_outcome" ON "payee_import_rows" ("organizationId","importId","outcome","line");
--> statement-breakpoint
CREATE TABLE "payee_links" (
	"tokenHash" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"verificationId" text NOT NULL,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("organizationId","verificationId") REFERENCES "verifications"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "payee_links_verification" ON "payee_links" ("organizationId","verificationId");
--> statement-breakpoint
CREATE TABLE "payee_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"requestedById" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"phone" text,
	"note" text,
	"status" text DEFAULT 'open' NOT NULL,
	"channel" text NOT NULL,
	"tokenHash" text NOT NULL,
	"sentAt" integer NOT NULL,
	"expiresAt" integer NOT NULL,
	"createdAt" integer NOT NULL,
	"closedAt" integer,
	"payeeId" text,
	"verificationId" text,
	"isDuplicate" integer DEFAULT false NOT NULL,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("requestedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payee_requests_status" CHECK("payee_requests"."status" IN ('open', 'answered', 'cancelled')),
	CONSTRAINT "payee_requests_channel" CHECK("payee_requests"."channel" IN ('email', 'sms')),
	CONSTRAINT "payee_requests_duplicate" CHECK("payee_requests"."isDuplicate" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX "payee_requests_open" ON "payee_requests" ("organizationId","id") WHERE "status" = 'open';
--> statement-breakpoint
CREATE UNIQUE INDEX "payee_requests_org_id" ON "payee_requests" ("organizationId","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payee_requests_token" ON "payee_requests" ("tokenHash");
--> statement-breakpoint
CREATE TABLE "payee_terms" (
	"organizationId" text NOT NULL,
	"term" text NOT NULL,
	"payeeId" text NOT NULL,
	PRIMARY KEY("organizationId", "term", "payeeId"),
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "payee_word_parts" (
	"organizationId" text NOT NULL,
	"part" text NOT NULL,
	"word" text NOT NULL,
	PRIMARY KEY("organizationId", "part", "word"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "payment_file_bytes" (
	"organizationId" text NOT NULL,
	"ownerId" text NOT NULL,
	"part" integer NOT NULL,
	"sealed" text NOT NULL,
	PRIMARY KEY("organizationId", "ownerId", "part"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "payment_files" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"name" text NOT NULL,
	"format" text NOT NULL,
	"status" text NOT NULL,
	"sha256" text NOT NULL,
	"paymentsDigest" text NOT NULL,
	"byteCount" integer NOT NULL,
	"headerRecord" text,
	"problems" text NOT NULL,
	"lineCount" integer NOT NULL,
	"totalCents" integer NOT NULL,
	"checkedCount" integer DEFAULT 0 NOT NULL,
	"heldCount" integer DEFAULT 0 NOT NULL,
	"heldCents" integer DEFAULT 0 NOT NULL,
	"authorisedCount" integer DEFAULT 0 NOT NULL,
	"authorisedCents" integer DEFAULT 0 NOT NULL,
	"rejectedCount" integer DEFAULT 0 NOT NULL,
	"clearedCount" integer DEFAULT 0 NOT NULL,
	"settledCount" integer DEFAULT 0 NOT NULL,
	"uploadedById" text,
	"version" integer DEFAULT 1 NOT NULL,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL, "columns" text,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("uploadedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_files_format" CHECK("payment_files"."format" IN ('aba', 'csv', 'pasted')),
	CONSTRAINT "payment_files_status" CHECK("payment_files"."status" IN ('checking', 'open', 'cleared', 'settled', 'abandoned'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_files_org_id" ON "payment_files" ("organizationId","id");
--> statement-breakpoint
CREATE INDEX "payment_files_payments" ON "payment_files" ("organizationId","paymentsDigest");
--> statement-breakpoint
CREATE INDEX "payment_files_sha256" ON "payment_files" ("organizationId","sha256");
--> statement-breakpoint
CREATE TABLE "payment_file_clearings" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"fileId" text NOT NULL,
	"sha256" text NOT NULL,
	"byteCount" integer NOT NULL,
	"lineCount" integer NOT NULL,
	"totalCents" integer NOT NULL,
	"clearedById" text,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("clearedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","fileId") REFERENCES "payment_files"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX "payment_file_clearings_file" ON "payment_file_clearings" ("organizationId","fileId","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_file_clearings_org_id" ON "payment_file_clearings" ("organizationId","id");
--> statement-breakpoint
CREATE INDEX "payment_file_clearings_sha256" ON "payment_file_clearings" ("organizationId","sha256");
--> statement-breakpoint
CREATE TABLE "payment_file_facts" (
	"organizationId" text NOT NULL,
	"fileId" text NOT NULL,
	"firstLine" integer NOT NULL,
	"lastLine" integer NOT NULL,
	"ruleSetId" text NOT NULL,
	"facts" text NOT NULL,
	PRIMARY KEY("organizationId", "fileId", "firstLine"),
	FOREIGN KEY ("organizationId","fileId") REFERENCES "payment_files"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "payment_file_lines" (
	"organizationId" text NOT NULL,
	"fileId" text NOT NULL,
	"line" integer NOT NULL,
	"status" text NOT NULL,
	"accountName" text NOT NULL,
	"bsb" text NOT NULL,
	"accountNumber" text NOT NULL,
	"amount" integer NOT NULL,
	"reference" text NOT NULL,
	"payeeId" text,
	"reasons" text NOT NULL,
	"facts" text,
	"ruleSetId" text,
	"decidedById" text,
	"decisionReason" text,
	"decidedAt" integer,
	"paymentId" text,
	"clearingId" text,
	PRIMARY KEY("organizationId", "fileId", "line"),
	FOREIGN KEY ("decidedById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("clearingId") REFERENCES "payment_file_clearings"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","fileId") REFERENCES "payment_files"("organizationId","id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","paymentId") REFERENCES "payment_records"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_file_lines_status_known" CHECK("payment_file_lines"."status" IN ('held', 'authorised', 'rejected'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_file_lines_payment" ON "payment_file_lines" ("organizationId","paymentId") WHERE "paymentId" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE "payment_file_settings" (
	"organizationId" text PRIMARY KEY NOT NULL,
	"mappings" text DEFAULT '{}' NOT NULL,
	"payer" text,
	"memberLimitCents" integer,
	"adminLimitCents" integer,
	"opensAtMinute" integer,
	"closesAtMinute" integer,
	"worksWeekends" integer DEFAULT true NOT NULL,
	"updatedAt" integer NOT NULL, "sendsRemittances" integer DEFAULT false NOT NULL CONSTRAINT "payment_file_settings_remittances" CHECK("sendsRemittances" IN (0, 1)),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_file_settings_weekends" CHECK("payment_file_settings"."worksWeekends" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE "payment_transitions" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"paymentId" text NOT NULL,
	"fromVersion" integer NOT NULL,
	"fromStatus" text NOT NULL,
	"toStatus" text NOT NULL,
	"reason" text,
	"userId" text,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","paymentId") REFERENCES "payment_records"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_transitions_from" CHECK("fromStatus" IN ('authorised', 'held', 'verification_requested', 'rejected', 'successful', 'failed')),
	CONSTRAINT "payment_transitions_to" CHECK("toStatus" IN ('authorised', 'held', 'verification_requested', 'rejected', 'successful', 'failed'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_transitions_once" ON "payment_transitions" ("paymentId","fromVersion");
--> statement-breakpoint
CREATE TABLE "preconditions" (
	"c0" integer,
	"c1" integer,
	"c2" integer,
	"c3" integer,
	"c4" integer,
	"c5" integer,
	"c6" integer,
	"c7" integer,
	"c8" integer,
	"c9" integer,
	CONSTRAINT "precondition_0" CHECK("preconditions"."c0" = 1),
	CONSTRAINT "precondition_1" CHECK("preconditions"."c1" = 1),
	CONSTRAINT "precondition_2" CHECK("preconditions"."c2" = 1),
	CONSTRAINT "precondition_3" CHECK("preconditions"."c3" = 1),
	CONSTRAINT "precondition_4" CHECK("preconditions"."c4" = 1),
	CONSTRAINT "precondition_5" CHECK("preconditions"."c5" = 1),
	CONSTRAINT "precondition_6" CHECK("preconditions"."c6" = 1),
	CONSTRAINT "precondition_7" CHECK("preconditions"."c7" = 1),
	CONSTRAINT "precondition_8" CHECK("preconditions"."c8" = 1),
	CONSTRAINT "precondition_9" CHECK("preconditions"."c9" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE "promotion_due" (
	"payeeId" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "rate_counters" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"windowEndsAt" integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"userId" text NOT NULL,
	"codeHash" text NOT NULL,
	"createdAt" integer NOT NULL,
	"usedAt" integer,
	PRIMARY KEY("userId", "codeHash"),
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "remittances_due" (
	"organizationId" text NOT NULL,
	"paymentId" text NOT NULL,
	"payeeId" text NOT NULL,
	PRIMARY KEY("organizationId", "paymentId"),
	FOREIGN KEY ("organizationId","paymentId") REFERENCES "payment_records"("organizationId","id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","payeeId") REFERENCES "payees"("organizationId","id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX "remittances_due_payee" ON "remittances_due" ("organizationId","payeeId");
--> statement-breakpoint
CREATE TABLE "report_days" (
	"organizationId" text NOT NULL,
	"metric" text NOT NULL,
	"day" text NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	"sum" integer NOT NULL,
	PRIMARY KEY("organizationId", "metric", "day", "key"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "report_days_metric" CHECK("metric" IN ('decided', 'outcome', 'time', 'score', 'payments', 'rules', 'whitelist', 'decider', 'calls'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "rule_sets" (
	"organizationId" text NOT NULL,
	"id" text NOT NULL,
	"versions" text NOT NULL,
	"levels" text NOT NULL,
	"createdAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "id"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"userId" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" ("organizationId","userId","name");
--> statement-breakpoint
CREATE TABLE "sent_messages" (
	"key" text PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"jobId" text NOT NULL,
	"organizationId" text,
	"status" text NOT NULL,
	"detail" text,
	"sentAt" integer NOT NULL,
	"statusAt" integer NOT NULL,
	CONSTRAINT "sent_messages_channel" CHECK("channel" IN ('email', 'sms')),
	CONSTRAINT "sent_messages_status" CHECK("status" IN ('sent', 'delivered', 'failed', 'complained'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"userId" text NOT NULL,
	"createdAt" integer NOT NULL,
	"lastSeenAt" integer NOT NULL,
	"expiresAt" integer NOT NULL,
	"ipAddress" text,
	"userAgent" text, "place" text,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" ("expiresAt");
--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" ("userId");
--> statement-breakpoint
CREATE TABLE "staff_accounts" (
	"organizationId" text NOT NULL,
	"accountFingerprint" text NOT NULL,
	"createdAt" integer NOT NULL,
	PRIMARY KEY("organizationId", "accountFingerprint"),
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "stopped_addresses" (
	"addressHash" text PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"stoppedAt" integer NOT NULL,
	CONSTRAINT "stopped_addresses_cause" CHECK("stopped_addresses"."cause" IN ('bounced', 'complained'))
) STRICT;
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"tokenHash" text NOT NULL,
	"userId" text,
	"organizationId" text,
	"email" text NOT NULL,
	"createdAt" integer NOT NULL,
	"expiresAt" integer NOT NULL,
	"usedAt" integer, "role" text CONSTRAINT "tokens_role" CHECK("role" IN ('admin', 'member', 'read_only')), "invitedById" text REFERENCES "users"("id"),
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tokens_kind" CHECK("tokens"."kind" IN ('email_confirmation', 'password_reset', 'invitation'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "tokens_expiry" ON "tokens" ("expiresAt");
--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_hash" ON "tokens" ("tokenHash");
--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_invitation" ON "tokens" ("organizationId","email") WHERE "kind" = 'invitation' AND "usedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX "tokens_user" ON "tokens" ("userId","kind");
--> statement-breakpoint
CREATE TABLE "trail_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE "two_steps" (
	"userId" text PRIMARY KEY NOT NULL,
	"sealedSecret" text NOT NULL,
	"enabledAt" integer,
	"lastStep" integer,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("userId") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE "verification_calls" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"verificationId" text NOT NULL,
	"calledById" text NOT NULL,
	"number" text NOT NULL,
	"source" text NOT NULL,
	"spokeTo" text,
	"outcome" text NOT NULL,
	"note" text,
	"noProof" text,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("calledById") REFERENCES "users"("id") ON UPDATE no action ON DELETE no action,
	FOREIGN KEY ("organizationId","verificationId") REFERENCES "verifications"("organizationId","id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verification_calls_source" CHECK("source" IN ('on_file', 'website', 'contract', 'other')),
	CONSTRAINT "verification_calls_outcome" CHECK("outcome" IN ('confirmed', 'not_confirmed', 'no_answer')),
	CONSTRAINT "verification_calls_no_proof" CHECK("noProof" IN ('recently_changed', 'recently_entered', 'not_on_file', 'own_work'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "verification_calls_verification" ON "verification_calls" ("organizationId","verificationId","id");
--> statement-breakpoint
CREATE TABLE "walk_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"startedAt" integer NOT NULL,
	"finishedAt" integer
) STRICT;
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"url" text NOT NULL,
	"events" text NOT NULL,
	"status" text NOT NULL,
	"sealedSecret" text NOT NULL,
	"formerSealedSecret" text,
	"formerUntil" integer,
	"activeSince" integer NOT NULL,
	"lastSuccessAt" integer,
	"createdAt" integer NOT NULL,
	"updatedAt" integer NOT NULL,
	FOREIGN KEY ("organizationId") REFERENCES "organizations"("id") ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_endpoints_status_known" CHECK("webhook_endpoints"."status" IN ('active', 'paused', 'disabled'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_org_id" ON "webhook_endpoints" ("organizationId","id");
--> statement-breakpoint
CREATE INDEX "webhook_endpoints_status" ON "webhook_endpoints" ("status","organizationId");
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"organizationId" text NOT NULL,
	"endpointId" text NOT NULL,
	"eventId" text NOT NULL,
	"eventType" text NOT NULL,
	"payload" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lastAttemptAt" integer,
	"nextAttemptAt" integer,
	"answerStatus" integer,
	"answerBody" text,
	"problem" text,
	"durationMs" integer,
	"createdAt" integer NOT NULL,
	FOREIGN KEY ("organizationId","endpointId") REFERENCES "webhook_endpoints"("organizationId","id") ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_status_known" CHECK("webhook_deliveries"."status" IN ('pending', 'delivered', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" ("organizationId","endpointId","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" ("endpointId","eventId");
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"provider" text NOT NULL,
	"eventId" text NOT NULL,
	"eventType" text NOT NULL,
	"receivedAt" integer NOT NULL,
	PRIMARY KEY("provider", "eventId")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO "organizations" ("id", "name", "abn", "address", "phone", "contactEmail", "website", "planTier", "active", "stripeCustomerId", "stripeSubscriptionId", "subscriptionStatus", "trialEndsAt", "createdAt", "updatedAt", "logo", "subdomain", "firstPaidAt") VALUES ('00000000-0000-7000-8000-000000000000', 'PayeeProof platform', NULL, NULL, NULL, NULL, NULL, 'standard', 1, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL);
--> statement-breakpoint
INSERT INTO "trail_cursors" ("name", "position") VALUES ('alerts', 0);
--> statement-breakpoint
INSERT INTO "trail_cursors" ("name", "position") VALUES ('reports', 0);
--> statement-breakpoint
INSERT INTO "trail_cursors" ("name", "position") VALUES ('webhooks', 0);
--> statement-breakpoint
CREATE TRIGGER "audit_logs_at_the_end" AFTER INSERT ON "audit_logs"
WHEN NEW."position" <= 0 OR EXISTS (SELECT 1 FROM "audit_logs" WHERE "position" > NEW."position")
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER "audit_logs_no_delete" BEFORE DELETE ON "audit_logs"
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER "audit_logs_no_replace" BEFORE INSERT ON "audit_logs"
WHEN EXISTS (SELECT 1 FROM "audit_logs" WHERE "position" = NEW."position")
	OR EXISTS (SELECT 1 FROM "audit_logs" WHERE "id" = NEW."id")
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER "audit_logs_no_update" BEFORE UPDATE ON "audit_logs"
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER "audit_seals_no_delete" BEFORE DELETE ON "audit_seals"
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER "audit_seals_no_replace" BEFORE INSERT ON "audit_seals"
WHEN EXISTS (SELECT 1 FROM "audit_seals" WHERE "position" = NEW."position")
	OR EXISTS (SELECT 1 FROM "audit_seals" WHERE "organizationId" = NEW."organizationId" AND "seq" = NEW."seq")
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER "audit_seals_no_update" BEFORE UPDATE ON "audit_seals"
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER "certificates_no_delete" BEFORE DELETE ON "certificates"
BEGIN
	SELECT RAISE(ABORT, 'a certificate never changes');
END;
--> statement-breakpoint
CREATE TRIGGER "certificates_no_replace" BEFORE INSERT ON "certificates"
WHEN EXISTS (SELECT 1 FROM "certificates" WHERE "id" = NEW."id")
BEGIN
	SELECT RAISE(ABORT, 'a certificate never changes');
END;
--> statement-breakpoint
CREATE TRIGGER "certificates_no_update" BEFORE UPDATE ON "certificates"
BEGIN
	SELECT RAISE(ABORT, 'a certificate never changes');
END;
--> statement-breakpoint
CREATE TRIGGER "count_archived_update" AFTER UPDATE OF "archivedAt" ON "payees" WHEN (NEW."archivedAt" IS NULL) <> (OLD."archivedAt" IS NULL)
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'archivedPayees', (NEW."archivedAt" IS NOT NULL) - (OLD."archivedAt" IS NOT NULL))
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_held_insert" AFTER INSERT ON "payment_records" WHEN NEW."status" = 'held'
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'heldPayments', 1)
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_held_update" AFTER UPDATE OF "status" ON "payment_records" WHEN (NEW."status" = 'held') <> (OLD."status" = 'held')
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'heldPayments', (NEW."status" = 'held') - (OLD."status" = 'held'))
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_payees" AFTER INSERT ON "payees" WHEN true
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'payees', 1)
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_pending_insert" AFTER INSERT ON "verifications" WHEN NEW."status" = 'pending'
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'pendingVerifications', 1)
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_pending_update" AFTER UPDATE OF "status" ON "verifications" WHEN (NEW."status" = 'pending') <> (OLD."status" = 'pending')
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'pendingVerifications', (NEW."status" = 'pending') - (OLD."status" = 'pending'))
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_whitelisted_insert" AFTER INSERT ON "payees" WHEN NEW."whitelisted" = 1
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'whitelistedPayees', 1)
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_whitelisted_update" AFTER UPDATE OF "whitelisted" ON "payees" WHEN NEW."whitelisted" <> OLD."whitelisted"
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'whitelistedPayees', NEW."whitelisted" - OLD."whitelisted")
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "preconditions_stay_empty" AFTER INSERT ON "preconditions"
BEGIN
	DELETE FROM "preconditions";
END;
--> statement-breakpoint
CREATE TRIGGER "promotion_due_payee" AFTER UPDATE OF "paymentCount", "disputedAt", "takenOffWhitelistAt" ON "payees"
WHEN NEW."whitelisted" = 0 AND NEW."paymentCount" >= 3 AND NEW."disputedAt" IS NULL AND NEW."takenOffWhitelistAt" IS NULL
BEGIN
	INSERT INTO "promotion_due" ("payeeId", "organizationId") VALUES (NEW."id", NEW."organizationId") ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER "promotion_due_payment" AFTER UPDATE OF "status" ON "payment_records"
WHEN OLD."status" IN ('held', 'verification_requested') AND NEW."status" NOT IN ('held', 'verification_requested')
BEGIN
	INSERT INTO "promotion_due" ("payeeId", "organizationId")
	SELECT "id", "organizationId" FROM "payees"
	WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId" AND "whitelisted" = 0 AND "paymentCount" >= 3
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER "promotion_due_verification" AFTER INSERT ON "verifications" WHEN true
BEGIN
	INSERT INTO "promotion_due" ("payeeId", "organizationId")
	SELECT "id", "organizationId" FROM "payees"
	WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId" AND "whitelisted" = 0 AND "paymentCount" >= 3
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER "settle_payment_file" AFTER UPDATE OF "status" ON "payment_records"
WHEN NEW."status" IN ('successful', 'failed', 'rejected') AND OLD."status" NOT IN ('successful', 'failed', 'rejected')
BEGIN
	UPDATE "payment_files" SET
		"settledCount" = "settledCount" + 1,
		"status" = CASE WHEN "status" = 'cleared' AND "heldCount" = 0 AND "settledCount" + 1 = "clearedCount" THEN 'settled' ELSE "status" END,
		"updatedAt" = NEW."updatedAt"
	WHERE "organizationId" = NEW."organizationId" AND "id" = (
		SELECT "fileId" FROM "payment_file_lines"
		WHERE "organizationId" = NEW."organizationId" AND "paymentId" = NEW."id");
END;
--> statement-breakpoint
CREATE TRIGGER "verification_contact_changed" AFTER UPDATE OF "contactChangedAt" ON "payees" WHEN NEW."contactChangedAt" IS NOT OLD."contactChangedAt"
BEGIN
	UPDATE "verifications" SET "contactChangedAt" = NEW."contactChangedAt"
	WHERE "organizationId" = NEW."organizationId" AND "payeeId" = NEW."id" AND "status" = 'pending' AND "isOfChange" = 1;
END;
--> statement-breakpoint
CREATE TRIGGER "verification_contact_opened" AFTER INSERT ON "verifications" WHEN NEW."isOfChange" = 1
BEGIN
	UPDATE "verifications" SET "contactChangedAt" = (SELECT "contactChangedAt" FROM "payees" WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId")
	WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."id";
END;
