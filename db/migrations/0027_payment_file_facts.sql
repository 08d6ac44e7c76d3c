CREATE TABLE `payment_file_facts` (
	`organizationId` text NOT NULL,
	`fileId` text NOT NULL,
	`firstLine` integer NOT NULL,
	`lastLine` integer NOT NULL,
	`ruleSetId` text NOT NULL,
	`facts` text NOT NULL,
	PRIMARY KEY(`organizationId`, `fileId`, `firstLine`),
	FOREIGN KEY (`organizationId`,`fileId`) REFERENCES `payment_files`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
DROP TRIGGER `settle_payment_file`;--> statement-breakpoint
CREATE TABLE `__new_payment_file_lines` (
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
	`facts` text,
	`ruleSetId` text,
	`decidedById` text,
	`decisionReason` text,
	`decidedAt` integer,
	`paymentId` text,
	`clearingId` text,
	PRIMARY KEY(`organizationId`, `fileId`, `line`),
	FOREIGN KEY (`decidedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`clearingId`) REFERENCES `payment_file_clearings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`fileId`) REFERENCES `payment_files`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`paymentId`) REFERENCES `payment_records`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_file_lines_status_known" CHECK("__new_payment_file_lines"."status" IN ('held', 'authorised', 'rejected'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_payment_file_lines`("organizationId", "fileId", "line", "status", "accountName", "bsb", "accountNumber", "amount", "reference", "payeeId", "reasons", "facts", "ruleSetId", "decidedById", "decisionReason", "decidedAt", "paymentId", "clearingId") SELECT "organizationId", "fileId", "line", "status", "accountName", "bsb", "accountNumber", "amount", "reference", "payeeId", "reasons", "facts", "ruleSetId", "decidedById", "decisionReason", "decidedAt", "paymentId", "clearingId" FROM `payment_file_lines`;--> statement-breakpoint
DROP TABLE `payment_file_lines`;--> statement-breakpoint
ALTER TABLE `__new_payment_file_lines` RENAME TO `payment_file_lines`;--> statement-breakpoint
CREATE UNIQUE INDEX `payment_file_lines_payment` ON `payment_file_lines` (`organizationId`,`paymentId`) WHERE "paymentId" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payee_changes_former` ON `payee_changes` (`organizationId`,`oldValue`) WHERE "field" = 'accountNumber';--> statement-breakpoint
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
