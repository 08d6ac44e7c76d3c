import { insertRows, payeeImportParts, payeeImports } from "@db/database";
import { sql } from "drizzle-orm";
import { sha256Hex } from "~/kernel/encodings";
import { cleanLine, clip } from "~/kernel/text";
import { runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { missingColumns } from "~/modules/payees/imports/table/columns";
import type { TableRow } from "~/modules/payees/imports/table/read-table";
import type { Actor, WriteServices } from "~/services-and-actor";
import { CHARACTERS_PER_PART, MAX_CELL, MAX_COLUMNS, MAX_ROW, MAX_ROWS, ROWS_PER_PART } from "./import";
import { findMapping, findUnfinished, packRows, sealPart, unreadableTable } from "./import.server";
import { type HiddenRows, hiddenRowsFound, readTableFile } from "./read-table-file.server";

export type UploadInput = {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Required for a workbook with hidden rows. */
  hiddenRows?: HiddenRows;
  idempotencyKey?: string;
};

/** `isNew` is false while an import of exactly this file is unfinished: the result then refers to that import. */
export type Uploaded = { importId: string; isNew: boolean };

const LIMITS = { maxRows: MAX_ROWS, maxColumns: MAX_COLUMNS, maxCell: MAX_CELL, maxRow: MAX_ROW };

/**
 * Stores an uploaded table of payees and guesses its columns. No payee is added before a person starts the import.
 * While an import of the same bytes is unfinished, uploading them again returns it.
 *
 * @throws AppError 400 INVALID_FILE with every problem and its line, or beside `hiddenRows` which rows are hidden, so
 * that somebody must choose; 409 IDEMPOTENCY_CONFLICT
 */
export async function uploadImport(services: WriteServices, actor: Actor, input: UploadInput): Promise<Uploaded> {
  const sha256 = await sha256Hex(input.bytes);
  const asked = {
    operation: "upload payees",
    key: input.idempotencyKey,
    input: [sha256, ...(input.hiddenRows ? [input.hiddenRows] : [])],
  };
  return runOnce(services, actor, asked, async (request): Promise<Uploaded> => {
    const before = await findUnfinished(services, actor, sha256);
    if (before) return { importId: before, isNew: false };
    const importId = services.ids.next();
    const { row, parts } = await readUpload(services, actor, { ...input, importId, sha256 });
    const answer: Uploaded = { importId, isNew: true };
    const { id: entityId, name, kind, rowCount } = row;
    const result = await runCommand(services, actor, {
      conditions: [isFirst(actor.organizationId, sha256)],
      statements: [services.db.insert(payeeImports).values(row), ...insertRows(services.db, payeeImportParts, parts)],
      audit: [{ action: "import.uploaded", entityId, details: { name, kind, sha256, rowCount } }],
      request,
      answer,
    });
    if (result.ok) return result.answer;
    const first = await findUnfinished(services, actor, sha256);
    if (!first) throw new Error("a file of payees was refused as already uploaded, but is not there");
    return { importId: first, isNew: false };
  });
}

const isFirst = (organizationId: string, sha256: string) => ({
  name: "already_uploaded" as const,
  found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${payeeImports} WHERE ${payeeImports.organizationId} = ${organizationId}
    AND ${payeeImports.sha256} = ${sha256} AND ${payeeImports.status} IN ('ready', 'running', 'paused'))`,
});

/** Reads the file and splits its rows into parts of limited size. @throws AppError for a file that is not a table */
function packTable({ bytes, hiddenRows }: UploadInput) {
  const packed: { rows: number; text: string }[] = [];
  let waiting: TableRow[] = [];
  let length = 0;
  const hidden: number[] = [];
  const pack = () => {
    packed.push({ rows: waiting.length, text: packRows(waiting) });
    waiting = [];
    length = 0;
  };
  const reading = readTableFile(bytes, LIMITS, (row) => {
    if (row.isHidden) hidden.push(row.line);
    if (row.isHidden && hiddenRows !== "import") return;
    waiting.push(row);
    length += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (waiting.length === ROWS_PER_PART || length > CHARACTERS_PER_PART) pack();
  });
  if (waiting.length > 0) pack();
  if (!reading.ok) throw unreadableTable(reading.problems);
  if (hidden.length > 0 && !hiddenRows) throw hiddenRowsFound(hidden);
  const rowCount = packed.reduce((sum, { rows }) => sum + rows, 0);
  if (rowCount === 0) throw unreadableTable([{ line: null, level: "error", message: ALL_HIDDEN }]);
  return { reading, packed, rowCount };
}

const ALL_HIDDEN =
  "Every row below the headings is hidden. Unhide the rows that you want to import, or import hidden rows too.";

/** Adds the sheet's name to the import's name when the workbook has several sheets. */
const nameWithSheet = (name: string, sheet: string | null) =>
  sheet === null ? name : `${clip(name, MAX_NAME)}, sheet “${clip(cleanLine(sheet), MAX_NAME)}”`;

const MAX_NAME = 120;

async function readUpload(
  services: WriteServices,
  actor: Actor,
  { importId, sha256, name, ...input }: UploadInput & { importId: string; sha256: string },
) {
  const { reading, packed, rowCount } = packTable({ name, ...input });
  const { head, zeroColumns, sheet } = reading;
  const owner = { organizationId: actor.organizationId, importId };
  const parts: (typeof payeeImportParts.$inferInsert)[] = [];
  for (const [part, { rows, text }] of packed.entries()) {
    parts.push({ ...owner, part, rowCount: rows, sealed: await sealPart(services, importId, part, text) });
  }
  const used = await findMapping(services, actor, head.signature);
  const now = services.clock.now();
  const row: typeof payeeImports.$inferInsert = {
    id: importId,
    organizationId: actor.organizationId,
    name: nameWithSheet(name, sheet),
    sha256,
    kind: head.kind,
    status: "ready",
    headings: head.headings,
    signature: head.signature,
    mapping: used && missingColumns(used) === undefined ? used : head.guess,
    zeroColumns,
    rowCount,
    partCount: parts.length,
    uploadedById: actor.userId,
    createdAt: now,
    updatedAt: now,
  };
  return { row, parts };
}
