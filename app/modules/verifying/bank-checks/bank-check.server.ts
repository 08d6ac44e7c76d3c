import { bankChecks, organizations, payees, verifications } from "@db/schema";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type SystemActor, systemActor } from "~/kernel/actor";
import type { Job } from "~/modules/core/commands/job";
import type { DeadLetterEnding } from "~/modules/core/commands/outbox.server";
import { postponeJob } from "~/modules/core/commands/outbox.statements.server";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import { explainOutcome } from "~/modules/payees/verifications/outcomes";
import { checkIsRunning, endBankCheck } from "~/modules/payees/verifications/running-check.server";
import { verificationIsPending } from "~/modules/payees/verifications/verification.server";
import type { CheckResult } from "~/modules/verifying/bank-answers/compare-with-bank";
import type { NotifyServices, ReadServices, Services } from "~/services";
import { type CheckTimes, nextDeletionAt, nextStep, stateOf } from "./bank-check";
import { type Followed, followResult } from "./check-result.server";

/** What the consumers of bank checks need. */
export type Advancing = NotifyServices & Pick<Services, "log" | "bankData">;

const columns = {
  id: bankChecks.id,
  organizationId: bankChecks.organizationId,
  verificationId: bankChecks.verificationId,
  startedById: bankChecks.startedById,
  step: bankChecks.step,
  providerUserId: bankChecks.providerUserId,
  startedAt: bankChecks.startedAt,
  returnedAt: bankChecks.returnedAt,
  finishedAt: bankChecks.finishedAt,
  outcome: bankChecks.outcome,
  verification: {
    id: verifications.id,
    status: verifications.status,
    accountName: verifications.accountName,
    bsb: verifications.bsb,
    accountNumber: verifications.accountNumber,
    outcome: verifications.outcome,
    requestedById: verifications.requestedById,
    linkExpiresAt: verifications.verificationTokenExpiresAt,
    linkSentAt: verifications.notificationSentAt,
    confirmedAt: verifications.verifiedByPayeeAt,
  },
  payee: {
    id: payees.id,
    name: payees.name,
    abn: payees.abn,
    email: payees.email,
    phone: payees.phone,
    contactChangedAt: payees.contactChangedAt,
  },
  organizationName: organizations.name,
};

async function findOne(services: ReadServices, condition: SQL | undefined) {
  const [row] = await services.db
    .select(columns)
    .from(bankChecks)
    .innerJoin(
      verifications,
      and(eq(verifications.organizationId, bankChecks.organizationId), eq(verifications.id, bankChecks.verificationId)),
    )
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .innerJoin(organizations, eq(organizations.id, bankChecks.organizationId))
    .where(condition);
  return row;
}

/** A bank check with what it is about. */
export type BankCheck = NonNullable<Awaited<ReturnType<typeof findOne>>>;

/** The check a job moves on, of the job's organisation. */
export function findBankCheck(
  services: ReadServices,
  job: { organizationId: string | null; subjectId: string | null },
): Promise<BankCheck | undefined> {
  const { organizationId, subjectId } = job;
  if (organizationId === null || subjectId === null) return Promise.resolve(undefined);
  return findOne(services, and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, subjectId)));
}

/** Whose check a provider's user belongs to: events name nothing else. */
export function findCheckOfProviderUser(
  services: ReadServices,
  providerUserId: string,
): Promise<BankCheck | undefined> {
  return findOne(services, eq(bankChecks.providerUserId, providerUserId));
}

/** Which of the provider's users belong to checks of ours, of any organisation. */
export async function listProviderUsersOfChecks(
  { db }: ReadServices,
  providerUserIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (providerUserIds.length === 0) return new Set();
  const rows = await db
    .select({ id: bankChecks.providerUserId })
    .from(bankChecks)
    .where(sql`${bankChecks.providerUserId} IN (SELECT value FROM json_each(${JSON.stringify(providerUserIds)}))`);
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/** The running check whose payee comes back from the bank with this `state`, given as its hash. */
export function findCheckByState(services: ReadServices, stateHash: string): Promise<BankCheck | undefined> {
  return findOne(services, and(eq(bankChecks.stateHash, stateHash), isNull(bankChecks.finishedAt)));
}

/** What the rules of its life need to know of a check. */
export const timesOf = ({ startedAt, returnedAt, verification }: BankCheck): CheckTimes => ({
  lastActivityAt: Math.max(startedAt, verification.linkSentAt ?? 0, verification.confirmedAt ?? 0),
  linkExpiresAt: verification.linkExpiresAt,
  returnedAt,
});

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
