import { AppError } from "~/kernel/app-error";
import { isOpen } from "./verification";
import type { VerificationDetail } from "./verification.queries.server";

/**
 * Only a pending verification that its payee has not disputed can be checked or sent to the payee.
 * @throws AppError 409 VERIFICATION_DECIDED, PAYEE_DISPUTED
 */
export function requireUndecided(verification: Pick<VerificationDetail, "status" | "disputedByPayeeAt">): void {
  if (!isOpen(verification.status)) {
    throw new AppError("VERIFICATION_DECIDED", 409, "This verification has ended. Open a new one to check again.");
  }
  if (verification.disputedByPayeeAt !== null) {
    throw new AppError(
      "PAYEE_DISPUTED",
      409,
      "The payee said that these are not their details. Correct the details or reject the verification.",
    );
  }
}
