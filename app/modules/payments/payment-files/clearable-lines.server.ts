import { paymentFileLines } from "@db/schema";
import { and, asc, eq, isNull } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** The authorised lines of a file that no clearing has sent on yet, with what they were authorised on. */
export async function listClearableLines(
  { db }: ReadServices,
  { organizationId, fileId }: { organizationId: string; fileId: string },
) {
  const rows = await db
    .select({
      line: paymentFileLines.line,
      accountName: paymentFileLines.accountName,
      bsb: paymentFileLines.bsb,
      accountNumber: paymentFileLines.accountNumber,
      amount: paymentFileLines.amount,
      reference: paymentFileLines.reference,
      reasons: paymentFileLines.reasons,
      decidedById: paymentFileLines.decidedById,
    })
    .from(paymentFileLines)
    .where(
      and(
        eq(paymentFileLines.organizationId, organizationId),
        eq(paymentFileLines.fileId, fileId),
        eq(paymentFileLines.status, "authorised"),
        isNull(paymentFileLines.paymentId),
      ),
    )
    .orderBy(asc(paymentFileLines.line));
  return rows.map(({ decidedById, ...line }) => ({ ...line, isApproved: decidedById !== null }));
}

export type ClearableLine = Awaited<ReturnType<typeof listClearableLines>>[number];
