import { bankQuestions, rowIn, type Statement } from "@db/database";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import type { BankQuestionCause, CheckOutcome } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runStatement, runStep } from "~/modules/core/commands/run-command.server";
import { findPendingVerification } from "~/modules/payees/payee.server";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";
import { isOpen } from "~/modules/payees/verifications/verification";
import { findVerification, type VerificationDetail } from "~/modules/payees/verifications/verification.server";
import { type ReadServices, systemActor } from "~/services-and-actor";
import { withoutInstantAnswer } from "./compare-with-instant-answer";
import {
  type AskServices,
  type Found,
  findResult,
  type InstantCheckAnswer,
  LOST_AFTER_MS,
  oneAtATime,
  recordAnswer,
} from "./instant-check.server";
import { type CountedQuestions, findLimitReached, requireMayAsk } from "./question-limits.server";

/**
 * Asks banks automatically (Confirmation of Payee) if the organisation's policy says so. A question is a row written
 * together with its verification (`openVerifications`). The request that added or changed the payee asks at once; a
 * cron run asks the questions from imports, and those that a request left behind. A bank is asked at most once for each
 * row, even if two processes try or one crashes: the row is marked before the bank is asked.
 */

type Question = typeof bankQuestions.$inferSelect;

const isOf = ({ organizationId, verificationId }: Pick<Question, "organizationId" | "verificationId">) =>
  and(eq(bankQuestions.organizationId, organizationId), eq(bankQuestions.verificationId, verificationId));

async function findWaiting({ db }: ReadServices, organizationId: string, verificationId: string) {
  const [question] = await db
    .select()
    .from(bankQuestions)
    .where(and(isOf({ organizationId, verificationId }), isNull(bankQuestions.settledAt)));
  return question;
}

/**
 * Asks the waiting question about a verification, for the page that the person sees next. If limits or the budget
 * prevent it, the question keeps waiting and the verification's page says why.
 * @returns the answer; undefined if the bank was not asked
 */
export async function askNow(
  services: AskServices,
  { organizationId }: { organizationId: string },
  verificationId: string,
): Promise<Extract<InstantCheckAnswer, { state: "answered" }> | undefined> {
  if (!services.config.asksBanksAutomatically) return undefined;
  try {
    const question = await findWaiting(services, organizationId, verificationId);
    if (!question || (await findObstacle(services, organizationId)) !== undefined) return undefined;
    const asked = await askOne(services, question);
    return typeof asked === "object" ? asked : undefined;
  } catch (error) {
    // The person's change is saved already, so an error here only leaves the question for the cron run.
    services.log.warn("bank_question.postponed", { verificationId, error: String(error) });
    return undefined;
  }
}

/** The same for a payee's pending verification, for example after an edit. */
export async function askNowAbout(services: AskServices, actor: { organizationId: string }, payeeId: string) {
  if (!services.config.asksBanksAutomatically) return undefined;
  const verificationId = await findPendingVerification(services, actor, payeeId);
  return verificationId === undefined ? undefined : askNow(services, actor, verificationId);
}

/** A sentence about the bank's answer to follow the success message; empty: the bank was not asked. */
export const bankAnswerSentence = (asked: { outcome: CheckOutcome; reasonCode: string | null } | undefined): string => {
  if (!asked) return "";
  const { title, fact } = describeOutcome(asked.outcome, asked.reasonCode);
  return `The bank was asked. ${title}: ${fact}`;
};

/** True if banks are asked automatically about what an organisation adds and changes. */
export async function asksAutomatically(services: AskServices, organizationId: string): Promise<boolean> {
  return services.config.asksBanksAutomatically && (await findPolicy(services, organizationId)).askBanks !== "never";
}

/** Why no bank can be asked for an organisation at present. */
export type Obstacle = "policy" | "subscription" | "not_confirmed" | "unconfirmed" | "questions" | "budget";

