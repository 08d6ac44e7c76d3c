import { boxAround, type Char, type Line } from "@workers/reader/layout/lines";
import type { Box, Doubt, ReadAccount } from "~/ports/document-reader";
import { CannotRead, MAX_UNLABELLED } from "../limits";
import { accountNameNear } from "./account-names";
import { isNotToBePaid, isUnderDetails, whoseAccount } from "./account-words";
import { linesAround, precedingText, wordsBefore } from "./context";
import type { Label } from "./labels";
import { digitsOf, isPhone, leadingBsb, type NumberRun } from "./numbers";
import { isAccountNumber, namedOtherwise, numbersByLabel, type Piece } from "./numbers-by-label";

export type FoundAccount = ReadAccount & {
  /** The characters of its digits, for checking how they are painted. */
  chars: Char[];
};

export type AccountSearch = {
  accounts: FoundAccount[];
  /** BSB labels without digits, whether or not something else is beside them. */
  openLabels: Label[];
  /** Numbers that belong to accounts, so that they are not read as anything else. */
  used: NumberRun[];
};

const BANK_WORDS =
  /\b(?:bank|eft|direct (?:deposit|credit|transfer|debit)|electronic|transfer|remit|pay(?:ment|able)?|deposit|account|acct|a\/c)\b/i;

/** Finds all accounts in the lines of a page. */
export function findAccounts(
  lines: readonly Line[],
  labels: readonly Label[],
  numbers: readonly NumberRun[],
): AccountSearch {
  const { bsbs, accounts, open } = numbersByLabel(lines, labels, numbers);
  const isNamed = namedOtherwise(labels);
  addUnlabelled(lines, labels, numbers, bsbs, accounts);
  const pairs = pairUp(bsbs, accounts);
  const used = new Set([...bsbs, ...accounts].map(({ run }) => run));
  const rest = accounts.filter((account) => account.label && !pairs.some((pair) => pair.account === account));
  const found = pairs.map((pair) => {
    const account = toAccount(lines, labels, pair);
    const own = pair.account?.run;
    const rests = own
      ? numbers.filter(
          (other) => !used.has(other) && (goesOnBeside(own, other) || (goesOnBelow(own, other) && !isNamed(other))),
        )
      : [];
    if (rests.length === 0 && !couldBeAnother(pair, rest)) return account;
    const isHalf = own && !account.doubts.includes("half_an_account") && rests.some((other) => areHalves(own, other));
    const doubts: Doubt[] = [...account.doubts, "several_readings", ...(isHalf ? ["half_an_account" as const] : [])];
    return { ...account, certain: false, doubts };
  });
  return {
    accounts: mergeSame(found),
    openLabels: open,
    used: [...used],
  };
}

/** "Please pay 062-000 12345678", and a second row of a table whose header was taken by the first. */
function addUnlabelled(
  lines: readonly Line[],
  labels: readonly Label[],
  numbers: readonly NumberRun[],
  bsbs: Piece[],
  accounts: Piece[],
): void {
  const taken = new Set([...bsbs, ...accounts].map(({ run }) => run));
  const last = new Map<number, number>();
  const isNamed = namedOtherwise(labels);
  const isLabelled = bsbs.some(({ label }) => label);
  const headed = { bsbs: bsbs.filter(({ label }) => label), accounts: accounts.filter(({ label }) => label) };
  const take = (bsb: Piece, account?: Piece) => {
    bsbs.push(bsb);
    if (account) accounts.push(account);
    for (const { run } of account ? [bsb, account] : [bsb]) taken.add(run);
    if (account) note(account);
    if (bsbs.length > MAX_UNLABELLED) throw new CannotRead("too_slow");
  };
  const note = ({ run }: Piece) => last.set(run.row, Math.max(run.from, last.get(run.row) ?? 0));
  accounts.forEach(note);
  for (const [at, run] of numbers.entries()) {
    if (taken.has(run) || isNamed(run)) continue;
    const split = leadingBsb(run.groups);
    if (!split) continue;
    const isNumbered = NUMBERED.test(wordsBefore(run));
    // Part numbers look like this too, so beside a labelled account only a bank's words make it an account.
    const isWritten =
      /^\d{3} ?- ?\d{3}/.test(run.line.text.slice(run.from, run.from + 12)) &&
      !(isNumbered || (isLabelled && !hasBankWords(lines, run)));
    if (isAccountNumber(split.rest) && !isNumbered && (isWritten || hasBankWords(lines, run))) {
      take({ run, groups: split.bsb }, { run, groups: split.rest });
    } else if (split.rest.length === 0 && isWritten) {
      const next = nextAfter(run, numbers[at + 1], /^[\s\t/|,;:-]*$/);
      const isNext = next && !(taken.has(next) || isNamed(next));
      if (isNext && (hasBankWords(lines, run) || bsbs.length > 0 || digitsOf(next.groups).length >= 6))
        take(
          { run, groups: split.bsb, ...headOf(headed.bsbs, run) },
          { run: next, groups: next.groups, ...headOf(headed.accounts, next) },
        );
      else if ((last.get(run.row) ?? 0) > run.to) take({ run, groups: split.bsb });
    }
  }
  // A BSB that no account number goes with yet, and the one right after it without a label of its own.
  const alone = new Set(pairUp(bsbs, accounts).flatMap(({ bsb, account }) => (bsb && !account ? [bsb.run] : [])));
  for (const [at, run] of numbers.entries()) {
    const next = alone.has(run) ? nextAfter(run, numbers[at + 1], NEXT_TO_BSB) : undefined;
    if (next && !taken.has(next) && !isNamed(next)) accounts.push({ run: next, groups: next.groups });
  }
}

