CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`organizationId` text NOT NULL,
	`name` text NOT NULL,
	`tokenHash` text NOT NULL,
	`hint` text NOT NULL,
	`scopes` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer,
	`lastUsedAt` integer,
	`revokedAt` integer,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hash` ON `api_tokens` (`tokenHash`);--> statement-breakpoint
CREATE INDEX `api_tokens_user` ON `api_tokens` (`userId`,`id`);--> statement-breakpoint
CREATE TABLE `email_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`oldEmail` text NOT NULL,
	`newEmail` text NOT NULL,
	`oldTokenHash` text NOT NULL,
	`newTokenHash` text NOT NULL,
	`oldConfirmedAt` integer,
	`newConfirmedAt` integer,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`endedAt` integer,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `email_changes_open` ON `email_changes` (`userId`) WHERE "endedAt" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `email_changes_old_token` ON `email_changes` (`oldTokenHash`);--> statement-breakpoint
CREATE UNIQUE INDEX `email_changes_new_token` ON `email_changes` (`newTokenHash`);--> statement-breakpoint
CREATE INDEX `email_changes_expiry` ON `email_changes` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `known_devices` (
	`userId` text NOT NULL,
	`deviceHash` text NOT NULL,
	`firstSeenAt` integer NOT NULL,
	`lastSeenAt` integer NOT NULL,
	PRIMARY KEY(`userId`, `deviceHash`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `known_devices_last_seen` ON `known_devices` (`lastSeenAt`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`userId` text NOT NULL,
	`codeHash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`usedAt` integer,
	PRIMARY KEY(`userId`, `codeHash`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `two_steps` (
	`userId` text PRIMARY KEY NOT NULL,
	`sealedSecret` text NOT NULL,
	`enabledAt` integer,
	`lastStep` integer,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `place` text;