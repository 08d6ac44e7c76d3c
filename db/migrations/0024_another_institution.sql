DROP INDEX `verifications_queue_rank`;--> statement-breakpoint
DROP INDEX `verifications_queue_match_rank`;--> statement-breakpoint
ALTER TABLE `verifications` DROP COLUMN `queueRank`;--> statement-breakpoint
ALTER TABLE `verifications` ADD `queueRank` integer GENERATED ALWAYS AS (CASE
  WHEN "disputedByPayeeAt" IS NOT NULL THEN 1
  WHEN "outcome" = 'account_closed' THEN 2
  WHEN "outcome" = 'no_match' OR "nameMatchScore" < 70 THEN 3
  WHEN json_array_length("evidence", '$.lookalikes') > 0 THEN 4
  WHEN "isOfChange" = 1 THEN 5
  WHEN "nameMatchScore" < 95 OR json_extract("resultData", '$.institutionDiffers') = 1 THEN 6
  WHEN "outcome" = 'unable' THEN 7
  WHEN "nameMatchScore" IS NULL THEN 8
  ELSE 9 END) VIRTUAL;--> statement-breakpoint
CREATE INDEX `verifications_queue_rank` ON `verifications` (`organizationId`,`status`,`queueRank`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_queue_match_rank` ON `verifications` (`organizationId`,`status`,`matchType`,`queueRank`,`id`);
