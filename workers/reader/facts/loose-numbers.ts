import type { Finding } from "~/ports/document-reader";
import { boxAround, type Line } from "../layout/lines";
import { cellsOf, precedingText, readable } from "./context";
import { spanOf } from "./labels";
import { digitsOf, leadingBsb, type NumberRun, splitJoined } from "./numbers";
import type { PageFacts } from "./page-facts";

/** Numbers that a person may take for an account but the reader does not. They are reported, so that somebody looks. */

const BANK_WORDS =
  /\b(?:bank|e\.?f\.?t|transfer|remit\w*|pay|paid|payments?|payable|deposit\w*|account|acct|a\/c|bsb)\b/i;
/** "732/001/99887766": its parts are separated by unusual characters. */
const PARTED = /(?<![\d.,/:-])\d{3} ?[^\w\s.,:$] ?\d{3} {0,2}(?:[^\w\s.,:$] {0,2})?\d{3,5}[ -]?\d{2,5}(?![\d.,/:-])/g;
const USUAL = /^\d{3} ?-? ?\d{3}[ -]{0,3}\d+[ -]?\d+$/;
const WORD = "(?:zero|oh|nought|one|two|three|four|five|six|seven|eight|nine|(?:double|triple|treble) \\w+)";
/** "seven three two, zero zero one" */
const SPELLED = new RegExp(`\\b${WORD}(?:[\\s,.-]+${WORD}){5,}\\b`, "gi");
/** Digits of other scripts or in circles, and characters without a Unicode value. */
const OTHER_DIGITS = /(?:(?!\d)[\p{N}\ufffd][\s-]?){5,}/gu;
/** Australian accounts have no IBAN. */
const AUSTRALIAN_IBAN = /(?<![A-Za-z0-9])AU\d{2}(?: ?[A-Z0-9]{2,4}){2,8}(?![A-Za-z0-9])/g;

/** @param isAllOfBank no words say which numbers are bank details, so any number may be */
export function findLooseNumbers(lines: readonly Line[], facts: PageFacts, isAllOfBank = false): Finding[] {
  const spans = lines.flatMap((line, row) => {
    const isRead = (from: number, to: number) =>
      facts.used.some((run) => run.row === row && run.from < to && run.to > from);
    const inBank = (from: number, to: number) => {
      const span = spanOf(lines, row, from, to);
      return span !== undefined && (BANK_WORDS.test(line.text) || BANK_WORDS.test(precedingText(lines, span, 3)));
    };
    const found = [...line.text.matchAll(PARTED)].filter(
      ({ 0: text, index }) =>
        !(USUAL.test(text) || isRead(index, index + text.length)) && inBank(index, index + text.length),
    );
    const odd = [SPELLED, OTHER_DIGITS, AUSTRALIAN_IBAN].flatMap((pattern) => [...line.text.matchAll(pattern)]);
    return [...found, ...odd].map(({ 0: text, index }) => ({ line, from: index, to: index + text.length }));
  });
  const numbers = facts.numbers.filter(
    (run) =>
      !facts.used.includes(run) &&
      !hasLabel(facts, run) &&
      (isJoined(run) || isOverAnother(facts, run) || (isAllOfBank && isWhole(run))),
  );
  return [...spans, ...numbers].slice(0, 3).map(({ line, from, to }) => {
    const box = boxAround(line.chars.slice(from, to));
    return { code: "number_without_label" as const, lines: [readable(line.text)], ...(box ? { box } : {}) };
  });
}

/** "732001 99887766" */
const isWhole = ({ groups }: NumberRun): boolean => {
  const rest = digitsOf(leadingBsb(groups)?.rest ?? []).length;
  return rest >= 5 && rest <= 9;
};

/** A word directly before it, or above it in its column, says what it is. */
const hasLabel = ({ labels }: PageFacts, run: NumberRun): boolean =>
  labels.some(
    ({ kind, row, to, line, start, end }) =>
      (row === run.row && to <= run.from && /^[\s:.#-]*$/.test(line.text.slice(to, run.from))) ||
      (/^(?:reference|biller|other)$/.test(kind) &&
        row < run.row &&
        row > run.row - 4 &&
        start < run.end &&
        end > run.start),
  );

/** BSB and account number written as one, beside a word for paying. */
const isJoined = (run: NumberRun): boolean =>
  splitJoined(run.groups) !== undefined &&
  digitsOf(run.groups).length >= 12 &&
  digitsOf(run.groups).length !== EAN &&
  BANK_WORDS.test(run.line.text) &&
  !/\b(?:receipt|reference|ref|transaction|crn|invoice|order|customer|card|barcode|abn)\b/i.test(run.line.text);
const EAN = 13;

/** "732-001" and directly below it "99887766", each alone in its cell. */
function isOverAnother({ numbers, used }: PageFacts, run: NumberRun): boolean {
  const isAlone = (one: NumberRun) =>
    cellsOf(one.line).some(({ text }) => /^[\d -]+$/.test(text) && text.replace(/\D/g, "") === digitsOf(one.groups));
  if (!/^\d{3} ?- ?\d{3}$/.test(run.line.text.slice(run.from, run.to)) || !isAlone(run)) return false;
  const em = Math.max(run.line.size, 1);
  return numbers.some((other) => {
    const down = (other.line.baseline - run.line.baseline) / em;
    const { length } = digitsOf(other.groups);
    return (
      !used.includes(other) &&
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
