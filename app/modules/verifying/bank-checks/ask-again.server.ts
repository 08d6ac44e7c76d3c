import { accountQuestions, organizations, payees, verifications } from "@db/schema";
import { findWalk, saveWalk } from "@db/walk";
import { and, asc, eq, gt, gte, isNull, sql } from "drizzle-orm";
import { addMonths, DAY_MS, HOUR_MS } from "~/kernel/dates";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runStatement } from "~/modules/core/commands/run-command.server";
import { findQuestion, wantAnswers } from "~/modules/payees/verifications/account-questions.server";
import { askAccount } from "./ask-accounts.server";
import { findObstacle } from "./ask-automatically.server";
import type { AskServices } from "./instant-check.server";

/**
 * Asks again about trusted payees that are being paid, when no bank has answered about them for as long as the policy
 * says. Each payee has a day of the month, derived from its id, so that the questions are spread over the month. An
 * answer that differs opens a verification, which raises an alert; trust, payments and details stay as they are until a
 * person decides.
 */

type Services = AskServices;

/**
 * One cron run may make a thousand queries, which this task shares with others. This limit leaves room for the work of
 * one organisation and one question; the next run continues.
 */
const QUERIES = 500;
const OF_AN_ORGANIZATION = 3;
const OF_A_QUESTION = 16;
const PAGE_SIZE = 50;
const WALK = "banks_asked_again";
/** A walk starts at the same hour every day, even if a cron run is late. */
const EVERY_MS = DAY_MS - HOUR_MS / 2;
/** Payees that were paid within this many months are included. */
const PAID_WITHIN_MONTHS = 12;
/** Payees are spread over this many days of the month. */
const DAYS = 28;

/**
 * Asks about the payees whose day it is. The next run continues where this one stopped, even in the middle of an
 * organisation.
 * @param queries the approximate limit of database queries
 * @returns how many were answered
 */
export async function askAgain(services: Services, queries = QUERIES): Promise<number> {
  const { config, instantBankData, db, clock } = services;
  if (!config.asksBanksAutomatically || !instantBankData) return 0;
  const walk = await findWalk(db, WALK, clock.now(), EVERY_MS);
  if (!walk) return 0;
  let { key } = walk;
  let answered = 0;
  let page: string[] = [];
  for (let left = queries; left > 0; ) {
    if (page.length === 0) page = await nextOrganizations(services, key);
    const [next] = page;
    if (next === undefined) {
      await saveWalk(db, { ...walk, key }, clock.now());
      return answered;
    }
    const limit = Math.max(1, Math.floor(left / OF_A_QUESTION));
    const { due, done, isOver } = await askAgainFor(services, next, { day: dayOf(walk.startedAt), limit });
    left -= OF_AN_ORGANIZATION + due * OF_A_QUESTION;
    answered += done;
    if (!isOver) continue;
    key = next;
    page = page.slice(1);
  }
  await saveWalk(db, { ...walk, key }, null);
  return answered;
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

/** Payees of one day, up to a limit. */
type Share = { day: number; limit: number };

/** `isOver`: nothing more is asked for the organisation in this walk. */
async function askAgainFor(services: Services, organizationId: string, share: Share) {
  const due = await listDue(services, organizationId, share);
  if (due.length === 0 || (await findObstacle(services, organizationId)) !== undefined)
    return { due: 0, done: 0, isOver: true };
  let done = 0;
  const wanted = due.map((account) => ({ ...account, cause: "asked_again" as const }));
  for (const statement of wantAnswers(services, organizationId, wanted)) await runStatement(services, statement);
  for (const account of due) {
    const question = await findQuestion(services, organizationId, account);
    // Another run is asking or has asked about it.
    if (!question || question.endedAt !== null || question.askedAt !== null) continue;
    const asked = await askAccount(services, question);
    // The question waits until limits and budget allow it, and is given up after a day.
    if (asked === "limited") return { due: due.length, done, isOver: true };
    if (asked === "answered") done++;
  }
  return { due: due.length, done, isOver: due.length < share.limit };
}

/** A payee's day comes from the last two digits of its id, which are random. */
const dayOf = (now: number): number => Math.floor(now / DAY_MS) % DAYS;

const isOfPayee = sql`q."organizationId" = ${payees.organizationId} AND q."bsb" = ${payees.bsb}
  AND q."accountNumber" = ${payees.accountNumber} AND q."accountName" = ${payees.accountName}`;

/**
 * When a bank last answered about the payee's present details, whatever the answer: if it was unfavourable, a person
 * has decided about it.
 */
const answeredAt = sql`max(
  coalesce((SELECT max(coalesce(v."completedAt", v."createdAt")) FROM ${verifications} AS v
    WHERE v."organizationId" = ${payees.organizationId} AND v."payeeId" = ${payees.id} AND v."outcome" <> 'unable'
    AND v."bsb" = ${payees.bsb} AND v."accountNumber" = ${payees.accountNumber}
    AND v."accountName" = ${payees.accountName}), 0),
  coalesce((SELECT q."answeredAt" FROM ${accountQuestions} AS q WHERE ${isOfPayee}), 0))`;

async function listDue({ db, clock, ...services }: Services, organizationId: string, { day, limit }: Share) {
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
        // Leaves out payees that another run has asked about, even if it died: they are not asked about again that day.
        sql`NOT EXISTS (SELECT 1 FROM ${accountQuestions} AS q WHERE ${isOfPayee}
          AND coalesce(q."askedAt", q."wantedAt") >= ${now - DAY_MS})`,
      ),
    )
    .limit(limit);
}
