import { LATIN_LOOK_ALIKES } from "~/kernel/confusables";
import { Gap, isAny, isNumber, Mark, makeWord, type Reading, type Word, wordAt } from "~/modules/name-match/name";
import { entryOf, Flag, lookUp, lookUpAt, nextNumber, type Phrase, UNKNOWN } from "../vocabulary";
import { foldCode } from "./fold-characters";

/** A text with more characters, letters, words or characters outside ASCII is no name: compared as a whole. */
export enum Limit {
  Text = 1024,
  Letters = 480,
  Words = 48,
  Foreign = 160,
}

/**
 * Reads a name into words: splits words that are written together, joins initials and phrases, and reads look-alike
 * letters as the ones they imitate.
 */
export function readName(text: string): Reading {
  const reading = readText(text);
  if ((reading.union & Flag.Joined) !== 0) splitJoinedWords(reading);
  if ((reading.marks & Mark.InitialRun) !== 0) joinInitials(reading);
  if ((reading.union & Flag.Phrase) !== 0) joinPhrases(reading);
  if ((reading.marks & (Mark.Cyrillic | Mark.Greek)) !== 0) readLookAlikes(reading, false);
  return reading;
}

const GAP_OF: Readonly<Record<string, Gap>> = {
  ".": Gap.Dot,
  ",": Gap.Comma,
  "-": Gap.Hyphen,
  _: Gap.Hyphen,
  "/": Gap.Slash,
  "#": Gap.Hash,
  "(": Gap.Open,
  "[": Gap.Open,
  "{": Gap.Open,
  ")": Gap.Close,
  "]": Gap.Close,
  "}": Gap.Close,
};

const SPACE = 32;
const AMPERSAND = 38;
const APOSTROPHE = 39;
const PLUS = 43;
const SLASH = 47;
const BACKTICK = 96;

const gapOf = (character: string): Gap => (character <= " " ? Gap.Space : (GAP_OF[character] ?? Gap.Other));

const ZERO = 48;
const NINE = 57;
const UPPER_A = 65;
const UPPER_Z = 90;
const LOWER_A = 97;
const LOWER_Z = 122;
const AND = entryOf("and");

/** The difference between a capital ASCII letter and its lower-case form. */
const TO_LOWER = 32;
const isDigit = (code: number) => code >= ZERO && code <= NINE;
const isLetter = (code: number) => isDigit(code) || (code >= LOWER_A && code <= LOWER_Z);

/** The text in lower case with every character at its original position, because lower-case "İ" is two characters. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Reads a text into words: letters are folded (case, width, accents), apostrophes and invisible characters dropped, "&"
 * and "+" read as "and", and everything else counts as a gap. A single pass over the text, which ends early when the
 * text is longer than any name.
 */
export function readText(text: string): Reading {
  const reading: Reading = {
    text,
    parsed: undefined,
    words: [],
    size: 0,
    union: 0,
    marks: 0,
    foreign: 0,
    gap: Gap.None,
  };
  if (text.length > Limit.Text) {
    reading.marks = Mark.TooLong;
    return reading;
  }
  const lower = lowerOf(text);
  const { words } = reading;
  const { length } = text;
  let at = 0;
  while (
    at < length &&
    words.length < Limit.Words &&
    reading.size < Limit.Letters &&
    reading.foreign <= Limit.Foreign
  ) {
    const from = at;
    let number = 0;
    for (; at < length; at++) {
      const letter = text.charCodeAt(at);
      if (letter >= LOWER_A ? letter > LOWER_Z : letter < UPPER_A ? !isDigit(letter) : letter > UPPER_Z) break;
      number = nextNumber(number, letter >= UPPER_A ? letter | TO_LOWER : letter);
    }
    if (at > from && (at === length || endsWord(text.charCodeAt(at)))) {
      const entry = lookUpAt(lower, from, at, number);
      addWord(reading, entry === UNKNOWN ? lower.slice(from, at) : entry.text, from, at, entry);
    } else if (at > from || !isSpace(text.charCodeAt(at))) at = readOdd(reading, lower, from);
    while (at < length && isSpace(text.charCodeAt(at))) {
      reading.gap |= Gap.Space;
      at++;
    }
  }
  if (isFull(reading, "")) reading.marks |= Mark.TooLong;
  return reading;
}

const isSpace = (code: number): boolean => code <= SPACE;

