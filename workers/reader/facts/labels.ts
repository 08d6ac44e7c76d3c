import { boxInLine, extentOf, type Line } from "../layout/lines";
import { cellsOf, wordsBefore } from "./context";

/** A stretch of a line. */
export type Span = { line: Line; row: number; from: number; to: number; start: number; end: number };

export function spanOf(lines: readonly Line[], row: number, from: number, to: number): Span | undefined {
  const line = lines[row];
  if (!line) return undefined;
  const chars = line.chars.slice(from, to).filter((char) => char !== undefined);
  const [first, last] = [chars[0], chars.at(-1)];
  if (!(first && last)) return undefined;
  const turned = { 0: ["x", 1], 1: ["y", 1], 2: ["x", -1], 3: ["y", -1] } as const;
  const [axis, sign] = turned[line.turn];
  const sizeOf = (box: { width: number; height: number }) => (axis === "x" ? box.width : box.height);
  const edges = chars.map(boxInLine).flatMap((box) => [box[axis] * sign, (box[axis] + sizeOf(box)) * sign]);
  return { line, row, from, to, ...extentOf(edges) };
}

type LabelKind = "bsb" | "account" | "both" | "account_name" | "biller" | "reference" | "other";
export type Label = Span & { kind: LabelKind; text: string; isStrong: boolean };

const NUMBER_WORD = String.raw`(?:\s*(?:numbers?|num|no|nbr|nr|code|#|№)(?![a-z])\.?)?`;
const BSB = String.raw`b[.\s]{0,2}s[.\s]{0,2}b(?![a-z])\.?`;
const BRANCH = String.raw`bank\s*[/-]?\s*state\s*[/-]?\s*branch`;
const BRANCH_NUMBER = String.raw`(?:branch|bank)\s+(?:numbers?|num|no|code|id|#)(?![a-z])\.?`;
/** "Bank State Branch (BSB)" and "Branch no. (BSB)" are one label each. */
const BSB_WORD = String.raw`(?:${BSB}(?:\s*\(\s*(?:${BRANCH}|${BRANCH_NUMBER})\s*\))?|${BRANCH}(?:\s*\(?\s*${BSB}\s*\)?)?|${BRANCH_NUMBER}\s*\(\s*${BSB}\s*\))`;
const ACCOUNT_WORD = String.raw`(?:bank[^\S\t]+)?(?:accounts?|acct|acc|a\s?/\s?c|a c c(?: t)?|ac)(?![a-z])\.?`;

