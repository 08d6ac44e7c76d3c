-- Invoices: a document that asks for money, what was found on it, and what was decided. Its bytes are in payment_file_bytes.
CREATE TABLE `invoice_settings` (
	`organizationId` text PRIMARY KEY NOT NULL,
	`keptMonths` integer DEFAULT 18 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`status` text NOT NULL,
	`source` text NOT NULL,
	`fileName` text NOT NULL,
	`contentType` text NOT NULL,
	`sha256` text NOT NULL,
	`byteCount` integer NOT NULL,
	`receivedAt` integer NOT NULL,
	`receivedById` text,
	`fromAddress` text,
	`kind` text,
	`unreadableReason` text,
	`read` text,
	`facts` text,
	`ruleSet` text,
	`findings` text DEFAULT '[]' NOT NULL,
	`verdict` text,
	`isStopped` integer DEFAULT false NOT NULL,
	`payeeId` text,
	`payeeBy` text,
	`supplierName` text,
	`invoiceNumber` text,
	`numberKey` text,
	`totalCents` integer,
	`dueDate` text,
	`decision` text,
	`decisionReason` text,
	`decidedById` text,
	`decidedAt` integer,
	`addedPayeeId` text,
	`bytesRemovedAt` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`updatedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`receivedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`decidedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoices_status" CHECK("invoices"."status" IN ('reading', 'read', 'unreadable')),
	CONSTRAINT "invoices_source" CHECK("invoices"."source" IN ('upload', 'api')),
	CONSTRAINT "invoices_kind" CHECK("invoices"."kind" IN ('pdf', 'email', 'ubl')),
	CONSTRAINT "invoices_verdict" CHECK("invoices"."verdict" IN ('same_account', 'other_account', 'another_payees_account', 'unknown_payee', 'several_accounts', 'no_account', 'unreadable')),
	CONSTRAINT "invoices_stopped_flag" CHECK("invoices"."isStopped" IN (0, 1)),
	CONSTRAINT "invoices_payee_by" CHECK("invoices"."payeeBy" IN ('account', 'abn', 'email', 'name')),
	CONSTRAINT "invoices_decision" CHECK("invoices"."decision" IN ('accept', 'reject'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_org_id` ON `invoices` (`organizationId`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_once` ON `invoices` (`organizationId`,`sha256`);--> statement-breakpoint
CREATE INDEX `invoices_number` ON `invoices` (`organizationId`,`numberKey`) WHERE "numberKey" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_payee` ON `invoices` (`organizationId`,`payeeId`,`id`) WHERE "payeeId" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_stopped` ON `invoices` (`organizationId`,`id`) WHERE "isStopped" = 1 AND "decision" IS NULL;--> statement-breakpoint
CREATE INDEX `invoices_kept` ON `invoices` (`organizationId`,`receivedAt`) WHERE "bytesRemovedAt" IS NULL;