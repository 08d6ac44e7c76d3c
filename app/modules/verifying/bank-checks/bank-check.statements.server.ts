import { type SystemActor, systemActor } from "~/kernel/actor";
import type { DeadLetterEnding } from "~/modules/core/commands/dead-letters.commands.server";
import type { Job } from "~/modules/core/commands/job";
import { postponeJob } from "~/modules/core/commands/outbox.statements.server";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import { explainOutcome } from "~/modules/payees/verifications/outcomes";
import { checkIsRunning, endBankCheck } from "~/modules/payees/verifications/running-check.statements.server";
import { verificationIsPending } from "~/modules/payees/verifications/verification.statements.server";
import type { CheckResult } from "~/modules/verifying/bank-answers/compare-with-bank";
import type { NotifyServices, Services } from "~/services";
import { nextDeletionAt, nextStep, stateOf } from "./bank-check";
import { type BankCheck, findBankCheck, timesOf } from "./bank-check.queries.server";
import { type Followed, followResult } from "./check-result.statements.server";

type Finishing = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">;

/** How a check ended. `charged`: the bank was asked, which the provider charges for. */
export type Finish = { result: CheckResult; charged: boolean };

/**
 * Everything that follows from the end of a check: the result beside what was submitted, the status it leads to, and
 * the trail, from which alerts tell the requester. The command requires `verificationIsPending`, `checkIsRunning` and the
 * conditions that come back.
 */
export async function finishCheck(
  services: Finishing,
  actor: SystemActor,
  check: BankCheck,
  { result, charged }: Finish,
): Promise<CommandPart & Pick<Followed, "conditions">> {
  const { outcome, reasonCode } = result;
  const costCents = charged ? services.config.bankCheckCostCents : 0;
  const followed = await followResult(services, actor, check, { result, costCents });
  const details = {
    outcome,
    reasonCode,
    score: result.match?.score ?? null,
    explanation: explainOutcome(outcome, reasonCode),
    beside: followed.beside,
  };
  const { verificationId: entityId } = check;
  return {
    conditions: followed.conditions,
    statements: [endBankCheck(services, check, { outcome, reasonCode }), ...followed.statements],
    audit: [
      { action: "verification.bank_check_finished", entityType: "verification", entityId, details },
      ...followed.audit,
    ],
  };
}

/**
 * How the job of a bank check ends that the queue could not deliver: the check ends as `unable`, and the job comes back, to
 * delete what the provider holds. One whose check is over already comes back for that alone.
 */
export async function endDeadBankCheck(services: NotifyServices, job: Job): Promise<DeadLetterEnding | undefined> {
  const check = await findBankCheck(services, job);
  if (!check) return undefined;
  const now = services.clock.now();
  const effect = nextStep(stateOf(check), { type: "dead_lettered" }, timesOf(check), now);
  if (effect.do === "delete_later") return postponeDeadDeletion(services, job);
  if (effect.do !== "finish") return undefined;
  const { organizationId, verificationId } = check;
  const finished = await finishCheck(services, systemActor(organizationId, job.id), check, effect);
  return {
    conditions: [
      verificationIsPending(services, organizationId, verificationId),
      checkIsRunning(services, check),
      ...finished.conditions,
    ],
    statements: [postponeJob(services, job, { dueAt: now, attempts: 0 })],
    parts: [finished],
    woken: [{ id: job.id, kind: job.kind }],
  };
}

/** A deletion at the provider that the queue could not deliver comes back: it is due until it is done. */
export async function postponeDeadDeletion(services: NotifyServices, job: Job): Promise<DeadLetterEnding> {
  const attempts = job.attempts + 1;
  const dueAt = nextDeletionAt(services.clock.now(), attempts);
  return { statements: [postponeJob(services, job, { dueAt, attempts })] };
}
