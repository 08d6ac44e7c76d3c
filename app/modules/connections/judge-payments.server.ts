import { accountingPayments, columnsOf, payees, paymentRecords } from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { DAY_MS } from "~/kernel/dates";
import type { Account } from "~/kernel/payee";
import { readAccount } from "~/modules/payees/imports/table/account";
import { latestProcessedAt } from "~/modules/payments/payment";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { AccountingPayment } from "~/ports/accounting";
import type { ReadServices, Services, TimedServices } from "~/services-and-actor";
import type { KnownContact } from "./integration.server";
import { isSameAccount } from "./sync";

/** Matches payments in an accounting system to payments recorded here. Pure. Instants in epoch milliseconds. */

type OpenPayment = { id: string; amount: number; referenceKey: string | null; createdAt: number };

/** Without the same reference, the payment must have been made within this time of being recorded here. */
const NEAR_MS = 14 * DAY_MS;

/**
 * The authorised payment that was paid: the same amount, recorded no later than a day after the payment's date. Of
 * those, the oldest whose reference is the bill's number; otherwise the only one within the time. If two match, neither
 * is chosen and a person has to say which.
 *
 * @param open authorised payments to the same account, oldest first, that are not matched to another payment
 */
function findOutcomeOf(
  { amount, paidAt, billNumber }: Pick<AccountingPayment, "amount" | "paidAt" | "billNumber">,
  open: readonly OpenPayment[],
): OpenPayment | undefined {
  const possible = open.filter((each) => each.amount === amount && each.createdAt - DAY_MS <= paidAt);
  const key = billNumber === null ? "" : referenceKey(billNumber);
  const named = key === "" ? undefined : possible.find((each) => each.referenceKey === key);
  if (named) return named;
  const near = possible.filter(({ createdAt }) => paidAt - createdAt <= NEAR_MS);
  return near.length === 1 ? near[0] : undefined;
}

type Owner = { organizationId: string; system: ConnectableSystem };
export type SeenPayment = typeof accountingPayments.$inferSelect;

export type JudgedPayment = {
  /** The payment as it will be stored. */
  row: SeenPayment;
  /** The payment recorded here that it completes; null: none. */
  record: (Open & { processedAt: number }) | null;
};

type Open = OpenPayment & { payeeId: string; status: "authorised"; version: number };
type Given = { payments: readonly AccountingPayment[]; contacts: ReadonlyMap<string, KnownContact> };

/** Decides what to do with each payment of a page, in three statements. Unchanged ones are left out. */
export async function judgePayments(services: TimedServices, owner: Owner, { payments, contacts }: Given) {
  const known = await findSeen(
    services,
    owner,
    payments.map(({ id }) => id),
  );
  const payeeIds = [...new Set(payments.flatMap(({ contactId }) => contacts.get(contactId)?.payeeId ?? []))];
  const [accounts, open] = await Promise.all([
    findAccounts(services, owner, payeeIds),
    listOpen(services, owner, payeeIds),
  ]);
  const taken = new Set<string>();
  return payments.flatMap((payment) => {
    const payeeId = contacts.get(payment.contactId)?.payeeId ?? "";
    const account = accounts.get(payeeId);
    const free = open.filter((each) => each.payeeId === payeeId && !taken.has(each.id));
    const before = known.get(payment.id);
    const judged = judgePayment(services, { owner, payment, before, payeeId, account, free });
    if (judged?.record) taken.add(judged.record.id);
    return judged ? [judged] : [];
  });
}

type Judging = {
  owner: Owner;
  payment: AccountingPayment;
  before: SeenPayment | undefined;
  payeeId: string;
  account: (Account & { id: string }) | undefined;
  free: readonly Open[];
};

function judgePayment({ clock }: Pick<Services, "clock">, judging: Judging): JudgedPayment | undefined {
  const { owner, payment, before, payeeId, account, free } = judging;
  const now = clock.now();
  if (payment.isDeleted) {
    const isNew = before !== undefined && before.state !== "deleted";
    return isNew ? { row: { ...before, state: "deleted", updatedAt: now }, record: null } : undefined;
  }
  const paidTo = accountOf(payment.accountText);
  const isToPayee = account !== undefined && paidTo !== undefined && isSameAccount(paidTo, account);
  if (before?.state === "outcome" || before?.state === "deleted") return undefined;
  if (!payment.isReconciled || !isToPayee) return undefined;
  const found = findOutcomeOf(payment, free);
  const record = free.find(({ id }) => id === found?.id);
  if (before && !record) return undefined;
  const { id: paymentId, amount, paidAt, billNumber } = payment;
  const row: SeenPayment = {
    ...owner,
    paymentId,
    payeeId,
    state: record ? "outcome" : "seen",
    recordId: record?.id ?? null,
    amount,
    paidAt,
    billNumber,
    updatedAt: now,
  };
  return { row, record: record ? { ...record, processedAt: latestProcessedAt(paidAt, now) } : null };
}

/** Parses BSB and account number from one free text; undefined when it is unreadable. */
function accountOf(text: string | null): Account | undefined {
  const row = { line: 1, cells: [text ?? ""] };
  const account = readAccount(row, { mapping: { accountNumber: [0] }, zeroColumns: [0] });
  if (!account || "problem" in account) return undefined;
  return { bsb: account.bsb.replace(/\D/g, ""), accountNumber: account.accountNumber.replace(/\D/g, "") };
}

async function findSeen({ db }: ReadServices, { organizationId, system }: Owner, ids: readonly string[]) {
  const rows = await db
    .select()
    .from(accountingPayments)
    .where(
      and(
        eq(accountingPayments.organizationId, organizationId),
        eq(accountingPayments.system, system),
        sql`${accountingPayments.paymentId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.paymentId, row]));
}

async function findAccounts({ db }: ReadServices, { organizationId }: Owner, ids: readonly string[]) {
  const rows = await db
    .select({ id: payees.id, bsb: payees.bsb, accountNumber: payees.accountNumber })
    .from(payees)
    .where(
      and(
        eq(payees.organizationId, organizationId),
        sql`${payees.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Authorised payments of these payees to their present account, oldest first. */
async function listOpen({ db }: ReadServices, { organizationId }: Owner, ids: readonly string[]): Promise<Open[]> {
  const rows = await db
    .select({
      id: paymentRecords.id,
      payeeId: sql<string>`${paymentRecords.payeeId}`,
      ...columnsOf(paymentRecords, "amount", "referenceKey", "createdAt", "version"),
    })
    .from(paymentRecords)
    .innerJoin(
      payees,
      and(
        eq(payees.organizationId, organizationId),
        eq(payees.id, paymentRecords.payeeId),
        eq(payees.bsb, paymentRecords.bsb),
        sql`ltrim(${payees.accountNumber}, '0') = ltrim(${paymentRecords.accountNumber}, '0')`,
      ),
    )
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        eq(paymentRecords.status, "authorised"),
        sql`${paymentRecords.payeeId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    )
    .orderBy(asc(paymentRecords.id));
  return rows.map((row) => ({ ...row, status: "authorised" }));
}
