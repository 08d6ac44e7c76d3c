import { gapBetween, type Line } from "../layout/lines";
import { CannotRead, MAX_PAIRS } from "../limits";
import { cellsOf, wordsBefore } from "./context";
import type { Label, Span } from "./labels";
import { digitsOf, type Group, isPhone, isWhole, leadingBsb, type NumberRun, splitJoined } from "./numbers";

/** Which number belongs to which label: "BSB" and "Account number" beside, above or below their digits. */

/**
 * Digits that were read as a BSB or as an account number, with their characters.
 * @property isUnsure another number may belong to the label
 */
export type Piece = { run: NumberRun; groups: Group[]; label?: Label; isUnsure?: boolean };

const MAX_COST = 6;

/** Gives each label its nearest number, in the order in which forms are laid out: after, below, before, above. */
export function numbersByLabel(lines: readonly Line[], labels: readonly Label[], numbers: readonly NumberRun[]) {
  const wanted = labels.filter(({ kind }) => kind === "bsb" || kind === "both" || kind === "account");
  if (wanted.length * numbers.length > MAX_PAIRS) throw new CannotRead("too_slow");
  const before = new Map([...valuesAbove(wanted, numbers), ...valuesBefore(labels, numbers)]);
  const offers: { label: Label; run: NumberRun; cost: number; isUnsure?: boolean }[] = [];
  const isNamed = namedOtherwise(labels);
  for (const label of wanted) {
    const own = before.get(label);
    if (own) offers.push({ label, cost: 0, ...own });
    for (const run of own ? [] : numbers) {
      const isOther = run.row !== label.row && isNamed(run);
      if (isOther || !fits(label, run) || isYear(label, run)) continue;
      const cost = costOf(lines, labels, label, run);
      if (cost !== undefined) offers.push({ label, run, cost });
    }
  }
  offers.sort((a, b) => a.cost - b.cost);
  const taken = new Map<NumberRun, Label>();
  const served = new Set<Label>();
  const bsbs: Piece[] = [];
  const accounts: Piece[] = [];
  for (const { label, run, isUnsure = false } of offers) {
    if (served.has(label)) continue;
    const owner = taken.get(run);
    if (owner) continue;
    const split =
      label.kind === "account" && !startsWithBsb(run) ? undefined : (leadingBsb(run.groups) ?? splitJoined(run.groups));
    if (label.kind === "account" && !(split && isAccountNumber(split.rest))) {
      if (!isAccountNumber(run.groups)) continue;
      accounts.push({ run, groups: run.groups, label, isUnsure });
    } else {
      if (!split) continue;
      bsbs.push({ run, groups: split.bsb, label, isUnsure });
      const next = label.kind === "both" ? numberAfter(run, numbers) : undefined;
      if (isAccountNumber(split.rest)) accounts.push({ run, groups: split.rest, label, isUnsure });
      else if (next && !taken.has(next)) {
        accounts.push({ run: next, groups: next.groups, label, isUnsure });
        taken.set(next, label);
      }
    }
    taken.set(run, label);
    served.add(label);
  }
  const open = wanted.filter(
    (label) => label.kind !== "account" && !served.has(label) && !isPlainWord(label) && !isNoBsb(lines, label),
  );
  return { bsbs, accounts, open };
}

/** "BSB / Acct: 062-000 / 12345678": the second number of the label. */
const numberAfter = (run: NumberRun, numbers: readonly NumberRun[]): NumberRun | undefined =>
  numbers.find(
    (next) =>
      next.row === run.row &&
      next.from > run.to &&
      isAccountNumber(next.groups) &&
      /^ ?[/|,;] ?$/.test(run.line.text.slice(run.to, next.from)),
  );

/**
 * Rows that begin with a number and end with a label: "062-000 BSB  12345678 Account". Each number belongs to the label
 * after it. Where the gaps do not say so, and a label could have the next number too, nobody can say which is meant.
 */
