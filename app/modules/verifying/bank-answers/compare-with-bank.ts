import { institutionOf } from "~/kernel/bsb";
import type { CheckOutcome } from "~/kernel/enums";
import { isSameInstitution } from "~/kernel/institution-names";
import type { MatchType, NameMatch } from "~/modules/name-match";
import type { ReasonCode } from "~/modules/payees/verifications/outcomes";
import type { ResultData } from "~/modules/payees/verifications/verification";
import type { SharedAccount, SharedBankData } from "~/ports/bank-data";
import { type AccountFinding, findAccount } from "./compare-accounts";
import { compareNames } from "./compare-names";

/** The account as a person typed it, digits only. */
export type SubmittedDetails = { accountName: string; bsb: string; accountNumber: string };

/** What a check found out. */
export type CheckResult = {
  outcome: CheckOutcome;
  /** Null where the outcome says it all. */
  reasonCode: ReasonCode | null;
  /** The account as the bank gave it; null when the bank said nothing about this account. */
  resultData: ResultData | null;
  /** The comparison of the names; null when there was nothing to compare. */
  match: NameMatch | null;
};

/** The outcome that a class of a comparison of names leads to. */
export const OUTCOME_OF: Readonly<Record<MatchType, CheckOutcome>> = {
  exact: "match",
  fuzzy: "close_match",
  none: "no_match",
};

const UNABLE: Pick<CheckResult, "outcome" | "match"> = { outcome: "unable", match: null };

/** A check that ended without any data of the bank. */
export function withoutData(outcome: CheckOutcome, reasonCode: ReasonCode): CheckResult {
  return { outcome, reasonCode, resultData: null, match: null };
}

/**
 * Compares what was submitted with what the payee shared from their bank.
 *
 * Nothing is kept of accounts other than the submitted one. An account that the bank says the consenting person does
 * not own counts as not shared: seeing an account is no proof that it is theirs.
 *
 * @param checkedAt epoch milliseconds, kept with the result
 */
export function compareWithBank(submitted: SubmittedDetails, shared: SharedBankData, checkedAt: number): CheckResult {
  const finding = findAccount(submitted, shared.accounts);
  switch (finding.found) {
    case "none":
      return withoutData("account_not_shared", finding.reasonCode);
    case "not_owned":
      return withoutData("account_not_shared", "not_owned");
    case "closed":
      return {
        outcome: "account_closed",
        reasonCode: "account_closed",
        resultData: accountData(submitted, finding.account, checkedAt),
        match: null,
      };
    case "unclear":
      return {
        ...UNABLE,
        reasonCode: "account_state_unclear",
        resultData: accountData(submitted, finding.account, checkedAt),
      };
    case "masked":
      return {
        ...UNABLE,
        reasonCode: "number_masked",
        resultData: maskedData(finding.account, checkedAt),
      };
    case "account":
      return compareFound(submitted, finding, shared, checkedAt);
  }
}

function compareFound(
  submitted: SubmittedDetails,
  { accounts }: Extract<AccountFinding, { found: "account" }>,
  shared: SharedBankData,
  checkedAt: number,
): CheckResult {
  const [account] = accounts;
  const data = accountData(submitted, account, checkedAt);
  const compared = compareNames(submitted.accountName, accounts, shared.identities);
  if (!compared) return { ...UNABLE, reasonCode: "name_withheld", resultData: data };
  const { name, match, fromIdentity } = compared;
  const abn = shared.identities.find((identity) => identity.connectionId === account.connectionId && identity.abn)?.abn;
  const otherHolders = match.differences.flatMap(({ type, held }) => (type === "joint_holder" && held ? [held] : []));
  return {
    outcome: OUTCOME_OF[match.matchType],
    reasonCode: fromIdentity ? "compared_with_identity" : null,
    resultData: {
      ...data,
      accountName: name,
      ...(abn && { abn }),
      ...(otherHolders.length > 0 && { otherHolders }),
    },
    match,
  };
}

/** The numbers were found equal, so the submitted ones say how they are written here. */
function accountData(submitted: SubmittedDetails, account: SharedAccount, checkedAt: number): ResultData {
  const { bsb, accountNumber } = submitted;
  return {
    source: "basiq",
    bsb,
    accountNumber,
    ...institutionFacts(bsb, account),
    ownership: account.ownership,
    checkedAt,
  };
}

/** Whether it is the submitted account is not sure, so its institution is not compared. */
function maskedData(account: SharedAccount, checkedAt: number): ResultData {
  const { bsb, visibleDigits, accountNumber, institutionName: institution, ownership } = account;
  return { source: "basiq", bsb, visibleDigits: visibleDigits ?? accountNumber, institution, ownership, checkedAt };
}

/** The institution as the provider names it, and whether the BSB belongs to another one; neither where it names none. */
function institutionFacts(bsb: string, { institutionName: institution }: SharedAccount) {
  if (institution === undefined) return {};
  const own = institutionOf(bsb)?.name;
  return { institution, ...(own !== undefined && { institutionDiffers: !isSameInstitution(own, institution) }) };
}
