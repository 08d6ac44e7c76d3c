import type { Line } from "../layout/lines";
import { cellsOf, wordsBefore } from "./context";
import type { Label, Span } from "./labels";
import type { Piece } from "./numbers-by-label";

/** In what name an account is: only what a word says, because a name that merely stands nearby may be anybody's. */

const MAX_LINES_AWAY = 9;
const MAX_NAME = 140;
const NEXT_LABEL =
  /\s*(?:[|;,·•–-]\s*)?\b(?:b\.?s\.?b\b|a\/?c(?:c(?:ount|t)?)?\s*(?:no|num|#|:)|account\s*(?:no|num|#|:)|bank\s*:|branch\s*:|swift|bic\b|abn\b|ref(?:erence)?\s*:|payid).*$/i;
/** "Karri Floors Pty Ltd GST 10%": a column of amounts beside it, so close that both are one cell. */
const AMOUNT_BEHIND =
  /\s+(?:gst\s*\(?\d|sub-?total\b).*$|(?<=\b(?:ltd|limited)\.?)\s+(?:gst|total|amount|balance)\b.*$/i;
export const BANKS = "NAB|ANZ|CBA|CommBank|Westpac|Suncorp|Macquarie|Bendigo|HSBC|ING";
const BANK = `(?:Bank|Credit Union|${BANKS})`;
const IS_BANK = new RegExp(String.raw`\b${BANK}\b`);
/** "Karri Floors Pty Ltd, National Australia Bank" */
const BANK_BEHIND = new RegExp(String.raw`(?:,|\s+(?:at|with))\s*(?:[A-Z][\w&']* ){0,3}${BANK}\b.*$`);

/** Words that are written as a name is, and are neither a bank's nor what to do. */
const isNameLike = (text: string): boolean =>
  text.split(/\s+/).every((word) => /^(?:[\p{Lu}\p{Lo}\p{N}&(-].*|and|of|the|for|t\/a|atf)$/u.test(word)) &&
  !(IS_BANK.test(text) || /\b(?:please|pay|use|details|below|account)\b|\d{3}/i.test(text));

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
        : ((inSentence(label) ? valueInSentence(lines, label, ENDED) : undefined) ??
          valueInColumn(lines, labels, label, pieces) ??
          valueBeside(lines, label, labels, pieces));
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
/** "EFT: Karri Floors Pty Ltd" above its numbers, but not "EFT: please use these details" or "EFT: Westpac". */
const WAY_TO_NAME = /^(?:e\.?f\.?t\.?|bank transfer|direct (?:deposit|credit))(?=\s*:\s*(.*)$)/i;
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
      const way = isInColumn && row < first ? WAY_TO_NAME.exec(words) : null;
      if (way?.[1] && isNameLike(way[1])) add(way);
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

/** "..., account number 1234 5678, in the name of": it is not the heading of a line. */
const inSentence = ({ line, from }: Span): boolean =>
  /[a-z]{2}.*\s$/i.test(wordsBefore({ line, from }).replace(/.*\t/, ""));

/** Where a name ends in a sentence; and where it does for certain, because names have commas too. */
const MAY_END = /,|\s+(?:by|before|quoting|within|no later)\s/;
const ENDED =
  /,?\s+(?:quoting|using|with|by|before|within|no later|(?:and )?quote)(?:\s|$)|(?<=\b(?:ltd|limited))(?:\.\s|\.?$)/i;

/** "Kindly transfer to Karri", and in the next line "Floors Pty Ltd, BSB ...": what follows says where the name ends. */
function valueInSentence(lines: readonly Line[], label: Span, end = MAY_END): string | undefined {
  const cell = cellsOf(label.line).find(({ from, to }) => label.from >= from && label.from < to);
  const next = cell && columnBelow(lines, label.line, cell)[0];
  const own = label.line.text.slice(label.to, cell?.to).replace(/^[\s:]+/, "");
  if (own === "") return next && clean(next.text);
  const isWhole = end === ENDED && end.test(own);
  const words = isWhole ? own : `${own} ${next?.text ?? ""}`;
  const [name = ""] = words.split(end);
  if (end === ENDED && !isWhole && !isNameLike(name)) return undefined;
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
  const block = besideCaption(lines, label, own);
  if (block !== undefined) return clean(block);
  const rest = clean(withRest(lines, labels, label.line, { ...own, text: label.line.text.slice(label.to, own.to) }));
  if (rest) return rest;
  const isLabelled = (cell: { from: number; to: number }, row: number) =>
    labels.some(
      (other) => other.row === row && other.from >= cell.from && other.from <= cell.from + 2 && other.isStrong,
    );
  const next = cells.find((cell) => cell.from > own.from);
  if (next && !isLabelled(next, label.row)) {
    const beside = clean(withRest(lines, labels, label.line, next, label));
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

/** "Account" and below it "name", and beside them lines with the same middle. */
function besideCaption(lines: readonly Line[], label: Span, own: { text: string; start: number; end: number }) {
  const em = Math.max(label.line.size, 1);
  const level = lines.filter(({ turn }) => turn === label.line.turn);
  const above = level
    .filter(({ baseline }) => baseline < label.line.baseline && label.line.baseline - baseline < LINE_STEP * em)
    .flatMap((line) => cellsOf(line).map((cell) => ({ ...cell, baseline: line.baseline })))
    .find(({ text, start }) => Math.abs(start - own.start) < em && /\b(?:account|acct|a\/c)$/i.test(text));
  if (!above || !/^name$/i.test(own.text)) return undefined;
  const middle = (above.baseline + label.line.baseline) / 2;
  const right = Math.max(own.end, above.end);
  const near = level.flatMap((line) => {
    const cell = cellsOf(line).find(({ start }) => start > right);
    return cell && Math.abs(line.baseline - middle) < 3 * em ? [{ ...cell, baseline: line.baseline }] : [];
  });
  const closest = Math.min(...near.map(({ baseline }) => Math.abs(baseline - middle)));
  const at = near.findIndex(({ baseline }) => Math.abs(baseline - middle) === closest);
  const isNext = (one: number) => (near[one]?.baseline ?? 0) - (near[one - 1]?.baseline ?? -FAR) < LINE_STEP * em;
  let [first, last] = [at, at];
  while (first > 0 && isNext(first)) first -= 1;
  while (last < near.length - 1 && isNext(last + 1)) last += 1;
  const value = near.slice(first, last + 1);
  const isLevel = Math.abs(((value[0]?.baseline ?? FAR) + (value.at(-1)?.baseline ?? FAR)) / 2 - middle) < em * 0.35;
  return isLevel ? value.map(({ text }) => text).join(" ") : undefined;
}
const LINE_STEP = 1.35;
const FAR = 1_000;

/** What stands in a line below a label that has its value beside it. */
const besideIn = (line: Line | undefined, label: Span | undefined, cell: { start: number }) =>
  line && label && label.start < cell.start
    ? cellsOf(line).find(
        ({ start, end }) =>
          start < Math.min(label.end, cell.start) && end > label.start && end < cell.start + line.size,
      )
    : undefined;

/** The end of a company's name that did not fit into the line. */
export const END_OF_NAME =
  /^(?:(?:holdings|group|australia|services|trading|international)\s+){0,2}(?:pty\.?\s*)?(?:ltd|limited)\.?$/i;

/** The cells in the next lines of a cell's column. */
function columnBelow(lines: readonly Line[], line: Line, cell: { start: number; end: number }) {
  const em = Math.max(line.size, 1);
  const row = lines.indexOf(line);
  return lines.slice(row + 1, row + 5).flatMap((below, at) => {
    const down = (below.baseline - line.baseline) / em;
    if (below.turn !== line.turn || down <= 0 || down > 4) return [];
    const own = cellsOf(below).find(({ start, end }) => start < cell.end && end > cell.start);
    return own ? [{ ...own, down, row: row + 1 + at }] : [];
  });
}

/** Words that nobody ends a name with. */
const OPEN_END = /(?:\b(?:t\/a|atf|and|of|the|for|pty\.?)|[&,-])$/i;

/**
 * A name that goes on in the next lines: with the end of a company's name, behind words that end none, or with words
 * that stand alone before a label.
 */
function withRest(
  lines: readonly Line[],
  labels: readonly Label[],
  line: Line,
  cell: { text: string; start: number; end: number },
  label?: Span,
): string {
  const below = columnBelow(lines, line, cell);
  const [next, after] = below;
  if (!next || next.down > 2 || cell.text.trim() === "" || /\b(?:ltd|limited)\b/i.test(cell.text)) return cell.text;
  const isLabelled = ({ row, from, to }: { row: number; from: number; to: number }) => {
    const first = besideIn(lines[row], label, cell)?.from ?? from;
    return labels.some(
      (one) => one.row === row && one.from >= first && one.from < to && /bsb|account|both/.test(one.kind),
    );
  };
  const goesOn = (one: (typeof below)[number]) =>
    !(isLabelled(one) || /\d|:/.test(one.text) || IS_BANK.test(one.text) || besideIn(lines[one.row], label, cell)) &&
    Math.abs(one.start - cell.start) < line.size;
  const end = below.findIndex((one) => !goesOn(one));
  const last = below[end];
  if (END_OF_NAME.test(next.text) || (OPEN_END.test(cell.text.trim()) && goesOn(next)))
    return `${cell.text} ${next.text}`;
  // "... Trust" and "A/C", which is the word for its number too.
  const isTrust = /\btrust$/i.test(cell.text) && /^a\/c$/i.test(next.text) && !/\d/.test(after?.text ?? "");
  if (isTrust) return `${cell.text} ${next.text}`;
  return last && isLabelled(last) ? [cell, ...below.slice(0, end)].map(({ text }) => text).join(" ") : cell.text;
}

/** Another caption, or what kind of account it is. */
const NO_NAME =
  /^(?:(?:the|our|your|direct|debit|credit|payee|bank|account|number|details|name|bsb|trading|savings?|cheque)\s*)+$/i;

function clean(text: string): string | undefined {
  const name = text
    .replace(/^[\s):.\-–=|]+/, "")
    .replace(NEXT_LABEL, "")
    .replace(AMOUNT_BEHIND, "")
    .replace(BANK_BEHIND, "")
    .replace(COLUMN_BEHIND, "")
    .replace(/[\s,;|·•(–-]+$/, "")
    .slice(0, MAX_NAME);
  return /[a-z]{2}/i.test(name) && !NO_NAME.test(name) ? name : undefined;
}
