import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import { collectProblems, type FileProblem } from "~/kernel/file-problem";
import { readAccount } from "~/modules/payees/imports/table/account";
import { readTable, type TableRow } from "~/modules/payees/imports/table/read-table";

/** The accounts of a list of staff. Pure. */

const MAX_STAFF = 5_000;
export const MAX_FILE_BYTES = 2 * 1024 * 1024;
const LIMITS = { maxRows: MAX_STAFF, maxColumns: 100, maxCell: 1_000, maxRow: 20_000 };

export type Account = { bsb: string; accountNumber: string };

export type StaffReading = { ok: true; accounts: Account[] } | { ok: false; problems: FileProblem[] };

/**
 * Reads the accounts of a payroll export: nothing else of it is looked at. A row that cannot be read refuses the list,
 * because people would believe that it is watched. Rows without an account are passed over.
 */
export function readStaff(text: string): StaffReading {
  const rows: TableRow[] = [];
  const reading = readTable(text, LIMITS, (row) => rows.push(row));
  if (!reading.ok) return reading;
  const problems = collectProblems();
  const { head, zeroColumns } = reading;
  if (!head.guess.accountNumber) {
    problems.error(
      null,
      "The column of the account numbers is not recognised. Name it “Account number”, and the BSB's “BSB”.",
    );
    return { ok: false, problems: problems.list() };
  }
  const accounts = rows.flatMap((row): Account[] => {
    const account = readAccount(row, { mapping: head.guess, zeroColumns });
    if (!account) return [];
    if ("problem" in account) {
      problems.error(row.line, account.problem);
      return [];
    }
    const bsb = parseBsb(account.bsb);
    const accountNumber = parseAccountNumber(account.accountNumber);
    if (bsb && accountNumber) return [{ bsb, accountNumber }];
    problems.error(row.line, "a BSB has 6 digits and an account number 4 to 9.");
    return [];
  });
  if (!problems.hasErrors() && accounts.length === 0) problems.error(null, "The file has no account in it.");
  return problems.hasErrors() ? { ok: false, problems: problems.list() } : { ok: true, accounts };
}
