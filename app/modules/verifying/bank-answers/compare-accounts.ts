import { findAccountNumberSlip, sameAccountNumber } from "~/kernel/account-number";
import type { ReasonCode } from "~/modules/payees/verifications/outcomes";
import type { SharedAccount } from "~/ports/bank-data";

export type SubmittedAccount = { bsb: string; accountNumber: string };

/** What the shared accounts say about the submitted one, before any name is looked at. */
export type AccountFinding =
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
export function findAccount(submitted: SubmittedAccount, shared: readonly SharedAccount[]): AccountFinding {
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
