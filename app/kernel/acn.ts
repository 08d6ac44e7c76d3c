import { compactNumber, weightedSum } from "./account-number";

const LABEL = /^ACN\b:?/i;
const NINE_DIGITS = /^\d{9}$/;
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 1] as const;
const MODULUS = 10;

/**
 * Reads an Australian Company Number: nine digits, the last of which checks the others.
 *
 * The first eight are weighted 8 down to 1; the check digit is what their sum lacks to the next multiple of ten.
 * Source: ASIC, "Australian Company Number digit check".
 *
 * @returns nine digits, leading zeros kept, or undefined
 */
export function parseAcn(text: string): string | undefined {
  const digits = compactNumber(text, LABEL);
  if (!NINE_DIGITS.test(digits)) return undefined;
  const check = (MODULUS - (weightedSum(digits, WEIGHTS) % MODULUS)) % MODULUS;
  return check === Number(digits[8]) ? digits : undefined;
}

/** True if {@link parseAcn} accepts the text. It says nothing about whether the company exists. */
export function isValidAcn(text: string): boolean {
  return parseAcn(text) !== undefined;
}

/** Shows an ACN as `004 085 616`. Text without nine digits comes back unchanged. */
export function formatAcn(acn: string): string {
  const digits = compactNumber(acn, LABEL);
  return NINE_DIGITS.test(digits) ? `${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}` : acn;
}
