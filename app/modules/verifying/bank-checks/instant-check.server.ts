import { providerCalls, type Statement } from "@db/database";
import { releaseLease, takeLease } from "@db/lease";
import { and, eq, gt, lte } from "drizzle-orm";
import { allInOrder } from "~/kernel/all-in-order";
import { AppError, UpstreamError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import type { AccountQuestionCause, BankQuestionCause, CheckOutcome } from "~/kernel/enums";
import type { Account, BankDetails } from "~/kernel/payee";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import {
  type Acting,
  type CommandAudit,
  type IdempotentRequest,
  runCommand,
  runOnce,
} from "~/modules/core/commands/run-command.server";
import {
  type EarlierAnswer,
  findEarlierAnswer,
  keepAnswer,
} from "~/modules/payees/verifications/account-questions.server";
import { describeOutcome, wouldRepeatConfirmationOfPayee } from "~/modules/payees/verifications/outcomes";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.server";
import { VERDICT_OF_ANSWER } from "~/modules/payees/verifications/verdict";
import {
  getVerification,
  requireUndecided,
  type VerificationDetail,
  verificationChanged,
  verificationIsPending,
  verificationIsUndisputed,
} from "~/modules/payees/verifications/verification.server";
import type { InstantBankData, QuestionPurpose } from "~/ports/instant-bank-data";
import type { Actor, Services, WriteServices } from "~/services-and-actor";
import { type Consequences, checkWouldRepeat, consequencesOf } from "./bank-check.server";
import type { CheckResult } from "./compare-with-bank";
import { compareWithInstantAnswer, problemOf, withoutInstantAnswer } from "./compare-with-instant-answer";
import { type CountedQuestions, countOneQuestion, readLimits, requireMayAsk } from "./question-limits.server";

/** Longer than the provider may take to answer. */
const LEASE_MS = 30_000;

/** An answer that was not stored within this time is lost. Longer than asking and storing take together. */
export const LOST_AFTER_MS = MINUTE_MS;

export type AskServices = WriteServices &
  Pick<Services, "secrets" | "config" | "log" | "instantBankData" | "secondBankData">;

/** `running`: the same question is being asked at this moment, and its answer will follow shortly. */
export type InstantCheckAnswer =
  | { state: "running" }
  | { state: "answered"; outcome: CheckOutcome; reasonCode: string | null };

/**
 * Asks the payee's bank at once (Confirmation of Payee) and stores the answer. The bank is asked before anything is
 * written, once per call; an answer from the last 24 hours about the same account and name is used instead of asking
 * again. A provider failure is also a result, `unable`, with its reason.
 *
 * @throws AppError 404; 409 INSTANT_CHECK_NOT_CONFIGURED, ALREADY_DECIDED, PAYEE_DISPUTED, CHECK_WOULD_REPEAT,
 * VERIFICATION_CHANGED when it was decided or changed while the bank was asked; 402 SUBSCRIPTION_REQUIRED; 403
 * EMAIL_NOT_CONFIRMED; 429 RATE_LIMITED
 */
export async function askConfirmationOfPayee(
  services: AskServices,
  actor: Actor,
  input: { verificationId: string; idempotencyKey?: string },
): Promise<InstantCheckAnswer> {
  const { verificationId, idempotencyKey: key } = input;
  if (!services.instantBankData) throw notConfigured();
  const asked = { operation: "verification.check", key, input: { verificationId } };
  return runOnce<InstantCheckAnswer>(services, actor, asked, async (request) => {
    const [verification] = await allInOrder([
      getVerification(services, actor, verificationId).then((found) => {
        requireAskable(actor, found);
        return found;
      }),
      requireMayAsk(services, actor.organizationId),
    ]);
    const answered = await oneAtATime(services, { organizationId: actor.organizationId, ...verification }, async () => {
      const found = await findResult(services, actor.organizationId, verification);
      return recordAnswer(services, actor, verification, { found, request });
    });
    return answered ?? { state: "running" };
  });
}

/** If several requests ask about one account at the same moment, one of them asks; the others get undefined. */
export async function oneAtATime<Answer>(
  services: AskServices,
  { organizationId, bsb, accountNumber }: { organizationId: string } & Account,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const holder = services.ids.next();
  const name = `instant_check:${organizationId}:${bsb}${accountNumber}`;
  const lease = { name, holder, now: services.clock.now(), ttlMs: LEASE_MS };
  if (!(await takeLease(services.db, lease))) return undefined;
  try {
    return await ask();
  } finally {
    await release(services, lease);
  }
}

/** If the lease cannot be released it expires by itself, so an error here must not discard the result. */
async function release({ db, log }: AskServices, { name, holder }: { name: string; holder: string }): Promise<void> {
  await releaseLease(db, name, holder).catch((error) => log.warn("instant_check.lease_kept", { error: String(error) }));
}

function requireAskable(actor: Actor, verification: VerificationDetail): void {
  requireUndecided(actor, verification);
  if (wouldRepeatConfirmationOfPayee(verification)) throw checkWouldRepeat();
}

export type Found = {
  result: CheckResult;
  /** The id of the question that was sent; undefined when an earlier answer was used. */
  lookUpId?: string;
  /** The service that asked the bank. */
  answeredBy?: string;
  purpose: QuestionPurpose;
  earlier?: EarlierAnswer;
  /** The bank answered, for which the provider charges. */
  charged: boolean;
};

type AskedFor = {
  purpose?: QuestionPurpose;
  /** Called to store that the bank is about to be asked. */
  beforeAsking?: () => Promise<void>;
  /** Set when the question was counted together with others; absent: it is counted separately. */
  counted?: CountedQuestions | undefined;
};

/**
 * The bank's answer: a recent one, or a new one that counts towards limits and budget.
 * @throws AppError 409 BANK_BUDGET_USED_UP; 429 RATE_LIMITED
 */
export async function findResult(
  services: AskServices,
  organizationId: string,
  account: BankDetails,
  { purpose = "VADR", beforeAsking, counted }: AskedFor = {},
): Promise<Found> {
  const [earlier, provider, limits] = await Promise.all([
    findEarlierAnswer(services, organizationId, account),
    chooseService(services),
    counted ? undefined : readLimits(services, organizationId),
  ]);
  if (earlier) {
    const result = compareWithInstantAnswer(account, earlier.answer, earlier.checkedAt, earlier.answeredBy);
    return { result, earlier, purpose, charged: false };
  }
  const counting = counted ?? (await countOneQuestion(services, organizationId, { limits }));
  const question = counting.take();
  try {
    await beforeAsking?.().catch((error: unknown) => {
      // Another process is asking, so this question is not sent and does not count.
      question.takeBackQuestion();
      throw error;
    });
    const { result, charged, ...asked } = await ask(services, organizationId, provider, { account, purpose });
    if (!charged || result.outcome !== "no_match") question.takeBackUnconfirmed();
    if (!charged && wasNotAsked(result)) question.takeBackCost();
    return { result, charged, purpose, ...asked };
  } finally {
    if (!counted) await counting.giveBack();
  }
}

/** True if the provider says that no bank was asked. A lost answer may have been charged for. */
const wasNotAsked = ({ reasonCode }: CheckResult): boolean =>
  reasonCode !== "answer_lost" && reasonCode !== "answer_unclear";

/** Asks once about an account and name, and compares the answer; a provider failure is also a result. */
async function ask(
  services: AskServices,
  organizationId: string,
  provider: InstantBankData,
  { account, purpose }: { account: BankDetails; purpose: QuestionPurpose },
) {
  const lookUpId = services.ids.next();
  const { accountName, bsb, accountNumber } = account;
  const asked = { lookUpId, answeredBy: provider.service };
  try {
    const question = { lookUpId, requesterId: organizationId, accountName, bsb, accountNumber, purpose };
    const answer = await provider.lookUp(question);
    const result = compareWithInstantAnswer(account, answer, services.clock.now(), provider.service);
    return { ...asked, result, charged: answer.verdict !== "unable" };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    services.log.warn("instant_check.failed", { lookUpId, party: provider.party, error: error.message });
    return { ...asked, result: withoutInstantAnswer(problemOf(error.kind), services.clock.now()), charged: false };
  }
}

/** After a service has failed for this long the second is used, but for one question every few minutes. */
const DOWN_AFTER_MS = 10 * MINUTE_MS;
const TRIED_EVERY_MS = 5 * MINUTE_MS;

/** The service to ask: the first, or the second while the first is down. */
async function chooseService({ db, clock, ...services }: AskServices): Promise<InstantBankData> {
  const { instantBankData: first, secondBankData: second } = services;
  if (!first) throw notConfigured();
  if (!second) return first;
  const now = clock.now();
  const isDown = and(
    eq(providerCalls.party, first.party),
    lte(providerCalls.failingSince, now - DOWN_AFTER_MS),
    gt(providerCalls.lastFailedAt, now - TRIED_EVERY_MS),
  );
  const down = await db.select({ party: providerCalls.party }).from(providerCalls).where(isDown);
  return down.length > 0 ? second : first;
}

/** Why a bank was asked automatically. */
export type Cause = BankQuestionCause | AccountQuestionCause;

/** The payee may be edited just as a rule would approve it; it is then judged again. */
const TRIES = 3;

/**
 * Stores an answer and its consequences.
 * @param recorded.settles other statements that belong in the same batch
 * @param recorded.cause why the bank was asked automatically; absent: somebody asked
 */
export async function recordAnswer(
  services: AskServices,
  actor: Acting,
  { id, bsb, accountNumber, accountName }: Pick<VerificationDetail, "id" | keyof BankDetails>,
  {
    found,
    request,
    cause,
    settles = [],
  }: { found: Found; request?: IdempotentRequest; cause?: Cause; settles?: readonly Statement[] },
): Promise<InstantCheckAnswer> {
  const { organizationId } = actor;
  const { result, charged, earlier } = found;
  const { outcome, reasonCode } = result;
  const costCents = charged ? services.config.instantCheckCostCents : 0;
  const isSame = earlier?.verificationId === id;
  const account = { bsb, accountNumber, accountName };
  const kept = earlier ? [] : [keepAnswer(services, organizationId, account, { ...result, verificationId: id })];
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const checked = { organizationId, verificationId: id };
    const given = { result, costCents, findRunning: () => findRunningCheck(services, organizationId, id) };
    const consequences = isSame ? undefined : await consequencesOf(services, actor, checked, given);
    const written = await runCommand(services, actor, {
      conditions: [
        verificationIsPending(services, organizationId, id),
        verificationIsUndisputed(services, organizationId, id),
        ...(consequences?.conditions ?? []),
      ],
      statements: [...settles, ...kept],
      audit: [checkedEntry(id, found, { consequences, cause })],
      parts: consequences ? [consequences] : [],
      request,
      answer: { state: "answered", outcome, reasonCode } satisfies InstantCheckAnswer,
    });
    if (written.ok) return written.answer;
    if (written.refused !== "judged_meanwhile") break;
  }
  const policy = await findPolicy(services, organizationId);
  requireUndecided(policy, await getVerification(services, actor, id));
  throw verificationChanged();
}

/** The audit entry, with the provider's reference for its own record of the question. */
export function checkedEntry(
  entityId: string,
  { result, lookUpId, answeredBy, purpose, earlier }: Found,
  { consequences, cause }: { consequences?: Consequences; cause?: Cause },
): CommandAudit {
  const { outcome, reasonCode, resultData, match } = result;
  return {
    action: "verification.checked_at_once",
    entityId,
    details: {
      source: "cop",
      purpose,
      outcome,
      reasonCode,
      score: match?.score ?? null,
      bankVerdict: resultData?.bankVerdict ?? null,
      explanation: describeOutcome(outcome, reasonCode).fact,
      beside: consequences?.beside ?? null,
      verdict: consequences?.verdict ?? VERDICT_OF_ANSWER[outcome],
      ...(cause && { cause }),
      ...(lookUpId && { lookUpId }),
      ...(answeredBy && { answeredBy }),
      ...(earlier && { answeredFrom: earlier.verificationId ?? "account" }),
    },
  };
}

export const notConfigured = () =>
  new AppError("INSTANT_CHECK_NOT_CONFIGURED", "Confirmation of Payee is not set up here.");
