import type { Line } from "../layout/lines";
import { cellsOf } from "./context";
import { isOfCustomer } from "./other-numbers";

/** The facts other than bank details: number, amounts, dates and names. */
export type InvoiceFacts = {
  supplierName?: string;
  customerName?: string;
  invoiceNumber?: string;
  totalCents?: number;
  gstCents?: number;
  currency: string;
  issueDate?: string;
  dueDate?: string;
};

export function readInvoiceFacts(lines: readonly Line[]): InvoiceFacts {
  const total = findTotal(lines);
  const gst = findAmount(lines, GST);
  const dates = findDates(lines);
  const values: Partial<InvoiceFacts> = {
    supplierName: findSupplier(lines),
    customerName: findCustomer(lines),
    invoiceNumber: findInvoiceNumber(lines),
    totalCents: total,
    gstCents: gst,
    ...dates,
  };
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return { currency: findCurrency(lines), ...Object.fromEntries(known) };
}

/** An amount that continues after a comma or on the next line is not read as its first digits only. */
const MONEY =
  /(-|\()?\s?(?:(?:AU|A|NZ|US)?\$|AUD|NZD|USD|EUR|GBP|€|£)?\s?(-)?(\d{1,3}(?:[, ]\d{3})+(?:\.\d{2})?|\d+\.\d{2}|\d+)(?![\d%]|[.,]{1,2}\d|,(?:\t|$)|\s?%)/g;

/** An incomplete amount beside its label. */
const CUT_OFF = /[$€£] ?\d|\d[.,]\d*(?:\t|$)/;

function moneyIn(text: string): number[] {
  return [...text.matchAll(MONEY)].flatMap((match) => {
    const [whole, sign, inner, figure = ""] = match;
    const hasSign = /[$€£]|[A-Z]{3}/.test(whole);
    // A bare whole number is a quantity or a reference.
    if (!(hasSign || /\.\d{2}$/.test(figure))) return [];
    const cents = Math.round(Number(figure.replace(/[, ]/g, "")) * 100);
    return [sign || inner ? -cents : cents];
  });
}

const TOTALS = [
  /\b(?:total|amount|balance)\s+(?:now\s+)?(?:due|payable|owing|to pay|outstanding)\b|\bplease pay\b|\bpay this amount\b|\bamount to pay\b|^amount claimed\b(?! (?:to|until|up|previously)\b)/i,
  /\b(?:invoice|grand)\s+total\b|\btotal\s*\(?(?:amount\s*)?(?:aud|nzd|a\$)?\s*\(?(?:inc|incl|including|includes)\.?\s*(?:of\s+)?gst\b|\btotal\s+(?:aud|nzd|inc)\b|\btotal amount\b|\bcredit total\b|\btotal credit\b/i,
  /^(?!.*\b(?:sub|gst|tax|ex|excl|excluding|qty|hours|paid|discount|items?)\b).*\btotal\b/i,
];
const GST = [/\b(?:total\s+)?(?:gst|g\.s\.t)\b(?!\s*(?:reg|free|number|no\b|excl|incl|inclusive|exclusive|code))/i];
const NOT_GST =
  /\b(?:inc|incl|including|inclusive|includes|ex|excl|excluding|exclusive|before|plus|sub-?total)\.?\s*(?:of\s+)?\(?gst\b|\babn\b/i;

function findTotal(lines: readonly Line[]): number | undefined {
  for (const pattern of TOTALS) {
    const amount = findAmount(lines, [pattern]);
    if (amount !== undefined) return amount;
  }
  return undefined;
}

function findAmount(lines: readonly Line[], patterns: readonly RegExp[]): number | undefined {
  let best: number | undefined;
  for (const [row, line] of lines.entries()) {
    for (const pattern of patterns) {
      const match = pattern.exec(line.text);
      if (!match) continue;
      if (patterns === GST && NOT_GST.test(line.text)) continue;
      const rest = line.text.slice(match.index + match[0].length);
      const beside = moneyIn(rest);
      const amount =
        beside.length > 0
          ? beside.at(patterns === GST ? -1 : 0)
          : CUT_OFF.test(rest)
            ? undefined
            : amountBelow(lines, row, match.index + match[0].length);
      // The last match wins, because totals stand below the items.
      if (amount !== undefined) best = amount;
    }
  }
  return best;
}

function amountBelow(lines: readonly Line[], row: number, to: number): number | undefined {
  const line = lines[row];
  if (!line) return undefined;
  const label = cellsOf(line).find((cell) => cell.from < to && cell.to >= to);
  const below = lines.slice(row + 1, row + 3).find((one) => one.turn === line.turn);
  if (!(label && below)) return undefined;
  const cell = cellsOf(below).find((one) => one.start < label.end && one.end > label.start);
  const [only, ...more] = cell ? moneyIn(cell.text) : [];
  return cell && more.length === 0 && /^[^a-z]*$/i.test(cell.text.replace(/AUD|NZD|USD|A\$/, "")) ? only : undefined;
}

const CURRENCIES = /(?<![a-z])(NZD|USD|EUR|GBP|SGD)(?![a-z])|(US\$|NZ\$|€|£)/i;
const SIGNS: Record<string, string> = { US$: "USD", NZ$: "NZD", "€": "EUR", "£": "GBP" };

function findCurrency(lines: readonly Line[]): string {
  const counted = new Map<string, number>();
  let australian = 0;
  for (const { text } of lines) {
    const match = CURRENCIES.exec(text);
    const code = match?.[1]?.toUpperCase() ?? SIGNS[match?.[2]?.toUpperCase() ?? ""];
    if (code) counted.set(code, (counted.get(code) ?? 0) + 1);
    if (/\bAUD\b|A\$|\bGST\b/.test(text)) australian += 1;
  }
  const [most] = [...counted].sort((a, b) => b[1] - a[1]);
  return most && most[1] > australian ? most[0] : "AUD";
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DATE =
  /(?<!\d)(?:(\d{1,2})(?:st|nd|rd|th)?[ \-/.]+(?:of )?([a-z]{3,9})\.?,?[ \-/.]+(\d{4}|\d{2})|(\d{4})-(\d{2})-(\d{2})|(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})|([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}))(?!\d)/gi;

function toIso(year: string, month: number, day: string): string | undefined {
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  const date = new Date(Date.UTC(fullYear, month - 1, Number(day)));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  return isReal && fullYear > 1990 && fullYear < 2100 ? date.toISOString().slice(0, 10) : undefined;
}

/** Day first, as Australia writes it. */
function datesIn(text: string): string[] {
  return [...text.matchAll(DATE)].flatMap((match) => {
    const [
      ,
      day1 = "",
      name1,
      year1 = "",
      year2,
      month2 = "",
      day2 = "",
      day3 = "",
      month3 = "",
      year3 = "",
      name4,
      day4 = "",
      year4 = "",
    ] = match;
    const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
    const iso = name1
      ? toIso(year1, monthOf(name1), day1)
      : year2
        ? toIso(year2, Number(month2), day2)
        : name4
          ? toIso(year4, monthOf(name4), day4)
          : toIso(year3, Number(month3), day3);
    return iso ? [iso] : [];
  });
}

const DUE = /\b(?:due\s*(?:date|by|on)?|payment due|pay(?:able|ment)? by|please pay by)\b/i;
const ISSUED =
  /\b(?:invoice date|date of issue|issue(?:d)?(?: date| on)?|tax date|date issued|statement date|document date|credit(?: note)? date)\b/i;
const PLAIN_DATE = /^date\b|\bdate\s*:/i;

function findDates(lines: readonly Line[]): { issueDate?: string; dueDate?: string } {
  const dueDate = findDate(lines, DUE);
  const issueDate = findDate(lines, ISSUED) ?? findDate(lines, PLAIN_DATE);
  return { ...(issueDate ? { issueDate } : {}), ...(dueDate ? { dueDate } : {}) };
}

function findDate(lines: readonly Line[], label: RegExp): string | undefined {
  for (const [row, line] of lines.entries()) {
    for (const cell of cellsOf(line)) {
      const match = label.exec(cell.text);
      if (!match) continue;
      const own = datesIn(cell.text.slice(match.index + match[0].length))[0];
      if (own) return own;
      const next = cellsOf(line).find((other) => other.from > cell.from);
      const beside = next && datesIn(next.text)[0];
      if (beside) return beside;
      for (const below of lines.slice(row + 1, row + 3)) {
        const under = cellsOf(below).find((other) => other.start < cell.end && other.end > cell.start);
        const date = under && datesIn(under.text)[0];
        if (date) return date;
      }
    }
  }
  return undefined;
}

const NUMBER_LABEL =
  /\b(?:tax\s+invoice|invoice|inv|credit\s+note|adjustment\s+note|bill|document)\s*(?:number|num|no|nr|#|id|ref(?:erence)?)(?![a-z])\.?\s*[:#]?\s*|\b(?:tax\s+)?invoice\s*[:#]\s*/i;
const NUMBER_VALUE = /^[#: ]*([A-Z0-9][A-Z0-9\-/_.]{0,30}[A-Z0-9]|\d)(?![A-Za-z0-9])/i;

/** "Tax invoice KF-9001" by itself, behind another heading, or with a wide gap: "Progress Claim No. 2 / Tax Invoice KF-9001". */
const HEADED = /(?:^|[\t/|]\s*)(?:tax\s+)?invoice\s+((?:[A-Z]{1,6}[-/]?)?\d[\d\-/]{2,14})(?=\t|$)/i;

/** "No: KF-9001" in the column of the heading "Tax invoice" that is right above it. */
function numberUnderHeading(
  above: readonly Line[],
  { text, start, end }: { text: string; start: number; end: number },
) {
  const number = /^(?:no|number|#)\s*[.:#]+\s*(\S+)$/i.exec(text)?.[1];
  const isUnder = above
    .flatMap((line) => cellsOf(line))
    .some((other) => /\binvoice$/i.test(other.text) && other.start < end && other.end > start);
  return isUnder ? number : undefined;
}

function findInvoiceNumber(lines: readonly Line[]): string | undefined {
  const numberIn = (text: string) => {
    const value = NUMBER_VALUE.exec(text.trim())?.[1];
    return value && /\d/.test(value) && datesIn(value).length === 0 ? value : undefined;
  };
  for (const [row, line] of lines.entries()) {
    const cells = cellsOf(line);
    for (const cell of cells) {
      const match = NUMBER_LABEL.exec(cell.text);
      if (!match) continue;
      const next = cells.find((other) => other.from > cell.from);
      const rest = cell.text.slice(match.index + match[0].length);
      const below = lines[row + 1];
      const under = below && cellsOf(below).find((other) => other.start < cell.end && other.end > cell.start);
      const value =
        numberIn(rest) ??
        (rest.trim() === "" ? ((next && numberIn(next.text)) ?? (under && numberIn(under.text))) : undefined);
      if (value) return value;
    }
  }
  const headed = lines.map(({ text }) => HEADED.exec(text.trim())?.[1]);
  const inHeading = headed.find((value) => value && numberIn(value) === value);
  if (inHeading) return inHeading;
  const underHeading = lines
    .flatMap((line, row) =>
      cellsOf(line).map((cell) => numberUnderHeading(lines.slice(Math.max(0, row - 2), row), cell)),
    )
    .find((value) => value && numberIn(value) === value);
  if (underHeading) return underHeading;
  const plain = lines.map(({ text }) => /\b(INV(?:[-/ ]?\d|-(?=[A-Z]*\d))[\w-]*)/i.exec(text)?.[1]).find(Boolean);
  return plain ?? undefined;
}

const COMPANY =
  /\b(?:pty\.? ?ltd|proprietary|limited|ltd|inc|incorporated|trust|partners|group|co\b|company|services|association|council|& sons|trading as|t\/a)\b/i;
const NO_NAME =
  /\b(?:invoice|statement|credit note|abn|acn|phone|tel|email|www\.|http|page \d|date|total|due|bsb|account|bill to|items?|description|qty|po box|street|st\b|road|rd\b|avenue|ave\b)\b|@|^\W*$|^\d|^(?:our|supplier|vendor|seller|payee|company|business|from)\W*$/i;
const MAX_NAME = 140;
/** "Wattle Grove Pty Ltd TAX INVOICE": the heading follows the name so closely that both are one cell. */
const HEADING_BEHIND = /\s+(?:tax\s+)?invoice$/i;

/** Beside or above the supplier's ABN; else the largest words at the top that are not a heading. */
function findSupplier(lines: readonly Line[]): string | undefined {
  for (const [row, line] of lines.entries()) {
    const cells = cellsOf(line);
    for (const cell of cells) {
      const at = /\ba\.?b\.?n\b/i.exec(cell.text);
      if (!at) continue;
      if (isOfCustomer(lines, { line, row, from: cell.from, to: cell.to, start: cell.start, end: cell.end })) continue;
      const before = cell.text.slice(0, at.index).replace(/[\s|,·•(-]+$/, "");
      if (/[a-z]{3}/i.test(before) && !NO_NAME.test(before)) return before.slice(0, MAX_NAME);
      const above = lines
        .slice(Math.max(0, row - 6), row)
        .reverse()
        .flatMap((one) => cellsOf(one).filter((other) => other.start < cell.end && other.end > cell.start))
        .map(({ text }) => text.replace(HEADING_BEHIND, ""));
      const name =
        above.find((text) => COMPANY.test(text) && !NO_NAME.test(text)) ??
        above.find((text) => /[a-z]{3}/i.test(text) && !NO_NAME.test(text));
      if (name) return name.slice(0, MAX_NAME);
    }
  }
  const customer = findCustomer(lines);
  const top = lines
    .slice(0, 12)
    .flatMap((line) => cellsOf(line).map(({ text }) => ({ text: text.replace(HEADING_BEHIND, ""), size: line.size })));
  const named = top
    .filter(({ text }) => /[a-z]{3}/i.test(text) && !NO_NAME.test(text) && text !== customer)
    .sort((a, b) => b.size - a.size);
  return (named.find(({ text }) => COMPANY.test(text)) ?? named[0])?.text.slice(0, MAX_NAME);
}

const CUSTOMER_HEADING = /^(?:bill(?:ed)? to|invoice(?:d)? to|sold to|customer|client|to)\b\s*:?\s*(.*)$/i;

function findCustomer(lines: readonly Line[]): string | undefined {
  for (const [row, line] of lines.entries()) {
    for (const cell of cellsOf(line)) {
      const match = CUSTOMER_HEADING.exec(cell.text);
      if (!match || (/^to\b/i.test(cell.text) && !/^to\s*:/i.test(cell.text) && match[1])) continue;
      if (/^customer\s+(?:no|number|id|ref|abn|service)/i.test(cell.text)) continue;
      if (match[1] && /[a-z]{3}/i.test(match[1])) return match[1].slice(0, MAX_NAME);
      const below = lines[row + 1];
      const under = below && cellsOf(below).find((other) => other.start < cell.end && other.end > cell.start);
      if (under && /[a-z]{3}/i.test(under.text)) return under.text.slice(0, MAX_NAME);
    }
  }
  return undefined;
}
