import { bankChecks, payees, prepared, preparedPer, users, verifications } from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, asc, desc, eq, inArray, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { MATCH_TYPES, QUEUE_ORDERS, type QueueOrder } from "~/kernel/enums";
import { addressId } from "~/kernel/fields.schema.server";
import { wordsOfSearch } from "~/modules/core/payee-keys";
import {
  findRareWord,
  MAX_WALK,
  payeeHasWords,
  payeesWithTerms,
  type RareWord,
} from "~/modules/core/search-words.server";
import type { MatchType } from "~/modules/name-match";
import { assignees, isRunning, verdictColumns } from "~/modules/payees/verifications/verification.server";
import type { Asking, ReadServices } from "~/services-and-actor";
import { MINE, type QueueView } from "./verification-list";

export const PENDING_PAGE_SIZE = 50;

export type PendingFilter = Narrowing & {
  /** Words of names, a BSB or an account number. */
  q?: string;
  order?: QueueOrder;
  /** The page after this verification, or the page that ends before it. */
  after?: string;
  before?: string;
  limit?: number;
};

/** One page of the review queue, with key-set paging. `reading`: the parsed search, if the page already has it. */
export async function listPendingVerifications(
  services: ReadServices,
  actor: Asking,
  filter: PendingFilter = {},
  reading = readSearch(services, actor, filter.q),
) {
  const { after, before, order = "newest", limit = PENDING_PAGE_SIZE } = filter;
  const page = keySetPage({ after, before }, { size: limit, order: order === "newest" ? "descending" : "ascending" });
  const search = await reading;
  if (search === "nothing") return { verifications: [] };
  if (search.words.length === 0) {
    const rows = await readInOrder(services, actor, filter, {
      order,
      isDescending: (order === "newest") !== page.isBackwards,
      key: page.key,
      limit: page.limit,
    });
    const { rows: verifications, ...beside } = page.cut(rows, ({ id }) => id);
    return { verifications, ...beside };
  }
  const { ids: found, walkedTo } = await idsInOrder(services, actor, filter, search);
  const { rows: ids, ...beside } = page.cut(found, (id) => id, walkedTo);
  return { verifications: await readPending(services, actor, ids), ...beside };
}

/** The verifications to decide first: by risk, then the most money that waits of the payee, then the longest wait. */
export const listMostDangerous = (services: ReadServices, { organizationId }: Asking, most: number) =>
  mostDangerous(services.db).all({ organizationId, most });

const mostDangerous = prepared((db) =>
  selectPending(db)
    // Literal SQL, because SQLite cannot use the partial index with a bound value.
    .where(and(eq(verifications.organizationId, asking.organizationId), sql`${verifications.status} = 'pending'`))
    .orderBy(asc(verifications.queueRank), desc(verifications.waitingCents), asc(verifications.id))
    .limit(sql.placeholder("most"))
    .prepare(),
);

/** The parsed search; `nothing`: the text contains no word. */
export async function readSearch(services: ReadServices, actor: Asking, q = ""): Promise<Search | "nothing"> {
  const words = wordsOfSearch(q);
  if (q.trim() && words.length === 0) return "nothing";
  return { words, rare: await findRareWord(services, actor, words) };
}

/**
 * Ids after the key in queue order, one more than the limit. For common words the search walks at most `MAX_WALK` rows
 * of the queue; `walkedTo` says where it stopped.
 */
