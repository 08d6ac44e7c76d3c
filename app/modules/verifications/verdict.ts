import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import type { ReviewFlag } from "./review-flags";

/**
 * The one word for where a verification stands, and what to do next: the same wherever it is shown. The score's words
 * (Exact, Strong, Weak ...) name the score only. Pure.
 */
export type VerdictName =
  | "not_checked"
  | "waiting"
  | "matches"
  | "close"
  | "does_not_match"
  | "disputed"
  | "lookalike"
  | "could_not_check"
  | "account_closed"
  | "verified"
  | "rejected"
  | "failed";

/** The words of each verdict. The next step of a decided verification is empty: nothing is left to do. */
export const VERDICTS: Readonly<Record<VerdictName, { word: string; next: string }>> = {
  not_checked: { word: "Not checked", next: "Check the account with the payee's bank, or confirm it another way." },
  waiting: { word: "Waiting for the payee", next: "Wait for the payee, or send the link again after 2 days." },
  matches: { word: "Matches", next: "Approve it, if you see no other problem." },
  close: { word: "Close", next: "Compare the names and confirm the difference before you decide." },
  does_not_match: { word: "Does not match", next: "Call the payee on a number you already had, or reject." },
  disputed: { word: "Disputed", next: "Reject, unless you have confirmed the details another way." },
  lookalike: { word: "Looks like another payee", next: "Compare it with the other payee before you decide." },
  could_not_check: { word: "Could not check", next: "Try the check again, or confirm the details another way." },
  account_closed: { word: "Account closed", next: "Ask the payee for new details." },
  verified: { word: "Verified", next: "" },
  rejected: { word: "Rejected", next: "" },
  failed: { word: "Failed", next: "Ask the payee for current details, then verify again." },
};

export type VerdictFacts = {
  status: VerificationStatus;
  outcome: CheckOutcome | null;
  flags: readonly ReviewFlag[];
  /** A bank check runs, or a link was sent and not answered. */
  isWaiting: boolean;
};

/** Whether a person outside is being waited for: a bank check runs, or a link that still works was sent and nothing came back. */
export function isWaitingForPayee(
  facts: {
    outcome: CheckOutcome | null;
    isCheckRunning: boolean;
    notificationSentAt: number | null;
    verifiedByPayeeAt: number | null;
    disputedByPayeeAt: number | null;
    verificationTokenExpiresAt: number | null;
  },
  now: number,
): boolean {
  if (facts.isCheckRunning) return true;
  const {
    outcome,
    notificationSentAt,
    verifiedByPayeeAt,
    disputedByPayeeAt,
    verificationTokenExpiresAt: until,
  } = facts;
  const isAnswered = outcome !== null || verifiedByPayeeAt !== null || disputedByPayeeAt !== null;
  return notificationSentAt !== null && !isAnswered && until !== null && until > now;
}

/** The verdict of a verification. Reasons to reject come before reasons to approve. */
export function verdictOf({ status, outcome, flags, isWaiting }: VerdictFacts): VerdictName {
  if (status !== "pending") return status;
  const has = (flag: ReviewFlag) => flags.includes(flag);
  if (has("disputed")) return "disputed";
  if (has("account_closed")) return "account_closed";
  if (has("name_mismatch")) return "does_not_match";
  if (has("lookalike")) return "lookalike";
  if (has("name_close") || (has("institution_differs") && outcome === "match")) return "close";
  if (isWaiting) return "waiting";
  if (outcome === "unable") return "could_not_check";
  return has("unchecked") ? "not_checked" : "matches";
}
