import { parseAbn } from "~/kernel/abn";
import { skeletonOf } from "~/kernel/confusables";
import { splitDomain } from "~/kernel/domain-name";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { PayeeDetails } from "~/kernel/payee";
import { searchTerms } from "~/kernel/text";
import { SHORTEST_NUMBER, spellingsOf } from "./payee-fingerprint";

/** The search index of payees: which terms a payee is stored under, and which a search asks for. */

const BSB_LENGTH = 6;
const ACCOUNT_LENGTH = 9;
const ABN_LENGTH = 11;
/** One digit is the end of too many numbers to look for. */
const SHORTEST_END = 2;
const MAX_WORDS = 6;

const LEADING_ZEROS = /^0+/;
const DIGITS = /^\d+$/;
const ONLY_DIGITS = /^[\d\s-]+$/;
const SEPARATORS = /[\s-]+/g;
const HYPHEN_IN_NUMBER = /(?<=\d)-(?=\d)/g;
const BSB_IN_WORDS = /\b(\d{3})\s(\d{3})\b/g;

// Marks that no search can type: terms that only the look-alike finder reads.
const DOMAIN_MARK = "@";
const REVERSED_DOMAIN_MARK = "@<";
/** Of an account number read from its end: no search can type it either. */
const REVERSED_NUMBER_MARK = "<";

const reversed = (text: string) => [...text].reverse().join("");

/** Words that nearly every company has at its end: they lead to no payee, and a row for each would say nothing. */
const LEGAL_FORMS = ["pty", "ltd", "limited", "proprietary"];
const isLegalForm = (word: string) => LEGAL_FORMS.includes(word);

/** The words of a name that lead to it: all but legal forms, which lead only to a name that is nothing else. */
export function leadingWords(name: string): string[] {
  const words = searchTerms(name);
  const telling = words.filter((word) => !isLegalForm(word));
  return telling.length > 0 ? telling : words;
}

/** Whether a word that is typed may mean a legal form, so that the terms do not lead to every payee that has it. */
export const mayBeLegalForm = (word: string): boolean =>
  LEGAL_FORMS.some((form) => form.startsWith(word) || (word.length >= SHORTEST_INSIDE && form.includes(word)));

/** The terms that lead to a payee: those it is found under, but for legal forms. */
export function leadingTerms(payee: PayeeDetails): string[] {
  const leading = new Set([...leadingWords(payee.name), ...leadingWords(payee.accountName)]);
  return termsOfPayee(payee).filter((term) => leading.has(term) || !isLegalForm(term));
}

/** The terms a payee is found under: words of both names, BSB, account number forwards and backwards, ABN. */
export function termsOfPayee(payee: PayeeDetails): string[] {
  const { accountNumber } = payee;
  return [
    ...new Set([
      ...searchTerms(payee.name),
      ...searchTerms(payee.accountName),
      payee.bsb,
      ...accountTerms(accountNumber),
      ...(payee.abn ? [payee.abn] : []),
      ...domainTerms(payee.email),
    ]),
  ];
}

/**
 * An account number in its shortest spelling, and that backwards: a range over either finds it by any beginning or any
 * end. Zeros in front mean nothing, so no other spelling is kept; a search asks for them (`beginningsOf`).
 */
function accountTerms(accountNumber: string): string[] {
  const [shortest = accountNumber] = spellingsOf(accountNumber);
  return [shortest, REVERSED_NUMBER_MARK + reversed(shortest)];
}

/**
 * The beginnings of terms of which a payee must have one for a word of a search. Digits may be the beginning of a BSB or
 * an ABN, or the beginning or the end of an account number, with or without its leading zeros.
 */
export function beginningsOf(word: string): string[] {
  if (!DIGITS.test(word) || word.length < SHORTEST_END) return [word];
  const stripped = word.replace(LEADING_ZEROS, "");
  const number = stripped === "" ? [] : [stripped, stripped.padStart(SHORTEST_NUMBER, "0")];
  return [...new Set([word, ...number, REVERSED_NUMBER_MARK + reversed(word)])];
}

/**
 * The email domain as its look-alikes spell it, forwards and backwards: one slip leaves either the beginning or the end
 * as it was, so a range over the first or the last letters finds it. Nothing for a free-mail address.
 */
export function domainTerms(email: string | null): string[] {
  const domain = email === null ? "" : emailDomain(email);
  if (domain === "" || isFreeMailDomain(domain)) return [];
  const skeleton = skeletonOf(splitDomain(domain).name);
  return [DOMAIN_MARK + skeleton, REVERSED_DOMAIN_MARK + reversed(skeleton)];
}

/** A shorter text is in too many words to look inside them for it; it is found at their beginning. */
const SHORTEST_INSIDE = 3;
/** Every second part of a word is kept: half the rows, and each place in a word begins at most one character before one. */
const EVERY = 2;

/** Words in which any part is found: those with a letter. Digits are found at the beginning or end of a number. */
const isSpelledOut = (word: string): boolean => !DIGITS.test(word);

/** The words of a payee's names whose inner parts are found too. */
export const wordsOfNames = ({ name, accountName }: Pick<PayeeDetails, "name" | "accountName">): string[] =>
  [...new Set([...searchTerms(name), ...searchTerms(accountName)])].filter(isSpelledOut);

/** What a word is kept under so that its middle is found: the word without its first 2, 4, 6 ... characters. */
export function partsOf(word: string): string[] {
  const letters = [...word];
  const parts: string[] = [];
  for (let from = EVERY; from + EVERY <= letters.length; from += EVERY) parts.push(letters.slice(from).join(""));
  return parts;
}

/**
 * The beginnings of parts of which a word has one if it has `word` in its middle; what else has one must be left out.
 * Empty where a search does not look inside words.
 */
export function partsAskedFor(word: string): string[] {
  const letters = [...word];
  if (letters.length < SHORTEST_INSIDE || !isSpelledOut(word)) return [];
  return [word, letters.slice(1).join("")];
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