async function idsInOrder(services: ReadServices, actor: Asking, filter: PendingFilter, search: Search) {
  const { order = "newest", after, before, limit = PENDING_PAGE_SIZE } = filter;
  const isDescending = (order === "newest") !== isBackwards(filter);
  const key = after ?? before;
  if (search.words.length === 0) {
    const rows = await findIdsInOrder(services, actor, filter, { order, isDescending, key, limit: limit + 1 });
    return { ids: rows.map(({ id }) => id) };
  }
  const direction = isDescending ? desc : asc;
  // When a rare word finds the rows, the unary plus keeps SQLite from reading along the queue's index instead.
  const sorted = (column: SQLWrapper) => direction(search.rare === undefined ? column : sql`+${column}`);
  const byId = sorted(verifications.id);
  const inOrder = order === "risk" ? [sorted(verifications.queueRank), byId] : [byId];
  const beyond = key === undefined ? undefined : compareKey(actor, order, isDescending ? "<" : ">", key);
  const where = and(isWaiting(actor, filter, search), beyond);
  if (search.rare === undefined) {
    return walkQueue(services, actor, search.words, { where, inOrder, limit: limit + 1 });
  }
  const rows = await queueIds(services, actor, search, where)
    .orderBy(...inOrder)
    .limit(limit + 1);
  return { ids: rows.map(({ id }) => id) };
}

const isBackwards = ({ after, before }: PendingFilter) => after === undefined && before !== undefined;

async function walkQueue(
  { db }: ReadServices,
  actor: Asking,
  words: readonly string[],
  { where, inOrder, limit }: { where: SQL | undefined; inOrder: SQL[]; limit: number },
): Promise<{ ids: string[]; walkedTo?: string }> {
  const walk = db
    .select({ id: verifications.id, payeeId: verifications.payeeId })
    .from(verifications)
    .where(where)
    .orderBy(...inOrder)
    .limit(MAX_WALK)
    .as("walk");
  const found = await db
    .select({ id: walk.id })
    .from(walk)
    .where(payeeHasWords(actor, sql`${walk.payeeId}`, words))
    .limit(limit);
  const ids = found.map(({ id }) => id);
  if (ids.length === limit) return { ids };
  const [last] = await db
    .select({ id: verifications.id })
    .from(verifications)
    .where(where)
    .orderBy(...inOrder)
    .limit(1)
    .offset(MAX_WALK - 1);
  return { ids, walkedTo: last?.id };
}

