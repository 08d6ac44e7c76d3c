-- Account numbers are found by their end, too: the shortest spelling, at least four digits, from right to left.
-- Terms that were written before stay; an edit of the payee replaces them.
WITH `shortest` AS (
  SELECT `organizationId`, `id`, substr('0000' || ltrim(`accountNumber`, '0'), -max(4, length(ltrim(`accountNumber`, '0')))) AS `n` FROM `payees`
)
INSERT INTO `payee_terms` (`organizationId`, `term`, `payeeId`)
  SELECT `organizationId`, '<' || substr(`n`, 9, 1) || substr(`n`, 8, 1) || substr(`n`, 7, 1) || substr(`n`, 6, 1) || substr(`n`, 5, 1)
    || substr(`n`, 4, 1) || substr(`n`, 3, 1) || substr(`n`, 2, 1) || substr(`n`, 1, 1), `id` FROM `shortest` WHERE true
  ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE `payees` SET `terms` = json_insert(`terms`, '$[#]', (SELECT `term` FROM `payee_terms` WHERE `payee_terms`.`organizationId` = `payees`.`organizationId`
  AND `payee_terms`.`payeeId` = `payees`.`id` AND `payee_terms`.`term` >= '<' AND `payee_terms`.`term` < '='));
