import { counters, payees, paymentRecords, users } from "@db/database";
import { keySetPage, SCREEN_ROWS } from "@db/key-set-page";
import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { toCsv } from "~/kernel/csv";
import { formatDate, formatDateTime } from "~/kernel/dates";
import { PAYMENT_STATUSES, type PaymentCounter, type PaymentStatus, paymentCounter } from "~/kernel/enums";
import { addressDay, addressId } from "~/kernel/fields.schema.server";
import { displayName } from "~/kernel/text";
import { listAuditedPeople } from "~/modules/core/audit/audit.server";
import { getPayee } from "~/modules/payees/payee.server";
import type { Actor, Asking, ReadServices, Services } from "~/services-and-actor";
import { listHeldIds, listWaitingFiles } from "./held-payments.server";
import { summaryColumns } from "./payment.server";
import {
  conditionsOf,
  FILTER_LABELS,
  isNarrowed,
  PAYMENT_FILTERS,
  type PaymentConditions,
  type PaymentTotals,
  paymentsHref,
  toPaymentRow,
  toTotals,
} from "./payment-list";

const MAX_SEARCH = 100;
const MAX_AMOUNT = 20;

const word = (length: number) =>
  z
    .string()
    .transform((text) => text.trim().slice(0, length) || undefined)
    .optional()
    .catch(undefined);

const addressSchema = z.object({
  status: z.enum(PAYMENT_FILTERS).default("all").catch("all"),
  q: word(MAX_SEARCH),
  from: addressDay,
  to: addressDay,
  min: word(MAX_AMOUNT),
  max: word(MAX_AMOUNT),
  payeeId: addressId,
  by: addressId,
  cursor: addressId,
  after: addressId,
  before: addressId,
});

/**
 * Parses the search and the paging key (`cursor` in API calls, `after` and `before` on the page). Unknown values are
 * ignored, so no address causes an error.
 */
export function readPaymentsQuery(params: URLSearchParams) {
  const { status: filter, cursor, after, before, ...search } = addressSchema.parse(Object.fromEntries(params));
  return { search: { filter, ...search }, after: after ?? cursor, before };
}

/** Reads everything for the list page, apart from the person's permissions. */
export async function readPaymentsPage(
  services: Pick<Services, "db" | "clock" | "ids">,
  reader: Pick<Actor, "userId" | "organizationId" | "timeZone">,
  params: URLSearchParams,
) {
  const { search, after, before } = readPaymentsQuery(params);
  const conditions = conditionsOf(search, reader.timeZone);
  const zone = { timeZone: reader.timeZone, now: services.clock.now() };
  const isHeld = search.filter === "held";
  const [list, files, totals, people, payee] = await Promise.all([
    isHeld
      ? listHeldPayments(services, reader, conditions, after)
      : listPayments(services, reader, { conditions, after, before, limit: SCREEN_ROWS }),
    isNarrowed(search) ? [] : listWaitingFiles(services, reader, zone),
    sumPayments(services, reader, conditions),
    listAuditedPeople(services, reader),
    search.payeeId === undefined ? undefined : getPayee(services, reader, search.payeeId),
  ]);
  return {
    /** Files with held payments. Lines become payments only when they are cleared, so the list has none of them. */
    files: after === undefined && (isHeld || search.filter === "all") ? files : [],
    rows: list.payments.map((payment) => toPaymentRow(payment, zone)),
    search,
    totals: toTotals(totals, search.filter, files),
    people,
    payeeName: payee?.name ?? null,
    previousHref:
      list.previous && paymentsHref({ ...search, ...(isHeld ? { after: list.previous } : { before: list.previous }) }),
    firstHref: list.first ? paymentsHref(search) : undefined,
    submissionId: services.ids.next(),
    nextHref: list.next && paymentsHref({ ...search, after: list.next }),
  };
}

export const PAYMENTS_PAGE_SIZE = 50;

/** How many rows one page searches for words, amounts and people. "Next" continues after them. */
const MAX_WALK = 5_000;

