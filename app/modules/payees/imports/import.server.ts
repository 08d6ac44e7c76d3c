import {
  type Condition,
  columnsOf,
  payeeImportParts,
  payeeImportRows,
  payeeImports,
  rowIn,
  type Statement,
  users,
} from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import { fromBase64Url, toBase64Url } from "~/kernel/encodings";
import type { ImportStatus, RowOutcome } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";
import { nameIfAny } from "~/kernel/text";
import type { EncryptedColumn } from "~/modules/core/operations/reencrypt-columns.server";
import { type ColumnMapping, IMPORT_FIELDS, type ImportField } from "~/modules/payees/imports/table/columns";
import type { TableRow } from "~/modules/payees/imports/table/read-table";
import type { Asking, ReadServices, Services, TimedServices } from "~/services-and-actor";

/** Parses addresses, forms and calls about imports. Invalid search parameters are ignored: a link never fails. */

const COLUMNS = /^\d{1,3}(,\d{1,3}){0,15}$/;

/** The columns chosen by `column.FIELD=3`, each one position or several; undefined when no field is given. */
export function readMapping(values: Iterable<readonly [string, unknown]>): ColumnMapping | undefined {
  const given = new Map(values);
  const names = IMPORT_FIELDS.map((field) => `column.${field}`);
  if (!names.some((name) => given.has(name))) return undefined;
  const mapping: Partial<Record<ImportField, number[]>> = {};
  for (const field of IMPORT_FIELDS) {
    const value = given.get(`column.${field}`);
    if (typeof value === "string" && COLUMNS.test(value)) mapping[field] = value.split(",").map(Number);
  }
  return mapping;
}

/**
 * The columns chosen in an API call, by heading or position from 0:
 * `?mapping={"name":"Supplier","bsb":3,"address":["Street",7]}`.
 * @throws AppError 400 INVALID_INPUT naming what is wrong
 */
export function parseMapping(text: string | null, headings: readonly string[]): ColumnMapping | undefined {
  if (text === null || text === "") return undefined;
  const refuse = (message: string) =>
    new AppError("INVALID_INPUT", message, { fieldErrors: { mapping: [message] }, extra: { headings } });
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw refuse("The mapping is not valid JSON");
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw refuse("The mapping must be an object");
  const mapping: Partial<Record<ImportField, number[]>> = {};
  for (const [name, value] of Object.entries(given)) {
    const field = IMPORT_FIELDS.find((each) => each === name);
    if (!field) throw refuse(`The mapping names an unknown field: ${name}`);
    mapping[field] = (Array.isArray(value) ? value : [value]).map((column: unknown) => {
      const at = typeof column === "number" ? column : headings.indexOf(String(column));
      if (!Number.isInteger(at) || at < 0 || at >= headings.length) {
        throw refuse(`The file has no column “${String(column)}” for ${name}`);
      }
      return at;
    });
  }
  return mapping;
}

/** The error for an unreadable file: every problem with its line. */
export function unreadableTable(problems: readonly FileProblem[]): AppError {
  const errors = problems.map(({ message }) => message);
  const message = errors[0] ?? "The file cannot be read.";
  return new AppError("INVALID_FILE", message, { fieldErrors: { file: errors }, extra: { problems } });
}

/** The error when columns that are needed are not known yet. */
export const mappingRequired = (missing: string, headings: readonly string[]) =>
  new AppError("MAPPING_REQUIRED", `${missing}.`, { fieldErrors: { mapping: [missing] }, extra: { headings } });

const STANDING: Record<ImportStatus, string> = {
  ready: "has not been started",
  running: "is running",
  paused: "is paused",
  finished: "has ended",
  stopped: "was stopped",
};

export const importChanged = (status: ImportStatus) =>
  new AppError("IMPORT_MOVED", `This import ${STANDING[status]}.`, { extra: { status } });

export const IMPORTS_PAGE_SIZE = 20;

const columns = { ...getTableColumns(payeeImports), firstName: users.firstName, lastName: users.lastName };

const isMine = ({ organizationId }: Asking) => eq(payeeImports.organizationId, organizationId);

function named<T extends { firstName: string | null; lastName: string | null }>({ firstName, lastName, ...row }: T) {
  return { ...row, uploadedBy: nameIfAny({ firstName, lastName }) };
}

/** One import; undefined when the organisation has none with this id. */
export async function findImport({ db }: ReadServices, asking: Asking, id: string) {
  const [row] = await db
    .select(columns)
    .from(payeeImports)
    .leftJoin(users, eq(users.id, payeeImports.uploadedById))
    .where(and(isMine(asking), eq(payeeImports.id, id)));
  return row && named(row);
}

export type PayeeImport = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/** As `findImport`. @throws AppError 404, the same for an id that does not exist and one of another organisation */
export async function getImport(services: ReadServices, asking: Asking, id: string): Promise<PayeeImport> {
  const found = await findImport(services, asking, id);
  if (!found) throw notFound();
  return found;
}

/** The unfinished import of exactly these bytes, if any. */
export async function findUnfinished({ db }: ReadServices, asking: Asking, sha256: string) {
  const [row] = await db
    .select({ id: payeeImports.id })
    .from(payeeImports)
    .where(
      and(
        isMine(asking),
        eq(payeeImports.sha256, sha256),
        sql`${payeeImports.status} IN ('ready', 'running', 'paused')`,
      ),
    )
    .limit(1);
  return row?.id;
}

