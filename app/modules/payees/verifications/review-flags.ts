import { DAY_MS } from "~/kernel/dates";
import type { ApprovalEvidence, CheckOutcome } from "~/kernel/enums";
import { CONTACT_AND_BANK_WINDOW_DAYS } from "~/kernel/payee";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { type MatchType, namesDiffer } from "~/modules/name-match";
import type { ResultData } from "./verification";

/** What a reviewer must consider, what an approval must contain, and when a rule approves instead. Pure. */

/**
 * - `disputed`: the payee said that these are not their details
 * - `disputed_before`: the payee said so about earlier details, and nobody has decided since
 * - `name_mismatch`: the bank's name scores under 70
 * - `former_account`: another payee had this account until its bank details changed, or is archived with it
 * - `contact_and_bank_changed`: the bank details and the email or phone were changed close together
 * - `lookalike`: its account or email domain could be mistaken for a known one, or its name is a known payee's
 * - `account_closed`: the bank says that the account is closed
 * - `name_of_payee_differs`: the matcher considers the account name and the payee's name different
 * - `similar_name`: another payee has a similar name, and there is no other warning
 * - `changed_details`: opened by an edit of bank details
 * - `renamed`: opened by a rename of the payee, or after one
 * - `contact_changed`: email or phone changed in the 30 days before it was opened, or since
 * - `name_close`: the bank's name scores 70 to 94, or the bank calls it close without revealing it
 * - `institution_differs`: the account is at a different institution from its BSB
 * - `unchecked`: nothing was compared
 */
export const REVIEW_FLAGS = [
  "disputed",
  "disputed_before",
  "account_closed",
  "name_mismatch",
  "former_account",
  "lookalike",
  "contact_and_bank_changed",
  "name_of_payee_differs",
  "similar_name",
  "changed_details",
  "renamed",
  "contact_changed",
  "name_close",
  "institution_differs",
  "unchecked",
] as const;
export type ReviewFlag = (typeof REVIEW_FLAGS)[number];

/** The flags stored in an audit entry. */
export const reviewFlagsOf = (kept: unknown): ReviewFlag[] =>
  REVIEW_FLAGS.filter((flag) => Array.isArray(kept) && kept.includes(flag));

/** Each flag as part of a sentence. */
export const FLAG_REASONS: Readonly<Record<ReviewFlag, string>> = {
  disputed: "the payee said that these are not their details",
  disputed_before: "the payee disputed its bank details before, and no one has decided about it since",
  account_closed: "the bank says that the account is closed",
  name_mismatch: "the bank holds the account under a different name",
  former_account: "the account was another payee's before",
  contact_and_bank_changed: "the bank details and the payee's email or phone were changed close together",
  lookalike: "its name, account number or email domain is easily mistaken for one that you know",
  name_of_payee_differs: "the account is in a different name from the payee's",
  similar_name: "another payee has a similar name and a different account",
  changed_details: "the bank details were changed",
  renamed: "the payee was renamed",
  contact_changed:
    "the payee's email or phone was changed in the 30 days before this verification was opened, or since",
  name_close: "the name at the bank is close, not the same",
  institution_differs: "the account is at a different institution from its BSB",
  unchecked: "no bank was asked about these details",
};

/** The present facts that the flags are computed from. Instants in epoch milliseconds. */
export type FlagFacts = {
  outcome: CheckOutcome | null;
  /** 0 to 100; null: no name was compared. */
  nameMatchScore: number | null;
  disputedByPayeeAt: number | null;
  createdAt: number;
  /** How many of the organisation's payees it could imitate, not counting those that only have a similar name. */
  lookalikes: number;
  similarNames: number;
  /** Other payees that had the account before. */
  formerHolders: number;
  /** The account details that the bank returned. */
  resultData: Pick<ResultData, "institutionDiffers"> | null;
  /** The submitted account name. */
  accountName: string;
  payee: {
    name: string;
    bankDetailsChangedAt: number | null;
    renamedAt: number | null;
    contactChangedAt: number | null;
    disputedAt: number | null;
    whitelisted: boolean;
  };
};

const CLOSE_FROM = 70;
const EXACT_FROM = 95;

const WINDOW_MS = CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;

/**
 * True if contact and bank details changed within the window of each other. Once the change was decided about, this
 * verification carries the flag if it was opened while the later change's window was still open, as on the payee.
 */
function changedTogether({ createdAt, payee }: FlagFacts, isOfChange: boolean): boolean {
  const { bankDetailsChangedAt: bank, contactChangedAt: contact } = payee;
  if (bank === null || contact === null || Math.abs(bank - contact) > WINDOW_MS) return false;
  return isOfChange || Math.max(bank, contact) >= createdAt - WINDOW_MS;
}

