import { parseAbn } from "~/kernel/abn";

/**
 * What the writing of a picture may be. It was recognised by shapes, so single signs are wrong: a sign that is not known is "?",
 * and words are compared with a letter or two left open.
 */
export type Pictured = {
  /** Rows from top to bottom, in capital letters, with blanks. */
  rows: readonly string[];
};

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** Letters that look like digits are digits among digits. */
const AS_DIGITS: Readonly<Record<string, string>> = {
  O: "0",
  Q: "0",
  D: "0",
  I: "1",
  L: "1",
  Z: "2",
  S: "5",
  G: "6",
  T: "7",
  B: "8",
};

function amongDigits(word: string): string {
  const sure = digitsOf(word).length;
  if (sure < 2 || sure * 2 < word.length) return word;
  return word.replace(/[OQDILZSGTB]/g, (letter) => AS_DIGITS[letter] ?? letter);
}

/** How many signs have to be changed, added or left out. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const change = (before[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      now.push(Math.min(change, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[other.length] ?? 0;
}

/** Whether a word is one of these: exactly if it is short, else but for a quarter of its letters. */
const isOneOf = (word: string, words: readonly string[]) =>
  words.some((each) => Math.abs(each.length - word.length) < 3 && distance(word, each) <= Math.floor(each.length / 4));

const lettersOf = (word: string) =>
  word
    .replace(/[^A-Z0-9?]/g, "")
    .replace(/0/g, "O")
    .replace(/1/g, "I")
    .replace(/5/g, "S")
    .replace(/8/g, "B");

const BANK = [
  "BSB",
  "BSBNO",
  "BSBACC",
  "ACCOUNT",
  "ACCOUNTNO",
  "ACCT",
  "ACCTNO",
  "ACC",
  "ACCNO",
  "BANK",
  "BANKING",
  "DEPOSIT",
  "TRANSFER",
  "EFT",
  "PAYMENT",
  "PAYTO",
].map(lettersOf);
const LETTERHEAD = [
  "ABN",
  "ACN",
  "PHONE",
  "PH",
  "TEL",
  "TELEPHONE",
  "FAX",
  "MOBILE",
  "MOB",
  "LICENCE",
  "LICENSE",
  "LIC",
  "LICNO",
  "MEMBER",
  "MEMBERSHIP",
  "QBCC",
  "REG",
  "REGNO",
  "REGISTRATION",
  "REGISTERED",
  "CERTIFICATE",
  "BUILDER",
  "CONTRACTOR",
  "AFSL",
  "ARC",
  "BOX",
  "NSW",
  "VIC",
  "QLD",
  "TAS",
  "ISO",
  "SINCE",
  "ESTABLISHED",
  "EST",
  "CALL",
].map(lettersOf);

/** A word that is a number, some of whose digits may not have been recognised. */
const isNumber = (word: string) => /\d/.test(word) && digitsOf(word).length + unknownOf(word) > word.length * 0.8;
const unknownOf = (word: string) => word.replace(/[^?]/g, "").length;

/** The numbers of a row, each with its groups together and "?" for a digit that was not recognised; words stand between. */
function numbersOf(row: string): string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const word of row.split(" ")) {
    const isGroup: boolean = isNumber(word) || (isOpen && /^[?]{1,4}$/.test(word));
    if (isGroup && isOpen) parts.push(`${parts.pop()}${word}`);
    else parts.push(word);
    isOpen = isGroup;
  }
  return parts;
}

/** To ring: with area code, or of a mobile, or that are free. */
const TO_RING = /^(?:[0?][23478?][\d?]{8}|[1?][38?][0?]{2}[\d?]{6}|61[23478][\d?]{8}|[1?]3[\d?]{4})$/;

/** Numbers of a letterhead: those to ring, those of the register, and those behind a word that names them. */
function withoutLetterhead(row: string, isNamed: boolean): string[] {
  const parts = numbersOf(row);
  const abns = parts.filter((part) => parseAbn(part) !== undefined);
  let isBehind = false;
  return parts.filter((part) => {
    if (!isNumber(part)) {
      if (/[A-Z]/.test(part)) isBehind = isNamed && isOneOf(lettersOf(part), LETTERHEAD);
      return true;
    }
    return !(isBehind || TO_RING.test(part) || abns.some((abn) => abn.endsWith(part) && part.length >= 9));
  });
}

/** Six digits and five more, as a BSB and an account number are, in one row or in several; a few may not be recognised. */
function holdsAccount(rows: readonly (readonly string[])[]): boolean {
  const numbers = rows.flat().filter((part) => isNumber(part) && part.length >= 5);
  const sure = digitsOf(numbers.join("")).length;
  const isLong = numbers.some(({ length }) => length >= 11);
  return sure >= LEAST_DIGITS && (isLong || (numbers.length > 1 && numbers.some(({ length }) => length >= 6)));
}
const LEAST_DIGITS = 7;

type Known = { bsb: string; accountNumber: string };

/** Whether a picture seems to hold an account, other than those that the page says itself. */
export function looksLikeAccount({ rows }: Pictured, known: readonly Known[] = []): boolean {
  const namesBank = rows.some((row) => row.split(" ").some((word) => isOneOf(lettersOf(word), BANK)));
  const read = rows.map((row) => withoutLetterhead(row.split(" ").map(amongDigits).join(" "), !namesBank));
  const all = digitsOf(read.flat().join(""));
  const own = known.filter(({ bsb, accountNumber }) => all.includes(bsb) && all.includes(accountNumber));
  return holdsAccount(read.map((parts) => parts.map((part) => own.reduce(withoutKnown, part))));
}

const withoutKnown = (part: string, { bsb, accountNumber }: Known) => part.replace(bsb, "").replace(accountNumber, "");