/** The verifications with these ids, in the given order. */
async function readPending({ db }: ReadServices, { organizationId }: Asking, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await pendingById(db).all({ organizationId, ids: JSON.stringify(ids) });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The columns of a queue row in addition to its verdict. */
const queueColumns = {
  ...verdictColumns,
  heldCents: verifications.waitingCents,
  assignedToId: verifications.assignedToId,
  assignedTo: { firstName: assignees.firstName, lastName: assignees.lastName },
};

const selectPending = (db: ReadServices["db"]) =>
  db
    .select(queueColumns)
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .leftJoin(users, eq(users.id, verifications.requestedById))
    .leftJoin(assignees, eq(assignees.id, verifications.assignedToId))
    .leftJoin(bankChecks, isRunning);

const pendingById = prepared((db) =>
  selectPending(db)
    .where(
      and(
        eq(verifications.organizationId, asking.organizationId),
        sql`${verifications.id} IN (SELECT value FROM json_each(${sql.placeholder("ids")}))`,
      ),
    )
    .prepare(),
);

export type PendingVerification = Awaited<ReturnType<typeof readPending>>[number];

/** A verification's position in a view of the queue, and its neighbours; for one just decided, its former ones. */
export async function findPlace(
  services: ReadServices,
  actor: Asking,
  id: string,
  view: Pick<PendingFilter, "q" | "match" | "order" | "assignedTo">,
) {
  const search = await readSearch(services, actor, view.q);
  if (search === "nothing") return {};
  const { order = "newest" } = view;
  const neighbour = async (key: Pick<PendingFilter, "after" | "before">) =>
    (await idsInOrder(services, actor, { ...view, order, ...key, limit: 1 }, search)).ids;
  const [[previousId], [nextId], { isHere, ahead, total }] = await Promise.all([
    neighbour({ before: id }),
    neighbour({ after: id }),
    findPosition(services, actor, id, { view: { ...view, order }, search }),
  ]);
  return { previousId, nextId, position: isHere ? ahead : undefined, total };
}

/** How far down the queue positions are counted. */
const POSITION_CAP = 100;

type Looked = { view: Narrowing & { order: QueueOrder }; search: Search };

/** A verification's position in this view, the view's size, both capped, and whether the view contains it. */
async function findPosition(services: ReadServices, actor: Asking, id: string, { view, search }: Looked) {
  const { order } = view;
  if (search.words.length === 0) {
    const cap = POSITION_CAP;
    const [ahead, total, isHere] = await Promise.all([
      countInView(services, actor, view, { cap, upTo: { order, id } }),
      countInView(services, actor, view, { cap }),
      isInView(services, actor, view, id),
    ]);
    return { isHere, ahead: belowCap(ahead), total: belowCap(total) };
  }
  // A common word is searched for by walking the queue, because counting would read the whole queue.
  const count = (where: SQL | undefined) => (search.rare ? countUpTo(services, actor, search, where) : undefined);
  const waiting = isWaiting(actor, view, search);
  const [ahead, total, here] = await Promise.all([
    count(and(waiting, compareKey(actor, order, order === "newest" ? ">=" : "<=", id))),
    count(waiting),
    queueIds(services, actor, search, and(waiting, eq(verifications.id, id))).limit(1),
  ]);
  return { isHere: here.length > 0, ahead, total };
}

const belowCap = (n: number) => (n < POSITION_CAP ? n : undefined);

/** How many there are; undefined beyond the cap. */
async function countUpTo(services: ReadServices, actor: Asking, search: Search, where: SQL | undefined) {
  const some = queueIds(services, actor, search, where).limit(POSITION_CAP).as("walk");
  const [row] = await services.db.select({ n: sql<number>`count(*)` }).from(some);
  return belowCap(row?.n ?? 0);
}

const MAX_QUERY = 160;
const MAX_LIMIT = 1000;

const filterSchema = z.object({
  q: z
    .string()
    .transform((text) => text.trim().slice(0, MAX_QUERY))
    .optional()
    .catch(undefined),
  match: z.enum(MATCH_TYPES).optional().catch(undefined),
  order: z.enum(QUEUE_ORDERS).optional().catch(undefined),
  assigned: z.literal(MINE).optional().catch(undefined),
  after: addressId,
  before: addressId,
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).catch(PENDING_PAGE_SIZE),
});

/** Parses the list's address into a filter; invalid values are ignored, so an old link still works. */
export function readPendingFilter(params: URLSearchParams, defaultOrder: QueueOrder = "risk") {
  const cursor = params.get("cursor");
  const { assigned, ...filter } = filterSchema.parse({
    ...Object.fromEntries(params),
    ...(cursor ? { after: cursor } : {}),
  });
  return { ...filter, order: filter.order ?? defaultOrder, mine: assigned === MINE };
}

/** The queue view from which an item was opened. */
export function readQueueView(params: URLSearchParams): QueueView & { order: QueueOrder } {
  const { q, match, order, mine } = readPendingFilter(params);
  return { q, match, order, mine };
}

/** The parts of the queue's queries; those for a view without search words are prepared once. */

/** The search words, with the rare one read separately. */
export type Search = { words: readonly string[]; rare: RareWord | undefined };

/** The filters of the queue apart from search words. */
export type Narrowing = {
  match?: MatchType;
  /** Id of the assigned person. */
  assignedTo?: string;
};

/** The same, with placeholders that are bound when the query runs. */
type Bound<T> = { [Name in keyof T]: T[Name] | Placeholder };

