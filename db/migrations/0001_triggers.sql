-- What the generator cannot write: the append-only audit trail, preconditions that leave nothing behind,
-- counts kept in the acting transaction, and the organisation that platform acts belong to.
CREATE TRIGGER `audit_logs_no_update` BEFORE UPDATE ON `audit_logs`
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_logs_no_delete` BEFORE DELETE ON `audit_logs`
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_update` BEFORE UPDATE ON `audit_seals`
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_delete` BEFORE DELETE ON `audit_seals`
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `preconditions_stay_empty` AFTER INSERT ON `preconditions`
BEGIN
	DELETE FROM `preconditions`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_payees` AFTER INSERT ON `payees` WHEN true
BEGIN
	INSERT INTO `counters` (`organizationId`, `name`, `value`) VALUES (NEW.`organizationId`, 'payees', 1)
	ON CONFLICT (`organizationId`, `name`) DO UPDATE SET `value` = `value` + excluded.`value`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_whitelisted_insert` AFTER INSERT ON `payees` WHEN NEW.`whitelisted` = 1
BEGIN
	INSERT INTO `counters` (`organizationId`, `name`, `value`) VALUES (NEW.`organizationId`, 'whitelistedPayees', 1)
	ON CONFLICT (`organizationId`, `name`) DO UPDATE SET `value` = `value` + excluded.`value`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_whitelisted_update` AFTER UPDATE OF `whitelisted` ON `payees` WHEN NEW.`whitelisted` <> OLD.`whitelisted`
BEGIN
	INSERT INTO `counters` (`organizationId`, `name`, `value`) VALUES (NEW.`organizationId`, 'whitelistedPayees', NEW.`whitelisted` - OLD.`whitelisted`)
	ON CONFLICT (`organizationId`, `name`) DO UPDATE SET `value` = `value` + excluded.`value`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_pending_insert` AFTER INSERT ON `verifications` WHEN NEW.`status` = 'pending'
BEGIN
	INSERT INTO `counters` (`organizationId`, `name`, `value`) VALUES (NEW.`organizationId`, 'pendingVerifications', 1)
	ON CONFLICT (`organizationId`, `name`) DO UPDATE SET `value` = `value` + excluded.`value`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_pending_update` AFTER UPDATE OF `status` ON `verifications` WHEN (NEW.`status` = 'pending') <> (OLD.`status` = 'pending')
BEGIN
	INSERT INTO `counters` (`organizationId`, `name`, `value`) VALUES (NEW.`organizationId`, 'pendingVerifications', (NEW.`status` = 'pending') - (OLD.`status` = 'pending'))
	ON CONFLICT (`organizationId`, `name`) DO UPDATE SET `value` = `value` + excluded.`value`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_held_insert` AFTER INSERT ON `payment_records` WHEN NEW.`status` = 'held'
BEGIN
	INSERT INTO `counters` (`organizationId`, `name`, `value`) VALUES (NEW.`organizationId`, 'heldPayments', 1)
	ON CONFLICT (`organizationId`, `name`) DO UPDATE SET `value` = `value` + excluded.`value`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_held_update` AFTER UPDATE OF `status` ON `payment_records` WHEN (NEW.`status` = 'held') <> (OLD.`status` = 'held')
BEGIN
	INSERT INTO `counters` (`organizationId`, `name`, `value`) VALUES (NEW.`organizationId`, 'heldPayments', (NEW.`status` = 'held') - (OLD.`status` = 'held'))
	ON CONFLICT (`organizationId`, `name`) DO UPDATE SET `value` = `value` + excluded.`value`;
END;
--> statement-breakpoint
INSERT INTO `organizations` (`id`, `name`, `createdAt`, `updatedAt`)
VALUES ('00000000-0000-7000-8000-000000000000', 'PayeeProof platform', 0, 0);
