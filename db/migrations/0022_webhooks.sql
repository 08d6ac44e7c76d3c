CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`endpointId` text NOT NULL,
	`eventId` text NOT NULL,
	`eventType` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lastAttemptAt` integer,
	`nextAttemptAt` integer,
	`answerStatus` integer,
	`answerBody` text,
	`problem` text,
	`durationMs` integer,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`,`endpointId`) REFERENCES `webhook_endpoints`(`organizationId`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_status_known" CHECK("webhook_deliveries"."status" IN ('pending', 'delivered', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`endpointId`,`eventId`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_list` ON `webhook_deliveries` (`organizationId`,`endpointId`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_created` ON `webhook_deliveries` (`createdAt`);--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`status` text NOT NULL,
	`sealedSecret` text NOT NULL,
	`formerSealedSecret` text,
	`formerUntil` integer,
	`activeSince` integer NOT NULL,
	`lastSuccessAt` integer,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_endpoints_status_known" CHECK("webhook_endpoints"."status" IN ('active', 'paused', 'disabled'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoints_org_id` ON `webhook_endpoints` (`organizationId`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_status` ON `webhook_endpoints` (`status`,`organizationId`);--> statement-breakpoint
-- Endpoints are told of what happens from the moment they are added; adding the first one moves this on.
INSERT INTO `trail_cursors` (`name`, `position`) SELECT 'webhooks', coalesce(max(`position`), 0) FROM `audit_logs`;
