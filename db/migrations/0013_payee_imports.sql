CREATE TABLE `payee_import_parts` (
	`organizationId` text NOT NULL,
	`importId` text NOT NULL,
	`part` integer NOT NULL,
	`rowCount` integer NOT NULL,
	`sealed` text NOT NULL,
	PRIMARY KEY(`organizationId`, `importId`, `part`),
	FOREIGN KEY (`organizationId`,`importId`) REFERENCES `payee_imports`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `payee_import_rows` (
	`organizationId` text NOT NULL,
	`importId` text NOT NULL,
	`line` integer NOT NULL,
	`outcome` text NOT NULL,
	`message` text NOT NULL,
	`payeeId` text,
	`name` text NOT NULL,
	PRIMARY KEY(`organizationId`, `importId`, `line`),
	FOREIGN KEY (`organizationId`,`importId`) REFERENCES `payee_imports`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payee_import_rows_outcome_known" CHECK("payee_import_rows"."outcome" IN ('added', 'unchanged', 'filled', 'differs', 'no_account', 'refused'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `payee_import_rows_outcome` ON `payee_import_rows` (`organizationId`,`importId`,`outcome`,`line`);--> statement-breakpoint
CREATE TABLE `payee_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`name` text NOT NULL,
	`sha256` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`headings` text NOT NULL,
	`signature` text NOT NULL,
	`mapping` text NOT NULL,
	`zeroColumns` text NOT NULL,
	`rowCount` integer NOT NULL,
	`partCount` integer NOT NULL,
	`doneParts` integer DEFAULT 0 NOT NULL,
	`doneCount` integer DEFAULT 0 NOT NULL,
	`addedCount` integer DEFAULT 0 NOT NULL,
	`unchangedCount` integer DEFAULT 0 NOT NULL,
	`filledCount` integer DEFAULT 0 NOT NULL,
	`differsCount` integer DEFAULT 0 NOT NULL,
	`noAccountCount` integer DEFAULT 0 NOT NULL,
	`refusedCount` integer DEFAULT 0 NOT NULL,
	`notedCount` integer DEFAULT 0 NOT NULL,
	`problem` text,
	`uploadedById` text,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	`startedAt` integer,
	`finishedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`uploadedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payee_imports_status" CHECK("payee_imports"."status" IN ('ready', 'running', 'paused', 'finished', 'stopped')),
	CONSTRAINT "payee_imports_kind" CHECK("payee_imports"."kind" IN ('xero', 'myob', 'table'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payee_imports_org_id` ON `payee_imports` (`organizationId`,`id`);--> statement-breakpoint
CREATE INDEX `payee_imports_sha256` ON `payee_imports` (`organizationId`,`sha256`);--> statement-breakpoint
CREATE INDEX `payee_imports_signature` ON `payee_imports` (`organizationId`,`signature`,`id`);--> statement-breakpoint
ALTER TABLE `payees` ADD `archivedAt` integer;