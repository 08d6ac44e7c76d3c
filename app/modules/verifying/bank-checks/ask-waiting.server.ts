import { accountQuestions, bankQuestions } from "@db/schema";
import { findWalk, saveWalk } from "@db/walk";
import { and, asc, eq, gt, isNull, lte } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { jobIsLeased, postponeJob } from "~/modules/core/commands/outbox.statements.server";
import { runStatement, runStep } from "~/modules/core/commands/run-command.server";
import type { ReadServices } from "~/services";
import { askAccount, listDueAccounts } from "./ask-accounts.server";
import { askOne, findObstacle, listDue, type Obstacle } from "./ask-by-itself.server";
import type { AskingAtOnce } from "./instant-check.server";
import { countQuestions } from "./question-limits.server";

/** Waiting questions to banks. A job of the organisation asks a few and runs again; a schedule asks those that no job is left for. */

/**
 * Questions of one organisation at once. Each job asks so many, so that organisations take turns in the queue. No service
 * publishes how many questions a second it takes: one that refuses for that reason ends the turn, and the question waits.
 */
const AT_ONCE = 4;
/** Questions of one organisation in one run of the schedule. */
const EACH = 10;
/**
 * The database answers a thousand queries in one event of a schedule, which runs it twice, and alerts are raised by the same
 * runs: so many of each are for banks, what one organisation and one question take at most, and the walk that goes on in the
 * next run.
 */
const QUERIES = 300;
const OF_AN_ORGANIZATION = 8;
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
  const { db, clock, instantBankData } = services;
  if (!instantBankData) return 0;
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
    const limit = Math.min(EACH, Math.max(1, Math.floor(left / OF_A_QUESTION)));
    for (let asked = 0; asked < limit; ) {
      const some = await askSome(services, key, Math.min(AT_ONCE, limit - asked));
      answered += some.answered;
      asked += some.found;
      left -= some.found * OF_A_QUESTION;
      if (some.isOver) break;
    }
  }
  await saveWalk(db, { ...walk, key }, null);
  return answered;
}

async function nextOrganization({ db }: ReadServices, after: string): Promise<string | undefined> {
  const [[verification], [account]] = await Promise.all([
    db
      .select({ id: bankQuestions.organizationId })
      .from(bankQuestions)
      .where(and(gt(bankQuestions.organizationId, after), isNull(bankQuestions.settledAt)))
      .orderBy(asc(bankQuestions.organizationId))
      .limit(1),
    db
      .select({ id: accountQuestions.organizationId })
      .from(accountQuestions)
      .where(and(gt(accountQuestions.organizationId, after), isNull(accountQuestions.endedAt)))
      .orderBy(asc(accountQuestions.organizationId))
      .limit(1),
  ]);
  return [verification, account].flatMap((row) => (row ? [row.id] : [])).sort()[0];
}

/**
 * Asks the next few questions of an organisation at once: those of verifications first, then those about accounts.
 * @returns `isOver`: no further question can go out now, or none is left
 */
async function askSome(services: AskingAtOnce, organizationId: string, limit: number) {
  const none = { found: 0, answered: 0, isOver: true };
  const obstacle = await findObstacle(services, organizationId, { isChosen: true });
  if (obstacle !== undefined) {
    await giveUpAccounts(services, organizationId, obstacle);
    return none;
  }
  const isByItself = services.config.asksBanksByItself && (await findObstacle(services, organizationId)) === undefined;
  const ofVerifications = isByItself ? await listDue(services, organizationId, limit) : [];
  const room = limit - ofVerifications.length;
  const ofAccounts = room > 0 ? await listDueAccounts(services, organizationId, room) : [];
  const found = ofVerifications.length + ofAccounts.length;
  if (found === 0) return none;
  const counted = await countQuestions(services, organizationId, found);
  const ended = await Promise.allSettled([
    ...ofVerifications.map((question) => askOne(services, question, counted)),
    ...ofAccounts.map((question) => askAccount(services, question, counted)),
  ]);
  await counted.giveBack();
  const asked = ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
  const answered = asked.filter((one) => typeof one === "object" || one === "answered").length;
  return { found, answered, isOver: asked.includes("limited") || asked.every((one) => one === "busy") };
}

/** A question that nobody could ask for so long is given up. */
const GIVEN_UP_AFTER_MS = DAY_MS;

/** Questions that an obstacle has kept waiting for a day are given up: what they were asked for is over. */
function giveUpAccounts(services: AskingAtOnce, organizationId: string, obstacle: Obstacle): Promise<void> {
  const { db, clock } = services;
  const old = and(
    eq(accountQuestions.organizationId, organizationId),
    isNull(accountQuestions.endedAt),
    isNull(accountQuestions.askedAt),
    lte(accountQuestions.wantedAt, clock.now() - GIVEN_UP_AFTER_MS),
  );
  const given = { endedAt: clock.now(), ended: "not_asked", problem: obstacle } as const;
  return runStatement(services, db.update(accountQuestions).set(given).where(old));
}

/** How soon a job comes back whose questions are all being asked by another. */
const AGAIN_MS = 1_000;

/** A job of an organisation: asks a few of its questions, and comes back until none is left. */
export async function askBanks(services: AskingAtOnce, job: Job): Promise<void> {
  const { organizationId } = job;
  const some = organizationId === null ? undefined : await askSome(services, organizationId, AT_ONCE);
  if (!some || some.isOver) return finishJob(services, job);
  const dueAt = services.clock.now() + (some.answered === 0 ? AGAIN_MS : 0);
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [postponeJob(services, job, { dueAt, attempts: 0 })],
    woken: [{ id: job.id, kind: job.kind, dueAt }],
  });
}
