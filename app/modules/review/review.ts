import type { VerificationStatus } from "~/kernel/enums";

/** The rules of a reviewer's decision. Pure: no database, no clock. */

/** What a reviewer decides (specification, section 7). */
export type Review = { approved: true; addToGlobalWhitelist: boolean } | { approved: false; reason: string };

type BankDetails = { accountName: string; bsb: string; accountNumber: string };

/** What the rules look at, as the database has it now. */
export type ReviewCase = BankDetails & {
  status: VerificationStatus;
  requestedById: string | null;
  payee: BankDetails & { createdById: string | null; bankDetailsChangedById: string | null };
};

export type ReviewRefusal = "already_decided" | "details_changed" | "second_person_required";

/** True if the payee still has exactly the details that were submitted. */
export function hasSubmittedDetails({ payee, ...submitted }: ReviewCase): boolean {
  return (
    payee.accountName === submitted.accountName &&
    payee.bsb === submitted.bsb &&
    payee.accountNumber === submitted.accountNumber
  );
}

/**
 * True if the person would judge their own work: they asked for the verification, or the payee's bank details are as
 * they entered them (whoever changed them last, else who added the payee).
 */
export function isOwnWork(subject: Pick<ReviewCase, "requestedById" | "payee">, userId: string): boolean {
  const editorId = subject.payee.bankDetailsChangedById ?? subject.payee.createdById;
  return subject.requestedById === userId || editorId === userId;
}

/**
 * Whether this person may decide so now; undefined when they may. Rejecting is always open: it trusts nobody.
 */
export function refuseReview(
  subject: ReviewCase,
  review: Review,
  userId: string,
  policy: { secondPersonRequired: boolean },
): ReviewRefusal | undefined {
  if (subject.status !== "pending") return "already_decided";
  if (!review.approved) return undefined;
  if (policy.secondPersonRequired && isOwnWork(subject, userId)) return "second_person_required";
  return hasSubmittedDetails(subject) ? undefined : "details_changed";
}

/** What a decision rests on, as text: the result of the check, and whether the payee disputed. */
export function basisOf(verification: {
  outcome: string | null;
  nameMatchScore: number | null;
  disputedByPayeeAt: number | null;
}): string {
  return [verification.outcome, verification.nameMatchScore, verification.disputedByPayeeAt].join(":");
}
