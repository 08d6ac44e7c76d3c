const LABEL = /^ABN\b:?/i;
const ELEVEN_DIGITS = /^\d{11}$/;
const WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19] as const;
const MODULUS = 89;
const LOWEST_CHECK_DIGITS = "11"; // the register derives the two leading digits as 11 to 99; 00 to 10 would be a second spelling

/** The digits of a number as people write it: without white space, hyphens and the label. */
const compact = (text: string): string =>
  text
    .trim()
    .replace(LABEL, "")
    .replace(/[\s-]+/g, "");

/**
 * True if the text holds eleven digits once blanks, hyphens and a leading "ABN" are dropped, whatever the check digits say.
 * Lets a form tell "too short" from "a digit is wrong".
 */
export function hasElevenDigits(text: string): boolean {
  return ELEVEN_DIGITS.test(compact(text));
}

/**
 * Reads an Australian Business Number: eleven digits whose check digits are right.
 *
 * One is taken from the first digit, each digit is multiplied by its weight, and the sum must be a multiple of 89.
 * Source: Australian Business Register, "Format of the ABN".
 *
 * @returns eleven digits, or undefined
 */
export function parseAbn(text: string): string | undefined {
  const digits = compact(text);
  if (!ELEVEN_DIGITS.test(digits) || digits < LOWEST_CHECK_DIGITS) return undefined;
  const sum = WEIGHTS.reduce((sum, weight, k) => sum + weight * Number(digits[k]), -WEIGHTS[0]);
  return sum % MODULUS === 0 ? digits : undefined;
}

/** True if {@link parseAbn} accepts the text. It says nothing about whether the number was ever issued. */
export function isValidAbn(text: string): boolean {
  return parseAbn(text) !== undefined;
}

/** Shows an ABN as `51 824 753 556`. Text without eleven digits comes back unchanged. */
export function formatAbn(abn: string): string {
  const digits = compact(abn);
  if (!ELEVEN_DIGITS.test(digits)) return abn;
  return `${digits.slice(0, 2)} ${digits.slice(2, 5)} ${digits.slice(5, 8)} ${digits.slice(8)}`;
}
