import { accountQuestions, bankQuestions } from "@db/database";
import { findWalk, saveWalk } from "@db/walk";
import { and, asc, eq, gt, isNull, lte } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { jobIsLeased, postponeJob, runStatement, runStep } from "~/modules/core/commands/run-command.server";
import type { ReadServices } from "~/services-and-actor";
import { askAccount, listDueAccounts } from "./ask-accounts.server";
import { askOne, findObstacle, listDue, type Obstacle } from "./ask-automatically.server";
import type { AskServices } from "./instant-check.server";
import { countQuestions } from "./question-limits.server";

/** Asks banks the waiting questions. An organisation's job asks a few and runs again; cron asks those without one. */

/**
 * How many questions of one organisation are asked at once. Each job asks this many, so that organisations take turns
 * in the queue. No service publishes a rate limit: if one refuses because of too many questions, the turn ends and the
 * question waits.
 */
const AT_ONCE = 4;
/** How many questions of one organisation are asked in one cron run. */
const EACH = 10;
/**
 * A cron event may make a thousand queries; it runs this task twice and also raises alerts. This limit leaves room for
 * the work of one organisation and one question; the next run continues.
 */
const QUERIES = 300;
const OF_AN_ORGANIZATION = 8;
const OF_A_QUESTION = 20;
const WALK = "banks_asked";

/**
 * Asks the waiting questions, each organisation's oldest first and only its share, as far as limits and budgets allow.
 * The next run continues after the last organisation, so that organisations whose questions wait for something else,
 * such as a confirmed address, do not block the others.
 * @param queries the approximate limit of database queries
 * @returns how many questions were answered
 */
export async function askWaiting(services: AskServices, queries = QUERIES): Promise<number> {
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
 * Asks an organisation's next few questions at once: those about verifications first, then those about accounts.
 * @returns `isOver`: no more questions can be asked now, or none is left
 */
async function askSome(services: AskServices, organizationId: string, limit: number) {
  const none = { found: 0, answered: 0, isOver: true };
  const obstacle = await findObstacle(services, organizationId, { isChosen: true });
  if (obstacle !== undefined) {
    await giveUpAccounts(services, organizationId, obstacle);
    return none;
  }
  const isAutomatic =
    services.config.asksBanksAutomatically && (await findObstacle(services, organizationId)) === undefined;
  const ofVerifications = isAutomatic ? await listDue(services, organizationId, limit) : [];
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

/** A question that could not be asked for this long is given up. */
const GIVEN_UP_AFTER_MS = DAY_MS;

/** Gives up questions about accounts that an obstacle has blocked for a day, because their purpose has passed. */
function giveUpAccounts(services: AskServices, organizationId: string, obstacle: Obstacle): Promise<void> {
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

/** When another process is asking all of a job's questions, how soon the job runs again. */
const AGAIN_MS = 1_000;

/** An organisation's job: asks a few of its questions, and runs again until none is left. */
export async function askBanks(services: AskServices, job: Job): Promise<void> {
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
