import { type Char, gapBetween, type Line } from "../layout/lines";
import { cellsOf } from "./context";
import { type Span, spanOf } from "./labels";

/** Digits that stand together, perhaps in groups: "062-000 1234 5678" is one number of four groups. */
export type NumberRun = Span & { groups: Group[] };
export type Group = {
  digits: string;
  from: number;
  to: number;
  /** Set where the group stands on another line than the first: a BSB broken after its dash. */
  line?: Line;
};

const RUN = /(?<!\d)\d+(?:(?: ?- ?| )\d+)*(?!\d)/g;

/** Digits that are not account numbers: dates, times, amounts and percentages. */
const OTHER_DIGITS = [
  /(?<!\d)\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})(?!\d)/g,
  /(?<!\d)\d{1,2}[ -]\d{1,2}[ -](?:19|20)\d\d(?!\d)/g,
  /(?<!\d)(?:19|20)\d\d-\d{2}-\d{2}(?!\d)/g,
  /(?<!\d)\d{1,2}(?:st|nd|rd|th)?[ -](?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?,?[ -](?:19|20)\d\d(?!\d)/gi,
  /(?<![a-z])(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d\d(?!\d)/gi,
  /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)/g,
  /\$ ?\d[\d,]*(?:\.\d{1,2})?/g,
  /(?<![\d-])\d{1,3}(?:,\d{3})+(?:\.\d{2})?(?!\d)/g,
  /(?<![\d-])\d+\.\d{2}(?!\d)/g,
  /(?<!\d)\d+(?:\.\d+)? ?%/g,
];

/** Programs print a question mark in place of a dash that their font does not have. */
const LOST_DASH = /(?<=b\.?s\.?b\b[^\d?]{0,20})(?<!\d)(\d{3})\?(?=\d{3}(?!\d))/gi;

const blank = (text: string) => "\u00b7".repeat(text.length);

export function findNumbers(lines: readonly Line[]): NumberRun[] {
  return joinBroken(lines.flatMap((line, row) => numbersOfLine(lines, line, row)));
}

/** What is looked at on each side of a number, to see whether it is a part of a word. */
const LONGEST_BESIDE = 20;

/** "062-" with "000" below it is one number. */
function joinBroken(runs: NumberRun[]): NumberRun[] {
  const joined = new Set<NumberRun>();
  for (const [at, run] of runs.entries()) {
    const isOpen =
      run.groups.length === 1 &&
      run.groups[0]?.digits.length === 3 &&
      /^ ?-\s*(?:\t|$)/.test(run.line.text.slice(run.to));
    const below = isOpen ? runs.slice(at + 1, at + MOST_BETWEEN).find((other) => isRest(run, other)) : undefined;
    const [rest] = below?.groups ?? [];
    if (!(below && rest)) continue;
    run.groups.push({ ...rest, line: below.line });
    joined.add(below);
  }
  return runs.filter((run) => !joined.has(run));
}

/** So many numbers stand in the two lines of a page that follow a line. */
const MOST_BETWEEN = 300;

function isRest(run: NumberRun, other: NumberRun): boolean {
  const em = Math.max(run.line.size, 1);
  const down = (other.line.baseline - run.line.baseline) / em;
  const isBelow = other.line.turn === run.line.turn && down > 0.5 && down < 2.4;
  return (
    isBelow &&
    other.groups.length === 1 &&
    other.groups[0]?.digits.length === 3 &&
    (Math.abs(other.start - run.start) < 2 * em || goesOnInNextLine(run, other))
  );
}

/** The first part ends a line of a column, and the second starts the column's next line. */
function goesOnInNextLine(run: NumberRun, other: NumberRun): boolean {
  const own = cellsOf(run.line).find(({ from, to }) => run.from >= from && run.to <= to);
  const next = cellsOf(other.line).find(({ from }) => from === other.from);
  return own !== undefined && next !== undefined && Math.abs(own.start - next.start) < Math.max(run.line.size, 1);
}

function numbersOfLine(lines: readonly Line[], line: Line, row: number): NumberRun[] {
  const masked = OTHER_DIGITS.reduce((text, pattern) => text.replace(pattern, blank), line.text);
  const text = masked.replace(LOST_DASH, "$1-");
  return [...text.matchAll(RUN)].flatMap((match) => {
    const from = match.index;
    const to = from + match[0].length;
    if (isPartOfWord(text.slice(Math.max(0, from - LONGEST_BESIDE), from), text.slice(to, to + LONGEST_BESIDE)))
      return [];
    if (match[0].length !== 3 && GOES_ON_BELOW.test(text.slice(from + match[0].length))) return [];
    const groups = [...match[0].matchAll(/\d+/g)].map((group) => ({
      digits: group[0],
      from: from + group.index,
      to: from + group.index + group[0].length,
    }));
    return apart(line, groups).flatMap((members) => {
      const [first, last] = [members[0], members.at(-1)];
      const span = first && last && spanOf(lines, row, first.from, last.to);
      return span ? [{ ...span, groups: members }] : [];
    });
  });
}

