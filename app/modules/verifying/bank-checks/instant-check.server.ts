import type { Statement } from "@db/client";
import { releaseLease, takeLease } from "@db/lease";
import { countHit, countUpTo, readHits, takeBackHit } from "@db/rate-counter";
import { verifications } from "@db/schema/index";
import { and, desc, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { addMonths, DAY_MS, HOUR_MS, isoDay } from "~/kernel/dates";
import type { BankQuestionCause, CheckOutcome } from "~/kernel/enums";
import { INSTANT_CHECKS_PER_DAY } from "~/kernel/limits";
import { formatAud } from "~/kernel/money";
import { UpstreamError, type UpstreamErrorKind } from "~/kernel/upstream-error";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { type IdempotentRequest, runOnce } from "~/modules/core/commands/idempotency.server";
import { type Acting, type CommandAudit, runCommand } from "~/modules/core/commands/run-command.server";
import { isKnownPayer, senderIsConfirmed } from "~/modules/messages/notifications/outside-messages.queries.server";
import { type MatchType, matchNames, type NameMatch } from "~/modules/name-match/index";
import { describeOutcome, type ReasonCode, wouldRepeatAtOnce } from "~/modules/payees/verifications/outcomes";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.server";
import { holdsInstantAnswer, type ResultData } from "~/modules/payees/verifications/verification";
import {
  getVerification,
  requireUndecided,
  type VerificationDetail,
  verificationChanged,
  verificationIsPending,
  verificationIsUndisputed,
} from "~/modules/payees/verifications/verification.server";
import type { InstantAnswer, InstantBankData, InstantVerdict } from "~/ports/instant-bank-data";
import type { ReadServices, Services, WriteServices } from "~/services";
import { checkWouldRepeat, type Followed, followResult } from "./bank-check.server";
import { type CheckResult, OUTCOME_OF, type SubmittedDetails } from "./compare-with-bank";

/** Longer than the provider may take to answer. */
const LEASE_MS = 30_000;

export type AskingAtOnce = WriteServices & Pick<Services, "secrets" | "config" | "log" | "instantBankData">;
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
  const { instantBankData } = services;
  if (!instantBankData) throw notConfigured();
  const asked = { operation: "verification.check", key, input: { verificationId } };
  return runOnce<CheckedAtOnce>(services, actor, asked, async (request) => {
    const verification = await getVerification(services, actor, verificationId);
    await requireAllowed(services, actor, verification);
    const answered = await oneAtATime(services, verificationId, async () => {
      const found = await findResult(services, actor, verification, instantBankData);
      return recordAnswer(services, actor, verification, { found, request });
    });
    return answered ?? { state: "running" };
  });
}

