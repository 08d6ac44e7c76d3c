import { payees, paymentFileLines, paymentRecords } from "@db/schema";
import { and, asc, eq } from "drizzle-orm";
import { hasOtherAccount } from "~/modules/payments/decide";
import type { ReadServices } from "~/services";

/** The payments that clearing a file recorded, each with its line. */
export async function listClearedPayments(
  { db }: ReadServices,
  { organizationId, fileId }: { organizationId: string; fileId: string },
) {
  const rows = await db
    .select({
      line: paymentFileLines.line,
      id: paymentRecords.id,
      status: paymentRecords.status,
      version: paymentRecords.version,
      amount: paymentRecords.amount,
      reference: paymentRecords.reference,
      accountName: paymentRecords.accountName,
      bsb: paymentRecords.bsb,
      accountNumber: paymentRecords.accountNumber,
      createdAt: paymentRecords.createdAt,
      payeeId: paymentRecords.payeeId,
      payee: { bsb: payees.bsb, accountNumber: payees.accountNumber },
    })
    .from(paymentFileLines)
    .innerJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, paymentFileLines.paymentId)),
    )
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentRecords.payeeId)))
    .where(and(eq(paymentFileLines.organizationId, organizationId), eq(paymentFileLines.fileId, fileId)))
    .orderBy(asc(paymentFileLines.line));
  // A payment to an account that the payee no longer has raises nothing of the payee.
  return rows.map((row) => ({ ...row, countsFor: hasOtherAccount(row) ? null : row.payeeId }));
}

export type ClearedPayment = Awaited<ReturnType<typeof listClearedPayments>>[number];
