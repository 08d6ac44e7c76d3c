import type { BankCheckStep, CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { canRetry, describeOutcome, describeReason, type Told } from "./outcomes";
import type { ReviewFlag } from "./review-flags";
import { lookOf, VERDICTS, type VerdictLook, type VerdictName, verdictOf } from "./verdict";
import { shownStatus } from "./verification";

/**
 * Every sentence about where a verification stands, from one function, so that a page cannot say two things that
 * contradict each other. What is to be done is said only while it can be done. Pure.
 */

export type WordFacts = {
  status: VerificationStatus;
  outcome: CheckOutcome | null;
  reasonCode: string | null;
  flags: readonly ReviewFlag[];
  /** The name as the bank gave it. */
  verifiedName: string | null;
  /** The institution as the bank data provider names it, and the one that the BSB belongs to. */
  institutions: { verified: string | null; ofBsb: string | null };
  /** Of a bank check under way; its `returnedAt` says whether the payee has been at the bank or only went on to it. */
  check: RunningStep | null;
  /** A bank check runs, or a link that still works was not answered. */
  isWaiting: boolean;
  /** The payee said through their link that the details are theirs. */
  isConfirmedByPayee: boolean;
  /** Sentences about look-alikes among own payees. */
  lookalikes: readonly string[];
  /** The payee is on the whitelist with exactly the details that were verified. */
  isTrusted: boolean;
  payeeName: string;
  decisionReason: string | null;
};

export type VerificationWords = {
  verdict: VerdictLook & { name: VerdictName; next: string; evidence: string[] };
  /** Heads the comparison of the two accounts. */
  answer: AnswerLook & { title: string; fact: string; next: string | null };
  /** Stands in a cell where the bank gave nothing. */
  absent: string;
  /** How it ended; null while it is pending. */
  ending: { tone: "success" | "danger" | "info"; title: string; text: string | null } | null;
};

/** How the heading of each answer looks. */
const LOOKS = {
  match: { tone: "verified", icon: "checkCircle" },
  close_match: { tone: "pending", icon: "notEquals" },
  no_match: { tone: "review", icon: "flag" },
  account_closed: { tone: "review", icon: "xCircle" },
  account_not_shared: { tone: "review", icon: "flag" },
  consent_refused: { tone: "review", icon: "hand" },
  unable: { tone: "neutral", icon: "question" },
  none: { tone: "neutral", icon: "equals" },
} as const satisfies Record<CheckOutcome | "none", { tone: string; icon: string }>;

type AnswerLook = (typeof LOOKS)[keyof typeof LOOKS];

type RunningStep = {
  step: BankCheckStep;
  /** When the payee came back from the bank, or was first seen to have been there; epoch milliseconds. */
  returnedAt: number | null;
};

/** How far a bank check has come. The bank answers only about a payee who has been there. */
type Progress = "starting" | "asked" | "led_to_bank" | "been_at_bank";

function progressOf({ step, returnedAt }: RunningStep): Progress | null {
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

const PROGRESS: Readonly<Record<Progress, { fact: string; next: string }>> = {
  starting: {
    fact: "The bank check is starting. A link asks the payee to go on to their bank.",
    next: "Wait a moment: the bank check is starting.",
  },
  asked: {
    fact: "The payee holds a link and has not gone on to their bank yet.",
    next: "Wait for the payee, or send the link again after 2 days.",
  },
  led_to_bank: {
    fact: "The payee went on to their bank and may not have finished there.",
    next: "Wait for the payee to finish at their bank. If nothing comes within 2 days, send the link again.",
  },
  been_at_bank: {
    fact: "The payee has been at their bank. The bank's answer usually comes within minutes.",
    next: "Wait for the bank's answer. It usually comes within minutes.",
  },
};

export function describeVerification(facts: WordFacts): VerificationWords {
  const { status, outcome, flags, isWaiting } = facts;
  const isPending = status === "pending";
  const name = verdictOf({ status, outcome, flags, isWaiting });
  return {
    verdict: {
      name,
      ...lookOf(name),
      next: nextStep(name, facts),
      evidence: isPending ? evidenceOf(facts) : [],
    },
    answer: { ...LOOKS[outcome ?? "none"], ...answerOf(facts) },
    absent: absentOf(facts),
    ending: isPending ? null : endingOf(facts),
  };
}

const CHANGES = ["changed_details", "renamed", "contact_changed"] as const satisfies readonly ReviewFlag[];

/** A verdict's own next step, where the facts do not make it a wrong one. */
function nextStep(name: VerdictName, { check, reasonCode, flags }: WordFacts): string {
  const progress = check && progressOf(check);
  if (name === "waiting" && progress) return PROGRESS[progress].next;
  if (name === "could_not_check" && !canRetry(reasonCode)) return "Confirm the details another way before you decide.";
  if (name === "close" && !flags.includes("name_close")) {
    return "Ask the payee which bank holds the account, on a contact you already had, before you decide.";
  }
  if (name === "matches" && CHANGES.some((change) => flags.includes(change))) {
    return "The bank confirms the name. Ask the payee about the change on a contact you already had.";
  }
  return VERDICTS[name].next;
}

function answerOf({
  status,
  outcome,
  reasonCode,
  check,
}: WordFacts): Pick<VerificationWords["answer"], "title" | "fact" | "next"> {
  const isPending = status === "pending";
  const progress = isPending && check ? progressOf(check) : null;
  const running = progress && PROGRESS[progress].fact;
  if (outcome === null) {
    if (!isPending)
      return { title: "Nothing was compared", fact: "No bank gave an answer about these details.", next: null };
    return {
      title: "Nothing to compare yet",
      fact: running ?? "No bank has answered about these details so far.",
      next: null,
    };
  }
  const { title, fact, next }: Told = describeOutcome(outcome, reasonCode);
  return { title, fact, next: isPending ? (running ?? next ?? null) : null };
}

function absentOf({ status, outcome }: WordFacts): string {
  if (outcome !== null) return "Nothing from the bank";
  return status === "pending" ? "Not checked yet" : "Not checked";
}

function evidenceOf(facts: WordFacts): string[] {
  const { flags, verifiedName, isConfirmedByPayee, lookalikes } = facts;
  const held = verifiedName && `The bank holds this account as "${verifiedName}".`;
  const sentences: Partial<Record<ReviewFlag, string | null>> = {
    disputed: "The payee said that these are not their details.",
    disputed_before:
      "The payee said before that its bank details were not theirs, and no one has decided about it since.",
    account_closed: "The bank says that this account is closed.",
    name_mismatch:
      held ||
      (facts.reasonCode === "name_not_confirmed"
        ? "The bank does not confirm the name of this account."
        : "The bank holds this account under a different name."),
    name_close: held || "The bank says that the account has a similar name.",
    institution_differs: sayInstitutions(facts.institutions),
    renamed: "The payee was given another name.",
    contact_changed:
      "The payee's email or phone was changed in the 30 days before this verification was opened, or since.",
  };
  const isDisputed = flags.includes("disputed") || facts.reasonCode === "payee_disputed";
  const confirmed = isConfirmedByPayee && !isDisputed;
  return [
    ...flags.flatMap((flag) => (flag === "lookalike" ? lookalikes : (sentences[flag] ?? []))),
    ...(confirmed ? ["The person who opened the payee's link said that the details are theirs."] : []),
  ];
}

const sayInstitutions = ({ verified, ofBsb }: WordFacts["institutions"]) =>
  `${verified ?? "Another institution"} says that it holds this account, but the BSB belongs to ${ofBsb ?? "another institution"}. Some banks also trade under other names.`;

function endingOf(facts: WordFacts): VerificationWords["ending"] {
  const { status, isTrusted, payeeName, decisionReason, outcome, reasonCode } = facts;
  if (status === "verified") {
    const text = isTrusted
      ? `${payeeName} is on the whitelist: payments to these details are answered at once.`
      : `${payeeName} has left the whitelist since, or has other bank details now.`;
    return { tone: "success", title: "Verification Approved", text };
  }
  if (status === "rejected") {
    return { tone: "danger", title: "Verification Rejected", text: decisionReason && `Reason: ${decisionReason}` };
  }
  const text = whyFailed({ outcome, reasonCode, decisionReason });
  if (shownStatus(facts) === "closed") return { tone: "info", title: "Verification Closed", text };
  return { tone: "danger", title: "Verification Failed", text };
}

/** Why a verification failed, in a sentence. */
function whyFailed({
  outcome,
  reasonCode,
  decisionReason,
}: Pick<WordFacts, "outcome" | "reasonCode" | "decisionReason">): string {
  const known =
    describeReason(reasonCode) ?? (decisionReason === null && outcome ? describeOutcome(outcome, null) : undefined);
  if (known) return known.fact;
  return decisionReason ? `${decisionReason}.`.replace(/\.\.$/, ".") : "The bank details could not be verified.";
}
