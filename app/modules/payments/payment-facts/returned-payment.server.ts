import { paymentRecords } from "@db/schema/index";
import { and, desc, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { showTime } from "~/kernel/shown-time";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { getPayee } from "~/modules/payees/payee.server";
import type { ReadServices, Services } from "~/services";

/** Whether the last that is known of a payee is a payment that came back. Pure. Instants in epoch milliseconds. */

export type Returned = { id: string; returnedAt: number; reason: string | null };

type Payee = { lastPaymentDate: number | null; bankDetailsChangedAt: number | null };

/** The newest failed payment, unless a later one went through or the payee has got other bank details since. */
export function stillReturned(newest: Returned | null, payee: Payee): Returned | null {
  if (!newest) return null;
  const since = Math.max(payee.lastPaymentDate ?? 0, payee.bankDetailsChangedAt ?? 0);
  return newest.returnedAt >= since ? newest : null;
}

/** The payment that came back, as the payee's page says it; null when the last that is known of the payee is better. */
export async function findReturnToShow(services: Pick<Services, "db" | "clock">, actor: Actor, payeeId: string) {
  const newest = await findNewestReturned(services, actor, payeeId);
  if (!newest) return null;
  const [payee, { timeZone }] = await Promise.all([
    getPayee(services, actor, payeeId),
    findPolicy(services, actor.organizationId),
  ]);
  if (!stillReturned(newest, payee)) return null;
  const { id, amount, reference, reason, returnedAt } = newest;
  const at = showTime(returnedAt, { timeZone, now: services.clock.now() });
  return { paymentId: id, amount, reference, reason, at };
}

/** The newest payment to a payee that failed, with what the payee's page says of it; undefined when none did. */
async function findNewestReturned(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  payeeId: string,
) {
  const [row] = await db
    .select({
      id: paymentRecords.id,
      amount: paymentRecords.amount,
      reference: paymentRecords.reference,
      reason: paymentRecords.failureReason,
      processedAt: paymentRecords.processedAt,
      updatedAt: paymentRecords.updatedAt,
    })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        eq(paymentRecords.payeeId, payeeId),
        eq(paymentRecords.status, "failed"),
      ),
    )
    .orderBy(desc(paymentRecords.id))
    .limit(1);
  return row && { ...row, returnedAt: row.processedAt ?? row.updatedAt };
}
