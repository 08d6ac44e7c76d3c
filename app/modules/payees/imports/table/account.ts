import { ACCOUNT_NUMBER_WIDTH } from "~/kernel/account-number";
import type { ColumnMapping, ImportField } from "./columns";
import { repairBsb, repairNumber, splitCombined, unwrapCell } from "./damage";
import type { TableRow } from "./read-table";

/** The bank account of a row. Pure. */

export type AccountRules = {
  mapping: ColumnMapping;
  /** Columns that keep their leading zeros. */
  zeroColumns: readonly number[];
};

export type Account = { bsb: string; accountNumber: string; notes: string[] } | { problem: string } | undefined;

/** BSB and account number, from two cells or from one; undefined where the row gives neither. */
export function readAccount(row: TableRow, { mapping, zeroColumns }: AccountRules): Account {
  const bsb = textOf(row, mapping, "bsb");
  const number = textOf(row, mapping, "accountNumber");
  if (bsb === "" && number === "") return undefined;
  if (bsb === "") {
    const column = columnOf(row, mapping, "accountNumber");
    const combined = splitCombined(number, column !== undefined && zeroColumns.includes(column));
    return "problem" in combined ? combined : { ...combined, notes: combined.note ? [combined.note] : [] };
  }
  const repairedBsb = repairBsb(bsb);
  const repairedNumber = repairNumber(number, "account number");
  const problem = repairedBsb.problem ?? repairedNumber.problem;
  if (problem) return { problem };
  const notes = [repairedBsb.note, repairedNumber.note].filter((note) => note !== undefined);
  return { bsb: repairedBsb.text, accountNumber: withoutBsb(repairedNumber.text, repairedBsb.text), notes };
}

/** Some exports repeat the BSB before the number although it has a column of its own. */
function withoutBsb(number: string, bsb: string): string {
  const digits = number.replace(/[\s-]/g, "");
  const branch = bsb.replace(/[\s-]/g, "");
  return digits.length > ACCOUNT_NUMBER_WIDTH && digits.startsWith(branch) ? digits.slice(branch.length) : number;
}

/** The first of a field's columns that holds anything. */
const columnOf = ({ cells }: TableRow, mapping: ColumnMapping, field: ImportField): number | undefined =>
  mapping[field]?.find((column) => (cells[column] ?? "").trim() !== "");

/** The text of a field, without what a spreadsheet wrapped around it. */
export function textOf(row: TableRow, mapping: ColumnMapping, field: ImportField): string {
  const column = columnOf(row, mapping, field);
  return column === undefined ? "" : unwrapCell(row.cells[column] ?? "");
}
