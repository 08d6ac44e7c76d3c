import {
  bankChecks,
  type Condition,
  columnsOf,
  organizations,
  payees,
  type Statement,
  verifications,
} from "@db/database";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import type { VerdictName } from "~/kernel/verdicts";
import { findPolicy, policyIsUnchanged } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import type { DeadLetterEnding } from "~/modules/core/commands/outbox.server";
import { type CommandAudit, postponeJob } from "~/modules/core/commands/run-command.server";
import { payeeIsUnchanged, whitelistPayee } from "~/modules/payees/payee.server";
import { explainOutcome, gradeDetails, gradeFactsOf, gradeOf } from "~/modules/payees/verifications/outcomes";
import { barToRule, findReviewFlags, flagFactsOf } from "~/modules/payees/verifications/review-flags";
import { checkIsRunning, endBankCheck } from "~/modules/payees/verifications/running-check.server";
import { headlineBesideAnswer, headlineOf } from "~/modules/payees/verifications/verdict";
import { isConclusive, statusAfterOutcome } from "~/modules/payees/verifications/verification";
import {
  endVerification,
  lastDecisionOf,
  verificationIsPending,
} from "~/modules/payees/verifications/verification.server";
import { returnRequestedPayments } from "~/modules/rules/payment-holds.statements.server";
import {
  type Origin,
  type ReadServices,
  type Services,
  type SystemActor,
  systemActor,
  type WriteServices,
} from "~/services-and-actor";
import { type CheckTimes, type Effect, nextDeletionAt, nextStep, stateOf } from "./bank-check";
import type { CheckResult } from "./compare-with-bank";

/** The services that bank check consumers need. */
export type Advancing = WriteServices & Pick<Services, "bankData">;

const columns = {
  ...columnsOf(bankChecks, "id", "organizationId", "verificationId", "startedById", "step", "providerUserId"),
  ...columnsOf(bankChecks, "startedAt", "returnedAt", "silentSince", "silentMs", "finishedAt", "outcome"),
  verification: {
    ...columnsOf(verifications, "id", "status", "accountName", "bsb", "accountNumber", "outcome", "requestedById"),
    linkExpiresAt: verifications.verificationTokenExpiresAt,
    linkSentAt: verifications.notificationSentAt,
    confirmedAt: verifications.verifiedByPayeeAt,
  },
  payee: columnsOf(payees, "id", "name", "abn", "email", "phone", "contactChangedAt"),
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

/** A bank check with its verification and payee. */
export type BankCheck = NonNullable<Awaited<ReturnType<typeof findOne>>>;

/** The check that a job advances, in the job's organisation. */
export function findBankCheck(
  services: ReadServices,
  job: { organizationId: string | null; subjectId: string | null },
): Promise<BankCheck | undefined> {
  const { organizationId, subjectId } = job;
  if (organizationId === null || subjectId === null) return Promise.resolve(undefined);
  return findOne(services, and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, subjectId)));
}

/** The check of a provider's user: events identify nothing else. */
export function findCheckOfProviderUser(services: ReadServices, providerUserId: string) {
  return findOne(services, eq(bankChecks.providerUserId, providerUserId));
}

