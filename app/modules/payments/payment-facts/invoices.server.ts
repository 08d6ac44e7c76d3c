import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { accountKey, maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import { prepareName, scoreIfAlike } from "~/modules/name-match/index";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { InvoiceFact } from "~/modules/rules/facts";
import type { ReadAccount } from "~/ports/document-reader";
import type { ReadServices } from "~/services-and-actor";
import type { PaymentsOf, ReadPayment } from "./facts.server";

/** Finds the invoices that payments could be for, whatever a person typed: by number, or by payee and amount. */

const ROWS_PER_STATEMENT = 2_000;
/** At most this many invoices are kept in one fact, stopped ones first. */
const MAX_INVOICES = 3;
/** An invoice with the same amount counts as the payment's invoice if it is no older than this. */
const SAME_AMOUNT_MS = 90 * DAY_MS;

type Row = Omit<InvoiceFact, "by" | "isOwn" | "accounts" | "stop" | "paid"> & {
  place: number;
  payeeId: string | null;
  isStopped: number;
  decision: "accept" | "reject" | null;
  /** JSON of `ReadAccount[]`. */
  accounts: string | null;
  paidId: string | null;
  paidAt: number | null;
};

/** True if the organisation has any invoice. */
export async function findAnyInvoice({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 AS "one" FROM "invoices" WHERE "organizationId" = ${organizationId} LIMIT 1`);
  return rows.length > 0;
}

const columns = sql`"invoice"."id", "invoice"."version", "invoice"."invoiceNumber" AS "number",
  "invoice"."supplierName" AS "supplier", "invoice"."receivedAt", "invoice"."totalCents", "invoice"."payeeId",
  "invoice"."isStopped", "invoice"."decision", "invoice"."read" -> '$.accounts' AS "accounts"`;

/** A payment of the invoice's number and amount to its payee, other than one recorded by clearing this same file. */
const paidBefore = (organizationId: string, fileId: string | undefined, what: "id" | "createdAt") =>
  sql`(SELECT "paid".${sql.identifier(what)} FROM "payment_records" AS "paid"
    WHERE "paid"."organizationId" = ${organizationId} AND "paid"."payeeId" = "invoice"."payeeId"
      AND "paid"."amount" = "invoice"."totalCents" AND "paid"."referenceKey" = "invoice"."numberKey"
      AND "paid"."status" NOT IN ('failed', 'rejected')
      ${
        fileId === undefined
          ? sql``
          : sql`AND NOT EXISTS (SELECT 1 FROM "payment_file_lines" AS "own" WHERE "own"."organizationId" = ${organizationId}
              AND "own"."paymentId" = "paid"."id" AND "own"."fileId" = ${fileId})`
      }
    ORDER BY "paid"."createdAt" LIMIT 1)`;

/** The payments that were recorded for invoices, by the invoice's id: of its number and amount, to its payee. */
export async function findPaymentsOfInvoices(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  ids: readonly string[],
) {
  const rows = await db.all<{ invoiceId: string; id: string | null; createdAt: number }>(sql`
    SELECT "invoice"."id" AS "invoiceId", ${paidBefore(organizationId, undefined, "id")} AS "id",
      ${paidBefore(organizationId, undefined, "createdAt")} AS "createdAt"
    FROM json_each(${JSON.stringify(ids)}) AS "asked" CROSS JOIN "invoices" AS "invoice"
    WHERE "invoice"."organizationId" = ${organizationId} AND "invoice"."id" = "asked"."value"`);
  return new Map(rows.flatMap(({ invoiceId, id, createdAt }) => (id ? [[invoiceId, { id, createdAt }]] : [])));
}

/** The possible invoices of each payment, by its position; payments without any are left out. */
export async function findInvoicesOfPayments(
  { db }: ReadServices,
  { organizationId, fileId }: Pick<PaymentsOf, "organizationId" | "fileId">,
  { asked, now }: { asked: readonly ReadPayment[]; now: number },
): Promise<Map<number, InvoiceFact[]>> {
  const found = new Map<number, InvoiceFact[]>();
  const add = (row: Row, by: InvoiceFact["by"]) => {
    const payment = asked[row.place];
    const fact = payment && toFact(payment, row, by);
    const known = found.get(row.place) ?? [];
    if (fact && !known.some(({ id }) => id === fact.id)) found.set(row.place, [...known, fact]);
  };
  const paid = sql`${paidBefore(organizationId, fileId, "id")} AS "paidId", ${paidBefore(organizationId, fileId, "createdAt")} AS "paidAt"`;
  const keys = asked.flatMap(({ reference }, place) => {
    const key = referenceKey(reference);
    return key === "" ? [] : [[place, key]];
  });
  for (const part of inParts(keys, ROWS_PER_STATEMENT)) {
    const rows = await db.all<Row>(sql`SELECT "asked"."value" ->> 0 AS "place", ${columns}, ${paid}
      FROM json_each(${JSON.stringify(part)}) AS "asked" CROSS JOIN "invoices" AS "invoice"
      WHERE "invoice"."organizationId" = ${organizationId} AND "invoice"."numberKey" = "asked"."value" ->> 1`);
    for (const row of rows) add(row, "reference");
  }
  // When the payment's reference is the number of one of the payee's invoices, invoices of the same amount are not
  // considered.
  const amounts = asked.flatMap(({ payee, amount }, place) =>
    payee && !found.get(place)?.some(({ isOwn }) => isOwn) ? [[place, payee.facts.id, amount]] : [],
  );
  for (const part of inParts(amounts, ROWS_PER_STATEMENT)) {
    const rows = await db.all<Row>(sql`SELECT "asked"."value" ->> 0 AS "place", ${columns}, ${paid}
      FROM json_each(${JSON.stringify(part)}) AS "asked" CROSS JOIN "invoices" AS "invoice"
      WHERE "invoice"."organizationId" = ${organizationId} AND "invoice"."payeeId" = "asked"."value" ->> 1
        AND "invoice"."totalCents" = "asked"."value" ->> 2 AND "invoice"."receivedAt" > ${now - SAME_AMOUNT_MS}`);
    for (const row of rows) add(row, "amount");
  }
  for (const [place, facts] of found) {
    const stopsFirst = facts.sort(
      (a, b) => Number(b.stop !== null) - Number(a.stop !== null) || b.receivedAt - a.receivedAt,
    );
    found.set(place, stopsFirst.slice(0, MAX_INVOICES));
  }
  return found;
}

/** Invoice numbers repeat, so another supplier's invoice only counts when its account, amount or name also matches. */
function toFact(payment: ReadPayment, row: Row, by: InvoiceFact["by"]): InvoiceFact | undefined {
  const { payee, account, amount } = payment;
  const { place: _, payeeId, isStopped, decision, accounts: read, paidId, paidAt, ...invoice } = row;
  const whole = wholeAccounts(read);
  const accounts = toAccounts(whole, account);
  const isOwn = payee !== null && payeeId === payee.facts.id;
  const isItsAccount = whole.some((each) => accountKey(each) === accountKey(account));
  const isAlike =
    invoice.supplier !== null && scoreIfAlike(prepareName(account.accountName), invoice.supplier) !== undefined;
  if (!isOwn && !isItsAccount && !isAlike && invoice.totalCents !== amount) return undefined;
  return {
    ...invoice,
    by,
    isOwn,
    accounts,
    stop: decision === "reject" ? "decided" : isStopped === 1 && decision === null ? "open" : null,
    paid: paidId === null || paidAt === null ? null : { id: paidId, createdAt: paidAt },
  };
}

function wholeAccounts(read: string | null): ReadAccount[] {
  const accounts = read === null ? [] : (JSON.parse(read) as ReadAccount[]);
  return accounts.filter(({ bsb, accountNumber, whose }) => whose !== "customer" && bsb !== "" && accountNumber !== "");
}

/** The accounts visible on the invoice that were read with certainty; a hidden account does not count as one to pay. */
function toAccounts(whole: ReadAccount[], paid: { bsb: string; accountNumber: string }): InvoiceFact["accounts"] {
  const certain = whole.filter((account) => account.certain);
  const asked = certain.length > 0 ? certain : whole;
  return [...new Map(asked.map((account) => [accountKey(account), account])).values()].map((account) => ({
    bsb: account.bsb,
    maskedAccountNumber: maskAccountNumber(account.accountNumber),
    isPaid: accountKey(account) === accountKey(paid),
  }));
}
