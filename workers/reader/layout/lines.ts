import type { Box } from "~/ports/document-reader";

/** Represents a character that has no Unicode value in the file, but may still be painted. */
export const UNKNOWN_CHARACTER = "\ufffd";
/** Stands in front of each character of an email that may be shown differently from how it is written. */
export const DOUBT_MARK = "\ue000";
export const isNamed = ({ text }: { text: string }): boolean => text !== UNKNOWN_CHARACTER;

/** One painted character, in points from the upper left corner of the page as it is shown. */
export type Char = {
  /** One character; dashes are "-", blanks of all kinds were left out earlier. */
  text: string;
  /** Around its ink. */
  box: Box;
  /** Its place in the line, including the blanks on both sides. */
  room: Box;
  /** Where its baseline starts. */
  origin: { x: number; y: number };
  /** Height of the font. */
  size: number;
  /** 0: it reads from left to right; 1: downwards; 2: upside down; 3: upwards. */
  turn: 0 | 1 | 2 | 3;
  /** Its place in the order of painting. */
  order: number;
  /** The piece of text that it is painted with. */
  piece: number;
  /** There is a space before it in the file. */
  isAfterBlank?: boolean;
  /** Set where a person cannot see it. */
  isHidden?: boolean;
  /** Set where another character is in the same place. */
  isOverlapped?: boolean;
  /**
   * Set where it stands neither upright nor on its side: by how many radians, and where it is once its line is level.
   */
  slope?: { angle: number; box: Box; room: Box; origin: { x: number; y: number } };
  /** Set where nobody can say whether, or where, it is shown. */
  isUnsure?: boolean;
  /** Set for a letter of another script that is read as the one it is drawn like. */
  written?: string;
};

/** A line as it is read: one character of `text` for each of `chars`; blanks have none. `\t` is a wide gap. */
export type Line = {
  text: string;
  chars: (Char | undefined)[];
  turn: Char["turn"];
  /** Where it starts and ends along the reading direction, and its baseline across it. */
  start: number;
  end: number;
  baseline: number;
  size: number;
  /** Set where its positions are assumed: how wide the columns of an email are is not known. */
  isOfText?: boolean;
  /** Set for a line that is stretched to the width of its column: how wide each of its blanks is. */
  blank?: number;
};

/** The line in the letters of the file: a name in other letters is another name, whatever it looks like. */
export const asWritten = ({ text, chars }: Line): string =>
  chars.some((char) => char?.written) ? [...text].map((letter, at) => chars[at]?.written ?? letter).join("") : text;

/** The position of a character within its line, with sloping lines made level. */
export const boxInLine = ({ box, slope }: Char): Box => slope?.box ?? box;

/** Where a character stands when the page is turned so that the text reads from left to right. */
function upright(char: Char): { start: number; end: number; baseline: number } {
  const { room: box, origin } = char.slope ?? char;
  const { turn } = char;
  if (turn === 0) return { start: box.x, end: box.x + box.width, baseline: origin.y };
  if (turn === 1) return { start: box.y, end: box.y + box.height, baseline: -origin.x };
  if (turn === 2) return { start: -(box.x + box.width), end: -box.x, baseline: -origin.y };
  return { start: -(box.y + box.height), end: -box.y, baseline: origin.x };
}

const SPACE_GAP = 0.16;
/** A gap this wide is enough where the file itself has a blank. */
const BLANK_GAP = 0.04;
const CELL_GAP = 0.95;
const LETTER_SPACED_MIN = 5;
/** Slopes are rounded to this, in radians, to find the lines that share one. */
const SAME_SLOPE = 0.01;
const FAR_BELOW = 50_000;

/** The gap between the end of the first character and the start of the second. */
export const gapBetween = (before: Char, char: Char): number => upright(char).start - upright(before).end;

/** Characters as lines, each from its start to its end, from the top of the page to its bottom. */
export function toLines(chars: readonly Char[]): Line[] {
  const lines: Line[] = [];
  for (const turn of [0, 1, 2, 3] as const) {
    const slopes = new Map<number, Char[]>();
    for (const char of chars) {
      const key = Math.round((char.slope?.angle ?? 0) / SAME_SLOPE);
      if (char.turn !== turn) continue;
      const alike = slopes.get(key);
      if (alike) alike.push(char);
      else slopes.set(key, [char]);
    }
    const sheets = [...slopes].sort(([one], [other]) => Math.abs(one) - Math.abs(other));
    for (const [index, [slope, alike]] of sheets.entries()) {
      // Sloping text is unrelated to the lines around it, so it is treated as if on a separate sheet, far below.
      const below = slope === 0 ? 0 : (index + 1) * FAR_BELOW;
      const placed = alike.map((char) => ({ ...upright(char), char }));
      const members = placed.map((member) => ({ ...member, baseline: member.baseline + below }));
      const rows = clusterLines(members).map(inOrder);
      lines.push(...rows.map((row, at) => toLine(row, turn, [rows[at - 1], rows[at + 1]])));
    }
  }
  return lines;
}