/** How many matching payments are counted, added up or downloaded, newest first. */
const MAX_TOTALLED = 10_000;

export type PageKey = {
  /** Id of the payment after which the page begins, or before which it ends. */
  after?: string;
  before?: string;
};

export type ListedPayment = Awaited<ReturnType<typeof selectPayments>>[number];

type DownloadedPayment = Awaited<ReturnType<typeof listAllPayments>>[number];

export type PaymentsPage = {
  payments: ListedPayment[];
  /** The previous page; with `first`, the previous page is the first of the list. */
  previous?: string;
  first?: boolean;
  next?: string;
};

/** One page of the held payments, in queue order. @param after the last payment of the page before */
async function listHeldPayments(
  services: ReadServices,
  asking: Asking,
  conditions: PaymentConditions,
  after: string | undefined,
): Promise<PaymentsPage> {
  const ids = await narrowIds(services, asking, conditions, await listHeldIds(services, asking, conditions));
  // If that payment has been decided meanwhile, it is not in the list any more, so the list starts again.
  const start = after === undefined ? 0 : ids.indexOf(after) + 1;
  const end = start + SCREEN_ROWS;
  return {
    payments: await readPayments(
      services,
      asking,
      ids.slice(start, end).map((id) => ({ id })),
    ),
    previous: start > SCREEN_ROWS ? ids[start - SCREEN_ROWS - 1] : undefined,
    first: start > 0 && start <= SCREEN_ROWS,
    next: ids.length > end ? ids[end - 1] : undefined,
  };
}

