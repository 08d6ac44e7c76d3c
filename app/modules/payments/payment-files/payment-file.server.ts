import { type Condition, paymentFiles, users } from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, eq, sql } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import type { FileStatus } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { type Actor, canWrite, displayName, type ReadServices, type Services } from "~/services-and-actor";
import { stopsOf } from "./paying-account";
import { toFileRow } from "./payment-file";
import { findFileSettings } from "./settings.server";

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
  figuresAtClearing: paymentFiles.figuresAtClearing,
  paysFrom: paymentFiles.paysFrom,
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

/** One payment file; undefined when the organisation has none with this id. */
export async function findPaymentFile({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select(columns)
    .from(paymentFiles)
    .leftJoin(users, eq(users.id, paymentFiles.uploadedById))
    .where(and(isMine(organizationId), eq(paymentFiles.id, id)));
  return row && named(row);
}

export type PaymentFileDetail = NonNullable<Awaited<ReturnType<typeof findPaymentFile>>>;

/** As `findPaymentFile`. @throws AppError 404, the same for missing and foreign ids */
export async function getPaymentFile(services: ReadServices, asking: Asking, id: string): Promise<PaymentFileDetail> {
  const file = await findPaymentFile(services, asking, id);
  if (!file) throw notFound();
  return file;
}

const FILES_PAGE_SIZE = 25;

/** The cursor of a file list; anything that is not an id means the start. */
export const readFilesCursor = (params: URLSearchParams): string | undefined => {
  const cursor = params.get("cursor") ?? params.get("after") ?? undefined;
  return cursor !== undefined && isId(cursor) ? cursor : undefined;
};

/** The organisation's payment files after a given one, newest first. */
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

/** Reads everything for the list page. */
export async function readPaymentFilesPage(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  params: URLSearchParams,
) {
  const [{ files, next }, { payingAccounts }] = await Promise.all([
    listPaymentFiles(services, actor, readFilesCursor(params)),
    findFileSettings(services, actor.organizationId),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: files.map((file) => toFileRow(file, stopsOf(file, payingAccounts).length > 0, zone)),
    nextHref: next && withQuery(appPaths.paymentFiles, { after: next }),
    canUpload: canWrite(actor),
    submissionId: services.ids.next(),
  };
}

/**
 * The condition that the file has not changed since somebody read it: if two people act at once, the second is refused.
 */
export function fileIsUnchanged(
  { db }: ReadServices,
  organizationId: string,
  { id, version }: { id: string; version: number },
): Condition<"file_changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(paymentFiles)
    .where(
      and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, id), eq(paymentFiles.version, version)),
    );
  return { name: "file_changed", found };
}

/** The error for an unreadable file: every problem with its line. */
export function unreadableFile(problems: readonly FileProblem[]): AppError {
  const errors = problems.filter(({ level }) => level === "error").map(({ message }) => message);
  const message = errors[0] ?? "The file cannot be read.";
  return new AppError("INVALID_FILE", 400, message, { fieldErrors: { file: errors }, extra: { problems } });
}

const STANDING: Record<FileStatus, string> = {
  checking: "is still being checked",
  open: "is open",
  cleared: "was cleared",
  settled: "is settled",
  abandoned: "was given up",
};

/** The error for an action that the file's status does not allow. */
export const fileNotOpen = (status: FileStatus) =>
  new AppError("FILE_NOT_OPEN", 409, `This payment file ${STANDING[status]}.`, { extra: { status } });

export const fileChanged = () =>
  new AppError(
    "FILE_CHANGED",
    409,
    "Someone else changed this payment file at the same moment. Look again, then decide.",
  );
