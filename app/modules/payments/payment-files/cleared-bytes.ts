import type { AbaFile } from "./aba/read-aba";
import { DEBIT_CODE } from "./aba/record";
import { type AbaPayer, fitsOneFile, withAmount, writeAba, writeDetail, writeHeader } from "./aba/write-aba";
import type { PayerDetails } from "./payer";
import { type FileLine, sumOf } from "./payment-file";

/** The bytes that may go to the bank. Pure. */

const CREDIT_CODE = "50";

/** True if one direct entry file can carry these payments. */
export const canBeOneFile = (lines: readonly { amount: number }[]): boolean =>
  fitsOneFile(lines.map(({ amount }) => ({ amount, code: CREDIT_CODE })));

/**
 * A direct entry file with only the authorised lines: header and payments as their records stand, a balancing debit for
 * the new total where the file had one, and a total record counted anew.
 */
export function clearAba(file: AbaFile, authorised: ReadonlySet<number>): string {
  const payments = file.lines.filter(({ line, code }) => code !== DEBIT_CODE && authorised.has(line));
  const total = sumOf(payments);
  const balancing = file.lines
    .filter(({ line }) => line === file.balancingLine)
    .map((line) => ({ ...line, amount: total, record: withAmount(line.record, total) }));
  return writeAba(file.header.record, [...payments, ...balancing], file.lineEnding);
}

/** A direct entry file made from the authorised lines of a table. */
export function clearTable(
  lines: readonly Omit<FileLine, "newDetails">[],
  { payer, date, description }: { payer: PayerDetails } & Pick<AbaPayer, "date" | "description">,
): string {
  const { bank, userName, userId, bsb, accountNumber, remitter } = payer;
  const details = lines.map(({ accountName, amount, reference, ...line }) => ({
    code: CREDIT_CODE,
    amount,
    record: writeDetail({
      bsb: line.bsb,
      accountNumber: line.accountNumber,
      indicator: " ",
      code: CREDIT_CODE,
      amount,
      title: accountName,
      reference,
      trace: { bsb, accountNumber },
      remitter,
      withholding: 0,
    }),
  }));
  return writeAba(writeHeader({ bank, userName, userId, description, date }), details);
}
