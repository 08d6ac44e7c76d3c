import {
  accountQuestions,
  columnsOf,
  counters,
  payees,
  payeeTerms,
  prepared,
  preparedPer,
  verifications,
} from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { CounterName } from "~/kernel/enums";
import { addressId } from "~/kernel/fields.schema.server";
import { cleanLine } from "~/kernel/text";
import { wordsOfSearch } from "~/modules/core/payee-keys";
import {
  findLead,
  findRareWord,
  type Lead,
  MAX_WALK,
  payeeHasWords,
  payeesInOrder,
  payeesWithTerms,
  type RareWord,
} from "~/modules/core/search-words.server";
import { countsInEvidence } from "~/modules/payees/verifications/evidence.server";
import { gradeColumns } from "~/modules/payees/verifications/verification.server";
import type { Asking, ReadServices } from "~/services-and-actor";
import { PAYEE_FILTERS, type PayeeFilter } from "./payee-list";

/** Bound for each organisation, so that the queries are built once. */
const organizationId = sql.placeholder("organizationId");

const MAX_QUERY = 200;

/** The search parameters of a list. Invalid values are ignored, so a link never fails. */
const addressSchema = z.object({
  q: z
    .string()
    .transform((text) => cleanLine(text.slice(0, MAX_QUERY)))
    .optional(),
  status: z.enum(PAYEE_FILTERS).default("all").catch("all"),
  cursor: addressId,
  after: addressId,
  before: addressId,
});

/** Parses `q`, `status` and the paging key (`cursor` in API calls, `after` and `before` on the page). */
export function readPayeesQuery(params: URLSearchParams) {
  const { status: filter, cursor, ...rest } = addressSchema.parse(Object.fromEntries(params));
  return { ...rest, filter, after: rest.after ?? cursor };
}

export const PAYEES_PAGE_SIZE = 50;

export type PayeesQuery = {
  q?: string;
  filter?: PayeeFilter;
  /** Key of the row after which the page begins, or before which it ends. */
  after?: string;
  before?: string;
  /** Rows of a page; default `PAYEES_PAGE_SIZE`. */
  limit?: number;
};

/** A payee in a list, with its newest verification. */
export type ListedPayee = Awaited<ReturnType<typeof readRows>>[number];

export type PayeesPage = { payees: ListedPayee[]; previous?: string; next?: string };

type Keyed = { key: string; payeeId: string };

/** One page of the payees, newest first, by key-set paging: the rows read depend on the page, not on the table. */
export async function listPayees(services: ReadServices, actor: Asking, query: PayeesQuery = {}): Promise<PayeesPage> {
  const { q, limit: size = PAYEES_PAGE_SIZE } = query;
  const words = wordsOfSearch(q ?? "");
  if (q?.trim() && words.length === 0) return { payees: [] };
  const page = keySetPage(query, { size });
  if (words.length === 0) {
    const { rows, ...beside } = page.cut(await readInOrder(services, actor, query, page.limit), ({ key }) => key);
    return { payees: rows, ...beside };
  }
  const { keys, walkedTo } = await findKeys(services, actor, query, words);
  const { rows: shown, ...beside } = page.cut(keys, ({ key }) => key, walkedTo);
  const ids = shown.map((row) => row.payeeId);
  const rows = await readRows(services, actor, ids);
  return { payees: ids.flatMap((id) => rows.find((row) => row.id === id) ?? []), ...beside };
}

