import { bankChecks, type Condition, outbox, rowIn, type Statement } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import type { CheckOutcome } from "~/kernel/enums";
import type { WokenJob } from "~/modules/core/commands/run-command.server";
import type { ReadServices, TimedServices } from "~/services-and-actor";
import type { ReasonCode } from "./outcomes";

/** A verification's bank check in progress, if any. */
export async function findRunningCheck({ db }: ReadServices, organizationId: string, verificationId: string) {
  const [check] = await db
    .select({ id: bankChecks.id, organizationId: bankChecks.organizationId, providerUserId: bankChecks.providerUserId })
    .from(bankChecks)
    .where(
      and(
        eq(bankChecks.organizationId, organizationId),
        eq(bankChecks.verificationId, verificationId),
        isNull(bankChecks.finishedAt),
      ),
    );
  return check;
}

/** The jobs that advance a check, for the `woken` option of the command that makes them due. */
export async function listCheckJobs({ db }: ReadServices, checkId: string): Promise<WokenJob[]> {
  const rows = await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.subjectId, checkId), eq(outbox.kind, "bank_check"), eq(outbox.status, "pending")));
  return rows.map(({ id }) => ({ id, kind: "bank_check" }));
}

type Check = { id: string; organizationId: string };

const isRunning = ({ id, organizationId }: Check) =>
  and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, id), isNull(bankChecks.finishedAt));

/** The condition that the bank check has not ended, for example by a dispute, a decision or another consumer. */
export function checkIsRunning({ db }: ReadServices, check: Check): Condition<"check_finished"> {
  return { name: "check_finished", found: rowIn(db, bankChecks).where(isRunning(check)) };
}

export function endBankCheck(
  { db, clock }: TimedServices,
  check: Check,
  ending: { outcome?: CheckOutcome; reasonCode?: ReasonCode | null } = {},
): Statement {
  return db
    .update(bankChecks)
    .set({ ...ending, step: "finished", finishedAt: clock.now() })
    .where(isRunning(check));
}
