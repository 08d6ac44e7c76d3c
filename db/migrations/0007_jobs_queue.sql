CREATE TABLE `__new_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`kind` text NOT NULL,
	`organizationId` text,
	`subjectId` text,
	`sealedPayload` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`dueAt` integer NOT NULL,
	`sentAt` integer,
	`leaseId` text,
	`leaseUntil` integer,
	`lastError` text,
	`createdAt` integer NOT NULL,
	`finishedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outbox_queue" CHECK("__new_outbox"."queue" IN ('bank-checks', 'jobs')),
	CONSTRAINT "outbox_status" CHECK("__new_outbox"."status" IN ('pending', 'done', 'failed'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_outbox`("id", "queue", "kind", "organizationId", "subjectId", "sealedPayload", "status", "attempts", "dueAt", "sentAt", "leaseId", "leaseUntil", "lastError", "createdAt", "finishedAt") SELECT "id", CASE "queue" WHEN 'alerts' THEN 'jobs' ELSE "queue" END, CASE "kind" WHEN 'mail' THEN 'email' ELSE "kind" END, "organizationId", "subjectId", "sealedPayload", "status", "attempts", "dueAt", "sentAt", "leaseId", "leaseUntil", "lastError", "createdAt", "finishedAt" FROM `outbox`;--> statement-breakpoint
DROP TABLE `outbox`;--> statement-breakpoint
ALTER TABLE `__new_outbox` RENAME TO `outbox`;--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`status`,`dueAt`);--> statement-breakpoint
CREATE INDEX `outbox_subject` ON `outbox` (`subjectId`,`kind`);--> statement-breakpoint
CREATE INDEX `outbox_finished` ON `outbox` (`finishedAt`);