/** The columns last used for a table with these headings. */
export async function findMapping({ db }: ReadServices, asking: Asking, signature: string) {
  const [row] = await db
    .select({ mapping: payeeImports.mapping })
    .from(payeeImports)
    .where(and(isMine(asking), eq(payeeImports.signature, signature), sql`${payeeImports.startedAt} IS NOT NULL`))
    .orderBy(desc(payeeImports.id))
    .limit(1);
  return row?.mapping;
}

/** The organisation's imports, newest first. */
export async function listImports({ db }: ReadServices, asking: Asking, after?: string) {
  const page = keySetPage({ after }, { size: IMPORTS_PAGE_SIZE });
  const rows = await db
    .select(columns)
    .from(payeeImports)
    .leftJoin(users, eq(users.id, payeeImports.uploadedById))
    .where(and(isMine(asking), page.beyond(payeeImports.id)))
    .orderBy(page.order(payeeImports.id))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ id }) => id);
  return { imports: shown.map(named), next };
}

/** One page of the rows that have a result, in file order. */
export async function listResults(
  { db }: ReadServices,
  { organizationId }: Asking,
  { importId, outcome, after, limit }: { importId: string; outcome?: RowOutcome; after?: number; limit: number },
) {
  const page = keySetPage({ after }, { size: limit, order: "ascending" });
  const rows = await db
    .select(columnsOf(payeeImportRows, "line", "outcome", "message", "payeeId", "name"))
    .from(payeeImportRows)
    .where(
      and(
        eq(payeeImportRows.organizationId, organizationId),
        eq(payeeImportRows.importId, importId),
        outcome === undefined ? undefined : eq(payeeImportRows.outcome, outcome),
        page.beyond(payeeImportRows.line),
      ),
    )
    .orderBy(page.order(payeeImportRows.line))
    .limit(page.limit);
  return page.cut(rows, ({ line }) => line);
}

type Owner = { organizationId: string; importId: string };
type Row = typeof payeeImports.$inferInsert;

const isIt = ({ organizationId, importId }: Owner) =>
  and(eq(payeeImports.organizationId, organizationId), eq(payeeImports.id, importId));

/** The condition that the import still has the status and progress with which it was read. */
export function importIsUnchanged(
  { db }: ReadServices,
  owner: Owner,
  { status, doneParts }: { status: ImportStatus; doneParts: number },
): Condition<"import_moved"> {
  const found = rowIn(db, payeeImports).where(
    and(isIt(owner), eq(payeeImports.status, status), eq(payeeImports.doneParts, doneParts)),
  );
  return { name: "import_moved", found };
}

/** Updates an import and raises its version. */
export function updateImport(
  { db, clock }: TimedServices,
  owner: Owner,
  set: Partial<{ [Column in keyof Row]: Row[Column] | ReturnType<typeof sql> }>,
): Statement {
  return db
    .update(payeeImports)
    .set({ ...set, version: sql`${payeeImports.version} + 1`, updatedAt: clock.now() })
    .where(isIt(owner));
}

/** Deletes the rows that are still waiting, because nobody needs these bank details any more. */
export const deleteParts = ({ db }: ReadServices, { organizationId, importId }: Owner): Statement =>
  db
    .delete(payeeImportParts)
    .where(and(eq(payeeImportParts.organizationId, organizationId), eq(payeeImportParts.importId, importId)));

/** The rows of a file in parts of a few hundred, compressed and encrypted: one slice of work reads one part. */

const contextOf = (importId: string, part: number) => `payee-import:${importId}:${part}`;

/** The stored rows of imports, for re-encryption with a new key. */
export const encryptedImportParts: EncryptedColumn = {
  table: payeeImportParts,
  column: payeeImportParts.sealed,
  key: [payeeImportParts.organizationId, payeeImportParts.importId, payeeImportParts.part],
  contextOf: (_, importId = "", part) => contextOf(importId, Number(part)),
};

const toRows = (text: string): TableRow[] =>
  (JSON.parse(text) as [number, string[], number[]?][]).map(([line, cells, shown]) => ({ line, cells, shown }));

/** Rows as one string, before encryption. */
export const packRows = (rows: readonly TableRow[]): string =>
  JSON.stringify(rows.map(({ line, cells, shown }) => [line, cells, ...(shown ? [shown] : [])]));

/** Compresses and encrypts a string from `packRows` for storage. */
export async function sealPart({ secrets }: Pick<Services, "secrets">, importId: string, part: number, packed: string) {
  const bytes = await through(new CompressionStream("gzip"), new TextEncoder().encode(packed));
  return secrets.seal(toBase64Url(bytes), contextOf(importId, part));
}

/** The rows of a part; undefined when the import has ended meanwhile. @throws Error when they are damaged */
export async function findPart({ db, secrets }: Pick<Services, "db" | "secrets">, owner: Owner, part: number) {
  const [row] = await db
    .select({ sealed: payeeImportParts.sealed })
    .from(payeeImportParts)
    .where(
      and(
        eq(payeeImportParts.organizationId, owner.organizationId),
        eq(payeeImportParts.importId, owner.importId),
        eq(payeeImportParts.part, part),
      ),
    );
  if (!row) return undefined;
  const bytes = fromBase64Url(await secrets.open(row.sealed, contextOf(owner.importId, part)));
  if (!bytes) throw new Error(`part ${part} of an import is damaged`);
  return toRows(new TextDecoder().decode(await through(new DecompressionStream("gzip"), bytes)));
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}
