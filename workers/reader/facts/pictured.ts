import { parseAbn } from "~/kernel/abn";

/**
 * What is written in a picture, recognised by shapes, so some characters are wrong: rows from top to bottom, in capital
 * letters, with blanks, and "?" for an unknown character.
 */
export type Pictured = {
  rows: readonly string[];
  /** There is a bar code among them, whose number is written below it. */
  hasBars?: boolean;
};

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** Letters that look like digits count as digits when they are among digits. */
const AS_DIGITS: Readonly<Record<string, string>> = {
  ...{ O: "0", Q: "0", D: "0", I: "1", L: "1", J: "1", Z: "2", S: "5", G: "6", T: "7", B: "8" },
};
const asDigits = (word: string) => word.replace(/[A-Z]/g, (letter) => AS_DIGITS[letter] ?? letter);

/** Some of its characters are digits, and all the others look like one. */
function isLikeDigits(word: string): boolean {
  const sure = digitsOf(word).length;
  return /^[\dOQDILJZSGTB?]+$/.test(word) && sure * 3 >= word.replace(/[?]/g, "").length && sure * 4 >= word.length;
}

/**
 * The words of a row, with digits where digits are meant, and with a space between a label and a number that touches
 * it.
 */
function wordsOf(row: string): string[] {
  return row.split(" ").flatMap((word) => {
    if (/[A-Z]/.test(word) && NAMES.has(lettersOf(word))) return [word];
    const first = word.search(/\d/);
    const [label, number] = [word.slice(0, first), word.slice(first)];
    const isLabel = /^[TMPF]$/.test(label) ? number.startsWith("0") : label === "BSB" || /[^OQDILJZSGTB?]/.test(label);
    if (first > 0 && isLabel && (number.length > 2 || number.startsWith("0")) && isLikeDigits(number))
      return [label, asDigits(number)];
    return [isLikeDigits(word) ? asDigits(word) : word];
  });
}

/** How many characters to change, add or leave out; one that was not recognised counts as half a change. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const character = one[row - 1];
    const now = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const cost = character === other[at - 1] ? 0 : character === "?" ? 0.5 : 1;
      now.push(Math.min((before[at - 1] ?? 0) + cost, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[other.length] ?? 0;
}

/** Replaces characters that look alike with one of them, so that misread words can be compared. */
const lettersOf = (word: string) =>
  word.replace(/[0QD]/g, "O").replace(/[1LJ]/g, "I").replace(/5/g, "S").replace(/8/g, "B").replace(/2/g, "Z");

/** Whether a word is one of these, give or take a quarter of its letters. */
const isOneOf = (word: string, words: readonly string[]) =>
  words.some((each) => distance(lettersOf(word), each) <= each.length / 4);

const BANK = "BSB BSBNO ACCOUNT ACCOUNTNO ACCT ACCTNO ACC ACCNO".split(" ").map(lettersOf);
const LETTERHEAD =
  "ABN ACN PHONE PH TEL TELEPHONE FAX MOBILE MOB CALL LICENCE LICENSE LIC MEMBER MEMBERSHIP QBCC REG REGISTRATION REGISTERED CERTIFICATE CONTRACTOR AFSL ACL ARC BOX NSW VIC QLD TAS ISO SINCE EST ESTABLISHED BILLER BILLPAY REF REFERENCE"
    .split(" ")
    .map(lettersOf);
const NAMES = new Set([...BANK, ...LETTERHEAD]);
const SHORT = ["T", "M", "P", "F"];
const BETWEEN = "NO NUMBER NUM CODE IS".split(" ").map(lettersOf);

/** Words that say where not to pay any more: of others, a letter more or less does not matter. */
const SAID =
  "OUR OLD NEW BANK BANKING DETAILS DETAIL ACCOUNT ACCOUNTS BSB NUMBER HAVE HAS CHANGED CHANGING UPDATED AMENDED CLOSED LONGER DO NOT USE PAY PAYMENT PAYMENTS PLEASE CALL BEFORE THIS THE WILL NEVER EMAIL DIFFERENT PREVIOUS DISREGARD IGNORE BELOW ABOVE"
    .split(" ")
    .map((word) => ({ word, letters: lettersOf(word) }));

