import { parseAbn } from "~/kernel/abn";
import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import { isEmail, normalizeEmail } from "~/kernel/email";
import type { ColumnMapping, ImportField } from "./columns";

/** The columns of a table whose headings say nothing, by what is in them. Pure. */

type Row = { cells: readonly string[] };

const TESTS: readonly (readonly [ImportField, (cell: string) => boolean])[] = [
  ["email", (cell) => isEmail(normalizeEmail(cell))],
  ["abn", (cell) => parseAbn(cell) !== undefined],
  ["bsb", (cell) => parseBsb(cell) !== undefined],
  ["accountNumber", (cell) => parseAccountNumber(cell) !== undefined],
  ["name", (cell) => /[a-z]{2}/i.test(cell)],
  ["accountName", (cell) => /[a-z]{2}/i.test(cell)],
];

/** A column is what most of its filled cells are. */
export function guessColumnsByContent(rows: readonly Row[]): ColumnMapping {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const taken = new Set<number>();
  const found: Partial<Record<ImportField, number[]>> = {};
  for (const [field, fits] of TESTS) {
    for (let column = 0; column < width; column++) {
      if (taken.has(column)) continue;
      const filled = rows.map(({ cells }) => cells[column]?.trim() ?? "").filter(Boolean);
      if (filled.length === 0 || filled.filter(fits).length * 2 <= filled.length) continue;
      taken.add(column);
      found[field] = [column];
      break;
    }
  }
  return found;
}
