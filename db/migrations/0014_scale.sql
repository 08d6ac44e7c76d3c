CREATE TABLE `promotion_due` (
	`payeeId` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `walk_cursors` (
	`name` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`startedAt` integer NOT NULL,
	`finishedAt` integer
) STRICT;
--> statement-breakpoint
DROP INDEX `payees_promotable`;--> statement-breakpoint
ALTER TABLE `payees` ADD `terms` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `payees_promotable` ON `payees` (`id`) WHERE "whitelisted" = 0 AND "paymentCount" >= 3;--> statement-breakpoint
DROP INDEX `payment_records_verification`;--> statement-breakpoint
CREATE INDEX `payment_records_verification` ON `payment_records` (`verificationId`) WHERE "verificationId" IS NOT NULL;--> statement-breakpoint
DROP INDEX `bank_checks_provider_user`;--> statement-breakpoint
DROP INDEX `bank_checks_state`;--> statement-breakpoint
CREATE UNIQUE INDEX `bank_checks_provider_user` ON `bank_checks` (`providerUserId`) WHERE "providerUserId" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `bank_checks_state` ON `bank_checks` (`stateHash`) WHERE "stateHash" IS NOT NULL;--> statement-breakpoint
DROP INDEX `verifications_token`;--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_token` ON `verifications` (`verificationToken`) WHERE "verificationToken" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `payee_terms_new` (
	`organizationId` text NOT NULL,
	`term` text NOT NULL,
	`payeeId` text NOT NULL,
	PRIMARY KEY(`organizationId`, `term`, `payeeId`),
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `payee_terms_new` SELECT `organizationId`, `term`, `payeeId` FROM `payee_terms`;
--> statement-breakpoint
UPDATE `payees` SET `terms` = coalesce((SELECT json_group_array(`term`) FROM `payee_terms` INDEXED BY `payee_terms_payee` WHERE `organizationId` = `payees`.`organizationId` AND `payeeId` = `payees`.`id`), '[]');
--> statement-breakpoint
DROP TABLE `payee_terms`;
--> statement-breakpoint
ALTER TABLE `payee_terms_new` RENAME TO `payee_terms`;
--> statement-breakpoint
-- Whatever may earn a payee its place puts it on the list of what is due.
CREATE TRIGGER `promotion_due_payee` AFTER UPDATE OF `paymentCount`, `disputedAt`, `takenOffWhitelistAt` ON `payees`
WHEN NEW.`whitelisted` = 0 AND NEW.`paymentCount` >= 3 AND NEW.`disputedAt` IS NULL AND NEW.`takenOffWhitelistAt` IS NULL
BEGIN
	INSERT INTO `promotion_due` (`payeeId`, `organizationId`) VALUES (NEW.`id`, NEW.`organizationId`) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `promotion_due_payment` AFTER UPDATE OF `status` ON `payment_records`
WHEN OLD.`status` IN ('held', 'verification_requested') AND NEW.`status` NOT IN ('held', 'verification_requested')
BEGIN
	INSERT INTO `promotion_due` (`payeeId`, `organizationId`)
	SELECT `id`, `organizationId` FROM `payees`
	WHERE `organizationId` = NEW.`organizationId` AND `id` = NEW.`payeeId` AND `whitelisted` = 0 AND `paymentCount` >= 3
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `promotion_due_verification` AFTER INSERT ON `verifications` WHEN true
BEGIN
	INSERT INTO `promotion_due` (`payeeId`, `organizationId`)
	SELECT `id`, `organizationId` FROM `payees`
	WHERE `organizationId` = NEW.`organizationId` AND `id` = NEW.`payeeId` AND `whitelisted` = 0 AND `paymentCount` >= 3
	ON CONFLICT DO NOTHING;
END;
