import { AppError } from "~/kernel/app-error";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { alreadyDecided } from "~/modules/review/review.errors.server";
import { isOpen } from "~/modules/verifications/verification";
import type { VerificationDetail } from "~/modules/verifications/verification.queries.server";
import type { Services } from "~/services";

type Guarded = Pick<VerificationDetail, "status" | "decision" | "decidedBy" | "disputedByPayeeAt">;

/**
 * Only a pending verification that its payee has not disputed can be checked or sent to the payee.
 * @throws AppError 409 ALREADY_DECIDED, PAYEE_DISPUTED
 */
export async function requireUndecided(
  services: Pick<Services, "db">,
  actor: { organizationId: string },
  verification: Guarded,
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
