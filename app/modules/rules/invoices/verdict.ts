import { accountKey } from "~/kernel/bank-account";
import type { InvoiceVerdict } from "~/kernel/enums";
import { namesDiffer } from "~/modules/name-match";
import type { AccountOfInvoice, InvoiceFacts, PayeeBy, PayeeOfInvoice } from "./facts";

/** Decides which payee an invoice is from, and whether its account is that payee's. Pure. */

type Account = { bsb: string; accountNumber: string };

export const isSameAccount = (one: Account, other: Account): boolean => accountKey(one) === accountKey(other);

/**
 * The accounts that somebody could pay, each once. Leaves out the customer's own account on a direct debit notice, and a
 * second one that a person accepted beside the payee's.
 */
export function payableAccounts({ accounts }: Pick<InvoiceFacts, "accounts">): AccountOfInvoice[] {
  const found = new Map<string, AccountOfInvoice>();
  for (const account of accounts) {
    if (account.whose === "customer" || account.isBeside) continue;
    const known = found.get(accountKey(account));
    // An account that was read with certainty stays certain when a doubtful copy of it follows: doubts about the
    // document have findings of their own.
    if (!known || (account.certain && !known.certain)) found.set(accountKey(account), account);
  }
  return [...found.values()];
}

/** The payee of an invoice, and how it was identified. */
export type Identified = { payee: PayeeOfInvoice; by: PayeeBy };

const inUse = (payees: readonly PayeeOfInvoice[]) => payees.filter(({ isArchived }) => !isArchived);
const has = (payees: readonly PayeeOfInvoice[], { id }: PayeeOfInvoice) => payees.some((each) => each.id === id);

/** True if the invoice names a business other than the payee that has its account. */
function isOfAnother(holder: PayeeOfInvoice, facts: InvoiceFacts): boolean {
  const { abn, supplierName } = facts;
  if (abn !== null && holder.abn !== null) return abn !== holder.abn;
  const [byAbn, byName] = [inUse(facts.byAbn), inUse(facts.byName)];
  if (byAbn.length > 0) return !has(byAbn, holder);
  if (byName.length === 0 || has(byName, holder) || has(facts.byEmail, holder)) return false;
  return supplierName !== null && !isNamed(holder, supplierName);
}

/** True if the payee has this name, compared the way a bank compares names. */
export const isNamed = (
  { name, accountName }: Pick<PayeeOfInvoice, "name" | "accountName">,
  supplierName: string,
): boolean => [name, accountName].some((own) => !namesDiffer(own, supplierName));

/**
 * Identifies the payee by the account, the ABN, the sender or the supplier's name, in that order. The account does not
 * identify the payee when the invoice names another one.
 */
export function identifyPayee(facts: InvoiceFacts): Identified | undefined {
  const accounts = payableAccounts(facts);
  const holders = inUse(facts.byAccount).filter((payee) =>
    accounts.some((each) => each.certain && isSameAccount(each, payee)),
  );
  const holder = holders.find((payee) => !isOfAnother(payee, facts));
  if (holder) return { payee: holder, by: "account" };
  const ways: readonly [PayeeBy, readonly PayeeOfInvoice[]][] = [
    ["abn", facts.byAbn],
    ["email", facts.byEmail],
    ["name", facts.byName],
  ];
  for (const [by, payees] of ways) {
    const candidates = inUse(payees);
    // Among several payees of one business, chooses the one whose account is on the invoice.
    const payee = candidates.find((each) => accounts.some((one) => isSameAccount(one, each))) ?? candidates[0];
    if (payee) return { payee, by };
  }
  return undefined;
}

/**
 * True if the only bank details on it are foreign ones, such as an IBAN: they cannot be compared, but they are bank details.
 */
export const isForeignOnly = (facts: InvoiceFacts): boolean =>
  facts.unreadable === null &&
  !facts.isIncomplete &&
  !facts.hasUnreadAccount &&
  payableAccounts(facts).length === 0 &&
  facts.noticed.some(({ code }) => code === "iban_or_swift");

export type JudgedInvoice = {
  verdict: InvoiceVerdict;
  identified: Identified | undefined;
  /** The account that the verdict concerns; undefined: there is none, a foreign one, or more than one. */
  account: AccountOfInvoice | undefined;
};

/** The verdict on an invoice. */
export function judgeInvoice(facts: InvoiceFacts): JudgedInvoice {
  const identified = identifyPayee(facts);
  const accounts = payableAccounts(facts);
  const of = (verdict: InvoiceVerdict, account?: AccountOfInvoice) => ({ verdict, identified, account });
  if (facts.unreadable !== null) return of("unreadable");
  // An account that is hidden, doubted or spoken against is one all the same.
  const isUnread =
    facts.isIncomplete ||
    facts.hasUnreadAccount ||
    facts.noticed.some(({ weight }) => weight === "grave" || weight === "refused") ||
    facts.accounts.some(({ certain }) => !certain);
  if (isForeignOnly(facts)) {
    // Every payee has an Australian account, so a foreign one that is asked for instead is another account.
    const isInstead = identified && facts.bpayCount + facts.payIdCount === 0;
    return of(isInstead ? "other_account" : "unreadable");
  }
  if (accounts.length === 0) return of(isUnread ? "unreadable" : "no_account");
  const certain = accounts.filter((account) => account.certain);
  if (certain.length === 0) return judgeDoubtful(accounts, identified);
  if (certain.length > 1) return of("several_accounts");
  const [account] = certain;
  if (!account) return of("no_account");
  const verdict = verdictOf(account, identified?.payee);
  // The page shows, beside the verified account, another one that could not be read.
  return verdict === "same_account" && facts.hasUnreadAccount ? of("unreadable") : of(verdict, account);
}

/**
 * No account was read with certainty. One that is not the payee's still stops the invoice; one that is the payee's
 * proves nothing.
 */
function judgeDoubtful(accounts: readonly AccountOfInvoice[], identified: Identified | undefined): JudgedInvoice {
  const other = accounts.find((account) => {
    const verdict = verdictOf(account, identified?.payee);
    return verdict === "other_account" || verdict === "another_payees_account";
  });
  if (other) return { verdict: verdictOf(other, identified?.payee), identified, account: other };
  return { verdict: "unreadable", identified, account: undefined };
}

function verdictOf(account: AccountOfInvoice, payee: PayeeOfInvoice | undefined): InvoiceVerdict {
  if (payee && isSameAccount(account, payee)) return "same_account";
  const { holder } = account;
  if (holder && holder.payeeId !== payee?.id) return "another_payees_account";
  return payee ? "other_account" : "unknown_payee";
}