/** Every flag of a verification, most serious first. */
export function findReviewFlags(facts: FlagFacts): ReviewFlag[] {
  const { outcome, nameMatchScore: score, payee } = facts;
  const isSince = (changedAt: number | null) =>
    changedAt !== null && facts.createdAt >= changedAt && !payee.whitelisted;
  const isOfChange = isSince(payee.bankDetailsChangedAt);
  const isContactNew = payee.contactChangedAt !== null && payee.contactChangedAt >= facts.createdAt - WINDOW_MS;
  const holds: Record<ReviewFlag, boolean> = {
    disputed: facts.disputedByPayeeAt !== null,
    disputed_before: facts.disputedByPayeeAt === null && payee.disputedAt !== null,
    account_closed: outcome === "account_closed",
    name_mismatch: outcome === "no_match" || (score !== null && score < CLOSE_FROM),
    former_account: facts.formerHolders > 0,
    lookalike: facts.lookalikes > 0,
    contact_and_bank_changed: (isOfChange && isContactNew) || changedTogether(facts, isOfChange),
    name_of_payee_differs: namesDiffer(payee.name, facts.accountName),
    similar_name: facts.lookalikes === 0 && facts.similarNames > 0,
    changed_details: isOfChange,
    renamed: isSince(payee.renamedAt),
    contact_changed: isContactNew,
    name_close: score === null ? outcome === "close_match" : score >= CLOSE_FROM && score < EXACT_FROM,
    institution_differs: facts.resultData?.institutionDiffers === true,
    unchecked: score === null && (outcome === null || outcome === "unable"),
  };
  return REVIEW_FLAGS.filter((flag) => holds[flag]);
}

/** Flags that mean the payee should not be paid: the verdict is red, and nothing suggests approval. */
const RED: ReadonlySet<ReviewFlag> = new Set([
  "disputed",
  "disputed_before",
  "account_closed",
  "name_mismatch",
  "former_account",
  "lookalike",
  "contact_and_bank_changed",
]);

export const hasRedFlag = (flags: readonly ReviewFlag[]): boolean => flags.some((flag) => RED.has(flag));

/** Red flags that come from the bank's own answer, whose sentence already says them. */
const OF_ANSWER: ReadonlySet<ReviewFlag> = new Set(["account_closed", "name_mismatch"]);

/** Red flags that the bank's answer says nothing about. */
export const redBesideAnswer = (flags: readonly ReviewFlag[]): ReviewFlag[] =>
  flags.filter((flag) => RED.has(flag) && !OF_ANSWER.has(flag));

/** Flags for which an approval needs a reason or a confirmed call-back, whatever the organisation's policy. */
const NEEDS_REASON: ReadonlySet<ReviewFlag> = new Set([...RED, "name_of_payee_differs"]);

/** The flags for which an approval needs a reason; empty: it needs none. */
export const flagsNeedingReason = (flags: readonly ReviewFlag[]): ReviewFlag[] =>
  flags.filter((flag) => NEEDS_REASON.has(flag));

/** What supports an approval: the organisation's policy, and what the reviewer or a call contributes. */
export type Support = {
  policy: ApprovalEvidence;
  hasReason: boolean;
  /** The payee confirmed the details in a call to a number that counts. */
  hasProof: boolean;
};

/** With one of these flags, no bank has confirmed the details: it was not asked, or it contradicted them. */
const UNCONFIRMED: ReadonlySet<ReviewFlag> = new Set([
  "unchecked",
  "account_closed",
  "name_mismatch",
  "institution_differs",
]);

/** True if a bank has confirmed the details, for organisations that require that. */
export const isConfirmedByBank = ({ outcome, resultData }: Pick<FlagFacts, "outcome" | "resultData">): boolean =>
  (outcome === "match" || outcome === "close_match") && resultData?.institutionDiffers !== true;

export type MissingEvidence = "reason" | "check_or_call_back";

/** What an approval still lacks; undefined when nothing. A confirmed call-back replaces a reason and a check. */
export function missingEvidence(flags: readonly ReviewFlag[], support: Support): MissingEvidence | undefined {
  const { policy, hasReason, hasProof } = support;
  if (hasProof) return undefined;
  if (policy === "check_or_call_back" && flags.some((flag) => UNCONFIRMED.has(flag))) return "check_or_call_back";
  const needsReason = policy === "always_reason" || flagsNeedingReason(flags).length > 0;
  return needsReason && !hasReason ? "reason" : undefined;
}

/** The action that the page highlights; `none`: none, because a person must weigh the evidence. */
export type PrimaryAction = "approve" | "check" | "reject" | "none";

