CREATE TABLE `payee_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`requestedById` text NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`phone` text,
	`note` text,
	`status` text DEFAULT 'open' NOT NULL,
	`channel` text NOT NULL,
	`tokenHash` text NOT NULL,
	`sentAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`createdAt` integer NOT NULL,
	`closedAt` integer,
	`payeeId` text,
	`verificationId` text,
	`isDuplicate` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`requestedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payee_requests_status" CHECK("payee_requests"."status" IN ('open', 'answered', 'cancelled')),
	CONSTRAINT "payee_requests_channel" CHECK("payee_requests"."channel" IN ('email', 'sms')),
	CONSTRAINT "payee_requests_duplicate" CHECK("payee_requests"."isDuplicate" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payee_requests_org_id` ON `payee_requests` (`organizationId`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payee_requests_token` ON `payee_requests` (`tokenHash`);--> statement-breakpoint
CREATE INDEX `payee_requests_open` ON `payee_requests` (`organizationId`,`id`) WHERE "status" = 'open';--> statement-breakpoint
ALTER TABLE `payees` ADD `draftSince` integer;