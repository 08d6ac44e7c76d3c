import type { Statement } from "@db/client";
import { bankQuestions } from "@db/schema";
import { findWalk, saveWalk } from "@db/walk";
import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import type { BankQuestionCause, CheckOutcome } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runStatement, runStep } from "~/modules/core/commands/run-command.server";
import { findPendingVerification } from "~/modules/payees/payee.server";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";
import { isOpen } from "~/modules/payees/verifications/verification";
import { findVerification } from "~/modules/payees/verifications/verification.server";
import type { ReadServices } from "~/services";
import {
  type AskingAtOnce,
  type CheckedAtOnce,
  findLimitReached,
  findResult,
  oneAtATime,
  recordAnswer,
  requireMayAsk,
  withoutInstantAnswer,
} from "./instant-check.server";

/**
 * Banks that are asked by themselves (Confirmation of Payee), because the organisation's policy says so. A question is a row
 * that was written with the verification (`openVerifications`). The request that added or changed the payee asks at once;
 * what an import brought, or what a request left behind, a schedule asks. The bank is asked at most once for a row, whoever
 * asks and whatever ends them: the row says so before the bank is asked.
 */

type Question = typeof bankQuestions.$inferSelect;

/** After so long an answer that nobody wrote down is lost. Longer than a question and its writing take. */
const LOST_AFTER_MS = MINUTE_MS;

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
 * Asks what waits to be asked about a verification, for the page that its reader sees next. What the limits or the budget
 * keep from being asked goes on waiting, and the verification's page says why.
 * @returns the answer; undefined where nothing was asked
 */
export async function askNow(
  services: AskingAtOnce,
  { organizationId }: { organizationId: string },
  verificationId: string,
): Promise<Extract<CheckedAtOnce, { state: "answered" }> | undefined> {
  if (!services.config.asksBanksByItself) return undefined;
  try {
    const question = await findWaiting(services, organizationId, verificationId);
    if (!question || (await findObstacle(services, organizationId)) !== undefined) return undefined;
    const asked = await askOne(services, question);
    return typeof asked === "object" ? asked : undefined;
  } catch (error) {
    // What the person did is written. The question waits, and the schedule asks it.
    services.log.warn("bank_question.postponed", { verificationId, error: String(error) });
    return undefined;
  }
}

/** The same about the verification of a payee that waits, e.g. after an edit. */
export async function askNowAbout(services: AskingAtOnce, actor: { organizationId: string }, payeeId: string) {
  if (!services.config.asksBanksByItself) return undefined;
  const verificationId = await findPendingVerification(services, actor, payeeId);
  return verificationId === undefined ? undefined : askNow(services, actor, verificationId);
}

/** What the bank answered, as a sentence goes on after what was done; empty: it was not asked. */
export const sayAnswerOfBank = (asked: { outcome: CheckOutcome; reasonCode: string | null } | undefined): string => {
  if (!asked) return "";
  const { title, fact } = describeOutcome(asked.outcome, asked.reasonCode);
  return `The bank was asked. ${title}: ${fact}`;
};

/** Whether banks are asked by themselves about what an organisation adds and changes. */
export async function asksByItself(services: AskingAtOnce, organizationId: string): Promise<boolean> {
  return services.config.asksBanksByItself && (await findPolicy(services, organizationId)).askBanks !== "never";
}

/** Why no bank is asked for an organisation just now. */
export type Obstacle = "policy" | "subscription" | "not_confirmed" | "unconfirmed" | "questions" | "budget";

