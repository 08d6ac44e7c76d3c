import { parseAbn } from "~/kernel/abn";
import type { Finding, ReadAbn, ReadBpay, ReadEmailAddress, ReadPayId } from "~/ports/document-reader";
import { asWritten, boxAround, type Char, type Line } from "../layout/lines";
import { cellsOf, linesAround, wordsBefore } from "./context";
import { findLabels, type Label, type Span, spanOf } from "./labels";

/** A number with the characters of its digits, for checking how they are painted. */
export type WithChars<T> = T & { chars: Char[] };

function placeOf(lines: readonly Line[], span: Span) {
  const chars = span.line.chars.slice(span.from, span.to).filter((char) => char !== undefined);
  const box = boxAround(chars);
  return { page: 0, ...(box ? { box } : {}), lines: linesAround(lines, span.row), certain: true, doubts: [], chars };
}

function* matches(lines: readonly Line[], pattern: RegExp): Generator<{ match: RegExpMatchArray; span: Span }> {
  for (const [row, line] of lines.entries()) {
    for (const match of line.text.matchAll(pattern)) {
      const span = spanOf(lines, row, match.index, match.index + match[0].length);
      if (span) yield { match, span };
    }
  }
}

const ABN = /(?<!\d)\d{2}(?:[ -]?\d{3}){3}(?!\d)/g;
const CUSTOMER_WORDS =
  /^(?:bill(?:ed)? to|invoice(?:d)? to|sold to|ship to|deliver(?:y|ed)? to|customer|client|attention|attn|your abn|recipient|purchaser|buyer|to)\b\s*:?\s*/i;

export function findAbns(lines: readonly Line[]): WithChars<ReadAbn>[] {
  const found: WithChars<ReadAbn>[] = [];
  for (const { match, span } of matches(lines, ABN)) {
    const abn = parseAbn(match[0]);
    if (!abn) continue;
    const isCustomer = isOfCustomer(lines, span);
    const same = found.find((one) => one.abn === abn);
    if (!same) found.push({ ...placeOf(lines, span), abn, whose: isCustomer ? "customer" : "unknown" });
    else if (!isCustomer && same.whose === "customer") same.whose = "unknown";
  }
  const supplier = found.find(({ whose }) => whose === "unknown");
  if (supplier) supplier.whose = "supplier";
  return found;
}

