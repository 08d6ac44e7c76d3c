import type { Line } from "../layout/lines";
import { cellsOf } from "./context";
import type { Label, Span } from "./labels";
import type { Piece } from "./numbers-by-label";

/** In what name an account is: only what a word says, because a name that merely stands nearby may be anybody's. */

const MAX_LINES_AWAY = 9;
const MAX_NAME = 140;
const NEXT_LABEL =
  /\s*(?:[|;,·•–-]\s*)?\b(?:b\.?s\.?b\b|a\/?c(?:c(?:ount|t)?)?\s*(?:no|num|#|:)|account\s*(?:no|num|#|:)|bank\s*:|branch\s*:|swift|bic\b|abn\b|ref(?:erence)?\s*:|payid).*$/i;
/** "Karri Floors Pty Ltd, National Australia Bank" */
const BANK_BEHIND = /(?:,|\s+at)\s*(?:[A-Z][\w&']* ){0,3}(?:Bank|NAB|ANZ|CBA|Westpac|Suncorp|Macquarie|Bendigo)\b.*$/;

/** "Karri Floors accounts@karri.example": another column that stands close. */
const COLUMN_BEHIND = /\s+\S+@.*$/;

/** The name that the nearest word beside an account, or above it, gives to it. */
export function accountNameNear(
  lines: readonly Line[],
  labels: readonly Label[],
  pieces: readonly Piece[],
): string | undefined {
  const turn = pieces[0]?.run.line.turn;
  const named = labels
    .filter(({ kind, line }) => kind === "account_name" && line.turn === turn)
    .map((label) => ({ label, away: Math.min(...pieces.map(({ run }) => distanceToLabel(label, run))) }))
    .filter(({ away }) => away < MAX_LINES_AWAY * 1.6)
    .sort((a, b) => a.away - b.away)
    .map(({ label }) => label);
  for (const label of [...named, ...plainLabels(lines, pieces)]) {
    const name = pieces.some(isBeforeLabel)
      ? valueBefore(label)
      : "isSentence" in label
        ? valueInSentence(lines, label)
        : (valueInColumn(lines, labels, label, pieces) ?? valueBeside(lines, label, labels, pieces));
    if (name) return name;
  }
  return undefined;
}

type Spot = Pick<Span, "row" | "start" | "end" | "line">;

function distanceToLabel(label: Spot, account: Spot): number {
  const em = Math.max(account.line.size, 1);
  const down = Math.abs(label.line.baseline - account.line.baseline) / em;
  const aside = Math.max(0, label.start - account.end, account.start - label.end) / em;
  return down + aside / 4;
}

/** "Account: Karri Floors Pty Ltd", but not "Account: Savings" or "Account: 1234". */
const ACCOUNT_OF = String.raw`(?:account|acct|a/c)(?=\s*:\s*(?!(?:trading|savings?|cheque|current|business|everyday|transaction)\b)[a-z][^\d]*$)`;
/** Words that name the holder of an account beside its numbers, and somebody else in other places. */
const IN_COLUMN = new RegExp(
  `^(?:name|payee|beneficiary|in favou?r of|pay to(?: (?:the |our )?(?:bank )?account)?|${ACCOUNT_OF})(?![a-z])(?!\\s+(?:of|on|and)\\b)`,
  "i",
);
const LAST_IN_COLUMN = /\b(?:name|payee|beneficiary)$/i;
const IN_SENTENCE =
  /\b(?:(?:in)?to the (?:bank )?account of|(?:credit|deposit|transfer|remit|pay) to\b(?! (?:the|our|this|an?|your|us|account)\b))/gi;
const IN_ROW = /\bname(?=\s*:)/gi;

/** Such words in the column of the account's labels, in their row, or in the sentence that names its numbers. */
function plainLabels(lines: readonly Line[], pieces: readonly Piece[]): Span[] {
  const spots = pieces.flatMap(({ run, label }) => [run, ...(label ? [label] : [])]);
  const rows = spots.map(({ row }) => row);
  const [first, last] = [Math.min(...rows), Math.max(...rows)];
  const found: Span[] = [];
  for (let row = Math.max(0, first - ROWS_AROUND); row <= last + ROWS_AROUND; row += 1) {
    const line = lines[row];
    if (!line || line.turn !== spots[0]?.line.turn) continue;
    for (const cell of cellsOf(line)) {
      const isInColumn = spots.some(({ start }) => Math.abs(cell.start - start) < 1.5 * Math.max(line.size, 1));
      const isOver = spots.some(({ start, end }) => cell.start < end && cell.end > start);
      const words = line.text.slice(cell.from, cell.to);
      const at = rows.includes(row) || isInColumn ? (IN_COLUMN.exec(words) ?? LAST_IN_COLUMN.exec(words)) : null;
      const isSentence = rows.includes(row) || (row >= first - 2 && row < first && isOver);
      const place = { line, row, start: cell.start, end: cell.end };
      const add = (match: RegExpMatchArray, given: object = {}) => {
        const from = cell.from + (match.index ?? 0);
        found.push({ ...place, from, to: from + match[0].length, ...given });
      };
      if (at) add(at);
      for (const match of isSentence ? words.matchAll(IN_ROW) : []) add(match);
      for (const match of isSentence ? words.matchAll(IN_SENTENCE) : []) add(match, { isSentence });
    }
  }
  return found;
}
const ROWS_AROUND = 4;

/** "12345678 Account number": then the name stands before its label too. */
const isBeforeLabel = ({ run, label }: Piece): boolean =>
  label !== undefined && label.row === run.row && label.from >= run.to;

function valueBefore(label: Span): string | undefined {
  const cells = cellsOf(label.line);
  const at = cells.findIndex((cell) => label.from >= cell.from && label.from < cell.to);
  const own = label.line.text.slice(cells[at]?.from, label.from);
  return clean(own) ?? clean(cells[at - 1]?.text ?? "");
}

/** The headings of a table stand above or below its numbers: the name is in their row. */
function valueInColumn(lines: readonly Line[], labels: readonly Label[], label: Span, pieces: readonly Piece[]) {
  const own = pieces.find((piece) => piece.label?.row === label.row && piece.run.row !== label.row);
  if (!own) return undefined;
  const [cell] = cellsOf(own.run.line)
    .filter((each) => isBelow(each, label))
    .sort((one, other) => Math.abs(one.start - label.start) - Math.abs(other.start - label.start));
  return cell && !/\d{3}/.test(cell.text) ? clean(withRest(lines, labels, own.run.line, cell)) : undefined;
}

/** "Kindly transfer to Karri", and in the next line "Floors Pty Ltd, BSB ...": what follows says where the name ends. */
function valueInSentence(lines: readonly Line[], label: Span): string | undefined {
  const cell = cellsOf(label.line).find(({ from, to }) => label.from >= from && label.from < to);
  const next = cell && columnBelow(lines, label.line, cell)[0];
  const own = label.line.text.slice(label.to, cell?.to).replace(/^[\s:]+/, "");
  if (own === "") return next && clean(next.text);
  const words = `${own} ${next?.text ?? ""}`;
  const [name = ""] = words.split(/,|\s+(?:by|before|quoting|within|no later)\s/);
  const ended = name.length < words.length ? name : words.replace(NEXT_LABEL, "");
  return ended.length < words.length ? clean(ended) : undefined;
}

const isBelow = (cell: { start: number; end: number }, label: Span): boolean =>
  Math.abs(cell.start - label.start) < label.line.size * 2 || (cell.start < label.end && cell.end > label.start);

/** What a label names: the rest of its cell, the next cell, or the cell below. */
function valueBeside(
  lines: readonly Line[],
  label: Span,
  labels: readonly Label[],
  pieces: readonly Piece[],
): string | undefined {
  const cells = cellsOf(label.line);
  const own = cells.find((cell) => label.from >= cell.from && label.from < cell.to);
  if (!own) return undefined;
  const rest = clean(withRest(lines, labels, label.line, { ...own, text: label.line.text.slice(label.to, own.to) }));
  if (rest) return rest;
  const isLabelled = (cell: { from: number; to: number }, row: number) =>
    labels.some(
      (other) => other.row === row && other.from >= cell.from && other.from <= cell.from + 2 && other.isStrong,
    );
  const next = cells.find((cell) => cell.from > own.from);
  if (next && !isLabelled(next, label.row)) {
    const beside = clean(withRest(lines, labels, label.line, next));
    if (beside) return beside;
  }
  for (const [row, line] of lines.entries()) {
    const down = (line.baseline - label.line.baseline) / Math.max(label.line.size, 1);
    if (line.turn !== label.line.turn || down <= 0 || down > 3.5) continue;
    // The label may take two lines of its column, and its value stands beside them.
    const isOfNumbers = ({ start }: { start: number }) =>
      down < 1.6 && pieces.some(({ run }) => Math.abs(start - run.start) < label.line.size);
    const below = cellsOf(line).find((cell) => isBelow(cell, label) || isOfNumbers(cell));
    if (below && !isLabelled(below, row)) return clean(withRest(lines, labels, line, below));
  }
  return undefined;
}

/** The end of a company's name that did not fit into the line. */
const END_OF_NAME =
  /^(?:(?:holdings|group|australia|services|trading|international)\s+){0,2}(?:pty\.?\s*)?(?:ltd|limited)\.?$/i;

/** The cells in the next two lines of a cell's column. */
function columnBelow(lines: readonly Line[], line: Line, cell: { start: number; end: number }) {
  const em = Math.max(line.size, 1);
  const row = lines.indexOf(line);
  return lines.slice(row + 1, row + 5).flatMap((below, at) => {
    const down = (below.baseline - line.baseline) / em;
    if (below.turn !== line.turn || down <= 0 || down > 3.5) return [];
    const own = cellsOf(below).find(({ start, end }) => start < cell.end && end > cell.start);
    return own ? [{ ...own, down, row: row + 1 + at }] : [];
  });
}

/** A name that goes on in the next line: with the end of a company's name, or with words that stand alone before a label. */
function withRest(
  lines: readonly Line[],
  labels: readonly Label[],
  line: Line,
  cell: { text: string; start: number; end: number },
): string {
  const [next, after] = columnBelow(lines, line, cell);
  if (!next || next.down > 2 || cell.text.trim() === "" || /\b(?:ltd|limited)\b/i.test(cell.text)) return cell.text;
  const isLabelled = (one: { row: number; from: number; to: number }) =>
    labels.some(
      ({ row, from, kind }) => row === one.row && from >= one.from && from < one.to && /bsb|account|both/.test(kind),
    );
  const isBetween =
    after !== undefined &&
    isLabelled(after) &&
    !isLabelled(next) &&
    !/\d|:/.test(next.text) &&
    Math.abs(next.start - cell.start) < line.size;
  return END_OF_NAME.test(next.text) || isBetween ? `${cell.text} ${next.text}` : cell.text;
}

/** Another caption, or what kind of account it is. */
const NO_NAME = /^(?:(?:the|our|bank|account|number|details|name|bsb|trading|savings?|cheque)\s*)+$/i;

function clean(text: string): string | undefined {
  const name = text
    .replace(/^[\s):.\-–=|]+/, "")
    .replace(NEXT_LABEL, "")
    .replace(BANK_BEHIND, "")
    .replace(COLUMN_BEHIND, "")
    .replace(/[\s,;|·•(–-]+$/, "")
    .slice(0, MAX_NAME);
  return /[a-z]{2}/i.test(name) && !NO_NAME.test(name) ? name : undefined;
}
