-- The order of the review queue knows what every red verdict rests on: a dispute of earlier details, contact and bank details
-- changed close together before this verification, and an account in another name than the payee's.
ALTER TABLE "verifications" ADD "payeeBankChangedAt" integer;
--> statement-breakpoint
ALTER TABLE "verifications" ADD "payeeDisputedAt" integer;
--> statement-breakpoint
ALTER TABLE "verifications" ADD "payeeNameDiffers" integer DEFAULT false NOT NULL CHECK ("payeeNameDiffers" IN (0, 1));
--> statement-breakpoint
DROP TRIGGER "verification_contact_changed";
--> statement-breakpoint
DROP TRIGGER "verification_contact_opened";
--> statement-breakpoint
DROP INDEX "verifications_assigned";
--> statement-breakpoint
DROP INDEX "verifications_queue_match_rank";
--> statement-breakpoint
DROP INDEX "verifications_queue_rank";
--> statement-breakpoint
ALTER TABLE "verifications" DROP COLUMN "queueRank";
--> statement-breakpoint
ALTER TABLE "verifications" ADD "queueRank" integer GENERATED ALWAYS AS (CASE
  WHEN "disputedByPayeeAt" IS NOT NULL OR "payeeDisputedAt" IS NOT NULL THEN 1
  WHEN "isOfChange" = 1 AND coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.formerHolders') > 0), 0) + coalesce((json_array_length("evidence", '$.lookalikes') > 0), 0) + coalesce((coalesce(json_extract("evidence", '$.lookalikes[0].reason'), '') IN ('email_domain', 'former_email_domain') OR coalesce(json_extract("evidence", '$.lookalikes[1].reason'), '') IN ('email_domain', 'former_email_domain')), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000 OR abs("payeeBankChangedAt" - "contactChangedAt") <= 2592000000), 0) + coalesce(("payeeNameDiffers" = 1), 0) > 0 THEN max(2, 5 - (coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.formerHolders') > 0), 0) + coalesce((json_array_length("evidence", '$.lookalikes') > 0), 0) + coalesce((coalesce(json_extract("evidence", '$.lookalikes[0].reason'), '') IN ('email_domain', 'former_email_domain') OR coalesce(json_extract("evidence", '$.lookalikes[1].reason'), '') IN ('email_domain', 'former_email_domain')), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000 OR abs("payeeBankChangedAt" - "contactChangedAt") <= 2592000000), 0) + coalesce(("payeeNameDiffers" = 1), 0)))
  WHEN "outcome" = 'account_closed' THEN 5
  WHEN ("outcome" = 'no_match' OR "nameMatchScore" < 70) THEN 6
  WHEN json_array_length("evidence", '$.formerHolders') > 0 THEN 7
  WHEN json_array_length("evidence", '$.lookalikes') > 0 THEN 8
  WHEN (abs("payeeBankChangedAt" - "contactChangedAt") <= 2592000000 AND max("payeeBankChangedAt", "contactChangedAt") >= "createdAt" - 2592000000) THEN 9
  WHEN "payeeNameDiffers" = 1 THEN 10
  WHEN "isOfChange" = 1 THEN 11
  WHEN "nameMatchScore" < 95 OR json_extract("resultData", '$.institutionDiffers') = 1 THEN 12
  WHEN "outcome" = 'unable' THEN 13
  WHEN "nameMatchScore" IS NULL THEN 14
  ELSE 15 END) VIRTUAL;
--> statement-breakpoint
-- The database cannot compare names as the product does. Of verifications that wait now, those where neither name is part of
-- the other stand high: rather too many than too few.
UPDATE "verifications" SET
	"contactChangedAt" = "payee"."contactChangedAt",
	"payeeBankChangedAt" = "payee"."bankDetailsChangedAt",
	"payeeDisputedAt" = "payee"."disputedAt",
	"payeeNameDiffers" = instr(lower("verifications"."accountName"), lower("payee"."name")) = 0 AND instr(lower("payee"."name"), lower("verifications"."accountName")) = 0
FROM "payees" AS "payee"
WHERE "payee"."organizationId" = "verifications"."organizationId" AND "payee"."id" = "verifications"."payeeId" AND "verifications"."status" = 'pending';
--> statement-breakpoint
CREATE INDEX "verifications_assigned" ON "verifications" ("organizationId","status","assignedToId","queueRank","id") WHERE "assignedToId" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "verifications_queue_match_rank" ON "verifications" ("organizationId","status","matchType","queueRank","id");
--> statement-breakpoint
CREATE INDEX "verifications_queue_rank" ON "verifications" ("organizationId","status","queueRank","id");
--> statement-breakpoint
CREATE TRIGGER "verification_payee_changed" AFTER UPDATE OF "contactChangedAt", "bankDetailsChangedAt", "disputedAt" ON "payees"
WHEN NEW."contactChangedAt" IS NOT OLD."contactChangedAt" OR NEW."bankDetailsChangedAt" IS NOT OLD."bankDetailsChangedAt" OR NEW."disputedAt" IS NOT OLD."disputedAt"
BEGIN
	UPDATE "verifications" SET "contactChangedAt" = NEW."contactChangedAt", "payeeBankChangedAt" = NEW."bankDetailsChangedAt", "payeeDisputedAt" = NEW."disputedAt"
	WHERE "organizationId" = NEW."organizationId" AND "payeeId" = NEW."id" AND "status" = 'pending';
END;
--> statement-breakpoint
CREATE TRIGGER "verification_payee_opened" AFTER INSERT ON "verifications"
WHEN EXISTS (
	SELECT 1 FROM "payees" WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId"
		AND ("contactChangedAt" IS NOT NULL OR "bankDetailsChangedAt" IS NOT NULL OR "disputedAt" IS NOT NULL))
BEGIN
	UPDATE "verifications" SET ("contactChangedAt", "payeeBankChangedAt", "payeeDisputedAt") = (
		SELECT "contactChangedAt", "bankDetailsChangedAt", "disputedAt" FROM "payees" WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."payeeId")
	WHERE "organizationId" = NEW."organizationId" AND "id" = NEW."id";
END;
