import type { Finding } from "~/ports/document-reader";
import { boxAround, type Line, UNKNOWN_CHARACTER } from "../layout/lines";
import { cellsOf, precedingText, readable, wordsBefore } from "./context";
import { type Label, spanOf } from "./labels";
import { digitsOf, isPhone, isWhole, type NumberRun, splitJoined } from "./numbers";
import { byRow, isDashedAccount, OF_SENTENCE } from "./numbers-by-label";
import type { PageFacts } from "./page-facts";

/**
 * Numbers that a person may take for an account but the reader does not: without a label, in words, with unusual symbols, or
 * drawn with symbols. They are reported, so that somebody looks.
 */

const BANK_WORDS =
  /\b(?:bank|e\.?f\.?t|transfer|remit\w*|pay|paid|payments?|payable|deposit\w*|account|acct|a\/c|bsb)\b/i;
/** Words of somebody who asks for money to be sent, and the banks that most people name. */
const SENT = /\b(?:send|sent|wire|anz|cba|commbank|nab|westpac|bendigo|macquarie|ing|bankwest|suncorp)\b/i;
/** "732/001/99887766": its parts are separated by unusual characters. */
const PARTED = /(?<![\d.,/:-])\d{3} ?[^\w\s.,:$] ?\d{3} {0,2}(?:[^\w\s.,:$] {0,2})?\d{3,5}[ -]?\d{2,5}(?![\d.,/:-])/g;
/** "732 001 / 9988 7766" */
const HALVED = /(?<!\d[ -]?|[.,/:-])\d{3} ?\d{3} {0,2}[^\w\s.,:$-] {0,2}\d{3,5}[ -]?\d{2,5}(?![\d.,/:-])/g;
const USUAL = /^\d{3} ?-? ?\d{3}[ -]{0,3}\d+[ -]?\d+$/;
const WORD = "(?:zero|oh|nought|one|two|three|four|five|six|seven|eight|nine|(?:double|triple|treble) \\w+)";
/** "seven three two, zero zero one" */
const SPELLED = new RegExp(`\\b${WORD}(?:[\\s,.-]+${WORD}){5,}\\b`, "gi");
/** Digits of other scripts or in circles, and characters without a Unicode value. */
const OTHER_DIGITS = /(?:(?!\d)[\p{N}\ufffd][\s-]?){5,}/gu;
/** Of an account number or a BSB. */
const SHORTEST = 6;
const NAMES_BSB = /b\W{0,2}s\W{0,2}b|state/i;
/** Australian accounts have no IBAN. */
const AUSTRALIAN_IBAN = /(?<![A-Za-z0-9])AU\d{2}(?: ?[A-Z0-9]{2,4}){2,8}(?![A-Za-z0-9])/g;

