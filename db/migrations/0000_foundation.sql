CREATE TABLE `audit_logs` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`userId` text,
	`organizationId` text NOT NULL,
	`action` text NOT NULL,
	`entityType` text,
	`entityId` text,
	`details` text,
	`ipAddress` text,
	`userAgent` text,
	`requestId` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_logs_id` ON `audit_logs` (`id`);--> statement-breakpoint
CREATE INDEX `audit_logs_organization` ON `audit_logs` (`organizationId`,`position`);--> statement-breakpoint
CREATE INDEX `audit_logs_entity` ON `audit_logs` (`organizationId`,`entityType`,`entityId`,`position`);--> statement-breakpoint
CREATE INDEX `audit_logs_user` ON `audit_logs` (`organizationId`,`userId`,`position`);--> statement-breakpoint
CREATE INDEX `audit_logs_action` ON `audit_logs` (`organizationId`,`action`,`position`);--> statement-breakpoint
CREATE TABLE `audit_seals` (
	`organizationId` text NOT NULL,
	`seq` integer NOT NULL,
	`position` integer NOT NULL,
	`prevHash` text NOT NULL,
	`hash` text NOT NULL,
	`sealedAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `seq`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`position`) REFERENCES `audit_logs`(`position`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_seals_position` ON `audit_seals` (`position`);--> statement-breakpoint
CREATE TABLE `bsb_directory` (
	`bsb` text PRIMARY KEY NOT NULL,
	`mnemonic` text NOT NULL,
	`name` text NOT NULL,
	`street` text,
	`suburb` text,
	`state` text,
	`postcode` text,
	`paper` integer NOT NULL,
	`electronic` integer NOT NULL,
	`highValue` integer NOT NULL,
	`status` text NOT NULL,
	`successorBsb` text,
	`loadedAt` integer NOT NULL,
	CONSTRAINT "bsb_directory_status" CHECK("bsb_directory"."status" IN ('open', 'closed', 'merged'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `bsb_directory_mnemonic` ON `bsb_directory` (`mnemonic`);--> statement-breakpoint
CREATE TABLE `billing_records` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`relatedEntityType` text,
	`relatedEntityId` text,
	`createdAt` integer NOT NULL,
	`paidAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "billing_records_type" CHECK("billing_records"."type" IN ('subscription', 'invoice', 'payment', 'refund')),
	CONSTRAINT "billing_records_status" CHECK("billing_records"."status" IN ('open', 'paid', 'failed', 'void', 'refunded'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `billing_records_organization` ON `billing_records` (`organizationId`,`id`);--> statement-breakpoint
CREATE TABLE `contact_submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`firstName` text NOT NULL,
	`lastName` text NOT NULL,
	`email` text NOT NULL,
	`company` text NOT NULL,
	`phone` text NOT NULL,
	`interest` text NOT NULL,
	`message` text NOT NULL,
	`createdAt` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `organization_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`domain` text NOT NULL,
	`isPrimary` integer DEFAULT false NOT NULL,
	`autoApprove` integer DEFAULT false NOT NULL,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organization_domains_primary" CHECK("organization_domains"."isPrimary" IN (0, 1)),
	CONSTRAINT "organization_domains_auto" CHECK("organization_domains"."autoApprove" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_once` ON `organization_domains` (`organizationId`,`domain`);--> statement-breakpoint
CREATE INDEX `organization_domains_domain` ON `organization_domains` (`domain`);--> statement-breakpoint
CREATE TABLE `organization_integrations` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`system` text NOT NULL,
	`credentials` text,
	`active` integer DEFAULT true NOT NULL,
	`lastSyncAt` integer,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organization_integrations_system" CHECK("organization_integrations"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "organization_integrations_active" CHECK("organization_integrations"."active" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_integrations_once` ON `organization_integrations` (`organizationId`,`system`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`abn` text,
	`address` text,
	`phone` text,
	`contactEmail` text,
	`website` text,
	`planTier` text DEFAULT 'standard' NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`stripeCustomerId` text,
	`stripeSubscriptionId` text,
	`subscriptionStatus` text,
	`trialEndsAt` integer,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	`logo` text,
	`subdomain` text,
	CONSTRAINT "organizations_active" CHECK("organizations"."active" IN (0, 1)),
	CONSTRAINT "organizations_subscription_status" CHECK("organizations"."subscriptionStatus" IN ('active', 'trialing', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'unpaid', 'paused'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_stripe_customer` ON `organizations` (`stripeCustomerId`);--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_subdomain` ON `organizations` (`subdomain`);--> statement-breakpoint
CREATE TABLE `payee_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`payeeId` text NOT NULL,
	`userId` text,
	`field` text NOT NULL,
	`oldValue` text,
	`newValue` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `payee_changes_payee` ON `payee_changes` (`organizationId`,`payeeId`,`id`);--> statement-breakpoint
CREATE TABLE `payee_terms` (
	`organizationId` text NOT NULL,
	`term` text NOT NULL,
	`payeeId` text NOT NULL,
	PRIMARY KEY(`organizationId`, `term`, `payeeId`),
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payee_terms_payee` ON `payee_terms` (`organizationId`,`payeeId`,`term`);--> statement-breakpoint
CREATE TABLE `payees` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`name` text NOT NULL,
	`accountName` text NOT NULL,
	`bsb` text NOT NULL,
	`accountNumber` text NOT NULL,
	`abn` text,
	`email` text,
	`phone` text,
	`address` text,
	`paymentCount` integer DEFAULT 0 NOT NULL,
	`lastPaymentDate` integer,
	`whitelisted` integer DEFAULT false NOT NULL,
	`whitelistedAt` integer,
	`whitelistedById` text,
	`whitelistedReason` text,
	`whitelistGlobal` integer DEFAULT false NOT NULL,
	`hash` text NOT NULL,
	`accountFingerprint` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`createdById` text,
	`bankDetailsChangedAt` integer,
	`bankDetailsChangedById` text,
	`contactChangedAt` integer,
	`disputedAt` integer,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`whitelistedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`createdById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`bankDetailsChangedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payees_whitelisted_flag" CHECK("payees"."whitelisted" IN (0, 1)),
	CONSTRAINT "payees_global_flag" CHECK("payees"."whitelistGlobal" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payees_org_id` ON `payees` (`organizationId`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payees_once` ON `payees` (`organizationId`,`bsb`,`accountNumber`);--> statement-breakpoint
CREATE UNIQUE INDEX `payees_account_once` ON `payees` (`organizationId`,`accountFingerprint`);--> statement-breakpoint
CREATE INDEX `payees_account` ON `payees` (`accountFingerprint`,`whitelistGlobal`);--> statement-breakpoint
CREATE INDEX `payees_whitelisted` ON `payees` (`organizationId`,`whitelisted`,`id`);--> statement-breakpoint
CREATE INDEX `payees_disputed` ON `payees` (`organizationId`,`id`) WHERE "disputedAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payees_promotable` ON `payees` (`whitelisted`,`paymentCount`,`id`);--> statement-breakpoint
CREATE TABLE `payment_records` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`payeeId` text,
	`amount` integer NOT NULL,
	`description` text,
	`reference` text,
	`verificationId` text,
	`status` text NOT NULL,
	`processedAt` integer,
	`accountName` text NOT NULL,
	`bsb` text NOT NULL,
	`accountNumber` text NOT NULL,
	`reasons` text NOT NULL,
	`failureReason` text,
	`recordedById` text,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`recordedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_records_status_known" CHECK("payment_records"."status" IN ('authorised', 'held', 'verification_requested', 'rejected', 'successful', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_records_org_id` ON `payment_records` (`organizationId`,`id`);--> statement-breakpoint
CREATE INDEX `payment_records_status` ON `payment_records` (`organizationId`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payment_records_payee` ON `payment_records` (`organizationId`,`payeeId`,`id`);--> statement-breakpoint
CREATE INDEX `payment_records_payee_status` ON `payment_records` (`organizationId`,`payeeId`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payment_records_verification` ON `payment_records` (`verificationId`);--> statement-breakpoint
CREATE INDEX `payment_records_duplicate` ON `payment_records` (`organizationId`,`payeeId`,`amount`,`reference`,`createdAt`);--> statement-breakpoint
CREATE TABLE `payment_transitions` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`paymentId` text NOT NULL,
	`fromVersion` integer NOT NULL,
	`fromStatus` text NOT NULL,
	`toStatus` text NOT NULL,
	`reason` text,
	`userId` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`paymentId`) REFERENCES `payment_records`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_transitions_from" CHECK("payment_transitions"."fromStatus" IN ('authorised', 'held', 'verification_requested', 'rejected', 'successful', 'failed')),
	CONSTRAINT "payment_transitions_to" CHECK("payment_transitions"."toStatus" IN ('authorised', 'held', 'verification_requested', 'rejected', 'successful', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_transitions_once` ON `payment_transitions` (`paymentId`,`fromVersion`);--> statement-breakpoint
CREATE TABLE `organization_policies` (
	`organizationId` text PRIMARY KEY NOT NULL,
	`secondPersonRequired` integer DEFAULT false NOT NULL,
	`autoApproveExact` integer DEFAULT false NOT NULL,
	`acceptVouching` integer DEFAULT false NOT NULL,
	`twoStepRequired` integer DEFAULT false NOT NULL,
	`reverifyAfterMonths` integer DEFAULT 12 NOT NULL,
	`firstPaymentLimitCents` integer DEFAULT 1000000 NOT NULL,
	`ruleLevels` text DEFAULT '{}' NOT NULL,
	`promotionMinSpanDays` integer DEFAULT 0 NOT NULL,
	`promotionMinDistinctDays` integer DEFAULT 0 NOT NULL,
	`timeZone` text DEFAULT 'Australia/Sydney' NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "policies_second_person" CHECK("organization_policies"."secondPersonRequired" IN (0, 1)),
	CONSTRAINT "policies_auto_approve" CHECK("organization_policies"."autoApproveExact" IN (0, 1)),
	CONSTRAINT "policies_vouching" CHECK("organization_policies"."acceptVouching" IN (0, 1)),
	CONSTRAINT "policies_two_step" CHECK("organization_policies"."twoStepRequired" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE `counters` (
	`organizationId` text NOT NULL,
	`name` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `name`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`organizationId` text NOT NULL,
	`key` text NOT NULL,
	`requestHash` text NOT NULL,
	`response` text NOT NULL,
	`createdAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`createdAt`);--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`kind` text NOT NULL,
	`organizationId` text,
	`subjectId` text,
	`sealedPayload` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`dueAt` integer NOT NULL,
	`sentAt` integer,
	`leaseId` text,
	`leaseUntil` integer,
	`lastError` text,
	`createdAt` integer NOT NULL,
	`finishedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outbox_queue" CHECK("outbox"."queue" IN ('bank-checks', 'alerts')),
	CONSTRAINT "outbox_status" CHECK("outbox"."status" IN ('pending', 'done', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`status`,`dueAt`);--> statement-breakpoint
CREATE INDEX `outbox_subject` ON `outbox` (`subjectId`,`kind`);--> statement-breakpoint
CREATE INDEX `outbox_finished` ON `outbox` (`finishedAt`);--> statement-breakpoint
CREATE TABLE `preconditions` (
	`holds` integer NOT NULL,
	CONSTRAINT "precondition" CHECK("preconditions"."holds" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `rate_counters` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`windowEndsAt` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `rate_counters_window` ON `rate_counters` (`windowEndsAt`);--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`provider` text NOT NULL,
	`eventId` text NOT NULL,
	`eventType` text NOT NULL,
	`receivedAt` integer NOT NULL,
	`processedAt` integer,
	PRIMARY KEY(`provider`, `eventId`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_events_received` ON `webhook_events` (`receivedAt`);--> statement-breakpoint
CREATE TABLE `organization_users` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`userId` text NOT NULL,
	`role` text DEFAULT 'member' NOT NULL,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organization_users_role" CHECK("organization_users"."role" IN ('admin', 'member', 'read_only'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_users_once` ON `organization_users` (`organizationId`,`userId`);--> statement-breakpoint
CREATE INDEX `organization_users_user` ON `organization_users` (`userId`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`createdAt` integer NOT NULL,
	`lastSeenAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`ipAddress` text,
	`userAgent` text,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`userId`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`tokenHash` text NOT NULL,
	`userId` text,
	`organizationId` text,
	`email` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`usedAt` integer,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tokens_kind" CHECK("tokens"."kind" IN ('email_confirmation', 'password_reset', 'invitation'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_hash` ON `tokens` (`tokenHash`);--> statement-breakpoint
CREATE INDEX `tokens_user` ON `tokens` (`userId`,`kind`);--> statement-breakpoint
CREATE INDEX `tokens_expiry` ON `tokens` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`password` text NOT NULL,
	`email` text NOT NULL,
	`emailVerifiedAt` integer,
	`firstName` text NOT NULL,
	`lastName` text NOT NULL,
	`role` text DEFAULT 'member' NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	`lastLoginAt` integer,
	`organizationId` text,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('super_admin', 'admin', 'member', 'read_only')),
	CONSTRAINT "users_status" CHECK("users"."status" IN ('pending', 'active', 'inactive', 'rejected'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (`username`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_organization` ON `users` (`organizationId`);--> statement-breakpoint
CREATE TABLE `bank_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`verificationId` text NOT NULL,
	`startedById` text,
	`step` text DEFAULT 'starting' NOT NULL,
	`providerUserId` text,
	`stateHash` text,
	`returnedAt` integer,
	`outcome` text,
	`reasonCode` text,
	`startedAt` integer NOT NULL,
	`finishedAt` integer,
	FOREIGN KEY (`startedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_checks_step" CHECK("bank_checks"."step" IN ('starting', 'awaiting_payee', 'at_bank', 'finished')),
	CONSTRAINT "bank_checks_outcome" CHECK("bank_checks"."outcome" IN ('match', 'close_match', 'no_match', 'account_closed', 'account_not_shared', 'consent_refused', 'unable'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_checks_one_running` ON `bank_checks` (`verificationId`) WHERE "finishedAt" IS NULL;--> statement-breakpoint
CREATE INDEX `bank_checks_verification` ON `bank_checks` (`verificationId`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `bank_checks_provider_user` ON `bank_checks` (`providerUserId`);--> statement-breakpoint
CREATE UNIQUE INDEX `bank_checks_state` ON `bank_checks` (`stateHash`);--> statement-breakpoint
CREATE TABLE `decisions` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`verificationId` text NOT NULL,
	`status` text NOT NULL,
	`decidedById` text,
	`reason` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`decidedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "decisions_status" CHECK("decisions"."status" IN ('pending', 'verified', 'rejected', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `decisions_verification` ON `decisions` (`verificationId`);--> statement-breakpoint
CREATE TABLE `verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`payeeId` text NOT NULL,
	`requestedById` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`method` text NOT NULL,
	`accountName` text NOT NULL,
	`bsb` text NOT NULL,
	`accountNumber` text NOT NULL,
	`resultData` text,
	`verifiedName` text,
	`nameMatch` integer,
	`nameMatchScore` integer,
	`matchType` text DEFAULT 'none' NOT NULL,
	`nameDifferences` text,
	`outcome` text,
	`reasonCode` text,
	`evidence` text,
	`approved` integer,
	`approvedAt` integer,
	`rejectedReason` text,
	`cost` integer,
	`verificationToken` text,
	`verificationTokenExpiresAt` integer,
	`verificationChannel` text,
	`notificationSent` integer DEFAULT false NOT NULL,
	`notificationSentAt` integer,
	`verifiedByPayee` integer DEFAULT false NOT NULL,
	`verifiedByPayeeAt` integer,
	`disputedByPayeeAt` integer,
	`disputeNote` text,
	`createdAt` integer NOT NULL,
	`completedAt` integer,
	FOREIGN KEY (`requestedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verifications_status" CHECK("verifications"."status" IN ('pending', 'verified', 'rejected', 'failed')),
	CONSTRAINT "verifications_method" CHECK("verifications"."method" IN ('basiq', 'whitelist', 'manual')),
	CONSTRAINT "verifications_match_type" CHECK("verifications"."matchType" IN ('exact', 'fuzzy', 'none')),
	CONSTRAINT "verifications_outcome" CHECK("verifications"."outcome" IN ('match', 'close_match', 'no_match', 'account_closed', 'account_not_shared', 'consent_refused', 'unable')),
	CONSTRAINT "verifications_channel" CHECK("verifications"."verificationChannel" IN ('email', 'sms')),
	CONSTRAINT "verifications_sent" CHECK("verifications"."notificationSent" IN (0, 1)),
	CONSTRAINT "verifications_by_payee" CHECK("verifications"."verifiedByPayee" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_org_id` ON `verifications` (`organizationId`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_one_pending` ON `verifications` (`payeeId`) WHERE "status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_token` ON `verifications` (`verificationToken`);--> statement-breakpoint
CREATE INDEX `verifications_queue` ON `verifications` (`organizationId`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_queue_match` ON `verifications` (`organizationId`,`status`,`matchType`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_answered` ON `verifications` (`organizationId`,`id`) WHERE "status" = 'pending' AND "outcome" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `verifications_payee` ON `verifications` (`organizationId`,`payeeId`,`id`);