import type { ApprovalEvidence } from "~/kernel/enums";
import { type Grade, inSentence } from "~/modules/payees/verifications/grade";
import {
  FLAG_REASONS,
  flagsNeedingReason,
  missingEvidence,
  type ReviewFlag,
} from "~/modules/payees/verifications/review-flags";
import type { VerificationWords } from "~/modules/payees/verifications/verification-words";
import { type CallBack, hasProof } from "~/modules/verifying/call-backs/call-back";
import type { Reviewer } from "./review";

/** What stands where Approve is, said before any person presses anything. Pure. */

type Known = {
  verdict: VerificationWords["verdict"];
  calls: readonly CallBack[];
  /** Who may approve; null where no second person is required. */
  deciders: readonly string[] | null;
};

/** The person before the page, and what their organisation asks of an approval. */
type Asking = Reviewer & {
  approvalEvidence: ApprovalEvidence;
  /** How an approval would be graded now. */
  graded: Grade | null;
  /** The payee is out of use. */
  isArchived: boolean;
};

/** Either why this person cannot approve now, or what the form says and asks. */
type Approving = {
  /** Instead of the form. */
  bar: { title: string; text: string } | null;
  /** The field for how the details were confirmed; null: nothing speaks against them. */
  confirm: { label: string; hint: string; isRequired: boolean } | null;
  globalHint: string;
  note: string | null;
  /** One key of the keyboard approves: nothing is asked, and the verdict is not red. */
  isOneKey: boolean;
};

export function toApproving(
  flags: readonly ReviewFlag[],
  { verdict, calls, deciders }: Known,
  reader: Asking,
): Approving {
  const missing = findMissing(flags, calls, reader.approvalEvidence);
  const isRequired = missing === "reason";
  const asked = flagsNeedingReason(flags).map((flag) => FLAG_REASONS[flag]);
  const isAsked = flags.length > 0 || isRequired;
  return {
    bar: findBar(missing, deciders, reader),
    confirm: isAsked
      ? { label: "How did you confirm the details?", hint: isRequired ? askedHint(asked) : FREE_HINT, isRequired }
      : null,
    globalHint:
      "Other organisations will see that one organisation trusts this account under this name, but not which one.",
    note: sayBefore(reader),
    isOneKey: !isAsked && verdict.tone !== "review",
  };
}

/** What an approval leaves behind, where a person would rather know it before. */
function sayBefore({ isOwn, graded }: Asking): string | null {
  const sentences = [
    ...(isOwn ? ["You would approve your own work. The audit trail will say so."] : []),
    ...(graded?.name === "person" ? [`Approved now, it is recorded and certified as: ${inSentence(graded)}.`] : []),
  ];
  return sentences.join(" ") || null;
}

/** Why a reason is asked for, where a flag does; the policy of the organisation may always ask. */
const askedHint = (why: readonly string[]) =>
  `${why.length > 0 ? `Needed because ${why.join("; ")}.` : "Needed here."} Say how you know that the details are right, for example which document you compared and where it came from, or record a call-back.`;

const FREE_HINT = "For example, who you called, on which number, and where you found the number.";

/** An approval would put a payee that is out of use on the whitelist. */
export const ARCHIVED_PAYEE = {
  title: "The payee is archived",
  text: "This payee is archived, so its bank details cannot be approved. Put it back into use first, or reject them.",
};

function findBar(
  missing: ReturnType<typeof findMissing>,
  deciders: Known["deciders"],
  { isOwn, secondPersonRequired, isArchived }: Asking,
): Approving["bar"] {
  if (isArchived) return ARCHIVED_PAYEE;
  if (isOwn && secondPersonRequired) {
    const who = deciders ? ` ${sayDeciders(deciders)}` : "";
    return {
      title: "A second person approves",
      text: `You entered bank details here or in the accounting system they came from, connected that system, requested this verification or recorded a payment that waits for it, so another person has to approve it.${who}`,
    };
  }
  if (missing !== "check_or_call_back") return null;
  return {
    title: "A bank check or a call-back comes first",
    text: "Your organisation approves only what a bank or a call-back has confirmed. Verify with the bank, or record a call.",
  };
}

const findMissing = (flags: readonly ReviewFlag[], calls: readonly CallBack[], policy: ApprovalEvidence) =>
  missingEvidence(flags, { policy, hasReason: false, hasProof: hasProof(calls) }) ?? null;

const NAMED = 5;

/** Who may approve, in a sentence, before any person presses anything. */
const sayDeciders = (names: readonly string[]): string =>
  `${sayWhoCan(names, "approve this")}${names.length > 0 ? " Anyone who can make changes can reject it." : ""}`;

/** Who may do what this person may not. @param what such as "approve this" */
export function sayWhoCan(names: readonly string[], what: string): string {
  if (names.length === 0) return `Nobody else in your organisation can ${what}. An admin can invite a second person.`;
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""} can ${what}.`;
}
