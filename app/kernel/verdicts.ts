/** The verdicts about a payee's details, which every area shows with the same words. Pure. */

/** The colour, icon and words of each verdict. A decided verification has no next step. */
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
    word: "Close match",
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
    next: "Compare it with the one that it looks like before you decide.",
  },
  similar_name: {
    tone: "pending",
    icon: "copy",
    word: "Similar name",
    next: "Compare it with the payee of that name before you decide.",
  },
  former_account: {
    tone: "review",
    icon: "copy",
    word: "Another payee's former account",
    next: "Compare it with that payee, and ask why the account is the same, using a contact you already had.",
  },
  contact_and_bank_changed: {
    tone: "review",
    icon: "flag",
    word: "Contact and bank changed",
    next: "Call the payee using a contact that you had before the changes, or reject.",
  },
  name_of_payee_differs: {
    tone: "pending",
    icon: "notEquals",
    word: "Payee name differs",
    next: "Ask why the account is in a different name from the payee's, using a contact you already had, before you decide.",
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
} as const;

export type VerdictName = keyof typeof VERDICTS;

/** The verdict of a stored name; undefined for one from another version, or none. */
export const findVerdict = (name: unknown) =>
  typeof name === "string" && Object.hasOwn(VERDICTS, name) ? VERDICTS[name as VerdictName] : undefined;