/** Of several who ask about one verification at the same moment one asks; for the others undefined. */
export async function oneAtATime<Answer>(
  services: Asking,
  verificationId: string,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const holder = services.ids.next();
  const lease = { name: `instant_check:${verificationId}`, holder, now: services.clock.now(), ttlMs: LEASE_MS };
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

/** @throws AppError 402 SUBSCRIPTION_REQUIRED; 403 EMAIL_NOT_CONFIRMED */
export async function requireMayAsk(services: Asking, organizationId: string): Promise<void> {
  await requireLiveSubscription(services, organizationId);
  const confirmed = await senderIsConfirmed(services, organizationId);
  if (confirmed.length === 0) throw notConfirmed();
}

export type Found = {
  result: CheckResult;
  /** Of the question that went out; undefined where an earlier answer stood for it. */
  lookUpId?: string;
  earlier?: EarlierAnswer;
  /** The bank answered, which the provider charges for. */
  charged: boolean;
};

/**
 * The bank's answer: the one it gave a short while ago, or a new one.
 * @param beforeAsking keeps that the bank is about to be asked
 * @throws AppError 409 BANK_BUDGET_USED_UP; 429 RATE_LIMITED
 */
export async function findResult(
  services: Asking,
  actor: { organizationId: string },
  verification: VerificationDetail,
  provider: InstantBankData,
  beforeAsking?: () => Promise<void>,
): Promise<Found> {
  const earlier = await findEarlierAnswer(services, actor, verification, services.clock.now());
  if (earlier) {
    const result = compareWithInstantAnswer(verification, earlier.answer, earlier.checkedAt);
    return { result, earlier, charged: false };
  }
  return askAndCount(services, actor, verification, provider, beforeAsking);
}

/**
 * A new answer of the bank, counted by limits and budget.
 * @throws AppError 409 BANK_BUDGET_USED_UP; 429 RATE_LIMITED
 */
export async function askAndCount(
  services: Asking,
  actor: { organizationId: string },
  verification: SubmittedDetails,
  provider: InstantBankData,
  beforeAsking?: () => Promise<void>,
): Promise<Found> {
  const counted = await countQuestion(services, actor.organizationId);
  try {
    await beforeAsking?.();
  } catch (error) {
    // Another asks: this question does not go out, and counts for nothing.
    await counted.takeBackQuestion();
    throw error;
  }
  const { result, lookUpId, charged } = await ask(services, actor, verification, provider);
  if (!charged || result.outcome !== "no_match") await counted.takeBackUnconfirmed();
  if (!charged && wasNotAsked(result)) await counted.takeBackCost();
  return { result, lookUpId, charged };
}

/** The provider says that no bank was asked. An answer that was lost may have been charged for. */
const wasNotAsked = ({ reasonCode }: CheckResult): boolean =>
  reasonCode !== "answer_lost" && reasonCode !== "answer_unclear";

/** Asks the provider once about an account under a name, and compares its answer; its failure is a result too. */
async function ask(
  services: Asking,
  actor: { organizationId: string },
  verification: SubmittedDetails,
  provider: InstantBankData,
) {
  const lookUpId = services.ids.next();
  const { accountName, bsb, accountNumber } = verification;
  try {
    const question = { lookUpId, requesterId: actor.organizationId, accountName, bsb, accountNumber };
    const answer = await provider.lookUp(question);
    const result = compareWithInstantAnswer(verification, answer, services.clock.now());
    return { result, lookUpId, charged: answer.verdict !== "unable" };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    services.log.warn("instant_check.failed", { lookUpId, error: error.message });
    const result = withoutInstantAnswer(problemOf(error.kind), services.clock.now());
    return { result, lookUpId, charged: false };
  }
}

const unconfirmedKey = (organizationId: string) => `instant-no-match:${organizationId}`;
const questionsKey = (organizationId: string) => `instant-check:${organizationId}`;
/** "2026-11": the calendar month where the organisation is. */
const monthOf = (now: number, timeZone: string) => isoDay(now, timeZone).slice(0, 7);
const budgetKey = (organizationId: string, month: string) => `bank-budget:${organizationId}:${month}`;
/** A month's budget is remembered until no clock anywhere is in that month. */
const endOfBudget = (month: string) => addMonths(Date.parse(`${month}-01T00:00:00Z`), 1) + DAY_MS;

/** Few answers may say that a name is not confirmed: names of accounts are not there to be guessed. */
async function limitsOf(services: ReadServices, organizationId: string) {
  return (await isKnownPayer(services, organizationId))
    ? INSTANT_CHECKS_PER_DAY.withCard
    : INSTANT_CHECKS_PER_DAY.trial;
}

/** What keeps an organisation from having a bank asked just now, by its limits and its budget; undefined: nothing does. */
export async function findLimitReached(
  services: Asking,
  organizationId: string,
): Promise<"unconfirmed" | "questions" | "budget" | undefined> {
  const { db, clock, config } = services;
  const now = clock.now();
  const [limits, policy, unconfirmed, questions] = await Promise.all([
    limitsOf(services, organizationId),
    findPolicy(services, organizationId),
    readHits(db, unconfirmedKey(organizationId), now),
    readHits(db, questionsKey(organizationId), now),
  ]);
  if (unconfirmed >= limits.unconfirmed) return "unconfirmed";
  if (questions >= limits.questions) return "questions";
  const spent = await readHits(db, budgetKey(organizationId, monthOf(now, policy.timeZone)), now);
  return spent + config.instantCheckCostCents > policy.bankBudgetCents ? "budget" : undefined;
}

/**
 * Counts this question and its cost, and counts its answer as one that does not confirm the name until it is known:
 * questions at the same moment cannot pass the limits.
 * @throws AppError 409 BANK_BUDGET_USED_UP; 429 RATE_LIMITED
 */
async function countQuestion(services: Asking, organizationId: string) {
  const { db, clock, config } = services;
  const now = clock.now();
  const [limits, policy] = await Promise.all([
    limitsOf(services, organizationId),
    findPolicy(services, organizationId),
  ]);
  const unconfirmed = await countHit(db, unconfirmedKey(organizationId), DAY_MS, now);
  const takeBackUnconfirmed = () => takeBackHit(db, unconfirmedKey(organizationId), unconfirmed.windowEndsAt);
  if (unconfirmed.count > limits.unconfirmed) {
    await takeBackUnconfirmed();
    throw limited(
      "Too many of today's answers said, or may still say, that a bank does not confirm the name.",
      HOUR_MS,
    );
  }
  const asked = await countHit(db, questionsKey(organizationId), DAY_MS, now);
  if (asked.count > limits.questions) {
    await takeBackUnconfirmed();
    throw limited(`Your organisation has asked banks ${limits.questions} times today.`, asked.windowEndsAt - now);
  }
  const amount = config.instantCheckCostCents;
  const month = monthOf(now, policy.timeZone);
  const key = budgetKey(organizationId, month);
  const windowEndsAt = endOfBudget(month);
  const takeBackAsked = async () => {
    await takeBackUnconfirmed();
    await takeBackHit(db, questionsKey(organizationId), asked.windowEndsAt);
  };
  if (amount > 0 && !(await countUpTo(db, key, { amount, limit: policy.bankBudgetCents, windowEndsAt }))) {
    await takeBackAsked();
    throw budgetUsedUp(policy.bankBudgetCents);
  }
  const takeBackCost = async () => {
    if (amount > 0) await takeBackHit(db, key, windowEndsAt, amount);
  };
  const takeBackQuestion = async () => {
    await takeBackAsked();
    await takeBackCost();
  };
  return { takeBackUnconfirmed, takeBackCost, takeBackQuestion };
}

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
  { id }: Pick<VerificationDetail, "id">,
  {
    found,
    request,
    cause,
    settles = [],
  }: { found: Found; request?: IdempotentRequest; cause?: BankQuestionCause; settles?: readonly Statement[] },
): Promise<CheckedAtOnce> {
  const { organizationId } = actor;
  const { result, charged, earlier } = found;
  const { outcome, reasonCode } = result;
  const costCents = charged ? services.config.instantCheckCostCents : 0;
  const isSame = earlier?.verificationId === id;
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
      statements: settles,
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

/** Why the bank is asked, as the industry's purpose codes have it: to verify a payee's details, not to make a payment. */
const PURPOSE = "VADR";

/** What follows from an answer that a bank gave at once (Confirmation of Payee). Pure. */

type NameVerdict = Extract<InstantVerdict, "match" | "close_match" | "no_match">;

/** The class that the bank's own verdict stands for. */
const CLASS_OF: Record<NameVerdict, MatchType> = { match: "exact", close_match: "fuzzy", no_match: "none" };

/** The highest score of each class, so that a score never says more than its class. */
const MOST: Record<MatchType, number> = { exact: 100, fuzzy: 94, none: 69 };

/** Said where the bank gives a verdict and keeps the name to itself. */
const WITHOUT_NAME: Record<NameVerdict, ReasonCode> = {
  match: "name_confirmed",
  close_match: "name_close_withheld",
  no_match: "name_not_confirmed",
};

/** Why there is no answer about the account, by what went wrong on the way. */
const PROBLEM_OF: Record<UpstreamErrorKind, ReasonCode> = {
  timeout: "answer_lost",
  unreachable: "answer_lost",
  rate_limited: "provider_busy",
  unavailable: "answer_lost",
  malformed: "answer_unclear",
  wrong_tenant: "answer_unclear",
  rejected: "details_not_accepted",
};

/**
 * Compares what was submitted with the bank's answer. Where the bank gives a name, our own score stands beside its verdict
 * and the stricter of the two decides; where it gives none, there is no score and its verdict decides alone.
 *
 * @param checkedAt epoch milliseconds, kept with the result
 */
export function compareWithInstantAnswer(
  submitted: SubmittedDetails,
  answer: InstantAnswer,
  checkedAt: number,
): CheckResult {
  if (answer.verdict === "unable") return withoutInstantAnswer(answer.problem, checkedAt);
  const { verdict, name } = answer;
  const asked = { source: "cop", bankVerdict: verdict, checkedAt } as const;
  const { bsb, accountNumber } = submitted;
  switch (verdict) {
    case "account_not_found":
      return { outcome: "no_match", reasonCode: "account_not_found", resultData: asked, match: null };
    case "account_closed":
      return toResult("account_closed", "account_closed", { ...asked, bsb, accountNumber });
    case "match":
    case "close_match":
    case "no_match":
      return compareName(submitted, { verdict, name }, { ...asked, bsb, accountNumber });
  }
}

/** A check at once that brought no answer of the bank: it says nothing about the payee. */
export function withoutInstantAnswer(reasonCode: ReasonCode, checkedAt: number): CheckResult {
  return toResult("unable", reasonCode, { source: "cop", checkedAt });
}

/** The reason of a failure of the provider. */
export const problemOf = (kind: UpstreamErrorKind): ReasonCode => PROBLEM_OF[kind];

/** The bank's answer as a stored result has it; undefined for a result that is no bank's answer at once. */
export function storedInstantAnswer(resultData: ResultData | null): InstantAnswer | undefined {
  if (resultData?.source !== "cop" || resultData.bankVerdict === undefined) return undefined;
  return { verdict: resultData.bankVerdict, name: resultData.accountName ?? null };
}

const toResult = (outcome: CheckOutcome, reasonCode: ReasonCode, resultData: ResultData): CheckResult => ({
  outcome,
  reasonCode,
  resultData,
  match: null,
});

function compareName(
  { accountName }: SubmittedDetails,
  { verdict, name }: { verdict: NameVerdict; name: string | null },
  data: ResultData,
): CheckResult {
  const banks = CLASS_OF[verdict];
  if (name === null) return toResult(OUTCOME_OF[banks], WITHOUT_NAME[verdict], data);
  const own = matchNames(accountName, name);
  const decisive = MOST[own.matchType] <= MOST[banks] ? own.matchType : banks;
  // The differences are worked out when they are read, so a copy names them.
  const { differences, parts } = own;
  const match: NameMatch = { matchType: decisive, score: Math.min(own.score, MOST[decisive]), differences, parts };
  return {
    outcome: OUTCOME_OF[decisive],
    reasonCode: whyStricter(own.matchType, banks),
    resultData: { ...data, accountName: name },
    match,
  };
}

/** Which of the two was stricter, where they differ. */
function whyStricter(own: MatchType, banks: MatchType): ReasonCode | null {
  if (own === banks) return null;
  return MOST[own] < MOST[banks] ? "names_stricter" : "bank_stricter";
}

/** More verifications of one payee than a day can bring. */
const LOOKED_AT = 20;

/** An answer that the bank gave at once, and the verification that holds it. */
export type EarlierAnswer = { verificationId: string; checkedAt: number; answer: InstantAnswer };

/**
 * What the bank said of the same account and name a short while ago. An account is one payee's in an organisation, so only
 * that payee's verifications can hold it.
 */
export async function findEarlierAnswer(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  submitted: { id: string; payee: { id: string }; accountName: string; bsb: string; accountNumber: string },
  now: number,
): Promise<EarlierAnswer | undefined> {
  const { accountName, bsb, accountNumber, payee } = submitted;
  const rows = await db
    .select({ id: verifications.id, resultData: verifications.resultData })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.payeeId, payee.id),
        eq(verifications.accountName, accountName),
        eq(verifications.bsb, bsb),
        eq(verifications.accountNumber, accountNumber),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(LOOKED_AT);
  for (const { id: verificationId, resultData } of rows) {
    const answer = storedInstantAnswer(resultData);
    if (answer && resultData && holdsInstantAnswer(resultData, now)) {
      return { verificationId, checkedAt: resultData.checkedAt, answer };
    }
  }
  return undefined;
}

