import { keySetPage } from "@db/key-set-page";
import { paymentFiles, users } from "@db/schema";
import { and, desc, eq, ne } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import type { ReadServices } from "~/services";

type Asking = { organizationId: string };

const columns = {
  id: paymentFiles.id,
  name: paymentFiles.name,
  format: paymentFiles.format,
  status: paymentFiles.status,
  sha256: paymentFiles.sha256,
  paymentsDigest: paymentFiles.paymentsDigest,
  byteCount: paymentFiles.byteCount,
  headerRecord: paymentFiles.headerRecord,
  columns: paymentFiles.columns,
  problems: paymentFiles.problems,
  lineCount: paymentFiles.lineCount,
  totalCents: paymentFiles.totalCents,
  checkedCount: paymentFiles.checkedCount,
  heldCount: paymentFiles.heldCount,
  heldCents: paymentFiles.heldCents,
  authorisedCount: paymentFiles.authorisedCount,
  authorisedCents: paymentFiles.authorisedCents,
  rejectedCount: paymentFiles.rejectedCount,
  clearedCount: paymentFiles.clearedCount,
  settledCount: paymentFiles.settledCount,
  uploadedById: paymentFiles.uploadedById,
  version: paymentFiles.version,
  createdAt: paymentFiles.createdAt,
  updatedAt: paymentFiles.updatedAt,
  firstName: users.firstName,
  lastName: users.lastName,
};

const isMine = (organizationId: string) => eq(paymentFiles.organizationId, organizationId);

function named<T extends { firstName: string | null; lastName: string | null }>({ firstName, lastName, ...file }: T) {
  return { ...file, uploadedBy: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }) };
}

/** One payment file; undefined when it is not the organisation's. */
export async function findPaymentFile({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select(columns)
    .from(paymentFiles)
    .leftJoin(users, eq(users.id, paymentFiles.uploadedById))
    .where(and(isMine(organizationId), eq(paymentFiles.id, id)));
  return row && named(row);
}

export type PaymentFileDetail = NonNullable<Awaited<ReturnType<typeof findPaymentFile>>>;

/** The same for those who cannot go on without it. @throws AppError 404, the same for missing and foreign ids */
export async function getPaymentFile(services: ReadServices, asking: Asking, id: string): Promise<PaymentFileDetail> {
  const file = await findPaymentFile(services, asking, id);
  if (!file) throw notFound();
  return file;
}

/** The file with exactly these bytes that was uploaded before and not given up. */
export async function findSameFile({ db }: ReadServices, { organizationId }: Asking, sha256: string) {
  const [row] = await db
    .select({ id: paymentFiles.id, name: paymentFiles.name })
    .from(paymentFiles)
    .where(and(isMine(organizationId), eq(paymentFiles.sha256, sha256), ne(paymentFiles.status, "abandoned")))
    .limit(1);
  return row;
}

/** The newest file with the same payments whatever their accounts, and other bytes. */
export async function findSamePayments(
  { db }: ReadServices,
  { organizationId }: Asking,
  { paymentsDigest, sha256 }: { paymentsDigest: string; sha256: string },
) {
  const [row] = await db
    .select({ id: paymentFiles.id, name: paymentFiles.name, createdAt: paymentFiles.createdAt })
    .from(paymentFiles)
    .where(
      and(
        isMine(organizationId),
        eq(paymentFiles.paymentsDigest, paymentsDigest),
        ne(paymentFiles.sha256, sha256),
        ne(paymentFiles.status, "abandoned"),
      ),
    )
    .orderBy(desc(paymentFiles.id))
    .limit(1);
  return row;
}

export const FILES_PAGE_SIZE = 25;

/** The organisation's payment files, newest first, from after a given one. */
export async function listPaymentFiles({ db }: ReadServices, { organizationId }: Asking, after?: string) {
  const page = keySetPage({ after }, { size: FILES_PAGE_SIZE });
  const rows = await db
    .select(columns)
    .from(paymentFiles)
    .leftJoin(users, eq(users.id, paymentFiles.uploadedById))
    .where(and(isMine(organizationId), page.beyond(paymentFiles.id)))
    .orderBy(page.order(paymentFiles.id))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ id }) => id);
  return { files: shown.map(named), next };
}
