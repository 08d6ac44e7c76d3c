import { formatCount } from "./text";

/** The largest amount in a direct entry record: ten digits of cents (record type 1, columns 21-30). */
export const MAX_AMOUNT_CENTS = 9_999_999_999;

const CENTS_PER_DOLLAR = 100;
const AMOUNT = /^(?:A?\$|AUD)?\s*(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d{1,2}))?$/i;

/**
 * Formats Australian dollars: 123450 becomes `$1,234.50`, -5 becomes `-$0.05`.
 *
 * Uses only integers, so every safe integer is exact to the cent.
 *
 * @param cents integer cents
 * @throws RangeError if `cents` is not a safe integer
 */
export function formatAud(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError("An amount is a whole number of cents");
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const dollars = formatCount(digits.slice(0, -2));
  return `${cents < 0 ? "-" : ""}$${dollars}.${digits.slice(-2)}`;
}

/**
 * Parses a typed amount of Australian dollars: `1234.5`, `$1,234.50`, `A$12`, `.50`.
 *
 * Commas must group by three. Signs, exponents and more than two decimals are refused rather than rounded.
 *
 * @returns integer cents, zero included, or undefined
 */
export function parseAud(text: string): number | undefined {
  const found = AMOUNT.exec(text.trim());
  const [, dollars, decimals] = found ?? [];
  if (dollars === undefined && decimals === undefined) return undefined;
  const cents =
    Number((dollars ?? "0").replaceAll(",", "")) * CENTS_PER_DOLLAR + Number((decimals ?? "").padEnd(2, "0"));
  return Number.isSafeInteger(cents) ? cents : undefined;
}
