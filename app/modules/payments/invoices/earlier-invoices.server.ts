import { columnsOf, invoices } from "@db/database";
import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { firstIdOf } from "~/kernel/ids";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { InvoiceFacts, PayeeOfInvoice } from "~/modules/rules/invoices/facts";
import type { ReadServices } from "~/services-and-actor";
import type { DocumentFacts, StoredReading } from "./reading";
import { ENOUGH, ownDomain } from "./ways-to-pay";

/** What earlier invoices say about a new one: what is usual of its payee, and whether it was received before. */

/** The new invoice is `beforeId`. */
type OfPayee = { organizationId: string; payee: Pick<PayeeOfInvoice, "id" | "email">; beforeId: string };

const hasFinding = (code: string) =>
  sql`EXISTS (SELECT 1 FROM json_each("invoices"."findings") WHERE "value" ->> '$.code' = ${code})`;

/** A payment of its number and amount was recorded since it was received, and no earlier invoice of the payee has the number. */
const isPaid = ({ organizationId, payee }: OfPayee) => sql`EXISTS (SELECT 1 FROM "payment_records" AS "paid"
    WHERE "paid"."organizationId" = ${organizationId} AND "paid"."payeeId" = ${payee.id}
      AND "paid"."amount" = "invoices"."totalCents" AND "paid"."referenceKey" = "invoices"."numberKey"
      AND "paid"."status" IN ('authorised', 'successful') AND "paid"."createdAt" >= "invoices"."receivedAt")
  AND NOT EXISTS (SELECT 1 FROM "invoices" AS "first" WHERE "first"."organizationId" = ${organizationId}
    AND "first"."numberKey" = "invoices"."numberKey" AND +"first"."payeeId" = ${payee.id}
    AND +"first"."id" < "invoices"."id" AND "first"."decision" IS NOT 'reject')`;

/** It came from the payee's own address or domain, as the platform checked. */
function isFromPayee({ payee }: OfPayee): SQL {
  const at = `@${ownDomain(payee)}`;
  return sql`"mailAuthentication" = 'pass' AND (lower("fromAddress") = ${payee.email?.toLowerCase() ?? ""}
    OR substr(lower("fromAddress"), ${-at.length}) = ${at})`;
}

/**
 * Whether an invoice teaches what is usual of its payee; nothing else decides it. 2: it surely is the payee's. A person
 * accepted it; or nobody stopped it, it warned of no other way to pay, it names the payee's verified account, and it was
 * paid or came from the payee. 1: nobody stopped it, it warned of no other way to pay, and one of the organisation's
 * people handed it in. 0: anybody may have sent it, or nothing could be read; it teaches nothing.
 */
const teaches = (of: OfPayee) => sql<number>`CASE WHEN "read" IS NULL THEN 0 WHEN "decision" = 'accept' THEN 2
  WHEN "decision" = 'reject' OR "isStopped" OR ${hasFinding("new_way_to_pay")} THEN 0
  WHEN "verdict" = 'same_account' AND NOT ${hasFinding("payee_not_verified")} AND (${isFromPayee(of)} OR ${isPaid(of)}) THEN 2
  WHEN "mailAuthentication" IS NULL OR "mailIsKnown" THEN 1 ELSE 0 END`;

/** How many earlier invoices of a payee show what is usual. */
const EARLIER = 20;

/**
 * The payee's invoices that teach what is usual, however many others were received: those that surely are the payee's
 * before others, the newest first.
 */
export async function listTeaching({ db }: ReadServices, of: OfPayee, which?: SQL) {
  const { organizationId, payee, beforeId } = of;
  const rows = await db
    .select({
      ...columnsOf(invoices, "id", "receivedAt", "totalCents", "numberKey", "read"),
      teaches: teaches(of).as("teaches"),
    })
    .from(invoices)
    .where(
      and(
        eq(invoices.organizationId, organizationId),
        eq(invoices.payeeId, payee.id),
        lt(invoices.id, beforeId),
        which ? sql`CASE WHEN "teaches" > 0 THEN ${which} END` : sql`"teaches" > 0`,
      ),
    )
    .orderBy(sql`"teaches" DESC`, desc(invoices.id))
    .limit(EARLIER);
  return rows.flatMap(({ read, teaches: grade, ...row }) => (read ? [{ ...read, ...row, isSure: grade === 2 }] : []));
}

/** It names a site, a biller or an account abroad. */
export const NAMES_WAY = sql`(instr("read", '"payment_link"') OR instr("read", '"iban_or_swift"') OR instr("read", '"billerCode"'))`;

/** True if an invoice that surely is the payee's came from this address or its domain, unless anybody has one there. */
export async function hasComeFrom(services: ReadServices, of: OfPayee, address: string): Promise<boolean> {
  const at = `@${ownDomain({ email: address }) || address}`;
  const shown = await listTeaching(services, of, sql`substr('@' || lower("fromAddress"), ${-at.length}) = ${at}`);
  return shown.some(({ isSure }) => isSure);
}

