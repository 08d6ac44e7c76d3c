-- What an entry's email addresses are hashed with before the entry is sealed: people who see them masked can check the seal as
-- well. Null: it names none, or was written before, and is sealed with the addresses as they are.
ALTER TABLE `audit_logs` ADD `emailSalt` text;