/** @param isAllOfBank no words say which numbers are bank details, so any number may be */
export function findLooseNumbers(lines: readonly Line[], facts: PageFacts, isAllOfBank = false): Finding[] {
  const used = new Set(facts.used);
  const isSaid = (text: string) => BANK_WORDS.test(text) || SENT.test(text);
  const said = lines.map(({ text }) => isSaid(text));
  const spans = lines.flatMap((line, row) => {
    const own = facts.used.filter((run) => run.row === row);
    const isRead = (from: number, to: number) => own.some((run) => run.from < to && run.to > from);
    const inBank = (from: number, to: number) => {
      if (said[row]) return true;
      const span = said.slice(Math.max(0, row - 3), row).includes(true) && spanOf(lines, row, from, to);
      return span && isSaid(precedingText(lines, span, 3));
    };
    const parted = [...line.text.matchAll(PARTED), ...line.text.matchAll(HALVED)].filter(
      ({ 0: text, index }) =>
        !(USUAL.test(text) || isRead(index, index + text.length)) && inBank(index, index + text.length),
    );
    const whole = [SPELLED, AUSTRALIAN_IBAN].flatMap((pattern) => [...line.text.matchAll(pattern)]);
    const place = (code: LooseNumber["code"], matches: readonly RegExpMatchArray[]) =>
      matches.map(({ 0: text, index = 0 }) => {
        const digits = text.normalize("NFKC").replace(/\D/g, "");
        return { code, line, from: index, to: index + text.length, ...(digits.length >= SHORTEST ? { digits } : {}) };
      });
    return [
      ...place("number_written_otherwise", [...parted, ...whole]),
      ...place("number_without_label", [...line.text.matchAll(OTHER_DIGITS)]),
    ];
  });
  const rows = byRow(facts.labels);
  const others = facts.numbers.filter((run) => !used.has(run));
  // "Account: 062000 12345678" is a BSB and an account number, or a customer's number.
  const isOfAccount = (run: NumberRun) =>
    facts.accounts.length === 0 &&
    isWhole(run) &&
    (rows.get(run.row) ?? []).some(
      ({ kind, to, line }) => kind === "account" && to <= run.from && /^[\s:.#-]*$/.test(line.text.slice(to, run.from)),
    );
  const numbers = others.filter(
    (run) =>
      isOfAccount(run) ||
      (!hasLabel(rows, run) &&
        (isJoined(run) ||
          isOverAnother(others, run) ||
          mayBePart(facts, run) ||
          (isWhole(run) && (isAllOfBank || SENT.test(run.line.text))))),
  );
  const plain = numbers.map((run) => {
    const isBesideBsb = facts.openLabels.some((label) => NAMES_BSB.test(label.text) && isNear(label, run));
    const isAccount = (isWhole(run) && !isOfAccount(run)) || isJoined(run) || isOverAnother(others, run) || isBesideBsb;
    return { ...run, code: "number_without_label" as const, ...(isAccount ? { digits: digitsOf(run.groups) } : {}) };
  });
  const found: LooseNumber[] = [
    ...spans,
    ...drawnLines(lines),
    ...stackedDigits(lines, facts),
    ...partsBeside(facts),
    ...plain,
  ];
  return found
    .sort((one, other) => other.code.localeCompare(one.code) || Number("digits" in other) - Number("digits" in one))
    .slice(0, 3)
    .map(({ code, line, from, to, digits }) => {
      const box = boxAround(line.chars.slice(from, to));
      return { code, lines: [readable(line.text)], ...(digits ? { digits } : {}), ...(box ? { box } : {}) };
    });
}

/** Digits in parts, after the label of a BSB or in the line below it, that nothing was read of. */
function partsBeside({ openLabels, numbers, used }: PageFacts): LooseNumber[] {
  const open = openLabels.filter(({ text }) => NAMES_BSB.test(text));
  if (open.length === 0) return [];
  const rows = byRow(numbers.filter((run) => !used.includes(run)));
  for (const runs of rows.values()) {
    const [first, last] = [runs[0], runs.at(-1)];
    const text = first && last ? first.line.text.slice(first.from, last.to) : "";
    const isOfParts = runs.length > 2 && /^[\d\s|/.-]+$/.test(text) && text.replace(/\D/g, "").length >= SHORTEST;
    if (first && last && isOfParts && open.some((label) => isRightBelow(label, first)))
      return [{ code: "number_written_otherwise", line: first.line, from: first.from, to: last.to }];
  }
  return [];
}

function isRightBelow(label: Label, { row, line, start, from }: NumberRun): boolean {
  const down = (line.baseline - label.line.baseline) / Math.max(label.line.size, 1);
  const isBelow = down > 0.4 && down < 3.5 && start > label.start - 2 * label.line.size;
  return label.line.turn === line.turn && (label.row === row ? from >= label.to : isBelow);
}

type LooseNumber = {
  code: "number_without_label" | "number_written_otherwise";
  line: Line;
  from: number;
  to: number;
  /** Set where it is written like an account, or stands beside "BSB". */
  digits?: string;
};

/**
 * Digits one below the other, or going down like stairs: each alone in its line, or in columns or a few in each line right
 * below words for paying.
 */
function stackedDigits(lines: readonly Line[], { used }: PageFacts): LooseNumber[] {
  let stack: { line: Line; row: number }[] = [];
  for (const [row, line] of lines.entries()) {
    const last = stack.at(-1)?.line;
    const isNext = last && line.turn === last.turn && line.baseline - last.baseline < 3 * Math.max(line.size, 1);
    const isOfDigits = /^(?:[\d-]{1,5}|\d(?:\t\d)+)$/.test(line.text) && !used.some((run) => run.row === row);
    if (!(isNext && isOfDigits)) stack = [];
    if (isOfDigits) stack.push({ line, row });
    const [first] = stack;
    if (!first || stack.length > MOST_STACKED) continue;
    const text = stack.map((each) => each.line.text).join("");
    const before = lines.slice(Math.max(0, first.row - 2), first.row);
    const isOfBank = before.some((one) => BANK_WORDS.test(one.text));
    const isOfColumns = text.includes("\t");
    const areSingles = stack.every((each) => /^[\d-](?:\t\d)*$/.test(each.line.text));
    const isTall = stack.length >= FEWEST_STACKED && areSingles && (isOfBank || !isOfColumns);
    const isPaid = isOfBank && !isOfColumns && text.replace(/-/g, "").length >= LEAST_DIGITS;
    if (isTall || (isPaid && stack.length >= 3))
      return [{ code: "number_written_otherwise", line: first.line, from: 0, to: first.line.text.length }];
  }
  return [];
}
const FEWEST_STACKED = 6;
/** An account has fewer digits, so that more lines of a long column add nothing. */
const MOST_STACKED = 60;
/** Of a BSB and an account number. */
const LEAST_DIGITS = 11;

/** Digits drawn with symbols are at least this many lines tall, and take this many symbols. */
const LEAST_TALL = 3;
const LEAST_SYMBOLS = 36;
/** Half blocks, quarter blocks and Braille patterns: a digit drawn with them is only one or two lines tall. */
const FINE_SYMBOLS = /[\u2580-\u259f\u2800-\u28ff\u{1fb00}-\u{1fbaf}]/gu;
const LEAST_FINE = 12;

/** The first line of each drawing: several lines in a row that hold nothing but symbols with gaps between them. */
function drawnLines(lines: readonly Line[]): LooseNumber[] {
  const found: LooseNumber[] = [];
  let block: Line[] = [];
  const close = () => {
    const [first] = block;
    const texts = new Set(block.map(({ text }) => text.trim()));
    const symbols = block.reduce((sum, { text }) => sum + text.replace(/\s/g, "").length, 0);
    const fine = block.reduce((sum, { text }) => sum + (text.match(FINE_SYMBOLS)?.length ?? 0), 0);
    const isTall = block.length >= LEAST_TALL && texts.size >= LEAST_TALL && symbols >= LEAST_SYMBOLS;
    if (first && (isTall || (texts.size > 1 && fine >= LEAST_FINE)))
      found.push({ code: "number_written_otherwise", line: first, from: 0, to: first.text.length });
    block = [];
  };
  for (const line of lines) {
    const last = block.at(-1);
    const isBelow = last && line.turn === last.turn && line.baseline - last.baseline < 2.5 * Math.max(line.size, 1);
    if (!(isBelow && isOfSymbols(line.text))) close();
    if (isOfSymbols(line.text)) block.push(line);
  }
  close();
  return found;
}

/** True for a line of several groups of symbols, or of one letter or digit repeated in place of ink. */
function isOfSymbols(text: string): boolean {
  const symbols = text.replace(/\s/g, "");
  const letters = symbols.replace(/[^\p{L}\p{N}]/gu, "");
  if (text.includes(UNKNOWN_CHARACTER) || new Set(letters).size > 1) return false;
  if (letters !== "") return letters.length >= LEAST_INK && letters.length > symbols.length * MOSTLY;
  const groups = text.split(/\s+/).filter(Boolean);
  return groups.length >= 3 && groups.some((group) => [...group].length > 1);
}
const LEAST_INK = 5;
const MOSTLY = 0.8;

/** True where a word says what the number is: directly before it, or above it in its column and without another number. */
function hasLabel(rows: ReadonlyMap<number, readonly Label[]>, run: NumberRun): boolean {
  // Another label in between would be other words.
  const own = rows.get(run.row) ?? [];
  const next = own.findIndex(({ to }) => to > run.from);
  const last = next < 0 ? own.at(-1) : own[next - 1];
  const isBefore = ({ to, line, text }: Label) =>
    run.from - to <= FARTHEST &&
    !(OF_SENTENCE.test(text) && isDashedAccount(run)) &&
    /^[\s:.#-]*$/.test(line.text.slice(to, run.from));
  const isAbove = ({ kind, to, line, start, end }: Label) =>
    start < run.end &&
    end > run.start &&
    /^(?:reference|biller|other)$/.test(kind) &&
    !/^[^\t]*\d/.test(line.text.slice(to));
  const above = [1, 2, 3].flatMap((away) => rows.get(run.row - away) ?? []);
  return (last !== undefined && isBefore(last)) || above.some(isAbove);
}
/** Between a label and its number, in characters. */
const FARTHEST = 40;

/** BSB and account number written as one, beside a word for paying. */
const isJoined = (run: NumberRun): boolean =>
  splitJoined(run.groups) !== undefined &&
  digitsOf(run.groups).length >= 12 &&
  digitsOf(run.groups).length !== EAN &&
  BANK_WORDS.test(run.line.text) &&
  !/\b(?:receipt|reference|ref|transaction|crn|invoice|order|customer|card|barcode|abn)\b/i.test(run.line.text);
const EAN = 13;

/**
 * A number near the word "BSB", or one written like a BSB near an account number: where no account was found, it may be
 * part of one.
 */
function mayBePart({ accounts, openLabels, labels, used }: PageFacts, run: NumberRun): boolean {
  if (accounts.length > 0) return false;
  const { length } = digitsOf(run.groups);
  const isLong = length >= 6 && length <= 16 && !isPhone(run);
  const isDashed = /^\d{3} ?- ?\d{3}$/.test(run.line.text.slice(run.from, run.to));
  const isOther = OTHER_NUMBER.test(wordsBefore(run));
  const words = isDashed && !isOther && used.length > 0 ? labels.filter(({ kind }) => kind === "account") : [];
  return [...words, ...(isLong ? openLabels : [])].some((label) => isNear(label, run));
}

/** "Meter number 123-456" */
const OTHER_NUMBER = /\b(?!account|acct|acc|bank|branch|bsb)[a-z]{3,} (?:number|num|no|id|code)\b[\s:.#]*$/i;

function isNear(label: Label, run: NumberRun): boolean {
  const em = Math.max(label.line.size, 1);
  const down = (run.line.baseline - label.line.baseline) / em;
  const aside = Math.max(0, label.start - run.end, run.start - label.end) / em;
  return label.line.turn === run.line.turn && down > -4 && down < 9 && aside < 30;
}

/** "732-001" and directly below it "99887766", each alone in its cell. */
function isOverAnother(numbers: readonly NumberRun[], run: NumberRun): boolean {
  const isAlone = (one: NumberRun) =>
    cellsOf(one.line).some(({ text }) => /^[\d -]+$/.test(text) && text.replace(/\D/g, "") === digitsOf(one.groups));
  if (!/^\d{3} ?- ?\d{3}$/.test(run.line.text.slice(run.from, run.to)) || !isAlone(run)) return false;
  const em = Math.max(run.line.size, 1);
  return numbers.some((other) => {
    const down = (other.line.baseline - run.line.baseline) / em;
    const { length } = digitsOf(other.groups);
    return (
      other.line.turn === run.line.turn &&
      down > 0.5 &&
      down < 3 &&
      Math.abs(other.start - run.start) < 2 * em &&
      length >= 6 &&
      length <= 10 &&
      isAlone(other)
    );
  });
}
