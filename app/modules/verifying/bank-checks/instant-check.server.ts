import type { Statement } from "@db/client";
import { releaseLease, takeLease } from "@db/lease";
import { providerCalls } from "@db/schema";
import { and, eq, gt, lte } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import type { AccountQuestionCause, BankQuestionCause, CheckOutcome } from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import { UpstreamError } from "~/kernel/upstream-error";
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
import { describeOutcome, wouldRepeatAtOnce } from "~/modules/payees/verifications/outcomes";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.server";
import {
  getVerification,
  requireUndecided,
  type VerificationDetail,
  verificationChanged,
  verificationIsPending,
  verificationIsUndisputed,
} from "~/modules/payees/verifications/verification.server";
import type { InstantBankData, QuestionPurpose } from "~/ports/instant-bank-data";
import type { Services, WriteServices } from "~/services";
import { checkWouldRepeat, type Followed, followResult } from "./bank-check.server";
import type { CheckResult } from "./compare-with-bank";
import { compareWithInstantAnswer, problemOf, withoutInstantAnswer } from "./compare-with-instant-answer";
import { type CountedQuestions, countQuestions, requireMayAsk } from "./question-limits.server";

/** Longer than the provider may take to answer. */
const LEASE_MS = 30_000;

/** After so long an answer that nobody wrote down is lost. Longer than a question and its writing take. */
export const LOST_AFTER_MS = MINUTE_MS;

export type AskingAtOnce = WriteServices &
  Pick<Services, "secrets" | "config" | "log" | "instantBankData" | "secondBankData">;
type Asking = AskingAtOnce;

/** `running`: the same question is under way at this very moment, and its answer is seen soon. */
export type CheckedAtOnce =
  | { state: "running" }
  | { state: "answered"; outcome: CheckOutcome; reasonCode: string | null };

/**
 * Asks the payee's bank at once (Confirmation of Payee), and writes what it says. The bank is asked before anything is
 * written, once for each call; what it said of the same account and name in the last 24 hours stands for asking again.
 * A failure of the provider is a result, `unable`, which says what is known of it.
 *
 * @throws AppError 404; 409 INSTANT_CHECK_NOT_CONFIGURED, ALREADY_DECIDED, PAYEE_DISPUTED, CHECK_WOULD_REPEAT,
 * VERIFICATION_CHANGED when it was decided or changed while the bank was asked; 402 SUBSCRIPTION_REQUIRED; 403
 * EMAIL_NOT_CONFIRMED; 429 RATE_LIMITED
 */
export async function checkAtOnce(
  services: Asking,
  actor: Actor,
  input: { verificationId: string; idempotencyKey?: string },
): Promise<CheckedAtOnce> {
  const { verificationId, idempotencyKey: key } = input;
  if (!services.instantBankData) throw notConfigured();
  const asked = { operation: "verification.check", key, input: { verificationId } };
  return runOnce<CheckedAtOnce>(services, actor, asked, async (request) => {
    const verification = await getVerification(services, actor, verificationId);
    await requireAllowed(services, actor, verification);
    const answered = await oneAtATime(services, { organizationId: actor.organizationId, ...verification }, async () => {
      const found = await findResult(services, actor.organizationId, verification);
      return recordAnswer(services, actor, verification, { found, request });
    });
    return answered ?? { state: "running" };
  });
}

