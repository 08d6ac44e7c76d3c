/** No language needs more marks on one letter. Source: UAX 15, section 13 (Stream-Safe Text Format). */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Normalises a text, with at most 30 combining marks on one letter. Sorting marks takes quadratic time, so a text of
 * nothing but marks could otherwise stop the Worker for seconds.
 */
export function normalizeText(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.replace(EXCESS_MARKS, "$1").normalize(form);
}

/** Limits of the search index. */
export const MAX_SEARCH_TERMS = 40;
const MAX_SEARCH_TERM_LENGTH = 40;

// Characters that are invisible but make two texts differ, or change the reading direction: soft hyphens, zero-width
// blanks and joiners, bidirectional marks and overrides (UAX 9), byte order marks, tags.
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/** ASCII words separated by single blanks: these lines, like most, are clean already. */
const CLEAN_ASCII = /^[!-~]+(?: [!-~]+)*$/;
const WHITE_SPACE = /\s+/g;
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g;
const EMPTY_LINES = /\n{3,}/g;
const CONTROL = /[^\P{Cc}\t\n\r]/u;
const LONE_SURROGATE = /\p{Cs}/u;

const APOSTROPHES = /['’‘ʼ`´]/g;
const LATIN_MARKS = /[\u0300-\u036f]/g;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

// Letters that do not decompose into a plain letter and a mark.
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  ß: "ss",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
};
const UNDECOMPOSED = /[æœøßłđðþħı]/g;

/** One line of text in stored form: NFC, nothing invisible, each run of white space as one blank, none at the ends. */
export function cleanLine(text: string): string {
  if (CLEAN_ASCII.test(text)) return text;
  return normalizeText(text.replace(INVISIBLE, "").replace(WHITE_SPACE, " ").trim(), "NFC");
}

/**
 * Several lines of text in stored form: NFC, nothing invisible, LF line endings, no trailing blanks, at most one empty
 * line in a row. Takes time proportional to the length, whatever the text contains.
 */
export function cleanText(text: string): string {
  const lines = text.replace(INVISIBLE, "").replace(LINE_ENDS, "\n").split("\n");
  const trimmed = lines.map((line) => line.trimEnd()).join("\n");
  return normalizeText(trimmed.replace(EMPTY_LINES, "\n\n").trim(), "NFC");
}

/**
 * True if a database and every JSON reader will return the text unchanged: no unpaired surrogates, and no control
 * characters other than tab and line endings.
 */
export function isStorable(text: string): boolean {
  return !LONE_SURROGATE.test(text) && !CONTROL.test(text);
}

/** Files of old systems end with this mark. */
export const END_OF_FILE = "\u001a";

/** The first control character before `end` other than tabs and line endings: what and where it is, from 1. */
export function findControl(text: string, end: number): { what: string; line: number; column: number } | undefined {
  const body = text.slice(0, end);
  const found = CONTROL.exec(body);
  if (!found) return undefined;
  const before = body.slice(0, found.index).split(/\r\n|\n|\r/);
  const what = found[0] === "\0" ? "a NUL character" : "a control character";
  return { what, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Lower-case letters without diacritics: `Žofie Øst` becomes `zofie ost`. Source: UAX 15 (NFKD), marks U+0300 to U+036F dropped. */
export function foldDiacritics(text: string): string {
  return normalizeText(text, "NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(LATIN_MARKS, "")
    .replace(UNDECOMPOSED, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/**
 * The search words of a text: lower case, without diacritics and apostrophes, each once, in order.
 *
 * `O'Brien & Sons Pty` gives `obrien`, `sons`, `pty`. At most {@link MAX_SEARCH_TERMS} words, each cut to {@link
 * MAX_SEARCH_TERM_LENGTH} characters.
 */
export function searchTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const [word] of foldDiacritics(text.replace(INVISIBLE, "").replace(APOSTROPHES, "")).matchAll(WORDS)) {
    terms.add(cut(word, MAX_SEARCH_TERM_LENGTH));
    if (terms.size === MAX_SEARCH_TERMS) break;
  }
  return [...terms];
}

/** Shortens a text to `max` UTF-16 units, with an ellipsis if anything was cut. Never splits a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  return max < 1 ? "" : `${cut(text, max - 1).trimEnd()}…`;
}

function cut(text: string, max: number): string {
  const halvesPair = /[\ud800-\udbff]/.test(text.charAt(max - 1)) && /[\udc00-\udfff]/.test(text.charAt(max));
  return text.slice(0, halvesPair ? max - 1 : max);
}

const GROUP_ENDS = /\B(?=(?:\d{3})+$)/g;

/** 1234 becomes "1,234", or "1,234 lines" with a noun. A browser's own formatter for a language takes milliseconds to start. */
export function formatCount(count: number | string, noun?: string): string {
  const figure = String(count).replace(GROUP_ENDS, ",");
  return noun ? `${figure} ${noun}${figure === "1" ? "" : "s"}` : figure;
}

/** "Sent the link" becomes "sent the link", for the middle of a sentence. */
export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The text with a capital first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A person's name as pages show it. */
export const displayName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  [firstName, lastName].filter(Boolean).join(" ");

/** The same for a person who may be missing, as a left join returns one; null: nobody is there. */
export const nameIfAny = (person: { firstName: string | null; lastName: string | null } | null): string | null =>
  person?.firstName == null ? null : displayName({ firstName: person.firstName, lastName: person.lastName ?? "" });
