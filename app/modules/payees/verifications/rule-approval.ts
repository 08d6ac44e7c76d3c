import type { CheckOutcome } from "~/kernel/enums";
import type { Policy } from "~/modules/accounts/organizations/policy";
import type { MatchType } from "~/modules/name-match";
import { type FlagFacts, findReviewFlags, type ReviewFlag } from "./review-flags";

/**
 * When a rule approves a verification automatically, and what leaves it to a person. One answer for every way of
 * confirming details (by consent at the payee's bank, by Confirmation of Payee, or by other organisations' vouching).
 * Pure.
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
export const barToVouching = (
  subject: RuleSubject,
  policy: Pick<Policy, "acceptVouching" | "secondPersonRequired">,
): RuleBar | undefined => barOfSubject(subject) ?? barOfPolicy(policy.acceptVouching, policy);

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
