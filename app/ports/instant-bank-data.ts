/** What the payee's bank is asked at once: the account in digits, and the name that it should have. */
export type InstantQuestion = {
  /** Ours for this one look-up, and new for every try: letters, digits, `-`, `.`, `_` and `~`, at most 64. */
  lookUpId: string;
  /** The end user for whom the bank is asked: the organisation's id. Banks count look-ups for each. */
  requesterId: string;
  accountName: string;
  /** Six digits. */
  bsb: string;
  /** Four to nine digits. */
  accountNumber: string;
  /** As the industry's codes have it: to verify a payee's details, or to make a payment. */
  purpose: QuestionPurpose;
};

export type QuestionPurpose = "VADR" | "PYMT";

/** What the bank said of an account. */
export type InstantVerdict = "match" | "close_match" | "no_match" | "account_closed" | "account_not_found";

/** Why the provider has no answer of the bank: part of the reason codes in modules/payees/verifications/outcomes.ts. */
export type InstantProblem =
  | "bank_not_confirmed"
  | "bsb_not_found"
  | "account_limit"
  | "requester_limit"
  | "details_not_accepted"
  | "bank_unable_now";

export type InstantAnswer =
  | {
      verdict: InstantVerdict;
      /** The name that the bank holds; null where it keeps the name to itself. */
      name: string | null;
    }
  | { verdict: "unable"; problem: InstantProblem };

/** A bank-data provider that answers at once, without the payee: Confirmation of Payee. */
export interface InstantBankData {
  /** The name under which its calls are watched. */
  readonly party: string;
  /** As people read it. */
  readonly service: string;
  /**
   * Asks once. The provider may count and charge for the look-up even where its answer is lost on the way.
   * @throws UpstreamError where no answer about the account came
   */
  lookUp(question: InstantQuestion): Promise<InstantAnswer>;
}
