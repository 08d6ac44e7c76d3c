CREATE TABLE `report_days` (
	`organizationId` text NOT NULL,
	`metric` text NOT NULL,
	`day` text NOT NULL,
	`key` text NOT NULL,
	`count` integer NOT NULL,
	`sum` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `metric`, `day`, `key`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "report_days_metric" CHECK("report_days"."metric" IN ('decided', 'outcome', 'time', 'score', 'payments', 'rules', 'whitelist', 'decider', 'calls'))
) STRICT;
--> statement-breakpoint
-- The first runs count the whole trail, from its beginning.
INSERT INTO `trail_cursors` (`name`, `position`) VALUES ('reports', 0);