/**
 * Wider than a space in any font, and narrower than the usual gap between two cells: columns of a table that are close
 * together.
 */
const COLUMN_GAP = 0.7;
/** A gap this wide separates columns where the file has no blank. */
const CLOSE_COLUMN_GAP = 0.4;

/** The widest blank inside a number, in widths of a digit. */
const WIDEST_BLANK = 1.3;

const widthOf = ({ room, slope, turn }: Char): number => {
  const { width, height } = slope?.room ?? room;
  return turn % 2 === 0 ? width : height;
};

/** Splits groups of digits at a blank that is wide enough to separate two columns. */
function apart(line: Line, groups: readonly Group[]): Group[][] {
  const numbers: Group[][] = [];
  for (const group of groups) {
    const before = numbers.at(-1)?.at(-1);
    const [end, start] = [before && line.chars[before.to - 1], line.chars[group.from]];
    const isDashed = before && /[-?]/.test(line.text.slice(before.to, group.from));
    const usual =
      (line.blank ? line.blank * 1.1 : start?.isAfterBlank ? COLUMN_GAP : CLOSE_COLUMN_GAP) * Math.max(line.size, 1);
    // Where all characters are equally wide, a blank is as wide as a digit.
    const widest = start?.isAfterBlank ? Math.max(usual, WIDEST_BLANK * widthOf(start)) : usual;
    const isNear = end && start && gapBetween(end, start) < widest;
    if (before && (isNear || isDashed)) numbers.at(-1)?.push(group);
    else numbers.push([group]);
  }
  return numbers;
}

/** "INV-00123", "4X": digits of a word. "BSB062000" is a label and its number. */
function isPartOfWord(before: string, after: string): boolean {
  if (/[a-z\ufffd]-?$/i.test(before) && !/(?:bsb|no|number|account|acct|acc|a\/c)-?$/i.test(before)) return true;
  return (
    (/^[a-z](?![a-z]{2})/i.test(after) && !/^a\/?c(?![a-z])/i.test(after)) ||
    /^[ -]?[\ufffd\p{No}]/u.test(after) ||
    /[\ufffd\p{No}] ?$/u.test(before) ||
    LOOK_ALIKES_AFTER.test(after)
  );
}

/** "12 345 O78": the number goes on with letters that look like digits. "062-000 BSB" does not. */
const LOOK_ALIKES_AFTER = /^[ -](?!BSB\b)(?:[OoQIlSBZ]{1,3}(?:\d|(?![A-Za-z]))|\|\d)/;

/** "1234-" at the end of a line or cell continues in the next one. A BSB that does so was joined before. */
const GOES_ON_BELOW = /^-\s*(?:\t|$)/;

export const digitsOf = (groups: readonly Group[]) => groups.map((group) => group.digits).join("");

/** The groups at the start that make a BSB: three and three digits, or six. Undefined if the number does not start with one. */
export function leadingBsb(groups: readonly Group[]): { bsb: Group[]; rest: Group[] } | undefined {
  const [first, second] = groups;
  if (first?.digits.length === 6) return { bsb: [first], rest: groups.slice(1) };
  if (first?.digits.length === 3 && second?.digits.length === 3) return { bsb: [first, second], rest: groups.slice(2) };
  return undefined;
}

/** A BSB and an account number written as one: fourteen digits without a blank. */
export function splitJoined(groups: readonly Group[]): { bsb: Group[]; rest: Group[] } | undefined {
  const [only, ...others] = groups;
  if (!only || others.length > 0 || only.digits.length < 11 || only.digits.length > 15) return undefined;
  const at = only.from + 6;
  return {
    bsb: [{ digits: only.digits.slice(0, 6), from: only.from, to: at }],
    rest: [{ digits: only.digits.slice(6), from: at, to: only.to }],
  };
}

/** Written like a phone number, which appears beside accounts more often than anything else. */
export const isPhone = ({ groups }: NumberRun) =>
  /^(?:1[38]00 \d{3} \d{3}|13 \d{2} \d{2}|0[23478] \d{4} \d{4}|04\d{2} \d{3} \d{3}|61 \d \d{4} \d{4}|61 4\d{2} \d{3} \d{3})$/.test(
    groups.map(({ digits }) => digits).join(" "),
  );

/** A BSB and an account number in one: "732001 99887766". */
export function isWhole({ groups }: NumberRun): boolean {
  const rest = digitsOf(leadingBsb(groups)?.rest ?? []).length;
  return rest >= 5 && rest <= 9;
}
