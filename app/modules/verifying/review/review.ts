import type { VerificationStatus } from "~/kernel/enums";
import { findReviewFlags, flagFactsOf } from "~/modules/payees/verifications/review-flags";

/** The rules of a reviewer's decision. Pure: no database, no clock. */

/** What a reviewer decides (specification, section 7). */
export type Review =
  | {
      approved: true;
      addToGlobalWhitelist: boolean;
      /** How the details were confirmed; required where a rule or a check raised a doubt. */
      reason?: string;
    }
  | {
      approved: false;
      reason: string;
      /** Put back the name and bank details that a whitelisted payee had before they were changed. */
      restoreFormer?: boolean;
    };

type BankDetails = { accountName: string; bsb: string; accountNumber: string };

/** What the rules look at, as the database has it now. */
export type ReviewCase = BankDetails & {
  status: VerificationStatus;
  payee: BankDetails & { archivedAt: number | null };
};

/** What the organisation asks of reviewers, and whether this one would approve their own work. */
export type Reviewer = {
  secondPersonRequired: boolean;
  isOwn: boolean;
  /** The same of putting the former details back; absent: there are none. */
  isOwnToRestore?: boolean;
};

export type ReviewRefusal =
  | "already_decided"
  | "payee_archived"
  | "details_changed"
  | "second_person_required"
  | "second_person_to_restore";

/** True if the payee still has exactly the details that were submitted. */
export function hasSubmittedDetails({ payee, ...submitted }: { payee: BankDetails } & BankDetails): boolean {
  return (
    payee.accountName === submitted.accountName &&
    payee.bsb === submitted.bsb &&
    payee.accountNumber === submitted.accountNumber
  );
}

/**
 * Whether this person may decide so now; undefined when they may. Rejecting is always open: it trusts nobody, unless it
 * restores the former details.
 */
export function refuseReview(subject: ReviewCase, review: Review, reviewer: Reviewer): ReviewRefusal | undefined {
  if (subject.status !== "pending") return "already_decided";
  if (!review.approved) {
    const isBarred = review.restoreFormer && reviewer.secondPersonRequired && reviewer.isOwnToRestore;
    return isBarred ? "second_person_to_restore" : undefined;
  }
  if (subject.payee.archivedAt !== null) return "payee_archived";
  if (reviewer.secondPersonRequired && reviewer.isOwn) return "second_person_required";
  return hasSubmittedDetails(subject) ? undefined : "details_changed";
}

/** What a decision rests on, as text: the result of the check, whether the payee disputed, and what speaks against it. */
export function basisOf(verification: Parameters<typeof flagFactsOf>[0]): string {
  const { outcome, nameMatchScore, disputedByPayeeAt } = verification;
  return [outcome, nameMatchScore, disputedByPayeeAt, ...findReviewFlags(flagFactsOf(verification))].join(":");
}
