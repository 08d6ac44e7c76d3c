import { paymentFileClearings, paymentFiles, users } from "@db/schema";
import { and, asc, desc, eq } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import type { ReadServices } from "~/services";

type Asking = { organizationId: string };

const columns = {
  id: paymentFileClearings.id,
  fileId: paymentFileClearings.fileId,
  sha256: paymentFileClearings.sha256,
  byteCount: paymentFileClearings.byteCount,
  lineCount: paymentFileClearings.lineCount,
  totalCents: paymentFileClearings.totalCents,
  createdAt: paymentFileClearings.createdAt,
  fileName: paymentFiles.name,
  firstName: users.firstName,
  lastName: users.lastName,
};

function select({ db }: ReadServices, organizationId: string) {
  return db
    .select(columns)
    .from(paymentFileClearings)
    .innerJoin(
      paymentFiles,
      and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, paymentFileClearings.fileId)),
    )
    .leftJoin(users, eq(users.id, paymentFileClearings.clearedById));
}

type Row = Awaited<ReturnType<typeof select>>[number];

const named = ({ firstName, lastName, ...clearing }: Row) => ({
  ...clearing,
  clearedBy: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }),
});

export type ClearingDetail = ReturnType<typeof named>;

/** The clearings of a file, oldest first. */
export async function listClearings(
  services: ReadServices,
  { organizationId }: Asking,
  fileId: string,
): Promise<ClearingDetail[]> {
  const rows = await select(services, organizationId)
    .where(and(eq(paymentFileClearings.organizationId, organizationId), eq(paymentFileClearings.fileId, fileId)))
    .orderBy(asc(paymentFileClearings.id));
  return rows.map(named);
}

/** One clearing of a file; without an id the newest. @throws AppError 404 */
export async function getClearing(
  services: ReadServices,
  { organizationId }: Asking,
  { fileId, clearingId }: { fileId: string; clearingId?: string },
): Promise<ClearingDetail> {
  const [row] = await select(services, organizationId)
    .where(
      and(
        eq(paymentFileClearings.organizationId, organizationId),
        eq(paymentFileClearings.fileId, fileId),
        clearingId === undefined ? undefined : eq(paymentFileClearings.id, clearingId),
      ),
    )
    .orderBy(desc(paymentFileClearings.id))
    .limit(1);
  if (!row) throw notFound();
  return named(row);
}

/** The clearing with exactly these bytes, if the organisation made one. */
export async function findClearingBySha256(
  services: ReadServices,
  { organizationId }: Asking,
  sha256: string,
): Promise<ClearingDetail | undefined> {
  const [row] = await select(services, organizationId)
    .where(and(eq(paymentFileClearings.organizationId, organizationId), eq(paymentFileClearings.sha256, sha256)))
    .limit(1);
  return row && named(row);
}

/** How many of the newest clearings a changed file is compared with. */
const MAX_COMPARED = 20;

/** The newest clearings of the organisation. */
export async function listNewestClearings(
  services: ReadServices,
  { organizationId }: Asking,
): Promise<ClearingDetail[]> {
  const rows = await select(services, organizationId)
    .where(eq(paymentFileClearings.organizationId, organizationId))
    .orderBy(desc(paymentFileClearings.id))
    .limit(MAX_COMPARED);
  return rows.map(named);
}
