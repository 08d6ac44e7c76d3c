import { findAccountNumberSlip, sameAccountNumber } from "~/kernel/account-number";
import { institutionOf } from "~/kernel/bsb";
import type { CheckOutcome } from "~/kernel/enums";
import { isSameInstitution } from "~/kernel/institution-names";
import { type MatchType, matchNames, type NameMatch, scoreNames } from "~/modules/name-match";
import type { ReasonCode } from "~/modules/payees/verifications/outcomes";
import type { ResultData } from "~/modules/payees/verifications/verification";
import type { SharedAccount, SharedBankData, SharedIdentity } from "~/ports/bank-data";

type ComparedName = {
  /** Of the names that the bank gave, the one that was compared. */
  name: string;
  match: NameMatch;
  /** The account came without a holder, so the owner's own name stood in for it. */
  fromIdentity: boolean;
};

type Candidate = { name: string; match: NameMatch };

const compareWith = (submitted: string, name: string): Candidate => ({ name, match: matchNames(submitted, name) });

const better = (a: Candidate, b: Candidate) => (b.match.score > a.match.score ? b : a);
const worse = (a: ComparedName, b: ComparedName) => (b.match.score < a.match.score ? b : a);

const organizationNames = ({ legalName, businessName }: SharedIdentity) =>
  [legalName, businessName].filter((name) => name !== undefined);

/**
 * The holder's name is the evidence. A legal or business name of the same connection may raise a close result, because
 * banks shorten holders; it may not rescue a name that the holder contradicts, nor one that contradicts the holder.
 */
function compareHolder(submitted: string, holder: string, identities: readonly SharedIdentity[]): ComparedName {
  const held = compareWith(submitted, holder);
  if (held.match.matchType !== "fuzzy") return { ...held, fromIdentity: false };
  const agreeing = identities
    .flatMap(organizationNames)
    .filter((name) => scoreNames(name, holder).matchType !== "none")
    .map((name) => compareWith(submitted, name));
  return { ...agreeing.reduce(better, held), fromIdentity: false };
}

/** What an owner is called: the organisation's names, and only without them the person's. */
function compareIdentity(submitted: string, identity: SharedIdentity): ComparedName | undefined {
  const organization = organizationNames(identity);
  const names = organization.length > 0 ? organization : [identity.fullName].filter((name) => name !== undefined);
  const [first, ...rest] = names.map((name) => compareWith(submitted, name));
  return first && { ...rest.reduce(better, first), fromIdentity: true };
}

function compareAccount(
  submitted: string,
  account: SharedAccount,
  identities: readonly SharedIdentity[],
): ComparedName[] {
  const own = identities.filter(({ connectionId }) => connectionId === account.connectionId);
  if (account.accountHolder) return [compareHolder(submitted, account.accountHolder, own)];
  return own.flatMap((identity) => compareIdentity(submitted, identity) ?? []);
}

/**
 * Compares the submitted name with what the bank calls the account.
 *
 * Within one source the best name counts; where several sources speak, the least favourable one does: evidence that
 * disagrees never raises a result. Undefined when the bank named nobody.
 */
function compareNames(
  submitted: string,
  accounts: readonly SharedAccount[],
  identities: SharedBankData["identities"],
): ComparedName | undefined {
  const results = accounts.flatMap((account) => compareAccount(submitted, account, identities));
  const named = results.some((result) => !result.fromIdentity)
    ? results.filter((result) => !result.fromIdentity)
    : results;
  const [first, ...rest] = named;
  return first && rest.reduce(worse, first);
}

type SubmittedAccount = { bsb: string; accountNumber: string };

/** What the shared accounts say about the submitted one, before any name is looked at. */
type AccountFinding =
  /** The same account, open; one entry per connection that shared it. */
  | { found: "account"; accounts: [SharedAccount, ...SharedAccount[]] }
  | { found: "not_owned"; account: SharedAccount }
  | { found: "closed"; account: SharedAccount }
  /** Whether it is open or closed cannot be told. */
  | { found: "unclear"; account: SharedAccount }
  /** A number that could be it, but is not shown whole. */
  | { found: "masked"; account: SharedAccount }
  | { found: "none"; reasonCode: ReasonCode };

const BSB_LENGTH = 6;

/** The BSB and account number of a shared account, however the bank gave them; undefined unless both are whole. */
function wholeNumber({ bsb, accountNumber, combinedNumber }: SharedAccount): SubmittedAccount | undefined {
  if (bsb && accountNumber) return { bsb, accountNumber };
  const rest = combinedNumber?.slice(BSB_LENGTH);
  return combinedNumber && rest ? { bsb: combinedNumber.slice(0, BSB_LENGTH), accountNumber: rest } : undefined;
}

function isSameAccount(submitted: SubmittedAccount, shared: SharedAccount): boolean {
  const whole = wholeNumber(shared);
  return whole?.bsb === submitted.bsb && sameAccountNumber(whole.accountNumber, submitted.accountNumber);
}

/** Whether what is visible of an account that is not shown whole could be the submitted one. */
function couldBeMasked(submitted: SubmittedAccount, shared: SharedAccount): boolean {
  if (wholeNumber(shared)) return false;
  if (shared.bsb && shared.bsb !== submitted.bsb) return false;
  if (shared.accountNumber) return sameAccountNumber(shared.accountNumber, submitted.accountNumber);
  return submitted.accountNumber.endsWith(shared.visibleDigits ?? "");
}

/** Why an account was not found: a slip of the hand is worth saying, and says nothing about the payee. */
function whyMissing(submitted: SubmittedAccount, shared: readonly SharedAccount[]): ReasonCode {
  const whole = shared.flatMap((account) => wholeNumber(account) ?? []);
  const isSlip = ({ bsb, accountNumber }: SubmittedAccount) =>
    bsb === submitted.bsb && findAccountNumberSlip(submitted.accountNumber, accountNumber) !== undefined;
  if (whole.some(isSlip)) return "account_number_slip";
  if (whole.some((account) => sameAccountNumber(account.accountNumber, submitted.accountNumber))) return "bsb_differs";
  return "account_not_shared";
}

/**
 * Looks for the submitted account among those the payee shared. Numbers are equal with or without leading zeros.
 *
 * An open account that its owner shared outweighs the same account shared in any other way, so that a second connection
 * of the same payee cannot spoil the first.
 */
function findAccount(submitted: SubmittedAccount, shared: readonly SharedAccount[]): AccountFinding {
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
