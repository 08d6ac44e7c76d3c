CREATE TABLE `certificates` (
	`id` text PRIMARY KEY NOT NULL,
	`organizationId` text NOT NULL,
	`facts` text NOT NULL,
	`hash` text NOT NULL,
	`issuedAt` integer NOT NULL,
	FOREIGN KEY (`organizationId`,`id`) REFERENCES `verifications`(`organizationId`,`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_org_id` ON `certificates` (`organizationId`,`id`);--> statement-breakpoint
CREATE TRIGGER `certificates_no_update` BEFORE UPDATE ON `certificates`
BEGIN
	SELECT RAISE(ABORT, 'a certificate never changes');
END;
--> statement-breakpoint
CREATE TRIGGER `certificates_no_delete` BEFORE DELETE ON `certificates`
BEGIN
	SELECT RAISE(ABORT, 'a certificate never changes');
END;
--> statement-breakpoint
CREATE TRIGGER `certificates_no_replace` BEFORE INSERT ON `certificates`
WHEN EXISTS (SELECT 1 FROM `certificates` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'a certificate never changes');
END;
