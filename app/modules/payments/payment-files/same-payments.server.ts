import { paymentFileLines } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { accountKey } from "~/kernel/account-number";
import { formatDate } from "~/kernel/dates";
import { type FileProblem, nameLines } from "~/kernel/file-problem";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.server";
import type { ReadServices } from "~/services";
import type { FileLine } from "./payment-file";
import { findSamePayments } from "./payment-file.server";

type New = { paymentsDigest: string; sha256: string; lines: readonly FileLine[] };

/**
 * Whether the organisation uploaded a file with the same names, amounts and references before, and which lines have
 * another account now: the mark of a file that was tampered with between two systems.
 */
export async function describeSamePayments(
  services: ReadServices,
  asking: { organizationId: string },
  file: New,
): Promise<FileProblem[]> {
  const same = await findSamePayments(services, asking, file);
  if (!same) return [];
  const { db } = services;
  const [{ timeZone }, before] = await Promise.all([
    findPolicy(services, asking.organizationId),
    db
      .select({
        accountName: paymentFileLines.accountName,
        bsb: paymentFileLines.bsb,
        accountNumber: paymentFileLines.accountNumber,
        amount: paymentFileLines.amount,
        reference: paymentFileLines.reference,
      })
      .from(paymentFileLines)
      .where(and(eq(paymentFileLines.organizationId, asking.organizationId), eq(paymentFileLines.fileId, same.id))),
  ]);
  const known = new Set(before.map(keyOf));
  const changed = file.lines.filter((line) => !known.has(keyOf(line))).map(({ line }) => line);
  const what = `“${same.name}”, uploaded on ${formatDate(same.createdAt, timeZone)}`;
  const message =
    changed.length === 0
      ? `This file has the same payments as ${what}.`
      : `This file has the same payments as ${what}, to other accounts on ${nameLines(changed)}.`;
  return [{ line: changed[0] ?? null, level: "warning", message }];
}

type Payment = Omit<FileLine, "line" | "newDetails">;

const keyOf = (line: Payment) => JSON.stringify([line.accountName, line.amount, line.reference, accountKey(line)]);
