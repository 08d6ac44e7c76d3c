import { bsbDirectory, bsbUploadRows, bsbUploads, insertRows, payees, rowIn } from "@db/database";
import { type DirectoryRow, parseDirectory } from "@db/seed/bsb/parse-directory.mjs";
import { and, desc, eq, getTableColumns, isNotNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { formatBsb } from "~/kernel/bank-account";
import { showTime, type Zone } from "~/kernel/dates";
import { formatCount } from "~/kernel/text";
import { runCommand } from "~/modules/core/commands/run-command.server";
import {
  type Origin,
  PLATFORM_ORGANIZATION_ID as organizationId,
  type ReadServices,
  type Services,
  type WriteServices,
} from "~/services-and-actor";
import {
  CHANGE_KINDS,
  CHANGE_TEXTS,
  type ChangedBsb,
  type ChangeKind,
  type DirectoryChange,
  type TouchedPayees,
  touchedSentence,
} from "./directory-change";

/** Reads a BSB directory file into rows. Pure; it uses the parser of the command-line import. */

const MAX_ROWS = 40_000;
/** At most this many faults are listed; the rest are only counted. */
const MAX_FAULTS = 20;

/** The rows of the file, or up to twenty faults with their lines. */
export function readDirectory(bytes: Uint8Array): { ok: true; rows: DirectoryRow[] } | { ok: false; faults: string[] } {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, faults: ["The file is not text in UTF-8. Choose the directory as a CSV file."] };
  }
  if (hasMoreLines(text, MAX_ROWS)) {
    return { ok: false, faults: [`The file has more than ${formatCount(MAX_ROWS)} lines.`] };
  }
  const { rows, errors } = parseDirectory(text);
  if (errors.length === 0) return { ok: true, rows };
  const faults = errors.slice(0, MAX_FAULTS).map((error) => `${error[0]?.toUpperCase() ?? ""}${error.slice(1)}.`);
  const more = errors.length - faults.length;
  return { ok: false, faults: more > 0 ? [...faults, `And ${formatCount(more)} more.`] : faults };
}

/** Counts lines before anything is parsed, so that a hostile file cannot use up memory. */
function hasMoreLines(text: string, limit: number): boolean {
  let lines = 0;
  for (const _ of text.matchAll(/\r\n?|\n/g)) if (++lines > limit) return true;
  return false;
}

/** A super admin; null: the command on a developer's machine. */
type Loader = { userId: string | null; origin: Origin };

/**
 * Stores the rows of a file separately from the directory, so that people can review its changes first. Replaces a file
 * that is waiting; the directory stays as it is.
 *
 * @returns the id of the upload
 * @throws AppError 400 INVALID_FILE with every fault and its line; nothing changes
 */
export async function uploadDirectory(
  services: WriteServices,
  loader: Loader,
  { name: fileName, bytes }: { name: string; bytes: Uint8Array },
): Promise<string> {
  const file = readDirectory(bytes);
  if (!file.ok) throw invalidFile(file.faults);
  const { db, ids, clock } = services;
  const uploadId = ids.next();
  const rowCount = file.rows.length;
  const upload = { id: uploadId, fileName, rowCount, uploadedById: loader.userId, uploadedAt: clock.now() };
  await runCommand(
    services,
    { ...loader, organizationId },
    {
      statements: [
        removeRows(services),
        db.insert(bsbUploads).values(upload),
        ...insertRows(
          db,
          bsbUploadRows,
          file.rows.map((row) => ({ ...row, uploadId })),
        ),
      ],
      audit: [entry("bsb_directory.uploaded", uploadId, { fileName, rowCount })],
    },
  );
  return uploadId;
}

/**
 * Makes an uploaded file the directory, in one batch: writes rows that differ and removes rows that the file lacks. A
 * job then tells the organisations with payees whose BSB was closed or merged.
 *
 * Repeating it for the same upload changes nothing.
 * @param comparedWith the upload that was in use when the changes were shown; empty: none
 * @throws AppError 404; 409 CHANGED_MEANWHILE when another file was uploaded or put into use meanwhile
 */
