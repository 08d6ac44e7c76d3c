CREATE TABLE `billing_accounts` (
	`organizationId` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`syncId` text,
	`syncedAt` integer,
	`currentPeriodEnd` integer,
	`cancelAtPeriodEnd` integer DEFAULT false NOT NULL,
	`amountDue` integer,
	`cardBrand` text,
	`cardLast4` text,
	`cardExpMonth` integer,
	`cardExpYear` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "billing_accounts_cancel" CHECK("billing_accounts"."cancelAtPeriodEnd" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE `billing_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`kind` text NOT NULL,
	`providerId` text,
	`createdAt` integer NOT NULL,
	`endedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "billing_attempts_kind" CHECK("billing_attempts"."kind" IN ('element', 'checkout'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_attempts_open` ON `billing_attempts` (`organizationId`) WHERE "endedAt" IS NULL;--> statement-breakpoint
CREATE TABLE `billing_notices` (
	`organizationId` text NOT NULL,
	`key` text NOT NULL,
	`createdAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `key`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `billing_records` ADD `taxAmount` integer;--> statement-breakpoint
ALTER TABLE `billing_records` ADD `number` text;--> statement-breakpoint
CREATE INDEX `billing_records_created` ON `billing_records` (`organizationId`,`type`,`createdAt`);--> statement-breakpoint
CREATE UNIQUE INDEX `billing_records_once` ON `billing_records` (`organizationId`,`relatedEntityType`,`relatedEntityId`);--> statement-breakpoint
CREATE INDEX `organizations_trial_ends` ON `organizations` (`trialEndsAt`);