/** What a picture says, in lower case, with the words that are nearly those above. */
export const wordsIn = ({ rows }: Pictured): string =>
  rows
    .map((row) => row.replace(/\S+/g, (word) => SAID.find(({ letters }) => isOneOf(word, [letters]))?.word ?? word))
    .join("\n")
    .toLowerCase();

/** A word that is a number, some of whose digits may not have been recognised. */
const isNumber = (word: string) => {
  const share = word.replace(/[^\d?]/g, "").length / word.length;
  return /\d/.test(word) && (share > 0.8 || (share > 0.7 && digitsOf(word).length >= 5));
};

/** A group after other digits, in which a few digits were taken for letters. */
const isNearlyNumber = (word: string) => /^\d/.test(word) && digitsOf(word).length > word.length * 0.6;

/** Words and numbers in order, each number with its groups together. */
function partsOf(row: string): string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const word of wordsOf(row)) {
    const isGroup: boolean = isNumber(word) || (isOpen && (/^[?IL1]{1,4}$/.test(word) || isNearlyNumber(word)));
    const group = isGroup ? asDigits(word) : word;
    if (isGroup && isOpen) parts.push(`${parts.pop()}${group}`);
    else parts.push(group);
    isOpen = isGroup;
  }
  return parts;
}

/** Phone numbers: with an area code, of a mobile, or free to call; also with a digit that was not recognised. */
const TO_RING = /^(?:0[23478]\d{8}|1[38]00\d{6}|61[23478]\d{8}|13\d{4})$/;
const NEARLY_TO_RING = /^(?:\?[23478?][\d?]{8}|0[23478?][\d?]{8}|[1?][38?][0?]{2}[\d?]{6})$/;

/** "9.11.2026", whose dots were not recognised. */
const DATE = /(?<![\d?] ?)(?:0?[1-9]|[12]\d|3[01]) (?:0?[1-9]|1[0-2]) 20\d\d(?! ?[\d?])/g;

/** Numbers of a letterhead: dates, phone numbers, those of the register, and those after a word that names them. */
function withoutLetterhead(row: string, isOfBank: boolean): string[] {
  const parts = partsOf(isOfBank ? row : row.replace(DATE, ""));
  const abns = parts.filter((part) => parseAbn(part) !== undefined);
  let isBehind = false;
  return parts.filter((part) => {
    if (!isNumber(part)) {
      const isOpen = isBehind && (isOneOf(part, BETWEEN) || /\d/.test(part));
      if (/[A-Z]/.test(part) && !isOpen)
        isBehind = !isOneOf(part, BANK) && (isOneOf(part, LETTERHEAD) || (!isOfBank && SHORT.includes(part)));
      return true;
    }
    const isToRing = TO_RING.test(digitsOf(part)) || (!isOfBank && NEARLY_TO_RING.test(part));
    const isNamed = isBehind || isToRing || abns.some((abn) => abn.endsWith(part) && part.length >= 9);
    isBehind &&= part.length < 4;
    return !isNamed;
  });
}

type Known = { bsb: string; accountNumber: string };

/** A number with one more digit is a different number. */
const withoutKnown = (part: string, { bsb, accountNumber }: Known) =>
  [bsb, accountNumber, `${bsb}${accountNumber}`].includes(digitsOf(part)) ? "" : part;

/** A number with fewer digits than this is not taken for an account, except beside "BSB" or "account". */
const LEAST_DIGITS = 7;

export const namesBank = ({ rows }: Pictured): boolean =>
  rows.some((row) => row.split(" ").some((word) => !/^ACCOUNTS/.test(word) && isOneOf(word, BANK)));

/**
 * Whether a picture seems to hold an account other than those that the page itself says: six digits and five more, in
 * one row or in several.
 */
