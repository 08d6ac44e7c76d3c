import { type AppError, invalidInput } from "~/kernel/app-error";
import { decodeBytes } from "~/kernel/encodings";
import { nameLines } from "~/kernel/file-problem";
import { isWorkbook, readWorkbook } from "./read-workbook";
import { readTable, type TableLimits, type TableRow } from "./table/read-table";

/** Reads an uploaded table, either text or a workbook, with the person's choice about hidden rows. */

/** What to do with rows that are hidden in a workbook. */
export const HIDDEN_ROWS = ["leave_out", "import"] as const;
export type HiddenRows = (typeof HIDDEN_ROWS)[number];

/** The form's choice about hidden rows; undefined when nothing was chosen. */
export const readHiddenRows = (form: FormData): HiddenRows | undefined =>
  HIDDEN_ROWS.find((choice) => choice === form.get("hiddenRows"));

/** @param take is called with every row below the headings, in order, including hidden ones */
export const readTableFile = (bytes: Uint8Array<ArrayBuffer>, limits: TableLimits, take: (row: TableRow) => void) =>
  isWorkbook(bytes)
    ? readWorkbook(bytes, limits, take)
    : { ...readTable(decodeBytes(bytes), limits, take), sheet: null };

/** The person has to choose, because neither default would suit everybody. */
export function hiddenRowsFound(lines: readonly number[]): AppError {
  const are = lines.length === 1 ? "is" : "are";
  const message = `In this workbook ${nameLines(lines)} ${are} hidden. Choose what to do with hidden rows, then upload the file again.`;
  return invalidInput({ hiddenRows: [message] }, message);
}
