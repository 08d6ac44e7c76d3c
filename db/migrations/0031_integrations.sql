DROP TABLE `organization_integrations`;--> statement-breakpoint
CREATE TABLE `organization_integrations` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`system` text NOT NULL,
	`credentials` text,
	`tokenVersion` integer DEFAULT 0 NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`status` text NOT NULL,
	`choices` text,
	`ledgerId` text,
	`ledgerName` text,
	`connectionId` text,
	`connectedById` text,
	`lastSyncAt` integer,
	`lastError` text,
	`lastErrorAt` integer,
	`wantedAt` integer,
	`wantsAll` integer DEFAULT false NOT NULL,
	`nextPollAt` integer,
	`syncStartedAt` integer,
	`syncSince` integer,
	`syncPage` text,
	`counts` text,
	`readTo` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connectedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "organization_integrations_active_flag" CHECK("organization_integrations"."active" IN (0, 1)),
	CONSTRAINT "organization_integrations_all_flag" CHECK("organization_integrations"."wantsAll" IN (0, 1)),
	CONSTRAINT "organization_integrations_system_known" CHECK("organization_integrations"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "organization_integrations_status_known" CHECK("organization_integrations"."status" IN ('choosing', 'connected', 'broken', 'disconnected'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `accounting_contacts` (
	`organizationId` text NOT NULL,
	`system` text NOT NULL,
	`contactId` text NOT NULL,
	`payeeId` text,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`note` text,
	`seenBsb` text,
	`seenAccountNumber` text,
	`noticedAt` integer,
	`editedBy` text,
	`editedAt` integer,
	`keptAt` integer,
	`keptById` text,
	`updatedAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `system`, `contactId`),
	FOREIGN KEY (`keptById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "accounting_contacts_system_known" CHECK("accounting_contacts"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "accounting_contacts_state_known" CHECK("accounting_contacts"."state" IN ('linked', 'no_account', 'refused', 'archived'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `accounting_contacts_open` ON `accounting_contacts` (`organizationId`,`payeeId`) WHERE "noticedAt" IS NOT NULL AND "keptAt" IS NULL;--> statement-breakpoint
CREATE INDEX `accounting_contacts_state` ON `accounting_contacts` (`organizationId`,`system`,`state`,`contactId`);--> statement-breakpoint
CREATE UNIQUE INDEX `organization_integrations_once` ON `organization_integrations` (`organizationId`,`system`);--> statement-breakpoint
CREATE UNIQUE INDEX `organization_integrations_org_id` ON `organization_integrations` (`organizationId`,`id`);--> statement-breakpoint
CREATE INDEX `organization_integrations_ledger` ON `organization_integrations` (`ledgerId`,`system`);--> statement-breakpoint
CREATE INDEX `organization_integrations_poll` ON `organization_integrations` (`status`,`nextPollAt`);
