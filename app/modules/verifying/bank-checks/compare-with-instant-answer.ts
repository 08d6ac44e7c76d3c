import type { UpstreamErrorKind } from "~/kernel/app-error";
import type { CheckOutcome } from "~/kernel/enums";
import { type MatchType, matchNames, type NameMatch } from "~/modules/name-match/index";
import type { ReasonCode } from "~/modules/payees/verifications/outcomes";
import type { ResultData } from "~/modules/payees/verifications/verification";
import type { InstantAnswer, InstantVerdict } from "~/ports/instant-bank-data";
import { type CheckResult, OUTCOME_OF, type SubmittedDetails } from "./compare-with-bank";

/** The result of a bank's immediate answer (Confirmation of Payee). Pure. */

type NameVerdict = Extract<InstantVerdict, "match" | "close_match" | "no_match">;

/** The match class for each verdict of the bank. */
const CLASS_OF: Record<NameVerdict, MatchType> = { match: "exact", close_match: "fuzzy", no_match: "none" };

/** The highest score in each class, so that a score never claims more than its class. */
const MOST: Record<MatchType, number> = { exact: 100, fuzzy: 94, none: 69 };

/** The reason when the bank gives a verdict but withholds the name. */
const WITHOUT_NAME: Record<NameVerdict, ReasonCode> = {
  match: "name_confirmed",
  close_match: "name_close_withheld",
  no_match: "name_not_confirmed",
};

/** The reason for each kind of upstream error. */
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
 * Compares the submitted details with the bank's answer. If the bank gives a name, our score and the bank's verdict are
 * combined and the stricter one decides; otherwise there is no score and the verdict decides alone.
 *
 * @param checkedAt epoch milliseconds, stored with the result
 * @param answeredBy the service that asked the bank, stored with the result
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

/** The result of an immediate check without an answer: it says nothing about the payee. */
export function withoutInstantAnswer(reasonCode: ReasonCode, checkedAt: number): CheckResult {
  return toResult("unable", reasonCode, { source: "cop", checkedAt });
}

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
  // These are computed lazily by getters, so a copy has to name them.
  const { differences, parts } = own;
  const match: NameMatch = { matchType: decisive, score: Math.min(own.score, MOST[decisive]), differences, parts };
  return {
    outcome: OUTCOME_OF[decisive],
    reasonCode: whyStricter(own.matchType, banks),
    resultData: { ...data, accountName: name },
    match,
  };
}

/** Which of the two was stricter, if they differ. */
function whyStricter(own: MatchType, banks: MatchType): ReasonCode | null {
  if (own === banks) return null;
  return MOST[own] < MOST[banks] ? "names_stricter" : "bank_stricter";
}
