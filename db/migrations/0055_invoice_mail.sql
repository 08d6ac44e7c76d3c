-- Invoices by email: an address for each organisation that switches it on, who is answered, and what the platform says of a
-- message's sender. A message is taken in once.
ALTER TABLE `invoice_settings` ADD `mailKey` text;
--> statement-breakpoint
ALTER TABLE `invoice_settings` ADD `mailSenders` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_settings_mail_key` ON `invoice_settings` (`mailKey`) WHERE "mailKey" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoices` ADD `mailAuthentication` text CHECK ("mailAuthentication" IN ('pass', 'fail', 'unknown'));
--> statement-breakpoint
ALTER TABLE `invoices` ADD `mailDigest` text;
--> statement-breakpoint
ALTER TABLE `invoices` ADD `mailReplyTo` text;
--> statement-breakpoint
ALTER TABLE `invoices` ADD `mailIsKnown` integer DEFAULT false NOT NULL CHECK ("mailIsKnown" IN (0, 1));
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_mail_once` ON `invoices` (`organizationId`,`mailDigest`) WHERE "mailDigest" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `invoices_mailed` ON `invoices` (`organizationId`,`receivedAt`) WHERE "mailAuthentication" IS NOT NULL;