/** @param asked.isChosen a person chose what to ask about, so the policy on automatic questions does not apply */
export async function findObstacle(services: AskServices, organizationId: string, { isChosen = false } = {}) {
  if (!isChosen && (await findPolicy(services, organizationId)).askBanks === "never") return "policy";
  try {
    await requireMayAsk(services, organizationId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "SUBSCRIPTION_REQUIRED" ? "subscription" : "not_confirmed";
  }
  return findLimitReached(services, organizationId);
}

/** Why the bank has not been asked automatically about a verification; null: it was, or no question waits. */
export async function whyNotAsked(services: AskServices, organizationId: string, verificationId: string) {
  if (!services.config.asksBanksAutomatically) return null;
  const question = await findWaiting(services, organizationId, verificationId);
  if (!question || question.askedAt !== null) return null;
  const obstacle = await findObstacle(services, organizationId);
  if (obstacle === undefined)
    return "The bank has not been asked yet. We ask it for you; after a large import that can take a while.";
  const { bankBudgetCents } = await findPolicy(services, organizationId);
  return obstacleWords(obstacle, formatAud(bankBudgetCents));
}

export const obstacleWords = (obstacle: Obstacle, budget: string): string => SENTENCES[obstacle](budget);

const SENTENCES: Readonly<Record<Obstacle, (budget: string) => string>> = {
  policy: () => "The bank was not asked: your policies say that banks are asked only when somebody presses the button.",
  subscription: () => "The bank was not asked: your organisation's trial or subscription has ended.",
  not_confirmed: () =>
    "The bank was not asked: none of your administrators has confirmed their email address yet. It is asked after that.",
  unconfirmed: () =>
    "The bank has not been asked yet: too many of today's answers did not confirm a name. It is asked tomorrow.",
  questions: () =>
    "The bank has not been asked yet: your organisation has asked as many times as it can in a day. It is asked tomorrow.",
  budget: (budget) =>
    `The bank was not asked: your organisation's budget of ${budget} for questions to banks this month is used up.`,
};

/** Why the next step was not taken: another process is asking, the answer is not needed, or a limit was reached. */
type NotAsked = "busy" | "overtaken" | "limited";

export async function askOne(services: AskServices, question: Question, counted?: CountedQuestions) {
  const { organizationId, verificationId, cause } = question;
  if (!services.instantBankData) return "limited";
  const verification = await findVerification(services, { organizationId }, verificationId);
  const isNeeded =
    verification &&
    isOpen(verification.status) &&
    verification.disputedByPayeeAt === null &&
    verification.outcome === null;
  if (!isNeeded) {
    await runStatement(services, settle(services, question, "overtaken"));
    return "overtaken";
  }
  const asked = await oneAtATime(services, { organizationId, ...verification }, async () => {
    if (question.askedAt !== null) {
      const lost = withoutInstantAnswer("answer_lost", services.clock.now());
      return write(services, { question, verification, cause }, { result: lost, purpose: "VADR", charged: false });
    }
    const beforeAsking = () => markAsked(services, question);
    const found = await findResult(services, organizationId, verification, { beforeAsking, counted });
    if (found.result.reasonCode === "provider_busy") {
      // The bank was not asked, so the question keeps waiting.
      await runStatement(services, services.db.update(bankQuestions).set({ askedAt: null }).where(isOf(question)));
      return "limited";
    }
    return write(services, { question, verification, cause }, found);
  }).catch(asRefusal);
  return asked ?? "busy";
}

/** Turns the errors of a lost race or a limit reached meanwhile into a refusal. */
function asRefusal(error: unknown): NotAsked {
  if (error instanceof AskedMeanwhile) return "busy";
  if (!(error instanceof AppError)) throw error;
  return error.code === "RATE_LIMITED" || error.code === "BANK_BUDGET_USED_UP" ? "limited" : "overtaken";
}

class AskedMeanwhile extends Error {}

/** Marks the question before the bank is asked. @throws AskedMeanwhile if another process marked it first */
async function markAsked(services: AskServices, question: Question): Promise<void> {
  const { db, clock } = services;
  const still = and(isOf(question), isNull(bankQuestions.askedAt), isNull(bankQuestions.settledAt));
  const { ok } = await runStep(services, {
    conditions: [{ name: "asked_meanwhile", found: rowIn(db, bankQuestions).where(still) }],
    statements: [db.update(bankQuestions).set({ askedAt: clock.now() }).where(isOf(question))],
  });
  if (!ok) throw new AskedMeanwhile();
}

async function write(
  services: AskServices,
  { question, verification, cause }: { question: Question; verification: VerificationDetail; cause: BankQuestionCause },
  found: Found,
): Promise<Extract<InstantCheckAnswer, { state: "answered" }>> {
  const ended = question.askedAt === null ? "answered" : "answer_lost";
  const settles = [settle(services, question, ended)];
  const actor = systemActor(question.organizationId, services.ids.next());
  const written = await recordAnswer(services, actor, verification, { found, cause, settles });
  if (written.state === "running") throw new AskedMeanwhile();
  return written;
}

const settle = ({ db, clock }: AskServices, question: Question, ended: NonNullable<Question["ended"]>): Statement =>
  db
    .update(bankQuestions)
    .set({ settledAt: clock.now(), ended })
    .where(and(isOf(question), isNull(bankQuestions.settledAt)));

/** The oldest first, without those being asked at this moment. */
export function listDue({ db, clock }: AskServices, organizationId: string, limit: number): Promise<Question[]> {
  const lostBefore = clock.now() - LOST_AFTER_MS;
  return db
    .select()
    .from(bankQuestions)
    .where(
      and(
        eq(bankQuestions.organizationId, organizationId),
        isNull(bankQuestions.settledAt),
        sql`coalesce(${bankQuestions.askedAt}, 0) <= ${lostBefore}`,
      ),
    )
    .orderBy(asc(bankQuestions.createdAt))
    .limit(limit)
    .all();
}
