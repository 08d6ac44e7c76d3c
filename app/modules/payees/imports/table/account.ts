import {
  ACCOUNT_NUMBER_WIDTH,
  formatBsb,
  hasUnusualAccountLength,
  institutionOf,
  usualAccountLengths,
} from "~/kernel/bank-account";
import type { ColumnMapping, ImportField } from "./columns";
import type { TableRow } from "./read-table";

/** Reads the bank account in a row. Pure. */

export type AccountRules = {
  mapping: ColumnMapping;
  /** Columns whose numbers keep their leading zeros. */
  zeroColumns: readonly number[];
};

export type Account = { bsb: string; accountNumber: string; notes: string[] } | { problem: string } | undefined;

/** BSB and account number, from two cells or one; undefined when the row has neither. */
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

/** Some exports repeat the BSB before the account number although it has its own column. */
function withoutBsb(number: string, bsb: string): string {
  const digits = number.replace(/[\s-]/g, "");
  const branch = bsb.replace(/[\s-]/g, "");
  return digits.length > ACCOUNT_NUMBER_WIDTH && digits.startsWith(branch) ? digits.slice(branch.length) : number;
}

/** Sentences about what is unusual in a readable account; none of it refuses the row. */
export function oddAccountSentences({ bsb, accountNumber }: { bsb: string; accountNumber: string }): string[] {
  const institution = institutionOf(bsb);
  if (!institution) return [`No institution that we know has the BSB ${formatBsb(bsb)}.`];
  if (!hasUnusualAccountLength(bsb, accountNumber)) return [];
  const { min, max } = usualAccountLengths(bsb);
  const usual = min === max ? String(min) : `${min} to ${max}`;
  return [`The account number has ${accountNumber.length} digits; at ${institution.name} it usually has ${usual}.`];
}

/** Sentences about numbers that were read in their displayed format. */
export const shownNumberSentences = (row: TableRow, mapping: ColumnMapping): string[] =>
  (["bsb", "accountNumber", "abn"] as const).flatMap((field) => {
    const column = columnOf(row, mapping, field);
    if (column === undefined || !row.shown?.includes(column)) return [];
    return [
      `The ${SHOWN_FIELDS[field]} was read as ${textOf(row, mapping, field)}, as the cell shows it: the number stored in the cell does not have these zeros.`,
    ];
  });

const SHOWN_FIELDS = { bsb: "BSB", accountNumber: "account number", abn: "ABN" };

/** The first of a field's columns that has a value in this row. */
const columnOf = ({ cells }: TableRow, mapping: ColumnMapping, field: ImportField): number | undefined =>
  mapping[field]?.find((column) => (cells[column] ?? "").trim() !== "");

/** The text of a field, without wrapping added by a spreadsheet. */
export function textOf(row: TableRow, mapping: ColumnMapping, field: ImportField): string {
  const column = columnOf(row, mapping, field);
  return column === undefined ? "" : unwrapCell(row.cells[column] ?? "");
}

/** Undoes the damage that spreadsheets do to identifiers made of digits, where nothing has to be guessed. Pure. */

export type Repaired = {
  /** The cell before the spreadsheet changed it; unchanged when nothing can be repaired. */
  text: string;
  /** What was repaired, as a sentence for the person who uploaded the file. */
  note?: string;
  /** Set when digits are lost, so that the cell cannot be read: a sentence. */
  problem?: string;
};

const TEXT_FORMULA = /^=\s*"([^"]*)"$/;
const LEADING_APOSTROPHE = /^'/;
const TRAILING_DECIMALS = /^(\d+)[.,]0+$/;
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.0+)?$/;
const FIVE_DIGITS = /^(?:\d{5}|\d{2}-\d{3})$/;

/** Removes the marks that make a spreadsheet treat a cell as text: `="062000"` and `'062000` become `062000`. */
export const unwrapCell = (cell: string): string =>
  cell.trim().replace(TEXT_FORMULA, "$1").replace(LEADING_APOSTROPHE, "").trim();

/**
 * Repairs a number that a spreadsheet treated as an amount: `12345678.0` and `12,345,678` lose nothing, `1.2345678E+07`
 * shows every digit, but `1.23E+08` does not and is a problem.
 * @param what the field's name for sentences, "account number"
 */
export function repairNumber(cell: string, what: string): Repaired {
  const text = unwrapCell(cell);
  const scientific = SCIENTIFIC.exec(text);
  if (scientific) return repairScientific(text, what, scientific);
  if (THOUSANDS.test(text)) {
    const digits = text.replace(/\.0+$/, "").replaceAll(",", "");
    return { text: digits, note: `The ${what} “${text}” was read as ${digits}: a spreadsheet had added separators.` };
  }
  const decimals = TRAILING_DECIMALS.exec(text);
  if (!decimals?.[1]) return { text };
  return { text: decimals[1], note: `The ${what} “${text}” was read as ${decimals[1]}: a spreadsheet had added “.0”.` };
}

