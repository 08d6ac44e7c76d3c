import { parseAbn } from "~/kernel/abn";
import { type Line, median } from "../layout/lines";
import { END_OF_NAME } from "./account-names";
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

/** The first cell below another one, among the lines right below; lines of other columns may stand in between. */
function cellBelow(lines: readonly Line[], row: number, { start, end }: { start: number; end: number }) {
  const own = lines[row];
  return firstOf(lines.slice(row + 1, row + 1 + ROWS_BELOW), (line) => {
    const isNear = own && line.baseline - own.baseline < MOST_BELOW * Math.max(line.size, own.size);
    if (!isNear || line.turn !== own.turn) return undefined;
    return cellsOf(line).find((one) => one.start < end && one.end > start);
  });
}
const ROWS_BELOW = 3;
/** In heights of type. */
const MOST_BELOW = 3;

function amountBelow(lines: readonly Line[], row: number, to: number): number | undefined {
  const line = lines[row];
  if (!line) return undefined;
  const label = cellsOf(line).find((cell) => cell.from < to && cell.to >= to);
  const cell = label && cellBelow(lines, row, label);
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

const LABELLED = String.raw`(?:number|num|no|nr|#|id|ref(?:erence)?)(?![a-z])[\s.]*[:#]?\s*`;
const NUMBER_LABEL = new RegExp(
  String.raw`\b(?:tax\s+invoice|invoice|inv|credit\s+note|adjustment\s+note|bill|document)\s*${LABELLED}|\b(?:tax\s+)?invoice\s*(?:\.{2,}\s*)?[:#]\s*`,
  "i",
);
/** On a quotation. On an invoice it names what the customer agreed to before. */
const QUOTE_LABEL = new RegExp(String.raw`^(?:quote|quotation)\s*${LABELLED}`, "i");
const ANY_LABEL = new RegExp(`${NUMBER_LABEL.source}|${QUOTE_LABEL.source}`, "i");
const IS_INVOICE = /(?:^|\t)(?:(?:tax )?invoice|statement|credit note|adjustment note)\b/i;
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
  const label = lines.some(({ text }) => IS_INVOICE.test(text)) ? NUMBER_LABEL : ANY_LABEL;
  for (const [row, line] of lines.entries()) {
    const cells = cellsOf(line);
    for (const cell of cells) {
      const match = label.exec(cell.text);
      if (!match) continue;
      const next = cells.find((other) => other.from > cell.from);
      const rest = cell.text.slice(match.index + match[0].length);
      const under = cellBelow(lines, row, cell);
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
/** Headings, labels, amounts and numbers. */
const NO_NAME =
  /\b(?:invoice|statement|quotation|quote|receipt|remittance|claim|reminder|notice|credit note|adjustment note|abn|acn|phone|tel|(?:mobile|fax)(?=\W*(?:\d|$))|email|page \d|date|total|due|bsb|account|australian business|bank details|payment (?:details|options|terms)|bill to|items?|description|qty|(?:your|our|purchase) (?:order|ref)|reference)\b|@|[$€£\ufffd]|^\W*$|^\d|^\S*\d\S*$|^(?:pty\.?\s*)?(?:ltd|limited)\W*$|\bnumber$|^(?:tax|no|claimant|respondent|project|our|supplier|vendor|seller|payee|company|business|from|ph|mob|australia)\W*$|^(?:dear|hi|hello)\s.*,$/i;
const STATE =
  "(?:NSW|VIC(?:toria)?|QLD|Queensland|SA|South Australia|WA|Western Australia|TAS(?:mania)?|NT|Northern Territory|ACT|New South Wales)";
/** "22 Hope St, Brunswick VIC 3056", "Corner Hope Street", "Level 3", "PO Box 7", "03 9327 1849", "www.karri.example" */
const ADDRESS = new RegExp(
  [
    String.raw`\b${STATE}\b[.,]*\s+\d{4}\b|^[^\d&]*[a-z],?\s+\d{4}$`,
    String.raw`\d[a-z]?,?\s+(?:[\w'.-]+\s+){1,4}(?:street|st|road|rd|avenue|ave|drive|dr|lane|highway|hwy|parade|pde|crescent|cres|court|ct|place|pl|terrace|tce|boulevard|blvd|way|close|circuit|cct|esplanade)\b`,
    String.raw`^(?:(?:corner|cnr)\b.*|(?:[a-z'-]+\s+){1,3})(?:streets?|st|road|rd|avenue|ave|highway|hwy|parade|pde|terrace|tce)\b[.,]*$`,
    String.raw`^(?:unit|level|suite|shop|factory|floor|lot|building|warehouse|shed)\s+\d`,
    String.raw`\b(?:g\.?)?p\.?\s?o\.?\s*box\b|\b(?:locked|private)\s+(?:mail\s*)?bag\b`,
    String.raw`(?:\d[\s()+-]{0,2}){8}|\bwww\.|https?:|^\S+\.(?:com|net|org|au|nz)\b\S*$`,
  ].join("|"),
  "i",
);
const MAX_NAME = 140;
/** "Wattle Grove Pty Ltd TAX INVOICE": the heading follows the name so closely that both are one cell. */
const HEADING_BEHIND = /\s+(?:tax\s+)?invoice$/i;

/** "A business of Wattle Grove Pty Ltd", below the name it trades under. */
const OWNER = /^(?:an? |the )?(?:business|division|trading name|brand) of\s+/i;

const canBeName = (text: string): boolean =>
  text.length <= MAX_NAME && /\p{L}{3}/u.test(text) && !NO_NAME.test(text) && !ADDRESS.test(text);

/** The label of an ABN, or a number that check digits tell from others. */
const ABN = /\ba\.?b\.?n\b|(?<!\d)\d{2}(?:[ -]?\d{3}){3}(?!\d)/i;
const ABN_DIGITS = 11;
const BESIDE = /\s*[|·•]\s*/;
const END = /[\s|,·•(-]+$/;

/** Beside or above the supplier's ABN; else in large type at the top, or the first words there that are not a heading. */
function findSupplier(lines: readonly Line[]): string | undefined {
  const large = LARGE * median(lines.map(({ size }) => size));
  const customer = findCustomer(lines);
  const nameIn = (place: Place): string | undefined => {
    if (!canBeName(withoutHeading(place.text)) || CUSTOMER_HEADING.exec(place.label)?.[1] === "") return undefined;
    const name = wholeName(lines, place, large);
    return canBeName(name) && name !== customer && !CUSTOMER_HEADING.test(name) ? name : undefined;
  };
  const [name, ...others] = unique(namesAtAbns(lines, nameIn));
  // With the ABNs of several businesses, the first may be the customer's.
  if (name && others.length === 0) return name;
  const top = lines.slice(0, ROWS_AT_TOP).flatMap((_, row) => placesIn(lines, row));
  return (
    firstOf(
      top.filter((place) => sizeOf(place) >= large),
      nameIn,
    ) ??
    name ??
    firstOf(top, nameIn)
  );
}

/** A cell with its line. @property label the cell before it */
type Place = ReturnType<typeof cellsOf>[number] & { line: Line; row: number; label: string };

const LARGE = 1.2;
const ROWS_AT_TOP = 12;
/** How many lines above an ABN the name of its holder may stand, and how many of them in its column. */
const ROWS_ABOVE = 16;
const LINES_ABOVE = 7;
/** Of one document: each is compared with the lines above it. */
const MAX_ABNS = 12;

const withoutHeading = (text: string) => text.replace(HEADING_BEHIND, "").replace(OWNER, "");
const unique = (names: readonly string[]) =>
  names.filter((name, at) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === at);

function firstOf<T, U>(values: readonly T[], find: (value: T) => U | undefined): U | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

const placesIn = (lines: readonly Line[], row: number): Place[] => {
  const line = lines[row];
  return line ? cellsOf(line).map((cell, at, cells) => ({ ...cell, line, row, label: cells[at - 1]?.text ?? "" })) : [];
};
const sizeOf = ({ line, from, to }: Place) =>
  median(line.chars.slice(from, to).flatMap((char) => (char ? [char.size] : [])));

function namesAtAbns(lines: readonly Line[], nameIn: (place: Place) => string | undefined): string[] {
  const abns = lines.flatMap((line, row) => {
    if (!ABN.test(line.text)) return [];
    return placesIn(lines, row).flatMap((place) => {
      const at = ABN.exec(place.text);
      return at && (at[0].length < ABN_DIGITS || parseAbn(at[0])) ? [{ place, at: at.index }] : [];
    });
  });
  return abns.slice(0, MAX_ABNS).flatMap(({ place, at }) => {
    if (isOfCustomer(lines, place)) return [];
    const before = place.text.slice(0, at).split(BESIDE);
    const beside = before.map((text) => text.replace(END, "")).find(canBeName);
    const above = columnAbove(lines, place).flatMap((one) => nameIn(one) ?? []);
    return beside ?? above.find((text) => COMPANY.test(text)) ?? above[0] ?? [];
  });
}

/** The places in the column above one, the nearest first. */
function columnAbove(lines: readonly Line[], { row, line, start, end }: Place): Place[] {
  const first = Math.max(0, row - ROWS_ABOVE);
  return lines
    .slice(first, row)
    .flatMap((_, at) => placesIn(lines, first + at))
    .filter((other) => other.line.turn === line.turn && other.start < end && other.end > start)
    .slice(-LINES_ABOVE)
    .reverse()
    .filter((other) => !isOfCustomer(lines, other));
}

/** A name that goes on in the lines above and below: in the same large type, or with the end of a company's name. */
function wholeName(lines: readonly Line[], place: Place, large: number): string {
  const size = sizeOf(place);
  const next = (step: 1 | -1, { line, row }: Place): Place | undefined =>
    [1, 2, 3]
      .flatMap((away) => placesIn(lines, row + step * away))
      .find(
        (other) =>
          other.line.turn === line.turn &&
          Math.abs(other.start - place.start) < size * INDENT &&
          Math.abs(other.line.baseline - line.baseline) < size * LINE_STEP,
      );
  const goesOn = (one: string, other: Place) =>
    size >= large &&
    Math.abs(sizeOf(other) - size) < 0.1 &&
    canBeName(other.text) &&
    !COMPANY.test(one) &&
    (one === one.toUpperCase()) === (other.text === other.text.toUpperCase());
  let name = withoutHeading(place.text);
  for (let above = next(-1, place); above && goesOn(above.text, above); above = next(-1, above))
    name = `${above.text} ${name}`;
  for (
    let below = next(1, place);
    below && (END_OF_NAME.test(below.text) || goesOn(name, below));
    below = next(1, below)
  )
    name = `${name} ${below.text}`;
  return name;
}
const LINE_STEP = 1.5;
const INDENT = 0.2;

const CUSTOMER_HEADING = /^(?:bill(?:ed)? to|invoice(?:d)? to|sold to|customer|client|to)\b\s*:?\s*(.*)$/i;

export function findCustomer(lines: readonly Line[]): string | undefined {
  for (const [row, line] of lines.entries()) {
    for (const cell of cellsOf(line)) {
      const match = CUSTOMER_HEADING.exec(cell.text);
      if (!match || (/^to\b/i.test(cell.text) && !/^to\s*:/i.test(cell.text) && match[1])) continue;
      if (/^customer\s+(?:no|number|id|ref|abn|service)/i.test(cell.text)) continue;
      // A slip to be sent with the payment goes to the supplier.
      if (/^to\b/i.test(cell.text) && lines.slice(Math.max(0, row - 3), row).some(({ text }) => SLIP.test(text)))
        continue;
      if (match[1] && /[a-z]{3}/i.test(match[1])) return match[1].slice(0, MAX_NAME);
      const below = lines[row + 1];
      const under = below && cellsOf(below).find((other) => other.start < cell.end && other.end > cell.start);
      const value = [under, cellsOf(line).find(({ from }) => from > cell.from)].find(
        (one) => one && canBeName(one.text) && !CUSTOMER_HEADING.test(one.text),
      );
      if (value) return value.text.slice(0, MAX_NAME);
    }
  }
  return undefined;
}
const SLIP = /\b(?:payment advice|payment slip|remittance slip)\b/i;
