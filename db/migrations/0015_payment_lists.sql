ALTER TABLE `payment_files` ADD `columns` text;--> statement-breakpoint
CREATE INDEX `payees_paid` ON `payees` (`organizationId`,`paymentCount`,`id`) WHERE "whitelisted" = 0 AND "paymentCount" > 0;--> statement-breakpoint
CREATE INDEX `payment_records_recorded` ON `payment_records` (`organizationId`,`createdAt`,`id`);