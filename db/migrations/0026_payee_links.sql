CREATE TABLE `payee_links` (
	`tokenHash` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`verificationId` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `payee_links_verification` ON `payee_links` (`organizationId`,`verificationId`);--> statement-breakpoint
INSERT INTO `payee_links` SELECT `verificationToken`, `organizationId`, `id`, coalesce(`notificationSentAt`, `createdAt`) FROM `verifications` WHERE `verificationToken` IS NOT NULL;--> statement-breakpoint
DROP INDEX `verifications_token`;--> statement-breakpoint
ALTER TABLE `verifications` DROP COLUMN `verificationToken`;