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

/** Colour, icon and words of each verdict. The next step of a decided verification is empty: nothing is left to do. */
export const VERDICTS = {
  not_checked: {
    tone: "neutral",
    icon: "circle",
    word: "Not checked",
    next: "Check the account with the payee's bank, or confirm it another way.",
  },
  waiting: {
    tone: "neutral",
    icon: "mail",
    word: "Waiting for the payee",
    next: "Wait for the payee, or send the link again after 2 days.",
  },
  matches: { tone: "verified", icon: "checkCircle", word: "Matches", next: "Approve it, if you see no other problem." },
  close: {
    tone: "pending",
    icon: "notEquals",
    word: "Close",
    next: "Compare the names and confirm the difference before you decide.",
  },
  does_not_match: {
    tone: "review",
    icon: "flag",
    word: "Does not match",
    next: "Call the payee on a number you already had, or reject.",
  },
  disputed: {
    tone: "review",
    icon: "hand",
    word: "Disputed",
    next: "Reject, unless you have confirmed the details another way.",
  },
  lookalike: {
    tone: "review",
    icon: "copy",
    word: "Look-alike",
    next: "Compare it with what it looks like before you decide.",
  },
  could_not_check: {
    tone: "neutral",
    icon: "unlinked",
    word: "Could not check",
    next: "Try the check again, or confirm the details another way.",
  },
  account_closed: { tone: "review", icon: "barred", word: "Account closed", next: "Ask the payee for new details." },
  verified: { tone: "verified", icon: "checkCircle", word: "Verified", next: "" },
  rejected: { tone: "review", icon: "xCircle", word: "Rejected", next: "" },
  failed: {
    tone: "review",
    icon: "alert",
    word: "Failed",
    next: "Ask the payee for current details, then verify again.",
  },
} as const satisfies Readonly<Record<VerdictName, { tone: string; icon: string; word: string; next: string }>>;

/** What a badge draws of a verdict, the same wherever it appears. */
export type VerdictLook = {
  [Name in VerdictName]: Pick<(typeof VERDICTS)[Name], "tone" | "icon" | "word">;
}[VerdictName];

export function lookOf(name: VerdictName): VerdictLook {
  const { tone, icon, word } = VERDICTS[name];
  return { tone, icon, word } as VerdictLook;
}

/** What was changed before it was opened, in a word beside the verdict. */
const CHANGES = {
  details: { tone: "pending", icon: "pencil", word: "Changed" },
  name: { tone: "pending", icon: "pencil", word: "Renamed" },
  contact: { tone: "pending", icon: "phone", word: "Contact changed" },
  both: { tone: "review", icon: "pencil", word: "Changed, contact too" },
} as const;

export type ChangeLook = (typeof CHANGES)[keyof typeof CHANGES];

/** The word for what was changed; null: nothing. */
export function changeOf(flags: readonly ReviewFlag[]): ChangeLook | null {
  const isContact = flags.includes("contact_changed");
  if (flags.includes("changed_details")) return isContact ? CHANGES.both : CHANGES.details;
  if (flags.includes("renamed")) return CHANGES.name;
  return isContact ? CHANGES.contact : null;
}

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
  if (has("disputed") || has("disputed_before")) return "disputed";
  if (has("account_closed")) return "account_closed";
  if (has("name_mismatch")) return "does_not_match";
  if (has("lookalike")) return "lookalike";
  if (has("name_close") || (has("institution_differs") && outcome === "match")) return "close";
  if (isWaiting) return "waiting";
  if (outcome === "unable") return "could_not_check";
  return has("unchecked") ? "not_checked" : "matches";
}