export async function takeDirectory(
  services: WriteServices,
  loader: Loader,
  { uploadId, comparedWith }: { uploadId: string; comparedWith: string },
): Promise<{ rowCount: number }> {
  const { ids } = services;
  const upload = await findUpload(services, uploadId);
  if (!upload) throw notFound();
  const { fileName, rowCount } = upload;
  if (upload.loadedAt !== null) return { rowCount };
  const result = await runCommand(
    services,
    { ...loader, organizationId },
    {
      conditions: [
        { name: "not_waiting", found: isWaiting(services, uploadId) },
        { name: "other_directory", found: isInUse(comparedWith) },
      ],
      statements: replaceDirectory(services, uploadId),
      audit: [entry("bsb_directory.loaded", uploadId, { fileName, rowCount })],
      jobs: [{ id: ids.next(), kind: "bsb_closures", organizationId: null, subjectId: uploadId }],
      answer: { rowCount },
    },
  );
  if (result.ok) return result.answer;
  const again = await findUpload(services, uploadId);
  if (again?.loadedAt) return { rowCount };
  throw new AppError(
    "CHANGED_MEANWHILE",
    "Another file was uploaded or put into use in the meantime. Look at the changes below before you go on.",
  );
}

/** Uploads a file and puts it into use at once, for the command on a developer's machine. */
export async function loadDirectory(
  services: WriteServices,
  loader: Loader,
  file: { name: string; bytes: Uint8Array },
): Promise<{ rowCount: number }> {
  const inUse = await findDirectoryInUse(services);
  const uploadId = await uploadDirectory(services, loader, file);
  return takeDirectory(services, loader, { uploadId, comparedWith: inUse?.id ?? "" });
}

/** Stores the closed and merged BSBs first, while the former directory is still available for comparison. */
function replaceDirectory(services: WriteServices, uploadId: string) {
  const { db, clock } = services;
  const updates = sql.raw(
    [...SHARED_COLUMNS, "loadedAt"].map((column) => `"${column}" = excluded."${column}"`).join(", "),
  );
  return [
    db
      .update(bsbUploads)
      .set({
        loadedAt: clock.now(),
        endedBsbs: sql`(SELECT json_group_array("bsb") FROM (${selectEndedBsbs(uploadId)}) AS ended)`,
      })
      .where(eq(bsbUploads.id, uploadId)),
    db.insert(bsbDirectory).select(
      sql`SELECT ${columnsOf("next")}, ${clock.now()} FROM ${bsbUploadRows} AS next
          LEFT JOIN ${bsbDirectory} AS old ON old."bsb" = next."bsb"
          WHERE next."uploadId" = ${uploadId} AND ${differs()} ON CONFLICT ("bsb") DO UPDATE SET ${updates}`,
    ),
    db
      .delete(bsbDirectory)
      .where(
        sql`"bsb" IN (SELECT old."bsb" FROM ${bsbDirectory} AS old WHERE old."bsb" >= '' AND ${notInFile(uploadId)})`,
      ),
    removeRows(services),
  ];
}

const removeRows = ({ db }: Pick<Services, "db">) =>
  db.delete(bsbUploadRows).where(sql`${bsbUploadRows.uploadId} > ''`);

const entry = (
  action: "bsb_directory.uploaded" | "bsb_directory.loaded",
  entityId: string,
  details: { fileName: string; rowCount: number },
) => ({ action, entityType: "bsb_directory" as const, entityId, details });

const invalidFile = (faults: readonly string[]) =>
  new AppError("INVALID_FILE", faults[0] ?? "The file cannot be read.", { fieldErrors: { file: [...faults] } });

/** How many rows of each kind the page shows. */
const SHOWN_ROWS = 10;

/** The columns that both the file's rows and the directory have. */
const SHARED_COLUMNS = Object.keys(getTableColumns(bsbUploadRows)).filter((name) => name !== "uploadId");

/** The shared columns of a table as SQL, e.g. `next."bsb", next."name"`. */
const columnsOf = (table: string): SQL => sql.raw(SHARED_COLUMNS.map((name) => `${table}."${name}"`).join(", "));

