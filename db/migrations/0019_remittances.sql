CREATE TABLE `remittances_due` (
	`organizationId` text NOT NULL,
	`paymentId` text NOT NULL,
	`payeeId` text NOT NULL,
	PRIMARY KEY(`organizationId`, `paymentId`),
	FOREIGN KEY (`organizationId`,`paymentId`) REFERENCES `payment_records`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `remittances_due_payee` ON `remittances_due` (`organizationId`,`payeeId`);--> statement-breakpoint
ALTER TABLE `payment_file_settings` ADD `sendsRemittances` integer DEFAULT false NOT NULL CONSTRAINT "payment_file_settings_remittances" CHECK("sendsRemittances" IN (0, 1));--> statement-breakpoint
DROP INDEX `payment_file_lines_payment`;--> statement-breakpoint
CREATE UNIQUE INDEX `payment_file_lines_payment` ON `payment_file_lines` (`organizationId`,`paymentId`) WHERE "paymentId" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `__new_outside_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`kind` text NOT NULL,
	`recipientHash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`reportedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outside_messages_kind" CHECK("kind" IN ('payee_link', 'invitation', 'change_notice', 'remittance'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_outside_messages`("id", "organizationId", "kind", "recipientHash", "createdAt", "reportedAt") SELECT "id", "organizationId", "kind", "recipientHash", "createdAt", "reportedAt" FROM `outside_messages`;--> statement-breakpoint
DROP TABLE `outside_messages`;--> statement-breakpoint
ALTER TABLE `__new_outside_messages` RENAME TO `outside_messages`;--> statement-breakpoint
CREATE INDEX `outside_messages_organization` ON `outside_messages` (`organizationId`,`createdAt`);--> statement-breakpoint
CREATE INDEX `outside_messages_recipient` ON `outside_messages` (`recipientHash`,`createdAt`);--> statement-breakpoint
CREATE INDEX `outside_messages_reported` ON `outside_messages` (`organizationId`,`reportedAt`) WHERE "reportedAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outside_messages_created` ON `outside_messages` (`createdAt`);