/** Those that surely are the payee's where there are enough of them, else all. */
function surest<E extends { isSure: boolean }>(shown: readonly E[]): readonly E[] {
  const sure = shown.filter(({ isSure }) => isSure);
  return sure.length >= ENOUGH ? sure : shown;
}

/** It asks for money. */
const isBill = ({ findings }: Pick<StoredReading, "findings">): boolean =>
  !findings.some(({ code }) => code === "asks_no_payment");

/** The totals and the software of the payee's earlier invoices; for a bill, how many bills there are if each names an account. */
export async function readUsual(
  services: ReadServices,
  of: OfPayee,
  read: StoredReading | undefined,
): Promise<Pick<InvoiceFacts, "formerTotals" | "formerSoftware" | "formerlyNamed">> {
  const shown = await listTeaching(services, of);
  const bills = read && isBill(read) ? surest(shown).filter(isBill) : [];
  return {
    formerTotals: surest(shown.filter(({ totalCents }) => totalCents !== null)).flatMap(
      (each) => each.totalCents ?? [],
    ),
    formerSoftware: surest(shown.filter(({ producer }) => producer)).flatMap(({ producer }) => producer ?? []),
    ...(bills.every(({ accounts }) => accounts.some(({ whose }) => whose !== "customer")) && {
      formerlyNamed: bills.length,
    }),
  };
}

/** Two invoices of the same amount within this time may be the same invoice. */
const SAME_AMOUNT_MS = 45 * DAY_MS;
/** With different numbers only within this time, because rent and weekly services cost the same each time. */
const OTHER_NUMBER_MS = 5 * DAY_MS;
/** How many of the organisation's newest invoices are searched for the same amount from a supplier who is not a payee. */
const NEWEST = 5_000;

type Asked = Pick<DocumentFacts, "supplierName" | "invoiceNumber" | "totalCents">;

/**
 * The newest invoice with this one's number, and with its amount, whoever sent them and whatever was decided. Numbers
 * repeat, so one of another payee must have the supplier's name or the total too.
 */
export async function findSeenBefore(
  { db }: ReadServices,
  { organizationId, beforeId, payeeId }: { organizationId: string; beforeId: string; payeeId: string | null },
  { supplierName, invoiceNumber, totalCents }: Asked,
  now: number,
): Promise<Pick<InvoiceFacts, "sameNumber" | "sameAmount">> {
  const key = invoiceNumber === null ? "" : referenceKey(invoiceNumber);
  const ofSupplier = sql`lower(${invoices.supplierName}) = lower(${supplierName})`;
  const ofPayee = sql`${invoices.payeeId} IS ${payeeId}`;
  const find = async (...which: SQL[]) => {
    const [row] = await db
      .select({ ...columnsOf(invoices, "id", "receivedAt", "totalCents", "payeeId") })
      .from(invoices)
      .where(and(eq(invoices.organizationId, organizationId), ...which))
      .orderBy(desc(ofPayee), desc(invoices.id))
      .limit(1);
    if (!row) return null;
    const { payeeId: foundId, ...found } = row;
    return { ...found, ...(foundId !== payeeId && { isElsewhere: true }) };
  };
  const newest = sql`(SELECT min("id") FROM (SELECT "id" FROM "invoices" WHERE "organizationId" = ${organizationId}
    AND "id" < ${beforeId} ORDER BY "id" DESC LIMIT ${NEWEST}))`;
  const withinMs = sql`iif(${key} <> '' AND "numberKey" IS NOT NULL, ${OTHER_NUMBER_MS}, ${SAME_AMOUNT_MS})`;
  const [sameNumber, sameAmount] = await Promise.all([
    key === ""
      ? null
      : find(
          // The sign keeps SQLite on the index of numbers.
          sql`${invoices.numberKey} = ${key} AND +${invoices.id} < ${beforeId}`,
          sql`(${payeeId === null ? sql`false` : ofPayee} OR ${ofSupplier} OR ${invoices.totalCents} = ${totalCents})`,
        ),
    totalCents === null
      ? null
      : find(
          sql`${invoices.id} < ${beforeId} AND ${invoices.id} >= ${firstIdOf(now - SAME_AMOUNT_MS)}`,
          payeeId === null
            ? sql`+${ofPayee} AND ${ofSupplier} AND ${invoices.id} >= ${newest}`
            : eq(invoices.payeeId, payeeId),
          sql`${invoices.totalCents} = ${totalCents} AND ${invoices.receivedAt} >= ${now} - ${withinMs}`,
        ),
  ]);
  return { sameNumber, sameAmount };
}
