import { type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";

/*
 * For the server only: the numbering plans of every country weigh too much for a browser. The full set is used because
 * the small one cannot tell a mobile from a landline, and a text message to a landline is lost without an error.
 */

const HOME_COUNTRY = "AU";

function read(text: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(text.trim(), { defaultCountry: HOME_COUNTRY, extract: false });
  return number?.isValid() ? number : undefined;
}

/**
 * Reads a telephone number as an Australian would write it (`0412 345 678`, `(02) 9374 4000`), or with a country code.
 *
 * Sources: ITU-T E.164; ACMA's numbering plan and those of other countries as kept by libphonenumber.
 *
 * @returns E.164, such as `+61412345678`, without an extension; or undefined when no such number can exist
 */
export function parsePhone(text: string): string | undefined {
  return read(text)?.number;
}

/** True if a text message can reach the number: a mobile, or a number of a country whose plan does not tell them apart. */
export function isMobile(e164: string): boolean {
  const type = read(e164)?.getType();
  return type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE";
}

/** Shows a number as its reader dials it: `0412 345 678` at home, `+64 21 123 4567` abroad. Other text comes back unchanged. */
export function formatPhone(e164: string): string {
  const number = read(e164);
  if (!number) return e164;
  return number.countryCallingCode === "61" ? number.formatNational() : number.formatInternational();
}
