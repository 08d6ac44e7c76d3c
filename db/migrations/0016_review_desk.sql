CREATE TABLE `verification_calls` (
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
	CONSTRAINT "verification_calls_source" CHECK("verification_calls"."source" IN ('on_file', 'website', 'contract', 'other')),
	CONSTRAINT "verification_calls_outcome" CHECK("verification_calls"."outcome" IN ('confirmed', 'not_confirmed', 'no_answer')),
	CONSTRAINT "verification_calls_no_proof" CHECK("verification_calls"."noProof" IN ('recently_changed', 'recently_entered', 'not_on_file'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `verification_calls_verification` ON `verification_calls` (`organizationId`,`verificationId`,`id`);--> statement-breakpoint
ALTER TABLE `payees` ADD `formerTrust` text;--> statement-breakpoint
ALTER TABLE `organization_policies` ADD `approvalEvidence` text DEFAULT 'flagged' NOT NULL CHECK ("approvalEvidence" IN ('flagged', 'always_reason', 'check_or_call_back'));--> statement-breakpoint
ALTER TABLE `users` ADD `reviewNext` integer DEFAULT false NOT NULL CHECK ("reviewNext" IN (0, 1));--> statement-breakpoint
ALTER TABLE `users` ADD `reviewKeys` integer DEFAULT false NOT NULL CHECK ("reviewKeys" IN (0, 1));--> statement-breakpoint
ALTER TABLE `verifications` ADD `isOfChange` integer DEFAULT false NOT NULL CHECK ("isOfChange" IN (0, 1));--> statement-breakpoint
ALTER TABLE `verifications` ADD `queueRank` integer GENERATED ALWAYS AS (CASE
  WHEN "disputedByPayeeAt" IS NOT NULL THEN 1
  WHEN "outcome" = 'account_closed' THEN 2
  WHEN "outcome" = 'no_match' OR "nameMatchScore" < 70 THEN 3
  WHEN json_array_length("evidence", '$.lookalikes') > 0 THEN 4
  WHEN "isOfChange" = 1 THEN 5
  WHEN "nameMatchScore" < 95 THEN 6
  WHEN "outcome" = 'unable' THEN 7
  WHEN "nameMatchScore" IS NULL THEN 8
  ELSE 9 END) VIRTUAL;--> statement-breakpoint
CREATE INDEX `verifications_queue_rank` ON `verifications` (`organizationId`,`status`,`queueRank`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_queue_match_rank` ON `verifications` (`organizationId`,`status`,`matchType`,`queueRank`,`id`);--> statement-breakpoint
UPDATE `verifications` SET `isOfChange` = 1 WHERE "status" = 'pending' AND EXISTS (SELECT 1 FROM `payees` WHERE `payees`."organizationId" = `verifications`."organizationId" AND `payees`."id" = `verifications`."payeeId" AND `payees`."whitelisted" = 0 AND `payees`."bankDetailsChangedAt" <= `verifications`."createdAt");
