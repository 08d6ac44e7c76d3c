/** A question to the payee's bank: the account, and the expected account name. */
export type InstantQuestion = {
  /** Our id of this look-up, new for every attempt: letters, digits, `-`, `.`, `_` and `~`, at most 64. */
  lookUpId: string;
  /** The end user of the look-up: the organisation's id. Banks count look-ups for each. */
  requesterId: string;
  accountName: string;
  /** Six digits. */
  bsb: string;
  /** Four to nine digits. */
  accountNumber: string;
  /** The industry's purpose codes: to verify a payee's details, or to make a payment. */
  purpose: QuestionPurpose;
};

export type QuestionPurpose = "VADR" | "PYMT";

/** The bank's answer about an account. */
export type InstantVerdict = "match" | "close_match" | "no_match" | "account_closed" | "account_not_found";

/** Why the provider has no answer of the bank: among the reason codes in modules/payees/verifications/outcomes.ts. */
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
      /** The account name at the bank; null if the bank does not disclose it. */
      name: string | null;
    }
  | { verdict: "unable"; problem: InstantProblem };

/** A bank-data provider that answers immediately, without the payee: Confirmation of Payee. */
export interface InstantBankData {
  /** The name under which its calls are monitored. */
  readonly party: string;
  /** The name shown to people. */
  readonly service: string;
  /**
   * Asks once. The provider may count and charge for the look-up even if its answer is lost.
   * @throws UpstreamError if there was no answer about the account
   */
  lookUp(question: InstantQuestion): Promise<InstantAnswer>;
}
