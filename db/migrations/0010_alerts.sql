CREATE TABLE `alert_choices` (
	`organizationId` text NOT NULL,
	`userId` text NOT NULL,
	`event` text NOT NULL,
	`inApp` integer NOT NULL,
	`email` text NOT NULL,
	`sms` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `userId`, `event`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alert_choices_in_app" CHECK("alert_choices"."inApp" IN (0, 1)),
	CONSTRAINT "alert_choices_sms" CHECK("alert_choices"."sms" IN (0, 1)),
	CONSTRAINT "alert_choices_email" CHECK("alert_choices"."email" IN ('off', 'now', 'digest'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `alert_contacts` (
	`userId` text PRIMARY KEY NOT NULL,
	`quietFrom` integer,
	`quietTo` integer,
	`phone` text,
	`phoneConfirmedAt` integer,
	`phoneCodeHash` text,
	`phoneCodeExpiresAt` integer,
	`emailStoppedAt` integer,
	`emailStoppedReason` text,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alert_contacts_quiet_from" CHECK("alert_contacts"."quietFrom" BETWEEN 0 AND 1439),
	CONSTRAINT "alert_contacts_quiet_to" CHECK("alert_contacts"."quietTo" BETWEEN 0 AND 1439)
) STRICT;
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
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
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alerts_in_app" CHECK("alerts"."inApp" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_once` ON `alerts` (`auditId`,`userId`);--> statement-breakpoint
CREATE INDEX `alerts_list` ON `alerts` (`organizationId`,`userId`,`id`);--> statement-breakpoint
CREATE INDEX `alerts_unread` ON `alerts` (`organizationId`,`userId`) WHERE "readAt" IS NULL AND "inApp" = 1;--> statement-breakpoint
CREATE INDEX `alerts_digest` ON `alerts` (`digestDueAt`) WHERE "digestDueAt" IS NOT NULL AND "digestSentAt" IS NULL;--> statement-breakpoint
CREATE INDEX `alerts_created` ON `alerts` (`createdAt`);--> statement-breakpoint
CREATE TABLE `trail_cursors` (
	`name` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
) STRICT;
--> statement-breakpoint
-- People are told of what happens from now on, not of the whole past.
INSERT INTO `trail_cursors` (`name`, `position`) SELECT 'alerts', coalesce(max(`position`), 0) FROM `audit_logs`;
