import { countBoth, countUpTo, readHits, removeHits } from "@db/rate-counter";
import { allInOrder } from "~/kernel/all-in-order";
import { AppError } from "~/kernel/app-error";
import { addMonths, DAY_MS, HOUR_MS, isoDay } from "~/kernel/dates";
import { INSTANT_CHECKS_PER_DAY } from "~/kernel/limits";
import { formatAud } from "~/kernel/money";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { isKnownPayer, senderIsConfirmed } from "~/modules/messages/notifications/outside-messages.queries.server";
import type { TimedServices, WriteServices } from "~/services-and-actor";

/** The conditions for asking banks: a daily limit, a monthly budget, a subscription and a confirmed address. */

/** @throws AppError 402 SUBSCRIPTION_REQUIRED; 403 EMAIL_NOT_CONFIRMED */
export async function requireMayAsk(services: WriteServices, organizationId: string): Promise<void> {
  const confirmed = senderIsConfirmed(services, organizationId).then((found) => found.length > 0);
  const [, isConfirmed] = await allInOrder([requireLiveSubscription(services, organizationId), confirmed]);
  if (!isConfirmed) throw notConfirmed();
}

const unconfirmedKey = (organizationId: string) => `instant-no-match:${organizationId}`;
const questionsKey = (organizationId: string) => `instant-check:${organizationId}`;
/** "2026-11": the calendar month in the organisation's time zone. */
const monthOf = (now: number, timeZone: string) => isoDay(now, timeZone).slice(0, 7);
const budgetKey = (organizationId: string, month: string) => `bank-budget:${organizationId}:${month}`;
/** A month's budget is stored until the month has ended in every time zone. */
const endOfBudget = (month: string) => addMonths(Date.parse(`${month}-01T00:00:00Z`), 1) + DAY_MS;

/** Few answers may fail to confirm the name, because the service must not be used to guess account names. */
export async function readLimits(services: TimedServices, organizationId: string) {
  const [isKnown, { bankBudgetCents, timeZone }] = await Promise.all([
    isKnownPayer(services, organizationId),
    findPolicy(services, organizationId),
  ]);
  return { ...INSTANT_CHECKS_PER_DAY[isKnown ? "withCard" : "trial"], bankBudgetCents, timeZone };
}

type Limits = Awaited<ReturnType<typeof readLimits>>;

/** The limit or budget that prevents asking a bank at present; undefined: none. */
export async function findLimitReached(services: WriteServices, organizationId: string) {
  const { db, clock, config } = services;
  const now = clock.now();
  const [limits, unconfirmed, questions] = await Promise.all([
    readLimits(services, organizationId),
    readHits(db, unconfirmedKey(organizationId), now),
    readHits(db, questionsKey(organizationId), now),
  ]);
  if (unconfirmed >= limits.unconfirmed) return "unconfirmed";
  if (questions >= limits.questions) return "questions";
  const spent = await readHits(db, budgetKey(organizationId, monthOf(now, limits.timeZone)), now);
  return spent + config.instantCheckCostCents > limits.bankBudgetCents ? "budget" : undefined;
}

/** What was counted for a question before its answer was known. */
type Counted = Readonly<Record<"takeBackUnconfirmed" | "takeBackCost" | "takeBackQuestion", () => void>>;

/** Questions that were counted together before any of them is sent. */
export type CountedQuestions = {
  /** None may be sent, because too many names are not confirmed, or not answered yet. */
  waitsForAnswers: boolean;
  /** The next question. @throws AppError 409 BANK_BUDGET_USED_UP; 429 RATE_LIMITED when it exceeds the limit */
  take(): Counted;
  /** Stores what was taken back and what was not used. */
  giveBack(): Promise<void>;
};

/**
 * Counts this many questions and their cost, with two writes. Until its answer is known, each question
 * counts as not confirming the name, so that simultaneous questions cannot exceed the limits. Near a limit, fewer are
 * counted.
 */