function repairScientific(text: string, what: string, [, first = "", decimals = "", power = ""]: RegExpExecArray) {
  const exponent = Number(power);
  if (decimals.length < exponent) {
    const problem = `The ${what} is “${text}”: a spreadsheet replaced digits, and they are lost. Format the column as text in the source and export it again.`;
    return { text, problem };
  }
  const digits = first + decimals.slice(0, exponent);
  return { text: digits, note: `The ${what} “${text}” was read as ${digits}.` };
}

/** Repairs a spreadsheet's BSB: `62000` and `62-000` lost the zero of 062-000, if an institution has that BSB. */
export function repairBsb(cell: string): Repaired {
  const repaired = repairNumber(cell, "BSB");
  if (repaired.problem || !FIVE_DIGITS.test(repaired.text)) return repaired;
  const digits = `0${repaired.text.replace("-", "")}`;
  if (!institutionOf(digits)) return repaired;
  const shown = `${digits.slice(0, 3)}-${digits.slice(3)}`;
  return {
    text: digits,
    note: `The BSB “${unwrapCell(cell)}” was read as ${shown}: a spreadsheet had dropped its first zero.`,
  };
}

/** BSB and account number from a cell that holds both. */
export type Combined = { bsb: string; accountNumber: string; note?: string } | { problem: string };

/** A BSB that lost its leading zero but still has its hyphen: `62-000 12345678`. */
const SHORT_SEPARATED = /^(\d{2})-(\d{3})[\s:/-]+(\d[\d\s-]*)$/;
const SEPARATED = /^(\d{3})[\s-]?(\d{3})[\s:/-]+(\d[\d\s-]*)$/;
const BSB_DIGITS = 6;
const SHORTEST = 10;
const LONGEST = 15;
const MAX_ACCOUNT = 9;

/**
 * Splits a cell that holds BSB and account number, as accounting systems store them: six digits, then the number.
 * Digits without a separator are ambiguous if a spreadsheet may have dropped a leading zero; they are then refused.
 * @param hasZeros another cell of the column begins with a zero, so no spreadsheet dropped any
 */
export function splitCombined(cell: string, hasZeros: boolean): Combined {
  const { text, problem } = repairNumber(cell, "account");
  if (problem) return { problem };
  const separated = SEPARATED.exec(text);
  if (separated) {
    const [, bank, branch, number = ""] = separated;
    return { bsb: `${bank}${branch}`, accountNumber: number.replace(/\D/g, "") };
  }
  const short = SHORT_SEPARATED.exec(text);
  if (short) return withLostZero(text, short);
  const digits = text;
  if (!/^\d+$/.test(digits) || digits.length < SHORTEST || digits.length > LONGEST) {
    return {
      problem: `The account is “${text}”. A BSB of 6 digits and an account number of 4 to 9 digits are needed.`,
    };
  }
  const asItIs = take(digits);
  const withZero = take(`0${digits}`);
  const canHaveLostZero = !hasZeros && !digits.startsWith("0") && isPossible(withZero);
  if (isPossible(asItIs)) {
    return canHaveLostZero
      ? {
          problem: `The account “${text}” can be read in two ways, because a spreadsheet may have dropped a zero. Write it as 062-000 12345678.`,
        }
      : asItIs;
  }
  if (!canHaveLostZero) return asItIs;
  return {
    ...withZero,
    note: `The account “${text}” was read as ${withZero.bsb} ${withZero.accountNumber}: a spreadsheet had dropped its first zero.`,
  };
}

function withLostZero(text: string, [, bank = "", branch = "", number = ""]: RegExpExecArray): Combined {
  const bsb = `0${bank}${branch}`;
  if (!institutionOf(bsb))
    return {
      problem: `The account is “${text}”. A BSB of 6 digits and an account number of 4 to 9 digits are needed.`,
    };
  const note = `The account “${text}” was read with the BSB ${bsb.slice(0, 3)}-${bsb.slice(3)}: a spreadsheet had dropped its first zero.`;
  return { bsb, accountNumber: number.replace(/\D/g, ""), note };
}

const take = (digits: string) => ({ bsb: digits.slice(0, BSB_DIGITS), accountNumber: digits.slice(BSB_DIGITS) });

const isPossible = ({ bsb, accountNumber }: { bsb: string; accountNumber: string }) =>
  institutionOf(bsb) !== undefined && accountNumber.length <= MAX_ACCOUNT;
