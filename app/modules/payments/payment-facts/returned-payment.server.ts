import { paymentRecords } from "@db/schema";
import { and, desc, eq } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** The newest payment to a payee that failed, with what the payee's page says of it; undefined when none did. */
export async function findNewestReturned(
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
