import { prepared } from "@db/prepared";
import { counters, verifications } from "@db/schema";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { MATCH_TYPES } from "~/kernel/enums";
import { MAX_WALK, payeeHasWords } from "~/modules/core/search-words.server";
import type { Asking } from "~/modules/payees/verifications/verification.server";
import type { ReadServices } from "~/services";
import { type PendingFilter, readSearch } from "./pending.server";
import { COUNT_CAP, type PendingCounts } from "./pending.view";
import { countInView, isWaiting, type Narrowing, queueIds, type Search } from "./queue-parts.server";

/** Found along the queue at most while common words are counted: more than a page shows, so a page never shows more. */
const FOUND_CAP = 60;

/**
 * How many stand behind each tab: all, of each match type and the person's own, up to the cap. During a search what it
 * finds is counted; common words are counted along the queue in its order, no further than a page looks for them.
 */
export async function countPending(
  services: ReadServices,
  actor: Asking & { userId: string },
  { q, order }: Pick<PendingFilter, "q" | "order"> = {},
  reading = readSearch(services, actor, q),
): Promise<PendingCounts> {
  const search = await reading;
  if (search === "nothing") return { all: 0, mine: 0, exact: 0, fuzzy: 0, none: 0 };
  if (search.words.length > 0 && search.rare === undefined) return countAlongQueue(services, actor, search, order);
  const count = async (filter: Narrowing) => {
    if (search.words.length === 0) return countInView(services, actor, filter, { cap: COUNT_CAP });
    const some = queueIds(services, actor, search, isWaiting(actor, filter, search))
      .limit(COUNT_CAP)
      .as("walk");
    const [row] = await services.db.select({ n: sql<number>`count(*)` }).from(some);
    return row?.n ?? 0;
  };
  const [all, mine, exact, fuzzy, none] = await Promise.all([
    search.words.length === 0 ? countAllPending(services, actor) : count({}),
    count({ assignedTo: actor.userId }),
    ...MATCH_TYPES.map((match) => count({ match })),
  ]);
  return { all, mine, exact: exact ?? 0, fuzzy: fuzzy ?? 0, none: none ?? 0 };
}

/** One walk for all tabs; `isAtLeast` where it stopped before the end of the queue. */
async function countAlongQueue(
  services: ReadServices,
  actor: Asking & { userId: string },
  search: Search,
  order: PendingFilter["order"] = "newest",
): Promise<PendingCounts> {
  const { id, payeeId, matchType, assignedToId, queueRank } = verifications;
  const inOrder = order === "risk" ? [asc(queueRank), asc(id)] : [order === "newest" ? desc(id) : asc(id)];
  const walk = services.db
    .select({ payeeId, matchType, assignedToId })
    .from(verifications)
    .where(isWaiting(actor, {}, search))
    .orderBy(...inOrder)
    .limit(MAX_WALK)
    .as("walk");
  const [rows, waiting] = await Promise.all([
    services.db
      .select({ matchType: walk.matchType, assignedToId: walk.assignedToId })
      .from(walk)
      .where(payeeHasWords(actor, sql`${walk.payeeId}`, search.words))
      .limit(FOUND_CAP + 1),
    countAllPending(services, actor),
  ]);
  const found = rows.slice(0, FOUND_CAP);
  const count = (match: (typeof MATCH_TYPES)[number]) => found.filter((row) => row.matchType === match).length;
  return {
    all: found.length,
    mine: found.filter((row) => row.assignedToId === actor.userId).length,
    exact: count("exact"),
    fuzzy: count("fuzzy"),
    none: count("none"),
    isAtLeast: rows.length > FOUND_CAP || waiting > MAX_WALK,
  };
}

/** How many wait, kept by the database in the acting transaction. */
export async function countAllPending({ db }: ReadServices, actor: Asking): Promise<number> {
  const [row] = await allPendingOf(db).all({ organizationId: actor.organizationId });
  return row?.value ?? 0;
}

const allPendingOf = prepared((db) =>
  db
    .select({ value: counters.value })
    .from(counters)
    .where(
      and(eq(counters.organizationId, sql.placeholder("organizationId")), eq(counters.name, "pendingVerifications")),
    )
    .prepare(),
);
