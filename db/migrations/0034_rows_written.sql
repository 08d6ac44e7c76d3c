-- Tables whose key is found by itself are kept in its order (WITHOUT ROWID): a row is written once, not once more for its key.
CREATE TABLE `__new_outbox` (
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
	CONSTRAINT "outbox_queue" CHECK("queue" IN ('bank-checks', 'jobs')),
	CONSTRAINT "outbox_status" CHECK("status" IN ('pending', 'done', 'failed'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_outbox` ("id", "queue", "kind", "organizationId", "subjectId", "sealedPayload", "status", "attempts", "dueAt", "sentAt", "leaseId", "leaseUntil", "lastError", "createdAt", "finishedAt") SELECT "id", "queue", "kind", "organizationId", "subjectId", "sealedPayload", "status", "attempts", "dueAt", "sentAt", "leaseId", "leaseUntil", "lastError", "createdAt", "finishedAt" FROM `outbox`;
--> statement-breakpoint
DROP TABLE `outbox`;
--> statement-breakpoint
ALTER TABLE `__new_outbox` RENAME TO `outbox`;
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`dueAt`) WHERE "status" = 'pending';
--> statement-breakpoint
CREATE INDEX `outbox_subject` ON `outbox` (`subjectId`,`kind`);
--> statement-breakpoint
CREATE TABLE `__new_leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_leases` ("name", "holder", "until") SELECT "name", "holder", "until" FROM `leases`;
--> statement-breakpoint
DROP TABLE `leases`;
--> statement-breakpoint
ALTER TABLE `__new_leases` RENAME TO `leases`;
--> statement-breakpoint
CREATE TABLE `__new_rate_counters` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`windowEndsAt` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_rate_counters` ("key", "count", "windowEndsAt") SELECT "key", "count", "windowEndsAt" FROM `rate_counters`;
--> statement-breakpoint
DROP TABLE `rate_counters`;
--> statement-breakpoint
ALTER TABLE `__new_rate_counters` RENAME TO `rate_counters`;
--> statement-breakpoint
CREATE INDEX `rate_counters_window` ON `rate_counters` (`windowEndsAt`);
--> statement-breakpoint
CREATE TABLE `__new_webhook_events` (
	`provider` text NOT NULL,
	`eventId` text NOT NULL,
	`eventType` text NOT NULL,
	`receivedAt` integer NOT NULL,
	`processedAt` integer,
	PRIMARY KEY(`provider`, `eventId`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_webhook_events` ("provider", "eventId", "eventType", "receivedAt", "processedAt") SELECT "provider", "eventId", "eventType", "receivedAt", "processedAt" FROM `webhook_events`;
--> statement-breakpoint
DROP TABLE `webhook_events`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_events` RENAME TO `webhook_events`;
--> statement-breakpoint
CREATE INDEX `webhook_events_received` ON `webhook_events` (`receivedAt`);
--> statement-breakpoint
CREATE TABLE `__new_sent_messages` (
	`key` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`jobId` text NOT NULL,
	`organizationId` text,
	`status` text NOT NULL,
	`detail` text,
	`sentAt` integer NOT NULL,
	`statusAt` integer NOT NULL,
	CONSTRAINT "sent_messages_channel" CHECK("channel" IN ('email', 'sms')),
	CONSTRAINT "sent_messages_status" CHECK("status" IN ('sent', 'delivered', 'failed', 'complained'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_sent_messages` ("key", "channel", "jobId", "organizationId", "status", "detail", "sentAt", "statusAt") SELECT "key", "channel", "jobId", "organizationId", "status", "detail", "sentAt", "statusAt" FROM `sent_messages`;
--> statement-breakpoint
DROP TABLE `sent_messages`;
--> statement-breakpoint
ALTER TABLE `__new_sent_messages` RENAME TO `sent_messages`;
--> statement-breakpoint
CREATE INDEX `sent_messages_sent` ON `sent_messages` (`sentAt`);
--> statement-breakpoint
CREATE TABLE `__new_payee_links` (
	`tokenHash` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`verificationId` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_payee_links` ("tokenHash", "organizationId", "verificationId", "createdAt") SELECT "tokenHash", "organizationId", "verificationId", "createdAt" FROM `payee_links`;
--> statement-breakpoint
DROP TABLE `payee_links`;
--> statement-breakpoint
ALTER TABLE `__new_payee_links` RENAME TO `payee_links`;
--> statement-breakpoint
CREATE INDEX `payee_links_verification` ON `payee_links` (`organizationId`,`verificationId`);
--> statement-breakpoint
CREATE TABLE `__new_report_days` (
	`organizationId` text NOT NULL,
	`metric` text NOT NULL,
	`day` text NOT NULL,
	`key` text NOT NULL,
	`count` integer NOT NULL,
	`sum` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `metric`, `day`, `key`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "report_days_metric" CHECK("metric" IN ('decided', 'outcome', 'time', 'score', 'payments', 'rules', 'whitelist', 'decider', 'calls'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_report_days` ("organizationId", "metric", "day", "key", "count", "sum") SELECT "organizationId", "metric", "day", "key", "count", "sum" FROM `report_days`;
--> statement-breakpoint
DROP TABLE `report_days`;
--> statement-breakpoint
ALTER TABLE `__new_report_days` RENAME TO `report_days`;
--> statement-breakpoint
CREATE TABLE `__new_idempotency_keys` (
	`organizationId` text NOT NULL,
	`key` text NOT NULL,
	`requestHash` text NOT NULL,
	`response` text NOT NULL,
	`createdAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_idempotency_keys` ("organizationId", "key", "requestHash", "response", "createdAt") SELECT "organizationId", "key", "requestHash", "response", "createdAt" FROM `idempotency_keys`;
--> statement-breakpoint
DROP TABLE `idempotency_keys`;
--> statement-breakpoint
ALTER TABLE `__new_idempotency_keys` RENAME TO `idempotency_keys`;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`createdAt`);
--> statement-breakpoint
CREATE TABLE `__new_outside_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`kind` text NOT NULL,
	`recipientHash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`reportedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outside_messages_kind" CHECK("kind" IN ('payee_link', 'invitation', 'change_notice', 'remittance'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_outside_messages` ("id", "organizationId", "kind", "recipientHash", "createdAt", "reportedAt") SELECT "id", "organizationId", "kind", "recipientHash", "createdAt", "reportedAt" FROM `outside_messages`;
--> statement-breakpoint
DROP TABLE `outside_messages`;
--> statement-breakpoint
ALTER TABLE `__new_outside_messages` RENAME TO `outside_messages`;
--> statement-breakpoint
CREATE INDEX `outside_messages_organization` ON `outside_messages` (`organizationId`,`createdAt`);
--> statement-breakpoint
CREATE INDEX `outside_messages_recipient` ON `outside_messages` (`recipientHash`,`createdAt`);
--> statement-breakpoint
CREATE INDEX `outside_messages_reported` ON `outside_messages` (`organizationId`,`reportedAt`) WHERE "reportedAt" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `outside_messages_created` ON `outside_messages` (`createdAt`);
--> statement-breakpoint
CREATE TABLE `__new_alerts` (
	`id` text NOT NULL,
	`organizationId` text NOT NULL,
	`userId` text NOT NULL,
	`event` text NOT NULL,
	`auditId` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`href` text,
	`createdAt` integer NOT NULL,
	`inApp` integer NOT NULL,
	`readAt` integer,
	`digestDueAt` integer,
	`digestSentAt` integer,
	PRIMARY KEY(`organizationId`, `userId`, `id`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alerts_in_app" CHECK("inApp" IN (0, 1))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_alerts`("id", "organizationId", "userId", "event", "auditId", "title", "body", "href", "createdAt", "inApp", "readAt", "digestDueAt", "digestSentAt") SELECT "id", "organizationId", "userId", "event", "auditId", "title", "body", "href", "createdAt", "inApp", "readAt", "digestDueAt", "digestSentAt" FROM `alerts`;
--> statement-breakpoint
DROP TABLE `alerts`;
--> statement-breakpoint
ALTER TABLE `__new_alerts` RENAME TO `alerts`;
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_once` ON `alerts` (`auditId`,`userId`);
--> statement-breakpoint
CREATE INDEX `alerts_unread` ON `alerts` (`organizationId`,`userId`) WHERE "readAt" IS NULL AND "inApp" = 1;
--> statement-breakpoint
CREATE INDEX `alerts_digest` ON `alerts` (`digestDueAt`) WHERE "digestDueAt" IS NOT NULL AND "digestSentAt" IS NULL;
--> statement-breakpoint
CREATE INDEX `alerts_created` ON `alerts` (`createdAt`);
--> statement-breakpoint
DROP INDEX `audit_logs_user`;
--> statement-breakpoint
DROP INDEX `audit_logs_action`;
--> statement-breakpoint
DROP INDEX `payees_account`;
--> statement-breakpoint
CREATE INDEX `payees_vouching` ON `payees` (`accountFingerprint`) WHERE "whitelistGlobal" = 1;
--> statement-breakpoint
CREATE INDEX `outbox_finished` ON `outbox` (`finishedAt`) WHERE "finishedAt" IS NOT NULL;
--> statement-breakpoint
DROP INDEX `verifications_assigned`;
--> statement-breakpoint
CREATE INDEX `verifications_assigned` ON `verifications` (`organizationId`,`status`,`assignedToId`,`queueRank`,`id`) WHERE "assignedToId" IS NOT NULL;
