import type { CheckOutcome } from "~/kernel/enums";
import type { UpstreamErrorKind } from "~/kernel/upstream-error";
import { type MatchType, matchNames, type NameMatch } from "~/modules/name-match/index";
import type { ReasonCode } from "~/modules/payees/verifications/outcomes";
import type { ResultData } from "~/modules/payees/verifications/verification";
import type { InstantAnswer, InstantVerdict } from "~/ports/instant-bank-data";
import { type CheckResult, OUTCOME_OF, type SubmittedDetails } from "./compare-with-bank";

/** What follows from an answer that a bank gave at once (Confirmation of Payee). Pure. */

type NameVerdict = Extract<InstantVerdict, "match" | "close_match" | "no_match">;

/** The class that the bank's own verdict stands for. */
const CLASS_OF: Record<NameVerdict, MatchType> = { match: "exact", close_match: "fuzzy", no_match: "none" };

/** The highest score of each class, so that a score never says more than its class. */
const MOST: Record<MatchType, number> = { exact: 100, fuzzy: 94, none: 69 };

/** Said where the bank gives a verdict and keeps the name to itself. */
const WITHOUT_NAME: Record<NameVerdict, ReasonCode> = {
  match: "name_confirmed",
  close_match: "name_close_withheld",
  no_match: "name_not_confirmed",
};

/** Why there is no answer about the account, by what went wrong on the way. */
const PROBLEM_OF: Record<UpstreamErrorKind, ReasonCode> = {
  timeout: "answer_lost",
  unreachable: "answer_lost",
  rate_limited: "provider_busy",
  unavailable: "answer_lost",
  malformed: "answer_unclear",
  wrong_tenant: "answer_unclear",
  rejected: "details_not_accepted",
};

/**
 * Compares what was submitted with the bank's answer. Where the bank gives a name, our own score stands beside its verdict
 * and the stricter of the two decides; where it gives none, there is no score and its verdict decides alone.
 *
 * @param checkedAt epoch milliseconds, kept with the result
 * @param answeredBy the service that asked the bank, kept with the result
 */
export function compareWithInstantAnswer(
  submitted: SubmittedDetails,
  answer: InstantAnswer,
  checkedAt: number,
  answeredBy?: string,
): CheckResult {
  if (answer.verdict === "unable") return withoutInstantAnswer(answer.problem, checkedAt);
  const { verdict, name } = answer;
  const asked = { source: "cop", bankVerdict: verdict, ...(answeredBy && { answeredBy }), checkedAt } as const;
  const { bsb, accountNumber } = submitted;
  switch (verdict) {
    case "account_not_found":
      return { outcome: "no_match", reasonCode: "account_not_found", resultData: asked, match: null };
    case "account_closed":
      return toResult("account_closed", "account_closed", { ...asked, bsb, accountNumber });
    case "match":
    case "close_match":
    case "no_match":
      return compareName(submitted, { verdict, name }, { ...asked, bsb, accountNumber });
  }
}

/** A check at once that brought no answer of the bank: it says nothing about the payee. */
export function withoutInstantAnswer(reasonCode: ReasonCode, checkedAt: number): CheckResult {
  return toResult("unable", reasonCode, { source: "cop", checkedAt });
}

/** The reason of a failure of the provider. */
export const problemOf = (kind: UpstreamErrorKind): ReasonCode => PROBLEM_OF[kind];

const toResult = (outcome: CheckOutcome, reasonCode: ReasonCode, resultData: ResultData): CheckResult => ({
  outcome,
  reasonCode,
  resultData,
  match: null,
});

function compareName(
  { accountName }: SubmittedDetails,
  { verdict, name }: { verdict: NameVerdict; name: string | null },
  data: ResultData,
): CheckResult {
  const banks = CLASS_OF[verdict];
  if (name === null) return toResult(OUTCOME_OF[banks], WITHOUT_NAME[verdict], data);
  const own = matchNames(accountName, name);
  const decisive = MOST[own.matchType] <= MOST[banks] ? own.matchType : banks;
  // The differences are worked out when they are read, so a copy names them.
  const { differences, parts } = own;
  const match: NameMatch = { matchType: decisive, score: Math.min(own.score, MOST[decisive]), differences, parts };
  return {
    outcome: OUTCOME_OF[decisive],
    reasonCode: whyStricter(own.matchType, banks),
    resultData: { ...data, accountName: name },
    match,
  };
}

/** Which of the two was stricter, where they differ. */
function whyStricter(own: MatchType, banks: MatchType): ReasonCode | null {
  if (own === banks) return null;
  return MOST[own] < MOST[banks] ? "names_stricter" : "bank_stricter";
}
