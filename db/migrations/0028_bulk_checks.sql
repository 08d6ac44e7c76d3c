CREATE TABLE `bulk_check_payees` (
	`organizationId` text NOT NULL,
	`bulkCheckId` text NOT NULL,
	`position` integer NOT NULL,
	`verificationId` text NOT NULL,
	PRIMARY KEY(`organizationId`, `bulkCheckId`, `position`),
	FOREIGN KEY (`organizationId`,`bulkCheckId`) REFERENCES `bulk_checks`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `bulk_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`requestedById` text NOT NULL,
	`choice` text NOT NULL,
	`status` text NOT NULL,
	`cursor` text,
	`version` integer DEFAULT 1 NOT NULL,
	`payeeCount` integer DEFAULT 0 NOT NULL,
	`noContactCount` integer DEFAULT 0 NOT NULL,
	`underWayCount` integer DEFAULT 0 NOT NULL,
	`askedCount` integer DEFAULT 0 NOT NULL,
	`centsPerCheck` integer NOT NULL,
	`waitsUntil` integer,
	`problem` text,
	`createdAt` integer NOT NULL,
	`startedAt` integer,
	`finishedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`requestedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bulk_checks_status" CHECK("bulk_checks"."status" IN ('counting', 'ready', 'running', 'finished', 'stopped'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `bulk_checks_org_id` ON `bulk_checks` (`organizationId`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `bulk_checks_one_running` ON `bulk_checks` (`organizationId`) WHERE "status" = 'running';