export async function countQuestions(services: WriteServices, organizationId: string, wanted: number, known?: Limits) {
  const { db, clock, config } = services;
  const now = clock.now();
  const limits = known ?? (await readLimits(services, organizationId));
  const keys = [unconfirmedKey(organizationId), questionsKey(organizationId)] as const;
  const [unconfirmed, questions] = await countBoth(db, keys, DAY_MS, now, wanted);
  let refusal: AppError | undefined;
  const mayFail = Math.max(0, Math.min(wanted, wanted + limits.unconfirmed - unconfirmed.count));
  if (mayFail < wanted) refusal = tooManyUnconfirmed();
  const mayAsk = Math.max(0, Math.min(mayFail, wanted + limits.questions - questions.count));
  if (mayAsk < mayFail) refusal = tooManyQuestions(limits.questions, questions.windowEndsAt - now);
  const cents = config.instantCheckCostCents;
  const month = monthOf(now, limits.timeZone);
  const key = budgetKey(organizationId, month);
  const budget = { limit: limits.bankBudgetCents, windowEndsAt: endOfBudget(month) };
  let left = mayAsk;
  while (cents > 0 && left > 0 && !(await countUpTo(db, key, { ...budget, amount: cents * left }))) left--;
  if (left < mayAsk) refusal = budgetUsedUp(limits.bankBudgetCents);

  const back = { unconfirmed: wanted - left, questions: wanted - left, cents: 0 };
  const write = async () => {
    const { unconfirmed: ofUnconfirmed, questions: ofQuestions, cents: ofCents } = back;
    Object.assign(back, { unconfirmed: 0, questions: 0, cents: 0 });
    if (ofUnconfirmed > 0) await removeHits(db, keys[0], unconfirmed.windowEndsAt, ofUnconfirmed);
    if (ofQuestions > 0) await removeHits(db, keys[1], questions.windowEndsAt, ofQuestions);
    if (ofCents > 0) await removeHits(db, key, budget.windowEndsAt, ofCents);
  };
  await write();
  const takeBackUnconfirmed = () => {
    back.unconfirmed += 1;
  };
  const takeBackCost = () => {
    back.cents += cents;
  };
  const takeBackQuestion = () => {
    takeBackUnconfirmed();
    takeBackCost();
    back.questions += 1;
  };
  return {
    waitsForAnswers: mayFail === 0,
    take() {
      if (left === 0) throw refusal ?? new Error("more questions than were counted");
      left -= 1;
      return { takeBackUnconfirmed, takeBackCost, takeBackQuestion };
    },
    giveBack() {
      for (; left > 0; left--) takeBackQuestion();
      return write();
    },
  };
}

/** Longer together than a bank usually takes. */
const WAITS_MS = [300, 600, 1_200];

/**
 * Counts one question of somebody who waits for its answer. Each question that is not answered yet counts as
 * unconfirmed, so when many are asked at once, the later ones wait for the answers of the earlier ones.
 */
export async function countOneQuestion(
  services: WriteServices,
  organizationId: string,
  { waitsMs = WAITS_MS, limits }: { waitsMs?: readonly number[]; limits?: Limits } = {},
): Promise<CountedQuestions> {
  for (const waitMs of waitsMs) {
    const counted = await countQuestions(services, organizationId, 1, limits);
    if (!counted.waitsForAnswers) return counted;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return countQuestions(services, organizationId, 1, limits);
}

const tooManyUnconfirmed = () =>
  limited("Too many of today's answers said, or may still say, that a bank does not confirm the name.", HOUR_MS);

const tooManyQuestions = (most: number, retryAfterMs: number) =>
  limited(`Your organisation has asked banks ${most} times today.`, retryAfterMs);

const budgetUsedUp = (cents: number) =>
  new AppError(
    "BANK_BUDGET_USED_UP",
    `The bank was not asked: your organisation's budget of ${formatAud(cents)} for questions to banks this month is used up. An administrator can change it in the policies.`,
  );

const notConfirmed = () =>
  new AppError(
    "EMAIL_NOT_CONFIRMED",
    "No bank is asked before one of your organisation's administrators has confirmed their email address. Use the link in the email we sent you.",
  );

const limited = (why: string, retryAfterMs: number) =>
  new AppError("RATE_LIMITED", `${why} Please try again later, or confirm the details another way.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  });
