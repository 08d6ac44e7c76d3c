import { preparedPer } from "@db/prepared";
import { verifications } from "@db/schema";
import { and, asc, desc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { QueueOrder } from "~/kernel/enums";
import { payeeHasWords, payeesWithTerms, type RareWord } from "~/modules/core/search-words.server";
import type { MatchType } from "~/modules/name-match";
import type { Asking } from "~/modules/payees/verifications/verification.server";
import type { ReadServices } from "~/services";

/** What each query of the queue is made of; those of a view without words to look for are built once. */

/** The words looked for, the rare one first read apart. */
export type Search = { words: readonly string[]; rare: RareWord | undefined };

/** What narrows the queue besides words. */
export type Narrowing = {
  match?: MatchType;
  /** Id of the person it is assigned to. */
  assignedTo?: string;
};

/** The same with places that are filled in when the query runs. */
type Bound<T> = { [Name in keyof T]: T[Name] | Placeholder };

/**
 * What waits, along the queue's own index; where a rare word leads, the plus keeps the database from walking that index
 * instead of starting from the few payees.
 */
export function isWaiting(
  actor: Bound<Asking>,
  { match, assignedTo }: Bound<Narrowing>,
  { rare }: Pick<Search, "rare">,
): SQL | undefined {
  const inOrganization = eq(verifications.organizationId, actor.organizationId);
  const isOfMatch = match && sql`+${verifications.matchType} = ${match}`;
  if (rare !== undefined) {
    const isAssigned = assignedTo && sql`+${verifications.assignedToId} = ${assignedTo}`;
    return and(inOrganization, sql`+${verifications.status} = 'pending'`, isOfMatch, isAssigned || undefined);
  }
  const isPending = and(inOrganization, eq(verifications.status, "pending"));
  if (assignedTo) return and(isPending, eq(verifications.assignedToId, assignedTo), isOfMatch);
  return and(isPending, match && eq(verifications.matchType, match));
}

/** Before or after another verification in the queue's order. */
export function compareKey(
  actor: Bound<Asking>,
  order: QueueOrder,
  operator: "<" | ">" | "<=" | ">=",
  id: string | Placeholder,
): SQL {
  const than = sql.raw(operator);
  if (order !== "risk") return sql`${verifications.id} ${than} ${id}`;
  const rank = sql`(SELECT "at"."queueRank" FROM ${verifications} AS "at"
    WHERE "at"."organizationId" = ${actor.organizationId} AND "at"."id" = ${id})`;
  return sql`(${verifications.queueRank}, ${verifications.id}) ${than} (${rank}, ${id})`;
}

/** The queue, or, when a word is rare, those of it whose payees have the words: few, however many wait. */
export function queueIds({ db }: ReadServices, actor: Asking, { words, rare }: Search, where: SQL | undefined) {
  const payeeId = sql`${verifications.payeeId}`;
  const others = words.filter((word) => word !== rare?.word);
  const led = rare === undefined ? undefined : sql`${payeeId} IN (${payeesWithTerms(actor, rare.ranges)})`;
  return db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(where, led, payeeHasWords(actor, payeeId, others)))
    .$dynamic();
}

const NO_WORDS: Search = { words: [], rare: undefined };
const asking = { organizationId: sql.placeholder("organizationId") };

/** What the text of a query depends on, of what narrows the queue. */
type Shape = { hasMatch: boolean; hasAssignee: boolean };

const shapeOf = ({ match, assignedTo }: Narrowing): Shape => ({
  hasMatch: match !== undefined,
  hasAssignee: Boolean(assignedTo),
});

const isWaitingIn = ({ hasMatch, hasAssignee }: Shape) =>
  isWaiting(
    asking,
    {
      match: hasMatch ? sql.placeholder("match") : undefined,
      assignedTo: hasAssignee ? sql.placeholder("assignedTo") : undefined,
    },
    NO_WORDS,
  );

/** The queue as one of its queries asks for it, by id. */
const idsBy = (db: ReadServices["db"], where: SQL | undefined) =>
  db.select({ id: verifications.id }).from(verifications).where(where);

type Along = { order: QueueOrder; isDescending: boolean };

const idsInOrder = preparedPer((db, { order, isDescending, hasKey, ...shape }: Along & Shape & { hasKey: boolean }) => {
  const direction = isDescending ? desc : asc;
  const byId = direction(verifications.id);
  const inOrder = order === "risk" ? [direction(verifications.queueRank), byId] : [byId];
  const key = sql.placeholder("key");
  const beyond = hasKey ? compareKey(asking, order, isDescending ? "<" : ">", key) : undefined;
  return idsBy(db, and(isWaitingIn(shape), beyond))
    .orderBy(...inOrder)
    .limit(sql.placeholder("limit"))
    .prepare();
});

/** Ids of a view without words, in its order beyond a key. */
export function findIdsInOrder(
  { db }: ReadServices,
  { organizationId }: Asking,
  narrowing: Narrowing,
  { key, limit, ...along }: Along & { key: string | undefined; limit: number },
): Promise<{ id: string }[]> {
  const query = idsInOrder(db, { ...along, ...shapeOf(narrowing), hasKey: key !== undefined });
  return query.all({ organizationId, ...valuesOf(narrowing), key, limit });
}

const valuesOf = ({ match, assignedTo }: Narrowing) => ({ match, assignedTo });

const countUpTo = preparedPer((db, { upTo, ...shape }: Shape & { upTo?: QueueOrder }) => {
  const id = sql.placeholder("id");
  const isAhead = upTo && compareKey(asking, upTo, upTo === "newest" ? ">=" : "<=", id);
  const some = idsBy(db, and(isWaitingIn(shape), isAhead))
    .limit(sql.placeholder("cap"))
    .as("walk");
  return db.select({ n: sql<number>`count(*)` }).from(some).prepare();
});

/** How many a view without words has up to a cap; with `upTo`, only those up to a verification in that order. */
export async function countInView(
  { db }: ReadServices,
  { organizationId }: Asking,
  narrowing: Narrowing,
  { cap, upTo }: { cap: number; upTo?: { order: QueueOrder; id: string } },
): Promise<number> {
  const query = countUpTo(db, { ...shapeOf(narrowing), upTo: upTo?.order });
  const [row] = await query.all({ organizationId, ...valuesOf(narrowing), cap, id: upTo?.id });
  return row?.n ?? 0;
}

const oneOfView = preparedPer((db, shape: Shape) =>
  idsBy(db, and(isWaitingIn(shape), eq(verifications.id, sql.placeholder("id")))).prepare(),
);

/** Whether a view without words has this verification. */
export async function isInView(
  { db }: ReadServices,
  { organizationId }: Asking,
  narrowing: Narrowing,
  id: string,
): Promise<boolean> {
  const rows = await oneOfView(db, shapeOf(narrowing)).all({ organizationId, ...valuesOf(narrowing), id });
  return rows.length > 0;
}
