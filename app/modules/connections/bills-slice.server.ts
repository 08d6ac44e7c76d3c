import { accountingBills, insertRows } from "@db/database";
import { and, eq, lt, sql } from "drizzle-orm";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { AccountingBill, BillsPage } from "~/ports/accounting";
import type { ReadServices, TimedServices } from "~/services-and-actor";
import { NO_COUNTS, type SyncSlice } from "./sync";

type Bill = typeof accountingBills.$inferSelect;
type Owner = { organizationId: string; system: ConnectableSystem };

/**
 * One page of bills. Ignores a bill that was voided or deleted before we knew it. After the last page of a full list,
 * known open bills that were not in it are marked as no longer open; the system does not say why.
 * @param startedAt when the sync that reads this page began
 */
export async function billsSlice(
  services: TimedServices,
  owner: Owner,
  { page, startedAt }: { page: BillsPage; startedAt: number },
): Promise<SyncSlice> {
  const known = await findBills(
    services,
    owner,
    page.bills.map(({ id }) => id),
  );
  const rows = page.bills.flatMap((bill) => toRow(services, { owner, bill, known: known.get(bill.id), startedAt }));
  const written = page.isWhole ? rows : rows.filter((row) => !isSame(row, known.get(row.billId)));
  const isLast = page.isWhole && page.next === null;
  return {
    statements: [
      ...replaceBills(services, owner, written),
      ...(isLast ? [endMissing(services, owner, startedAt)] : []),
    ],
    audit: [],
    parts: [],
    counts: { ...NO_COUNTS, bills: rows.length },
  };
}

async function findBills({ db }: ReadServices, { organizationId, system }: Owner, ids: readonly string[]) {
  const rows = await db
    .select()
    .from(accountingBills)
    .where(
      and(
        eq(accountingBills.organizationId, organizationId),
        eq(accountingBills.system, system),
        sql`${accountingBills.billId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.billId, row]));
}

type Judging = { owner: Owner; bill: AccountingBill; known: Bill | undefined; startedAt: number };

function toRow({ clock }: TimedServices, { owner, bill, known, startedAt }: Judging): Bill[] {
  if (bill.status === "void" && !known) return [];
  const { id, number, ...read } = bill;
  const next = { ...owner, ...read, billId: id, number, numberKey: (number && referenceKey(number)) || null };
  const updatedAt = known && isSame({ ...known, ...next }, known) ? known.updatedAt : clock.now();
  return [{ ...next, readAt: startedAt, updatedAt }];
}

const COMPARED = ["contactId", "supplier", "number", "status", "amountDue", "amountPaid", "currency"] as const;

const isSame = (row: Bill, known: Bill | undefined): boolean =>
  known !== undefined && COMPARED.every((name) => row[name] === known[name]);

function replaceBills({ db }: ReadServices, { organizationId, system }: Owner, rows: readonly Bill[]) {
  if (rows.length === 0) return [];
  const ids = JSON.stringify(rows.map(({ billId }) => billId));
  const former = and(
    eq(accountingBills.organizationId, organizationId),
    eq(accountingBills.system, system),
    sql`${accountingBills.billId} IN (SELECT value FROM json_each(${ids}))`,
  );
  return [db.delete(accountingBills).where(former), ...insertRows(db, accountingBills, rows)];
}

function endMissing({ db, clock }: TimedServices, { organizationId, system }: Owner, startedAt: number) {
  return db
    .update(accountingBills)
    .set({ status: "gone", updatedAt: clock.now() })
    .where(
      and(
        eq(accountingBills.organizationId, organizationId),
        eq(accountingBills.system, system),
        // Literal SQL, not a bound value, so that SQLite can use its partial index.
        sql`"status" = 'open'`,
        lt(accountingBills.readAt, startedAt),
      ),
    );
}
