import { boxAround, type Char, type Line } from "@workers/reader/layout/lines";
import type { Box, Doubt, ReadAccount } from "~/ports/document-reader";
import { cellsOf, linesAround, precedingText } from "./context";
import type { Label } from "./labels";
import { digitsOf, type Group, leadingBsb, type NumberRun, splitJoined } from "./numbers";

/** Digits that were read as a BSB or as an account number, with their characters. */
type Piece = { run: NumberRun; groups: Group[]; label?: Label };

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

const MAX_COST = 6;
const BANK_WORDS =
  /\b(?:bank|eft|direct (?:deposit|credit|transfer|debit)|electronic|transfer|remit|pay(?:ment|able)?|deposit|account|acct|a\/c)\b/i;

/** Finds all accounts in the lines of a page. */
export function findAccounts(
  lines: readonly Line[],
  labels: readonly Label[],
  numbers: readonly NumberRun[],
): AccountSearch {
  const { bsbs, accounts, open } = assign(lines, labels, numbers);
  addUnlabelled(lines, labels, numbers, bsbs, accounts);
  const pairs = pairUp(bsbs, accounts);
  const used = new Set([...bsbs, ...accounts].map(({ run }) => run));
  const rest = accounts.filter((account) => account.label && !pairs.some((pair) => pair.account === account));
  const found = pairs.map((pair) => {
    const account = toAccount(lines, labels, pair);
    const own = pair.account?.run;
    const rests = own
      ? numbers.filter(
          (other) =>
            !used.has(other) &&
            (goesOnBeside(own, other) || (goesOnBelow(own, other) && !isNamedOtherwise(labels, other))),
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

type Offer = { label: Label; run: NumberRun; cost: number };

/** Gives each label its nearest number, in the order in which forms are laid out: after, below, before, above. */
function assign(lines: readonly Line[], labels: readonly Label[], numbers: readonly NumberRun[]) {
  const wanted = labels.filter(({ kind }) => kind === "bsb" || kind === "both" || kind === "account");
  const offers: Offer[] = [];
  for (const label of wanted) {
    for (const run of numbers) {
      if (!fits(label, run)) continue;
      const cost = costOf(lines, labels, label, run);
      if (cost !== undefined) offers.push({ label, run, cost });
    }
  }
  offers.sort((a, b) => a.cost - b.cost);
  const taken = new Map<NumberRun, Label>();
  const served = new Set<Label>();
  const bsbs: Piece[] = [];
  const accounts: Piece[] = [];
  for (const { label, run } of offers) {
    if (served.has(label)) continue;
    const owner = taken.get(run);
    if (owner) continue;
    const split =
      label.kind === "account" && !startsWithBsb(run) ? undefined : (leadingBsb(run.groups) ?? splitJoined(run.groups));
    if (label.kind === "account" && !(split && isAccountNumber(split.rest))) {
      if (!isAccountNumber(run.groups)) continue;
      accounts.push({ run, groups: run.groups, label });
    } else {
      if (!split) continue;
      bsbs.push({ run, groups: split.bsb, label });
      if (isAccountNumber(split.rest)) accounts.push({ run, groups: split.rest, label });
    }
    taken.set(run, label);
    served.add(label);
  }
  const open = wanted.filter((label) => label.kind !== "account" && !served.has(label) && !isPlainWord(label));
  return { bsbs, accounts, open };
}

/** "Please check our BSB before paying": such a label is part of a sentence, and no number belongs to it. */
function isPlainWord(label: Label): boolean {
  const after = label.line.text.slice(label.to);
  return /^ [a-z]{2,}/.test(after) && /[a-z]{2,} $/i.test(label.line.text.slice(0, label.from));
}

const isAccountNumber = (groups: readonly Group[]) => {
  const { length } = digitsOf(groups);
  return length >= 4 && length <= 10;
};

/** "062-000 12345678" under the word "Account". */
const startsWithBsb = ({ groups }: NumberRun) =>
  groups[0]?.digits.length === 3 && groups[1]?.digits.length === 3 && digitsOf(groups).length >= 10;

/** "Trust account | 182-722 | 407695667": a row of a table whose header names the numbers. */
const isBsbOfRow = (label: Label, { row, from, to, line }: NumberRun): boolean =>
  row === label.row &&
  /\t/.test(line.text.slice(label.to, from)) &&
  /^\d{3}-\d{3}$/.test(line.text.slice(from, to)) &&
  /^\s*\t\s*\d{4}/.test(line.text.slice(to));

function fits(label: Label, run: NumberRun): boolean {
  const total = digitsOf(run.groups).length;
  if (label.kind === "account" && !label.isStrong && (isPhone(run) || isBsbOfRow(label, run))) return false;
  if (label.kind === "account") return (total >= 4 && total <= 10) || (startsWithBsb(run) && total <= 16);
  const split = leadingBsb(run.groups) ?? splitJoined(run.groups);
  return split !== undefined && (split.rest.length === 0 || isAccountNumber(split.rest));
}

const FILLER = /^[\s:.=\-–|#()[\]]*$/;
const OTHER_LABEL = /\b(?:abn|acn|invoice|date|total|phone|ref|reference|biller)\b/i;

/** The distance of a number from a label; undefined if they are unrelated. */
function costOf(
  lines: readonly Line[],
  labels: readonly Label[],
  label: Label,
  run: { row: number; from: number; to: number; start: number; end: number; line: Line },
): number | undefined {
  if (label.line.turn !== run.line.turn) return undefined;
  const em = Math.max(label.line.size, 1);
  const weak = label.isStrong ? 0 : 1.2;
  if (label.row === run.row) {
    if (run.from >= label.to) {
      const cost = costAfter(label.line.text.slice(label.to, run.from), (run.start - label.end) / em);
      return cost === undefined ? undefined : weak + cost;
    }
    const between = label.line.text.slice(run.to, label.from);
    return FILLER.test(between) ? weak + 1.6 + (label.start - run.end) / em / 20 : undefined;
  }
  const down = (run.line.baseline - label.line.baseline) / em;
  if (isBesideCaption(lines, labels, label, run)) return weak + 0.5;
  const overlap = Math.min(label.end, run.end) - Math.max(label.start, run.start);
  const isAligned =
    overlap > 0 ||
    Math.abs(label.start - run.start) < 1.5 * em ||
    Math.abs(label.end - run.end) < 1.5 * em ||
    (down > 0 && isIndentedBelow(lines, label, run));
  if (!isAligned) return undefined;
  const aside = Math.min(Math.abs(label.start - run.start), Math.abs(label.end - run.end)) / em / 20;
  if (down > 0 && down < 7) return weak + 1 + down * 0.25 + aside + crossed(lines, label, run) * 0.6;
  if (down < 0 && down > -3.2) return weak + 2.6 - down * 0.25 + aside + crossed(lines, run, label) * 0.6;
  return undefined;
}

/**
 * A caption over several lines, such as "Acc." and "Number" one below the other, and beside it, at half its height, the
 * number.
 */
function isBesideCaption(
  lines: readonly Line[],
  labels: readonly Label[],
  label: Label,
  run: { from: number; start: number; line: Line },
): boolean {
  const em = Math.max(label.line.size, 1);
  const down = (run.line.baseline - label.line.baseline) / em;
  if (down < 0.2 || down > 3 || run.start < label.end || run.start - label.end > 12 * em) return false;
  const isFirst = cellsOf(run.line).every(({ from, start }) => from >= run.from || start < label.start + em);
  const below = lines.filter(({ turn, baseline }) => turn === label.line.turn && baseline > label.line.baseline);
  let last = label.line;
  for (const line of below) {
    if (line.baseline - last.baseline > 1.6 * em) break;
    const cell = cellsOf(line).find(({ start }) => Math.abs(start - label.start) < em);
    if (!cell) continue;
    const isOther = labels.some((each) => each.line === line && each.from >= cell.from && each.to <= cell.to);
    if (isOther || /\d/.test(cell.text) || cell.end > run.start) break;
    last = line;
    const middle = (label.line.baseline + line.baseline) / 2;
    if (Math.abs(run.line.baseline - middle) < em * 0.35) return isFirst;
  }
  return false;
}

/** The indented line right below a label, each alone in its cell: the way that lists of definitions are shown. */
function isIndentedBelow(
  lines: readonly Line[],
  label: Label,
  run: { row: number; start: number; from: number; line: Line },
): boolean {
  const em = Math.max(label.line.size, 1);
  const moved = (run.start - label.start) / em;
  const own = cellsOf(label.line).find(({ from, to }) => label.from >= from && label.to <= to);
  const isAlone =
    own?.from === label.from &&
    FILLER.test(label.line.text.slice(label.to, own.to)) &&
    cellsOf(run.line).some(({ from }) => from === run.from);
  if (!isAlone || moved <= 0 || moved >= 6) return false;
  const isInColumn = ({ start }: { start: number }) => start > label.start - em && start < run.start + em;
  return !lines.some(
    (line) =>
      line !== label.line &&
      line !== run.line &&
      line.turn === label.line.turn &&
      line.baseline > label.line.baseline &&
      line.baseline < run.line.baseline &&
      cellsOf(line).some(isInColumn),
  );
}

function costAfter(between: string, gap: number): number | undefined {
  // Other digits are nearer, so the label belongs to them.
  if (/\d/.test(between.replace(/\([^)]*\)/g, ""))) return undefined;
  if (FILLER.test(between)) return 0.1 + Math.min(Math.max(gap, 0) / 40, 1);
  if (OTHER_LABEL.test(between)) return MAX_COST;
  const words = between.split(/[\s\t]+/).filter(Boolean).length;
  return Math.min(1.2 + words * 0.5, MAX_COST);
}

/** Counts the lines between two spans of a column. */
function crossed(
  lines: readonly Line[],
  above: { row: number; start: number; end: number; line: Line },
  below: { row: number; line: Line },
): number {
  let count = 0;
  for (const [row, line] of lines.entries()) {
    if (row === above.row || row === below.row || line.turn !== above.line.turn) continue;
    const isBetween = line.baseline > above.line.baseline && line.baseline < below.line.baseline;
    if (isBetween && line.start < above.end && line.end > above.start) count += 1;
  }
  return count;
}

/** "Reference 49168": the word before it says what it is, which is not an account. */
const isNamedOtherwise = (labels: readonly Label[], run: NumberRun): boolean =>
  labels.some(
    ({ kind, row, to }) =>
      /^(?:reference|biller|other)$/.test(kind) &&
      row === run.row &&
      to <= run.from &&
      FILLER.test(run.line.text.slice(to, run.from)),
  );

/** "Please pay 062-000 12345678", and a second row of a table whose header was taken by the first. */
function addUnlabelled(
  lines: readonly Line[],
  labels: readonly Label[],
  numbers: readonly NumberRun[],
  bsbs: Piece[],
  accounts: Piece[],
): void {
  const isTaken = (run: NumberRun) => bsbs.some((one) => one.run === run) || accounts.some((one) => one.run === run);
  const named = (run: NumberRun) => isNamedOtherwise(labels, run);
  for (const run of numbers) {
    if (isTaken(run) || named(run)) continue;
    const split = leadingBsb(run.groups);
    if (!split) continue;
    const isNumbered = NUMBERED.test(run.line.text.slice(0, run.from));
    // Part numbers look like this too, so beside a labelled account only a bank's words make it an account.
    const isWritten =
      /^\d{3} ?- ?\d{3}/.test(run.line.text.slice(run.from)) &&
      !(isNumbered || (bsbs.some(({ label }) => label) && !hasBankWords(lines, run)));
    if (isAccountNumber(split.rest) && !isNumbered && (isWritten || hasBankWords(lines, run))) {
      bsbs.push({ run, groups: split.bsb });
      accounts.push({ run, groups: split.rest });
    } else if (split.rest.length === 0 && isWritten) {
      const next = numbers.find(
        (other) =>
          other.row === run.row &&
          other.from >= run.to &&
          !(isTaken(other) || named(other) || isPhone(other)) &&
          isAccountNumber(other.groups) &&
          /^[\s\t/|,;:-]*$/.test(run.line.text.slice(run.to, other.from)),
      );
      const isOwned = accounts.some((one) => one.run.row === run.row && one.run.from > run.to);
      if (next && (hasBankWords(lines, run) || bsbs.length > 0 || digitsOf(next.groups).length >= 6)) {
        bsbs.push({ run, groups: split.bsb, ...headOf(bsbs, run) });
        accounts.push({ run: next, groups: next.groups, ...headOf(accounts, next) });
      } else if (isOwned) bsbs.push({ run, groups: split.bsb });
    }
  }
  // A BSB that no account number goes with yet, and the one right after it without a label of its own.
  const alone = pairUp(bsbs, accounts).flatMap(({ bsb, account }) => (bsb && !account ? [bsb] : []));
  for (const { run } of alone) {
    const next = numbers.find(
      (other) =>
        other.row === run.row &&
        other.from >= run.to &&
        !isTaken(other) &&
        !isPhone(other) &&
        isAccountNumber(other.groups) &&
        NEXT_TO_BSB.test(run.line.text.slice(run.to, other.from)),
    );
    if (next && !named(next)) accounts.push({ run: next, groups: next.groups });
  }
}

/** The label of a column that is above a number: the numbers of its first row have it. */
function headOf(pieces: readonly Piece[], run: NumberRun): Pick<Piece, "label"> {
  const em = Math.max(run.line.size, 1);
  const isAbove = ({ row, start }: { row: number; start: number }) => row < run.row && Math.abs(start - run.start) < em;
  const first = pieces.find(
    ({ run: above, label }) => label && isAbove(above) && label.row < above.row && run.line.turn === above.line.turn,
  );
  return first?.label ? { label: first.label } : {};
}

const NEXT_TO_BSB = /^[\s\t/|,;:&-]*(?:and|then|acc(?:oun)?t?|a\/c|(?:number|num|no\.?|#)(?![a-z]))?[\s\t:]*$/i;

/** Written like a phone number, which appears beside accounts more often than anything else. */
export const isPhone = ({ groups }: NumberRun) =>
  /^(?:1[38]00 \d{3} \d{3}|13 \d{2} \d{2}|0[23478] \d{4} \d{4}|04\d{2} \d{3} \d{3}|61 \d \d{4} \d{4}|61 4\d{2} \d{3} \d{3})$/.test(
    groups.map(({ digits }) => digits).join(" "),
  );

const NUMBERED =
  /\b(?:part|item|order|job|stock|serial|model|sku|product|quote|docket)\s*(?:no|number|code|#)?[\s.:#]*$/i;

function hasBankWords(lines: readonly Line[], run: NumberRun): boolean {
  return BANK_WORDS.test(`${precedingText(lines, run, 3)} ${run.line.text}`);
}

/** "1234" with "5678" right below it may be one number of a narrow column. */
function goesOnBelow(run: NumberRun, other: NumberRun): boolean {
  const em = Math.max(run.line.size, 1);
  const down = (other.line.baseline - run.line.baseline) / em;
  const isBelow =
    other.line.turn === run.line.turn && down > 0.5 && down < 1.9 && Math.abs(other.start - run.start) < em;
  const isAlone =
    /^(?:|.*\t)$/.test(other.line.text.slice(0, other.from)) && /^(?:|\t.*)$/.test(other.line.text.slice(other.to));
  return isBelow && isAlone && other.row > run.row;
}

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
      !FOREIGN_BANK.test(other.run.line.text.slice(0, other.run.from)) &&
      digitsOf(other.groups) !== digitsOf(account.groups) &&
      digitsOf(other.groups).length >= 6 &&
      distance(bsb, other) < distance(bsb, account) + (account.label?.isStrong ? 0 : MARGIN),
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

/** "Our account 062-000 12345678 is under audit: please do not use it." This does not ask to be paid there. */
const NOT_TO_USE =
  /^[^.]{0,60}\b(?:under audit|(?:being|is) audited|(?:is|are|was|been|being) (?:now )?(?:closed|frozen|suspended|unavailable)|(?:do not|don't|no longer|not to|cannot be|not be|stop) us(?:e|ed|ing)\b(?! (?:cheques?|cash)))/i;

/** "Former BSB 062-000", "(old account, closed 31/10/2026: 062-000 ..." and "Replaces 062-000": another one is meant instead. */
const FORMER =
  /\b(?:(?:former|old|previous|prior|closed)(?=[\s,:(-]*(?:[,:(-]|bank|bsb|branch|acc(?:oun)?t?s?\b|a\/c|details))|replac(?:es|ing)|superse(?:des|ding|ded))\b[^.\t]{0,50}$/i;

const isFormer = ({ run }: Piece): boolean => FORMER.test(run.line.text.slice(0, run.from));

/** So few digits are usually part of a number whose rest is in a different column or line. */
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
  else if (NOT_TO_USE.test(account.run.line.text.slice(account.run.to)) || isFormer(bsb))
    doubts.push("several_readings");
  else if (!(bsb.label || account.label || isUnderDetails(lines, bsb, account))) doubts.push("no_label");
  const name = place && accountNameNear(lines, labels, place, bsb?.run);
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
    whose: place ? whoseAccount(lines, bsb?.run ?? place, account?.run ?? place) : "unknown",
    chars,
  };
}

/** As good as a label, right before a BSB with its dash and an account number, or before the bank's name and those. */
const DETAILS =
  /\b(?:e\.?f\.?t\.?|bank|direct (?:deposit|credit)|transfer)(?:\s+(?:account|details|to|payments?))*\s*:\s*(?:[A-Za-z][\w&.']*\s+){0,3}$/i;

/** Words that say how to pay, right above an account that fills its line as it is written on forms: "062-000 12345678". */
const PAY_TO =
  /^(?:(?:please\s+)?(?:pay(?:ment)?s?|remit|deposit|transfer)\s+(?:to|into)|payable\s+to|bank(?:ing)?\s+(?:account|details)|payment\s+details|direct\s+(?:deposit|credit)|e\.?f\.?t\.?)\b/i;
const WHOLE_LINE = /^\d{3}-\d{3}[\s\t/|-]{1,4}\d[\d ]{4,11}\d$/;

function isUnderDetails(lines: readonly Line[], bsb: Piece, account: Piece): boolean {
  const { line, row, from } = bsb.run;
  if (DETAILS.test(line.text.slice(0, from))) return true;
  if (account.run.line !== line) return false;
  const cell = cellsOf(line).find((one) => from >= one.from && from < one.to);
  const text = cell && line.text.slice(cell.from, Math.max(cell.to, account.run.to)).trim();
  if (!(cell && text && WHOLE_LINE.test(text))) return false;
  return lines
    .slice(Math.max(0, row - 3), row)
    .filter((above) => above.turn === line.turn && line.baseline - above.baseline < line.size * 9)
    .flatMap(cellsOf)
    .some((above) => Math.abs(above.start - cell.start) < line.size && PAY_TO.test(above.text));
}

const CUSTOMERS = [
  /\b(?:we|us|automatically|will be|to be|is|are|be)\b[^.]{0,40}\b(?:debit|deduct|draw|withdraw|collect|charge)(?:ed|n)?\b/i,
  /\b(?:debit(?:ed)?|deduct(?:ed)?|drawn?|withdrawn?|charged?|collect(?:ed)?|taken|paid)\b[^.]{0,30}\bfrom\b[^.]{0,20}\b(?:your|the following|nominated)\b/i,
  /\bdirect debit\b(?!\s+(?:is\s+|are\s+)?(?:not|no longer|unavailable))/i,
  /\byour\b[^.]{0,24}\b(?:nominated|bank|own|registered)?\s*(?:bank )?account\b(?!\s+manager)/i,
  /\b(?:refund|credit)(?:ed)?\b[^.]{0,30}\b(?:in)?to\b[^.]{0,12}\byour\b/i,
  /\bcustomer'?s?\s+(?:bank\s+)?(?:account|details)\b/i,
];
const PAYEES =
  /\b(?:(?:pay|deposit|transfer|remit)\s+(?:the|this|your|any|all)\b[^.\d]{0,30}?\b(?:in)?to\b|pay(?:ment)?s?\s+(?:to|into|by|via)|please\s+(?:pay|remit|deposit|transfer)|remit|deposit(?:s)?\s+(?:to|into)|transfer(?:s)?\s+to|our\s+(?:bank\s+)?account|how to pay|payment (?:details|options|methods)|payable to|bank transfer|eft|direct (?:deposit|credit))\b/i;

/** The words beside every BPAY code, which do not refer to an account on the invoice. */
const OF_BPAY = /\b(?:contact|call) your (?:bank|financial)[^.]*?\bfrom your\b[^.\d]*?\baccount\b/gi;

/** "Your BSB 062-000": right before its digits. */
const YOURS = /\byour\s+(?:nominated\s+|bank\s+)*(?:bsb|branch|account|acct|acc)\b[^.\d]{0,24}$/i;

/** "We will debit your account 062-000 ...": the account of the document's recipient. */
function whoseAccount(lines: readonly Line[], run: NumberRun, account: NumberRun): ReadAccount["whose"] {
  if ([run, account].some((one) => YOURS.test(one.line.text.slice(0, one.from)))) return "customer";
  const before = precedingText(lines, run, 4);
  // Text in other columns after both numbers says nothing about them.
  const last = account.line === run.line ? Math.max(run.to, account.to) : run.to;
  const own = run.line.text.slice(0, cellsOf(run.line).find(({ to }) => to >= last)?.to);
  const text = `${before} ${own}`.replace(OF_BPAY, "");
  const customer = lastIndexOf(text, CUSTOMERS);
  const payee = lastIndexOf(text, [PAYEES]);
  return customer >= 0 && customer >= payee ? "customer" : "payee";
}

function lastIndexOf(text: string, patterns: readonly RegExp[]): number {
  return Math.max(
    -1,
    ...patterns.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, "gi"))].map(({ index }) => index)),
  );
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

type Spot = { row: number; start: number; end: number; line: Line };

const MAX_LINES_AWAY = 9;
const MAX_NAME = 140;
const NEXT_LABEL =
  /\s*(?:[|;,]\s*)?\b(?:b\.?s\.?b\b|a\/?c(?:c(?:ount|t)?)?\s*(?:no|num|#|:)|account\s*(?:no|num|#|:)|bank\s*:|branch\s*:|swift|bic\b|abn\b|ref(?:erence)?\s*:|payid).*$/i;

/** The nearest "Account name" to an account. */
function accountNameNear(
  lines: readonly Line[],
  labels: readonly Label[],
  account: Spot,
  bsb?: Spot,
): string | undefined {
  const near = labels
    .filter(({ kind, line }) => kind === "account_name" && line.turn === account.line.turn)
    .map((label) => ({
      label,
      away: Math.min(distanceToLabel(label, account), bsb ? distanceToLabel(label, bsb) : Number.POSITIVE_INFINITY),
    }))
    .filter(({ away }) => away < MAX_LINES_AWAY * 1.6)
    .sort((a, b) => a.away - b.away);
  for (const { label } of near) {
    const name = valueBeside(lines, label, labels);
    if (name) return name;
  }
  return undefined;
}

function distanceToLabel(label: Spot, account: Spot): number {
  const em = Math.max(account.line.size, 1);
  const down = Math.abs(label.line.baseline - account.line.baseline) / em;
  const aside = Math.max(0, label.start - account.end, account.start - label.end) / em;
  return down + aside / 4;
}

/** What a label names: the rest of its cell, the next cell, or the cell below. */
function valueBeside(lines: readonly Line[], label: Label, labels: readonly Label[]): string | undefined {
  const cells = cellsOf(label.line);
  const own = cells.find((cell) => label.from >= cell.from && label.from < cell.to);
  if (!own) return undefined;
  const rest = clean(label.line.text.slice(label.to, own.to));
  if (rest) return rest;
  const isLabelled = (cell: { from: number; to: number }, row: number) =>
    labels.some(
      (other) => other.row === row && other.from >= cell.from && other.from <= cell.from + 2 && other.isStrong,
    );
  const next = cells.find((cell) => cell.from > own.from);
  if (next && !isLabelled(next, label.row)) {
    const beside = clean(next.text);
    if (beside) return beside;
  }
  for (const [row, line] of lines.entries()) {
    const down = (line.baseline - label.line.baseline) / Math.max(label.line.size, 1);
    if (line.turn !== label.line.turn || down <= 0 || down > 3.5) continue;
    const below = cellsOf(line).find(
      (cell) =>
        Math.abs(cell.start - label.start) < label.line.size * 2 || (cell.start < label.end && cell.end > label.start),
    );
    if (below && !isLabelled(below, row)) return clean(below.text);
  }
  return undefined;
}

function clean(text: string): string | undefined {
  const name = text
    .replace(/^[\s:.\-–=|]+/, "")
    .replace(NEXT_LABEL, "")
    .replace(/[\s,;|]+$/, "")
    .slice(0, MAX_NAME);
  return /[a-z]{2}/i.test(name) ? name : undefined;
}
