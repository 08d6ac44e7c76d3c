CREATE TABLE `business_register` (
	`abn` text PRIMARY KEY NOT NULL,
	`wantedAt` integer,
	`fetchedAt` integer,
	`entry` text,
	`attempts` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `business_register_wanted` ON `business_register` (`wantedAt`) WHERE "wantedAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `business_register_age` ON `business_register` (`fetchedAt`);--> statement-breakpoint
CREATE TABLE `health_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`status` text NOT NULL,
	`cursor` text DEFAULT '' NOT NULL,
	`payeeCount` integer DEFAULT 0 NOT NULL,
	`pointsSum` integer DEFAULT 0 NOT NULL,
	`totals` text NOT NULL,
	`startedAt` integer NOT NULL,
	`finishedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "health_runs_status" CHECK("health_runs"."status" IN ('running', 'finished', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `health_runs_org_id` ON `health_runs` (`organizationId`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `health_runs_one_running` ON `health_runs` (`organizationId`) WHERE "status" = 'running';--> statement-breakpoint
CREATE TABLE `payee_findings` (
	`organizationId` text NOT NULL,
	`runId` text NOT NULL,
	`kind` text NOT NULL,
	`payeeId` text NOT NULL,
	`detail` text NOT NULL,
	`paidCents` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `runId`, `kind`, `payeeId`),
	FOREIGN KEY (`organizationId`,`runId`) REFERENCES `health_runs`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payee_findings_kind" CHECK("payee_findings"."kind" IN ('never_verified', 'stale', 'bsb_closed', 'bsb_unusable', 'abn_bad', 'register_name', 'lookalike', 'same_abn', 'no_contact', 'staff_account'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `payee_findings_order` ON `payee_findings` (`organizationId`,`runId`,`kind`,`paidCents`,`payeeId`);--> statement-breakpoint
CREATE INDEX `payees_archived` ON `payees` (`organizationId`,`id`) WHERE "archivedAt" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `count_archived_update` AFTER UPDATE OF `archivedAt` ON `payees` WHEN (NEW.`archivedAt` IS NULL) <> (OLD.`archivedAt` IS NULL)
BEGIN
	INSERT INTO `counters` (`organizationId`, `name`, `value`) VALUES (NEW.`organizationId`, 'archivedPayees', (NEW.`archivedAt` IS NOT NULL) - (OLD.`archivedAt` IS NOT NULL))
	ON CONFLICT (`organizationId`, `name`) DO UPDATE SET `value` = `value` + excluded.`value`;
END;
