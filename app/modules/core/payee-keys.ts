import { parseAbn } from "~/kernel/abn";
import { ACCOUNT_NUMBER_WIDTH, padAccountNumber } from "~/kernel/bank-account";
import { skeletonOf } from "~/kernel/confusables";
import { splitDomain } from "~/kernel/domain-name";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { Account, BankDetails, PayeeDetails } from "~/kernel/payee";
import { cleanLine, foldDiacritics, searchTerms } from "~/kernel/text";
import type { Services } from "~/services-and-actor";

/*
 * The keys by which payees are found: the terms of the search index (under which a payee is stored, and those that a
 * search looks for), and the spellings and digests of accounts.
 */

const BSB_LENGTH = 6;
const ACCOUNT_LENGTH = 9;
const ABN_LENGTH = 11;
/** Too many numbers end with the same single digit. */
const SHORTEST_END = 2;
const MAX_WORDS = 6;
/** An account number has at least this many digits. */
const SHORTEST_NUMBER = 4;

const LEADING_ZEROS = /^0+/;
const DIGITS = /^\d+$/;
const ONLY_DIGITS = /^[\d\s-]+$/;
const SEPARATORS = /[\s-]+/g;
const HYPHEN_IN_NUMBER = /(?<=\d)-(?=\d)/g;
const BSB_IN_WORDS = /\b(\d{3})\s(\d{3})\b/g;

// Characters that no search can contain: they mark terms that only the lookalike finder reads.
const DOMAIN_MARK = "@";
const REVERSED_DOMAIN_MARK = "@<";
/** Marks an account number spelt backwards; no search can contain it either. */
const REVERSED_NUMBER_MARK = "<";

const reversed = (text: string) => [...text].reverse().join("");

/** Words at the end of nearly every company name: they distinguish no payee, so a row for each would be useless. */
const LEGAL_FORMS = ["pty", "ltd", "limited", "proprietary"];
const isLegalForm = (word: string) => LEGAL_FORMS.includes(word);

/** The words of a name that are indexed: all but legal forms, which are indexed only if the name has nothing else. */
export function leadingWords(name: string): string[] {
  const words = searchTerms(name);
  const telling = words.filter((word) => !isLegalForm(word));
  return telling.length > 0 ? telling : words;
}

/** True if a typed word may be a legal form, which must not find every payee that has it. */
export const mayBeLegalForm = (word: string): boolean =>
  LEGAL_FORMS.some((form) => form.startsWith(word) || (word.length >= SHORTEST_INSIDE && form.includes(word)));

/** A payee's terms without legal forms. */
export function leadingTerms(payee: PayeeDetails): string[] {
  const leading = new Set([...leadingWords(payee.name), ...leadingWords(payee.accountName)]);
  return termsOfPayee(payee).filter((term) => leading.has(term) || !isLegalForm(term));
}

/** A payee's search terms: words of both names, BSB, account number forwards and backwards, ABN. */
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
 * An account number in its shortest spelling, forwards and backwards: a range over either finds it by any beginning or
 * ending. Leading zeros are meaningless, so no other spelling is stored; a search allows for them (`beginningsOf`).
 */
function accountTerms(accountNumber: string): string[] {
  const [shortest = accountNumber] = spellingsOf(accountNumber);
  return [shortest, REVERSED_NUMBER_MARK + reversed(shortest)];
}

/**
 * The prefixes of which a payee's terms must match one, for a word of a search. Digits may be the start of a BSB or
 * ABN, or the start or end of an account number, with or without leading zeros.
 */
export function beginningsOf(word: string): string[] {
  if (!DIGITS.test(word) || word.length < SHORTEST_END) return [word];
  const stripped = word.replace(LEADING_ZEROS, "");
  const number = stripped === "" ? [] : [stripped, stripped.padStart(SHORTEST_NUMBER, "0")];
  return [...new Set([word, ...number, REVERSED_NUMBER_MARK + reversed(word)])];
}

/**
 * The email domain in lookalike-normalised form, forwards and backwards: one slip leaves either the beginning or the
 * end intact, so a range over the first or last letters finds it. Empty for a free-mail address.
 */
export function domainTerms(email: string | null): string[] {
  const domain = email === null ? "" : emailDomain(email);
  if (domain === "" || isFreeMailDomain(domain)) return [];
  const skeleton = skeletonOf(splitDomain(domain).name);
  return [DOMAIN_MARK + skeleton, REVERSED_DOMAIN_MARK + reversed(skeleton)];
}

/** A shorter text occurs inside too many words; it is only searched for at their beginning. */
const SHORTEST_INSIDE = 3;
/** Every second part of a word is stored: half the rows, and every position is within one of a stored part. */
const EVERY = 2;

/** Words whose inner parts are searched: those with a letter. Digits are found at the beginning or end of a number. */
const isSpelledOut = (word: string): boolean => !DIGITS.test(word);

/** The words of a payee's names whose inner parts can be found. */
export const wordsOfNames = ({ name, accountName }: Pick<PayeeDetails, "name" | "accountName">): string[] =>
  [...new Set([...searchTerms(name), ...searchTerms(accountName)])].filter(isSpelledOut);

