-- What the accounting systems answered after a restore: by connection, whether its tokens are still good (docs/operations/restore.md).
ALTER TABLE "restores" ADD COLUMN "answers" text;
