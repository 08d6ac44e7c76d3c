import { findAccountNumberSlip, institutionOf, sameAccountNumber } from "~/kernel/bank-account";
import type { CheckOutcome } from "~/kernel/enums";
import { isSameInstitution } from "~/kernel/institution-names";
import type { Account } from "~/kernel/payee";
import { type MatchType, matchNames, type NameMatch, namesDiffer } from "~/modules/name-match";
import type { ReasonCode } from "~/modules/payees/verifications/outcomes";
import type { ResultData } from "~/modules/payees/verifications/verification";
import type { SharedAccount, SharedBankData, SharedIdentity } from "~/ports/bank-data";

type ComparedName = {
  /** The name that was compared, among those that the bank gave. */
  name: string;
  match: NameMatch;
  /** The account had no holder's name, so the owner's own name was used. */
  fromIdentity: boolean;
};

type Candidate = { name: string; match: NameMatch };

const compareWith = (submitted: string, name: string): Candidate => ({ name, match: matchNames(submitted, name) });

const better = (a: Candidate, b: Candidate) => (b.match.score > a.match.score ? b : a);
const worse = (a: ComparedName, b: ComparedName) => (b.match.score < a.match.score ? b : a);

const organizationNames = ({ legalName, businessName }: SharedIdentity) =>
  [legalName, businessName].filter((name) => name !== undefined);

/**
 * The account holder's name is the evidence. Because banks shorten holders' names, a legal or business name from the
 * same connection may improve a close result; it can neither rescue a name that the holder contradicts nor one that
 * itself contradicts the holder.
 */
function compareHolder(submitted: string, holder: string, identities: readonly SharedIdentity[]): ComparedName {
  const held = compareWith(submitted, holder);
  if (held.match.matchType !== "fuzzy") return { ...held, fromIdentity: false };
  const agreeing = identities
    .flatMap(organizationNames)
    .filter((name) => !namesDiffer(name, holder))
    .map((name) => compareWith(submitted, name));
  return { ...agreeing.reduce(better, held), fromIdentity: false };
}

/** An owner's names: those of the organisation, or the person's if there are none. */
function compareIdentity(submitted: string, identity: SharedIdentity): ComparedName | undefined {
  const organization = organizationNames(identity);
  const names = organization.length > 0 ? organization : [identity.fullName].filter((name) => name !== undefined);
  const [first, ...rest] = names.map((name) => compareWith(submitted, name));
  return first && { ...rest.reduce(better, first), fromIdentity: true };
}

function compareAccount(submitted: string, account: SharedAccount, identities: readonly SharedIdentity[]) {
  const own = identities.filter(({ connectionId }) => connectionId === account.connectionId);
  if (account.accountHolder) return [compareHolder(submitted, account.accountHolder, own)];
  return own.flatMap((identity) => compareIdentity(submitted, identity) ?? []);
}

/**
 * Compares the submitted name with the bank's names for the account.
 *
 * Within one source the best match counts; between sources the least favourable one does, so that contradictory
 * evidence never improves a result. Undefined when the bank gave no name.
 */
function compareNames(submitted: string, accounts: readonly SharedAccount[], identities: SharedBankData["identities"]) {
  const results = accounts.flatMap((account) => compareAccount(submitted, account, identities));
  const named = results.some((result) => !result.fromIdentity)
    ? results.filter((result) => !result.fromIdentity)
    : results;
  const [first, ...rest] = named;
  return first && rest.reduce(worse, first);
}

/** What the shared accounts say about the submitted one, before names are compared. */
type AccountFinding =
  /** The same account, open; one entry for each connection that shared it. */
  | { found: "account"; accounts: [SharedAccount, ...SharedAccount[]] }
  | { found: "not_owned"; account: SharedAccount }
  | { found: "closed"; account: SharedAccount }
  /** The data does not say whether the account is open or closed. */
  | { found: "unclear"; account: SharedAccount }
  /** A masked number that may be the submitted one. */
  | { found: "masked"; account: SharedAccount }
  | { found: "none"; reasonCode: ReasonCode };

const BSB_LENGTH = 6;

/** The BSB and number of a shared account, in whichever form the bank gave them; undefined unless complete. */
function wholeNumber({ bsb, accountNumber, combinedNumber }: SharedAccount): Account | undefined {
  if (bsb && accountNumber) return { bsb, accountNumber };
  const rest = combinedNumber?.slice(BSB_LENGTH);
  return combinedNumber && rest ? { bsb: combinedNumber.slice(0, BSB_LENGTH), accountNumber: rest } : undefined;
}