/** The parts stored for a word so that its middle is found: the word without its first 2, 4, 6 ... characters. */
export function partsOf(word: string): string[] {
  const letters = [...word];
  const parts: string[] = [];
  for (let from = EVERY; from + EVERY <= letters.length; from += EVERY) parts.push(letters.slice(from).join(""));
  return parts;
}

/**
 * The prefixes of parts that a word with `word` in its middle must have; other words may have them too and must be
 * filtered out. Empty if the search does not look inside words.
 */
export function partsAskedFor(word: string): string[] {
  const letters = [...word];
  if (letters.length < SHORTEST_INSIDE || !isSpelledOut(word)) return [];
  return [word, letters.slice(1).join("")];
}

/** The words to find, longest first. `062-000`, `062 000` and `062000` are one BSB, with or without the number. */
export function wordsOfSearch(query: string): string[] {
  const text = query.trim();
  const words = ONLY_DIGITS.test(text)
    ? wordsOfNumber(text.replace(SEPARATORS, ""))
    : searchTerms(text.replace(HYPHEN_IN_NUMBER, "").replace(BSB_IN_WORDS, "$1$2"));
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
}

function wordsOfNumber(digits: string): string[] {
  if (digits === "") return [];
  if (digits.length <= ACCOUNT_LENGTH) return [digits];
  if (digits.length === ABN_LENGTH && parseAbn(digits)) return [digits];
  return [digits.slice(0, BSB_LENGTH), digits.slice(BSB_LENGTH, BSB_LENGTH + ACCOUNT_LENGTH)];
}

/** The end (exclusive) of a range over terms that start with `prefix`: no term has a higher character. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

// Words that half of all payees have in their names, so they do not help to tell payees apart.
const COMMON = new Set(
  "pty ltd limited proprietary inc co company corp the and of for trust trustee services service group holdings australia australian".split(
    " ",
  ),
);
const MAX_COMPARED_WORDS = 6;
const PREFIX_LENGTH = 3;

/** A range of search terms: from `from` up to and including `to`. */
export type TermRange = { from: string; to: string };

/**
 * The ranges of the search index that contain payees with the same or a similar name: the same words, most distinctive
 * first, and words that begin alike (a typing slip is rarely among the first letters of every word).
 */
export function rangesOfNames(names: readonly string[]): TermRange[] {
  const all = [...new Set(names.flatMap(searchTerms))];
  const telling = all.filter((word) => !COMMON.has(word) && word.length > 1);
  const words = (telling.length > 0 ? telling : all).sort((a, b) => b.length - a.length).slice(0, MAX_COMPARED_WORDS);
  const same = words.map((word) => ({ from: word, to: word }));
  const alike = words
    .filter((word) => word.length > PREFIX_LENGTH)
    .map((word) => word.slice(0, PREFIX_LENGTH))
    .map((prefix) => ({ from: prefix, to: endOfPrefix(prefix) }));
  return [...same, ...alike];
}

/** The ranges of the search index with payees of a lookalike email domain, from this payee's domain's terms. */
export function rangesOfDomain(domainTerms: readonly string[]): TermRange[] {
  return domainTerms
    .map((term) => term.slice(0, (term.startsWith("@<") ? 2 : 1) + PREFIX_LENGTH))
    .map((prefix) => ({ from: prefix, to: endOfPrefix(prefix) }));
}

/**
 * The keyed digests that identify an account without revealing it, and their texts (a plain digest of fifteen digits
 * could be found by trying them all). 012345678 and 12345678 give the same text, because they are the same account.
 */

/** For `payees.accountFingerprint` and other look-ups of an account. */
export function accountText({ bsb, accountNumber }: Account): string {
  return `account:${bsb}:${padAccountNumber(accountNumber)}`;
}

/** For `payees.hash`: the account together with its name, ignoring case, accents and spacing. */
export function payeeText(payee: Account & { accountName: string }): string {
  const name = foldDiacritics(cleanLine(payee.accountName));
  return `payee:${payee.bsb}:${padAccountNumber(payee.accountNumber)}:${name}`;
}

/** A digest in stored form, with the id of its key. */
function storedDigest({ keyId, digest }: { keyId: string; digest: string }): string {
  return `${keyId}:${digest}`;
}

type Keyed = Pick<Services, "secrets">;

/** `payees.hash` and `payees.accountFingerprint` under the current key. */
export async function fingerprintPayee({ secrets }: Keyed, details: BankDetails) {
  const [hash, account] = await Promise.all([
    secrets.fingerprint(payeeText(details)),
    secrets.fingerprint(accountText(details)),
  ]);
  return { hash: storedDigest(hash), accountFingerprint: storedDigest(account) };
}

/** Every fingerprint under which this account may be stored, current key first: look it up with `IN`. */
export async function fingerprintsOfAccount({ secrets }: Keyed, account: Account): Promise<string[]> {
  return (await secrets.fingerprints(accountText(account))).map(storedDigest);
}

/**
 * Every possible spelling of an account number, shortest first: `0012345` gives `12345` to `000012345`. Within an
 * organisation, accounts are looked up by these, whatever key their fingerprint was made with.
 */
export function spellingsOf(accountNumber: string): string[] {
  const shortest = accountNumber.replace(LEADING_ZEROS, "").padStart(SHORTEST_NUMBER, "0");
  return Array.from({ length: ACCOUNT_NUMBER_WIDTH - shortest.length + 1 }, (_, zeros) => "0".repeat(zeros) + shortest);
}
