import { maskAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";
import type { ApprovalEvidence } from "~/kernel/enums";
import { type BankDetails, type FormerTrust, isForCurrentDetails } from "~/kernel/payee";
import {
  FLAG_REASONS,
  flagsNeedingReason,
  type MissingEvidence,
  missingEvidence,
  type ReviewFlag,
} from "~/modules/payees/verifications/review-flags";
import { DEFAULT_REJECTION_REASON } from "~/modules/payees/verifications/verification";

/**
 * What a rejection that puts the former name and details of a payee back would do. Trusting them again is an approval: the
 * rules of a second person, of flags and of evidence hold for it, it settles no dispute, and it brings back nothing that a
 * person took away meanwhile. Where it may not trust, the details go back and wait for a decision. Pure.
 */

/** Why a payee that goes back to its former details is not trusted by that. */
export type NoTrust = "disputed" | "taken_off" | "archived" | "name_not_kept" | "never_confirmed";

/** The payee as it is now. Instants in epoch milliseconds. */
export type RestoringSubject = BankDetails & {
  name: string;
  formerTrust: FormerTrust | null;
  disputedAt: number | null;
  takenOffWhitelistAt: number | null;
  archivedAt: number | null;
};

/** What its organisation asks of an approval, and what there is. */
export type RestoringEvidence = {
  /** Of the verification that is rejected. */
  flags: readonly ReviewFlag[];
  policy: ApprovalEvidence;
  /** A bank or a call-back confirmed the former details when they were approved. */
  isConfirmed: boolean;
};

export type Restoring = {
  former: FormerTrust;
  /** Null: the payee is trusted again. */
  noTrust: NoTrust | null;
  /** Why the reason has to say how the former details were confirmed; null: it need not. */
  asksFor: readonly ReviewFlag[] | null;
};

/** The flags that are about the payee and not about the account that is rejected: they stand after it too. */
const ABOUT_PAYEE: ReadonlySet<ReviewFlag> = new Set(["lookalike", "contact_changed", "contact_and_bank_changed"]);

/** Undefined: there is nothing to put back. */
export function judgeRestoring(payee: RestoringSubject, evidence: RestoringEvidence): Restoring | undefined {
  const { formerTrust: former } = payee;
  const isAsFormer = former && isForCurrentDetails(payee, former) && (former.name ?? payee.name) === payee.name;
  if (!former || isAsFormer) return undefined;
  const flags = evidence.flags.filter((flag) => ABOUT_PAYEE.has(flag));
  const missing = findMissing(flags, evidence);
  const noTrust = barToTrust(payee, former) ?? (missing === "check_or_call_back" ? "never_confirmed" : null);
  return { former, noTrust, asksFor: noTrust === null && missing === "reason" ? flagsNeedingReason(flags) : null };
}

function barToTrust(payee: RestoringSubject, former: FormerTrust): NoTrust | undefined {
  if (payee.disputedAt !== null) return "disputed";
  if (payee.takenOffWhitelistAt !== null) return "taken_off";
  if (payee.archivedAt !== null) return "archived";
  return former.name === undefined ? "name_not_kept" : undefined;
}

const findMissing = (
  flags: readonly ReviewFlag[],
  { policy, isConfirmed }: RestoringEvidence,
): MissingEvidence | undefined =>
  missingEvidence(isConfirmed ? flags : [...flags, "unchecked"], { policy, hasReason: false, hasProof: false });

/** Whether a rejection's reason says anything of its own. */
export const isOwnReason = (reason: string): boolean => reason !== DEFAULT_REJECTION_REASON;

const NO_TRUST: Readonly<Record<NoTrust, string>> = {
  disputed: "it disputed its bank details, and that stays on record until someone decides about it",
  taken_off: "someone took it off the whitelist",
  archived: "it was archived",
  name_not_kept: "it was not kept which name it was trusted under",
  never_confirmed: "neither a bank nor a call-back confirmed these details, as your organisation asks",
};

/** What ticking the box does, said before it is done; the account is masked. */
export function sayRestoring({ former, noTrust, asksFor }: Restoring, payeeName: string): string {
  const { name = payeeName, accountName, bsb, accountNumber } = former;
  const account = `${formatBsb(bsb)} ${maskAccountNumber(accountNumber)}, ${accountName}`;
  const named = name === payeeName ? "" : ` under the name ${name}`;
  if (noTrust !== null) {
    return `${account}${named} is put back, and waits for a decision. The payee is not trusted again: ${NO_TRUST[noTrust]}.`;
  }
  const reason = asksFor === null ? "" : ` ${sayReasonToRestore(asksFor)}`;
  return `The payee is then trusted again with ${account}${named}.${reason}`;
}

/** What a rejection that restores has to say, for the form and for the answer that refuses it. */
export function sayReasonToRestore(flags: readonly ReviewFlag[]): string {
  const why = flags.length > 0 ? flags.map((flag) => FLAG_REASONS[flag]).join("; ") : "your organisation always asks";
  return `Say in the reason how you confirmed the former details, because restoring them approves them: ${why}.`;
}
