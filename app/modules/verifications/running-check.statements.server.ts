import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { bankChecks } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { CheckOutcome } from "~/kernel/enums";
import type { ReadServices, Services } from "~/services";
import type { ReasonCode } from "./outcomes";

type Check = { id: string; organizationId: string };

const isRunning = ({ id, organizationId }: Check) =>
  and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, id), isNull(bankChecks.finishedAt));

/** The bank check has not finished: a dispute, a decision or another consumer may have ended it. */
export function checkIsRunning({ db }: ReadServices, check: Check): Condition<"check_finished"> {
  return {
    name: "check_finished",
    found: db.select({ one: sql`1` }).from(bankChecks).where(isRunning(check)),
  };
}

/** Ends a bank check, with what it found. */
export function endBankCheck(
  { db, clock }: Pick<Services, "db" | "clock">,
  check: Check,
  ending: { outcome?: CheckOutcome; reasonCode?: ReasonCode | null } = {},
): Statement {
  return db
    .update(bankChecks)
    .set({ ...ending, step: "finished", finishedAt: clock.now() })
    .where(isRunning(check));
}