/** The payees with these ids, newest first; ids that the organisation does not have are left out. */
export async function findListedPayees(services: ReadServices, actor: Asking, ids: readonly string[]) {
  const rows = await readRows(services, actor, ids);
  return rows.sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Exact counts for the filters, which database triggers maintain. */
export async function countPayees({ db }: ReadServices, actor: Asking): Promise<Partial<Record<CounterName, number>>> {
  const rows = await countersOf(db).all({ organizationId: actor.organizationId });
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

const countersOf = prepared((db) =>
  db
    .select({ name: counters.name, value: counters.value })
    .from(counters)
    .where(eq(counters.organizationId, organizationId))
    .prepare(),
);

/**
 * The keys of one page and one more row. A search with a rare word reads only the few payees that have it. With common
 * words, it walks the payees that have one of the terms if there are few terms, otherwise the whole list, looks up each
 * payee's words, and stops after `MAX_WALK` rows (`walkedTo` says where).
 */
async function findKeys(services: ReadServices, actor: Asking, query: PayeesQuery, words: readonly string[]) {
  const { db } = services;
  const { limit } = keySetPage(query, { size: query.limit ?? PAYEES_PAGE_SIZE });
  const list = listOf(actor, query);
  // The list of pending verifications is ordered by verification, not by payee.
  const isByPayee = query.filter !== "pending";
  const { rare, terms }: Lead = isByPayee
    ? await findLead(services, actor, words)
    : { rare: await findRareWord(services, actor, words) };
  if (rare !== undefined) {
    const others = words.filter((word) => word !== rare.word);
    return { keys: await db.all<Keyed>(sql`${list.among(rare, others)} LIMIT ${limit}`) };
  }
  const walk = terms ? list.led(terms) : list.walk;
  const having = payeeHasWords(actor, sql`walk."payeeId"`, words);
  const isShown = terms ? list.holds(sql`walk."payeeId"`) : undefined;
  const keys = await db.all<Keyed>(
    sql`SELECT walk."key", walk."payeeId" FROM (${walk} LIMIT ${MAX_WALK}) AS walk WHERE ${and(having, isShown)} LIMIT ${limit}`,
  );
  if (keys.length === limit) return { keys };
  const [last] = await db.all<Keyed>(sql`${walk} LIMIT 1 OFFSET ${MAX_WALK - 1}`);
  return { keys, walkedTo: last?.key };
}

/** The rows of a page without a search, each with its key. */
function readInOrder({ db }: ReadServices, { organizationId }: Asking, query: PayeesQuery, limit: number) {
  const { filter = "all", after, before } = query;
  const { key, isBackwards } = keySetPage({ after, before }, { size: limit });
  const end = key === undefined ? undefined : isBackwards ? "before" : "after";
  return inOrder(db, { filter, end }).all({ organizationId, key, limit });
}

const inOrder = preparedPer((db, { filter, end }: { filter: PayeeFilter; end?: "after" | "before" }) => {
  const { of, payeeId, mine } = listed({ organizationId }, filter);
  const page = keySetPage(end ? { [end]: sql.placeholder("key") } : {}, { size: PAYEES_PAGE_SIZE });
  const walk = db
    .select({ key: sql<string>`${of.id}`.as("key"), walkedId: sql<string>`${payeeId}`.as("walkedId") })
    .from(of)
    .where(and(mine, page.beyond(of.id)))
    .orderBy(page.order(of.id))
    .limit(sql.placeholder("limit"))
    .as("walk");
  return db
    .select({ key: walk.key, ...PAYEE_COLUMNS })
    .from(walk)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, walk.walkedId)))
    .leftJoin(verifications, isNewestVerification)
    .leftJoin(verified, isNewestApproval)
    .leftJoin(accountQuestions, isAboutAccount)
    .orderBy(page.order(walk.key))
    .prepare();
});

/** The table a list reads from, the column with the payee's id, and the filter's condition. */
function listed({ organizationId }: { organizationId: string | Placeholder }, filter: PayeeFilter) {
  const of = filter === "pending" ? verifications : payees;
  const payeeId = filter === "pending" ? verifications.payeeId : payees.id;
  return { of, payeeId, mine: and(eq(of.organizationId, organizationId), FILTERS[filter]) };
}

/** The list in its order: payees by id, pending ones by the id of their verification. */
function listOf(actor: Asking, { filter = "all", ...asked }: PayeesQuery) {
  const { of, payeeId, mine } = listed(actor, filter);
  const columns = sql`SELECT ${of.id} AS "key", ${payeeId} AS "payeeId" FROM ${of}`;
  const page = keySetPage(asked, { size: PAYEES_PAGE_SIZE });
  const inOrder = sql`ORDER BY ${page.order(of.id)}`;
  return {
    walk: sql`${columns} WHERE ${and(mine, page.beyond(of.id))} ${inOrder}`,
    /** Payees that have one of these terms, in the same order, before the list's filter is applied. */
    led: (terms: readonly string[]) =>
      payeesInOrder(actor, terms, { beyond: page.beyond(payeeTerms.payeeId), order: page.order(sql.raw('"key"')) }),
    /** Whether the list contains a payee. */
    holds: (id: SQL) => sql`EXISTS (SELECT 1 FROM ${payees} WHERE ${and(mine, eq(payees.id, id))})`,
    /** Only payees with a rare word. The unary plus makes SQLite start from those few, not from the key's range. */
    among: (rare: RareWord, others: readonly string[]) =>
      sql`${columns} WHERE ${and(
        mine,
        sql`${payeeId} IN (${payeesWithTerms(actor, rare.ranges)})`,
        page.beyond(sql`+${of.id}`),
        payeeHasWords(actor, sql`${payeeId}`, others),
      )} ${inOrder}`,
  };
}

