import type { Approval } from "~/modules/payees/second-person";
import { findWhoEnteredBankDetails, findWhoRecordedHeldPayments } from "~/modules/payees/second-person.queries.server";
import type { Asking, VerificationDetail } from "~/modules/verifications/verification.queries.server";
import type { ReadServices } from "~/services";

/** Everybody whose own work an approval of the verification would be. */
export async function findApprovalOfVerification(
  services: ReadServices,
  actor: Asking,
  { payee, requestedById }: VerificationDetail,
): Promise<Approval> {
  const [enteredBy, recordedBy] = await Promise.all([
    findWhoEnteredBankDetails(services, actor, payee),
    findWhoRecordedHeldPayments(services, actor, payee.id),
  ]);
  return { enteredBy, requestedById, recordedBy };
}
