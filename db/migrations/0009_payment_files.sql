CREATE TABLE `decision_records` (
	`organizationId` text NOT NULL,
	`paymentId` text NOT NULL,
	`facts` text NOT NULL,
	`ruleSetId` text NOT NULL,
	PRIMARY KEY(`organizationId`, `paymentId`),
	FOREIGN KEY (`organizationId`,`paymentId`) REFERENCES `payment_records`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `payment_file_bytes` (
	`organizationId` text NOT NULL,
	`ownerId` text NOT NULL,
	`part` integer NOT NULL,
	`sealed` text NOT NULL,
	PRIMARY KEY(`organizationId`, `ownerId`, `part`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `payment_file_clearings` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`fileId` text NOT NULL,
	`sha256` text NOT NULL,
	`byteCount` integer NOT NULL,
	`lineCount` integer NOT NULL,
	`totalCents` integer NOT NULL,
	`clearedById` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`clearedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`fileId`) REFERENCES `payment_files`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_file_clearings_org_id` ON `payment_file_clearings` (`organizationId`,`id`);--> statement-breakpoint
CREATE INDEX `payment_file_clearings_file` ON `payment_file_clearings` (`organizationId`,`fileId`,`id`);--> statement-breakpoint
CREATE INDEX `payment_file_clearings_sha256` ON `payment_file_clearings` (`organizationId`,`sha256`);--> statement-breakpoint
CREATE TABLE `payment_file_lines` (
	`organizationId` text NOT NULL,
	`fileId` text NOT NULL,
	`line` integer NOT NULL,
	`status` text NOT NULL,
	`accountName` text NOT NULL,
	`bsb` text NOT NULL,
	`accountNumber` text NOT NULL,
	`amount` integer NOT NULL,
	`reference` text NOT NULL,
	`payeeId` text,
	`reasons` text NOT NULL,
	`facts` text NOT NULL,
	`ruleSetId` text NOT NULL,
	`decidedById` text,
	`decisionReason` text,
	`decidedAt` integer,
	`paymentId` text,
	PRIMARY KEY(`organizationId`, `fileId`, `line`),
	FOREIGN KEY (`decidedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`fileId`) REFERENCES `payment_files`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`paymentId`) REFERENCES `payment_records`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_file_lines_status_known" CHECK("payment_file_lines"."status" IN ('held', 'authorised', 'rejected'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_file_lines_payment` ON `payment_file_lines` (`organizationId`,`paymentId`);--> statement-breakpoint
CREATE INDEX `payment_file_lines_status` ON `payment_file_lines` (`organizationId`,`fileId`,`status`,`line`);--> statement-breakpoint
CREATE INDEX `payment_file_lines_payee` ON `payment_file_lines` (`organizationId`,`payeeId`,`fileId`);--> statement-breakpoint
CREATE TABLE `payment_file_settings` (
	`organizationId` text PRIMARY KEY NOT NULL,
	`mappings` text DEFAULT '{}' NOT NULL,
	`payer` text,
	`memberLimitCents` integer,
	`adminLimitCents` integer,
	`opensAtMinute` integer,
	`closesAtMinute` integer,
	`worksWeekends` integer DEFAULT true NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_file_settings_weekends" CHECK("payment_file_settings"."worksWeekends" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE `payment_files` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`name` text NOT NULL,
	`format` text NOT NULL,
	`status` text NOT NULL,
	`sha256` text NOT NULL,
	`paymentsDigest` text NOT NULL,
	`byteCount` integer NOT NULL,
	`headerRecord` text,
	`problems` text NOT NULL,
	`lineCount` integer NOT NULL,
	`totalCents` integer NOT NULL,
	`checkedCount` integer DEFAULT 0 NOT NULL,
	`heldCount` integer DEFAULT 0 NOT NULL,
	`heldCents` integer DEFAULT 0 NOT NULL,
	`authorisedCount` integer DEFAULT 0 NOT NULL,
	`authorisedCents` integer DEFAULT 0 NOT NULL,
	`rejectedCount` integer DEFAULT 0 NOT NULL,
	`clearedCount` integer DEFAULT 0 NOT NULL,
	`settledCount` integer DEFAULT 0 NOT NULL,
	`uploadedById` text,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`uploadedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_files_format" CHECK("payment_files"."format" IN ('aba', 'csv', 'pasted')),
	CONSTRAINT "payment_files_status" CHECK("payment_files"."status" IN ('checking', 'open', 'cleared', 'settled', 'abandoned'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_files_org_id` ON `payment_files` (`organizationId`,`id`);--> statement-breakpoint
CREATE INDEX `payment_files_sha256` ON `payment_files` (`organizationId`,`sha256`);--> statement-breakpoint
CREATE INDEX `payment_files_payments` ON `payment_files` (`organizationId`,`paymentsDigest`);--> statement-breakpoint
CREATE TABLE `rule_sets` (
	`organizationId` text NOT NULL,
	`id` text NOT NULL,
	`versions` text NOT NULL,
	`levels` text NOT NULL,
	`createdAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `id`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `staff_accounts` (
	`organizationId` text NOT NULL,
	`accountFingerprint` text NOT NULL,
	`createdAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `accountFingerprint`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `settle_payment_file` AFTER UPDATE OF `status` ON `payment_records`
WHEN NEW.`status` IN ('successful', 'failed', 'rejected') AND OLD.`status` NOT IN ('successful', 'failed', 'rejected')
BEGIN
	UPDATE `payment_files` SET
		`settledCount` = `settledCount` + 1,
		`status` = CASE WHEN `status` = 'cleared' AND `heldCount` = 0 AND `settledCount` + 1 = `clearedCount` THEN 'settled' ELSE `status` END,
		`updatedAt` = NEW.`updatedAt`
	WHERE `organizationId` = NEW.`organizationId` AND `id` = (
		SELECT `fileId` FROM `payment_file_lines`
		WHERE `organizationId` = NEW.`organizationId` AND `paymentId` = NEW.`id`);
END;