export async function findObstacle(services: AskingAtOnce, organizationId: string): Promise<Obstacle | undefined> {
  const { askBanks } = await findPolicy(services, organizationId);
  if (askBanks === "never") return "policy";
  try {
    await requireMayAsk(services, organizationId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "SUBSCRIPTION_REQUIRED" ? "subscription" : "not_confirmed";
  }
  return findLimitReached(services, organizationId);
}

/**
 * The sentence for a verification whose bank was to be asked by itself and has not been; null where it was asked, or nothing
 * waits.
 */
export async function whyNotAsked(
  services: AskingAtOnce,
  organizationId: string,
  verificationId: string,
): Promise<string | null> {
  if (!services.config.asksBanksByItself) return null;
  const question = await findWaiting(services, organizationId, verificationId);
  if (!question || question.askedAt !== null) return null;
  const obstacle = await findObstacle(services, organizationId);
  if (obstacle === undefined)
    return "The bank has not been asked yet. We ask it for you; after a large import that can take a while.";
  const { bankBudgetCents } = await findPolicy(services, organizationId);
  return SENTENCES[obstacle](formatAud(bankBudgetCents));
}

const SENTENCES: Readonly<Record<Obstacle, (budget: string) => string>> = {
  policy: () => "The bank was not asked: your policies say that banks are asked only when somebody presses the button.",
  subscription: () => "The bank was not asked: your organisation's trial or subscription has ended.",
  not_confirmed: () =>
    "The bank was not asked: none of your administrators has confirmed their email address yet. It is asked after that.",
  unconfirmed: () =>
    "The bank has not been asked yet: too many of today's answers did not confirm a name. It is asked tomorrow.",
  questions: () =>
    "The bank has not been asked yet: your organisation has asked as many times as a day allows. It is asked tomorrow.",
  budget: (budget) =>
    `The bank was not asked: your organisation's budget of ${budget} for questions to banks this month is used up.`,
};

/** Why the step after is not taken: another asks at this moment, or nobody needs the answer any more. */
type NotAsked = "busy" | "overtaken" | "limited";

async function askOne(
  services: AskingAtOnce,
  question: Question,
): Promise<Extract<CheckedAtOnce, { state: "answered" }> | NotAsked> {
  const { organizationId, verificationId, cause } = question;
  const { instantBankData, clock } = services;
  if (!instantBankData) return "limited";
  const verification = await findVerification(services, { organizationId }, verificationId);
  const isNeeded =
    verification &&
    isOpen(verification.status) &&
    verification.disputedByPayeeAt === null &&
    verification.outcome === null;
  if (!isNeeded) {
    await settleAs(services, question, "overtaken");
    return "overtaken";
  }
  const asked = await oneAtATime(services, verificationId, async () => {
    if (question.askedAt !== null) {
      const lost = withoutInstantAnswer("answer_lost", clock.now());
      return write(services, question, { result: lost, charged: false }, cause);
    }
    const found = await findResult(services, { organizationId }, verification, instantBankData, () =>
      markAsked(services, question),
    );
    return write(services, question, found, cause);
  }).catch(asRefusal);
  return asked ?? "busy";
}

/** What another has done meanwhile, or a limit that was reached at this moment, is no failure. */
function asRefusal(error: unknown): NotAsked {
  if (error instanceof AskedMeanwhile) return "busy";
  if (!(error instanceof AppError)) throw error;
  return error.code === "RATE_LIMITED" || error.code === "BANK_BUDGET_USED_UP" ? "limited" : "overtaken";
}

class AskedMeanwhile extends Error {}

/** Keeps that the bank is about to be asked. @throws AskedMeanwhile where another was first */
async function markAsked(services: AskingAtOnce, question: Question): Promise<void> {
  const { db, clock } = services;
  const still = and(isOf(question), isNull(bankQuestions.askedAt), isNull(bankQuestions.settledAt));
  const { ok } = await runStep(services, {
    conditions: [{ name: "asked_meanwhile", found: db.select({ one: sql`1` }).from(bankQuestions).where(still) }],
    statements: [db.update(bankQuestions).set({ askedAt: clock.now() }).where(isOf(question))],
  });
  if (!ok) throw new AskedMeanwhile();
}

async function write(
  services: AskingAtOnce,
  question: Question,
  found: Parameters<typeof recordAnswer>[3]["found"],
  cause: BankQuestionCause,
): Promise<Extract<CheckedAtOnce, { state: "answered" }>> {
  const { organizationId, verificationId: id } = question;
  const ended = question.askedAt === null ? "answered" : "answer_lost";
  const settles = [settle(services, question, ended)];
  const actor = systemActor(organizationId, services.ids.next());
  const written = await recordAnswer(services, actor, { id }, { found, cause, settles });
  if (written.state === "running") throw new AskedMeanwhile();
  return written;
}

const settle = ({ db, clock }: AskingAtOnce, question: Question, ended: NonNullable<Question["ended"]>): Statement =>
  db
    .update(bankQuestions)
    .set({ settledAt: clock.now(), ended })
    .where(and(isOf(question), isNull(bankQuestions.settledAt)));

const settleAs = (services: AskingAtOnce, question: Question, ended: NonNullable<Question["ended"]>) =>
  runStatement(services, settle(services, question, ended));

/** Questions of one organisation in one run: the provider answers a question in about a third of a second. */
const EACH = 20;
const AT_ONCE = 4;
/**
 * The database answers a thousand queries in one run of a schedule, and alerts are raised by the same run: so many are for
 * banks, what one organisation and one question take at most, and the walk that goes on in the next run.
 */
const QUERIES = 700;
const OF_AN_ORGANIZATION = 5;
const OF_A_QUESTION = 20;
const WALK = "banks_asked";

/**
 * Asks what waits to be asked, the oldest of each organisation first and of no organisation more than its share, as far as
 * limits and budgets go. The next run goes on behind the organisation that this one came to: those whose questions wait for
 * something else, e.g. a confirmed address, keep nobody's from being asked.
 * @param queries of the database at most, about
 * @returns how many questions were answered
 */
export async function askWaiting(services: AskingAtOnce, queries = QUERIES): Promise<number> {
  const { config, db, clock } = services;
  if (!config.asksBanksByItself) return 0;
  const walk = await findWalk(db, WALK, clock.now(), Number.NEGATIVE_INFINITY);
  if (!walk) return 0;
  let { key } = walk;
  let answered = 0;
  for (let left = queries; left > 0; ) {
    const next = await nextOrganization(services, key);
    if (next === undefined) {
      if (walk.key !== "") await saveWalk(db, { ...walk, key }, clock.now());
      return answered;
    }
    key = next;
    left -= OF_AN_ORGANIZATION;
    if ((await findObstacle(services, key)) !== undefined) continue;
    const limit = Math.min(EACH, Math.max(1, Math.floor(left / OF_A_QUESTION)));
    const questions = await listDue(services, key, limit);
    left -= questions.length * OF_A_QUESTION;
    answered += await askThese(services, questions);
  }
  await saveWalk(db, { ...walk, key }, null);
  return answered;
}

async function nextOrganization({ db }: ReadServices, after: string): Promise<string | undefined> {
  const [row] = await db
    .select({ organizationId: bankQuestions.organizationId })
    .from(bankQuestions)
    .where(and(gt(bankQuestions.organizationId, after), isNull(bankQuestions.settledAt)))
    .orderBy(asc(bankQuestions.organizationId))
    .limit(1);
  return row?.organizationId;
}

/** The oldest first; what was asked a moment ago is being answered. */
function listDue({ db, clock }: AskingAtOnce, organizationId: string, limit: number): Promise<Question[]> {
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

async function askThese(services: AskingAtOnce, questions: readonly Question[]): Promise<number> {
  let answered = 0;
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    const asked = await Promise.all(questions.slice(at, at + AT_ONCE).map((question) => askOne(services, question)));
    answered += asked.filter((one) => typeof one === "object").length;
    if (asked.includes("limited")) break;
  }
  return answered;
}
