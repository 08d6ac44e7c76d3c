import { parseAbn } from "~/kernel/abn";
import { padAccountNumber } from "~/kernel/account-number";
import { skeletonOf } from "~/kernel/confusables";
import { splitDomain } from "~/kernel/domain-name";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { PayeeDetails } from "~/kernel/payee";
import { searchTerms } from "~/kernel/text";

/** The search index of payees: which terms a payee is stored under, and which a search asks for. */

const BSB_LENGTH = 6;
const ACCOUNT_LENGTH = 9;
const ABN_LENGTH = 11;
/** Lists show only these digits of an account number, so people search for them. */
const SHOWN_DIGITS = 3;
const MAX_WORDS = 6;

const LEADING_ZEROS = /^0+/;
const ONLY_DIGITS = /^[\d\s-]+$/;
const SEPARATORS = /[\s-]+/g;
const HYPHEN_IN_NUMBER = /(?<=\d)-(?=\d)/g;
const BSB_IN_WORDS = /\b(\d{3})\s(\d{3})\b/g;

// Marks that no search can type: terms that only the look-alike finder reads.
const DOMAIN_MARK = "@";
const REVERSED_DOMAIN_MARK = "@<";

/** The terms a payee is found under: words of both names, BSB, account number with and without leading zeros, ABN. */
export function termsOfPayee(payee: PayeeDetails): string[] {
  const { accountNumber } = payee;
  return [
    ...new Set([
      ...searchTerms(payee.name),
      ...searchTerms(payee.accountName),
      payee.bsb,
      accountNumber,
      accountNumber.replace(LEADING_ZEROS, ""),
      padAccountNumber(accountNumber),
      accountNumber.slice(-SHOWN_DIGITS),
      ...(payee.abn ? [payee.abn] : []),
      ...domainTerms(payee.email),
    ]),
  ];
}

/**
 * The email domain as its look-alikes spell it, forwards and backwards: one slip leaves either the beginning or the end
 * as it was, so a range over the first or the last letters finds it. Nothing for a free-mail address.
 */
export function domainTerms(email: string | null): string[] {
  const domain = email === null ? "" : emailDomain(email);
  if (domain === "" || isFreeMailDomain(domain)) return [];
  const skeleton = skeletonOf(splitDomain(domain).name);
  return [DOMAIN_MARK + skeleton, REVERSED_DOMAIN_MARK + [...skeleton].reverse().join("")];
}

/**
 * The beginnings of terms that a search must find, longest first. `062-000`, `062 000` and `062000` are one BSB; BSB and
 * account number may be typed as one.
 */
export function wordsOfSearch(query: string): string[] {
  const text = query.trim();
  const words = ONLY_DIGITS.test(text) ? wordsOfNumber(text.replace(SEPARATORS, "")) : wordsOfText(text);
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
}

function wordsOfText(text: string): string[] {
  return searchTerms(text.replace(HYPHEN_IN_NUMBER, "").replace(BSB_IN_WORDS, "$1$2"));
}

function wordsOfNumber(digits: string): string[] {
  if (digits === "") return [];
  if (digits.length <= ACCOUNT_LENGTH) return [digits];
  if (digits.length === ABN_LENGTH && parseAbn(digits)) return [digits];
  return [digits.slice(0, BSB_LENGTH), digits.slice(BSB_LENGTH, BSB_LENGTH + ACCOUNT_LENGTH)];
}

/** Where a range over terms that start with `prefix` ends (not included): no term has a higher character. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