/** The entry of the trail, with which the provider can find its own record of the question. */
export function checkedEntry(
  entityId: string,
  { result, lookUpId, earlier }: Found,
  { beside, cause }: { beside: Followed["beside"]; cause?: BankQuestionCause | "asked_again" },
): CommandAudit {
  const { outcome, reasonCode, resultData, match } = result;
  return {
    action: "verification.checked_at_once",
    entityType: "verification",
    entityId,
    details: {
      source: "cop",
      purpose: PURPOSE,
      outcome,
      reasonCode,
      score: match?.score ?? null,
      bankVerdict: resultData?.bankVerdict ?? null,
      explanation: describeOutcome(outcome, reasonCode).fact,
      beside,
      ...(cause && { cause }),
      ...(lookUpId && { lookUpId }),
      ...(earlier && { answeredFrom: earlier.verificationId }),
    },
  };
}

const notConfigured = () =>
  new AppError("INSTANT_CHECK_NOT_CONFIGURED", 409, "Confirmation of Payee is not set up here.");

const budgetUsedUp = (cents: number) =>
  new AppError(
    "BANK_BUDGET_USED_UP",
    409,
    `The bank was not asked: your organisation's budget of ${formatAud(cents)} for questions to banks this month is used up. An administrator can change it in the policies.`,
  );

const notConfirmed = () =>
  new AppError(
    "EMAIL_NOT_CONFIRMED",
    403,
    "No bank is asked before one of your organisation's administrators has confirmed their email address. Use the link in the email we sent you.",
  );

const limited = (why: string, retryAfterMs: number) =>
  new AppError("RATE_LIMITED", 429, `${why} Please try again later, or confirm the details another way.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  });