function isSameAccount(submitted: Account, shared: SharedAccount): boolean {
  const whole = wholeNumber(shared);
  return whole?.bsb === submitted.bsb && sameAccountNumber(whole.accountNumber, submitted.accountNumber);
}

/** True if the visible digits of a masked account fit the submitted one. */
function couldBeMasked(submitted: Account, shared: SharedAccount): boolean {
  if (wholeNumber(shared)) return false;
  if (shared.bsb && shared.bsb !== submitted.bsb) return false;
  if (shared.accountNumber) return sameAccountNumber(shared.accountNumber, submitted.accountNumber);
  return submitted.accountNumber.endsWith(shared.visibleDigits ?? "");
}

/** Why an account was not found: a typing slip is worth mentioning, and says nothing about the payee. */
function whyMissing(submitted: Account, shared: readonly SharedAccount[]): ReasonCode {
  const whole = shared.flatMap((account) => wholeNumber(account) ?? []);
  const isSlip = ({ bsb, accountNumber }: Account) =>
    bsb === submitted.bsb && findAccountNumberSlip(submitted.accountNumber, accountNumber) !== undefined;
  if (whole.some(isSlip)) return "account_number_slip";
  if (whole.some((account) => sameAccountNumber(account.accountNumber, submitted.accountNumber))) return "bsb_differs";
  return "account_not_shared";
}

/**
 * Looks for the submitted account among the shared ones. Leading zeros are ignored.
 *
 * An open account shared by its owner takes precedence over the same account shared in any other way, so that a payee's
 * second connection cannot spoil the first.
 */
function findAccount(submitted: Account, shared: readonly SharedAccount[]): AccountFinding {
  const same = shared.filter((account) => isSameAccount(submitted, account));
  const open = same.filter((account) => account.status === "available");
  const [owned, ...others] = open.filter((account) => account.isOwned !== false);
  if (owned) return { found: "account", accounts: [owned, ...others] };
  if (open[0]) return { found: "not_owned", account: open[0] };
  const unclear = same.find((account) => account.status === "unknown");
  if (unclear) return { found: "unclear", account: unclear };
  if (same[0]) return { found: "closed", account: same[0] };
  const masked = shared.find((account) => couldBeMasked(submitted, account));
  if (masked) return { found: "masked", account: masked };
  return { found: "none", reasonCode: whyMissing(submitted, shared) };
}

/** The account as a person typed it, digits only. */
export type SubmittedDetails = { accountName: string; bsb: string; accountNumber: string };

export type CheckResult = {
  outcome: CheckOutcome;
  /** Null when the outcome needs no reason. */
  reasonCode: ReasonCode | null;
  /** The account as the bank returned it; null when it said nothing about this account. */
  resultData: ResultData | null;
  /** The comparison of the names; null when there was nothing to compare. */
  match: NameMatch | null;
};

/** The outcome for each class of name match. */
export const OUTCOME_OF: Readonly<Record<MatchType, CheckOutcome>> = {
  exact: "match",
  fuzzy: "close_match",
  none: "no_match",
};

const UNABLE: Pick<CheckResult, "outcome" | "match"> = { outcome: "unable", match: null };

/** The result of a check that ended without any data from the bank. */
export function withoutData(outcome: CheckOutcome, reasonCode: ReasonCode): CheckResult {
  return { outcome, reasonCode, resultData: null, match: null };
}

/**
 * Compares the submitted details with what the payee shared from their bank.
 *
 * Nothing is stored about other accounts. An account that the bank says does not belong to the consenting person counts
 * as not shared: having access to an account does not prove ownership.
 *
 * @param checkedAt epoch milliseconds, stored with the result
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
      return { ...UNABLE, reasonCode: "number_masked", resultData: maskedData(finding.account, checkedAt) };
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

/** The numbers were found equal, so the result uses the submitted spelling. */
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

/** Leaves out the institution comparison, because it may not be the submitted account. */
function maskedData(account: SharedAccount, checkedAt: number): ResultData {
  const { bsb, visibleDigits, accountNumber, institutionName: institution, ownership } = account;
  return { source: "basiq", bsb, visibleDigits: visibleDigits ?? accountNumber, institution, ownership, checkedAt };
}

/** The institution's name from the provider, and whether the BSB is another's; both absent without a name. */
function institutionFacts(bsb: string, { institutionName: institution }: SharedAccount) {
  if (institution === undefined) return {};
  const own = institutionOf(bsb)?.name;
  return { institution, ...(own !== undefined && { institutionDiffers: !isSameInstitution(own, institution) }) };
}
