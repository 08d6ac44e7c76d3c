-- The audit trail grows at its end only. A BEFORE trigger sees a replacing INSERT before it removes the row it replaces;
-- a position that the database chooses is known only AFTER the INSERT.
CREATE TRIGGER `audit_logs_no_replace` BEFORE INSERT ON `audit_logs`
WHEN EXISTS (SELECT 1 FROM `audit_logs` WHERE `position` = NEW.`position`)
	OR EXISTS (SELECT 1 FROM `audit_logs` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_logs_at_the_end` AFTER INSERT ON `audit_logs`
WHEN NEW.`position` <= 0 OR EXISTS (SELECT 1 FROM `audit_logs` WHERE `position` > NEW.`position`)
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_replace` BEFORE INSERT ON `audit_seals`
WHEN EXISTS (SELECT 1 FROM `audit_seals` WHERE `position` = NEW.`position`)
	OR EXISTS (SELECT 1 FROM `audit_seals` WHERE `organizationId` = NEW.`organizationId` AND `seq` = NEW.`seq`)
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