/** Does a word certainly end before this character? Not before a sign of one, or a character outside ASCII. */
const endsWord = (code: number): boolean =>
  code === SPACE || (code < 128 && code !== APOSTROPHE && code !== BACKTICK && code !== SLASH);

const isFull = ({ words, size, foreign }: Reading, letters: string): boolean =>
  words.length >= Limit.Words || size + letters.length >= Limit.Letters || foreign > Limit.Foreign;

/** Reads one word with more than ASCII letters and digits, or one character of a gap. @returns where to go on */
function readOdd(reading: Reading, lower: string, start: number): number {
  const { text } = reading;
  let letters = "";
  let from = start;
  let to = start;
  let at = start;
  const add = (more: string) => {
    if (letters === "") from = at;
    letters += more;
  };
  const close = () => {
    if (letters !== "") addWord(reading, letters, from, to);
    letters = "";
  };
  do {
    const code = text.charCodeAt(at);
    if (code >= 128) {
      const point = text.codePointAt(at) ?? 0;
      const next = at + (point > 0xffff ? 2 : 1);
      const folded = foldCode(point);
      reading.marks |= folded.mark;
      reading.foreign++;
      if (folded.letters === "" && letters !== "" && (folded.mark & Mark.Diacritic) !== 0) to = next;
      for (let k = 0; k < folded.letters.length && !isFull(reading, letters); k++) {
        const letter = folded.letters.charAt(k);
        if (letter === " ") {
          close();
          reading.gap |= Gap.Space;
        } else {
          add(letter);
          to = next;
        }
      }
      at = next;
    } else if (isLetter(lower.charCodeAt(at))) {
      add(lower.charAt(at));
      to = ++at;
    } else if (code === APOSTROPHE || code === BACKTICK) at++;
    else {
      const word = code === SLASH && letters !== "" ? slashWord(letters, lower, at) : "";
      if (word !== "") {
        to = at + word.length - letters.length;
        letters = word;
        close();
        return to;
      }
      const hasWord = letters !== "";
      close();
      if (hasWord) return at;
      return readSign(reading, at);
    }
  } while (letters !== "" && at < text.length && !isFull(reading, letters));
  if (reading.words.length < Limit.Words) close();
  return at;
}

/** Reads a sign between words: "and" for "&" and "+", or a gap. @returns where to go on: "&amp;" is one sign */
function readSign(reading: Reading, at: number): number {
  const { text, words } = reading;
  const code = text.charCodeAt(at);
  if (code !== AMPERSAND && !(code === PLUS && words.length > 0)) {
    reading.gap |= gapOf(text.charAt(at));
    return at + 1;
  }
  const end = text.startsWith("&amp;", at) ? at + "&amp;".length : at + 1;
  addWord(reading, AND.text, at, end, AND);
  return end;
}

/** Adds a word, and the marks that the gap before it adds to the name. */
function addWord(reading: Reading, text: string, from: number, to: number, entry = lookUp(text)): void {
  const { words, gap } = reading;
  reading.gap = Gap.None;
  const word = makeWord(text, from, to, gap, words.length, entry);
  words.push(word);
  reading.size += text.length;
  reading.union |= word.flags;
  let marks = reading.marks | (isNumber(text) ? Mark.Digit : Mark.Letter);
  if ((gap & Gap.Comma) !== 0) marks |= Mark.Comma;
  if ((gap & Gap.Open) !== 0) marks |= Mark.Bracket;
  if (word.index > 0 && continuesInitials(word) && words[word.index - 1]?.text.length === 1) marks |= Mark.InitialRun;
  reading.marks = marks;
}

/** "LimitedT/A" and "T/as": letters before the slash, and in total. */
const MAX_SLASH_WORD = 11;
const MAX_BEFORE_SLASH = 8;

/**
 * Short words with slashes that have one meaning: "P/L", "T/as", "A/T/F", "M/-".
 * @returns the letters of the open word and what follows after the slash; "" when it is not such a word
 */
function slashWord(letters: string, lower: string, slash: number): string {
  if (letters.length > MAX_BEFORE_SLASH) return "";
  let end = slash;
  const longest = slash + MAX_SLASH_WORD - letters.length;
  while (end < longest && /[-a-z0-9/]/.test(lower.charAt(end))) end++;
  const word = letters + lower.slice(slash, end);
  return /[a-z0-9]/.test(lower.charAt(end)) || lookUp(word) === UNKNOWN ? "" : word;
}

