import { type Condition, columnsOf, invoices, payees, rowIn, users } from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { IS_OPEN_STOP } from "@db/schema/invoices";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import type { InvoiceStatus } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { formatCount, nameIfAny } from "~/kernel/text";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { placeAmong } from "~/modules/payments/held-payments.server";
import { getBytes } from "~/modules/payments/payment-files/payment-file.server";
import type { Actor, Asking, ReadServices, WriteServices } from "~/services-and-actor";
import { INVOICE_TABS, type InvoiceTab } from "./invoice";

const decider = alias(users, "decider");

/** What the email that an invoice is says it is about. */
export const SUBJECT = sql<string | null>`${invoices.read} ->> '$.email.subject'`;

const columns = {
  ...columnsOf(invoices, "id", "status", "source", "fileName", "contentType"),
  ...columnsOf(invoices, "sha256", "byteCount", "receivedAt", "receivedById", "fromAddress"),
  ...columnsOf(invoices, "mailAuthentication", "mailReplyTo", "kind", "unreadableReason", "findings"),
  ...columnsOf(invoices, "verdict", "isStopped", "payeeId", "payeeBy", "supplierName"),
  subject: SUBJECT,
  ...columnsOf(invoices, "invoiceNumber", "totalCents", "dueDate", "decision", "decisionReason"),
  ...columnsOf(invoices, "decidedById", "decidedAt", "addedPayeeId", "bytesRemovedAt", "version"),
  payeeName: payees.name,
  receiver: { firstName: users.firstName, lastName: users.lastName },
  decider: { firstName: decider.firstName, lastName: decider.lastName },
};

/** The columns of an invoice's own page, in addition to those of the list. */
const detailColumns = { ...columns, read: invoices.read, facts: invoices.facts, ruleSet: invoices.ruleSet };

type People = {
  receiver: { firstName: string; lastName: string } | null;
  decider: { firstName: string; lastName: string } | null;
};

const named = <T extends People>({ receiver, decider: decided, ...invoice }: T) => ({
  ...invoice,
  /** Null: the person's account no longer exists. */
  receivedBy: nameIfAny(receiver),
  decidedBy: nameIfAny(decided),
});

const joins = (organizationId: string) => ({
  payee: and(eq(payees.organizationId, organizationId), eq(payees.id, invoices.payeeId)),
  receiver: eq(users.id, invoices.receivedById),
  decider: eq(decider.id, invoices.decidedById),
});

