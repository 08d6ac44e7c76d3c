import type { Actor } from "~/kernel/actor";
import { fingerprintPayee } from "~/modules/account-fingerprints/payee-fingerprint.server";
import type { CommandPart } from "~/modules/commands/run-command.server";
import { holdAuthorisedPayments } from "~/modules/payment-holds/payment-holds.statements.server";
import { CLOSING_REASONS } from "~/modules/verifications/verification";
import type { NotifyServices } from "~/services";
import type { Digests, Edit } from "./edit-payee.statements.server";
import { endPending } from "./end-pending.statements.server";
import { openPrepared, prepareVerification } from "./open-verification.server";

const EDITED = { reason: "The payee's bank details were changed", reasonCode: CLOSING_REASONS.details_edited };

/**
 * What follows from new bank details, in the batch of the edit: the pending verification ends, a new one opens, and
 * payments that were authorised for the old details are held again.
 */
export async function changeBankDetails(
  services: NotifyServices,
  actor: Actor,
  { payee, next }: Pick<Edit, "payee" | "next">,
  pendingId: string | undefined,
): Promise<{ digests: Digests; parts: CommandPart[]; verificationId: string }> {
  const [digests, prepared] = await Promise.all([
    fingerprintPayee(services, next),
    prepareVerification(services, actor, { payeeId: payee.id, details: next, cause: "details_edited" }),
  ]);
  const held = holdAuthorisedPayments(services, actor, { payee, cause: "bank_details_changed" });
  const ended =
    pendingId === undefined
      ? []
      : [endPending(services, actor, { payeeId: payee.id, verificationId: pendingId, ...EDITED })];
  const { verificationId } = prepared;
  return { digests, parts: [...ended, openPrepared(services, actor, prepared), held], verificationId };
}
