import { prepared } from "@db/prepared";
import { organizationUsers, paymentRecords, users, verifications } from "@db/schema";
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import type { BankDetails } from "~/kernel/payee";
import { listChanges } from "~/modules/payees/payee-page.server";
import { type Approval, isOwnWork } from "~/modules/payees/second-person";
import { findBankDetailsEditors, findHeldPaymentRecorders } from "~/modules/payees/second-person.server";
import { isConclusive } from "~/modules/payees/verifications/verification";
import type { Asking, VerificationDetail } from "~/modules/payees/verifications/verification.server";
import { hasProof } from "~/modules/verifying/call-backs/call-back";
import { listCalls } from "~/modules/verifying/call-backs/call-back.server";
import type { ReadServices } from "~/services";

/** Every person whose own work an approval of the verification would be. */
export async function findApprovalOfVerification(
  services: ReadServices,
  actor: Asking,
  { payee, requestedById }: VerificationDetail,
): Promise<Approval> {
  const [enteredBy, recordedBy] = await Promise.all([
    findBankDetailsEditors(services, actor, payee),
    findHeldPaymentRecorders(services, actor, payee.id),
  ]);
  return { enteredBy, requestedById, recordedBy };
}

/**
 * Every person whose own work it would be to put the payee's former details back, and whether a bank or a call-back
 * confirmed those when they were approved.
 */
export async function findRestoring(services: ReadServices, actor: Asking, verification: VerificationDetail) {
  const { payee } = verification;
  const { formerTrust: former } = payee;
  if (!former) return undefined;
  const [approval, formerlyEnteredBy, isConfirmed] = await Promise.all([
    findApprovalOfVerification(services, actor, verification),
    findBankDetailsEditors(services, actor, { ...payee, ...former, name: former.name ?? payee.name }),
    wasConfirmed(services, actor, payee.id, former),
  ]);
  const enteredBy = new Set([...approval.enteredBy, ...formerlyEnteredBy]);
  return { approval: { ...approval, enteredBy }, isConfirmed };
}

/** Whether a bank answered about these details, or a call-back confirmed them, in the verification that last approved them. */
async function wasConfirmed(
  services: ReadServices,
  actor: Asking,
  payeeId: string,
  { accountName, bsb, accountNumber }: BankDetails,
): Promise<boolean> {
  const [approved] = await services.db
    .select({ id: verifications.id, outcome: verifications.outcome, score: verifications.nameMatchScore })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, actor.organizationId),
        eq(verifications.payeeId, payeeId),
        eq(verifications.status, "verified"),
        eq(verifications.accountName, accountName),
        eq(verifications.bsb, bsb),
        eq(verifications.accountNumber, accountNumber),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(1);
  if (!approved) return false;
  const isAnswered = approved.score !== null || (approved.outcome !== null && isConclusive(approved.outcome));
  return isAnswered || hasProof(await listCalls(services, actor, approved.id));
}

/** Payments to a payee that wait for a decision: how many, and their sum in cents. */
export async function readMoneyAtStake({ db }: ReadServices, { organizationId }: Asking, payeeId: string) {
  const [row] = await moneyAtStakeOf(db).all({ organizationId, payeeId });
  return { count: row?.count ?? 0, cents: row?.cents ?? 0 };
}

const moneyAtStakeOf = prepared((db) =>
  db
    .select({ count: sql<number>`count(*)`, cents: sql<number>`coalesce(sum(${paymentRecords.amount}), 0)` })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, sql.placeholder("organizationId")),
        eq(paymentRecords.payeeId, sql.placeholder("payeeId")),
        inArray(paymentRecords.status, ["held", "verification_requested"]),
      ),
    )
    .prepare(),
);

/** The payee's changes, newest first, for the story of how it came to its present details. */
export const listPayeeChanges = (services: ReadServices, actor: Asking, payeeId: string) =>
  listChanges(services, actor, payeeId);

/** More people than a sentence names. */
const DECIDERS_SIZE = 100;

/** Names of the people who may approve where a second person is required: they can write, and it is not their own work. */
export async function listDeciders(
  { db }: ReadServices,
  { organizationId }: Asking,
  approval: Approval,
): Promise<string[]> {
  const rows = await db
    .select({ userId: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.status, "active"),
        inArray(organizationUsers.role, ["admin", "member"]),
      ),
    )
    .orderBy(asc(organizationUsers.id))
    .limit(DECIDERS_SIZE);
  return rows.filter(({ userId }) => !isOwnWork(approval, userId)).map(displayName);
}
