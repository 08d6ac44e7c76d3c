import type { BankCheckStep, CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { VERDICTS, type VerdictName } from "~/kernel/verdicts";
import { canRetry } from "./outcomes";
import { FLAG_REASONS, hasRedFlag, type ReviewFlag, redBesideAnswer } from "./review-flags";

/**
 * The headline of a verification: the one word for its state, its colour and icon, and what to do next. `headlineOf`
 * derives it from all facts, for every page, list, email and API answer. The words for scores (Exact, Strong, Weak ...)
 * describe only the score. Pure.
 */

export const VERDICT_NAMES = Object.keys(VERDICTS) as [VerdictName, ...VerdictName[]];

/** What a badge shows of a verdict, the same everywhere. */
export type VerdictLook = Pick<(typeof VERDICTS)[VerdictName], "tone" | "icon" | "word">;

/** A word beside the verdict for what changed before the verification was opened. */
const CHANGES = {
  details: { tone: "pending", icon: "pencil", word: "Changed" },
  name: { tone: "pending", icon: "pencil", word: "Renamed" },
  contact: { tone: "pending", icon: "phone", word: "Contact changed" },
  both: { tone: "review", icon: "pencil", word: "Changed, contact too" },
} as const;

export type ChangeLook = (typeof CHANGES)[keyof typeof CHANGES];

/** The word for what changed; null: nothing. */
function changeOf(flags: readonly ReviewFlag[]): ChangeLook | null {
  if (flags.includes("contact_and_bank_changed")) return CHANGES.both;
  if (flags.includes("changed_details")) return CHANGES.details;
  if (flags.includes("renamed")) return CHANGES.name;
  return flags.includes("contact_changed") ? CHANGES.contact : null;
}

export type HeadlineFacts = {
  status: VerificationStatus;
  outcome: CheckOutcome | null;
  /** Why it ended so, in machine form. */
  reasonCode: string | null;
  flags: readonly ReviewFlag[];
  /** A bank check is in progress, or a link was sent and not answered. */
  isWaiting: boolean;
  /** The bank check in progress; `returnedAt`: the payee has been at the bank, not only been sent there. */
  check: RunningStep | null;
};

export type Headline = VerdictLook & {
  name: VerdictName;
  /** What to do next; empty when nothing is left to do. */
  next: string;
  /** What changed, beside the verdict; null: nothing, the verdict says it, or it is decided. */
  change: ChangeLook | null;
  /** The same, even if the verdict already says it. */
  changed: string | null;
  /** There is a reason not to pay at all, so nothing green is shown. */
  isRed: boolean;
};

export function headlineOf(facts: HeadlineFacts): Headline {
  const { status, flags } = facts;
  const name = verdictOf(facts);
  const { tone, icon, word } = VERDICTS[name];
  const change = status === "pending" ? changeOf(flags) : null;
  return {
    ...{ name, tone, icon, word },
    next: nextStep(name, facts),
    change: name === "contact_and_bank_changed" ? null : change,
    changed: change?.word ?? null,
    isRed: status === "pending" && hasRedFlag(flags),
  };
}

/** The headline of a flag on a payee, even when no verification is open. */
export const headlineOfFlag = (flag: ReviewFlag): Headline =>
  headlineOf({ status: "pending", outcome: null, reasonCode: null, flags: [flag], isWaiting: false, check: null });

/**
 * The page's headline and its reason, when a fact other than the bank's answer is a reason not to pay. Null: the bank's
 * answer says it all.
 */
export function headlineBesideAnswer(answer: Pick<HeadlineFacts, "outcome" | "reasonCode" | "flags">) {
  const against = redBesideAnswer(answer.flags).map((flag) => FLAG_REASONS[flag]);
  if (against.length === 0) return null;
  const { word, next } = headlineOf({ ...answer, status: "pending", isWaiting: false, check: null });
  const why = against.join("; ");
  return { word, next, why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.` };
}

/** What a bank's answer says by itself. */
export const VERDICT_OF_ANSWER: Readonly<Record<CheckOutcome, VerdictName>> = {
  match: "matches",
  close_match: "close",
  no_match: "does_not_match",
  account_closed: "account_closed",
  account_not_shared: "failed",
  consent_refused: "failed",
  unable: "could_not_check",
};

/** The verdict, in the queue's order: reasons to reject before unknowns, and those before reasons to approve. */
function verdictOf({ status, outcome, flags, isWaiting }: HeadlineFacts): VerdictName {
  if (status !== "pending") return status;
  const has = (flag: ReviewFlag) => flags.includes(flag);
  if (has("disputed") || has("disputed_before")) return "disputed";
  if (has("account_closed")) return "account_closed";
  if (has("name_mismatch")) return "does_not_match";
  if (has("former_account")) return "former_account";
  if (has("lookalike")) return "lookalike";
  if (has("contact_and_bank_changed")) return "contact_and_bank_changed";
  if (has("name_of_payee_differs")) return "name_of_payee_differs";
  if (has("name_close") || (has("institution_differs") && outcome === "match")) return "close";
  if (has("similar_name")) return "similar_name";
  if (isWaiting) return "waiting";
  if (outcome === "unable") return "could_not_check";
  return has("unchecked") ? "not_checked" : "matches";
}

const CHANGE_FLAGS = ["changed_details", "renamed", "contact_changed"] as const satisfies readonly ReviewFlag[];

/** The verdict's own next step, unless the facts make it inappropriate. */
function nextStep(name: VerdictName, { check, reasonCode, flags }: HeadlineFacts): string {
  const progress = check && progressOf(check);
  if (name === "waiting" && progress) return PROGRESS[progress].next;
  if (name === "name_of_payee_differs" && flags.includes("unchecked")) {
    return "Ask why the account is in a different name from the payee's, using a contact you already had. No bank has answered yet.";
  }
  if (name === "could_not_check" && !canRetry(reasonCode)) return "Confirm the details another way before you decide.";
  if (name === "close" && !flags.includes("name_close")) {
    return "Ask the payee which bank holds the account, using a contact you already had, before you decide.";
  }
  if (name === "matches" && CHANGE_FLAGS.some((change) => flags.includes(change))) {
    return "The bank confirms the name. Ask the payee about the change using a contact you already had.";
  }
  return VERDICTS[name].next;
}

export type RunningStep = {
  step: BankCheckStep;
  /** When the payee came back from the bank, or was first noticed to have been there; epoch milliseconds. */
  returnedAt: number | null;
  /** When the bank-data provider stopped responding; null: it responded the last time. */
  silentSince: number | null;
};

/** The progress of a bank check. The bank answers only after the payee has been there. */
type Progress = "starting" | "asked" | "led_to_bank" | "been_at_bank" | "provider_silent";

export function progressOf({ step, returnedAt, silentSince }: RunningStep): Progress | null {
  if (silentSince !== null && step !== "finished") return "provider_silent";
  switch (step) {
    case "starting":
      return "starting";
    case "awaiting_payee":
      return "asked";
    case "at_bank":
      return returnedAt === null ? "led_to_bank" : "been_at_bank";
    case "finished":
      return null;
  }
}

export const PROGRESS: Readonly<Record<Progress, { fact: string; next: string }>> = {
  starting: {
    fact: "The bank check is starting. A link asks the payee to continue to their bank.",
    next: "Wait a moment: the bank check is starting.",
  },
  asked: {
    fact: "The payee has a link but has not continued to their bank yet.",
    next: "Wait for the payee, or send the link again after 2 days.",
  },
  led_to_bank: {
    fact: "The payee continued to their bank and may not have finished there.",
    next: "Wait for the payee to finish at their bank. If nothing comes within 2 days, send the link again.",
  },
  been_at_bank: {
    fact: "The payee has been at their bank. The bank's answer usually comes within minutes.",
    next: "Wait for the bank's answer. It usually comes within minutes.",
  },
  provider_silent: {
    fact: "The bank data provider does not answer; we keep trying. The check is not lost.",
    next: "Nothing for now: we keep trying. If it cannot wait, confirm the details another way.",
  },
};

/** True if an outside person still has to act: a bank check is in progress, or a valid link has no answer. */
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
