const LABEL = /^ABN\b:?/i;
const ELEVEN_DIGITS = /^\d{11}$/;
const WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19] as const;
const MODULUS = 89;
const LOWEST_CHECK_DIGITS = "11"; // the register derives the two leading digits as 11 to 99; 00 to 10 would be a second spelling of the same number

/** The digits of a typed number, without white space, hyphens and the label. */
const compact = (text: string): string =>
  text
    .trim()
    .replace(LABEL, "")
    .replace(/[\s-]+/g, "");

/**
 * True if the text has eleven digits once blanks, hyphens and a leading "ABN" are removed, whether or not the check
 * digits are valid. Lets a form distinguish "too short" from "a digit is wrong".
 */
export function hasElevenDigits(text: string): boolean {
  return ELEVEN_DIGITS.test(compact(text));
}

/**
 * Parses an Australian Business Number: eleven digits with valid check digits.
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

/** True if {@link parseAbn} accepts the text, which does not prove that the number was ever issued. */
export function isValidAbn(text: string): boolean {
  return parseAbn(text) !== undefined;
}

/** Formats an ABN as `51 824 753 556`. Text without eleven digits is returned unchanged. */
export function formatAbn(abn: string): string {
  const digits = compact(abn);
  if (!ELEVEN_DIGITS.test(digits)) return abn;
  return `${digits.slice(0, 2)} ${digits.slice(2, 5)} ${digits.slice(5, 8)} ${digits.slice(8)}`;
}

/** The names under which the business register lists an ABN; a trustee also acts in the trust's name. */
export function namesOfEntity(listed: { entityName: string | null; businessNames: readonly string[] }): string[] {
  const { entityName, businessNames } = listed;
  const trust = /^the trustee for (.+)$/i.exec(entityName ?? "")?.[1];
  return [...(entityName ? [entityName] : []), ...(trust ? [trust] : []), ...businessNames];
}
