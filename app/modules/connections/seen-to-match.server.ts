import { accountingPayments, paymentRecords } from "@db/schema";
import { and, eq, gte, min, sql } from "drizzle-orm";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { DAY_MS } from "~/kernel/dates";
import type { ReadServices } from "~/services";

type Owner = { organizationId: string; system: ConnectableSystem };

/**
 * The earliest payment seen there that is the outcome of no payment here, and that a payment recorded or authorised here
 * since `from` may be: the same payee and amount, recorded no later than a day after it. Null: none. Instants in epoch
 * milliseconds.
 * @param backTo payments made there before are left out
 * @returns when it was made there
 */
export async function findSeenToMatch(
  { db }: ReadServices,
  { organizationId, system }: Owner,
  { from, backTo }: { from: number; backTo: number },
): Promise<number | null> {
  const [found] = await db
    .select({ paidAt: min(accountingPayments.paidAt) })
    .from(paymentRecords)
    .innerJoin(
      accountingPayments,
      and(
        eq(accountingPayments.organizationId, organizationId),
        eq(accountingPayments.payeeId, paymentRecords.payeeId),
        eq(accountingPayments.amount, paymentRecords.amount),
        eq(accountingPayments.system, system),
        eq(accountingPayments.state, "seen"),
        gte(accountingPayments.paidAt, backTo),
        gte(accountingPayments.paidAt, sql`${paymentRecords.createdAt} - ${DAY_MS}`),
      ),
    )
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        eq(paymentRecords.status, "authorised"),
        gte(paymentRecords.updatedAt, from),
      ),
    );
  return found?.paidAt ?? null;
}
