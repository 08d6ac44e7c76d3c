import { AppError } from "~/kernel/app-error";
import { maskedAccount } from "~/kernel/bank-account";
import type { ApprovalEvidence } from "~/kernel/enums";
import { type BankDetails, type FormerTrust, isForCurrentDetails } from "~/kernel/payee";
import { type Grade, inSentence } from "~/modules/payees/verifications/outcomes";
import {
  FLAG_REASONS,
  findReviewFlags,
  flagFactsOf,
  flagsNeedingReason,
  missingEvidence,
  type ReviewFlag,
} from "~/modules/payees/verifications/review-flags";
import { DEFAULT_REJECTION_REASON } from "~/modules/payees/verifications/verification";
import type { VerificationDetail } from "~/modules/payees/verifications/verification.server";
import type { VerificationWords } from "~/modules/payees/verifications/verification-words";

/** The rules for a reviewer's decision, and the sentences about them before and after. Pure: no database, no clock. */

/** A reviewer's decision (specification, section 7). */
export type Review =
  | {
      approved: true;
      addToGlobalWhitelist: boolean;
      /** How the details were confirmed; required if a rule or a check raised a doubt. */
      reason?: string;
    }
  | { approved: false; reason: string; restoreFormer?: false };

/** A rejection that restores the name and bank details that a whitelisted payee had before a change. */
export type Restoring = { approved: false; reason: string; restoreFormer: true };

/** The facts that the rules judge, as they are in the database now. */
export type ReviewCase = BankDetails &
  Pick<VerificationDetail, "status"> & { payee: BankDetails & Pick<VerificationDetail["payee"], "archivedAt"> };

/** What the organisation requires of reviewers, and whether this one would approve their own work. */
export type Reviewer = {
  secondPersonRequired: boolean;
  isOwn: boolean;
  /** Whether this person would approve their own work by restoring the former details; absent: there are none. */
  isOwnToRestore?: boolean;
};

/** An approval would whitelist an archived payee. The page shows this instead of the form. */
const ARCHIVED_PAYEE = {
  title: "The payee is archived",
  text: "This payee is archived, so its bank details cannot be approved. Restore the payee first, or reject them.",
};

/** The refusals, apart from the one for a verification that is already decided, which says who decided it. */
export const REFUSALS = {
  payee_archived: () => new AppError("PAYEE_ARCHIVED", ARCHIVED_PAYEE.text),
  details_changed: () =>
    new AppError(
      "DETAILS_CHANGED",
      "The payee's bank details have changed since this verification was opened, so these cannot be approved.",
    ),
  second_person_required: () =>
    new AppError(
      "SECOND_PERSON_REQUIRED",
      "Your organisation requires a second person: people who entered any of these bank details here or in the accounting system they came from, connected that system, requested the verification or recorded a payment that waits for it cannot approve it.",
    ),
  second_person_to_restore: () =>
    new AppError(
      "SECOND_PERSON_REQUIRED",
      "Your organisation requires a second person, and restoring the former details trusts them again: people who entered them or the present ones, requested the verification or recorded a payment that waits for it cannot restore them. Reject without restoring, or leave it to someone else.",
    ),
  nothing_to_restore: () =>
    new AppError(
      "NOTHING_TO_RESTORE",
      "There are no former bank details to restore: the payee was not on the whitelist before the change, was taken off it since, or already has them.",
    ),
};

/**
 * Why this person may not make this decision now; undefined when they may. Rejecting is always allowed, because it
 * trusts nobody, unless it restores the former details.
 */
export function refuseReview(subject: ReviewCase, review: Review | Restoring, reviewer: Reviewer) {
  if (subject.status !== "pending") return "already_decided";
  if (!review.approved) {
    const isBarred = review.restoreFormer && reviewer.secondPersonRequired && reviewer.isOwnToRestore;
    return isBarred ? "second_person_to_restore" : undefined;
  }
  if (subject.payee.archivedAt !== null) return "payee_archived";
  if (reviewer.secondPersonRequired && reviewer.isOwn) return "second_person_required";
  return isForCurrentDetails(subject.payee, subject) ? undefined : "details_changed";
}

/** What an approval lacks; undefined: its reason, a bank or a call-back satisfies the organisation's policy. */
export function refuseEvidence(flags: readonly ReviewFlag[], support: Parameters<typeof missingEvidence>[1]) {
  const missing = missingEvidence(flags, support);
  if (missing === "check_or_call_back") {
    return new AppError(
      "REASON_REQUIRED",
      `Your organisation approves only what a bank or a call-back has confirmed. ${howToConfirm(flags)}`,
      { extra: { flags, requires: "check_or_call_back" } },
    );
  }
  if (missing !== "reason") return undefined;
  const needing = flagsNeedingReason(flags);
  return new AppError(
    "REASON_REQUIRED",
    `Say how you confirmed the details, or record a call-back, before you approve: ${whyReason(needing)}.`,
    { extra: { flags: needing } },
  );
}