function valuesBefore(labels: readonly Label[], numbers: readonly NumberRun[]) {
  const found = new Map<Label, { run: NumberRun; isUnsure: boolean }>();
  const runsOf = byRow(numbers);
  for (const [row, own] of byRow(labels)) {
    const runs = runsOf.get(row) ?? [];
    if (own.length !== runs.length) continue;
    const pairs = own.flatMap((label, at) => (runs[at] ? [{ label, run: runs[at], next: runs[at + 1] }] : []));
    const isInTurn = pairs.every(
      ({ label, run, next }) =>
        run.to <= label.from &&
        (!next || next.from >= label.to) &&
        FILLER.test(label.line.text.slice(run.to, label.from)),
    );
    const isWanted = (label: Label) => label.kind === "bsb" || label.kind === "account";
    if (own.filter(isWanted).length < 2 || !isInTurn) continue;
    if (!pairs.every(({ label, run }) => !isWanted(label) || fits(label, run))) continue;
    const isUnsure = pairs.some(({ label, run, next }) => isWanted(label) && next && isAsNear(label, run, next));
    for (const { label, run } of pairs) if (isWanted(label)) found.set(label, { run, isUnsure });
  }
  return found;
}

/**
 * A column of numbers with a label below each: "062-000", "BSB", "12345678", "Account". The number below "BSB" would fit it too,
 * but then the last label would have none.
 */
function valuesAbove(labels: readonly Label[], numbers: readonly NumberRun[]) {
  const found = new Map<Label, { run: NumberRun; isUnsure: boolean }>();
  const below = (one: Span, other: Span) => {
    const em = Math.max(one.line.size, other.line.size, 1);
    const down = (other.line.baseline - one.line.baseline) / em;
    const isOver = one.start < other.end && other.start < one.end;
    return one.line.turn === other.line.turn && down > 0.4 && down < 2.2 && isOver;
  };
  const isAlone = ({ line, from, to }: Span) =>
    cellsOf(line).some((cell) => cell.from <= from && cell.to >= to && cell.text.length <= to - from + 1);
  const columns = numbers.length <= MOST_IN_COLUMNS ? labels.filter(isAlone) : [];
  for (const bsb of columns.filter(({ kind }) => kind === "bsb")) {
    const [first] = numbers.filter((run) => below(run, bsb) && isAlone(run) && fits(bsb, run));
    const [second] = numbers.filter((run) => below(bsb, run) && isAlone(run) && isAccountNumber(run.groups));
    const account = second && columns.find((label) => label.kind === "account" && below(second, label));
    const isOpen = (label: Label) =>
      !numbers.some((run) => below(label, run) || (run.row === label.row && isAlone(run)));
    if (!(first && second && account && isOpen(account))) continue;
    found.set(bsb, { run: first, isUnsure: false });
    found.set(account, { run: second, isUnsure: false });
  }
  return found;
}
/** A page with more numbers is a list, and each of its labels would be compared with each number. */
const MOST_IN_COLUMNS = 500;

/** The number after a label could be its own, and the gaps do not say otherwise. */
function isAsNear(label: Label, run: NumberRun, next: NumberRun): boolean {
  const { text, isOfText } = label.line;
  const gaps = [text.slice(run.to, label.from), text.slice(label.to, next.from)];
  const areColumns = isOfText && gaps.every((gap) => gap.includes("\t"));
  return fits(label, next) && (areColumns || label.start - run.end > (next.start - label.end) * NEARER);
}
const NEARER = 0.7;

const FOREIGN_WORDS = /\b(?:iban|swift|bic|sort\s?code|routing|aba)\b/i;

