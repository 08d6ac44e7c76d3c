import { type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";

/*
 * Only for the server: every country's numbering plan is too large for a browser. The full metadata is needed
 * because the small set cannot tell mobiles from landlines, and a text message to a landline is lost without an
 * error.
 */

const HOME_COUNTRY = "AU";

function read(text: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(text.trim(), { defaultCountry: HOME_COUNTRY, extract: false });
  return number?.isValid() ? number : undefined;
}

/**
 * Parses a telephone number in Australian form (`0412 345 678`, `(02) 9374 4000`), or with a country code.
 *
 * Sources: ITU-T E.164; ACMA's numbering plan and those of other countries as kept by libphonenumber.
 *
 * @returns E.164, such as `+61412345678`, without an extension; or undefined when no such number can exist
 */
export function parsePhone(text: string): string | undefined {
  return read(text)?.number;
}

/** True if a text message can reach the number: a mobile, or one of a plan that does not tell them apart. */
export function isMobile(e164: string): boolean {
  const type = read(e164)?.getType();
  return type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE";
}

/** Formats a number for dialling: `0412 345 678` in Australia, `+64 21 123 4567` elsewhere; other text as it is. */
export function formatPhone(e164: string): string {
  const number = read(e164);
  if (!number) return e164;
  return number.countryCallingCode === "61" ? number.formatNational() : number.formatInternational();
}
