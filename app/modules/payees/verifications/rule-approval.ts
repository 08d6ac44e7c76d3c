import type { CheckOutcome } from "~/kernel/enums";
import type { Policy } from "~/modules/accounts/organizations/policy";
import type { MatchType } from "~/modules/name-match";
import { type FlagFacts, findReviewFlags, type ReviewFlag } from "./review-flags";

/**
 * When a rule approves a verification by itself, and what leaves it to a person: one answer for every way in which details
 * are confirmed (with the payee's consent at their bank, at once by Confirmation of Payee, on the word of other
 * organisations). Pure.
 *
 * A person who diverts a payment gives the true name of their own account, and may hold the payee's mailbox. A bank that
 * confirms the name, or a payee who consents, then proves nothing: only an unchanged payee without any flag is approved.
 */

/** Why a person decides, in the order in which it is looked for. */
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

/** The details, the payee and what people decided of it. Instants in epoch milliseconds. */
export type RuleSubject = {
  /** Of the verification, as they are with the answer that has just come in. */
  flags: readonly ReviewFlag[];
  payee: {
    disputedAt: number | null;
    draftSince: number | null;
    takenOffWhitelistAt: number | null;
    archivedAt: number | null;
  };
  /** The last decision of a person or a rule about the payee was a rejection. */
  wasRejected: boolean;
};

/** What is looked at whoever confirms the details; undefined: nothing speaks against a rule. */
function barOfSubject({ flags, payee, wasRejected }: RuleSubject): RuleBar | undefined {
  if (flags.length > 0) return "flagged";
  if (payee.draftSince !== null) return "draft";
  if (payee.disputedAt !== null) return "disputed";
  if (payee.takenOffWhitelistAt !== null) return "taken_off";
  if (payee.archivedAt !== null) return "archived";
  return wasRejected ? "rejected_before" : undefined;
}

/** A bank's answer, however the bank was asked. */
export type RuleAnswer = {
  outcome: CheckOutcome;
  /** How the bank's name compares with the submitted one; null: the bank kept its name to itself. */
  matchType: MatchType | null;
};

/**
 * Why a rule does not approve what a bank has confirmed; undefined: it does. A rule is no second person.
 *
 * @param policy what the organisation lets rules do
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

/** The same for what other organisations vouch for. */
export const barToVouching = (
  subject: RuleSubject,
  policy: Pick<Policy, "acceptVouching" | "secondPersonRequired">,
): RuleBar | undefined => barOfSubject(subject) ?? barOfPolicy(policy.acceptVouching, policy);

function barOfPolicy(isAllowed: boolean, policy: Pick<Policy, "secondPersonRequired">): RuleBar | undefined {
  if (!isAllowed) return "policy_off";
  return policy.secondPersonRequired ? "second_person" : undefined;
}

/** The flags that a verification about to be opened will have, but that nothing was compared yet. */
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
