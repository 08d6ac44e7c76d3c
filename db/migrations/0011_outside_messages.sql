CREATE TABLE `outside_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`kind` text NOT NULL,
	`recipientHash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`reportedAt` integer,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outside_messages_kind" CHECK("outside_messages"."kind" IN ('payee_link', 'invitation', 'change_notice'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `outside_messages_organization` ON `outside_messages` (`organizationId`,`createdAt`);--> statement-breakpoint
CREATE INDEX `outside_messages_recipient` ON `outside_messages` (`recipientHash`,`createdAt`);--> statement-breakpoint
CREATE INDEX `outside_messages_reported` ON `outside_messages` (`organizationId`,`reportedAt`) WHERE "reportedAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outside_messages_created` ON `outside_messages` (`createdAt`);--> statement-breakpoint
ALTER TABLE `organizations` ADD `firstPaidAt` integer;--> statement-breakpoint
UPDATE `organizations` SET `firstPaidAt` = (SELECT min(coalesce("paidAt", "createdAt")) FROM `billing_records` WHERE `billing_records`."organizationId" = `organizations`."id" AND "type" = 'invoice' AND "amount" > 0 AND ("status" = 'paid' OR "paidAt" IS NOT NULL));
