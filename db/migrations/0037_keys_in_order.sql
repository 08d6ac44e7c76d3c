-- What a schedule removes is found along the keys. Tables without rows that refer to them are kept in their key's order.
DROP INDEX `outside_messages_created`;
--> statement-breakpoint
DROP INDEX `webhook_deliveries_created`;
--> statement-breakpoint
CREATE TABLE `__new_payment_transitions` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`paymentId` text NOT NULL,
	`fromVersion` integer NOT NULL,
	`fromStatus` text NOT NULL,
	`toStatus` text NOT NULL,
	`reason` text,
	`userId` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`paymentId`) REFERENCES `payment_records`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_transitions_from" CHECK("fromStatus" IN ('authorised', 'held', 'verification_requested', 'rejected', 'successful', 'failed')),
	CONSTRAINT "payment_transitions_to" CHECK("toStatus" IN ('authorised', 'held', 'verification_requested', 'rejected', 'successful', 'failed'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_payment_transitions` ("id", "organizationId", "paymentId", "fromVersion", "fromStatus", "toStatus", "reason", "userId", "createdAt") SELECT "id", "organizationId", "paymentId", "fromVersion", "fromStatus", "toStatus", "reason", "userId", "createdAt" FROM `payment_transitions`;
--> statement-breakpoint
DROP TABLE `payment_transitions`;
--> statement-breakpoint
ALTER TABLE `__new_payment_transitions` RENAME TO `payment_transitions`;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_transitions_once` ON `payment_transitions` (`paymentId`,`fromVersion`);
--> statement-breakpoint
CREATE TABLE `__new_decisions` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`verificationId` text NOT NULL,
	`status` text NOT NULL,
	`decidedById` text,
	`reason` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`decidedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "decisions_status" CHECK("status" IN ('pending', 'verified', 'rejected', 'failed'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_decisions` ("id", "organizationId", "verificationId", "status", "decidedById", "reason", "createdAt") SELECT "id", "organizationId", "verificationId", "status", "decidedById", "reason", "createdAt" FROM `decisions`;
--> statement-breakpoint
DROP TABLE `decisions`;
--> statement-breakpoint
ALTER TABLE `__new_decisions` RENAME TO `decisions`;
--> statement-breakpoint
CREATE UNIQUE INDEX `decisions_verification` ON `decisions` (`verificationId`);
--> statement-breakpoint
CREATE TABLE `__new_bank_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`verificationId` text NOT NULL,
	`startedById` text,
	`step` text DEFAULT 'starting' NOT NULL,
	`providerUserId` text,
	`stateHash` text,
	`returnedAt` integer,
	`outcome` text,
	`reasonCode` text,
	`startedAt` integer NOT NULL,
	`finishedAt` integer,
	FOREIGN KEY (`startedById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_checks_step" CHECK("step" IN ('starting', 'awaiting_payee', 'at_bank', 'finished')),
	CONSTRAINT "bank_checks_outcome" CHECK("outcome" IN ('match', 'close_match', 'no_match', 'account_closed', 'account_not_shared', 'consent_refused', 'unable'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_bank_checks` ("id", "organizationId", "verificationId", "startedById", "step", "providerUserId", "stateHash", "returnedAt", "outcome", "reasonCode", "startedAt", "finishedAt") SELECT "id", "organizationId", "verificationId", "startedById", "step", "providerUserId", "stateHash", "returnedAt", "outcome", "reasonCode", "startedAt", "finishedAt" FROM `bank_checks`;
--> statement-breakpoint
DROP TABLE `bank_checks`;
--> statement-breakpoint
ALTER TABLE `__new_bank_checks` RENAME TO `bank_checks`;
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_checks_one_running` ON `bank_checks` (`verificationId`) WHERE "finishedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX `bank_checks_verification` ON `bank_checks` (`verificationId`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_checks_provider_user` ON `bank_checks` (`providerUserId`) WHERE "providerUserId" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_checks_state` ON `bank_checks` (`stateHash`) WHERE "stateHash" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `__new_payee_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`payeeId` text NOT NULL,
	`userId` text,
	`field` text NOT NULL,
	`oldValue` text,
	`newValue` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`payeeId`) REFERENCES `payees`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_payee_changes` ("id", "organizationId", "payeeId", "userId", "field", "oldValue", "newValue", "createdAt") SELECT "id", "organizationId", "payeeId", "userId", "field", "oldValue", "newValue", "createdAt" FROM `payee_changes`;
--> statement-breakpoint
DROP TABLE `payee_changes`;
--> statement-breakpoint
ALTER TABLE `__new_payee_changes` RENAME TO `payee_changes`;
--> statement-breakpoint
CREATE INDEX `payee_changes_payee` ON `payee_changes` (`organizationId`,`payeeId`,`id`);
--> statement-breakpoint
CREATE INDEX `payee_changes_former` ON `payee_changes` (`organizationId`,`oldValue`) WHERE "field" = 'accountNumber';
