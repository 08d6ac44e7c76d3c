ALTER TABLE `organization_users` ADD `status` text DEFAULT 'active' NOT NULL CONSTRAINT "organization_users_status_known" CHECK("status" IN ('pending', 'active', 'inactive', 'rejected'));--> statement-breakpoint
-- Until now a person's status stood in users alone.
UPDATE `organization_users` SET `status` = (SELECT `status` FROM `users` WHERE `users`.`id` = `organization_users`.`userId`);--> statement-breakpoint
CREATE INDEX `organization_users_status` ON `organization_users` (`organizationId`,`status`,`userId`);--> statement-breakpoint
ALTER TABLE `tokens` ADD `role` text CONSTRAINT "tokens_role" CHECK("role" IN ('admin', 'member', 'read_only'));--> statement-breakpoint
ALTER TABLE `tokens` ADD `invitedById` text REFERENCES `users`(`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_invitation` ON `tokens` (`organizationId`,`email`) WHERE "kind" = 'invitation' AND "usedAt" IS NULL;--> statement-breakpoint
CREATE INDEX `organizations_name` ON `organizations` (lower("name"));--> statement-breakpoint
CREATE INDEX `organizations_active_id` ON `organizations` (`active`,`id`);--> statement-breakpoint
CREATE INDEX `users_status` ON `users` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `users_first_name` ON `users` (lower("firstName"));--> statement-breakpoint
CREATE INDEX `users_last_name` ON `users` (lower("lastName"));
