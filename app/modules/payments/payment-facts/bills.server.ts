import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { maskAccountNumber, sameAccountNumber } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import type { BillStatus } from "~/kernel/enums";
import { prepareName, scoreIfAlike } from "~/modules/name-match/index";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { BillFact, BillsFact } from "~/modules/rules/facts";
import type { ReadServices } from "~/services-and-actor";
import type { ReadPayment } from "./facts.server";

/** Decides whether a payment is exactly the sum of some of a payee's bills. Pure. Integer cents. */

/**
 * With more bills than this, only single bills, pairs and the total are tried, because there are too many combinations.
 */
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

/** How many payments one statement takes, so that its parameter stays far below the database's size limit. */
const ROWS_PER_STATEMENT = 5_000;
/** At most this many bills are kept in one fact. */
const MAX_NAMED = 3;
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

/** True if any bill of the organisation is known. */
export async function findAnyBill({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const rows = await db.all(
    sql`SELECT 1 AS "one" FROM "accounting_bills" WHERE "organizationId" = ${organizationId} LIMIT 1`,
  );
  return rows.length > 0;
}

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
  const keys = asked.flatMap(({ reference }, index) => {
    const key = referenceKey(reference);
    return key === "" ? [] : [[index, key]];
  });
  for (const part of inParts(keys, ROWS_PER_STATEMENT)) {
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

/**
 * The payee's own bills; if there are none, other suppliers' bills whose amount or name also matches, because bill
 * numbers repeat.
 */
function chooseNamed({ payee, account, amount }: ReadPayment, bills: readonly BillRow[]): BillFact[] {
  if (bills.length === 0) return [];
  const facts = bills.map((bill) => ({ bill, isOwn: isOwn(bill, payee?.facts.id, account) }));
  const own = facts.filter((each) => each.isOwn);
  const name = prepareName(account.accountName);
  const speaks = ({ bill }: (typeof facts)[number]) =>
    bill.amountDue === amount || bill.amountPaid === amount || scoreIfAlike(name, bill.supplier) !== undefined;
  return (own.length > 0 ? own : facts.filter(speaks)).slice(0, MAX_NAMED).map((each) => toFact(each.bill, each.isOwn));
}

function isOwn(bill: BillRow, payeeId: string | undefined, paid: { bsb: string; accountNumber: string }): boolean {
  if (bill.payeeId !== null && bill.payeeId === payeeId) return true;
  return (
    bill.bsb === paid.bsb && bill.accountNumber !== null && sameAccountNumber(bill.accountNumber, paid.accountNumber)
  );
}

function toFact({ payeeId: _, accountNumber, ...bill }: BillRow, isOwn: boolean): BillFact {
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
