import { paymentFileLines } from "@db/schema";
import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** Which lines somebody decides about: some by their number, all of one reason, or all of one payee. */
export type LineChoice = { lines: readonly number[] } | { rule: string } | { payeeId: string };

const holds = sql`(SELECT count(*) FROM json_each(${paymentFileLines.reasons}) WHERE value ->> 'level' = 'hold')`;

const heldFor = (rule: string): SQL => sql`EXISTS (SELECT 1 FROM json_each(${paymentFileLines.reasons})
  WHERE value ->> 'rule' = ${rule} AND value ->> 'level' = 'hold')`;

function chosen(choice: LineChoice, isApproval: boolean): SQL | undefined {
  if ("payeeId" in choice) return eq(paymentFileLines.payeeId, choice.payeeId);
  // Approving for a reason authorises only what that reason alone holds: the other reasons were not looked at.
  if ("rule" in choice) return and(heldFor(choice.rule), isApproval ? sql`${holds} = 1` : undefined);
  return sql`${paymentFileLines.line} IN (SELECT value FROM json_each(${JSON.stringify(choice.lines)}))`;
}

/** The lines of a choice that can still be decided. A line that nothing holds can be rejected by its number. */
export async function listDecidableLines(
  { db }: ReadServices,
  { organizationId, fileId }: { organizationId: string; fileId: string },
  { choice, isApproval }: { choice: LineChoice; isApproval: boolean },
) {
  const statuses = "lines" in choice && !isApproval ? (["held", "authorised"] as const) : (["held"] as const);
  return db
    .select({
      line: paymentFileLines.line,
      accountName: paymentFileLines.accountName,
      bsb: paymentFileLines.bsb,
      accountNumber: paymentFileLines.accountNumber,
      amount: paymentFileLines.amount,
      reference: paymentFileLines.reference,
      payeeId: paymentFileLines.payeeId,
      reasons: paymentFileLines.reasons,
      facts: paymentFileLines.facts,
    })
    .from(paymentFileLines)
    .where(
      and(
        eq(paymentFileLines.organizationId, organizationId),
        eq(paymentFileLines.fileId, fileId),
        inArray(paymentFileLines.status, [...statuses]),
        isNull(paymentFileLines.paymentId),
        chosen(choice, isApproval),
      ),
    )
    .orderBy(asc(paymentFileLines.line));
}

export type DecidableLine = Awaited<ReturnType<typeof listDecidableLines>>[number];
