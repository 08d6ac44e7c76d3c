import Papa from "papaparse";
import type { ProblemList } from "~/kernel/file-problem";

/** More columns than a table of payments has. */
const MAX_COLUMNS = 200;

const LINE_END = /[\r\n]/;
const LINE_ENDS = /\r\n|\n|\r/g;

/** A row of a table, with the line of the text on which it begins. */
export type Row = { line: number; cells: string[] };

/** The rows of a table that hold anything. Comma, tab and semicolon are recognised. */
export function readRows(text: string, problems: ProblemList): Row[] {
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: false, delimitersToGuess: [",", "\t", ";"] });
  const quoted = errors.find(({ type }) => type === "Quotes");
  const rows: Row[] = [];
  let line = 1;
  for (const cells of data) {
    if (cells.some((cell) => cell.trim() !== "")) rows.push({ line, cells });
    if (cells.length > MAX_COLUMNS) problems.error(line, `the row has ${cells.length} columns.`);
    line += 1;
    for (const cell of cells) if (LINE_END.test(cell)) line += cell.match(LINE_ENDS)?.length ?? 0;
  }
  if (quoted) problems.error((quoted.row ?? 0) + 1, "a quotation mark is opened and not closed.");
  return rows;
}

/** MYOB AccountRight begins its text files with this line. */
const MYOB_START = "{}";

/** A table without the mark that stands before its headings. */
export const withoutMark = (rows: readonly Row[]): readonly Row[] =>
  rows[0]?.cells.join("").trim() === MYOB_START ? rows.slice(1) : rows;
