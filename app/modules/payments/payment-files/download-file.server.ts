import type { Actor } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Services, WriteServices } from "~/services";
import { getClearing } from "./clearings.server";
import { getBytes } from "./file-bytes.server";
import { getPaymentFile } from "./payment-file.server";

type Downloading = WriteServices & Pick<Services, "secrets">;

/** A file as it is handed out. */
export type Download = { name: string; bytes: Uint8Array<ArrayBuffer> };

/**
 * The cleared bytes, as they were cleared; without an id those of the newest clearing. Who downloaded them is in the audit
 * trail: a file carries every account number in full.
 * @throws AppError 404
 */
export async function downloadCleared(
  services: Downloading,
  actor: Actor,
  asked: { fileId: string; clearingId?: string },
): Promise<Download> {
  const { organizationId } = actor;
  const { id, fileId, byteCount, sha256, fileName } = await getClearing(services, actor, asked);
  const bytes = await getBytes(services, { organizationId, ownerId: id, byteCount });
  await runCommand(services, actor, {
    audit: [
      {
        action: "payment_file.downloaded",
        entityType: "payment_file",
        entityId: fileId,
        details: { clearingId: id, sha256 },
      },
    ],
    answer: undefined,
  });
  return { name: `${fileName.replace(/\.[a-z0-9]{1,4}$/i, "")}-cleared.aba`, bytes };
}

/** The uploaded bytes, as they were uploaded; audited for the same reason. @throws AppError 404 */
export async function downloadOriginal(services: Downloading, actor: Actor, fileId: string): Promise<Download> {
  const { organizationId } = actor;
  const { name, byteCount, sha256 } = await getPaymentFile(services, actor, fileId);
  const bytes = await getBytes(services, { organizationId, ownerId: fileId, byteCount });
  await runCommand(services, actor, {
    audit: [
      {
        action: "payment_file.original_downloaded",
        entityType: "payment_file",
        entityId: fileId,
        details: { sha256 },
      },
    ],
    answer: undefined,
  });
  return { name, bytes };
}