/** One invoice with everything that was read from it; undefined when the organisation has none with this id. */
export async function findInvoice({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const on = joins(organizationId);
  const [row] = await db
    .select(detailColumns)
    .from(invoices)
    .leftJoin(payees, on.payee)
    .leftJoin(users, on.receiver)
    .leftJoin(decider, on.decider)
    .where(and(eq(invoices.organizationId, organizationId), eq(invoices.id, id)));
  return row && named(row);
}

export type InvoiceDetail = NonNullable<Awaited<ReturnType<typeof findInvoice>>>;

/** As `findInvoice`. @throws AppError 404, the same for an id that does not exist and one of another organisation */
export async function getInvoice(services: ReadServices, asking: Asking, id: string): Promise<InvoiceDetail> {
  const invoice = await findInvoice(services, asking, id);
  if (!invoice) throw notFound();
  return invoice;
}

const selectListed = ({ db }: ReadServices, organizationId: string) => {
  const on = joins(organizationId);
  return db
    .select(columns)
    .from(invoices)
    .leftJoin(payees, on.payee)
    .leftJoin(users, on.receiver)
    .leftJoin(decider, on.decider);
};

const PAGE_SIZE = 25;
/** How many rows one page searches for words. "Next" continues after them. */
const MAX_WALK = 2_000;
const MAX_SEARCH = 100;

const addressSchema = z.object({
  status: z.enum(INVOICE_TABS).default("all").catch("all"),
  q: z
    .string()
    .transform((text) => text.trim().slice(0, MAX_SEARCH) || undefined)
    .optional()
    .catch(undefined),
  cursor: z.string().refine(isId).optional().catch(undefined),
  after: z.string().refine(isId).optional().catch(undefined),
});

/** Parses the search parameters. Unknown values are ignored, so no address causes an error. */
export function readInvoicesQuery(params: URLSearchParams) {
  const { status: tab, q, cursor, after } = addressSchema.parse(Object.fromEntries(params));
  return { tab, q, after: after ?? cursor };
}

const inTab = (tab: InvoiceTab): SQL | undefined => {
  if (tab === "all") return undefined;
  return tab === "stopped" ? sql.raw(IS_OPEN_STOP) : sql`"status" = ${tab}`;
};

/** One page of the organisation's invoices, newest first, with key-set paging. */
export async function listInvoices(
  services: ReadServices,
  { organizationId }: Asking,
  { tab, q, after }: { tab: InvoiceTab; q?: string; after?: string },
) {
  const page = keySetPage({ after }, { size: PAGE_SIZE });
  const limit = q === undefined ? page.limit : MAX_WALK;
  const narrowed = inTab(tab);
  const walk = await services.db.all<{ id: string }>(sql`SELECT "id" FROM "invoices"
    WHERE "organizationId" = ${organizationId} ${after === undefined ? sql`` : sql`AND "id" < ${after}`}
    ${narrowed ? sql`AND ${narrowed}` : sql``} ORDER BY "id" DESC LIMIT ${limit}`);
  const ids = JSON.stringify(walk.map(({ id }) => id));
  const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const text = sql`lower(coalesce(${invoices.supplierName}, '') || ' ' || coalesce(${invoices.invoiceNumber}, '') || ' ' ||
    coalesce(${SUBJECT}, '') || ' ' || ${invoices.fileName} || ' ' || coalesce(${invoices.fromAddress}, '') || ' ' || coalesce(${payees.name}, ''))`;
  const rows = await selectListed(services, organizationId)
    .where(
      and(
        eq(invoices.organizationId, organizationId),
        sql`${invoices.id} IN (SELECT value FROM json_each(${ids}))`,
        ...words.map((word) => sql`instr(${text}, ${word}) > 0`),
      ),
    )
    .orderBy(page.order(invoices.id))
    .limit(page.limit);
  const walkedTo = q !== undefined && walk.length === MAX_WALK ? walk.at(-1)?.id : undefined;
  const { rows: shown, next } = page.cut(rows, ({ id }) => id, walkedTo);
  return { invoices: shown.map(named), next };
}

export type ListedInvoice = Awaited<ReturnType<typeof listInvoices>>["invoices"][number];

/** At most this many invoices are counted, or are in the queue of those that need a decision. */
const MOST_COUNTED = 1_000;

/**
 * The number of invoices in each tab, as text, among the newest ones: "12+" if there are older ones. Those that need a
 * decision have an index and are counted wherever they are.
 */
export async function countInvoices(services: ReadServices, asking: Asking): Promise<Record<InvoiceTab, string>> {
  const [stopped, rows] = await Promise.all([
    listStoppedIds(services, asking),
    services.db.all<{ status: InvoiceStatus; count: number }>(sql`SELECT "status", count(*) AS "count"
      FROM (SELECT "status" FROM "invoices" WHERE "organizationId" = ${asking.organizationId}
        ORDER BY "id" DESC LIMIT ${MOST_COUNTED + 1}) AS "walk" GROUP BY "status"`),
  ]);
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const show = (count: number, among: number) =>
    `${formatCount(Math.min(count, MOST_COUNTED))}${among > MOST_COUNTED ? "+" : ""}`;
  const countOf = (status: InvoiceStatus) => show(rows.find((row) => row.status === status)?.count ?? 0, all);
  return {
    all: show(all, all),
    stopped: show(stopped.length, stopped.length),
    reading: countOf("reading"),
    read: countOf("read"),
    unreadable: countOf("unreadable"),
  };
}

/** The ids of invoices that need a decision, newest first, as the list and the Inbox have them; and one more if there are others. */
async function listStoppedIds({ db }: ReadServices, { organizationId }: Asking): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT "id" FROM "invoices"
    WHERE "organizationId" = ${organizationId} AND ${sql.raw(IS_OPEN_STOP)} ORDER BY "id" DESC LIMIT ${MOST_COUNTED + 1}`);
  return rows.map(({ id }) => id);
}

/**
 * The position of an invoice among those that need a decision, "3 of 40", and its neighbours. Any other invoice links
 * to the first.
 */
export const findStoppedPlace = async (services: ReadServices, asking: Asking, id: string) =>
  placeAmong(await listStoppedIds(services, asking), id, { most: MOST_COUNTED, hrefOf: appPaths.supplierInvoice });

/** A payee's newest invoices. */
export async function listInvoicesOfPayee(
  services: ReadServices,
  { organizationId }: Asking,
  payeeId: string,
  limit: number,
) {
  const rows = await selectListed(services, organizationId)
    .where(and(eq(invoices.organizationId, organizationId), eq(invoices.payeeId, payeeId)))
    .orderBy(sql`${invoices.id} DESC`)
    .limit(limit);
  return rows.map(named);
}

/**
 * The condition that the invoice has not changed since somebody read it: if two people act at once, the second is
 * refused.
 */
export function invoiceIsUnchanged(
  { db }: ReadServices,
  organizationId: string,
  { id, version }: { id: string; version: number },
): Condition<"invoice_changed"> {
  const found = rowIn(db, invoices).where(
    and(eq(invoices.organizationId, organizationId), eq(invoices.id, id), eq(invoices.version, version)),
  );
  return { name: "invoice_changed", found };
}

export const invoiceChanged = () =>
  new AppError("INVOICE_CHANGED", "This invoice changed since you opened it. Look again, then decide.");

export const stillReading = () =>
  new AppError("INVOICE_READING", "This invoice is still being read. Look again in a moment.");

/**
 * Returns the original bytes of an invoice, and records who downloaded them in the audit trail. The product never
 * displays them: a document that may come from a criminal should be opened in a program made for it.
 * @throws AppError 404, also after the bytes were removed
 */
export async function downloadInvoice(services: WriteServices, actor: Actor, id: string) {
  const { organizationId } = actor;
  const { fileName, byteCount, sha256, bytesRemovedAt } = await getInvoice(services, actor, id);
  if (bytesRemovedAt !== null) throw notFound();
  const bytes = await getBytes(services, { organizationId, ownerId: id, byteCount });
  await runCommand(services, actor, {
    audit: [{ action: "invoice.downloaded", entityType: "invoice", entityId: id, details: { sha256 } }],
  });
  return { name: fileName, bytes };
}