/** Keeps those of the given payments that match conditions without an index, in the same order. */
async function narrowIds({ db }: ReadServices, asking: Asking, conditions: PaymentConditions, ids: string[]) {
  const narrowing = filterOf(asking, conditions);
  if (!narrowing) return ids;
  const rows = await db.all<{ id: string }>(sql`SELECT "walk"."id" FROM "payment_records" AS "walk"
    WHERE "walk"."organizationId" = ${asking.organizationId}
      AND "walk"."id" IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${narrowing}`);
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

/** One page of the payments, newest first, by key-set paging: the rows read depend on the page, not on the table. */
export async function listPayments(
  services: ReadServices,
  asking: Asking,
  {
    conditions,
    limit: size = PAYMENTS_PAGE_SIZE,
    ...asked
  }: { conditions: PaymentConditions; limit?: number } & PageKey,
): Promise<PaymentsPage> {
  const { key, isBackwards, limit, cut } = keySetPage(asked, { size });
  const { rows, walkedTo } = await findRows(services, asking, { conditions, walk: { key, isBackwards }, limit });
  const { rows: payments, ...beside } = cut(rows, ({ id }) => id, walkedTo);
  return { payments, ...beside };
}

/** Every matching payment, newest first, up to `MAX_TOTALLED`, with who recorded it. */
export async function listAllPayments(services: ReadServices, asking: Asking, conditions: PaymentConditions) {
  const { db } = services;
  const rows = await db.all<{ id: string; recordedById: string | null }>(
    sql`SELECT "walk"."id", "walk"."recordedById" FROM (${walkOf(asking, conditions)} LIMIT ${MAX_TOTALLED}) AS "walk"
      WHERE ${filterOf(asking, conditions) ?? sql`1`}`,
  );
  const recorders = [...new Set(rows.flatMap(({ recordedById }) => recordedById ?? []))];
  const [payments, people] = await Promise.all([
    readPayments(services, asking, rows),
    db
      .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
      .from(users)
      .where(sql`${users.id} IN (SELECT value FROM json_each(${JSON.stringify(recorders)}))`),
  ]);
  const nameOf = new Map(people.map(({ id, ...name }) => [id, displayName(name)]));
  const recordedBy = new Map(rows.map(({ id, recordedById }) => [id, nameOf.get(recordedById ?? "") ?? null]));
  return payments.map((payment) => ({ ...payment, recordedBy: recordedBy.get(payment.id) ?? null }));
}

/** How many payments match and their total, by status. */
export async function sumPayments(services: ReadServices, asking: Asking, conditions: PaymentConditions) {
  const { db } = services;
  const { status: _, words, ...narrower } = conditions;
  if (words.length === 0 && Object.values(narrower).every((each) => each === undefined))
    return { byStatus: await readTotals(services, asking), isPartial: false };
  const walk = walkOf(asking, { ...conditions, status: undefined });
  const [rows, [beyond]] = await Promise.all([
    db.all<{ status: PaymentStatus; count: number; cents: number }>(
      sql`SELECT "walk"."status", count(*) AS "count", sum("walk"."amount") AS "cents"
        FROM (${walk} LIMIT ${MAX_TOTALLED}) AS "walk"
        WHERE ${filterOf(asking, conditions) ?? sql`1`} GROUP BY "walk"."status"`,
    ),
    db.all<{ id: string }>(sql`SELECT "walk"."id" FROM (${walk} LIMIT 1 OFFSET ${MAX_TOTALLED}) AS "walk"`),
  ]);
  const byStatus = Object.fromEntries(rows.map(({ status, ...sums }) => [status, sums]));
  return { byStatus, isPartial: beyond !== undefined };
}

/** Of all payments, as the database counts them: 0081. */
async function readTotals({ db }: ReadServices, { organizationId }: Asking): Promise<PaymentTotals["byStatus"]> {
  const rows = await db
    .select({ name: counters.name, value: counters.value })
    .from(counters)
    .where(eq(counters.organizationId, organizationId));
  const values = new Map<string, number>(rows.map(({ name, value }) => [name, value]));
  const counted = (name: PaymentCounter) => values.get(name) ?? 0;
  return Object.fromEntries(
    PAYMENT_STATUSES.map((status) => ({
      status,
      count: counted(paymentCounter("payments", status)),
      cents: counted(paymentCounter("cents", status)),
    }))
      .filter(({ count }) => count > 0)
      .map(({ status, ...sums }) => [status, sums]),
  );
}

type Walk = { key?: string; isBackwards?: boolean };

/**
 * The list order and the condition that an index can serve: a payee, days, or a status, and where the page begins. Ids
 * ascend with the time of recording, so both orders give the same list; the one chosen has an index that finds the rows
 * directly.
 */
function findOrder(
  { organizationId }: Asking,
  { status, payeeId, since, before }: PaymentConditions,
  { key, isBackwards }: Walk = {},
): { where: SQL | undefined; orderBy: SQL[] } {
  const { id, createdAt } = paymentRecords;
  const hasDays = since !== undefined || before !== undefined;
  const isById = payeeId !== undefined || (status !== undefined && !hasDays);
  const [row, at] = isById
    ? [sql`${id}`, sql`${key}`]
    : [
        sql`(${createdAt}, ${id})`,
        sql`(SELECT "at"."createdAt", "at"."id" FROM "payment_records" AS "at"
          WHERE "at"."organizationId" = ${organizationId} AND "at"."id" = ${key})`,
      ];
  const conditions = [
    eq(paymentRecords.organizationId, organizationId),
    // The unary plus keeps SQLite from using this column's index, so that it starts from the days.
    status === undefined ? undefined : sql`${isById ? sql`` : sql`+`}${paymentRecords.status} = ${status}`,
    payeeId === undefined ? undefined : eq(paymentRecords.payeeId, payeeId),
    since === undefined ? undefined : gte(createdAt, since),
    before === undefined ? undefined : lt(createdAt, before),
    key === undefined ? undefined : isBackwards ? sql`${row} > ${at}` : sql`${row} < ${at}`,
  ];
  const columns = isById ? [id] : [createdAt, id];
  return { where: and(...conditions), orderBy: columns.map((column) => (isBackwards ? asc(column) : desc(column))) };
}

/** The same query without its end, for searching row by row. */
function walkOf(asking: Asking, conditions: PaymentConditions, walk?: Walk): SQL {
  const { where, orderBy } = findOrder(asking, conditions, walk);
  return sql`SELECT ${paymentRecords}.* FROM ${paymentRecords} WHERE ${where} ORDER BY ${sql.join(orderBy, sql`, `)}`;
}

/** The conditions that no index can serve, on `walk`; undefined: there are none. */
function filterOf({ organizationId }: Asking, conditions: PaymentConditions): SQL | undefined {
  const { minCents, maxCents, recordedById, words } = conditions;
  const text = sql`lower("walk"."accountName" || ' ' || "walk"."bsb" || ' ' || "walk"."accountNumber" || ' '
    || coalesce("walk"."reference", '') || ' ' || coalesce("walk"."description", '') || ' '
    || coalesce((SELECT "name" FROM "payees" WHERE "organizationId" = ${organizationId} AND "id" = "walk"."payeeId"), ''))`;
  return and(
    minCents === undefined ? undefined : sql`"walk"."amount" >= ${minCents}`,
    maxCents === undefined ? undefined : sql`"walk"."amount" <= ${maxCents}`,
    recordedById === undefined ? undefined : sql`"walk"."recordedById" = ${recordedById}`,
    ...words.map((word) => sql`instr(${text}, ${word}) > 0`),
  );
}

/** The payments of one page and one more; `walkedTo` says where a search stopped. */
async function findRows(
  services: ReadServices,
  asking: Asking,
  { conditions, walk, limit }: { conditions: PaymentConditions; walk: Walk; limit: number },
): Promise<{ rows: ListedPayment[]; walkedTo?: string }> {
  const { db } = services;
  const narrowing = filterOf(asking, conditions);
  if (!narrowing) {
    const { where, orderBy } = findOrder(asking, conditions, walk);
    return {
      rows: await selectPayments(services, asking)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
    };
  }
  const steps = walkOf(asking, conditions, walk);
  const found = await db.all<{ id: string }>(
    sql`SELECT "walk"."id" FROM (${steps} LIMIT ${MAX_WALK}) AS "walk" WHERE ${narrowing} LIMIT ${limit}`,
  );
  const rows = await readPayments(services, asking, found);
  if (found.length === limit) return { rows };
  const [last] = await db.all<{ id: string }>(
    sql`SELECT "walk"."id" FROM (${steps} LIMIT 1 OFFSET ${MAX_WALK - 1}) AS "walk"`,
  );
  return { rows, walkedTo: last?.id };
}

const selectPayments = ({ db }: ReadServices, { organizationId }: Asking) =>
  db
    .select(summaryColumns)
    .from(paymentRecords)
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentRecords.payeeId)));