/** "Branch: Frankfurt", and "Bank code 37040044" beside an IBAN: words that name no BSB there. */
function isNoBsb(lines: readonly Line[], { line, to, text }: Label): boolean {
  if (/b\W{0,2}s\W{0,2}b|state/i.test(text)) return false;
  const rest = line.text.slice(to);
  const isOtherCode = /^[\s:.#-]*(?:\d{1,5}|\d{7,10})(?!\d)/.test(rest.replace(/(?<=\d) (?=\d)/g, ""));
  return /^\s*:\s*[A-Z][a-z]{2}/.test(rest) || (isOtherCode && lines.some((each) => FOREIGN_WORDS.test(each.text)));
}

/** "Please check our BSB before paying": such a label is part of a sentence, and no number belongs to it. */
function isPlainWord(label: Label): boolean {
  const after = label.line.text.slice(label.to);
  return /^ [a-z]{2,}/.test(after) && /[a-z]{2,} $/i.test(wordsBefore(label));
}

export const isAccountNumber = (groups: readonly Group[]) => {
  const { length } = digitsOf(groups);
  return length >= 4 && length <= 10;
};

/** "062-000 12345678" under the word "Account". */
const startsWithBsb = ({ groups }: NumberRun) =>
  groups[0]?.digits.length === 3 && groups[1]?.digits.length === 3 && digitsOf(groups).length >= 10;

/**
 * "Trust account | 182-722 | 407695667": a row of a table whose header names the numbers. "Our account 182-722 /
 * 407695667": the word names both numbers.
 */
const isBsbOfRow = (label: Label, { row, from, to, line }: NumberRun): boolean =>
  row === label.row &&
  /^\d{3}-\d{3}$/.test(line.text.slice(from, to)) &&
  ((/\t/.test(line.text.slice(label.to, from)) && /^\s*\t\s*\d{4}/.test(line.text.slice(to))) ||
    /^ ?[/|] ?\d(?: ?\d){5}/.test(line.text.slice(to)));

function fits(label: Label, run: NumberRun): boolean {
  const total = digitsOf(run.groups).length;
  if (label.kind === "account" && !label.isStrong && (isPhone(run) || isBsbOfRow(label, run))) return false;
  if (label.kind === "account") return (total >= 4 && total <= 10) || (startsWithBsb(run) && total <= 16);
  const split = leadingBsb(run.groups) ?? splitJoined(run.groups);
  return split !== undefined && (split.rest.length === 0 || isAccountNumber(split.rest));
}

const FILLER = /^[\s:.=\-–|#()[\]]*$/;

/** "We have had this account since 2014". A year right beside the label, or alone in its cell, may be an account number. */
function isYear(label: Label, { row, from, to, line, groups }: NumberRun): boolean {
  if (label.isStrong || groups.length > 1 || !/^(?:19|20)\d\d$/.test(digitsOf(groups))) return false;
  const isBeside =
    row === label.row &&
    FILLER.test(line.text.slice(Math.min(to, label.to), Math.max(from, label.from)).replace(/\bis\b/i, ""));
  return !isBeside && !cellsOf(line).some((cell) => cell.from === from && cell.to === to);
}
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
  if (isBesideCaption(lines, labels, label, run) || isBelowBank(lines, label, run)) return weak + 0.5;
  if (goesOnInNextLine(label, run)) return weak + 0.3;
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
  const start = cellsOf(label.line).find(({ from, to }) => label.from >= from && label.to === to)?.start ?? label.start;
  const isFirst = cellsOf(run.line).every((cell) => cell.from >= run.from || cell.start < start + em);
  const below = lines.filter(({ turn, baseline }) => turn === label.line.turn && baseline > label.line.baseline);
  let last = label.line;
  for (const line of below) {
    if (line.baseline - last.baseline > 1.6 * em) break;
    const cell = cellsOf(line).find((each) => Math.abs(each.start - start) < em);
    if (!cell) continue;
    const isOther = labels.some((each) => each.line === line && each.from >= cell.from && each.to <= cell.to);
    if (isOther || /\d/.test(cell.text) || cell.end > run.start) break;
    last = line;
    const middle = (label.line.baseline + line.baseline) / 2;
    if (Math.abs(run.line.baseline - middle) < em * 0.35) return isFirst;
  }
  return false;
}

/** "Bank / BSB" and beside it, half a line higher and lower, "Bank Australia /" and "062-000". */
function isBelowBank(
  lines: readonly Line[],
  label: Label,
  run: { from: number; to: number; start: number; line: Line },
): boolean {
  const em = Math.max(label.line.size, 1);
  const down = (run.line.baseline - label.line.baseline) / em;
  if (down < 0.2 || down > 1 || run.start < label.end || run.start - label.end > 12 * em) return false;
  const isAlone = /^\W*$/.test(run.line.text.slice(0, run.from)) && /^\W*$/.test(run.line.text.slice(run.to));
  if (!isAlone || !/^\W*$/.test(label.line.text.slice(label.to))) return false;
  return lines.some(({ turn, baseline, text, start }) => {
    const isAbove = turn === label.line.turn && baseline < label.line.baseline;
    const middle = (baseline + run.line.baseline) / 2;
    const isLevel = Math.abs(middle - label.line.baseline) < em * 0.35;
    return isAbove && isLevel && Math.abs(start - run.start) < em && !/\d/.test(text);
  });
}

/**
 * "BSB 062-000, account" with "12345678", or "number 12345678", or "Floors, BSB" with "062-000, account", at the start of the
 * column's next line.
 */
function goesOnInNextLine(label: Label, run: { from: number; line: Line }): boolean {
  const em = Math.max(label.line.size, 1);
  const own = cellsOf(label.line).find(({ from, to }) => label.from >= from && label.to <= to);
  const next = cellsOf(run.line).find(({ from, to }) => run.from >= from && run.from < to);
  if (!(own && next) || label.line.text.slice(label.to, own.to).trim() !== "") return false;

  const down = (run.line.baseline - label.line.baseline) / em;
  const isColumn = down > 0.5 && down < 2 && Math.abs(own.start - next.start) < em && own.from < label.from;
  const before = run.line.text.slice(next.from, run.from);
  const isAfterBsb =
    label.kind === "bsb"
      ? /^\d{3}-\d{3}\b/.test(run.line.text.slice(run.from))
      : /(?:b\.?s\.?b\b(?: (?:number|no)\b)?[^a-z]*\d|^\W*\d{3}-\d{3}\b)[^a-z]*(?:(?:and|then|with)\W+)*$/i.test(
          label.line.text.slice(own.from, label.from),
        );
  return isColumn && (/^\W*(?:numbers?|num|no|#)[.:\s]*$/i.test(before) || (isAfterBsb && /^\W*$/.test(before)));
}

/** The indented line right below a label, each alone in its cell, as lists of definitions show them. */
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

/** "Please pay this invoice 062-000 1234 5678": such a word names the invoice, not the number after it. */
export const OF_SENTENCE = /^(?:invoice|total|amount|balance)$/i;
/** "062-000 1234 5678" */
export const isDashedAccount = (run: NumberRun): boolean =>
  /^\d{3} ?- ?\d{3}/.test(run.line.text.slice(run.from)) && isWhole(run);

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
export function namedOtherwise(labels: readonly Label[]): (run: NumberRun) => boolean {
  const rows = byRow(labels.filter(({ kind }) => /^(?:reference|biller|other)$/.test(kind)));
  return (run) => {
    // Labels stand in the order of their line, and only the last one before a number can be right before it.
    const label = lastBefore(rows.get(run.row) ?? [], run.from);
    if (!label || (OF_SENTENCE.test(label.text) && isDashedAccount(run))) return false;
    return FILLER.test(run.line.text.slice(label.to, run.from));
  };
}

/** The last label that ends at a position or before it. */
function lastBefore(labels: readonly Label[], position: number): Label | undefined {
  let [low, high] = [0, labels.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((labels[middle]?.to ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return labels[low - 1];
}

/**
 * In heights of type: groups of one number that are drawn apart stand no farther from each other, and about equally
 * far.
 */
const WIDEST_SPACE = 1.4;
const ABOUT_EQUAL = 1.6;
/** The groups may stand in fields of one width. */
const NEARLY = 1.1;
const areEqual = (values: readonly number[], most: number) => Math.max(...values) < most * Math.min(...values);

/** Joins "30   216   119" after the label of an account number, where nothing else is in its part of the line. */
export function joinSpaced(numbers: readonly NumberRun[], labels: readonly Label[]): NumberRun[] {
  const rows = byRow(numbers);
  const joined = new Map<NumberRun, NumberRun | undefined>();
  for (const label of labels) {
    if (label.kind !== "account" || !label.isStrong) continue;
    const after = (rows.get(label.row) ?? []).filter(({ from }) => from >= label.to);
    const apart = after.findIndex((run, at) => at > 0 && !isSpacedFrom(after[at - 1] ?? run, run));
    const own = apart < 0 ? after : after.slice(0, apart);
    const [first, last] = [own[0], own.at(-1)];
    if (!(first && last && isSpaced(own)) || !FILLER.test(label.line.text.slice(label.to, first.from))) continue;
    for (const run of own) joined.set(run, undefined);
    joined.set(first, { ...first, groups: own.flatMap(({ groups }) => groups), to: last.to, end: last.end });
  }
  return numbers.flatMap((run) => (joined.has(run) ? (joined.get(run) ?? []) : [run]));
}

const IN_BOXES = /^[\s|[\]-]*$/;
const BSB_DIGITS = 6;

/** Joins digits that stand in a box each, right after the label of a BSB or an account or in the line below it. */
export function joinBoxes(numbers: readonly NumberRun[], labels: readonly Label[]): NumberRun[] {
  const joined = new Map<NumberRun, NumberRun | undefined>();
  const wanted = labels.filter(({ kind }) => kind === "bsb" || kind === "account");
  for (const [row, runs] of byRow(numbers)) {
    const boxes = runs.filter(({ groups }) => groups.every(({ digits, line }) => digits.length === 1 && !line));
    const [first] = boxes;
    if (!first || boxes.flatMap(({ groups }) => groups).length < LEAST_BOXES) continue;
    const named = wanted.filter((label) => label.row === row || isAboveBoxes(label, first));
    for (const [at, label] of named.entries()) {
      const next = named[at + 1];
      const own = boxes.filter((run) => isOfLabel(label, run) && !(next && isOfLabel(next, run)));
      const [start, end] = [own[0], own.at(-1)];
      if (!(start && end) || joined.has(start)) continue;
      const digits = own.map(({ groups }) => digitsOf(groups)).join("");
      const { text } = start.line;
      const isBeside = label.row !== row || FILLER.test(text.slice(label.to, start.from));
      const isOnly = own.every((run, index) => index === 0 || IN_BOXES.test(text.slice(own[index - 1]?.to, run.from)));
      const isLong =
        label.kind === "bsb" ? digits.length === BSB_DIGITS : digits.length >= LEAST_BOXES && digits.length <= 10;
      if (!(isBeside && isOnly && isLong)) continue;
      for (const run of own) joined.set(run, undefined);
      const { from } = start;
      joined.set(start, { ...start, groups: [{ digits, from, to: end.to }], to: end.to, end: end.end });
    }
  }
  return numbers.flatMap((run) => (joined.has(run) ? (joined.get(run) ?? []) : [run]));
}
const LEAST_BOXES = 5;

function isAboveBoxes(label: Label, { line, row }: NumberRun): boolean {
  const down = (line.baseline - label.line.baseline) / Math.max(line.size, label.line.size, 1);
  return label.row < row && label.line.turn === line.turn && down > 0.4 && down < 3.5;
}

/** The box starts at the label or after it. */
const isOfLabel = (label: Label, run: NumberRun): boolean =>
  label.row === run.row ? run.from >= label.to : run.start > label.start - 2 * Math.max(label.line.size, 1);

export function byRow<T extends { row: number }>(spans: readonly T[]): Map<number, T[]> {
  const rows = new Map<number, T[]>();
  for (const span of spans) {
    const row = rows.get(span.row);
    if (row) row.push(span);
    else rows.set(span.row, [span]);
  }
  return rows;
}

const isSpacedFrom = ({ line, to, groups }: NumberRun, next: NumberRun): boolean =>
  groups.length <= MOST_GROUPS &&
  /^[\s\t]+$/.test(line.text.slice(to, next.from)) &&
  gapAfter(line, to, next.from) < WIDEST_SPACE * Math.max(line.size, 1);
const MOST_GROUPS = 5;

/** Groups of two to four digits, about equally far apart or in fields of one width, and nothing after them. */
function isSpaced(own: readonly NumberRun[]): boolean {
  const groups = own.flatMap((run) => run.groups);
  const [first, last] = [own[0], own.at(-1)];
  if (!(first && last) || own.length < 2 || !isAccountNumber(groups)) return false;
  const gaps = groups.slice(1).map((group, at) => gapAfter(first.line, groups[at]?.to ?? 0, group.from));
  const steps = own.slice(1).map((run, at) => run.start - (own[at]?.start ?? 0));
  return (
    groups.every(({ digits, line }) => !line && digits.length >= 2 && digits.length <= 4) &&
    (areEqual(gaps, ABOUT_EQUAL) || areEqual(steps, NEARLY)) &&
    /^\s*(?:\t|$)/.test(first.line.text.slice(last.to))
  );
}

function gapAfter(line: Line, to: number, from: number): number {
  const [end, start] = [line.chars[to - 1], line.chars[from]];
  return end && start ? Math.max(gapBetween(end, start), 0.1) : Number.POSITIVE_INFINITY;
}
