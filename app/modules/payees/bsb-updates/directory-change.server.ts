import { bsbDirectory, bsbUploadRows, payees } from "@db/schema";
import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import {
  CHANGE_KINDS,
  type ChangedBsb,
  type ChangeKind,
  type DirectoryChange,
  type TouchedPayees,
} from "./directory-change";

/** Rows of each kind that the page shows. */
const SHOWN_ROWS = 10;

/** The columns that a file and the directory share. */
export const SHARED_COLUMNS = Object.keys(getTableColumns(bsbUploadRows)).filter((name) => name !== "uploadId");

/** Columns of a table as SQL, e.g. `next."bsb", next."name"`. */
export const columnsOf = (table: string): SQL => sql.raw(SHARED_COLUMNS.map((name) => `${table}."${name}"`).join(", "));

/** Whether a row of the file (`next`) says something else than the directory (`old`), or is new. */
export const differs = (): SQL => sql`(${columnsOf("next")}) IS NOT (${columnsOf("old")})`;

const kindOf = sql`CASE WHEN old."bsb" IS NULL AND next."status" = 'open' THEN 'added'
  WHEN next."status" = 'closed' AND old."status" IS NOT 'closed' THEN 'closed'
  WHEN next."status" = 'merged' AND (old."status" IS NOT 'merged' OR next."successorBsb" IS NOT old."successorBsb") THEN 'merged'
  WHEN ${differs()} THEN 'changed' END`;

/** Rows of the file, each beside what the directory says now. */
const besideDirectory = (uploadId: string) =>
  sql`${bsbUploadRows} AS next LEFT JOIN ${bsbDirectory} AS old ON old."bsb" = next."bsb" WHERE next."uploadId" = ${uploadId}`;

/** The BSBs that the file closes or merges and that were not so before. */
export const selectEndedBsbs = (uploadId: string): SQL =>
  sql`SELECT next."bsb" FROM ${besideDirectory(uploadId)} AND ${kindOf} IN ('closed', 'merged')`;

/** BSBs of the directory that the file does not have. */
export const notInFile = (uploadId: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${bsbUploadRows} AS kept WHERE kept."uploadId" = ${uploadId} AND kept."bsb" = old."bsb")`;

/** Every BSB that is not as it was: `kind`, `bsb`, `name`, `successorBsb`. */
const selectChanges = (uploadId: string): SQL =>
  sql`SELECT ${kindOf} AS "kind", next."bsb", next."name", next."successorBsb" FROM ${besideDirectory(uploadId)}
    UNION ALL
    SELECT 'removed', old."bsb", old."name", NULL FROM ${bsbDirectory} AS old WHERE old."bsb" >= '' AND ${notInFile(uploadId)}`;

/** What the file changes against the directory that is in use now, with the first BSBs of each kind. */
export async function findDirectoryChanges({ db }: ReadServices, uploadId: string): Promise<DirectoryChange[]> {
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
export async function countTouchedPayees({ db }: ReadServices, uploadId: string): Promise<TouchedPayees> {
  const [row] = await db.all<TouchedPayees>(
    sql`SELECT count(*) AS "payees", count(DISTINCT "payees"."organizationId") AS "organizations"
      FROM (${selectEndedBsbs(uploadId)}) AS ended CROSS JOIN ${payees}
      WHERE "payees"."bsb" = ended."bsb" AND "payees"."archivedAt" IS NULL`,
  );
  return row ?? { payees: 0, organizations: 0 };
}