const PATTERNS: readonly { kind: LabelKind; pattern: RegExp; isStrong: boolean }[] = [
  {
    kind: "account_name",
    pattern: new RegExp(
      String.raw`(?<![a-z])(?:${ACCOUNT_WORD}[^\S\t]*(?:name|holder(?:'s|s)?(?:\s+name)?|title)(?![a-z])|name\s+(?:of|on)\s+(?:the\s+)?(?:bank\s+)?account(?:\s+holder)?|(?:payee|beneficiary)(?:\s+name)?(?=\s*:)|beneficiary\s+name|account\s+in\s+the\s+name\s+of|in\s+the\s+name\s+of|bank\s+account\s+held\s+by)`,
      "gi",
    ),
    isStrong: true,
  },
  {
    kind: "both",
    pattern: new RegExp(
      String.raw`(?<![a-z])(?:${BSB_WORD}\s*(?:no\.?|number)?\s*(?:[/&+|,-]|and|then)\s*${ACCOUNT_WORD}${NUMBER_WORD})`,
      "gi",
    ),
    isStrong: true,
  },
  { kind: "bsb", pattern: new RegExp(`(?<![a-z])${BSB_WORD}${NUMBER_WORD}`, "gi"), isStrong: true },
  {
    kind: "bsb",
    pattern: new RegExp(String.raw`(?<![a-z])${BRANCH_NUMBER}|(?<![a-z])branch(?=\s*:|\s+\d{3}[ -]?\d{3})`, "gi"),
    isStrong: true,
  },
  {
    kind: "account",
    pattern: new RegExp(
      String.raw`(?<![a-z])${ACCOUNT_WORD}\s*(?:numbers?|num|no|nbr|nr|#|№)(?![a-z])\.?(?:\s*\([^)\d]{0,20}\))?`,
      "gi",
    ),
    isStrong: true,
  },
  { kind: "account", pattern: new RegExp(`(?<![a-z])${ACCOUNT_WORD}`, "gi"), isStrong: false },
  { kind: "account", pattern: /(?<=^|\t)(?:number|no)\.?(?=\s*:)/gi, isStrong: true },
  { kind: "biller", pattern: /(?<![a-z])biller\s*(?:code|id|no\.?|number|#)?/gi, isStrong: true },
  {
    kind: "reference",
    pattern:
      /(?<![a-z])(?:(?:customer|payment|bpay|biller|your)\s+)?(?:reference|ref|crn)(?![a-z])\.?(?:\s*(?:number|no|#)(?![a-z])\.?)?/gi,
    isStrong: true,
  },
  {
    kind: "other",
    pattern:
      /(?<![a-z])(?:a\.?b\.?n|a\.?c\.?n|phone|tel|telephone|mobile|mob|fax|ph|invoice(?:\s*(?:no|number|#))?|date|total|swift|bic|iban|customer\s+(?:no|number|id)|po\s+(?:box|number|no)|gst|amount|balance|qty|postcode|client\s+(?:no|number|id)|order\s+(?:no|number))(?![a-z])\.?/gi,
    isStrong: true,
  },
];

/** All labels of a document. They never overlap: the first pattern that matches wins. */
export function findLabels(lines: readonly Line[]): Label[] {
  const labels = lines.flatMap((line, row) => labelsOfLine(lines, line, row));
  const bsbs = new Map<number, Label[]>();
  for (const label of labels)
    if (label.kind === "bsb") bsbs.set(label.row, [...(bsbs.get(label.row) ?? []), label].slice(0, MAX_BSBS));
  const isBelowBsb = ({ row, start, line }: Label) =>
    bsbs.get(row - 1)?.some((bsb) => Math.abs(bsb.start - start) < line.size) ?? false;
  return labels.filter((label) => !PLAIN_NUMBER.test(label.text) || isBelowBsb(label));
}

/** "Number:" is a label of an account right below "BSB:" only. */
const PLAIN_NUMBER = /^(?:number|no)\b/i;
/** Of one line: nobody writes more, and each is compared with the next line's numbers. */
const MAX_BSBS = 20;

/** "accounts@supplier.example", "supplier.example/account" */
const isInAddress = (text: string, from: number, to: number) =>
  /^[\w.+-]*@/.test(text.slice(to, to + LONGEST_ADDRESS)) ||
  /[@/][\w./-]*[.-]?$/.test(text.slice(Math.max(0, from - LONGEST_ADDRESS), from).replace(/.*[\s\t]/, ""));
const LONGEST_ADDRESS = 100;

/** "Pay from your cheque, savings or credit account": the standard text beside every BPAY code. */
const KIND_OF_ACCOUNT = /\b(?:cheque|savings|debit|credit|card)\b[^.]{0,20}\bor (?:[a-z]+ )?$/i;

/** "Customer account 7712 0345", "your account number": a number of the customer. */
const OF_CUSTOMER = /\b(?:customer|member|patient|policy)(?:['’]?s)?\s*$/i;

function labelsOfLine(lines: readonly Line[], line: Line, row: number): Label[] {
  const found: Label[] = [];
  const taken = new Uint8Array(line.text.length);
  for (const { kind, pattern, isStrong } of PATTERNS) {
    for (const match of line.text.matchAll(pattern)) {
      const from = match.index;
      const to = from + match[0].trimEnd().length;
      if (taken.subarray(from, to).includes(1) || isInAddress(line.text, from, to)) continue;
      if (kind === "account" && OF_CUSTOMER.test(wordsBefore({ line, from }))) continue;
      if (kind === "account" && KIND_OF_ACCOUNT.test(line.text.slice(Math.max(0, from - LONGEST_ADDRESS), from)))
        continue;
      const span = spanOf(lines, row, from, to);
      if (!span) continue;
      taken.fill(1, from, to);
      found.push({ ...span, kind, text: match[0].trim(), isStrong });
    }
  }
  const isFree = (from: number, to: number) => !taken.subarray(from, to).includes(1);
  for (const label of found) {
    const whole = isFree(startOfCaption(label), label.from) && spanOf(lines, row, startOfCaption(label), label.to);
    if (whole) label.start = whole.start;
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Where the caption starts that a label ends: "Bank/Branch (BSB)" alone in a cell. Its value stands below its first word. */
export function startOfCaption({ line, from, to, isStrong }: Label): number {
  const cell = cellsOf(line).find((each) => from >= each.from && to <= each.to);
  const before = line.text.slice(cell?.from, from);
  const isCaption = isStrong && before.length <= LONGEST_CAPTION && !/\d/.test(before);
  return cell && isCaption && /^[\s):.]*$/.test(line.text.slice(to, cell.to)) ? cell.from : from;
}
const LONGEST_CAPTION = 24;