/** Literal SQL, not bound values, so that SQLite can use the matching partial index. */
const FILTERS: Record<PayeeFilter, SQL | undefined> = {
  all: sql`${payees.archivedAt} IS NULL`,
  whitelisted: sql`${payees.whitelisted} = 1`,
  not_whitelisted: sql`${payees.whitelisted} = 0 AND ${payees.archivedAt} IS NULL`,
  pending: sql`${verifications.status} = 'pending'`,
  disputed: sql`${payees.disputedAt} IS NOT NULL AND ${payees.archivedAt} IS NULL`,
  archived: sql`${payees.archivedAt} IS NOT NULL`,
};

/** The newest verification of each payee, found with one index look-up. */
const isNewestVerification = and(
  eq(verifications.organizationId, organizationId),
  sql`${verifications.id} = (SELECT newest."id" FROM "verifications" AS newest
    WHERE newest."organizationId" = ${payees.organizationId} AND newest."payeeId" = ${payees.id}
    ORDER BY newest."id" DESC LIMIT 1)`,
);

const verified = alias(verifications, "verified");

/** The newest approved verification of each payee. The unary plus keeps SQLite from walking over all of them. */
const isNewestApproval = and(
  eq(verified.organizationId, organizationId),
  sql`${verified.id} = (SELECT "approved"."id" FROM "verifications" AS "approved"
    WHERE "approved"."organizationId" = ${payees.organizationId} AND "approved"."payeeId" = ${payees.id}
    AND +"approved"."status" = 'verified' ORDER BY "approved"."id" DESC LIMIT 1)`,
);

/** What the payee's bank was asked about its account, under its name. */
const isAboutAccount = and(
  eq(accountQuestions.organizationId, organizationId),
  eq(accountQuestions.bsb, payees.bsb),
  eq(accountQuestions.accountNumber, payees.accountNumber),
  eq(accountQuestions.accountName, payees.accountName),
);

const PAYEE_COLUMNS = {
  ...columnsOf(payees, "id", "name", "accountName", "bsb", "accountNumber", "abn", "email", "phone", "address"),
  ...columnsOf(payees, "paymentCount", "lastPaymentDate", "whitelisted", "whitelistedAt", "whitelistedById"),
  ...columnsOf(payees, "whitelistedReason", "whitelistGlobal", "version", "bankDetailsChangedAt", "renamedAt"),
  ...columnsOf(payees, "takenOffWhitelistAt", "contactChangedAt", "disputedAt", "createdAt", "updatedAt"),
  ...columnsOf(payees, "archivedAt", "draftSince"),
  latest: {
    ...columnsOf(verifications, "id", "status", "accountName", "bsb"),
    ...columnsOf(verifications, "accountNumber", "method", "outcome", "nameMatchScore"),
    ...countsInEvidence,
    institutionDiffers: sql<number>`coalesce(${verifications.resultData} ->> '$.institutionDiffers', 0)`,
    ...columnsOf(verifications, "disputedByPayeeAt", "verifiedByPayeeAt"),
    ...columnsOf(verifications, "notificationSentAt", "verificationTokenExpiresAt"),
    isCheckRunning: sql<number>`${verifications.status} = 'pending' AND EXISTS (SELECT 1 FROM "bank_checks" AS "running"
      WHERE "running"."verificationId" = ${verifications.id} AND "running"."organizationId" = ${verifications.organizationId}
      AND "running"."finishedAt" IS NULL)`,
    ...columnsOf(verifications, "createdAt", "completedAt"),
  },
  verified: {
    ...columnsOf(verified, "status", "method", "outcome", "resultData"),
    ...gradeColumns("verified"),
    ...columnsOf(verified, "accountName", "bsb", "accountNumber", "completedAt"),
  },
  question: columnsOf(
    accountQuestions,
    "askedAt",
    "endedAt",
    "ended",
    "problem",
    "answeredAt",
    "outcome",
    "reasonCode",
  ),
};

const payeesById = prepared((db) =>
  db
    .select(PAYEE_COLUMNS)
    .from(payees)
    .leftJoin(verifications, isNewestVerification)
    .leftJoin(verified, isNewestApproval)
    .leftJoin(accountQuestions, isAboutAccount)
    .where(
      and(
        eq(payees.organizationId, organizationId),
        sql`${payees.id} IN (SELECT value FROM json_each(${sql.placeholder("ids")}))`,
      ),
    )
    .prepare(),
);

const readRows = ({ db }: ReadServices, { organizationId }: Asking, ids: readonly string[]) =>
  payeesById(db).all({ organizationId, ids: JSON.stringify(ids) });
