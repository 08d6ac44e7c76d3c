/** The width of the account number field in a direct entry record. */
export const ACCOUNT_NUMBER_WIDTH = 9;

/** How one account number could have been mistyped for another. */
export type AccountNumberSlip = "substitution" | "transposition";

const SEPARATORS = /[\s\-\u2010-\u2015\u2212]+/g;
const ACCOUNT_NUMBER = /^\d{4,9}$/;
const ALL_ZEROS = /^0+$/;
const KEPT_DIGITS = 3;
/** For a shorter number, three visible digits would reveal most of it. */
const SHORT_NUMBER = 6;
const KEPT_DIGITS_OF_SHORT = 2;

/**
 * Parses an Australian account number: blanks and hyphens are removed, and 4 to 9 ASCII digits must remain.
 *
 * Leading zeros are part of the number and are kept. All zeros is invalid. Source: direct entry record type 1, columns
 * 9-17 (nine characters, not all zeros).
 *
 * @returns the digits, or undefined
 */
export function parseAccountNumber(text: string): string | undefined {
  const digits = ACCOUNT_NUMBER.test(text) ? text : text.replace(SEPARATORS, "");
  return ACCOUNT_NUMBER.test(digits) && !ALL_ZEROS.test(digits) ? digits : undefined;
}

/** Left-pads with zeros to nine digits: the form in which account numbers are compared and hashed. */
export function padAccountNumber(accountNumber: string): string {
  return accountNumber.padStart(ACCOUNT_NUMBER_WIDTH, "0");
}

/** True if both name the same account: 12345678 and 012345678 do. */
export function sameAccountNumber(a: string, b: string): boolean {
  return padAccountNumber(a) === padAccountNumber(b);
}

/** A key for comparing accounts: two spellings of a number give the same key. */
export function accountKey({ bsb, accountNumber }: { bsb: string; accountNumber: string }): string {
  return `${bsb} ${padAccountNumber(accountNumber)}`;
}

/**
 * Whether `typed` is one typing slip away from `known`: one digit replaced, or two neighbours swapped.
 *
 * Both are padded to nine digits first, so an omitted leading zero is not a slip.
 *
 * @returns undefined when they are the same account or further apart
 */
export function findAccountNumberSlip(typed: string, known: string): AccountNumberSlip | undefined {
  const a = padAccountNumber(typed);
  const b = padAccountNumber(known);
  if (a.length !== b.length) return undefined;

  const wrong: number[] = [];
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) wrong.push(i);
    if (wrong.length > 2) return undefined;
  }
  const [first, second] = wrong;
  if (first === undefined) return undefined;
  if (second === undefined) return "substitution";
  const exchanged = second === first + 1 && a[first] === b[second] && a[second] === b[first];
  return exchanged ? "transposition" : undefined;
}

/**
 * Hides all but the last three digits, `•••••678`, or all but the last two of a number with fewer than six digits,
 * `••34`. The length stays visible; text of three characters or fewer is hidden completely.
 */
export function maskAccountNumber(accountNumber: string): string {
  const { length } = accountNumber;
  const kept = length < SHORT_NUMBER ? KEPT_DIGITS_OF_SHORT : KEPT_DIGITS;
  const hidden = length > KEPT_DIGITS ? length - kept : length;
  return "•".repeat(hidden) + accountNumber.slice(hidden);
}