export function looksLikeAccount({ rows, hasBars }: Pictured, known: readonly Known[] = []): boolean {
  const isOfBank = namesBank({ rows });
  const read = rows.map((row) => withoutLetterhead(row, isOfBank));
  const all = digitsOf(read.flat().join(""));
  const own = known.filter(({ bsb, accountNumber }) => all.includes(bsb) && all.includes(accountNumber));
  const numbers = read
    .flat()
    .map((part) => own.reduce(withoutKnown, part))
    .filter(isNumber);
  const long = numbers.filter(({ length }) => length >= 5);
  if (isOfBank && numbers.some((part) => part.length >= LEAST_DIGITS && digitsOf(part).length * 2 >= part.length))
    return true;
  // Half of the digits of handwriting and of blurred pictures are recognised as something else.
  if (isOfBank && own.length === 0 && rows.filter((row) => isVagueNumber(row, 2)).length > 1) return true;
  if (digitsOf(numbers.join("")).length < LEAST_DIGITS) return false;
  if (isOfBank) return numbers.some(({ length }) => length >= 6);
  if (digitsOf(long.join("")).length < LEAST_DIGITS || (hasBars && long.length === 1)) return false;
  return long.some(({ length }) => length >= 11) || (long.length > 1 && long.some(({ length }) => length < 8));
}

/** True for a row that holds only numbers and words such as "BSB" and "account". */
export const isOfAccount = (row: string): boolean =>
  partsOf(row).every((part) => isNumber(part) || part === "-" || isOneOf(part, BANK));

/** A row that is no more than a number as long as an account's, some of whose digits were not recognised. */
export function isUnsureNumber(row: string): boolean {
  const [number = "", ...others] = partsOf(row).filter((part) => part !== "-");
  return others.length === 0 && number.length >= 6 && number.length <= 9 && isNumber(number) && number.includes("?");
}

/** True for a row whose characters mostly look like digits, with at least `sure` that were recognised as digits. */
function isVagueNumber(row: string, sure: number): boolean {
  const characters = row.replace(/ /g, "");
  const like = characters.replace(/[^\dOQDILJZSGTB?]/g, "").length;
  return (
    characters.length >= 5 &&
    characters.length <= 16 &&
    digitsOf(characters).length >= sure &&
    like >= characters.length * VAGUE
  );
}
const VAGUE = 0.7;
/** The least number of recognised digits: more than half of a BSB and an account number. */
const LEAST_VAGUE = 7;
const HAS_WORD = /^.{0,2}[^\dOQDILJZSGTB? ]|(?<!\S)[A-Z]{2,}(?!\S)/;

const ASKS = "PLEASEPAY PLEASEPAYTO PAYTO PAYINTO REMITTO DEPOSITTO TRANSFERTO NEWACCOUNT BANKDETAILS"
  .split(" ")
  .map(lettersOf);
/** Strokes and nothing else: digits of a kind that is not recognised. */
const STROKES = /^[IJL1?\s]{12,}$/;

/**
 * Whether a picture that shows no account may hold one: "BSB" beside some digits, words that ask to pay beside a
 * number, or strokes alone.
 */
export function mayHoldAccount({ rows, hasBars }: Pictured, known: readonly Known[] = []): boolean {
  if (!hasBars && STROKES.test(rows.join(" "))) return true;
  const vague = rows.filter((row) => !HAS_WORD.test(row) && isVagueNumber(withoutLetterhead(row, false).join(" "), 3));
  const count = digitsOf(vague.join("")).length;
  const isKnown = known.some(({ accountNumber }) => digitsOf(vague.join("")).includes(accountNumber));
  if (!(hasBars || isKnown) && count >= LEAST_VAGUE) return true;
  const parts = rows.map((row) => partsOf(row));
  const isOther = (number: string) =>
    digitsOf(number).length >= 3 && known.every(({ bsb }) => !digitsOf(number).startsWith(bsb));
  const isBesideBsb = parts.some((row) => {
    const at = row.findIndex((word) => lettersOf(word) === "BSB");
    return at >= 0 && row.slice(at + 1).some(isOther);
  });
  const isAsked = rows.some((row) => isOneOf(row.replaceAll(" ", ""), ASKS));
  return isBesideBsb || (isAsked && parts.flat().some((part) => part.length >= 5 && isNumber(part) && isOther(part)));
}
