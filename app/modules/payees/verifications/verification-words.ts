import type { CheckOutcome } from "~/kernel/enums";
import type { VerdictName } from "~/kernel/verdicts";
import { describeOutcome, describeReason, type OutcomeWords } from "./outcomes";
import type { ReviewFlag } from "./review-flags";
import { type Headline, type HeadlineFacts, headlineOf, PROGRESS, progressOf } from "./verdict";
import { shownStatus } from "./verification";

/**
 * Every sentence about the state of a verification comes from one function, so that a page cannot contradict itself.
 * Next steps appear only while they are possible. Pure.
 */

export type WordFacts = HeadlineFacts & {
  /** The name that the bank returned. */
  verifiedName: string | null;
  /** The institution that the bank-data provider named, and the one that the BSB belongs to. */
  institutions: { verified: string | null; ofBsb: string | null };
  /** The payee confirmed through their link that the details are theirs. */
  isConfirmedByPayee: boolean;
  /** Sentences about lookalikes among the organisation's payees. */
  lookalikes: readonly string[];
  /** Sentences about other payees that had the account before. */
  formerHolders: readonly string[];
  /** A sentence that the payee went back to an account that it had before. */
  ownFormerAccount: string | null;
  /** The payee is on the whitelist with exactly the details that were verified. */
  isTrusted: boolean;
  payeeName: string;
  /** The submitted account name. */
  accountName: string;
  decisionReason: string | null;
};

export type VerificationWords = {
  verdict: Headline & { evidence: string[] };
  /** Introduces the comparison of the two accounts. */
  answer: AnswerLook & { title: string; fact: string; next: string | null; isSaid: boolean };
  /** Shown in a cell for which the bank gave no value. */
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

/** A matching name must not look like good news when there is a reason not to pay, so it is not green. */
const MATCH_UNDER_RED = { tone: "neutral", icon: "equals" } as const;

type AnswerLook = (typeof LOOKS)[keyof typeof LOOKS] | typeof MATCH_UNDER_RED;

/** Verdicts that say the bank's answer, so that its title is not repeated above the comparison. */
const ABOUT_ANSWER: ReadonlySet<VerdictName> = new Set([
  ...(["not_checked", "waiting", "matches", "close"] as const),
  ...(["does_not_match", "could_not_check", "account_closed"] as const),
]);

export function describeVerification(facts: WordFacts): VerificationWords {
  const { status, outcome } = facts;
  const isPending = status === "pending";
  const headline = headlineOf(facts);
  const look = headline.isRed && outcome === "match" ? MATCH_UNDER_RED : LOOKS[outcome ?? "none"];
  return {
    verdict: { ...headline, evidence: isPending ? evidenceOf(facts) : [] },
    answer: { ...look, ...answerOf(facts), isSaid: ABOUT_ANSWER.has(headline.name) },
    absent: absentOf(facts),
    ending: isPending ? null : endingOf(facts),
  };
}

function answerOf({ status, outcome, reasonCode, check }: WordFacts) {
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
  const { title, fact, next }: OutcomeWords = describeOutcome(outcome, reasonCode);
  return { title, fact, next: isPending ? (running ?? next ?? null) : null };
}

function absentOf({ status, outcome }: WordFacts): string {
  if (outcome !== null) return "Nothing from the bank";
  return status === "pending" ? "Not checked yet" : "Not checked";
}

export const CHANGED_TOGETHER =
  "The payee's email or phone was changed in the 30 days before the bank details, or since. Whoever changed both can answer your questions: use a contact from before.";

function evidenceOf(facts: WordFacts): string[] {
  const { flags, verifiedName, isConfirmedByPayee, ownFormerAccount } = facts;
  const held = verifiedName && `The bank holds this account as "${verifiedName}".`;
  const sentences: Partial<Record<ReviewFlag, string | readonly string[]>> = {
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
    former_account: facts.formerHolders,
    lookalike: facts.lookalikes,
    similar_name: facts.lookalikes,
    contact_and_bank_changed: CHANGED_TOGETHER,
    name_of_payee_differs: `The payee is called "${facts.payeeName}", and the account is in the name "${facts.accountName}".`,
    institution_differs: institutionsSentence(facts.institutions),
    renamed: "The payee was renamed.",
    contact_changed: flags.includes("contact_and_bank_changed")
      ? []
      : "The payee's email or phone was changed in the 30 days before this verification was opened, or since.",
  };
  const isDisputed = flags.includes("disputed") || facts.reasonCode === "payee_disputed";
  const confirmed = isConfirmedByPayee && !isDisputed;
  return [
    ...flags.flatMap((flag) => sentences[flag] ?? []),
    ...(ownFormerAccount ? [ownFormerAccount] : []),
    ...(confirmed ? ["The person who opened the payee's link said that the details are theirs."] : []),
  ];
}

const institutionsSentence = ({ verified, ofBsb }: WordFacts["institutions"]) =>
  `${verified ?? "Another institution"} says that it holds this account, but the BSB belongs to ${ofBsb ?? "another institution"}. Some banks also trade under other names.`;

function endingOf(facts: WordFacts): VerificationWords["ending"] {
  const { status, isTrusted, payeeName, decisionReason, outcome, reasonCode } = facts;
  if (status === "verified") {
    const text = isTrusted
      ? `${payeeName} is on the whitelist: a payment to these details is authorised unless a rule holds it.`
      : `${payeeName} has left the whitelist since, or now has different bank details.`;
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
