import Papa from "papaparse";
import type { ProblemList } from "~/kernel/file-problem";

/** More columns than a table of payments has. */
const MAX_COLUMNS = 200;

const LINE_ENDS = /\r\n?/g;
/** A first line that tells a spreadsheet which separator the file uses. */
const SEPARATOR_LINE = /^sep=(.)\n/i;

/** A row of a table, and the line of the text on which it begins. */
export type Row = { line: number; cells: string[] };

/** MYOB AccountRight begins its text files with this line, before the headings. */
const MYOB_START = "{}";

/** The non-blank rows of a table. Comma, tab and semicolon are recognised. */
export function readRows(text: string, problems: ProblemList): Row[] {
  // Convert all line endings to one kind, because a file may mix them.
  const lines = text.replace(LINE_ENDS, "\n");
  const [mark = "", delimiter] = SEPARATOR_LINE.exec(lines) ?? [];
  const { data, errors } = Papa.parse<string[]>(lines.slice(mark.length), {
    skipEmptyLines: false,
    newline: "\n",
    delimiter,
    delimitersToGuess: [",", "\t", ";"],
  });
  const quoted = errors.find(({ type }) => type === "Quotes");
  const rows: Row[] = [];
  let line = mark === "" ? 1 : 2;
  for (const [at, cells] of data.entries()) {
    if (quoted && at === (quoted.row ?? 0)) problems.error(line, "a quotation mark is opened and not closed.");
    if (cells.some((cell) => cell.trim() !== "")) rows.push({ line, cells });
    if (cells.length > MAX_COLUMNS) problems.error(line, `the row has ${cells.length} columns.`);
    line += 1;
    for (const cell of cells) if (cell.includes("\n")) line += cell.split("\n").length - 1;
  }
  return rows[0]?.cells.join("").trim() === MYOB_START ? rows.slice(1) : rows;
}