/** True if a row of the file (`next`) differs from the directory's (`old`), or is new. */
const differs = (): SQL => sql`(${columnsOf("next")}) IS NOT (${columnsOf("old")})`;

const kindOf = sql`CASE WHEN old."bsb" IS NULL AND next."status" = 'open' THEN 'added'
  WHEN next."status" = 'closed' AND old."status" IS NOT 'closed' THEN 'closed'
  WHEN next."status" = 'merged' AND (old."status" IS NOT 'merged' OR next."successorBsb" IS NOT old."successorBsb") THEN 'merged'
  WHEN ${differs()} THEN 'changed' END`;

/** The rows of the file, each joined with the directory's present row. */
const besideDirectory = (uploadId: string) =>
  sql`${bsbUploadRows} AS next LEFT JOIN ${bsbDirectory} AS old ON old."bsb" = next."bsb" WHERE next."uploadId" = ${uploadId}`;

/** The BSBs that the file newly closes or merges. */
const selectEndedBsbs = (uploadId: string): SQL =>
  sql`SELECT next."bsb" FROM ${besideDirectory(uploadId)} AND ${kindOf} IN ('closed', 'merged')`;

/** BSBs of the directory that the file lacks. */
const notInFile = (uploadId: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${bsbUploadRows} AS kept WHERE kept."uploadId" = ${uploadId} AND kept."bsb" = old."bsb")`;

/** Every BSB that differs: `kind`, `bsb`, `name`, `successorBsb`. */
const selectChanges = (uploadId: string): SQL =>
  sql`SELECT ${kindOf} AS "kind", next."bsb", next."name", next."successorBsb" FROM ${besideDirectory(uploadId)}
    UNION ALL
    SELECT 'removed', old."bsb", old."name", NULL FROM ${bsbDirectory} AS old WHERE old."bsb" >= '' AND ${notInFile(uploadId)}`;

/** How the file differs from the present directory, with the first BSBs of each kind. */
async function findDirectoryChanges({ db }: ReadServices, uploadId: string): Promise<DirectoryChange[]> {
  const counted = await db.all<{ kind: ChangeKind; count: number }>(
    sql`SELECT "kind", count(*) AS "count" FROM (${selectChanges(uploadId)}) AS walk WHERE "kind" IS NOT NULL GROUP BY "kind"`,
  );
  const changes = counted.map(async ({ kind, count }) => {
    const first = await db.all<ChangedBsb>(
      sql`SELECT "bsb", "name", "successorBsb" FROM (${selectChanges(uploadId)}) AS walk
        WHERE "kind" = ${kind} ORDER BY "bsb" LIMIT ${SHOWN_ROWS}`,
    );
    return { kind, count, first };
  });
  const place = ({ kind }: DirectoryChange) => CHANGE_KINDS.indexOf(kind);
  return (await Promise.all(changes)).sort((one, other) => place(one) - place(other));
}

/** How many payees, of how many organisations, have a BSB that the file closes or merges. */
async function countTouchedPayees({ db }: ReadServices, uploadId: string): Promise<TouchedPayees> {
  const [row] = await db.all<TouchedPayees>(
    sql`SELECT count(*) AS "payees", count(DISTINCT "payees"."organizationId") AS "organizations"
      FROM (${selectEndedBsbs(uploadId)}) AS ended CROSS JOIN ${payees}
      WHERE "payees"."bsb" = ended."bsb" AND "payees"."archivedAt" IS NULL`,
  );
  return row ?? { payees: 0, organizations: 0 };
}

export type BsbUpload = typeof bsbUploads.$inferSelect;

/** The uploaded file that is the present directory; undefined if the directory was not uploaded. */
export async function findDirectoryInUse({ db }: ReadServices): Promise<BsbUpload | undefined> {
  const [row] = await db
    .select()
    .from(bsbUploads)
    .where(isNotNull(bsbUploads.loadedAt))
    .orderBy(desc(bsbUploads.loadedAt))
    .limit(1);
  return row;
}

export async function findUpload({ db }: ReadServices, id: string): Promise<BsbUpload | undefined> {
  const [row] = await db.select().from(bsbUploads).where(eq(bsbUploads.id, id));
  return row;
}

/** The uploaded file that waits to be put into use; there is at most one. */
async function findWaitingUpload(services: ReadServices): Promise<BsbUpload | undefined> {
  const [row] = await services.db
    .select({ id: bsbUploadRows.uploadId })
    .from(bsbUploadRows)
    .where(sql`${bsbUploadRows.uploadId} > ''`)
    .limit(1);
  return row && findUpload(services, row.id);
}

/** The condition that the file's rows are stored and it is not the directory yet. */
const isWaiting = ({ db }: ReadServices, id: string) =>
  rowIn(db, bsbUploads).where(
    and(
      eq(bsbUploads.id, id),
      sql`${bsbUploads.loadedAt} IS NULL`,
      sql`EXISTS (SELECT 1 FROM ${bsbUploadRows} WHERE "uploadId" = ${id})`,
    ),
  );

/** The condition that the file in use is still the one that the changes were compared with. */
const isInUse = (id: string) =>
  sql`SELECT 1 WHERE coalesce((SELECT "id" FROM ${bsbUploads} WHERE "loadedAt" IS NOT NULL ORDER BY "loadedAt" DESC LIMIT 1), '') = ${id}`;

export type Owner = { organizationId: string; payees: number };

/** The next organisations, by id, with active payees at the BSBs that the file closed or merged. */
export const listOwners = ({ db }: ReadServices, { id, toldTo }: BsbUpload, limit: number): Promise<Owner[]> =>
  db.all<Owner>(
    sql`SELECT "payees"."organizationId", count(*) AS "payees"
      FROM (SELECT value AS "bsb" FROM json_each((SELECT "endedBsbs" FROM ${bsbUploads} WHERE "id" = ${id}))) AS ended CROSS JOIN ${payees}
      WHERE "payees"."bsb" = ended."bsb" AND "payees"."archivedAt" IS NULL AND "payees"."organizationId" > ${toldTo}
      GROUP BY "payees"."organizationId" ORDER BY "payees"."organizationId" LIMIT ${limit}`,
  );

/** The form that takes an uploaded file into use. `comparedWith` is empty if no file was in use. */
export const takePostSchema = z.object({
  uploadId: z.uuid(),
  comparedWith: z.union([z.uuid(), z.literal("")]).default(""),
});

export type UpdatePage = Awaited<ReturnType<typeof readUpdatePage>>;
export type ChangeCard = ReturnType<typeof toCard>;

/** The page: the file in use, and how the waiting file would change it. */
export async function readUpdatePage(services: ReadServices, zone: Zone) {
  const [inUse, waiting] = await Promise.all([findDirectoryInUse(services), findWaitingUpload(services)]);
  const shown = inUse && {
    fileName: inUse.fileName,
    rowCount: inUse.rowCount,
    loadedAt: showTime(inUse.loadedAt ?? inUse.uploadedAt, zone),
  };
  if (!waiting) return { inUse: shown ?? null, waiting: null };
  const [changes, touched] = await Promise.all([
    findDirectoryChanges(services, waiting.id),
    countTouchedPayees(services, waiting.id),
  ]);
  return {
    inUse: shown ?? null,
    waiting: {
      uploadId: waiting.id,
      comparedWith: inUse?.id ?? "",
      fileName: waiting.fileName,
      rowCount: waiting.rowCount,
      uploadedAt: showTime(waiting.uploadedAt, zone),
      touched: touchedSentence(touched),
      changes: changes.map(toCard),
    },
  };
}

const toCard = ({ kind, count, first }: DirectoryChange) => ({
  ...CHANGE_TEXTS[kind],
  count,
  rows: first.map(({ bsb, name, successorBsb }) => ({
    bsb,
    name,
    note: successorBsb ? `Now ${formatBsb(successorBsb)}` : "",
  })),
});
