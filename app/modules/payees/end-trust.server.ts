import type { Actor } from "~/kernel/actor";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-fingerprint.server";
import { CLOSING_REASONS } from "~/modules/payees/verifications/verification";
import { holdAuthorisedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { NotifyServices } from "~/services";
import type { Edit } from "./change-notices.server";
import type { Digests } from "./edit-payee.server";
import { endPending } from "./end-pending.server";
import { openPrepared, prepareVerification } from "./open-verification.server";

/**
 * What follows when what was verified of a payee changes, its bank details or its name, in the batch of the edit: the
 * pending verification ends, a new one opens, and payments that were authorised for the former are held again.
 */
export async function endTrust(
  services: NotifyServices,
  actor: Actor,
  { payee, next, decision }: Edit,
  pendingId: string | undefined,
): Promise<{ digests: Digests; parts: CommandPart[]; verificationId: string }> {
  const cause = decision.bankDetailsChanged ? "details_edited" : "payee_renamed";
  const [digests, prepared] = await Promise.all([
    fingerprintPayee(services, next),
    prepareVerification(services, actor, { payeeId: payee.id, details: next, cause }),
  ]);
  const held = holdAuthorisedPayments(services, actor, {
    payee,
    cause: decision.bankDetailsChanged ? "bank_details_changed" : "payee_renamed",
  });
  const reason = `The payee's ${decision.bankDetailsChanged ? "bank details were" : "name was"} changed`;
  const ending = { payeeId: payee.id, reason, reasonCode: CLOSING_REASONS[cause] };
  const ended = pendingId === undefined ? [] : [endPending(services, actor, { ...ending, verificationId: pendingId })];
  const { verificationId } = prepared;
  return { digests, parts: [...ended, openPrepared(services, actor, prepared), held], verificationId };
}
