import { accountQuestions, organizations, payees, verifications } from "@db/schema";
import { findWalk, saveWalk } from "@db/walk";
import { and, asc, eq, gt, gte, isNull, sql } from "drizzle-orm";
import { addMonths, DAY_MS, HOUR_MS } from "~/kernel/dates";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runStatement } from "~/modules/core/commands/run-command.server";
import { findQuestion, wantAnswers } from "~/modules/payees/verifications/account-questions.server";
import { askAccount } from "./ask-accounts.server";
import { findObstacle } from "./ask-by-itself.server";
import type { AskingAtOnce } from "./instant-check.server";

/**
 * Trusted payees that are paid, and about which no bank has answered for as long as the policy says, are asked about again. Each payee has
 * its day of the month, by its id, so that the questions are spread over it. An answer that differs opens a verification,
 * which alerts as any other does; trust, payments and details stay as they are until a person decides.
 */

type Services = AskingAtOnce;

/**
 * The database answers a thousand queries in one run of a schedule, and other work is done by the same run: so many are for
 * this, what one organisation and one question take at most, and the walk that goes on in the next run.
 */
const QUERIES = 500;
const OF_AN_ORGANIZATION = 3;
const OF_A_QUESTION = 16;
const PAGE_SIZE = 50;
const WALK = "banks_asked_again";
/** A walk begins at the same hour every day, however late a schedule runs. */
const EVERY_MS = DAY_MS - HOUR_MS / 2;
/** Payees that were paid within this many months count as paid. */
const PAID_WITHIN_MONTHS = 12;
/** Every month has this many days, and every payee one of them. */
const DAYS = 28;

/**
 * Asks about the payees whose day it is. The next run goes on where this one stopped, also within an organisation.
 * @param queries of the database at most, about
 * @returns how many were answered
 */
export async function askAgain(services: Services, queries = QUERIES): Promise<number> {
  const { config, instantBankData, db, clock } = services;
  if (!config.asksBanksByItself || !instantBankData) return 0;
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

/** Payees of one day, so many at most. */
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
    // Another run asks, or has asked, about it.
    if (!question || question.endedAt !== null || question.askedAt !== null) continue;
    const asked = await askAccount(services, question);
    // What waits then is asked as soon as limits and budget let it, or given up after a day.
    if (asked === "limited") return { due: due.length, done, isOver: true };
    if (asked === "answered") done++;
  }
  return { due: due.length, done, isOver: due.length < share.limit };
}

/** The day of the month of a payee is told by the last two digits of its id, which are random. */
const dayOf = (now: number): number => Math.floor(now / DAY_MS) % DAYS;

const isOfPayee = sql`q."organizationId" = ${payees.organizationId} AND q."bsb" = ${payees.bsb}
  AND q."accountNumber" = ${payees.accountNumber} AND q."accountName" = ${payees.accountName}`;

/** When a bank last answered about the details that a payee has, whatever it said: what speaks against them a person has decided. */
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
        // Whom another run asked about, or one that died: not again that day.
        sql`NOT EXISTS (SELECT 1 FROM ${accountQuestions} AS q WHERE ${isOfPayee}
          AND coalesce(q."askedAt", q."wantedAt") >= ${now - DAY_MS})`,
      ),
    )
    .limit(limit);
}