/** Of several who ask about one account at the same moment one asks; for the others undefined. */
export async function oneAtATime<Answer>(
  services: Asking,
  { organizationId, bsb, accountNumber }: { organizationId: string } & Pick<BankDetails, "bsb" | "accountNumber">,
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

/** A lease that cannot be released ends by itself, and takes no result away. */
async function release({ db, log }: Asking, { name, holder }: { name: string; holder: string }): Promise<void> {
  await releaseLease(db, name, holder).catch((error) => log.warn("instant_check.lease_kept", { error: String(error) }));
}

async function requireAllowed(services: Asking, actor: Actor, verification: VerificationDetail): Promise<void> {
  await requireUndecided(services, actor, verification);
  if (wouldRepeatAtOnce(verification)) throw checkWouldRepeat();
  await requireMayAsk(services, actor.organizationId);
}

export type Found = {
  result: CheckResult;
  /** Of the question that went out; undefined where an earlier answer stood for it. */
  lookUpId?: string;
  /** The service that asked the bank. */
  answeredBy?: string;
  purpose: QuestionPurpose;
  earlier?: EarlierAnswer;
  /** The bank answered, which the provider charges for. */
  charged: boolean;
};

type AskedFor = {
  purpose?: QuestionPurpose;
  /** Keeps that the bank is about to be asked. */
  beforeAsking?: () => Promise<void>;
  /** The question was counted with others; absent: it is counted by itself. */
  counted?: CountedQuestions | undefined;
};

/**
 * The bank's answer: the one it gave a short while ago, or a new one that is counted by limits and budget.
 * @throws AppError 409 BANK_BUDGET_USED_UP; 429 RATE_LIMITED
 */
export async function findResult(
  services: Asking,
  organizationId: string,
  account: BankDetails,
  { purpose = "VADR", beforeAsking, counted }: AskedFor = {},
): Promise<Found> {
  const earlier = await findEarlierAnswer(services, organizationId, account);
  if (earlier) {
    const result = compareWithInstantAnswer(account, earlier.answer, earlier.checkedAt, earlier.answeredBy);
    return { result, earlier, purpose, charged: false };
  }
  const counting = counted ?? (await countQuestions(services, organizationId, 1));
  const question = counting.take();
  try {
    await beforeAsking?.().catch((error: unknown) => {
      // Another asks: this question does not go out, and counts for nothing.
      question.takeBackQuestion();
      throw error;
    });
    const { result, charged, ...asked } = await ask(services, organizationId, { account, purpose });
    if (!charged || result.outcome !== "no_match") question.takeBackUnconfirmed();
    if (!charged && wasNotAsked(result)) question.takeBackCost();
    return { result, charged, purpose, ...asked };
  } finally {
    if (!counted) await counting.giveBack();
  }
}

/** The provider says that no bank was asked. An answer that was lost may have been charged for. */
const wasNotAsked = ({ reasonCode }: CheckResult): boolean =>
  reasonCode !== "answer_lost" && reasonCode !== "answer_unclear";

/** Asks once about an account under a name, and compares the answer; a failure of the provider is a result too. */
async function ask(
  services: Asking,
  organizationId: string,
  { account, purpose }: { account: BankDetails; purpose: QuestionPurpose },
) {
  const provider = await chooseService(services);
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

/** A service that has failed for so long is left alone while there is another, but for one question every few minutes. */
const DOWN_AFTER_MS = 10 * MINUTE_MS;
const TRIED_EVERY_MS = 5 * MINUTE_MS;

/** Who is asked now: the first service, or the second while the first is down. */
async function chooseService({ db, clock, ...services }: Asking): Promise<InstantBankData> {
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

/** Why a bank was asked without anybody pressing the button of a verification. */
export type Cause = BankQuestionCause | AccountQuestionCause;

/** The payee may be edited at the very moment at which a rule would approve it: it is then judged again. */
const TRIES = 3;

/**
 * Writes an answer and what follows from it.
 * @param recorded.settles what else ends with it, in the same batch
 * @param recorded.cause why the bank was asked by itself; absent: somebody asked
 */
export async function recordAnswer(
  services: Asking,
  actor: Acting,
  { id, bsb, accountNumber, accountName }: Pick<VerificationDetail, "id" | keyof BankDetails>,
  {
    found,
    request,
    cause,
    settles = [],
  }: { found: Found; request?: IdempotentRequest; cause?: Cause; settles?: readonly Statement[] },
): Promise<CheckedAtOnce> {
  const { organizationId } = actor;
  const { result, charged, earlier } = found;
  const { outcome, reasonCode } = result;
  const costCents = charged ? services.config.instantCheckCostCents : 0;
  const isSame = earlier?.verificationId === id;
  const account = { bsb, accountNumber, accountName };
  const kept = earlier ? [] : [keepAnswer(services, organizationId, account, { ...result, verificationId: id })];
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const running = await findRunningCheck(services, organizationId, id);
    const checked = { organizationId, verificationId: id };
    const following = { result, costCents, isBesideAnother: running !== undefined };
    const followed = isSame ? undefined : await followResult(services, actor, checked, following);
    const written = await runCommand(services, actor, {
      conditions: [
        verificationIsPending(services, organizationId, id),
        verificationIsUndisputed(services, organizationId, id),
        ...(followed?.conditions ?? []),
      ],
      statements: [...settles, ...kept],
      audit: [checkedEntry(id, found, { beside: followed?.beside ?? null, cause })],
      parts: followed ? [followed] : [],
      request,
      answer: { state: "answered", outcome, reasonCode } satisfies CheckedAtOnce,
    });
    if (written.ok) return written.answer;
    if (written.refused !== "judged_meanwhile") break;
  }
  await requireUndecided(services, actor, await getVerification(services, actor, id));
  throw verificationChanged();
}

/** The entry of the trail, with which the provider can find its own record of the question. */
export function checkedEntry(
  entityId: string,
  { result, lookUpId, answeredBy, purpose, earlier }: Found,
  { beside, cause }: { beside: Followed["beside"]; cause?: Cause },
): CommandAudit {
  const { outcome, reasonCode, resultData, match } = result;
  return {
    action: "verification.checked_at_once",
    entityType: "verification",
    entityId,
    details: {
      source: "cop",
      purpose,
      outcome,
      reasonCode,
      score: match?.score ?? null,
      bankVerdict: resultData?.bankVerdict ?? null,
      explanation: describeOutcome(outcome, reasonCode).fact,
      beside,
      ...(cause && { cause }),
      ...(lookUpId && { lookUpId }),
      ...(answeredBy && { answeredBy }),
      ...(earlier && { answeredFrom: earlier.verificationId ?? "account" }),
    },
  };
}

export const notConfigured = () =>
  new AppError("INSTANT_CHECK_NOT_CONFIGURED", 409, "Confirmation of Payee is not set up here.");
