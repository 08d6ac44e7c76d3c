-- A match without a name has its own place in the review queue. The generated column is made again, nothing is lost.
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
  WHEN "isOfChange" = 1 AND coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.formerHolders') > 0), 0) + coalesce(((instr("evidence", '"reason":"email_domain"') > 0 OR instr("evidence", '"reason":"former_email_domain"') > 0 OR instr("evidence", '"reason":"account_number_slip"') > 0 OR instr("evidence", '"reason":"same_name"') > 0)), 0) + coalesce((instr("evidence", '"reason":"email_domain"') > 0 OR instr("evidence", '"reason":"former_email_domain"') > 0), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000 OR abs("payeeBankChangedAt" - "contactChangedAt") <= 2592000000), 0) + coalesce(("payeeNameDiffers" = 1), 0) > 0 THEN max(2, 5 - (coalesce((("outcome" = 'no_match' OR "nameMatchScore" < 70)), 0) + coalesce((json_array_length("evidence", '$.formerHolders') > 0), 0) + coalesce(((instr("evidence", '"reason":"email_domain"') > 0 OR instr("evidence", '"reason":"former_email_domain"') > 0 OR instr("evidence", '"reason":"account_number_slip"') > 0 OR instr("evidence", '"reason":"same_name"') > 0)), 0) + coalesce((instr("evidence", '"reason":"email_domain"') > 0 OR instr("evidence", '"reason":"former_email_domain"') > 0), 0) + coalesce(("contactChangedAt" >= "createdAt" - 2592000000 OR abs("payeeBankChangedAt" - "contactChangedAt") <= 2592000000), 0) + coalesce(("payeeNameDiffers" = 1), 0)))
  WHEN "outcome" = 'account_closed' THEN 5
  WHEN ("outcome" = 'no_match' OR "nameMatchScore" < 70) THEN 6
  WHEN instr("evidence", '"reason":"email_domain"') > 0 OR instr("evidence", '"reason":"former_email_domain"') > 0 THEN 7
  WHEN json_array_length("evidence", '$.formerHolders') > 0 THEN 8
  WHEN (abs("payeeBankChangedAt" - "contactChangedAt") <= 2592000000 AND max("payeeBankChangedAt", "contactChangedAt") >= "createdAt" - 2592000000) THEN 9
  WHEN instr("evidence", '"reason":"account_number_slip"') > 0 THEN 10
  WHEN instr("evidence", '"reason":"same_name"') > 0 THEN 11
  WHEN "payeeNameDiffers" = 1 THEN 12
  WHEN "isOfChange" = 1 THEN 13
  WHEN "nameMatchScore" < 95 OR json_extract("resultData", '$.institutionDiffers') = 1 THEN 14
  WHEN instr("evidence", '"reason":"similar_name"') > 0 THEN 15
  WHEN "outcome" = 'unable' THEN 16
  WHEN "outcome" = 'match' AND "nameMatchScore" IS NULL THEN 18
  WHEN "nameMatchScore" IS NULL THEN 17
  ELSE 19 END) VIRTUAL;
--> statement-breakpoint
CREATE INDEX "verifications_assigned" ON "verifications" ("organizationId","status","assignedToId","queueRank","id") WHERE "assignedToId" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "verifications_queue_match_rank" ON "verifications" ("organizationId","status","matchType","queueRank","id");
--> statement-breakpoint
CREATE INDEX "verifications_queue_rank" ON "verifications" ("organizationId","status","queueRank","id");
