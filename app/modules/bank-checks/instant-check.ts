import type { CheckResult } from "~/modules/bank-answers/compare-with-bank";
import { matchNames } from "~/modules/name-match";
import { findReviewFlags, flagFactsOf } from "~/modules/verifications/review-flags";

/** The rules of a check at once (Confirmation of Payee). Pure. */

/**
 * Whether a person decides about an exact answer, whatever the policy says. A person who diverts a payment gives the true
 * name of their own account, and the bank confirms it without asking the payee. So a rule approves only where nothing
 * speaks against the details, a change of bank details included, and where the account is in the payee's own name.
 */
export function needsPerson(
  verification: Parameters<typeof flagFactsOf>[0] & { accountName: string; payee: { name: string } },
  { outcome, match, resultData }: CheckResult,
): boolean {
  const facts = { ...flagFactsOf(verification), outcome, nameMatchScore: match?.score ?? null, resultData };
  if (findReviewFlags(facts).length > 0) return true;
  return matchNames(verification.payee.name, verification.accountName).matchType === "none";
}

/** Why the bank is asked, as the industry's purpose codes have it: to verify a payee's details, not to make a payment. */
export const PURPOSE = "VADR";

/**
 * How often one organisation may ask in a day, and how many answers may say that a name is not confirmed: names of
 * accounts are not there to be guessed. An organisation that has paid is known to the card provider.
 */
export const instantLimits = (hasPaid: boolean): { lookUps: number; noMatches: number } =>
  hasPaid ? { lookUps: 500, noMatches: 40 } : { lookUps: 50, noMatches: 10 };
