import { payees, paymentRecords, remittancesDue } from "@db/schema";
import { and, asc, eq } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** Payments that one email tells of at most. */
const MAX_PAYMENTS = 100;

/** What one payee is to be told next; undefined when nothing is due. */
export async function findNextRemittance({ db }: ReadServices, organizationId: string) {
  const [first] = await db
    .select({ payeeId: remittancesDue.payeeId, payeeName: payees.name, email: payees.email })
    .from(remittancesDue)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, remittancesDue.payeeId)))
    .where(eq(remittancesDue.organizationId, organizationId))
    .orderBy(asc(remittancesDue.payeeId))
    .limit(1);
  if (!first) return undefined;
  const payments = await db
    .select({
      id: paymentRecords.id,
      amount: paymentRecords.amount,
      reference: paymentRecords.reference,
      processedAt: paymentRecords.processedAt,
      accountNumber: paymentRecords.accountNumber,
    })
    .from(remittancesDue)
    .innerJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, remittancesDue.paymentId)),
    )
    .where(and(eq(remittancesDue.organizationId, organizationId), eq(remittancesDue.payeeId, first.payeeId)))
    .orderBy(asc(remittancesDue.paymentId))
    .limit(MAX_PAYMENTS);
  return { ...first, payments };
}

export type Remittance = NonNullable<Awaited<ReturnType<typeof findNextRemittance>>>;
