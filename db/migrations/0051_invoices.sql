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
CREATE INDEX `invoices_kept` ON `invoices` (`organizationId`,`receivedAt`) WHERE "bytesRemovedAt" IS NULL;--> statement-breakpoint
CREATE TABLE `bank_confirmations` (
	`organizationId` text NOT NULL,
	`payeeId` text NOT NULL,
	`askedAt` integer NOT NULL,
	`outcome` text,
	`answeredAt` integer,
	PRIMARY KEY(`organizationId`, `payeeId`),
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_confirmations_outcome" CHECK("bank_confirmations"."outcome" IN ('match', 'close_match', 'no_match', 'account_closed', 'account_not_shared', 'consent_refused', 'unable'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `bank_questions` (
	`verificationId` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`cause` text NOT NULL,
	`createdAt` integer NOT NULL,
	`askedAt` integer,
	`settledAt` integer,
	`ended` text,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_questions_cause" CHECK("bank_questions"."cause" IN ('payee_added', 'details_changed', 'imported')),
	CONSTRAINT "bank_questions_ended" CHECK("bank_questions"."ended" IN ('answered', 'answer_lost', 'overtaken'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `bank_questions_waiting` ON `bank_questions` (`organizationId`,`createdAt`) WHERE "settledAt" IS NULL;--> statement-breakpoint
ALTER TABLE `organization_policies` ADD `askBanks` text DEFAULT 'added_or_changed' NOT NULL;--> statement-breakpoint
ALTER TABLE `organization_policies` ADD `confirmAgainMonths` integer DEFAULT 12 NOT NULL;--> statement-breakpoint
ALTER TABLE `organization_policies` ADD `bankBudgetCents` integer DEFAULT 10000 NOT NULL;