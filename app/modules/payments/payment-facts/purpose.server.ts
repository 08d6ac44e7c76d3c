import { type SQL, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { accountKey, maskAccountNumber, sameAccountNumber } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import type { BillStatus } from "~/kernel/enums";
import type { Account } from "~/kernel/payee";
import { fingerprintsOfAccount } from "~/modules/core/payee-keys";
import { prepareName, scoreIfAlike } from "~/modules/name-match/index";
import { DUPLICATE_DAYS, referenceKey } from "~/modules/rules/duplicate-payment";
import type {
  BillFact,
  BillsFact,
  DuplicateFacts,
  FurtherFacts,
  InvoiceFact,
  PaymentFacts,
} from "~/modules/rules/facts";
import type { ReadAccount } from "~/ports/document-reader";
import type { ReadServices, Services } from "~/services-and-actor";
import type { PaymentsOf, ReadPayment, SeenRows } from "./facts.server";

/* What payments could be for: invoices and bills of accounting systems; and the same paid before. Cents. */

/** How many payments one statement takes, so that its parameter stays far below the database's size limit. */
const ROWS_PER_STATEMENT = 5_000;
const INVOICES_PER_STATEMENT = 2_000;
/** At most this many invoices or bills are kept in one fact. */
const MAX_NAMED = 3;

type Owner = Pick<PaymentsOf, "organizationId" | "fileId">;

/** The position and the key of each reference that has letters or digits. */
const keysOf = (asked: readonly ReadPayment[]) =>
  asked.flatMap(({ reference }, place) => {
    const key = referenceKey(reference);
    return key === "" ? [] : [[place, key]];
  });

/** Part of a condition on a payment: it was not recorded by clearing this file. */
const notOfFile = ({ organizationId, fileId }: Owner, payment: "same" | "paid") =>
  fileId === undefined
    ? sql``
    : sql`AND NOT EXISTS (SELECT 1 FROM "payment_file_lines" AS "own" WHERE "own"."organizationId" = ${organizationId}
        AND "own"."paymentId" = ${sql.identifier(payment)}."id" AND "own"."fileId" = ${fileId})`;

/** SQL, after rows of a payee, an amount and a reference's key: payments like these since an instant, not failed. */
const alike = ({ organizationId, fileId }: Owner, row: SQL, since: SQL) => sql`CROSS JOIN "payment_records" AS "same"
  WHERE "same"."organizationId" = ${organizationId} AND "same"."payeeId" = ${row} ->> 0
    AND "same"."amount" = ${row} ->> 1 AND "same"."referenceKey" = ${row} ->> 2 AND "same"."status" <> 'failed'
    AND "same"."createdAt" > ${since} ${notOfFile({ organizationId, fileId }, "same")}`;

/** `place` is the position in the list of payments asked about. */
type DuplicateRow = DuplicateFacts & { place: number };

/** For each payment, by position: the newest recent payment of the same payee, amount and reference. */
export async function findDuplicates(
  { db }: ReadServices,
  owner: Owner,
  { now, asked }: { now: number; asked: readonly ReadPayment[] },
): Promise<Map<number, DuplicateFacts>> {
  const found = new Map<number, DuplicateFacts>();
  const known = asked.flatMap(({ payee, amount, reference }, index) =>
    payee ? [{ index, row: [payee.facts.id, amount, referenceKey(reference)] }] : [],
  );
  for (const part of inParts(known, ROWS_PER_STATEMENT)) {
    const rows = await db.all<DuplicateRow>(sql`SELECT "asked"."key" AS "place", "same"."id", "same"."status",
        "same"."createdAt", "same"."reference"
      FROM json_each(${JSON.stringify(part.map(({ row }) => row))}) AS "asked"
      ${alike(owner, sql`"asked"."value"`, sql`${now - DUPLICATE_DAYS * DAY_MS}`)} ORDER BY "same"."createdAt"`);
    for (const { place, ...duplicate } of rows) {
      const payment = part[place];
      if (payment) found.set(payment.index, duplicate);
    }
  }
  return found;
}

/** For each payment that had no duplicate, none was recorded since. */
export const duplicatesAsSeen = (owner: Owner, facts: readonly PaymentFacts[]): SeenRows => ({
  rows: facts.flatMap(({ payee, duplicate, amount, reference, now }) =>
    payee && !duplicate ? [[payee.id, amount, referenceKey(reference), now - DUPLICATE_DAYS * DAY_MS]] : [],
  ),
  changed: alike(owner, sql`"seen"."value"`, sql`"seen"."value" ->> 3`),
});

type Lost = NonNullable<FurtherFacts["lostPayment"]>;

/**
 * For each payment, by its position in the list: a lost payment of the same amount to the same account. The reference
 * is not compared, because people retype it. The search goes back as far as the one for duplicates.
 */
export async function findLostPayments(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  organizationId: string,
  { asked, now }: { asked: readonly Pick<ReadPayment, "account" | "amount">[]; now: number },
): Promise<ReadonlyMap<number, Lost>> {
  const fingerprints = new Map<string, string[]>();
  for (const { account } of asked) {
    const key = accountKey(account);
    if (!fingerprints.has(key)) fingerprints.set(key, await fingerprintsOfAccount({ secrets }, account));
  }
  const given = asked.flatMap(({ account, amount }, place) =>
    (fingerprints.get(accountKey(account)) ?? []).map((fingerprint) => [place, fingerprint, amount]),
  );
  const rows = await db.all<Lost & { place: number }>(
    sql`SELECT "asked"."value" ->> 0 AS "place", "lost"."paymentId" AS "id", "lost"."createdAt" AS "recordedAt"
      FROM json_each(${JSON.stringify(given)}) AS "asked" CROSS JOIN "lost_payments" AS "lost"
      WHERE "lost"."organizationId" = ${organizationId} AND "lost"."accountFingerprint" = "asked"."value" ->> 1
        AND "lost"."amount" = "asked"."value" ->> 2 AND "lost"."createdAt" > ${now - DUPLICATE_DAYS * DAY_MS}
      ORDER BY "lost"."createdAt"`,
  );
  return new Map(rows.map(({ place, ...lost }) => [place, lost]));
}

/** An invoice with the same amount counts as the payment's invoice if it is no older than this. */
const SAME_AMOUNT_MS = 90 * DAY_MS;

type InvoiceRow = Omit<InvoiceFact, "by" | "isOwn" | "accounts" | "stop" | "paid"> & {
  place: number;
  payeeId: string | null;
  isStopped: number;
  decision: "accept" | "reject" | null;
  /** JSON of `ReadAccount[]`. */
  accounts: string | null;
  paidId: string | null;
  paidAt: number | null;
};

const invoiceColumns = sql`"invoice"."id", "invoice"."version", "invoice"."invoiceNumber" AS "number",
  "invoice"."supplierName" AS "supplier", "invoice"."receivedAt", "invoice"."totalCents", "invoice"."payeeId",
  "invoice"."isStopped", "invoice"."decision", "invoice"."read" -> '$.accounts' AS "accounts"`;

/** A payment of the invoice's number and amount to its payee, other than one recorded by clearing this same file. */
const paidBefore = (owner: Owner, what: "id" | "createdAt") =>
  sql`(SELECT "paid".${sql.identifier(what)} FROM "payment_records" AS "paid"
    WHERE "paid"."organizationId" = ${owner.organizationId} AND "paid"."payeeId" = "invoice"."payeeId"
      AND "paid"."amount" = "invoice"."totalCents" AND "paid"."referenceKey" = "invoice"."numberKey"
      AND "paid"."status" NOT IN ('failed', 'rejected')
      ${notOfFile(owner, "paid")}
    ORDER BY "paid"."createdAt" LIMIT 1)`;

/** The payments that were recorded for invoices, by the invoice's id: of its number and amount, to its payee. */
export async function findPaymentsOfInvoices(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  ids: readonly string[],
) {
  const rows = await db.all<{ invoiceId: string; id: string | null; createdAt: number }>(sql`
    SELECT "invoice"."id" AS "invoiceId", ${paidBefore({ organizationId }, "id")} AS "id",
      ${paidBefore({ organizationId }, "createdAt")} AS "createdAt"
    FROM json_each(${JSON.stringify(ids)}) AS "asked" CROSS JOIN "invoices" AS "invoice"
    WHERE "invoice"."organizationId" = ${organizationId} AND "invoice"."id" = "asked"."value"`);
  return new Map(rows.flatMap(({ invoiceId, id, createdAt }) => (id ? [[invoiceId, { id, createdAt }]] : [])));
}

/** The possible invoices of each payment, by its position; payments without any are left out. */
export async function findInvoicesOfPayments(
  { db }: ReadServices,
  owner: Owner,
  { asked, now }: { asked: readonly ReadPayment[]; now: number },
): Promise<Map<number, InvoiceFact[]>> {
  const found = new Map<number, InvoiceFact[]>();
  const read = async (by: InvoiceFact["by"], rows: readonly (readonly (string | number)[])[], which: SQL) => {
    for (const part of inParts(rows, INVOICES_PER_STATEMENT)) {
      const invoices = await db.all<InvoiceRow>(sql`SELECT "asked"."value" ->> 0 AS "place", ${invoiceColumns},
          ${paidBefore(owner, "id")} AS "paidId", ${paidBefore(owner, "createdAt")} AS "paidAt"
        FROM json_each(${JSON.stringify(part)}) AS "asked" CROSS JOIN "invoices" AS "invoice"
        WHERE "invoice"."organizationId" = ${owner.organizationId} AND ${which}`);
      for (const row of invoices) {
        const payment = asked[row.place];
        const fact = payment && toInvoice(payment, row, by);
        const known = found.get(row.place) ?? [];
        if (fact && !known.some(({ id }) => id === fact.id)) found.set(row.place, [...known, fact]);
      }
    }
  };
  await read("reference", keysOf(asked), sql`"invoice"."numberKey" = "asked"."value" ->> 1`);
  // When the payment's reference is the number of one of the payee's invoices, invoices of the same amount are not
  // considered.
  const amounts = asked.flatMap(({ payee, amount }, place) =>
    payee && !found.get(place)?.some(({ isOwn }) => isOwn) ? [[place, payee.facts.id, amount]] : [],
  );
  await read(
    "amount",
    amounts,
    sql`"invoice"."payeeId" = "asked"."value" ->> 1 AND "invoice"."totalCents" = "asked"."value" ->> 2
      AND "invoice"."receivedAt" > ${now - SAME_AMOUNT_MS}`,
  );
  for (const [place, facts] of found) {
    found.set(place, facts.sort((a, b) => rankOf(a) - rankOf(b) || b.receivedAt - a.receivedAt).slice(0, MAX_NAMED));
  }
  return found;
}

/** What a payment is held or warned for comes first, so that no number of other invoices conceals it. */
function rankOf({ stop, accounts, paid }: InvoiceFact): number {
  if (stop !== null) return 0;
  if (accounts.length > 0 && !accounts.some(({ isPaid }) => isPaid)) return 1;
  return paid ? 2 : 3;
}

/** Invoice numbers repeat, so another supplier's invoice only counts when its account, amount or name also matches. */
function toInvoice(payment: ReadPayment, row: InvoiceRow, by: InvoiceFact["by"]): InvoiceFact | undefined {
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
function toAccounts(whole: ReadAccount[], paid: Account): InvoiceFact["accounts"] {
  const certain = whole.filter((account) => account.certain);
  const asked = certain.length > 0 ? certain : whole;
  return [...new Map(asked.map((account) => [accountKey(account), account])).values()].map((account) => ({
    bsb: account.bsb,
    maskedAccountNumber: maskAccountNumber(account.accountNumber),
    isPaid: accountKey(account) === accountKey(paid),
  }));
}

/** Nobody has decided about or deleted an invoice. */
export const invoicesAsSeen = (organizationId: string, facts: readonly PaymentFacts[]): SeenRows => ({
  rows: facts.flatMap(({ invoices = [] }) => invoices.map(({ id, version }) => [id, version])),
  changed: sql`LEFT JOIN "invoices" AS "invoice" ON "invoice"."organizationId" = ${organizationId}
      AND "invoice"."id" = "seen"."value" ->> 0
    WHERE "invoice"."version" IS NOT "seen"."value" ->> 1`,
});

/**
 * A bill that was paid in the accounting system within this time may be what the payment is for: some people mark bills
 * as paid there before making the file.
 */
const PAID_WITHIN_MS = 30 * DAY_MS;

type BillRow = {
  system: string;
  number: string;
  supplier: string;
  status: BillStatus;
  amountDue: number;
  amountPaid: number;
  payeeId: string | null;
  bsb: string | null;
  accountNumber: string | null;
};

const billColumns = sql`"bill"."system", "bill"."number", "bill"."supplier", "bill"."status", "bill"."amountDue",
  "bill"."amountPaid", "contact"."payeeId", "contact"."seenBsb" AS "bsb", "contact"."seenAccountNumber" AS "accountNumber"`;

/**
 * What accounting systems say about the bills that these payments could be for, by the payment's position. Payments
 * without known bills are left out.
 */
export async function findBills(
  services: ReadServices,
  organizationId: string,
  { asked, now }: { asked: readonly ReadPayment[]; now: number },
): Promise<Map<number, BillsFact>> {
  const byNumber = await listNamed(services, organizationId, asked);
  const named = asked.map((payment, index) => chooseNamed(payment, byNumber.get(index) ?? []));
  const ids = asked.flatMap(({ payee }, index) =>
    payee && !named[index]?.some(({ isOwn }) => isOwn) ? [payee.facts.id] : [],
  );
  const ofPayees = await listOfPayees(services, organizationId, { ids: [...new Set(ids)], now });
  return new Map(
    asked.flatMap(({ payee, amount }, index) => {
      const own = named[index] ?? [];
      const others = own.some(({ isOwn }) => isOwn) ? null : sumUp(amount, ofPayees.get(payee?.facts.id ?? "") ?? []);
      return own.length > 0 || others ? [[index, { named: own, others }] as const] : [];
    }),
  );
}

/** Bills whose number is a payment's reference, from any supplier. */
async function listNamed({ db }: ReadServices, organizationId: string, asked: readonly ReadPayment[]) {
  const found = new Map<number, BillRow[]>();
  for (const part of inParts(keysOf(asked), ROWS_PER_STATEMENT)) {
    const rows = await db.all<BillRow & { index: number }>(sql`SELECT "asked"."value" ->> 0 AS "index", ${billColumns}
      FROM json_each(${JSON.stringify(part)}) AS "asked" CROSS JOIN "accounting_bills" AS "bill"
      LEFT JOIN "accounting_contacts" AS "contact" ON "contact"."organizationId" = ${organizationId}
        AND "contact"."system" = "bill"."system" AND "contact"."contactId" = "bill"."contactId"
      WHERE "bill"."organizationId" = ${organizationId} AND "bill"."numberKey" = "asked"."value" ->> 1
        AND "bill"."currency" = 'AUD'
      ORDER BY "bill"."status" <> 'open', "bill"."updatedAt" DESC, "bill"."billId"`);
    for (const { index, ...bill } of rows) found.set(index, [...(found.get(index) ?? []), bill]);
  }
  return found;
}

/** The payee's own bills; otherwise others' whose amount or name also matches, because bill numbers repeat. */
function chooseNamed({ payee, account, amount }: ReadPayment, bills: readonly BillRow[]): BillFact[] {
  if (bills.length === 0) return [];
  const facts = bills.map((bill) => ({ bill, isOwn: isOwn(bill, payee?.facts.id, account) }));
  const own = facts.filter((each) => each.isOwn);
  const name = prepareName(account.accountName);
  const speaks = ({ bill }: (typeof facts)[number]) =>
    bill.amountDue === amount || bill.amountPaid === amount || scoreIfAlike(name, bill.supplier) !== undefined;
  return (own.length > 0 ? own : facts.filter(speaks)).slice(0, MAX_NAMED).map((each) => toBill(each.bill, each.isOwn));
}

function isOwn(bill: BillRow, payeeId: string | undefined, paid: Account): boolean {
  if (bill.payeeId !== null && bill.payeeId === payeeId) return true;
  return (
    bill.bsb === paid.bsb && bill.accountNumber !== null && sameAccountNumber(bill.accountNumber, paid.accountNumber)
  );
}

function toBill({ payeeId: _, accountNumber, ...bill }: BillRow, isOwn: boolean): BillFact {
  return { ...bill, isOwn, maskedAccountNumber: accountNumber === null ? null : maskAccountNumber(accountNumber) };
}

type OfPayees = { ids: readonly string[]; now: number };

/** Open or recently paid bills, by payee. */
async function listOfPayees({ db }: ReadServices, organizationId: string, { ids, now }: OfPayees) {
  const found = new Map<string, BillRow[]>();
  for (const part of inParts(ids, ROWS_PER_STATEMENT)) {
    const rows = await db.all<BillRow & { askedId: string }>(sql`SELECT "asked"."value" AS "askedId", ${billColumns}
      FROM json_each(${JSON.stringify(part)}) AS "asked" CROSS JOIN "accounting_contacts" AS "contact"
      CROSS JOIN json_each('["open", "paid", "gone"]') AS "state" CROSS JOIN "accounting_bills" AS "bill"
      WHERE "contact"."organizationId" = ${organizationId} AND "contact"."payeeId" = "asked"."value"
        AND "bill"."organizationId" = ${organizationId} AND "bill"."system" = "contact"."system"
        AND "bill"."contactId" = "contact"."contactId" AND "bill"."status" = "state"."value"
        AND "bill"."updatedAt" > iif("state"."value" = 'open', -1, ${now - PAID_WITHIN_MS})
        AND "bill"."currency" = 'AUD'`);
    for (const { askedId, ...bill } of rows) found.set(askedId, [...(found.get(askedId) ?? []), bill]);
  }
  return found;
}

function sumUp(amount: number, bills: readonly BillRow[]): BillsFact["others"] {
  const [first] = bills;
  if (!first) return null;
  const amounts = bills.map(({ status, amountDue, amountPaid }) => (status === "paid" ? amountPaid : amountDue));
  const open = bills.filter(({ status }) => status === "open");
  // When every bill is paid, they say nothing about a payment for something else.
  if (open.length === 0) return null;
  const totalCents = open.reduce((sum, { amountDue }) => sum + amountDue, 0);
  return { system: first.system, count: open.length, totalCents, isFitting: isSumOf(amount, amounts) };
}

/** With more bills than this, only single bills, pairs and the total are tried: there are too many combinations. */
const MAX_TRIED = 12;

/** True if one amount, or the sum of several, equals this amount. */
export function isSumOf(amount: number, bills: readonly number[]): boolean {
  if (bills.length <= MAX_TRIED) {
    const sums = new Set([0]);
    for (const bill of bills) for (const sum of [...sums]) sums.add(sum + bill);
    return amount > 0 && sums.has(amount);
  }
  const total = bills.reduce((sum, bill) => sum + bill, 0);
  const seen = new Set<number>();
  for (const bill of bills) {
    if (bill === amount || seen.has(amount - bill)) return true;
    seen.add(bill);
  }
  return total === amount;
}
