-- The queue is sorted by another payee's former account too, which the evidence names.
DROP INDEX `verifications_queue_rank`;--> statement-breakpoint
DROP INDEX `verifications_queue_match_rank`;--> statement-breakpoint
DROP INDEX `verifications_assigned`;--> statement-breakpoint
ALTER TABLE `verifications` DROP COLUMN `queueRank`;--> statement-breakpoint
ALTER TABLE `verifications` ADD `queueRank` integer GENERATED ALWAYS AS (CASE
  WHEN "disputedByPayeeAt" IS NOT NULL THEN 1
  WHEN "isOfChange" = 1 AND coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.formerHolders') > 0), 0) + coalesce((json_array_length("evidence", '$.lookalikes') > 0), 0) + coalesce((coalesce(json_extract("evidence", '$.lookalikes[0].reason'), '') IN ('email_domain', 'former_email_domain') OR coalesce(json_extract("evidence", '$.lookalikes[1].reason'), '') IN ('email_domain', 'former_email_domain')), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000), 0) > 0 THEN max(2, 5 - (coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.formerHolders') > 0), 0) + coalesce((json_array_length("evidence", '$.lookalikes') > 0), 0) + coalesce((coalesce(json_extract("evidence", '$.lookalikes[0].reason'), '') IN ('email_domain', 'former_email_domain') OR coalesce(json_extract("evidence", '$.lookalikes[1].reason'), '') IN ('email_domain', 'former_email_domain')), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000), 0)))
  WHEN "outcome" = 'account_closed' THEN 5
  WHEN ("outcome" = 'no_match' OR "nameMatchScore" < 70) THEN 6
  WHEN json_array_length("evidence", '$.formerHolders') > 0 THEN 7
  WHEN json_array_length("evidence", '$.lookalikes') > 0 THEN 8
  WHEN "isOfChange" = 1 THEN 9
  WHEN "nameMatchScore" < 95 OR json_extract("resultData", '$.institutionDiffers') = 1 THEN 10
  WHEN "outcome" = 'unable' THEN 11
  WHEN "nameMatchScore" IS NULL THEN 12
  ELSE 13 END) VIRTUAL;--> statement-breakpoint
CREATE INDEX `verifications_queue_rank` ON `verifications` (`organizationId`,`status`,`queueRank`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_queue_match_rank` ON `verifications` (`organizationId`,`status`,`matchType`,`queueRank`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_assigned` ON `verifications` (`organizationId`,`status`,`assignedToId`,`queueRank`,`id`) WHERE "assignedToId" IS NOT NULL;--> statement-breakpoint
-- What waits already learns whose account it was: each change of a BSB or a number tells the account before it.
WITH `former` AS (
	SELECT `change`.`organizationId`, `change`.`payeeId`, `payee`.`name`, `change`.`createdAt` AS `until`,
		coalesce((SELECT `oldValue` FROM `payee_changes` AS `of_bsb` WHERE `of_bsb`.`organizationId` = `change`.`organizationId` AND `of_bsb`.`payeeId` = `change`.`payeeId`
			AND `of_bsb`.`field` = 'bsb' AND `of_bsb`.`createdAt` >= `change`.`createdAt` ORDER BY `of_bsb`.`id` LIMIT 1), `payee`.`bsb`) AS `bsb`,
		ltrim(coalesce((SELECT `oldValue` FROM `payee_changes` AS `of_number` WHERE `of_number`.`organizationId` = `change`.`organizationId` AND `of_number`.`payeeId` = `change`.`payeeId`
			AND `of_number`.`field` = 'accountNumber' AND `of_number`.`createdAt` >= `change`.`createdAt` ORDER BY `of_number`.`id` LIMIT 1), `payee`.`accountNumber`), '0') AS `number`
	FROM `payee_changes` AS `change` JOIN `payees` AS `payee` ON `payee`.`organizationId` = `change`.`organizationId` AND `payee`.`id` = `change`.`payeeId`
	WHERE `change`.`field` IN ('bsb', 'accountNumber')
), `held` AS (
	SELECT `waiting`.`id` AS `verificationId`, `waiting`.`payeeId` = `former`.`payeeId` AS `isOwn`, `former`.`payeeId`, `former`.`name`, max(`former`.`until`) AS `until`
	FROM `verifications` AS `waiting` JOIN `former` ON `former`.`organizationId` = `waiting`.`organizationId` AND `former`.`bsb` = `waiting`.`bsb` AND `former`.`number` = ltrim(`waiting`.`accountNumber`, '0')
	WHERE `waiting`.`status` = 'pending'
	GROUP BY `waiting`.`id`, `former`.`payeeId`
	ORDER BY `until` DESC
)
UPDATE `verifications` SET `evidence` = json_set(`evidence`, '$.formerHolders', json((
	SELECT json_group_array(json_object('payeeId', `payeeId`, 'name', `name`, 'until', strftime('%Y-%m-%dT%H:%M:%fZ', `until` / 1000.0, 'unixepoch'), 'isArchived', json('false')))
	FROM `held` WHERE `held`.`verificationId` = `verifications`.`id` AND NOT `isOwn`)))
WHERE `evidence` IS NOT NULL AND `id` IN (SELECT `verificationId` FROM `held` WHERE NOT `isOwn`);
