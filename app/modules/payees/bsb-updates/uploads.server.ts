import { bsbUploadRows, bsbUploads, payees } from "@db/schema";
import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";

export type BsbUpload = typeof bsbUploads.$inferSelect;

/** The file that is the directory now, as far as it came through an upload. */
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

/** The file whose changes are shown and that waits to be taken; there is at most one. */
export async function findWaitingUpload(services: ReadServices): Promise<BsbUpload | undefined> {
  const [row] = await services.db
    .select({ id: bsbUploadRows.uploadId })
    .from(bsbUploadRows)
    .where(sql`${bsbUploadRows.uploadId} > ''`)
    .limit(1);
  return row && findUpload(services, row.id);
}

/** The rows of the file are there, and it is not the directory yet. */
export const isWaiting = ({ db }: ReadServices, id: string) =>
  db
    .select({ one: sql`1` })
    .from(bsbUploads)
    .where(
      and(
        eq(bsbUploads.id, id),
        sql`${bsbUploads.loadedAt} IS NULL`,
        sql`EXISTS (SELECT 1 FROM ${bsbUploadRows} WHERE "uploadId" = ${id})`,
      ),
    );

/** The file in use is still the one that the changes were compared with. */
export const isInUse = (id: string) =>
  sql`SELECT 1 WHERE coalesce((SELECT "id" FROM ${bsbUploads} WHERE "loadedAt" IS NOT NULL ORDER BY "loadedAt" DESC LIMIT 1), '') = ${id}`;

export type Owner = { organizationId: string; payees: number };

/** The next organisations, by id, with payees in use at the BSBs that the directory's file closed or merged. */
export const listOwners = ({ db }: ReadServices, { id, toldTo }: BsbUpload, limit: number): Promise<Owner[]> =>
  db.all<Owner>(
    sql`SELECT "payees"."organizationId", count(*) AS "payees"
      FROM (SELECT value AS "bsb" FROM json_each((SELECT "endedBsbs" FROM ${bsbUploads} WHERE "id" = ${id}))) AS ended CROSS JOIN ${payees}
      WHERE "payees"."bsb" = ended."bsb" AND "payees"."archivedAt" IS NULL AND "payees"."organizationId" > ${toldTo}
      GROUP BY "payees"."organizationId" ORDER BY "payees"."organizationId" LIMIT ${limit}`,
  );