/** What to do when neither a bank nor a call-back has confirmed the details. */
const howToConfirm = (flags: readonly ReviewFlag[]) =>
  flags.includes("unchecked")
    ? "Verify with the bank, or record a call, then approve."
    : "The bank's answer does not confirm these details: call the payee and record the call, or reject.";

const whyReason = (flags: readonly ReviewFlag[]) =>
  flags.length > 0 ? flags.map((flag) => FLAG_REASONS[flag]).join("; ") : "your organisation always asks";

/** The state that a decision is based on, as a string: the check's result, any dispute, and the flags. */
export function basisOf(verification: Parameters<typeof flagFactsOf>[0]): string {
  const { outcome, nameMatchScore, disputedByPayeeAt } = verification;
  return [outcome, nameMatchScore, disputedByPayeeAt, ...findReviewFlags(flagFactsOf(verification))].join(":");
}

type Known = {
  verdict: VerificationWords["verdict"];
  /** The payee confirmed the details in a call that counts as proof. */
  hasProof: boolean;
  /** Who may approve; null if no second person is required. */
  deciders: readonly string[] | null;
};

/** The person on the page, and what their organisation requires for an approval. */
type Asking = Reviewer & {
  approvalEvidence: ApprovalEvidence;
  /** The grade that an approval would have now. */
  graded: Grade | null;
  isArchived: boolean;
};

/** What the page shows in place of Approve before it is pressed: why they cannot, or the form's notes and fields. */
export function toApproving(flags: readonly ReviewFlag[], { verdict, hasProof, deciders }: Known, reader: Asking) {
  const support = { policy: reader.approvalEvidence, hasReason: false, hasProof };
  const missing = missingEvidence(flags, support);
  const isRequired = missing === "reason";
  const isAsked = flags.length > 0 || isRequired;
  const hint = isRequired
    ? askedHint(flagsNeedingReason(flags).map((flag) => FLAG_REASONS[flag]))
    : "For example, who you called, on which number, and where you found the number.";
  return {
    /** Shown instead of the form. */
    bar: findBar(missing === "check_or_call_back" ? howToConfirm(flags) : null, deciders, reader),
    /** The field for how the details were confirmed; null: there is no warning. */
    confirm: isAsked ? { label: "How did you confirm the details?", hint, isRequired } : null,
    globalHint:
      "Other organisations will see that one organisation trusts this account under this name, but not which one.",
    note: beforeApprovalSentence(reader),
    /** A single key approves, because nothing is asked and the verdict is not red. */
    isOneKey: !isAsked && verdict.tone !== "review",
  };
}

/** Why a reason is required: because of a flag, or because the organisation's policy always requires one. */
const askedHint = (why: readonly string[]) =>
  `${why.length > 0 ? `Needed because ${why.join("; ")}.` : "Needed here."} Say how you know that the details are right, for example which document you compared and where it came from, or record a call-back.`;

/** The consequences of an approval that a person may want to know beforehand. */
function beforeApprovalSentence({ isOwn, graded }: Asking): string | null {
  const sentences = [
    ...(isOwn ? ["You would approve your own work. The audit trail will say so."] : []),
    ...(graded?.name === "person" ? [`Approved now, it is recorded and certified as: ${inSentence(graded)}.`] : []),
  ];
  return sentences.join(" ") || null;
}

function findBar(
  toConfirm: string | null,
  deciders: Known["deciders"],
  { isOwn, secondPersonRequired, isArchived }: Asking,
) {
  if (isArchived) return ARCHIVED_PAYEE;
  if (isOwn && secondPersonRequired) {
    const others = deciders?.length ? " Anyone who can make changes can reject it." : "";
    const who = deciders ? ` ${whoCanSentence(deciders, "approve this")}${others}` : "";
    return {
      title: "A second person approves",
      text: `You entered bank details here or in the accounting system they came from, connected that system, requested this verification or recorded a payment that waits for it, so another person has to approve it.${who}`,
    };
  }
  if (toConfirm === null) return null;
  return {
    title: "A bank check or a call-back comes first",
    text: `Your organisation approves only what a bank or a call-back has confirmed. ${toConfirm}`,
  };
}

const NAMED = 5;