type Member = { start: number; end: number; baseline: number; char: Char };

function clusterLines(members: Member[]): Member[][] {
  const sorted = [...members].sort((a, b) => a.baseline - b.baseline || a.start - b.start);
  const groups: Member[][] = [];
  let current: Member[] = [];
  let anchor = 0;
  for (const member of sorted) {
    const reach = 0.35 * Math.min(member.char.size, current[0]?.char.size ?? member.char.size);
    if (current.length > 0 && member.baseline - anchor <= Math.max(reach, 0.6)) current.push(member);
    else {
      current = [member];
      groups.push(current);
      anchor = member.baseline;
    }
  }
  return groups;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

type Row = { members: Member[]; gaps: number[] };

/** The characters of a line from its start, and the gap before each, in heights of type. */
function inOrder(unsorted: readonly Member[]): Row {
  const members = [...unsorted].sort((a, b) => a.start - b.start || a.char.order - b.char.order);
  const gaps = members.map((member, index) => {
    const before = members[index - 1];
    return before ? (member.start - before.end) / Math.max(member.char.size, before.char.size, 1) : 0;
  });
  return { members, gaps };
}

function toLine({ members, gaps: found }: Row, turn: Char["turn"], beside: readonly (Row | undefined)[]): Line {
  const gaps = [...found];
  closeSpacedWords(members, gaps);
  closeLetterSpacing(members, gaps);
  const own = { members, gaps };
  const isStretched = beside.some((other) => other && areStretched(own, other));
  const blank = blankOfJustified(gaps, isStretched ? FEW_BLANKS : FEWEST_BLANKS);
  let text = "";
  const chars: (Char | undefined)[] = [];
  for (const [index, member] of members.entries()) {
    const gap = gaps[index] ?? 0;
    if (index > 0 && (gap > SPACE_GAP || (member.char.isAfterBlank && gap > BLANK_GAP))) {
      text += gap > CELL_GAP && !blank ? "\t" : " ";
      chars.push(undefined);
    }
    text += member.char.text;
    chars.push(member.char);
  }
  const size = median(members.map(({ char }) => char.size));
  return {
    text,
    chars,
    turn,
    start: members[0]?.start ?? 0,
    end: extentOf(members.map(({ end }) => end)).end,
    baseline: median(members.map(({ baseline }) => baseline)),
    size,
    ...(blank ? { blank: blank * size } : {}),
  };
}

/**
 * Where a line is stretched to the width of its column, all its blanks are equally wide, as the columns of a table hardly
 * are. @returns that width, in heights of type
 */
function blankOfJustified(gaps: readonly number[], fewest: number, least = CELL_GAP): number | undefined {
  const blanks = gaps.filter((gap) => gap > SPACE_GAP);
  const { start, end } = extentOf(blanks);
  return blanks.length >= fewest && start > least && end < start * EQUAL ? end : undefined;
}
const FEWEST_BLANKS = 6;
const FEW_BLANKS = 2;

/** Two lines of a paragraph from edge to edge: each has blanks of one width, and not of the other's, as a table would. */
function areStretched(one: Row, other: Row): boolean {
  const [first, second] = [one, other].map(({ gaps }) => blankOfJustified(gaps, FEW_BLANKS, SPACE_GAP));
  const edges = ({ members }: Row) => [members[0]?.start ?? 0, extentOf(members.map(({ end }) => end)).end] as const;
  const [[start, end], [otherStart, otherEnd]] = [edges(one), edges(other)];
  const size = one.members[0]?.char.size ?? 1;
  const down = Math.abs((one.members[0]?.baseline ?? 0) - (other.members[0]?.baseline ?? 0));
  const isLevel = Math.abs(start - otherStart) < 1 && Math.abs(end - otherEnd) < 1 && down < 2 * size;
  return isLevel && !!first && !!second && Math.max(first, second) > Math.min(first, second) * OTHERWISE;
}
const OTHERWISE = 1.05;
const EQUAL = 1.02;

/**
 * "0 6 2 - 0 0 0" is one number whose digits stand apart: where many single characters follow each other with one gap, the
 * gap is not a blank.
 */
function closeLetterSpacing(members: readonly Member[], gaps: number[]): void {
  let from = 1;
  while (from < members.length) {
    if ((gaps[from] ?? 0) <= SPACE_GAP) {
      from += 1;
      continue;
    }
    let to = from;
    // Distances between centres are compared, because a narrow 1 is centred in a wider cell.
    while (to < members.length && (gaps[to] ?? 0) > SPACE_GAP && (gaps[to] ?? 0) < 1.6 && isLike(members, from, to))
      to += 1;
    if (to - from + 1 >= LETTER_SPACED_MIN) for (let at = from; at < to; at += 1) gaps[at] = 0;
    from = Math.max(to, from + 1);
  }
}

/** A whole line of spaced letters: only the file's own spaces separate its words. */
function closeSpacedWords(members: readonly Member[], gaps: number[]): void {
  const isSpace = (at: number) => members[at]?.char.isAfterBlank === true;
  const inner = gaps.filter((_, at) => at > 0 && !isSpace(at));
  const open = inner.filter((gap) => gap > SPACE_GAP && gap < CELL_GAP);
  if (gaps.length - 1 === inner.length || open.length < LETTER_SPACED_MIN || open.length < inner.length * 0.8) return;
  for (const [at, gap] of gaps.entries()) if (at > 0 && !isSpace(at) && gap < CELL_GAP) gaps[at] = 0;
}

function isLike(members: readonly Member[], from: number, at: number): boolean {
  const pitch = (index: number) => {
    const [before, here] = [members[index - 1], members[index]];
    return before && here ? (here.start + here.end - before.start - before.end) / 2 : 0;
  };
  const first = pitch(from);
  return pitch(at) < first * 1.45 && pitch(at) > first * 0.6;
}

/** The least and the most of some values: a line may have more characters than a call takes arguments. */
export const extentOf = (values: readonly number[]): { start: number; end: number } =>
  values.reduce(({ start, end }, value) => ({ start: Math.min(start, value), end: Math.max(end, value) }), {
    start: Number.POSITIVE_INFINITY,
    end: Number.NEGATIVE_INFINITY,
  });

/** The box around some characters. */
export function boxAround(chars: readonly (Char | undefined)[]): Box | undefined {
  const boxes = chars.flatMap((char) => (char ? [char.box] : []));
  if (boxes.length === 0) return undefined;
  const across = extentOf(boxes.flatMap((box) => [box.x, box.x + box.width]));
  const down = extentOf(boxes.flatMap((box) => [box.y, box.y + box.height]));
  const [x, y] = [across.start, down.start];
  return { x: round(x), y: round(y), width: round(across.end - x), height: round(down.end - y) };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Where the cells of each line start. Consecutive lines with the same number of cells are the rows of one table. */
function tabStops(rows: readonly string[]): (readonly number[])[] {
  const cells = rows.map((row) => row.replaceAll(DOUBT_MARK, "").split("\t"));
  const found: (readonly number[])[] = [];
  for (let from = 0; from < rows.length; ) {
    const count = cells[from]?.length ?? 1;
    let to = from + 1;
    while (count > 1 && cells[to]?.length === count) to += 1;
    const table = cells.slice(from, to);
    const stops = [0];
    for (let at = 0; count > 1 && at < count; at += 1)
      stops.push((Math.floor(((stops[at] ?? 0) + longest(table.map((row) => row[at]?.length ?? 0))) / 8) + 1) * 8);
    for (; from < to; from += 1) found.push(stops);
  }
  return found;
}

const longest = (lengths: readonly number[]) => lengths.reduce((most, length) => Math.max(most, length), 0);

/** Lines without positions, as in an email or a text file: each character one wide, each line one high. */
export function linesOfText(text: string): Line[] {
  const SIZE = 10;
  const rows = text.split("\n");
  const stops = tabStops(rows);
  return rows.flatMap((raw, row) => {
    const chars: Char[] = [];
    let [column, cell] = [0, 0];
    let [isUnsure, isAfterBlank] = [false, false];
    for (const letter of raw) {
      if (letter === DOUBT_MARK) isUnsure = true;
      else if (letter === "\t") {
        cell += 1;
        column = Math.max(stops[row]?.[cell] ?? 0, (Math.floor(column / 8) + 1) * 8);
      } else if (/\S/.test(letter)) {
        chars.push({
          text: letter,
          box: { x: column * 5, y: row * 12, width: 5, height: SIZE },
          room: { x: column * 5, y: row * 12, width: 5, height: SIZE },
          origin: { x: column * 5, y: row * 12 + SIZE },
          size: SIZE,
          turn: 0,
          order: row * 10_000 + column,
          piece: row,
          isAfterBlank,
          ...(isUnsure ? { isUnsure } : {}),
        });
        [isUnsure, isAfterBlank] = [false, false];
        column += 1;
      } else {
        isAfterBlank = true;
        column += 1;
      }
    }
    return chars.length > 0 ? toLines(chars).map((line) => ({ ...line, isOfText: true })) : [];
  });
}
