-- An index is a row more for each row. What is over is found along the keys; an alert is known by its audit entry.
DROP INDEX `alerts_once`;--> statement-breakpoint
DROP INDEX `alerts_created`;--> statement-breakpoint
DROP INDEX `sent_messages_sent`;--> statement-breakpoint
DROP INDEX `idempotency_keys_created`;--> statement-breakpoint
DROP INDEX `outbox_finished`;--> statement-breakpoint
DROP INDEX `outbox_subject`;--> statement-breakpoint
CREATE INDEX `outbox_subject` ON `outbox` (`subjectId`,`kind`) WHERE "subjectId" IS NOT NULL;--> statement-breakpoint
DROP INDEX `rate_counters_window`;--> statement-breakpoint
DROP INDEX `webhook_events_received`;--> statement-breakpoint
ALTER TABLE `webhook_events` DROP COLUMN `processedAt`;--> statement-breakpoint
-- Positions that are never used again cost a row for each statement; the triggers let no entry go, so none is. Seals refer
-- to the entries: they are put back under the name that the seals know before the foreign keys are looked at.
PRAGMA defer_foreign_keys = ON;
--> statement-breakpoint
CREATE TABLE `__audit_logs` AS SELECT "position", "id", "userId", "organizationId", "action", "entityType", "entityId", "details", "ipAddress", "userAgent", "requestId", "createdAt" FROM `audit_logs`;
--> statement-breakpoint
DROP TABLE `audit_logs`;
--> statement-breakpoint
CREATE TABLE `audit_logs` (
	`position` integer PRIMARY KEY NOT NULL,
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
INSERT INTO `audit_logs` ("position", "id", "userId", "organizationId", "action", "entityType", "entityId", "details", "ipAddress", "userAgent", "requestId", "createdAt") SELECT "position", "id", "userId", "organizationId", "action", "entityType", "entityId", "details", "ipAddress", "userAgent", "requestId", "createdAt" FROM `__audit_logs` ORDER BY "position";
--> statement-breakpoint
DROP TABLE `__audit_logs`;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_logs_id` ON `audit_logs` (`id`);
--> statement-breakpoint
CREATE INDEX `audit_logs_organization` ON `audit_logs` (`organizationId`,`position`);
--> statement-breakpoint
CREATE INDEX `audit_logs_entity` ON `audit_logs` (`organizationId`,`entityType`,`entityId`,`position`);
--> statement-breakpoint
CREATE TRIGGER `audit_logs_no_update` BEFORE UPDATE ON `audit_logs`
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_logs_no_delete` BEFORE DELETE ON `audit_logs`
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_logs_no_replace` BEFORE INSERT ON `audit_logs`
WHEN EXISTS (SELECT 1 FROM `audit_logs` WHERE `position` = NEW.`position`)
	OR EXISTS (SELECT 1 FROM `audit_logs` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_logs_at_the_end` AFTER INSERT ON `audit_logs`
WHEN NEW.`position` <= 0 OR EXISTS (SELECT 1 FROM `audit_logs` WHERE `position` > NEW.`position`)
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
-- Found by its key alone: kept in its order.
CREATE TABLE `__new_decision_records` (
	`organizationId` text NOT NULL,
	`paymentId` text NOT NULL,
	`facts` text NOT NULL,
	`ruleSetId` text NOT NULL,
	PRIMARY KEY(`organizationId`, `paymentId`),
	FOREIGN KEY (`organizationId`,`paymentId`) REFERENCES `payment_records`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_decision_records` ("organizationId", "paymentId", "facts", "ruleSetId") SELECT "organizationId", "paymentId", "facts", "ruleSetId" FROM `decision_records`;
--> statement-breakpoint
DROP TABLE `decision_records`;
--> statement-breakpoint
ALTER TABLE `__new_decision_records` RENAME TO `decision_records`;
