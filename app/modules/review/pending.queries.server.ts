import { counters, payees, payeeTerms, users, verifications } from "@db/schema";
import { and, asc, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import { MATCH_TYPES } from "~/kernel/enums";
import type { MatchType } from "~/modules/name-match";
import { endOfPrefix, wordsOfSearch } from "~/modules/search-terms/search-terms";
import { summaryColumns } from "~/modules/verifications/verification.columns.server";
import type { VerificationSummary } from "~/modules/verifications/verification.json";
import type { Asking } from "~/modules/verifications/verification.queries.server";
import type { Services } from "~/services";
import { COUNT_CAP } from "./pending.view";

export const PENDING_PAGE_SIZE = 50;

const POSITION_CAP = 1000;
/** A word that begins fewer terms than this is looked up first; a more common one is looked for along the queue. */
const RARE_TERMS = 200;

type Reading = Pick<Services, "db">;

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
  services: Reading,
  actor: Asking,
  filter: PendingFilter = {},
): Promise<PendingPage> {
  const { q, match, order = "newest", after, before, limit = PENDING_PAGE_SIZE } = filter;
  const backwards = after === undefined && before !== undefined;
  const descending = (order === "newest") !== backwards;
  const key = after ?? before;
  const words = wordsOfSearch(q ?? "");
  if (q?.trim() && words.length === 0) return { verifications: [] };

  const where = and(
    eq(verifications.organizationId, actor.organizationId),
    eq(verifications.status, "pending"),
    match && eq(verifications.matchType, match),
    key === undefined ? undefined : (descending ? lt : gt)(verifications.id, key),
  );
  const rows = await searchQueue(services, actor, words, where, descending, limit + 1);
  const hasMore = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (backwards) shown.reverse();
  const hasPrevious = backwards ? hasMore : after !== undefined;
  const hasNext = backwards || hasMore;
  return {
    verifications: shown,
    previous: hasPrevious ? shown[0]?.id : undefined,
    next: hasNext ? shown.at(-1)?.id : undefined,
  };
}

/**
 * Reads the queue in its own order and looks each payee's words up, or, when a word is rare, starts from the payees who
 * have it: either way the rows read depend on the page and the word, not on how many payees there are.
 */
async function searchQueue(
  { db }: Reading,
  actor: Asking,
  words: readonly string[],
  where: SQL | undefined,
  descending: boolean,
  limit: number,
): Promise<VerificationSummary[]> {
  const inOrder = descending ? desc(verifications.id) : asc(verifications.id);
  const rare = await findRareWord({ db }, actor, words);
  const others = words.filter((word) => word !== rare).map((word) => hasWord(actor, word));
  const samePayee = and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId));
  if (rare === undefined) {
    return db
      .select(summaryColumns)
      .from(verifications)
      .innerJoin(payees, samePayee)
      .leftJoin(users, eq(users.id, verifications.requestedById))
      .where(and(where, ...others))
      .orderBy(inOrder)
      .limit(limit);
  }
  const found = db
    .selectDistinct({ payeeId: payeeTerms.payeeId })
    .from(payeeTerms)
    .where(and(eq(payeeTerms.organizationId, actor.organizationId), beginsWith(rare)))
    .limit(RARE_TERMS)
    .as("walk");
  // SQLite keeps the order of a CROSS JOIN: the few payees found come first, each with its one pending verification.
  return db
    .select(summaryColumns)
    .from(found)
    .crossJoin(verifications)
    .innerJoin(payees, samePayee)
    .leftJoin(users, eq(users.id, verifications.requestedById))
    .where(and(eq(verifications.payeeId, found.payeeId), where, ...others))
    .orderBy(inOrder)
    .limit(limit);
}

const beginsWith = (word: string) => and(gte(payeeTerms.term, word), lt(payeeTerms.term, endOfPrefix(word)));

function hasWord(actor: Asking, word: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${payeeTerms} WHERE ${payeeTerms.organizationId} = ${actor.organizationId}
    AND ${payeeTerms.payeeId} = ${verifications.payeeId} AND ${beginsWith(word)})`;
}

/** The word that begins the fewest terms, if those are few. */
async function findRareWord({ db }: Reading, actor: Asking, words: readonly string[]): Promise<string | undefined> {
  if (words.length === 0) return undefined;
  const counts = await Promise.all(
    words.map(async (word) => {
      const some = db
        .select({ one: sql`1`.as("one") })
        .from(payeeTerms)
        .where(and(eq(payeeTerms.organizationId, actor.organizationId), beginsWith(word)))
        .limit(RARE_TERMS)
        .as("walk");
      const [row] = await db.select({ n: sql<number>`count(*)` }).from(some);
      return { word, n: row?.n ?? 0 };
    }),
  );
  const [rarest] = counts.sort((a, b) => a.n - b.n);
  return rarest && rarest.n < RARE_TERMS ? rarest.word : undefined;
}

/** How many wait in all, and of each match type up to the cap. */
export async function countPending(
  services: Reading,
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
export async function countAllPending({ db }: Reading, actor: Asking): Promise<number> {
  const [row] = await db
    .select({ value: counters.value })
    .from(counters)
    .where(and(eq(counters.organizationId, actor.organizationId), eq(counters.name, "pendingVerifications")));
  return row?.value ?? 0;
}

/** Where a pending verification stands in the queue, newest first; undefined far down. */
export async function findPosition(
  services: Reading,
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
