import { accountQuestions, organizations, payees, verifications } from "@db/database";
import { findWalk, saveWalk } from "@db/walk";
import { and, asc, eq, gt, gte, isNull, sql } from "drizzle-orm";
import { addMonths, DAY_MS, HOUR_MS } from "~/kernel/dates";
import { INSTANT_CHECKS_PER_DAY } from "~/kernel/limits";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runStatement } from "~/modules/core/commands/run-command.server";
import { wantAnswers } from "~/modules/payees/verifications/account-questions.server";
import { findObstacle } from "./ask-automatically.server";
import type { AskServices } from "./instant-check.server";

/**
 * Asks again about trusted payees that are being paid, when no bank has answered about them for as long as the policy
 * says. Each payee has a day of the month, derived from its id, so that the questions are spread over the month. Their
 * questions wait with the others (`askWaiting`), after those that somebody waits for. An answer that differs opens a
 * verification, which raises an alert; trust, payments and details stay as they are until a person decides.
 */

type Services = AskServices;

/** One cron run may make a thousand queries, which this task shares with others. The next run continues. */
const QUERIES = 500;
const OF_AN_ORGANIZATION = 3;
const WITH_QUESTIONS = 12;
const PAGE_SIZE = 50;
const WALK = "banks_asked_again";
/** A walk starts at the same hour every day, even if a cron run is late. */
const EVERY_MS = DAY_MS - HOUR_MS / 2;
/** Payees that were paid within this many months are included. */
const PAID_WITHIN_MONTHS = 12;
/** Payees are spread over this many days of the month. */
const DAYS = 28;
/** More than the largest limit of a day would not be asked on that day. */
const MOST_A_DAY = INSTANT_CHECKS_PER_DAY.withCard.questions;

/**
 * Queues the questions about the payees whose day it is.
 * @param queries the approximate limit of database queries
 * @returns how many questions were queued
 */
export async function askAgain(services: Services, queries = QUERIES): Promise<number> {
  const { config, instantBankData, db, clock } = services;
  if (!config.asksBanksAutomatically || !instantBankData) return 0;
  const walk = await findWalk(db, WALK, clock.now(), EVERY_MS);
  if (!walk) return 0;
  let { key } = walk;
  let queued = 0;
  let page: string[] = [];
  for (let left = queries; left > 0; ) {
    if (page.length === 0) page = await nextOrganizations(services, key);
    const [next, ...others] = page;
    if (next === undefined) {
      await saveWalk(db, { ...walk, key }, clock.now());
      return queued;
    }
    const found = await queueQuestions(services, next, dayOf(walk.startedAt));
    left -= found === 0 ? OF_AN_ORGANIZATION : WITH_QUESTIONS;
    queued += found;
    key = next;
    page = others;
  }
  await saveWalk(db, { ...walk, key }, null);
  return queued;
}

async function nextOrganizations({ db }: Services, after: string): Promise<string[]> {
  const rows = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(gt(organizations.id, after))
    .orderBy(asc(organizations.id))
    .limit(PAGE_SIZE);
  return rows.map(({ id }) => id);
}

async function queueQuestions(services: Services, organizationId: string, day: number): Promise<number> {
  const due = await listDue(services, organizationId, day);
  if (due.length === 0 || (await findObstacle(services, organizationId)) !== undefined) return 0;
  const wanted = due.map((account) => ({ ...account, cause: "asked_again" as const }));
  for (const statement of wantAnswers(services, organizationId, wanted)) await runStatement(services, statement);
  return due.length;
}

/** A payee's day comes from the last two digits of its id, which are random. */
const dayOf = (now: number): number => Math.floor(now / DAY_MS) % DAYS;

const isOfPayee = sql`q."organizationId" = ${payees.organizationId} AND q."bsb" = ${payees.bsb}
  AND q."accountNumber" = ${payees.accountNumber} AND q."accountName" = ${payees.accountName}`;

/** When a bank last answered about the payee's present details, whatever it said: a person decided about a no. */
const answeredAt = sql`max(
  coalesce((SELECT max(coalesce(v."completedAt", v."createdAt")) FROM ${verifications} AS v
    WHERE v."organizationId" = ${payees.organizationId} AND v."payeeId" = ${payees.id} AND v."outcome" <> 'unable'
    AND v."bsb" = ${payees.bsb} AND v."accountNumber" = ${payees.accountNumber}
    AND v."accountName" = ${payees.accountName}), 0),
  coalesce((SELECT q."answeredAt" FROM ${accountQuestions} AS q WHERE ${isOfPayee}), 0))`;

async function listDue({ db, clock, ...services }: Services, organizationId: string, day: number) {
  const now = clock.now();
  const { confirmAgainMonths } = await findPolicy({ db, clock, ...services }, organizationId);
  const waits = sql`NOT EXISTS (SELECT 1 FROM ${verifications} AS v WHERE v."organizationId" = ${payees.organizationId}
    AND v."payeeId" = ${payees.id} AND v."status" = 'pending')`;
  return db
    .select({ bsb: payees.bsb, accountNumber: payees.accountNumber, accountName: payees.accountName })
    .from(payees)
    .where(
      and(
        eq(payees.organizationId, organizationId),
        eq(payees.whitelisted, true),
        isNull(payees.archivedAt),
        isNull(payees.disputedAt),
        gte(payees.lastPaymentDate, addMonths(now, -PAID_WITHIN_MONTHS)),
        sql`${day} = (instr('0123456789abcdef', substr(${payees.id}, -1)) * 16 + instr('0123456789abcdef', substr(${payees.id}, -2, 1))) % ${DAYS}`,
        sql`${answeredAt} < ${addMonths(now, -confirmAgainMonths)}`,
        waits,
        // Leaves out payees about which a question was queued or asked within a day.
        sql`NOT EXISTS (SELECT 1 FROM ${accountQuestions} AS q WHERE ${isOfPayee}
          AND coalesce(q."askedAt", q."wantedAt") >= ${now - DAY_MS})`,
      ),
    )
    .limit(MOST_A_DAY);
}
