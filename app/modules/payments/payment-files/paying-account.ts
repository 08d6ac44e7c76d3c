import { accountKey, maskAccountNumber, parseAccountNumber } from "~/kernel/account-number";
import { formatBsb, parseBsb } from "~/kernel/bsb";
import type { AbaFile } from "./aba/read-aba";
import { DEBIT_CODE, DETAIL, fieldOf } from "./aba/record";

/*
 * Who pays by a direct entry file, as it says itself, against the accounts that the organisation declared to pay from. Whoever
 * changes a file can also change where the money is taken from and where returned payments go. Pure.
 */

/** An account that the organisation pays from. */
export type PayingAccount = {
  /** The bank's three letters, such as CBA. */
  bank: string;
  /** Up to six digits: the direct entry user id that the bank gave. */
  userId: string;
  bsb: string;
  accountNumber: string;
};

/** `header`: some banks put it there; `trace`: returned payments go to it; `debit`: the whole amount is taken from it. */
type Place = "header" | "trace" | "debit";

type StatedAccount = {
  place: Place;
  bsb: string;
  accountNumber: string;
  /** The first line that names it so, and how many do. */
  line: number;
  count: number;
};

/** What a file says of who pays. Two accounts that differ in place stand twice. */
export type PaysFrom = { bank: string; userId: string; accounts: StatedAccount[] };

/** Accounts of a file that are kept: a file that names more is stopped by the first already. */
const MAX_STATED = 20;

export function readPaysFrom({ header, lines }: AbaFile): PaysFrom {
  const found = new Map<string, StatedAccount>();
  const add = (place: Place, line: number, bsbText: string, accountText: string) => {
    const [bsb, accountNumber] = [bsbText.trim(), accountText.trim()];
    // Blank fields say nothing. What cannot be an account is kept as it stands: it is none that was declared.
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

/** `not_stated`: a table, or a file that says too little; `none_declared`: there is nothing to compare with. */
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
 * Compares who pays by a file with the accounts that were declared. The header must be that of the accounts which the file
 * names; where it names none, that of any declared account.
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

function sayHeader({ bank, userId }: PaysFrom, owners: readonly PayingAccount[]): string {
  const known = [...new Set(owners.map((each) => `${each.bank} and ${each.userId}`))].join(", or ");
  return `The header names the bank ${bank || "(blank)"} and the user number ${userId || "(blank)"}. You declared ${known}.`;
}

/** What to do about a file that somebody else's account would pay. */
export const STOPPED_NEXT =
  "Ask whoever made the file, on a number you know, why it names a different account. If the account is yours, an administrator declares it; if not, give the file up and tell your bank.";

/** The same where there is little room. */
export const STOPPED_SHORTLY =
  "Ask whoever made it, on a number you know, or let an administrator declare the account.";

/** What a file names and nobody declared, as it would be declared: once each, where it can be an account. */
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
