-- Held money is counted and ordered by what may be lost; files keep what they showed when they were cleared, and who pays by them.
ALTER TABLE "payment_file_settings" ADD "payingAccounts" text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE "payment_files" ADD "figuresAtClearing" text;
--> statement-breakpoint
ALTER TABLE "payment_files" ADD "paysFrom" text;
--> statement-breakpoint
CREATE INDEX "payment_files_waiting" ON "payment_files" ("organizationId","id") WHERE "heldCount" > 0 AND "status" IN ('open', 'cleared');
--> statement-breakpoint
ALTER TABLE "payment_records" ADD "heldRank" integer GENERATED ALWAYS AS (CASE WHEN instr("reasons", '"level":"hold"') = 0
  OR instr("reasons", '"rule":"payee_disputed","level":"hold"') > 0
  OR instr("reasons", '"rule":"bank_answer","level":"hold"') > 0
  OR instr("reasons", '"rule":"former_account","level":"hold"') > 0
  OR instr("reasons", '"rule":"details_changed","level":"hold"') > 0
  OR instr("reasons", '"rule":"contact_and_bank_changed","level":"hold"') > 0
  OR instr("reasons", '"rule":"known_name_new_account","level":"hold"') > 0 THEN 1 ELSE 2 END) VIRTUAL;
--> statement-breakpoint
CREATE INDEX "payment_records_held" ON "payment_records" ("organizationId","heldRank","amount" DESC,"id") WHERE "status" = 'held';
--> statement-breakpoint
CREATE TRIGGER "count_held_cents_insert" AFTER INSERT ON "payment_records" WHEN NEW."status" = 'held'
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'heldCents', NEW."amount")
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
CREATE TRIGGER "count_held_cents_update" AFTER UPDATE OF "status" ON "payment_records" WHEN (NEW."status" = 'held') <> (OLD."status" = 'held')
BEGIN
	INSERT INTO "counters" ("organizationId", "name", "value") VALUES (NEW."organizationId", 'heldCents', NEW."amount" * ((NEW."status" = 'held') - (OLD."status" = 'held')))
	ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = "value" + excluded."value";
END;
--> statement-breakpoint
INSERT INTO "counters" ("organizationId", "name", "value")
SELECT "organizationId", 'heldCents', sum("amount") FROM "payment_records" WHERE "status" = 'held' GROUP BY "organizationId";
