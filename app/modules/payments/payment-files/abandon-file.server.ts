import { AppError } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, WriteServices } from "~/services-and-actor";
import { canBeAbandoned } from "./payment-file";
import { fileChanged, fileIsUnchanged, getPaymentFile, type PaymentFileDetail, recount } from "./payment-file.server";

/** The check of a large file, or another person, may change the file at the same moment: it is tried again. */
const TRIES = 3;

/**
 * Abandons a payment file of which nothing was cleared: the file and its decisions are kept, none of its lines can be
 * cleared, and the same bytes may be uploaded again. Repeating it changes nothing.
 *
 * @throws AppError 404; 409 FILE_NOT_OPEN when some lines were cleared, FILE_CHANGED
 */
export async function abandonFile(services: WriteServices, actor: Actor, fileId: string): Promise<PaymentFileDetail> {
  const { organizationId } = actor;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const file = await getPaymentFile(services, actor, fileId);
    if (file.status === "abandoned") return file;
    if (!canBeAbandoned(file))
      throw new AppError(
        "FILE_NOT_OPEN",
        "Payments of this file were cleared and may be at the bank, so it cannot be abandoned. Record what the bank did instead.",
      );
    const { ok } = await runCommand(services, actor, {
      conditions: [fileIsUnchanged(services, organizationId, file)],
      statements: [recount(services, { organizationId, fileId }, { status: "abandoned" })],
      audit: [{ action: "payment_file.abandoned", entityId: fileId }],
    });
    if (ok) return getPaymentFile(services, actor, fileId);
  }
  throw fileChanged();
}