/** Who may do what this person may not, as a sentence. @param what such as "approve this" */
export function whoCanSentence(names: readonly string[], what: string): string {
  if (names.length === 0) return `Nobody else in your organisation can ${what}. An admin can invite a second person.`;
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""} can ${what}.`;
}

/** Why restoring a payee's former details does not make it trusted. */
const NO_TRUST = {
  disputed: "it disputed its bank details, and that stays on record until someone decides about it",
  taken_off: "someone took it off the whitelist",
  archived: "it was archived",
  name_not_kept: "the name it was trusted under was not kept",
  never_confirmed: "neither a bank nor a call-back confirmed these details, as your organisation requires",
};

/** The payee at present. Instants in epoch milliseconds. */
export type RestoringSubject = BankDetails &
  Pick<VerificationDetail["payee"], "name" | "formerTrust" | "disputedAt" | "takenOffWhitelistAt" | "archivedAt">;

/** What its organisation requires for an approval, and the evidence for one. */
export type RestoringEvidence = {
  /** The flags of the verification being rejected. */
  flags: readonly ReviewFlag[];
  policy: ApprovalEvidence;
  /** A bank or a call-back confirmed the former details when they were approved. */
  isConfirmed: boolean;
  /** Another payee had the former account after this payee was trusted with it. */
  hasLaterHolder: boolean;
};

/** Flags about the payee rather than the rejected account: they remain after the rejection. */
const ABOUT_PAYEE: ReadonlySet<ReviewFlag> = new Set([
  "lookalike",
  "similar_name",
  "contact_changed",
  "contact_and_bank_changed",
]);

/**
 * The effect of a rejection that restores a payee's former name and details; undefined: there is nothing to restore.
 * Trusting them again is an approval: the rules about a second person, flags and evidence apply. It settles no dispute,
 * and does not restore trust that a person has withdrawn meanwhile. If it may not trust them, the restored details wait
 * for a decision.
 */
export function judgeRestoring(payee: RestoringSubject, evidence: RestoringEvidence) {
  const { flags, policy, isConfirmed, hasLaterHolder } = evidence;
  const { formerTrust: former } = payee;
  const isAsFormer = former && isForCurrentDetails(payee, former) && (former.name ?? payee.name) === payee.name;
  if (!former || isAsFormer) return undefined;
  const ofPayee = flags.filter((flag) => ABOUT_PAYEE.has(flag));
  const standing: readonly ReviewFlag[] = hasLaterHolder ? ["former_account", ...ofPayee] : ofPayee;
  const support = { policy, hasReason: false, hasProof: false };
  const missing = missingEvidence(isConfirmed ? standing : [...standing, "unchecked"], support);
  const noTrust = barToTrust(payee, former) ?? (missing === "check_or_call_back" ? "never_confirmed" : null);
  return {
    former,
    /** Null: the payee is trusted again. */
    noTrust,
    /** Why the reason must say how the former details were confirmed; null: it need not. */
    asksFor: noTrust === null && missing === "reason" ? flagsNeedingReason(standing) : null,
  };
}

function barToTrust(payee: RestoringSubject, former: FormerTrust): keyof typeof NO_TRUST | undefined {
  if (payee.disputedAt !== null) return "disputed";
  if (payee.takenOffWhitelistAt !== null) return "taken_off";
  if (payee.archivedAt !== null) return "archived";
  return former.name === undefined ? "name_not_kept" : undefined;
}

/** What ticking the box would do, shown beforehand; the account is masked. */
export function restoringSentence(
  { former, noTrust, asksFor }: NonNullable<ReturnType<typeof judgeRestoring>>,
  payeeName: string,
): string {
  const { name = payeeName, accountName, bsb, accountNumber } = former;
  const account = `${maskedAccount({ bsb, accountNumber })}, ${accountName}`;
  const named = name === payeeName ? "" : ` under the name ${name}`;
  if (noTrust !== null) {
    return `${account}${named} is put back, and waits for a decision. The payee is not trusted again: ${NO_TRUST[noTrust]}.`;
  }
  const reason = asksFor === null ? "" : " Say in the reason how you confirmed the former details.";
  return `The payee is then trusted again with ${account}${named}.${reason}`;
}

/** Refuses a restoring rejection whose reason does not say how the former details were confirmed. */
export function refuseReasonToRestore(asksFor: readonly ReviewFlag[] | null, reason: string): AppError | undefined {
  if (asksFor === null || reason !== DEFAULT_REJECTION_REASON) return undefined;
  const sentence = `Say in the reason how you confirmed the former details, because restoring them approves them: ${whyReason(asksFor)}.`;
  return new AppError("REASON_REQUIRED", sentence, { extra: { flags: asksFor } });
}
