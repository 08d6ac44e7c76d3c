CREATE TABLE `payee_word_parts` (
	`organizationId` text NOT NULL,
	`part` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`organizationId`, `part`, `word`),
	FOREIGN KEY (`organizationId`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Every word of the names that are there: without its first 2, 4, 6 ... characters.
WITH RECURSIVE `cut`(`n`) AS (SELECT 2 UNION ALL SELECT `n` + 2 FROM `cut` WHERE `n` < 38)
INSERT INTO `payee_word_parts` (`organizationId`, `part`, `word`)
  SELECT DISTINCT `organizationId`, substr(`term`, `n` + 1), `term` FROM `payee_terms` JOIN `cut` ON `n` + 2 <= length(`term`)
  WHERE `term` GLOB '*[^0-9]*' AND substr(`term`, 1, 1) NOT IN ('@', '<');
--> statement-breakpoint
-- Terms of email domains come last, so that a search inside the words of names can leave them out.
UPDATE `payees` SET `terms` = (SELECT json_group_array(`value`) FROM (
  SELECT `value` FROM json_each(`payees`.`terms`) ORDER BY substr(`value`, 1, 1) = '@'))
WHERE instr(`terms`, '"@') > 0;