/** Payments by id, in the order of the ids given. */
async function readPayments(services: ReadServices, asking: Asking, ids: readonly { id: string }[]) {
  if (ids.length === 0) return [];
  const given = JSON.stringify(ids.map(({ id }) => id));
  const rows = await selectPayments(services, asking).where(
    and(
      eq(paymentRecords.organizationId, asking.organizationId),
      sql`${paymentRecords.id} IN (SELECT value FROM json_each(${given}))`,
    ),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap(({ id }) => byId.get(id) ?? []);
}

const HEADINGS = [
  "Recorded",
  "Recorded by",
  "Payee",
  "Account name",
  "BSB",
  "Account number",
  "Reference",
  "Description",
  "Amount (AUD)",
  "Status",
  "Processed",
  "Why it failed",
];

/** The payments as CSV for a spreadsheet: account numbers masked as on the page, times in the organisation's zone. */
export function writePaymentsCsv(payments: readonly DownloadedPayment[], timeZone: string): string {
  const rows = payments.map((payment) => [
    formatDateTime(payment.createdAt, timeZone),
    payment.recordedBy ?? "PayeeProof",
    payment.payee?.name ?? null,
    payment.accountName,
    formatBsb(payment.bsb),
    maskAccountNumber(payment.accountNumber),
    payment.reference,
    payment.description,
    (payment.amount / 100).toFixed(2),
    FILTER_LABELS[payment.status],
    payment.processedAt === null ? null : formatDate(payment.processedAt, timeZone),
    payment.failureReason,
  ]);
  return toCsv(HEADINGS, rows);
}