/** Which of these provider users belong to our checks, in any organisation. */
export async function listProviderUsersOfChecks({ db }: ReadServices, providerUserIds: readonly string[]) {
  if (providerUserIds.length === 0) return new Set();
  const rows = await db
    .select({ id: bankChecks.providerUserId })
    .from(bankChecks)
    .where(sql`${bankChecks.providerUserId} IN (SELECT value FROM json_each(${JSON.stringify(providerUserIds)}))`);
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/** The running check whose payee returns from the bank with this `state`, given as its hash. */
export function findCheckByState(services: ReadServices, stateHash: string): Promise<BankCheck | undefined> {
  return findOne(services, and(eq(bankChecks.stateHash, stateHash), isNull(bankChecks.finishedAt)));
}

/** The times of a check that its state machine needs. */
export const timesOf = ({ startedAt, returnedAt, silentSince, silentMs, verification }: BankCheck): CheckTimes => ({
  lastActivityAt: Math.max(startedAt, verification.linkSentAt ?? 0, verification.confirmedAt ?? 0),
  linkExpiresAt: verification.linkExpiresAt,
  returnedAt,
  silentSince,
  silentMs,
});

/**
 * Everything that follows from the end of a check: the result beside the submitted details, the status it leads to, and
 * the audit entry from which alerts tell the requester. The command must require the conditions that this returns.
 */
export async function finishCheck(
  services: Advancing,
  actor: SystemActor,
  check: BankCheck,
  { result, charged }: Pick<Extract<Effect, { do: "finish" }>, "result" | "charged">,
) {
  const { outcome, reasonCode } = result;
  const costCents = charged ? services.config.bankCheckCostCents : 0;
  const consequences = await consequencesOf(services, actor, check, { result, costCents });
  const details = {
    outcome,
    reasonCode,
    score: result.match?.score ?? null,
    explanation: explainOutcome(outcome, reasonCode),
    beside: consequences.beside,
    verdict: consequences.verdict,
  };
  const { verificationId: entityId } = check;
  return {
    conditions: [
      verificationIsPending(services, check.organizationId, entityId),
      checkIsRunning(services, check),
      ...consequences.conditions,
    ],
    statements: [endBankCheck(services, check, { outcome, reasonCode }), ...consequences.statements],
    audit: [
      { action: "verification.bank_check_finished", entityId, details },
      ...consequences.audit,
    ] satisfies CommandAudit[],
  };
}

/**
 * Ends a bank check whose job the queue could not deliver: the check ends as `unable`, and the job runs again to delete
 * the provider's data. If the check has ended already, the job runs again only for that.
 */
export async function endDeadBankCheck(services: Advancing, job: Job): Promise<DeadLetterEnding | undefined> {
  const check = await findBankCheck(services, job);
  if (!check) return undefined;
  const now = services.clock.now();
  const effect = nextStep(stateOf(check), { type: "dead_lettered" }, timesOf(check), now);
  if (effect.do === "delete_later") return postponeDeadDeletion(services, job);
  if (effect.do !== "finish") return undefined;
  const finished = await finishCheck(services, systemActor(check.organizationId, job.id), check, effect);
  return {
    conditions: finished.conditions,
    statements: [postponeJob(services, job, { dueAt: now, attempts: 0 })],
    parts: [finished],
    woken: [{ id: job.id, kind: job.kind }],
  };
}

/** A deletion at the provider that the queue could not deliver becomes due again, until it is done. */
export async function postponeDeadDeletion(services: WriteServices, job: Job): Promise<DeadLetterEnding> {
  const attempts = job.attempts + 1;
  const dueAt = nextDeletionAt(services.clock.now(), attempts);
  return { statements: [postponeJob(services, job, { dueAt, attempts })] };
}

/** The error when asking again could not give a new result, whichever way the bank is asked. */
export const checkWouldRepeat = () =>
  new AppError(
    "CHECK_WOULD_REPEAT",
    "Asking the bank again would say nothing new about this account. Confirm the details another way.",
  );

const APPROVED_BY_CONSENT = "Exact match at the payee's own bank";
const APPROVED_AT_ONCE = "Exact match by Confirmation of Payee";

type ResultServices = Pick<Services, "db" | "clock" | "ids">;

/** A verification whose check has ended. */
type Checked = { organizationId: string; verificationId: string };

type Found = {
  result: CheckResult;
  /** The provider's charge. */
  costCents: number;
  /** Finds another check of the verification in progress: the result is then stored but decides nothing. */
  findRunning?: () => Promise<unknown>;
};

export type Consequences = {
  /** The conditions that the facts which the rules judged still hold; if one fails, the command computes again. */
  conditions: readonly Condition<"judged_meanwhile">[];
  statements: Statement[];
  audit: CommandAudit[];
  /** What the page says beside the bank's answer to the person who decides; null: nothing, or it is decided. */
  beside: ReturnType<typeof headlineBesideAnswer>;
  /** The page's verdict; of a closed account it is that, although the verification has failed. */
  verdict: VerdictName;
};

/**
 * The consequences of a check's result, whichever way the bank was asked: the result beside the submitted details, and
 * the status that a rule sets, with its audit entry. The command must require `verificationIsPending` and the
 * conditions that this returns, and writes its own entry about the check; the rules act as the system.
 */
export async function consequencesOf(
  services: ResultServices,
  { origin }: { origin: Origin },
  checked: Checked,
  { result, costCents, findRunning }: Found,
): Promise<Consequences> {
  const [subject, policy, another] = await Promise.all([
    getSubject(services, checked),
    findPolicy(services, checked.organizationId),
    findRunning?.(),
  ]);
  const isBesideAnother = another !== undefined;
  const { outcome, reasonCode, match } = result;
  const answer = { outcome, matchType: match?.matchType ?? null };
  const now = { outcome, nameMatchScore: match?.score ?? null, resultData: result.resultData };
  const flags = findReviewFlags({ ...flagFactsOf(subject), ...now });
  const judged = { ...subject, flags, wasRejected: subject.lastDecision === "rejected" };
  const isApproved = !isBesideAnother && !barToRule(answer, judged, policy);
  const status = isBesideAnother ? "pending" : isApproved ? "verified" : statusAfterOutcome(outcome, reasonCode);
  const ending = endingOf(services, origin, { ...checked, payee: subject.payee }, { status, result });
  const said = { status, outcome, reasonCode, flags, isWaiting: isBesideAnother, check: null };
  return {
    conditions: isApproved ? isAsJudged(services, checked, subject.payee) : [],
    statements: [recordResult(services, checked, subject, { result, costCents }), ...ending.statements],
    audit: ending.audit,
    beside: status === "pending" ? headlineBesideAnswer(said) : null,
    verdict: outcome === "account_closed" ? outcome : headlineOf(said).name,
  };
}

/** The verification at this moment: another check of it may have ended, and people keep working on its payee. */
async function getSubject({ db }: ResultServices, { organizationId, verificationId }: Checked) {
  const [row] = await db
    .select({
      ...columnsOf(verifications, "outcome", "nameMatchScore", "resultData", "evidence"),
      ...columnsOf(verifications, "accountName", "disputedByPayeeAt", "createdAt"),
      lastDecision: lastDecisionOf(organizationId, verifications.payeeId),
      payee: {
        ...columnsOf(payees, "id", "name", "version", "whitelisted", "bankDetailsChangedAt", "renamedAt"),
        ...columnsOf(payees, "contactChangedAt", "disputedAt", "draftSince", "takenOffWhitelistAt", "archivedAt"),
      },
    })
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
  if (!row) throw new Error(`verification ${verificationId} of a check is not there`);
  return row;
}

/** The conditions that since the judgement nobody edited or disputed the payee, or changed the policy's say. */
const isAsJudged = (
  services: ResultServices,
  { organizationId }: Checked,
  payee: { id: string; version: number },
): Condition<"judged_meanwhile">[] => [
  { ...payeeIsUnchanged(services, organizationId, payee), name: "judged_meanwhile" },
  {
    ...policyIsUnchanged(organizationId, { autoApproveExact: true, secondPersonRequired: false }, services.clock.now()),
    name: "judged_meanwhile",
  },
];

/** The match class that lists show for a result without a score. */
const CLASS_WITHOUT_SCORE: Partial<Record<CheckOutcome, "exact" | "fuzzy">> = { match: "exact", close_match: "fuzzy" };

/** An `unable` result says nothing, so it never replaces an earlier result that says something. */
export function recordResult(
  { db }: ResultServices,
  { organizationId, verificationId }: Checked,
  { outcome: known }: { outcome: CheckOutcome | null },
  { result, costCents }: Found,
): Statement {
  const { match, outcome, reasonCode, resultData } = result;
  const keepsKnown = !isConclusive(outcome) && known !== null && isConclusive(known);
  const found = {
    method: "basiq" as const,
    outcome,
    reasonCode,
    resultData,
    verifiedName: resultData?.accountName ?? null,
    nameMatch: match === null ? null : match.matchType === "exact",
    nameMatchScore: match?.score ?? null,
    matchType: match?.matchType ?? CLASS_WITHOUT_SCORE[outcome] ?? ("none" as const),
    nameDifferences: match?.differences ?? null,
  };
  return db
    .update(verifications)
    .set({ ...(keepsKnown ? {} : found), cost: sql`coalesce(${verifications.cost}, 0) + ${costCents}` })
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
}

const gradeByRule = ({ outcome, resultData }: CheckResult) =>
  gradeOf(gradeFactsOf({ status: "verified", method: "basiq", outcome, resultData, isCalledBack: 0, decider: "rule" }));

function endingOf(
  services: ResultServices,
  origin: Origin,
  { organizationId, verificationId, payee }: Checked & { payee: { id: string } },
  { status, result }: { status: VerificationStatus; result: CheckResult },
): { statements: Statement[]; audit: CommandAudit[] } {
  if (status !== "failed" && status !== "verified") return { statements: [], audit: [] };
  const { outcome, reasonCode, resultData } = result;
  const byRule = { userId: null, organizationId, origin };
  const approved = resultData?.source === "cop" ? APPROVED_AT_ONCE : APPROVED_BY_CONSENT;
  const reason = status === "failed" ? explainOutcome(outcome, reasonCode) : approved;
  const ending = { decisionId: services.ids.next(), verificationId, status, reason, ...(reasonCode && { reasonCode }) };
  const statements = [
    ...endVerification(services, byRule, ending),
    ...returnRequestedPayments(services, byRule, verificationId),
  ];
  const entry = { entityId: verificationId, bySystem: true } as const;
  if (status === "failed") {
    return { statements, audit: [{ ...entry, action: "verification.failed", details: { reasonCode } }] };
  }
  return {
    statements: [...statements, whitelistPayee(services, byRule, { payeeId: payee.id, reason })],
    audit: [
      {
        ...entry,
        action: "verification.approved",
        details: { reason, by: "policy", ...gradeDetails(gradeByRule(result)) },
      },
      { action: "payee.whitelisted", entityId: payee.id, bySystem: true, details: { reason, verificationId } },
    ],
  };
}
