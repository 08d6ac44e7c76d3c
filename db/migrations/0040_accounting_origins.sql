-- Where a payee's accounts came from an accounting system, and who had edited the supplier there. Those that came in before
-- are not known to be any person's.
ALTER TABLE `payees` ADD `accountingOrigins` text;--> statement-breakpoint
ALTER TABLE `accounting_contacts` ADD `editors` text;--> statement-breakpoint
UPDATE `payees` SET `accountingOrigins` = (
	SELECT json_array(json_object('system', "there"."system", 'bsb', `payees`.`bsb`, 'accountNumber', `payees`.`accountNumber`,
		'cameAt', `payees`.`createdAt`, 'editedBy', NULL, 'editorIds', json_array(), 'isEditorKnown', json('false'),
		'connectedById', (SELECT "connectedById" FROM `organization_integrations` AS "connection"
			WHERE "connection"."organizationId" = "there"."organizationId" AND "connection"."system" = "there"."system")))
	FROM `accounting_contacts` AS "there"
	WHERE "there"."organizationId" = `payees`.`organizationId` AND "there"."payeeId" = `payees`.`id` LIMIT 1)
WHERE `createdById` IS NULL AND `bankDetailsChangedAt` IS NULL;--> statement-breakpoint
-- A call by the person who entered the details is no proof either.
CREATE TABLE `__new_verification_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`verificationId` text NOT NULL,
	`calledById` text NOT NULL,
	`number` text NOT NULL,
	`source` text NOT NULL,
	`spokeTo` text,
	`outcome` text NOT NULL,
	`note` text,
	`noProof` text,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`calledById`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organizationId`,`verificationId`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verification_calls_source" CHECK("source" IN ('on_file', 'website', 'contract', 'other')),
	CONSTRAINT "verification_calls_outcome" CHECK("outcome" IN ('confirmed', 'not_confirmed', 'no_answer')),
	CONSTRAINT "verification_calls_no_proof" CHECK("noProof" IN ('recently_changed', 'recently_entered', 'not_on_file', 'own_work'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_verification_calls` ("id", "organizationId", "verificationId", "calledById", "number", "source", "spokeTo", "outcome", "note", "noProof", "createdAt") SELECT "id", "organizationId", "verificationId", "calledById", "number", "source", "spokeTo", "outcome", "note", "noProof", "createdAt" FROM `verification_calls`;
--> statement-breakpoint
DROP TABLE `verification_calls`;
--> statement-breakpoint
ALTER TABLE `__new_verification_calls` RENAME TO `verification_calls`;
--> statement-breakpoint
CREATE INDEX `verification_calls_verification` ON `verification_calls` (`organizationId`,`verificationId`,`id`);