export function primaryAction(flags: readonly ReviewFlag[]): PrimaryAction {
  if (hasRedFlag(flags)) return "reject";
  if (flags.includes("unchecked")) return "check";
  return flags.length === 0 ? "approve" : "none";
}

/** Counts lookalikes in the groups that the flags distinguish. */
export function countLookalikes(found: readonly { reason: string }[]): Pick<FlagFacts, "lookalikes" | "similarNames"> {
  const similarNames = found.filter(({ reason }) => reason === "similar_name").length;
  return { lookalikes: found.length - similarNames, similarNames };
}

export function flagFactsOf(
  verification: Omit<FlagFacts, "lookalikes" | "similarNames" | "formerHolders"> & {
    evidence: { lookalikes: readonly { reason: string }[]; formerHolders?: readonly unknown[] } | null;
  },
): FlagFacts {
  const { evidence } = verification;
  return {
    ...verification,
    ...countLookalikes(evidence?.lookalikes ?? []),
    formerHolders: evidence?.formerHolders?.length ?? 0,
  };
}

/**
 * When a rule approves a verification automatically, and what leaves it to a person. One answer for every way of
 * confirming details (by consent at the payee's bank, by Confirmation of Payee, or by other organisations' vouching).
 *
 * Somebody who diverts a payment gives the true name of their own account, and may control the payee's mailbox. A
 * bank's confirmation of the name, or the payee's consent, then proves nothing, so a rule approves only an unchanged
 * payee without any flag.
 */

/** Why a person has to decide, in the order of the checks. */
export const RULE_BARS = [
  "not_exact",
  "name_withheld",
  "flagged",
  "draft",
  "disputed",
  "taken_off",
  "archived",
  "rejected_before",
  "policy_off",
  "second_person",
] as const;
export type RuleBar = (typeof RULE_BARS)[number];

/** The details, the payee and earlier decisions about it. Instants in epoch milliseconds. */
export type RuleSubject = {
  /** The verification's flags, including those from the answer that has just arrived. */
  flags: readonly ReviewFlag[];
  payee: {
    disputedAt: number | null;
    draftSince: number | null;
    takenOffWhitelistAt: number | null;
    archivedAt: number | null;
  };
  /** The last decision about the payee, by a person or a rule, was a rejection. */
  wasRejected: boolean;
};

/** The checks that apply however the details were confirmed; undefined: a rule may approve. */
function barOfSubject({ flags, payee, wasRejected }: RuleSubject): RuleBar | undefined {
  if (flags.length > 0) return "flagged";
  if (payee.draftSince !== null) return "draft";
  if (payee.disputedAt !== null) return "disputed";
  if (payee.takenOffWhitelistAt !== null) return "taken_off";
  if (payee.archivedAt !== null) return "archived";
  return wasRejected ? "rejected_before" : undefined;
}

/** A bank's answer, however it was obtained. */
export type RuleAnswer = {
  outcome: CheckOutcome;
  /** How the bank's name compares with the submitted one; null: the bank did not reveal its name. */
  matchType: MatchType | null;
};

/**
 * Why a rule does not approve what a bank has confirmed; undefined: it does. A rule does not count as a second person.
 *
 * @param policy what the organisation allows rules to do
 */
export function barToRule(
  answer: RuleAnswer,
  subject: RuleSubject,
  policy: Pick<Policy, "autoApproveExact" | "secondPersonRequired">,
): RuleBar | undefined {
  if (answer.outcome !== "match") return "not_exact";
  if (answer.matchType === null) return "name_withheld";
  if (answer.matchType !== "exact") return "not_exact";
  return barOfSubject(subject) ?? barOfPolicy(policy.autoApproveExact, policy);
}

/** The same for other organisations' vouching. */
export const barToVouching = (subject: RuleSubject, policy: Pick<Policy, "acceptVouching" | "secondPersonRequired">) =>
  barOfSubject(subject) ?? barOfPolicy(policy.acceptVouching, policy);

function barOfPolicy(isAllowed: boolean, policy: Pick<Policy, "secondPersonRequired">): RuleBar | undefined {
  if (!isAllowed) return "policy_off";
  return policy.secondPersonRequired ? "second_person" : undefined;
}

/** The flags that a new verification will have, apart from "nothing was compared". */
export const flagsOnOpening = (
  facts: Pick<FlagFacts, "createdAt" | "lookalikes" | "similarNames" | "formerHolders" | "accountName" | "payee">,
): ReviewFlag[] =>
  findReviewFlags({
    ...facts,
    outcome: null,
    nameMatchScore: null,
    disputedByPayeeAt: null,
    resultData: null,
  }).filter((flag) => flag !== "unchecked");
