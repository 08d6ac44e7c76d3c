import { displayName } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { ReadServices } from "~/services";
import { isOpen } from "./verification";
import type { Asking, VerificationDetail } from "./verification.server";

const VERBS = { verified: "approved", rejected: "rejected", failed: "ended", pending: "kept" } as const;

type Decided = Pick<VerificationDetail, "status" | "decision" | "decidedBy">;

/** "Dana Wu rejected this verification on 20 Nov 2026, 4:42 pm: Manual rejection" */
function sayWhoDecided({ status, decision, decidedBy }: Decided, timeZone: string): string {
  if (!decision) return "This verification has already ended.";
  const on = formatDateTime(decision.createdAt, timeZone);
  const why = decision.reason && status !== "verified" ? `: ${decision.reason}` : ".";
  if (!decidedBy || status === "failed") return `This verification ended on ${on}${why}`;
  return `${displayName(decidedBy)} ${VERBS[status]} this verification on ${on}${why}`;
}

/** Only a pending verification can be decided: says who decided, when and how. */
export function alreadyDecided(verification: Decided, timeZone: string): AppError {
  const { status, decision, decidedBy } = verification;
  return new AppError("ALREADY_DECIDED", 409, sayWhoDecided(verification, timeZone), {
    extra: {
      decision: decision && {
        status,
        decidedBy: decidedBy && displayName(decidedBy),
        decidedAt: toIso(decision.createdAt),
        reason: decision.reason,
      },
    },
  });
}

export const verificationChanged = () =>
  new AppError(
    "VERIFICATION_CHANGED",
    409,
    "Something new is known about this verification since you opened it. Look again, then decide.",
  );

/**
 * Only a pending verification that its payee has not disputed can be checked or sent to the payee.
 * @throws AppError 409 ALREADY_DECIDED, PAYEE_DISPUTED
 */
export async function requireUndecided(
  services: ReadServices,
  actor: Asking,
  verification: Decided & Pick<VerificationDetail, "disputedByPayeeAt">,
): Promise<void> {
  if (!isOpen(verification.status)) {
    const { timeZone } = await findPolicy(services, actor.organizationId);
    throw alreadyDecided(verification, timeZone);
  }
  if (verification.disputedByPayeeAt !== null) {
    throw new AppError(
      "PAYEE_DISPUTED",
      409,
      "The payee said that these are not their details. Correct the details or reject the verification.",
    );
  }
}
