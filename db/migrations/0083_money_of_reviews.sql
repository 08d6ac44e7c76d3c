-- What waits of a payee also stands with its open verification, so that the reviews to decide first are read from one index.
ALTER TABLE "verifications" ADD "waitingCents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE "verifications" SET "waitingCents" = "payee"."waitingCents"
FROM "payees" AS "payee"
WHERE "payee"."waitingCents" <> 0 AND "payee"."organizationId" = "verifications"."organizationId" AND "payee"."id" = "verifications"."payeeId"
	AND "verifications"."status" = 'pending';
--> statement-breakpoint
CREATE INDEX "verifications_danger" ON "verifications" ("organizationId","queueRank","waitingCents" DESC,"id") WHERE "status" = 'pending';
--> statement-breakpoint
CREATE TRIGGER "verification_waiting_changed" AFTER UPDATE OF "waitingCents" ON "payees" WHEN NEW."waitingCents" <> OLD."waitingCents"
BEGIN
	UPDATE "verifications" SET "waitingCents" = NEW."waitingCents"
	WHERE "organizationId" = NEW."organizationId" AND "payeeId" = NEW."id" AND "status" = 'pending';
END;
--> statement-breakpoint
CREATE TRIGGER "verification_waiting_opened" AFTER INSERT ON "verifications"
WHEN EXISTS (SELECT 1 FROM "payees" WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId" AND "waitingCents" <> 0)
BEGIN
	UPDATE "verifications" SET "waitingCents" = (
		SELECT "waitingCents" FROM "payees" WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId")
	WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."id";
END;
--> statement-breakpoint
-- Held payments whose payee is not under review are found without reading the payments.
DROP INDEX "payment_records_held";
--> statement-breakpoint
CREATE INDEX "payment_records_held" ON "payment_records" ("organizationId","heldRank","amount" DESC,"id","payeeId") WHERE "status" = 'held';