const NAMED_ABN = /(?<=\bA\.?B\.?N\b\.?\s{0,2}(?:no|number|#)?[\s:.#-]{0,3})(?<!\d)\d(?:[ -]?\d){10}(?![ -]?\d)/gi;

const ACN_DIGITS = 9;
/** "004 085 616 12": a company number with the right check digit, and the number of a street. */
function isAcnWithStreet(text: string, { line, to }: Span): boolean {
  const isStreet = /^\s+(?!a\.?[bc]\.?n\b)[a-z]/i.test(line.text.slice(to));
  if (!(isStreet && /^(?:\d{3} ?){3} \d\d$/.test(text))) return false;
  const digits = text.replaceAll(" ", "").slice(0, ACN_DIGITS);
  const sum = [...digits].reduce(
    (total, digit, at) => total + Number(digit) * (ACN_DIGITS - 1 - at),
    Number(digits.at(-1)),
  );
  return sum % 10 === 0;
}

/** The supplier's ABN where no business can have it: its check digits are wrong, and a person sees each of its digits. */
export function findWrongAbns(lines: readonly Line[]): { code: "abn_cannot_exist"; lines: string[] }[] {
  for (const { match, span } of matches(lines, NAMED_ABN)) {
    const chars = span.line.chars.slice(span.from, span.to);
    const isSeen = !chars.some((char) => char?.isHidden || char?.isOverlapped || char?.isUnsure);
    if (isSeen && !(parseAbn(match[0]) || isAcnWithStreet(match[0], span) || isOfCustomer(lines, span)))
      return [{ code: "abn_cannot_exist", lines: linesAround(lines, span.row) }];
  }
  return [];
}

/** Under "Bill to" in its column, or after "Your ABN". */
export function isOfCustomer(lines: readonly Line[], span: Span): boolean {
  if (/\b(?:your|customer'?s?|client'?s?|recipient'?s?|buyer'?s?)\s+(?:abn|a\.b\.n)\b/i.test(wordsBefore(span)))
    return true;
  for (let row = span.row; row >= Math.max(0, span.row - 7); row -= 1) {
    const line = lines[row];
    if (!line || line.turn !== span.line.turn) continue;
    for (const cell of cellsOf(line)) {
      const isAbove = cell.start < span.end && cell.end > span.start - span.line.size * 4;
      if (!isAbove) continue;
      const heading = CUSTOMER_WORDS.exec(cell.text);
      if (
        heading &&
        (heading[0].length === cell.text.length ||
          /:\s*$/.test(heading[0]) ||
          /^(?:bill|invoice|sold|ship)/i.test(cell.text))
      )
        return true;
      if (/^(?:from|supplier|payee|remit(?:tance)? to|pay(?:ment)? (?:to|details)|tax invoice)\b/i.test(cell.text))
        return false;
    }
  }
  return false;
}

const LUHN = 10;

/** The check digit of most BPAY references: Luhn's. */
export function hasRightCheckDigit(reference: string): boolean {
  const sum = [...reference].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % LUHN === 0;
}

const BILLER = /biller\s*(?:code|id|no\.?|number|#)?[\s:.]*(\d{3,10})(?!\d)/gi;
const REFERENCE =
  /(?:(?<![a-z])(?:customer |payment |bpay )?(?:reference|ref|crn)(?![a-z])\.?(?:\s*(?:number|no|#)(?![a-z])\.?)?)[\s:.]*(\d[\d ]{1,28}\d)/gi;

export function findBpay(lines: readonly Line[]): WithChars<ReadBpay>[] {
  const found: WithChars<ReadBpay>[] = [];
  const labels = findLabels(lines);
  const take = (billerCode: string, span: Span) => {
    if (found.length > MOST_BILLERS || found.some((one) => one.billerCode === billerCode)) return;
    const reference = referenceNear(lines, labels, span);
    found.push({
      ...placeOf(lines, span),
      billerCode,
      ...(reference ? { reference, isCheckDigitRight: hasRightCheckDigit(reference) } : {}),
    });
  };
  for (const { match, span } of matches(lines, BILLER)) take(match[1] ?? "", span);
  // The code below its label, as in a table.
  for (const label of labels.filter(({ kind }) => kind === "biller")) {
    if (/\d/.test(label.line.text.slice(label.to).split("\t")[0] ?? "")) continue;
    const below = belowOf(lines, label);
    const code = /^(\d{3,10})(?!\d)/.exec(below?.text ?? "")?.[1];
    const span = code && below ? spanOf(lines, below.row, below.from, below.from + code.length) : undefined;
    if (code && span) take(code, span);
  }
  return found;
}

/** Of a page; the app keeps no more. */
const MOST_BILLERS = 20;

function belowOf(lines: readonly Line[], label: Span) {
  for (const [at, line] of lines.slice(label.row + 1, label.row + MOST_ROWS).entries()) {
    const [row, down] = [label.row + 1 + at, (line.baseline - label.line.baseline) / Math.max(label.line.size, 1)];
    if (line.turn !== label.line.turn || down <= 0 || down > 3) continue;
    const cell = cellsOf(line).find((one) => one.start < label.end && one.end > label.start);
    if (cell) return { ...cell, row };
  }
  return undefined;
}

/** So many lines stand in the height of three. */
const MOST_ROWS = 60;

function referenceNear(lines: readonly Line[], labels: readonly Label[], biller: Span): string | undefined {
  const rows = [biller.row, biller.row + 1, biller.row + 2, biller.row + 3, biller.row - 1, biller.row - 2];
  for (const row of rows) {
    for (const match of lines[row]?.text.matchAll(REFERENCE) ?? []) {
      const digits = (match[1] ?? "").replace(/\D/g, "");
      if (digits.length >= 2 && digits.length <= 20) return digits;
    }
  }
  const near = labels.filter(({ kind, row }) => kind === "reference" && Math.abs(row - biller.row) <= 2);
  for (const label of near) {
    const digits = /^[\d ]{2,30}$/.exec(belowOf(lines, label)?.text ?? "")?.[0].replace(/\D/g, "");
    if (digits) return digits;
  }
  return undefined;
}

/** The part before the @ has at most 64 letters. Without this limit a long word would be searched again from each of its letters. */
const EMAIL = /(?<![a-z0-9])[a-z0-9][a-z0-9._%+'-]{0,63}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/gi;

export function findEmails(lines: readonly Line[]): ReadEmailAddress[] {
  const seen = new Set<string>();
  return [...matches(lines, EMAIL)].flatMap(({ match, span }) => {
    const address = match[0].toLowerCase();
    if (seen.has(address)) return [];
    seen.add(address);
    const { certain: _, doubts: __, chars: ___, ...place } = placeOf(lines, span);
    return [{ ...place, address }];
  });
}

const PAY_ID =
  /pay\s?id(?:\s*\(?(?:email|mobile|phone|abn|name)\)?)?(?:\s*(?:is|to|no\.?|number|address))?[:\s-]*([^\s\t,;@]{1,64}@[^\s\t,;]+|\+?\d[\d ]{7,16}\d|[a-z0-9-]{1,63}\.[a-z.]{2,})/gi;

const FAST = String.raw`\b(?:osko|pay\s?id|pay\s?to|npp)\b`;
const EMAIL_OR_MOBILE = String.raw`([^\s\t,;@]{1,64}@[^\s\t,;]+|(?:\+?61 ?|0)4(?: ?\d){8}(?!\d))`;
const TO_MOBILE = String.raw`(?:(?:mobile|phone|cell|e-?mail)(?: (?:number|no\.?|address))?|number)\W{1,3}(?:is |at )?`;
/** "Pay by Osko to the mobile 0400 000 000", "to our mobile 0400 000 000 by PayID" */
const OSKO = [
  `${FAST}(?:(?!\\b(?:call|questions?|enquir\\w*|queries|contact|text|help)\\b)[^.!?;@\\d]){0,40}?(?:\\bto |\\bon |: ?|\\b${TO_MOBILE})${EMAIL_OR_MOBILE}`,
  `\\b(?:pay|send|transfer)\\b[^.!?;@\\d]{0,40}?\\b(?:to |${TO_MOBILE})${EMAIL_OR_MOBILE}(?=[^.!?\\d]{0,20} (?:by|via|using|with|through) ${FAST})`,
].map((pattern) => new RegExp(pattern, "gi"));

export function findPayIds(lines: readonly Line[]): WithChars<ReadPayId>[] {
  const found: WithChars<ReadPayId>[] = [];
  for (const { match, span } of [PAY_ID, ...OSKO].flatMap((pattern) => [...matches(lines, pattern)])) {
    const { length } = match[1] ?? "";
    const raw = asWritten(span.line)
      .slice(span.to - length, span.to)
      .replace(/[.,;:]+$/, "");
    const digits = raw.replace(/\D/g, "");
    const type = raw.includes("@")
      ? "email"
      : parseAbn(digits)
        ? "abn"
        : /^\+?[\d ]+$/.test(raw)
          ? "phone"
          : "organisation";
    const payId = type === "email" || type === "organisation" ? raw.toLowerCase() : digits;
    if (found.some((one) => one.payId === payId)) continue;
    found.push({ ...placeOf(lines, span), payId, type });
  }
  return found;
}

const IBAN = /(?<![a-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/g;
const SWIFT =
  /\b(?:swift|bic)(?:\s*\/\s*(?:swift|bic))?(?:\s*(?:code|no|number))?[\s:.]*([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?![A-Za-z0-9])/gi;

function isIban(text: string, isNamed: boolean): boolean {
  const compact = text.replaceAll(" ", "");
  if (compact.length < 15 || compact.length > 34) return false;
  if (isNamed) return true;
  const turned = compact.slice(4) + compact.slice(0, 4);
  let rest = 0;
  for (const letter of turned) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** An account of New Zealand: bank, branch, account and suffix. */
export const NEW_ZEALAND = /(?<![\d-])\d{2}[- ]\d{4}[- ]\d{7}[- ]\d{2,3}(?![\d-])/g;
/** What other countries have in place of a BSB. */
const BANK_CODE =
  /\b(?:sort\s*code\W{0,3}\d{2}[- ]?\d{2}[- ]?\d{2}|(?:aba|routing)(?:\s*(?:code|no|number))?\W{0,3}\d{9}|ifsc(?:\s*code)?\W{0,3}[a-z]{4}0[a-z0-9]{6})(?![a-z0-9])/gi;

/** Accounts of other countries, which are not compared. With a wrong check digit it is still what the invoice asks for. */
export function findForeign(lines: readonly Line[]): Finding[] {
  const isNamed = lines.some(({ text }) => /\biban\b/i.test(text));
  const shape = isNamed ? new RegExp(IBAN.source, "gi") : IBAN;
  const ibans = [...matches(lines, shape)].filter(({ match }) => isIban(match[0], isNamed));
  const patterns = ibans.length > 0 ? [] : [NEW_ZEALAND, BANK_CODE, SWIFT];
  const found = patterns.reduce((soFar, pattern) => (soFar.length > 0 ? soFar : [...matches(lines, pattern)]), ibans);
  return found.slice(0, 3).map(({ match, span }) => {
    const box = boxAround(span.line.chars.slice(span.from, span.to));
    return {
      code: "iban_or_swift" as const,
      digits: (match[1] ?? match[0]).replaceAll(" ", ""),
      ...(box ? { box } : {}),
      lines: linesAround(lines, span.row),
    };
  });
}
