import { insertRows } from "@db/insert-rows";
import { bsbDirectory, bsbUploadRows, bsbUploads } from "@db/schema/index";
import { type DirectoryRow, parseDirectory } from "@db/seed/bsb/parse-directory.mjs";
import { eq, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import { PLATFORM_ORGANIZATION_ID as organizationId } from "~/kernel/platform";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { columnsOf, differs, notInFile, SHARED_COLUMNS, selectEndedBsbs } from "./directory-change.server";
import { findDirectoryInUse, findUpload, isInUse, isWaiting } from "./uploads.server";

/** A file of the BSB directory as its rows. Pure; the parser is the command's own. */

const MAX_ROWS = 40_000;
/** More faults than these help no person: the rest are counted. */
const MAX_FAULTS = 20;

type DirectoryFile = { ok: true; rows: DirectoryRow[] } | { ok: false; faults: string[] };

/** The rows of the file, or every fault with its line, up to twenty. */
export function readDirectory(bytes: Uint8Array): DirectoryFile {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, faults: ["The file is not text in UTF-8. Choose the CSV form of the directory."] };
  }
  if (hasMoreLines(text, MAX_ROWS)) {
    return { ok: false, faults: [`The file has more than ${MAX_ROWS.toLocaleString("en-AU")} lines.`] };
  }
  const { rows, errors } = parseDirectory(text);
  if (errors.length === 0) return { ok: true, rows };
  const faults = errors.slice(0, MAX_FAULTS).map((error) => `${error[0]?.toUpperCase() ?? ""}${error.slice(1)}.`);
  const more = errors.length - faults.length;
  return { ok: false, faults: more > 0 ? [...faults, `And ${more.toLocaleString("en-AU")} more.`] : faults };
}

/** Counted before anything is parsed, so that a hostile file takes no memory. */
function hasMoreLines(text: string, limit: number): boolean {
  let lines = 0;
  for (const _ of text.matchAll(/\r\n?|\n/g)) if (++lines > limit) return true;
  return false;
}

/** A super admin; null: the command of a developer's machine. */
export type Loader = { userId: string | null; origin: Origin };

/**
 * Keeps the rows of a file beside the directory, so that its changes can be looked at before it is taken. A file that
 * waited before is replaced; the directory stays as it is.
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
      answer: undefined,
    },
  );
  return uploadId;
}

/**
 * Takes the rows of an upload as the directory: rows that differ are written, rows that the file does not have are
 * removed, in one batch. Afterwards a job tells the owners of payees whose BSB was closed or merged.
 *
 * Taking the same upload again changes nothing.
 * @param comparedWith the upload that was in use when the changes were shown; empty: none
 * @throws AppError 404; 409 CHANGED_MEANWHILE when another file was uploaded or taken in between
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
    409,
    "Another file was uploaded or taken in the meantime. Look at the changes below before you go on.",
  );
}

/** Uploads a file and takes it at once, as the command of a developer's machine does. */
export async function loadDirectory(
  services: WriteServices,
  loader: Loader,
  file: { name: string; bytes: Uint8Array },
): Promise<{ rowCount: number }> {
  const inUse = await findDirectoryInUse(services);
  const uploadId = await uploadDirectory(services, loader, file);
  return takeDirectory(services, loader, { uploadId, comparedWith: inUse?.id ?? "" });
}

/** What was closed or merged is kept first, while the former directory is still there to compare with. */
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

const removeRows = ({ db }: Pick<WriteServices, "db">) =>
  db.delete(bsbUploadRows).where(sql`${bsbUploadRows.uploadId} > ''`);

const entry = (
  action: "bsb_directory.uploaded" | "bsb_directory.loaded",
  entityId: string,
  details: Record<string, unknown>,
) => ({ action, entityType: "bsb_directory" as const, entityId, details });

const invalidFile = (faults: readonly string[]) =>
  new AppError("INVALID_FILE", 400, faults[0] ?? "The file cannot be read.", { fieldErrors: { file: [...faults] } });
