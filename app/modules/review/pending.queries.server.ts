import { keySetPage } from "@db/key-set-page";
import { counters, payees, users, verifications } from "@db/schema";
import { and, eq, gte, type SQL, sql } from "drizzle-orm";
import { MATCH_TYPES } from "~/kernel/enums";
import type { MatchType } from "~/modules/name-match";
import { wordsOfSearch } from "~/modules/search-terms/search-terms";
import {
  findRareWord,
  MAX_WALK,
  payeeHasWords,
  payeesWithWord,
} from "~/modules/search-terms/search-words.queries.server";
import { summaryColumns } from "~/modules/verifications/verification.columns.server";
import type { VerificationSummary } from "~/modules/verifications/verification.json";
import type { Asking } from "~/modules/verifications/verification.queries.server";
import type { ReadServices } from "~/services";
import { COUNT_CAP } from "./pending.view";

export const PENDING_PAGE_SIZE = 50;

/** How far down the queue a place is counted. */
const POSITION_CAP = 100;

export type PendingFilter = {
  /** Words of names, a BSB or an account number. */
  q?: string;
  match?: MatchType;
  order?: "newest" | "oldest";
  /** The page that follows this verification, or the one that ends before it. */
  after?: string;
  before?: string;
  limit?: number;
};

export type PendingPage = {
  verifications: VerificationSummary[];
  /** Key of the page before (`before`) and after (`after`); absent at either end. */
  previous?: string;
  next?: string;
};

/** One page of the review queue, by key. */
export async function listPendingVerifications(
  services: ReadServices,
  actor: Asking,
  filter: PendingFilter = {},
): Promise<PendingPage> {
  const { q, match, order = "newest", after, before, limit = PENDING_PAGE_SIZE } = filter;
  const page = keySetPage({ after, before }, { size: limit, order: order === "newest" ? "descending" : "ascending" });
  const words = wordsOfSearch(q ?? "");
  if (q?.trim() && words.length === 0) return { verifications: [] };

  const where = and(
    eq(verifications.organizationId, actor.organizationId),
    sql`${verifications.status} = 'pending'`,
    match && eq(verifications.matchType, match),
  );
  const inQueue = { beyond: page.beyond(verifications.id), inOrder: page.order(verifications.id), limit: page.limit };
  const { rows, walkedTo } = await searchQueue(services, actor, { words, where, ...inQueue });
  const { rows: shown, ...beside } = page.cut(rows, ({ id }) => id, walkedTo);
  return { verifications: shown, ...beside };
}

type QueueSearch = {
  words: readonly string[];
  where: SQL | undefined;
  /** What lies beyond the page's key. */
  beyond: SQL | undefined;
  inOrder: SQL;
  limit: number;
};

/**
 * Reads the queue in its own order and looks each payee's words up, no further than `MAX_WALK` (`walkedTo` says where it
 * stopped), or, when a word is rare, starts from the payees who have it: either way the rows read depend on the page, not
 * on how many wait.
 */
async function searchQueue(
  services: ReadServices,
  actor: Asking,
  { words, where, beyond, inOrder, limit }: QueueSearch,
): Promise<{ rows: VerificationSummary[]; walkedTo?: string }> {
  const { db } = services;
  const rare = await findRareWord(services, actor, words);
  const payeeId = sql`${verifications.payeeId}`;
  if (words.length === 0) return { rows: await readSummaries(services, and(where, beyond), inOrder, limit) };
  if (rare !== undefined) {
    const others = words.filter((word) => word !== rare);
    const having = and(where, beyond, sql`${payeeId} = "walk"."payeeId"`, payeeHasWords(actor, payeeId, others));
    // SQLite keeps the order of a CROSS JOIN: the few payees found come first, each with its one pending verification.
    const rows = await db
      .select(summaryColumns)
      .from(sql`(SELECT DISTINCT "payeeId" FROM (${payeesWithWord(actor, rare)})) AS "walk"`)
      .crossJoin(verifications)
      .innerJoin(payees, samePayee)
      .leftJoin(users, eq(users.id, verifications.requestedById))
      .where(having)
      .orderBy(inOrder)
      .limit(limit);
    return { rows };
  }
  const walk = db
    .select({ id: verifications.id, payeeId: verifications.payeeId })
    .from(verifications)
    .where(and(where, beyond))
    .orderBy(inOrder)
    .limit(MAX_WALK)
    .as("walk");
  const found = await db
    .select({ id: walk.id })
    .from(walk)
    .where(payeeHasWords(actor, sql`${walk.payeeId}`, words))
    .limit(limit);
  const ids = JSON.stringify(found.map(({ id }) => id));
  const isFound = and(where, sql`${verifications.id} IN (SELECT value FROM json_each(${ids}))`);
  const rows = await readSummaries(services, isFound, inOrder, limit);
  if (found.length === limit) return { rows };
  const [last] = await db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(where, beyond))
    .orderBy(inOrder)
    .limit(1)
    .offset(MAX_WALK - 1);
  return { rows, walkedTo: last?.id };
}

const samePayee = and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId));

/** These verifications as lists show them. */
function readSummaries({ db }: ReadServices, where: SQL | undefined, inOrder: SQL, limit: number) {
  return db
    .select(summaryColumns)
    .from(verifications)
    .innerJoin(payees, samePayee)
    .leftJoin(users, eq(users.id, verifications.requestedById))
    .where(where)
    .orderBy(inOrder)
    .limit(limit);
}

/** How many wait in all, and of each match type up to the cap. */
export async function countPending(
  services: ReadServices,
  actor: Asking,
): Promise<{ all: number } & Record<MatchType, number>> {
  const { db } = services;
  const capped = (match: MatchType) =>
    sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${verifications} WHERE "organizationId" = ${actor.organizationId}
      AND "status" = 'pending' AND "matchType" = ${match} LIMIT ${COUNT_CAP}) AS "walk")`;
  const [exact, fuzzy, none] = MATCH_TYPES.map(capped);
  const [row] = await db
    .select({ exact: exact as SQL<number>, fuzzy: fuzzy as SQL<number>, none: none as SQL<number> })
    .from(sql`(SELECT 1) AS "walk"`);
  return { all: await countAllPending(services, actor), exact: 0, fuzzy: 0, none: 0, ...row };
}

/** How many wait, kept by the database in the acting transaction. */
export async function countAllPending({ db }: ReadServices, actor: Asking): Promise<number> {
  const [row] = await db
    .select({ value: counters.value })
    .from(counters)
    .where(and(eq(counters.organizationId, actor.organizationId), eq(counters.name, "pendingVerifications")));
  return row?.value ?? 0;
}

/** Where a pending verification stands in the queue, newest first; undefined far down. */
export async function findPosition(
  services: ReadServices,
  actor: Asking,
  id: string,
): Promise<{ position: number; total: number } | undefined> {
  const ahead = services.db
    .select({ one: sql`1`.as("one") })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, actor.organizationId),
        eq(verifications.status, "pending"),
        gte(verifications.id, id),
      ),
    )
    .limit(POSITION_CAP)
    .as("walk");
  const [row] = await services.db.select({ n: sql<number>`count(*)` }).from(ahead);
  const position = row?.n ?? 0;
  const total = await countAllPending(services, actor);
  return position < POSITION_CAP ? { position, total: Math.max(total, position) } : undefined;
}
