DROP INDEX `verifications_queue_rank`;--> statement-breakpoint
DROP INDEX `verifications_queue_match_rank`;--> statement-breakpoint
DROP INDEX `verifications_assigned`;--> statement-breakpoint
ALTER TABLE `verifications` DROP COLUMN `queueRank`;--> statement-breakpoint
ALTER TABLE `verifications` ADD `contactChangedAt` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `queueRank` integer GENERATED ALWAYS AS (CASE
  WHEN "disputedByPayeeAt" IS NOT NULL THEN 1
  WHEN "isOfChange" = 1 AND coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.lookalikes') > 0), 0) + coalesce((coalesce(json_extract("evidence", '$.lookalikes[0].reason'), '') IN ('email_domain', 'former_email_domain') OR coalesce(json_extract("evidence", '$.lookalikes[1].reason'), '') IN ('email_domain', 'former_email_domain')), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000), 0) > 0 THEN max(2, 5 - (coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.lookalikes') > 0), 0) + coalesce((coalesce(json_extract("evidence", '$.lookalikes[0].reason'), '') IN ('email_domain', 'former_email_domain') OR coalesce(json_extract("evidence", '$.lookalikes[1].reason'), '') IN ('email_domain', 'former_email_domain')), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000), 0)))
  WHEN "outcome" = 'account_closed' THEN 5
  WHEN ("outcome" = 'no_match' OR "nameMatchScore" < 70) THEN 6
  WHEN json_array_length("evidence", '$.lookalikes') > 0 THEN 7
  WHEN "isOfChange" = 1 THEN 8
  WHEN "nameMatchScore" < 95 OR json_extract("resultData", '$.institutionDiffers') = 1 THEN 9
  WHEN "outcome" = 'unable' THEN 10
  WHEN "nameMatchScore" IS NULL THEN 11
  ELSE 12 END) VIRTUAL;--> statement-breakpoint
CREATE INDEX `verifications_queue_rank` ON `verifications` (`organizationId`,`status`,`queueRank`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_queue_match_rank` ON `verifications` (`organizationId`,`status`,`matchType`,`queueRank`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_assigned` ON `verifications` (`organizationId`,`status`,`assignedToId`,`queueRank`,`id`) WHERE "assignedToId" IS NOT NULL;--> statement-breakpoint
UPDATE `verifications` SET `contactChangedAt` = (SELECT `payees`.`contactChangedAt` FROM `payees` WHERE `payees`.`organizationId` = `verifications`.`organizationId` AND `payees`.`id` = `verifications`.`payeeId`) WHERE `status` = 'pending' AND `isOfChange` = 1;--> statement-breakpoint
CREATE TRIGGER `verification_contact_opened` AFTER INSERT ON `verifications` WHEN NEW.`isOfChange` = 1
BEGIN
	UPDATE `verifications` SET `contactChangedAt` = (SELECT `contactChangedAt` FROM `payees` WHERE `organizationId` = NEW.`organizationId` AND `id` = NEW.`payeeId`)
	WHERE `organizationId` = NEW.`organizationId` AND `id` = NEW.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `verification_contact_changed` AFTER UPDATE OF `contactChangedAt` ON `payees` WHEN NEW.`contactChangedAt` IS NOT OLD.`contactChangedAt`
BEGIN
	UPDATE `verifications` SET `contactChangedAt` = NEW.`contactChangedAt`
	WHERE `organizationId` = NEW.`organizationId` AND `payeeId` = NEW.`id` AND `status` = 'pending' AND `isOfChange` = 1;
END;
