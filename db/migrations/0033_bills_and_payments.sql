CREATE TABLE `accounting_bills` (
	`organizationId` text NOT NULL,
	`system` text NOT NULL,
	`billId` text NOT NULL,
	`contactId` text NOT NULL,
	`supplier` text NOT NULL,
	`number` text,
	`numberKey` text,
	`status` text NOT NULL,
	`amountDue` integer NOT NULL,
	`amountPaid` integer NOT NULL,
	`currency` text NOT NULL,
	`readAt` integer NOT NULL,
	`updatedAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `system`, `billId`),
	CONSTRAINT "accounting_bills_system_known" CHECK("accounting_bills"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "accounting_bills_status_known" CHECK("accounting_bills"."status" IN ('open', 'paid', 'void', 'gone'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `accounting_bills_supplier` ON `accounting_bills` (`organizationId`,`system`,`contactId`,`status`,`updatedAt`);--> statement-breakpoint
CREATE INDEX `accounting_bills_number` ON `accounting_bills` (`organizationId`,`numberKey`) WHERE "numberKey" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `accounting_bills_open` ON `accounting_bills` (`organizationId`,`system`,`readAt`) WHERE "status" = 'open';--> statement-breakpoint
CREATE TABLE `accounting_payments` (
	`organizationId` text NOT NULL,
	`system` text NOT NULL,
	`paymentId` text NOT NULL,
	`payeeId` text NOT NULL,
	`state` text NOT NULL,
	`recordId` text,
	`amount` integer NOT NULL,
	`paidAt` integer NOT NULL,
	`billNumber` text,
	`updatedAt` integer NOT NULL,
	PRIMARY KEY(`organizationId`, `system`, `paymentId`),
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`recordId`) REFERENCES `payment_records`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "accounting_payments_system_known" CHECK("accounting_payments"."system" IN ('xero', 'myob', 'other', 'custom')),
	CONSTRAINT "accounting_payments_state_known" CHECK("accounting_payments"."state" IN ('outcome', 'seen', 'deleted'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `accounting_payments_record` ON `accounting_payments` (`organizationId`,`recordId`) WHERE "recordId" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `accounting_payments_payee` ON `accounting_payments` (`organizationId`,`payeeId`,`paidAt`);--> statement-breakpoint
ALTER TABLE `organization_integrations` ADD `billsReadTo` integer;--> statement-breakpoint
ALTER TABLE `organization_integrations` ADD `billsTag` text;--> statement-breakpoint
ALTER TABLE `organization_integrations` ADD `notedTo` integer;--> statement-breakpoint
CREATE INDEX `accounting_contacts_payee` ON `accounting_contacts` (`organizationId`,`payeeId`) WHERE "payeeId" IS NOT NULL;