CREATE TABLE `sent_messages` (
	`key` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`jobId` text NOT NULL,
	`organizationId` text,
	`status` text NOT NULL,
	`detail` text,
	`sentAt` integer NOT NULL,
	`statusAt` integer NOT NULL,
	CONSTRAINT "sent_messages_channel" CHECK("sent_messages"."channel" IN ('email', 'sms')),
	CONSTRAINT "sent_messages_status" CHECK("sent_messages"."status" IN ('sent', 'delivered', 'failed', 'complained'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `sent_messages_sent` ON `sent_messages` (`sentAt`);--> statement-breakpoint
CREATE TABLE `stopped_addresses` (
	`addressHash` text PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`stoppedAt` integer NOT NULL,
	CONSTRAINT "stopped_addresses_cause" CHECK("stopped_addresses"."cause" IN ('bounced', 'complained'))
) STRICT;
