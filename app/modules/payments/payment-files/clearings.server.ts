import { columnsOf, paymentFileClearings, paymentFileLines, paymentFiles, users } from "@db/database";
import { and, asc, desc, eq, isNotNull } from "drizzle-orm";
import { notFound } from "~/kernel/app-error";
import { showTime, type Zone } from "~/kernel/dates";
import { isId } from "~/kernel/ids";
import { nameIfAny } from "~/kernel/text";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, Asking, ReadServices, TimedServices, WriteServices } from "~/services-and-actor";
import { getBytes, getPaymentFile, linesOf } from "./payment-file.server";

const columns = {
  ...columnsOf(paymentFileClearings, "id", "fileId", "sha256", "byteCount", "lineCount", "totalCents", "createdAt"),
  fileName: paymentFiles.name,
  ...columnsOf(users, "firstName", "lastName"),
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

const named = ({ firstName, lastName, ...clearing }: Awaited<ReturnType<typeof select>>[number]) => ({
  ...clearing,
  clearedBy: nameIfAny({ firstName, lastName }),
});

export type ClearingDetail = ReturnType<typeof named>;

export function toClearingView({ createdAt, ...clearing }: ClearingDetail, zone: Zone) {
  return { ...clearing, clearedAt: showTime(createdAt, zone) };
}

/** `?clearing=`; anything that is not an id means the newest. */
export const readClearingId = (params: URLSearchParams): string | undefined => {
  const id = params.get("clearing") ?? undefined;
  return id !== undefined && isId(id) ? id : undefined;
};

export async function listClearings(services: ReadServices, { organizationId }: Asking, fileId: string) {
  const rows = await select(services, organizationId)
    .where(and(eq(paymentFileClearings.organizationId, organizationId), eq(paymentFileClearings.fileId, fileId)))
    .orderBy(asc(paymentFileClearings.id));
  return rows.map(named);
}

/** One clearing of a file; without an id, the newest. @throws AppError 404 */
async function getClearing(
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

/** The organisation's clearing with exactly these bytes, if any. */
export async function findClearingBySha256(services: ReadServices, { organizationId }: Asking, sha256: string) {
  const [row] = await select(services, organizationId)
    .where(and(eq(paymentFileClearings.organizationId, organizationId), eq(paymentFileClearings.sha256, sha256)))
    .limit(1);
  return row && named(row);
}

/** How many of the newest clearings a changed file is compared with. */
const MAX_COMPARED = 20;

export async function listNewestClearings(services: ReadServices, { organizationId }: Asking) {
  const rows = await select(services, organizationId)
    .where(eq(paymentFileClearings.organizationId, organizationId))
    .orderBy(desc(paymentFileClearings.id))
    .limit(MAX_COMPARED);
  return rows.map(named);
}

/** At most this many approvals are listed on a certificate. */
const MAX_APPROVALS = 500;

/** The certificate of one clearing; without an id, of the newest. @throws AppError 404 */
export async function readCertificatePage(
  services: TimedServices,
  actor: Actor,
  asked: { fileId: string; clearingId?: string },
) {
  const { organizationId, organizationName } = actor;
  const [clearing, file, { timeZone }] = await Promise.all([
    getClearing(services, actor, asked),
    getPaymentFile(services, actor, asked.fileId),
    findPolicy(services, organizationId),
  ]);
  const zone = { timeZone, now: services.clock.now() };
  const rows = await services.db
    .select({
      ...columnsOf(paymentFileLines, "line", "amount", "accountName"),
      reason: paymentFileLines.decisionReason,
      ...columnsOf(users, "firstName", "lastName"),
    })
    .from(paymentFileLines)
    .leftJoin(users, eq(users.id, paymentFileLines.decidedById))
    .where(
      and(
        ...linesOf({ organizationId, fileId: asked.fileId }),
        eq(paymentFileLines.clearingId, clearing.id),
        isNotNull(paymentFileLines.decidedById),
      ),
    )
    .orderBy(asc(paymentFileLines.line))
    .limit(MAX_APPROVALS);
  return {
    organizationName,
    clearing: toClearingView(clearing, zone),
    original: { sha256: file.sha256, uploadedBy: file.uploadedBy, uploadedAt: showTime(file.createdAt, zone) },
    approvals: rows.map(({ firstName, lastName, ...line }) => ({
      ...line,
      decidedBy: nameIfAny({ firstName, lastName }),
    })),
  };
}

export type Download = { name: string; bytes: Uint8Array<ArrayBuffer> };

/**
 * The cleared bytes, unchanged; without an id, those of the newest clearing. Downloads are recorded in the audit trail,
 * because the file contains every account number in full.
 * @throws AppError 404
 */
export async function downloadCleared(
  services: WriteServices,
  actor: Actor,
  asked: { fileId: string; clearingId?: string },
): Promise<Download> {
  const { organizationId } = actor;
  const { id, fileId, byteCount, sha256, fileName } = await getClearing(services, actor, asked);
  const bytes = await getBytes(services, { organizationId, ownerId: id, byteCount });
  await runCommand(services, actor, {
    audit: [{ action: "payment_file.downloaded", entityId: fileId, details: { clearingId: id, sha256 } }],
  });
  return { name: `${fileName.replace(/\.[a-z0-9]{1,4}$/i, "")}-cleared.aba`, bytes };
}

/** The uploaded bytes, unchanged; audited for the same reason. @throws AppError 404 */
export async function downloadOriginal(services: WriteServices, actor: Actor, fileId: string): Promise<Download> {
  const { organizationId } = actor;
  const { name, byteCount, sha256 } = await getPaymentFile(services, actor, fileId);
  const bytes = await getBytes(services, { organizationId, ownerId: fileId, byteCount });
  await runCommand(services, actor, {
    audit: [{ action: "payment_file.original_downloaded", entityId: fileId, details: { sha256 } }],
  });
  return { name, bytes };
}
