import type { Acting, CommandPart } from "~/modules/core/commands/run-command.server";
import { endVerification } from "~/modules/payees/verifications/verification.server";
import { returnRequestedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { Services } from "~/services";

type Ending = { payeeId: string; verificationId: string; reason: string; reasonCode: string };

/** Ends a verification that nobody needs any more. It proves nothing about the payee, so it is failed, not rejected. */
export function endPending(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Acting,
  { payeeId, verificationId, reason, reasonCode }: Ending,
): CommandPart {
  const ending = { decisionId: services.ids.next(), verificationId, status: "failed", reason, reasonCode } as const;
  const entry = { action: "verification.superseded", entityType: "verification", entityId: verificationId } as const;
  return {
    statements: [
      ...endVerification(services, actor, ending),
      ...returnRequestedPayments(services, actor, verificationId),
    ],
    audit: [{ ...entry, details: { payeeId, reasonCode } }],
  };
}
