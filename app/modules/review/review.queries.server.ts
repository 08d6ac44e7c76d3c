import { paymentRecords } from "@db/schema";
import { and, eq, inArray, sql } from "drizzle-orm";
import { listChanges } from "~/modules/payees/payee-page.queries.server";
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

/** Payments to a payee that wait for a decision: how many, and their sum in cents. */
export async function readMoneyAtStake({ db }: ReadServices, { organizationId }: Asking, payeeId: string) {
  const [row] = await db
    .select({ count: sql<number>`count(*)`, cents: sql<number>`coalesce(sum(${paymentRecords.amount}), 0)` })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        eq(paymentRecords.payeeId, payeeId),
        inArray(paymentRecords.status, ["held", "verification_requested"]),
      ),
    );
  return { count: row?.count ?? 0, cents: row?.cents ?? 0 };
}

/** The payee's changes, newest first, for the story of how it came to its present details. */
export const listPayeeChanges = (services: ReadServices, actor: Asking, payeeId: string) =>
  listChanges(services, actor, payeeId);