/** The number right after another one, where it may be an account's and nothing but this is between them. */
function nextAfter(run: NumberRun, next: NumberRun | undefined, between: RegExp): NumberRun | undefined {
  if (next?.row !== run.row || isPhone(next) || !isAccountNumber(next.groups)) return undefined;
  return between.test(run.line.text.slice(run.to, next.from)) ? next : undefined;
}

/** The heading of a number's column, which was matched to the number in the first row. */
function headOf(pieces: readonly Piece[], run: NumberRun): Pick<Piece, "label"> {
  const em = Math.max(run.line.size, 1);
  const isAbove = ({ row, start }: { row: number; start: number }) => row < run.row && Math.abs(start - run.start) < em;
  const first = pieces.find(
    ({ run: above, label }) => label && isAbove(above) && label.row < above.row && run.line.turn === above.line.turn,
  );
  return first?.label ? { label: first.label } : {};
}

const NEXT_TO_BSB = /^[\s\t/|,;:&-]*(?:and|then|acc(?:oun)?t?|a\/c|(?:number|num|no\.?|#)(?![a-z]))?[\s\t:]*$/i;

const NUMBERED =
  /\b(?:part|item|order|job|stock|serial|model|sku|product|quote|docket|permit|licen[cs]e|approval|certificate|policy|claim|matter|file|lot|plan|meter)\s*(?:no|number|code|#)?[\s.:#]*$/i;

/** Every number of a line asks for its words. */
const known = new WeakMap<Line, boolean>();

function namesBank(line: Line): boolean {
  const isOfBank = known.get(line) ?? BANK_WORDS.test(line.text);
  known.set(line, isOfBank);
  return isOfBank;
}

const hasBankWords = (lines: readonly Line[], run: NumberRun): boolean =>
  namesBank(run.line) ||
  (lines.slice(Math.max(0, run.row - 3), run.row).some(namesBank) && BANK_WORDS.test(precedingText(lines, run, 3)));

/** "1234" with "5678" right below it may be one number of a narrow column. */
function goesOnBelow(run: NumberRun, other: NumberRun): boolean {
  const em = Math.max(run.line.size, 1);
  const down = (other.line.baseline - run.line.baseline) / em;
  const isBelow =
    other.line.turn === run.line.turn && down > 0.5 && down < 1.9 && Math.abs(other.start - run.start) < em;
  return isBelow && other.row > run.row && isAloneInCell(other);
}

const isAloneInCell = ({ line, from, to }: NumberRun): boolean =>
  (from === 0 || line.text[from - 1] === "\t") && (to === line.text.length || line.text[to] === "\t");

const MOST_DIGITS = 10;
const SHORT = 6;

/** So few digits that together they could be one account number. */
function areHalves(run: NumberRun, other: NumberRun): boolean {
  const own = digitsOf(run.groups).length;
  return own <= SHORT && own + digitsOf(other.groups).length <= MOST_DIGITS;
}

/** "12345" with "67890" a little farther on: two numbers, or the halves of one. */
function goesOnBeside(run: NumberRun, other: NumberRun): boolean {
  return (
    areHalves(run, other) &&
    other.row === run.row &&
    other.from >= run.to &&
    /^[\s\t-]*$/.test(run.line.text.slice(run.to, other.from)) &&
    other.start - run.end < 4 * Math.max(run.line.size, 1)
  );
}

type Pair = { bsb?: Piece; account?: Piece };

/** Pairs each account number with the nearest BSB. */
function pairUp(bsbs: readonly Piece[], accounts: readonly Piece[]): Pair[] {
  const offers = bsbs.flatMap((bsb) => accounts.map((account) => ({ bsb, account, cost: distance(bsb, account) })));
  offers.sort((a, b) => a.cost - b.cost);
  const pairs: Pair[] = [];
  const done = new Set<Piece>();
  for (const { bsb, account, cost } of offers) {
    if (done.has(bsb) || done.has(account) || cost > 60) continue;
    done.add(bsb);
    done.add(account);
    pairs.push({ bsb, account });
  }
  for (const bsb of bsbs) if (!done.has(bsb)) pairs.push({ bsb });
  for (const account of accounts) if (!done.has(account) && isBankLabel(account.label)) pairs.push({ account });
  return pairs;
}

/**
 * An account number without a BSB counts only if its label says that it is a bank account, because suppliers also
 * number their customers.
 */
const isBankLabel = (label: Label | undefined) =>
  label !== undefined && (/bank/i.test(label.text) || label.kind === "both");

const MARGIN = 3;
/** The account after it is one of another country's, which has no BSB. */
const FOREIGN_BANK = /\b(?:routing|aba|ach|iban|swift|bic|sort\s?code|ifsc|transit)\b[^.]{0,60}$/i;

/** Another number with the label of an account is as near to the BSB, and has no BSB of its own nearby. */
const couldBeAnother = ({ bsb, account }: Pair, rest: readonly Piece[]): boolean =>
  bsb !== undefined &&
  account !== undefined &&
  bsb.run !== account.run &&
  rest.some(
    (other) =>
      digitsOf(other.groups) !== digitsOf(account.groups) &&
      digitsOf(other.groups).length >= 6 &&
      distance(bsb, other) < distance(bsb, account) + (account.label?.isStrong ? 0 : MARGIN) &&
      !FOREIGN_BANK.test(wordsBefore(other.run)),
  );

function distance(bsb: Piece, account: Piece): number {
  if (bsb.run === account.run) return 0;
  if (bsb.run.line.turn !== account.run.line.turn) return 1_000;
  const em = Math.max(bsb.run.line.size, 1);
  const down = (account.run.line.baseline - bsb.run.line.baseline) / em;
  const aside =
    account.run.start > bsb.run.end
      ? account.run.start - bsb.run.end
      : Math.min(Math.abs(account.run.start - bsb.run.start), Math.abs(account.run.end - bsb.run.end));
  return (down >= 0 ? down : -down * 1.5) + aside / em / 4;
}

/** A number with fewer digits is usually the start of one that continues in another column or line. */
const LEAST_DIGITS = 5;

function toAccount(lines: readonly Line[], labels: readonly Label[], { bsb, account }: Pair): FoundAccount {
  const pieces = [bsb, account].filter((piece) => piece !== undefined);
  const chars = pieces
    .flatMap(({ run, groups }) => groups.flatMap(({ from, to, line }) => (line ?? run.line).chars.slice(from, to)))
    .filter((char) => char !== undefined);
  const place = (account ?? bsb)?.run;
  const doubts: Doubt[] = [];
  const isShort = account && digitsOf(account.groups).length < LEAST_DIGITS;
  if (!(bsb && account) || isShort) doubts.push("half_an_account");
  else if (isNotToBePaid(bsb, account) || bsb.isUnsure || account.isUnsure) doubts.push("several_readings");
  else if (!(bsb.label || account.label || isUnderDetails(lines, bsb, account))) doubts.push("no_label");
  const name = accountNameNear(lines, labels, pieces);
  const box: Box | undefined = boxAround(chars);
  return {
    bsb: bsb ? digitsOf(bsb.groups) : "",
    accountNumber: account ? digitsOf(account.groups) : "",
    ...(name ? { accountName: name } : {}),
    page: 0,
    ...(box ? { box } : {}),
    lines: place ? linesAround(lines, place.row) : [],
    certain: doubts.length === 0,
    doubts,
    whose: place ? whoseAccount(lines, bsb?.run ?? place, account?.run ?? place, name) : "unknown",
    chars,
  };
}

/** Merges an account that is printed twice, for example at the top and on a payment slip. */
function mergeSame(found: readonly FoundAccount[]): FoundAccount[] {
  const merged: FoundAccount[] = [];
  for (const account of found) {
    const same = merged.find(
      (one) => one.bsb === account.bsb && one.accountNumber === account.accountNumber && one.whose === account.whose,
    );
    if (!same) merged.push({ ...account });
    else {
      same.chars.push(...account.chars);
      same.accountName ??= account.accountName;
      if (account.certain && !same.certain) Object.assign(same, { certain: true, doubts: [] });
    }
  }
  return merged;
}