/** "LtdATF" is read as "Ltd ATF", "No1" as "No 1"; but not where letters were dropped within it. */
function splitJoinedWords(reading: Reading): void {
  for (let k = 0; k < reading.words.length && reading.words.length < Limit.Words; k++) {
    const { text, from, to, gap, entry, flags } = wordAt(reading, k);
    if ((flags & Flag.Joined) === 0 || to - from !== text.length) continue;
    const cut = from + entry.firstLength;
    const halves = [
      makeWord(text.slice(0, entry.firstLength), from, cut, gap, k),
      makeWord(text.slice(entry.firstLength), cut, to, Gap.None, k + 1),
    ];
    replaceWords(reading, k, 1, halves);
    for (const half of halves) reading.union |= half.flags;
    if (halves.some((half) => isNumber(half.text))) reading.marks |= Mark.Digit;
  }
}

function replaceWords(reading: Reading, from: number, count: number, by: readonly Word[]): void {
  reading.words.splice(from, count, ...by);
  reading.words.forEach((word, index) => {
    word.index = index;
  });
}

/** Joins the words from `first` to `last` into one; the caller sets its meaning. */
function joinWords(reading: Reading, first: Word, last: Word): Word {
  const text = reading.words.slice(first.index, last.index + 1).map((word) => word.text);
  const joined = makeWord(text.join(""), first.from, last.to, first.gap, first.index);
  replaceWords(reading, first.index, last.index - first.index + 1, [joined]);
  return joined;
}

/** Does the word continue a run of initials ("A. B", "A B")? */
const continuesInitials = ({ text, gap }: Word) => text.length === 1 && (gap & ~(Gap.Dot | Gap.Space)) === 0;

/** Joined initials take such a word's meaning only if a form, connector or state: "D R" is not a doctor. */
const MEANT_BY_INITIALS = Flag.Legal | Flag.Connector | Flag.State;

/** "A. B. C." and "A B C" are read as "ABC"; where it matters, initials are compared letter by letter. */
function joinInitials(reading: Reading): void {
  for (let k = 0; k < reading.words.length - 1; k++) {
    const first = wordAt(reading, k);
    if (first.text.length !== 1) continue;
    let end = k + 1;
    while (end < reading.words.length && continuesInitials(wordAt(reading, end))) end++;
    if (end === k + 1) continue;
    const joined = joinWords(reading, first, wordAt(reading, end - 1));
    reading.union |= joined.entry.flags;
    const isMeant = (joined.entry.flags & MEANT_BY_INITIALS) !== 0;
    if (!isMeant) joined.entry = UNKNOWN;
    joined.flags = joined.entry.flags | (isMeant ? first.flags & Flag.Number : 0);
  }
}

const isPhraseAt = ({ words }: Reading, at: number, phrase: Phrase): boolean =>
  phrase.words.every((entry, k) => words[at + k]?.entry === entry);

/** Reads "New South Wales" as "NSW", "as trustee for" as "ATF" and so on: the longest phrase that starts at a word. */
function joinPhrases(reading: Reading): void {
  for (let k = 0; k < reading.words.length - 1; k++) {
    const first = wordAt(reading, k);
    if (!isAny(first, Flag.Phrase)) continue;
    const phrase = first.entry.phrases.find((known) => isPhraseAt(reading, k, known));
    if (phrase === undefined) continue;
    const joined = joinWords(reading, first, wordAt(reading, k + phrase.words.length - 1));
    joined.entry = phrase.meaning;
    joined.flags = phrase.meaning.flags;
    reading.union |= joined.flags;
  }
}

const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(Object.entries(LATIN_LOOK_ALIKES));

/**
 * In a name that mixes Latin with Cyrillic or Greek letters, reads the foreign letters as the Latin ones they imitate
 * and marks the name, which is then never an exact match.
 * @param force also for a name entirely in another script
 */
export function readLookAlikes(reading: Reading, force: boolean): void {
  if ((reading.marks & (Mark.Cyrillic | Mark.Greek)) === 0) return;
  if (!force && !reading.words.some(({ text }) => /[a-z]/.test(text))) return;
  reading.marks |= Mark.Homoglyph;
  for (const word of reading.words) {
    word.text = Array.from(word.text, (letter) => LOOKS_LIKE.get(letter) ?? letter).join("");
    word.entry = lookUp(word.text);
    word.flags = word.entry.flags | (word.flags & Flag.Number);
    reading.union |= word.flags;
  }
}
