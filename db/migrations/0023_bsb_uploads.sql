CREATE TABLE `bsb_upload_rows` (
	`uploadId` text NOT NULL,
	`bsb` text NOT NULL,
	`mnemonic` text NOT NULL,
	`name` text NOT NULL,
	`street` text,
	`suburb` text,
	`state` text,
	`postcode` text,
	`paper` integer NOT NULL,
	`electronic` integer NOT NULL,
	`highValue` integer NOT NULL,
	`status` text NOT NULL,
	`successorBsb` text,
	PRIMARY KEY(`uploadId`, `bsb`),
	CONSTRAINT "bsb_upload_rows_status" CHECK("bsb_upload_rows"."status" IN ('open', 'closed', 'merged'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `bsb_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`fileName` text NOT NULL,
	`rowCount` integer NOT NULL,
	`uploadedById` text,
	`uploadedAt` integer NOT NULL,
	`loadedAt` integer,
	`endedBsbs` text DEFAULT '[]' NOT NULL,
	`toldTo` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`uploadedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `bsb_uploads_loaded` ON `bsb_uploads` (`loadedAt`);--> statement-breakpoint
CREATE INDEX `payees_bsb` ON `payees` (`bsb`,`organizationId`) WHERE "archivedAt" IS NULL;