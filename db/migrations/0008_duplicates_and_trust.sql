DROP INDEX `payment_records_duplicate`;--> statement-breakpoint
ALTER TABLE `payment_records` ADD `referenceKey` text;--> statement-breakpoint
CREATE INDEX `payment_records_duplicate` ON `payment_records` (`organizationId`,`payeeId`,`amount`,`referenceKey`,`createdAt`);--> statement-breakpoint
ALTER TABLE `payees` ADD `takenOffWhitelistAt` integer;--> statement-breakpoint
-- Earlier payments by the usual separators; `referenceKey` does the rest for every new one.
UPDATE `payment_records` SET `referenceKey` = ltrim(lower(replace(replace(replace(replace(replace(replace(`reference`, ' ', ''), '-', ''), '/', ''), '.', ''), '#', ''), '_', '')), '0') WHERE `reference` IS NOT NULL;
