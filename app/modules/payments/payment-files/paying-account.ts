import { accountKey, formatBsb, maskAccountNumber, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import type { FileStatus } from "~/kernel/enums";
import { type AbaFile, DEBIT_CODE, DETAIL, fieldOf } from "./aba";
import { isDecidable } from "./payment-file";

/*
 * Compares the paying account that a direct entry file names with the accounts that the organisation declared.
 * Whoever tampers with a file can also change which account is debited and where returned payments go. Pure.
 */

/** An account that the organisation pays from. */
export type PayingAccount = {
  /** The bank's three letters, such as CBA. */
  bank: string;
  /** Up to six digits: the direct entry user id that the bank assigned. */
  userId: string;
  bsb: string;
  accountNumber: string;
};

/**
 * `header`: some banks put the account there; `trace`: returned payments go to it; `debit`: the whole amount is debited
 * from it.
 */
type Place = "header" | "trace" | "debit";

type StatedAccount = {
  place: Place;
  bsb: string;
  accountNumber: string;
  /** The first line that names the account in this place, and how many lines do. */
  line: number;
  count: number;
};

/** The paying details in a file. The same account in two places is listed twice. */
export type PaysFrom = { bank: string; userId: string; accounts: StatedAccount[] };

/** How many accounts of a file are kept. A file with more is stopped because of the first one anyway. */
const MAX_STATED = 20;

export function readPaysFrom({ header, lines }: AbaFile): PaysFrom {
  const found = new Map<string, StatedAccount>();
  const add = (place: Place, line: number, bsbText: string, accountText: string) => {
    const [bsb, accountNumber] = [bsbText.trim(), accountText.trim()];
    // Blank fields name no account. Text that is not a valid account is kept as it is, so it matches no declared
    // account.
    if (bsb === "" && accountNumber === "") return;
    const read = { bsb: parseBsb(bsb) ?? bsb, accountNumber: parseAccountNumber(accountNumber) ?? accountNumber };
    const key = `${place} ${accountKey(read)}`;
    const known = found.get(key);
    if (known) known.count++;
    else if (found.size < MAX_STATED) found.set(key, { place, ...read, line, count: 1 });
  };
  add("header", 1, header.bsb, header.account);
  for (const { line, record, code, bsb, accountNumber } of lines) {
    if (code === DEBIT_CODE) add("debit", line, bsb, accountNumber);
    add("trace", line, fieldOf(record, DETAIL.traceBsb), fieldOf(record, DETAIL.traceAccount));
  }
  return { bank: header.bank, userId: header.userId, accounts: [...found.values()] };
}

/** `not_stated`: a table, or a file with too few details; `none_declared`: there is nothing to compare with. */
export type PayingCheck =
  | { state: "declared" | "not_stated" | "none_declared"; problems: [] }
  | { state: "other"; problems: string[] };

const sameUser = (a: string, b: string): boolean => a.trim().padStart(6, "0") === b.trim().padStart(6, "0");

const show = ({ bsb, accountNumber }: Pick<StatedAccount, "bsb" | "accountNumber">): string =>
  `${parseBsb(bsb) ? formatBsb(bsb) : bsb || "no BSB"} ${accountNumber === "" ? "without an account number" : maskAccountNumber(accountNumber)}`;

const NOT_DECLARED = "which your organisation has not declared to pay from";

function sayAccount({ place, line, count, ...account }: StatedAccount): string {
  const more = count > 1 ? ` and ${count - 1} more` : "";
  switch (place) {
    case "header":
      return `The header names the account ${show(account)}, ${NOT_DECLARED}.`;
    case "debit":
      return `Line ${line} takes the whole amount from ${show(account)}, ${NOT_DECLARED}.`;
    case "trace":
      return `Line ${line}${more}: returned payments would go to ${show(account)}, ${NOT_DECLARED}.`;
  }
}

/**
 * Compares a file's paying details with the declared accounts. The header must match the accounts that the file names;
 * if it names none, any declared account.
 */
export function checkPayingAccount(stated: PaysFrom | null, declared: readonly PayingAccount[]): PayingCheck {
  if (!stated) return { state: "not_stated", problems: [] };
  if (declared.length === 0) return { state: "none_declared", problems: [] };
  const byKey = new Map<string, PayingAccount[]>();
  for (const account of declared) byKey.set(accountKey(account), [...(byKey.get(accountKey(account)) ?? []), account]);
  const others = stated.accounts.filter((account) => !byKey.has(accountKey(account)));
  const named = stated.accounts.flatMap((account) => byKey.get(accountKey(account)) ?? []);
  const owners = named.length > 0 ? named : declared;
  const isKnown = owners.some(({ bank, userId }) => bank === stated.bank && sameUser(userId, stated.userId));
  const problems = [...(isKnown ? [] : [sayHeader(stated, owners)]), ...others.map(sayAccount)];
  return problems.length > 0 ? { state: "other", problems } : { state: "declared", problems: [] };
}

type Progress = { status: FileStatus; heldCount: number; authorisedCount: number; clearedCount: number };

/** True until everything that was approved is cleared and nothing is held: a stop is about what is cleared next. */
export const hasMoreToClear = ({ status, heldCount, authorisedCount, clearedCount }: Progress): boolean =>
  status === "checking" ||
  (isDecidable(status) && (clearedCount === 0 || heldCount > 0 || authorisedCount > clearedCount));

/** Why what is left of a file cannot be cleared; none: nothing stops it. */
export const stopsOf = (
  { paysFrom, ...progress }: Progress & { paysFrom: PaysFrom | null },
  declared: readonly PayingAccount[],
): string[] => (hasMoreToClear(progress) ? checkPayingAccount(paysFrom, declared).problems : []);

function sayHeader({ bank, userId }: PaysFrom, owners: readonly PayingAccount[]): string {
  const known = [...new Set(owners.map((each) => `${each.bank} and ${each.userId}`))].join(", or ");
  return `The header names the bank ${bank || "(blank)"} and the user number ${userId || "(blank)"}. You declared ${known}.`;
}

/** What to do about a file with an undeclared paying account. */
export const STOPPED_NEXT =
  "Ask whoever made the file, on a number you know, why it names a different account. If the account is yours, an administrator can declare it; if not, abandon the file and tell your bank.";

/** A shorter version of the same. */
export const STOPPED_SHORTLY =
  "Ask whoever made it, on a number you know, or let an administrator declare the account.";

/** The accounts in a file that nobody declared, ready to be declared: each once, if valid. */
export function findUndeclared(
  { bank, userId, accounts }: PaysFrom,
  declared: readonly PayingAccount[],
): PayingAccount[] {
  if (!/^[A-Z&]{3}$/.test(bank) || !/^\d{1,6}$/.test(userId)) return [];
  const keyOf = (account: PayingAccount) => `${account.bank} ${account.userId.padStart(6, "0")} ${accountKey(account)}`;
  const known = new Set(declared.map(keyOf));
  const found = new Map<string, PayingAccount>();
  for (const { bsb, accountNumber } of accounts) {
    const account = { bank, userId, bsb, accountNumber };
    const isAccount = parseBsb(bsb) !== undefined && parseAccountNumber(accountNumber) !== undefined;
    if (isAccount && !known.has(keyOf(account))) found.set(keyOf(account), account);
  }
  return [...found.values()];
}
