import { BSB_INSTITUTIONS } from "./bsb-institutions";
import { skeletonOf } from "./confusables";
import { boundedEditDistance } from "./edit-distance";
import type { NameDoubt } from "./enums";
import { foldDiacritics } from "./text";

/** Names by which people know institutions that the directory lists otherwise or not, payment companies included. */
const BRANDS = [
  "Afterpay",
  "American Express",
  "Amex",
  "ANZ",
  "BOQ",
  "CBA",
  "CommBank",
  "HSBC",
  "ING",
  "Macquarie Bank",
  "Mastercard",
  "NAB",
  "PayPal",
  "Reserve Bank",
  "Suncorp",
  "ubank",
  "Up Bank",
  "Westpac",
];
/** Names in the directory that are also ordinary words or other businesses' names. */
const ORDINARY: ReadonlySet<string> = new Set(["Australia Post", "Wise", "Flash Partners", "Fat Zebra", "Bank of us"]);

/** Names of one institution without a word in common. Each line is one institution. */
const SAME_INSTITUTION: readonly (readonly string[])[] = [
  ["ANZ", "ANZ Bank", "Australia and New Zealand Banking Group"],
  ["BOQ", "Bank of Queensland"],
  ["CBA", "CommBank", "Commonwealth Bank of Australia"],
  ["NAB", "National Australia Bank"],
  ["JPMorgan", "J.P. Morgan", "JPMorgan Chase Bank"],
  ["Citibank", "Citi", "Citigroup"],
];
/** Words for the kind of company, which do not identify it. */
const KIND_WORDS: ReadonlySet<string> = new Set(
  "the of and bank banking bankers australia australian group company co corporation".split(" "),
);
const LEGAL_FORMS: ReadonlySet<string> = new Set("limited ltd pty adi".split(" "));

/** With fewer letters than this, one wrong letter makes a different word. */
const MIN_FUZZY_LENGTH = 8;
/**
 * A one-word name with at least this many letters is recognised with one wrong or extra letter: Westpack. Shorter ones
 * become different words.
 */
const MIN_FUZZY_WORD = 7;
/** With fewer letters than this, look-alike letters make different words: LNG is not ING. */
const MIN_SKELETON_LENGTH = 6;
const MAX_READ = 200;

type Known = { words: number; plain: string; skeleton: string };

