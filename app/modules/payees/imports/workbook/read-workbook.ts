import { readRows, type TableLimits, type TableReading, type TableRow } from "../table/read-table";
import { type SheetRow, sheetReader } from "./read-sheet";
import { stopReading } from "./read-xml";
import { type Allowance, allow, UnreadableWorkbook, unpackParts } from "./unpack";
import { type CellTexts, readCellTexts, readIndex, type Sheet, type WorkbookIndex } from "./workbook-parts";

/** Reads the first sheet of an Excel workbook as a table. Pure. */

export type WorkbookReading = TableReading & {
  /** The sheet that was read, where the workbook has several; null where it has one. */
  sheet: string | null;
};

/** Empty sheets before the table are passed over. */
const MAX_SHEETS = 20;
/** All sheets that are looked at together: 50,000 rows of a contacts export need about 40 MB. */
const SHEETS_BYTES = 64 * 1024 * 1024;
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The flags of a ZIP's first part, and the bit that says it is encrypted. */
const FLAGS_AT = 6;
const ENCRYPTED = 1;

const beginsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, at) => bytes[at] === byte);

/** True for bytes that a spreadsheet program wrote as a workbook, of the format of today or before 2007. */
export const isWorkbook = (bytes: Uint8Array): boolean => beginsWith(bytes, ZIP) || beginsWith(bytes, OLE);

const PASSWORD =
  "This workbook is protected by a password, so it cannot be read. Remove the password in your spreadsheet program and upload the file again.";
const OLD_FORMAT =
  "This is a workbook of the format before 2007 (.xls). Save it as .xlsx or “CSV UTF-8” and upload that file.";

/**
 * Reads a workbook row by row while it is unpacked. Formulas are read by the result that was saved with them; nothing is
 * calculated, and macros are passed over.
 * @param take is given every row below the headings, in order
 */
export function readWorkbook(bytes: Uint8Array, limits: TableLimits, take: (row: TableRow) => void): WorkbookReading {
  try {
    refuseUnreadable(bytes);
    const index = readIndex(bytes);
    const texts = readCellTexts(bytes, index, limits.maxCell);
    return readFirstSheet(bytes, { index, texts, limits, take });
  } catch (error) {
    if (!(error instanceof UnreadableWorkbook)) throw error;
    return { ok: false, problems: [{ line: null, level: "error", message: error.message }], sheet: null };
  }
}

function refuseUnreadable(bytes: Uint8Array): void {
  if (beginsWith(bytes, OLE)) {
    // A workbook with a password is packed into the old container, as a stream of this name.
    throw new UnreadableWorkbook(includesText(bytes, "EncryptedPackage") ? PASSWORD : OLD_FORMAT);
  }
  if (((bytes[FLAGS_AT] ?? 0) & ENCRYPTED) !== 0) throw new UnreadableWorkbook(PASSWORD);
}

/** Whether bytes hold an ASCII text as UTF-16, little end first. */
function includesText(bytes: Uint8Array, text: string): boolean {
  const wanted = [...text].flatMap((letter) => [letter.charCodeAt(0), 0]);
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return true;
  }
  return false;
}

type Reading = {
  index: WorkbookIndex;
  texts: CellTexts;
  limits: TableLimits;
  take: (row: TableRow) => void;
};

function readFirstSheet(bytes: Uint8Array, reading: Reading): WorkbookReading {
  const { sheets } = reading.index;
  const allowance = allow(SHEETS_BYTES);
  for (const sheet of sheets.slice(0, MAX_SHEETS)) {
    let rows = 0;
    const numbers = new Set<number>();
    const table = readRows(reading.limits, reading.take, (next) => {
      rows = walkSheet(bytes, { ...reading, sheet, allowance, tellNumber: (column) => numbers.add(column) }, next);
    });
    if (rows === 0) continue;
    const named = { sheet: sheets.length > 1 ? sheet.name : null };
    if (!table.ok) return { ...table, ...named };
    // A number may have lost its zeros although a text in its column kept them.
    const zeroColumns = table.zeroColumns.filter((column) => !numbers.has(column));
    return { ...table, zeroColumns, ...named };
  }
  throw new UnreadableWorkbook("The workbook has no sheet with anything in it.");
}

type Walk = Reading & { sheet: Sheet; allowance: Allowance; tellNumber: (column: number) => void };

/** @returns how many rows hold anything, as far as it was read */
function walkSheet(
  bytes: Uint8Array,
  { index, texts, limits, sheet, allowance, tellNumber }: Walk,
  next: (row: SheetRow) => "on" | "enough",
): number {
  const { maxColumns, maxCell } = limits;
  let rows = 0;
  const take = (row: SheetRow) => {
    rows++;
    if (next(row) === "enough") stopReading();
  };
  const reader = sheetReader({ ...texts, is1904: index.is1904, maxColumns, maxCell, take, tellNumber }, allowance);
  unpackParts(bytes, (name) => (name === sheet.part ? reader : undefined));
  return rows;
}
