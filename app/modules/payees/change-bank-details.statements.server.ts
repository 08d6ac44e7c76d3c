import type { Actor } from "~/kernel/actor";
import { fingerprintPayee } from "~/modules/account-fingerprints/payee-fingerprint.server";
import type { CommandPart } from "~/modules/commands/run-command.server";
import {
  holdAuthorisedPayments,
  returnRequestedPayments,
} from "~/modules/payment-holds/payment-holds.statements.server";
import { endVerification } from "~/modules/verifications/verification.statements.server";
import type { NotifyServices } from "~/services";
import type { Digests, Edit } from "./edit-payee.statements.server";
import { openPrepared, prepareVerification } from "./open-verification.server";

/**
 * What follows from new bank details, in the batch of the edit: the pending verification ends, a new one opens, and
 * payments that were authorised for the old details are held again.
 */
export async function changeBankDetails(
  services: NotifyServices,
  actor: Actor,
  { payee, next }: Pick<Edit, "payee" | "next">,
  pendingId: string | undefined,
): Promise<{ digests: Digests; parts: CommandPart[] }> {
  const [digests, prepared] = await Promise.all([
    fingerprintPayee(services, next),
    prepareVerification(services, actor, { payeeId: payee.id, details: next, cause: "details_edited" }),
  ]);
  const held = holdAuthorisedPayments(services, actor, { payee, cause: "bank_details_changed" });
  const ended = pendingId === undefined ? [] : [supersede(services, actor, payee.id, pendingId)];
  return { digests, parts: [...ended, openPrepared(services, actor, prepared), held] };
}

/** Ends the verification of details that are no more. It proves nothing about the payee, so it is failed, not rejected. */
function supersede(services: NotifyServices, actor: Actor, payeeId: string, verificationId: string): CommandPart {
  const ending = {
    decisionId: services.ids.next(),
    verificationId,
    status: "failed",
    reason: "The payee's bank details were changed",
    reasonCode: "details_edited",
  } as const;
  return {
    statements: [
      ...endVerification(services, actor, ending),
      ...returnRequestedPayments(services, actor, verificationId),
    ],
    audit: [
      {
        action: "verification.superseded",
        entityType: "verification",
        entityId: verificationId,
        details: { payeeId },
      },
    ],
  };
}
