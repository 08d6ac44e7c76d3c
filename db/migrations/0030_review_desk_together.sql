CREATE TABLE `saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`userId` text NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`organizationId`,`userId`,`name`);--> statement-breakpoint
ALTER TABLE `users` ADD `reviewRoomy` integer DEFAULT false NOT NULL CHECK ("reviewRoomy" IN (0, 1));--> statement-breakpoint
ALTER TABLE `verifications` ADD `assignedToId` text REFERENCES users(id);--> statement-breakpoint
CREATE INDEX `verifications_assigned` ON `verifications` (`organizationId`,`status`,`assignedToId`,`queueRank`,`id`);