/**
 * The pending verifications, along the queue's index; when a rare word leads, the unary plus keeps SQLite from walking
 * that index instead of starting from the few payees.
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
  // Literal SQL: if a bound value decided whether a partial index applies, SQLite would prepare the statement again at
  // every run.
  const isPending = and(inOrganization, sql`${verifications.status} = 'pending'`);
  if (assignedTo) return and(isPending, eq(verifications.assignedToId, assignedTo), isOfMatch);
  return and(isPending, match && eq(verifications.matchType, match));
}

/** The condition for coming before or after another verification in queue order. */
function compareKey(
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

/** The queue; when a word is rare, only the entries whose payees have the words, which are few. */
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

/** The parts of the filter that change the query's text. */
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

/** The query for the queue's ids with this condition. */
const idsBy = (db: ReadServices["db"], where: SQL | undefined) =>
  db.select({ id: verifications.id }).from(verifications).where(where);

type Along = { order: QueueOrder; isDescending: boolean };

type InView = Along & Shape & { hasKey: boolean };

const orderOf = ({ order, isDescending }: Along) => {
  const direction = isDescending ? desc : asc;
  const byId = direction(verifications.id);
  return order === "risk" ? [direction(verifications.queueRank), byId] : [byId];
};

const selectInView = (db: ReadServices["db"], { hasKey, ...view }: InView) => {
  const operator = view.isDescending ? "<" : ">";
  const beyond = hasKey ? compareKey(asking, view.order, operator, sql.placeholder("key")) : undefined;
  return idsBy(db, and(isWaitingIn(view), beyond))
    .orderBy(...orderOf(view))
    .limit(sql.placeholder("limit"));
};

const idsInView = preparedPer((db, view: InView) => selectInView(db, view).prepare());

const rowsInView = preparedPer((db, view: InView) =>
  selectPending(db)
    .where(
      and(eq(verifications.organizationId, asking.organizationId), inArray(verifications.id, selectInView(db, view))),
    )
    .orderBy(...orderOf(view))
    .prepare(),
);

/** The rows of a view without search words, in order after a key. */
function readInOrder(
  { db }: ReadServices,
  { organizationId }: Asking,
  narrowing: Narrowing,
  { key, limit, ...along }: Along & { key: string | undefined; limit: number },
) {
  const query = rowsInView(db, { ...along, ...shapeOf(narrowing), hasKey: key !== undefined });
  return query.all({ organizationId, ...valuesOf(narrowing), key, limit });
}

/** Their ids alone. */
function findIdsInOrder(
  { db }: ReadServices,
  { organizationId }: Asking,
  narrowing: Narrowing,
  { key, limit, ...along }: Along & { key: string | undefined; limit: number },
): Promise<{ id: string }[]> {
  const query = idsInView(db, { ...along, ...shapeOf(narrowing), hasKey: key !== undefined });
  return query.all({ organizationId, ...valuesOf(narrowing), key, limit });
}

const valuesOf = ({ match, assignedTo }: Narrowing) => ({ match, assignedTo });

const countOfView = preparedPer((db, { upTo, ...shape }: Shape & { upTo?: QueueOrder }) => {
  const id = sql.placeholder("id");
  const isAhead = upTo && compareKey(asking, upTo, upTo === "newest" ? ">=" : "<=", id);
  const some = idsBy(db, and(isWaitingIn(shape), isAhead))
    .limit(sql.placeholder("cap"))
    .as("walk");
  return db.select({ n: sql<number>`count(*)` }).from(some).prepare();
});

/** The count of a view without search words, up to a cap; with `upTo`, only up to a verification in that order. */
export async function countInView(
  { db }: ReadServices,
  { organizationId }: Asking,
  narrowing: Narrowing,
  { cap, upTo }: { cap: number; upTo?: { order: QueueOrder; id: string } },
): Promise<number> {
  const query = countOfView(db, { ...shapeOf(narrowing), upTo: upTo?.order });
  const [row] = await query.all({ organizationId, ...valuesOf(narrowing), cap, id: upTo?.id });
  return row?.n ?? 0;
}

const oneOfView = preparedPer((db, shape: Shape) =>
  idsBy(db, and(isWaitingIn(shape), eq(verifications.id, sql.placeholder("id")))).prepare(),
);

/** True if a view without search words contains this verification. */
async function isInView({ db }: ReadServices, { organizationId }: Asking, narrowing: Narrowing, id: string) {
  const rows = await oneOfView(db, shapeOf(narrowing)).all({ organizationId, ...valuesOf(narrowing), id });
  return rows.length > 0;
}