/** Joins consecutive single letters into one word: `N A B`. */
const wordsOf = (name: string): string[] =>
  foldDiacritics(name.toLowerCase())
    .replace(/['’.]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/(?<=(?:^| )[\p{L}\p{N}]) (?=[\p{L}\p{N}](?: |$))/gu, "")
    .split(" ")
    .filter(Boolean);

/** `Commonwealth Bank of Australia` is also known without its last two words. */
function namesOf(listed: string): string[] {
  const name = listed.replace(/\s*\(.*\)$/, "").replace(/^The /, "");
  const short = name.replace(/ (?:of )?Australia$/, "");
  return short.includes(" ") ? [name, short] : [name];
}

const LISTED = Object.values(BSB_INSTITUTIONS)
  .map(([, name]) => name)
  .filter((name) => !ORDINARY.has(name))
  .flatMap(namesOf);

const KNOWN: readonly Known[] = [...new Set([...LISTED, ...BRANDS])].map((name) => {
  const words = wordsOf(name);
  const plain = words.join("");
  return { words: words.length, plain, skeleton: skeletonOf(plain) };
});

/**
 * True if a name contains the name of a bank or another institution of the BSB directory, or one that looks like it:
 * `Commonwealth Bank Security`, `C0mmonwealth Bank`, `Comonwealth Bank`. A name inside a longer word does not count.
 */
export function resemblesInstitution(name: string): boolean {
  const words = wordsOf(name.slice(0, MAX_READ));
  return words.some((_, start) => KNOWN.some((known) => standsAt(words, start, known)));
}

const OURS: Known = { words: 1, plain: "payeeproof", skeleton: skeletonOf("payeeproof") };

/** True if a name contains ours, or one that looks like it: `Payee Proof Support`, `PayeePr00f`, `Pay ee Proof`. */
export function resemblesUs(name: string): boolean {
  const words = wordsOf(name.slice(0, MAX_READ));
  const counts = Array.from(OURS.plain, (_, at) => at + 1);
  return words.some((_, start) => standsAt(words, start, OURS, counts));
}

const LATIN = /\p{Script=Latin}/u;
const IMITATES_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u;

/** True if Latin letters are mixed with an alphabet whose letters look like them. */
const mixesAlphabets = (name: string): boolean => LATIN.test(name) && IMITATES_LATIN.test(name);

/** Words before "Bank" that show it is not a bank: places, and stores of things other than money. */
const OTHER_BANKS: ReadonlySet<string> = new Set(
  "north south east west left right river sand blood food milk seed tool toy time data power image memory".split(" "),
);

const AFTER_BANK: ReadonlySet<string> = new Set([...LEGAL_FORMS, "of", "australia"]);

/**
 * True if a name is "... Bank" (ignoring its legal form and "of Australia") or "Bank of ...": the Banking Act 1959
 * (section 66) reserves the word for banks, so anybody else's such name imitates a bank, listed or not. People's names
 * are not checked like this.
 */
function callsItselfBank(name: string): boolean {
  const words = wordsOf(name.slice(0, MAX_READ));
  if (words[0] === "bank" && words[1] === "of") return true;
  while (AFTER_BANK.has(words.at(-1) ?? "")) words.pop();
  return words.length > 1 && words.at(-1) === "bank" && !OTHER_BANKS.has(words.at(-2) ?? "");
}

/** Why an operator has to approve an organisation's name before anybody sees it; undefined for nearly all names. */
export function whyNameWaits(name: string): NameDoubt | undefined {
  if (resemblesInstitution(name) || callsItselfBank(name)) return "institution";
  if (resemblesUs(name)) return "ours";
  return mixesAlphabets(name) ? "alphabets" : undefined;
}

/** True if the institution's name starts at this word, in one word more or fewer than listed. */
function standsAt(
  words: readonly string[],
  start: number,
  known: Known,
  counts: readonly number[] = [known.words - 1, known.words, known.words + 1],
): boolean {
  for (const count of counts) {
    if (count < 1 || start + count > words.length) continue;
    if (looksLike(words.slice(start, start + count).join(""), known)) return true;
  }
  return false;
}

function looksLike(text: string, { words, plain, skeleton }: Known): boolean {
  if (text === plain) return true;
  const isAscii = /^[\x20-\x7e]*$/.test(text);
  if (plain.length < MIN_SKELETON_LENGTH && isAscii) return false;
  const seen = skeletonOf(text);
  if (seen === skeleton) return true;
  const isLongWord = words === 1 && plain.length >= MIN_FUZZY_WORD && seen.length >= skeleton.length;
  return (plain.length >= MIN_FUZZY_LENGTH || isLongWord) && boundedEditDistance(seen, skeleton, 1) <= 1;
}

/**
 * True if two names mean the same institution, like `Commonwealth Bank`, `CommBank` and `Commonwealth Bank of
 * Australia`. Legal forms and words like "Bank" and "Australia" are ignored. A brand counts as an institution of its
 * own.
 */
export function isSameInstitution(one: string, other: string): boolean {
  const [a, b] = [identityOf(one), identityOf(other)];
  return a === b || groupOf(a) === groupOf(b);
}

/** The identifying words of an institution's name joined into one; a name without any is used whole. */
function identityOf(name: string): string {
  const all = wordsOf(name.slice(0, MAX_READ).replace(/\([^()]*\)$/, ""));
  const words = all.filter((word) => !LEGAL_FORMS.has(word));
  return words.filter((word) => !KIND_WORDS.has(word)).join("") || words.join("");
}

const groupOf = (identity: string): string =>
  SAME_INSTITUTION.find((names) => names.some((name) => identityOf(name) === identity))?.[0] ?? identity;
