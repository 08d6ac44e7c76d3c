import { foldCodePoint } from "./fold";
import { canonOf, flagsOf, lookUp, nextHash, secondOf, wordId } from "./lexicon";
import { Gap, MAX_LETTERS, MAX_TOKENS, Mark, type Reading, Role } from "./reading";
import { NUMBER } from "./vocabulary/flags";

/** Lower-case letter or digit for each ASCII code; 0 where a word ends. */
const LOWER = new Uint8Array(128);
const GAPS = new Uint16Array(128).fill(Gap.Other);
for (let code = 0; code < 26; code++) {
  LOWER[65 + code] = 97 + code;
  LOWER[97 + code] = 97 + code;
}
for (let code = 48; code < 58; code++) LOWER[code] = code;
for (let code = 0; code <= 32; code++) GAPS[code] = Gap.Space;
for (const [character, gap] of [
  [".", Gap.Dot],
  [",", Gap.Comma],
  ["-", Gap.Hyphen],
  ["_", Gap.Hyphen],
  ["/", Gap.Slash],
  ["#", Gap.Hash],
  ["(", Gap.Open],
  ["[", Gap.Open],
  ["{", Gap.Open],
  [")", Gap.Close],
  ["]", Gap.Close],
  ["}", Gap.Close],
] as const)
  GAPS[character.charCodeAt(0)] = gap;

const APOSTROPHE = 39;
const BACKTICK = 96;
const AMPERSAND = 38;
const PLUS = 43;
const SLASH = 47;
const HYPHEN = 45;
const DIGIT_END = 58;
const SPACE = 32;
const LETTER = 97;
/** Sign bit of the key of a word that the vocabulary does not have. */
export const UNKNOWN = 0x80000000;

const SLASH_WORD = 7;

/**
 * Short words written with a slash that mean one thing: "P/L", "T/as", "A/T/F", "M/-".
 * @returns where the word ends in the text, or 0 when it is none
 */
function slashWordEnd(reading: Reading, text: string, start: number, slash: number): number {
  const { codes } = reading;
  let size = reading.size;
  let end = slash;
  while (end < text.length && size - start < SLASH_WORD) {
    const code = text.charCodeAt(end);
    const letter = code < 128 ? LOWER[code]! || (code === SLASH || code === HYPHEN ? code : 0) : 0;
    if (letter === 0) break;
    codes[size++] = letter;
    end++;
  }
  const follows = end < text.length ? text.charCodeAt(end) : SPACE;
  if (follows < 128 && LOWER[follows] !== 0) return 0;
  return lookUp(codes, start, size - start, hashOf(codes, start, size)) === 0 ? 0 : end;
}

/** Hash of a word of the letters read. */
export function hashOf(codes: Uint16Array, start: number, end: number): number {
  let hash = 0;
  for (let k = start; k < end; k++) hash = nextHash(hash, codes[k]!);
  return hash;
}

/** The letters of a word as a set of bits (a letter's code modulo 32). */
export function maskOf(codes: Uint16Array, start: number, end: number): number {
  let mask = 0;
  for (let k = start; k < end; k++) mask |= 1 << codes[k]!;
  return mask;
}

/** Enters the word that was just read; keeps the facts every later step starts from. */
function closeToken(
  reading: Reading,
  start: number,
  from: number,
  to: number,
  gap: number,
  hash: number,
  top: number,
  mask: number,
) {
  const index = reading.count;
  const length = reading.size - start;
  const word = lookUp(reading.codes, start, length, hash);
  let flags = 0;
  let canon = hash | UNKNOWN;
  if (word !== 0) {
    flags = flagsOf(word);
    canon = canonOf(word);
  }
  if (top < DIGIT_END) {
    flags |= NUMBER;
    reading.marks |= Mark.Digit;
  } else reading.marks |= Mark.Letter;
  reading.start[index] = start;
  reading.length[index] = length;
  reading.from[index] = from;
  reading.to[index] = to;
  reading.gap[index] = gap;
  reading.hash[index] = hash;
  reading.word[index] = word;
  reading.canon[index] = canon;
  reading.flags[index] = flags;
  reading.mask[index] = mask;
  reading.role[index] = Role.Core;
  reading.union |= flags;
  if (length === 1 && index > 0 && reading.length[index - 1] === 1 && (gap & ~(Gap.Dot | Gap.Space)) === 0)
    reading.marks |= Mark.InitialRun;
  if ((gap & Gap.Comma) !== 0) reading.marks |= Mark.Comma;
  reading.count = index + 1;
}

const AND_LETTERS = [97, 110, 100];

/** Enters "and" for a sign at `at`. @returns where the text goes on: "&amp;" is one sign */
function closeSign(reading: Reading, text: string, at: number, gap: number): number {
  const start = reading.size;
  for (const code of AND_LETTERS) reading.codes[reading.size++] = code;
  const end = text.startsWith("&amp;", at) ? at + 5 : at + 1;
  closeToken(
    reading,
    start,
    at,
    end,
    gap,
    hashOf(reading.codes, start, reading.size),
    LETTER,
    maskOf(reading.codes, start, reading.size),
  );
  return end;
}

const isFull = (reading: Reading) => reading.count >= MAX_TOKENS || reading.size >= MAX_LETTERS;

/** Gaps after which the plain reading can go on; everything else (signs, apostrophes, slashes) needs the full one. */
const PLAIN_GAPS = GAPS.slice();
for (const code of [APOSTROPHE, BACKTICK, AMPERSAND, PLUS, SLASH]) PLAIN_GAPS[code] = 0;

/** What stands before the next word, when the plain reading hands over to the full one. */
let pendingGap = 0;

/**
 * Reads words of ASCII letters and digits with plain gaps between them, which most names wholly are.
 * @returns where it stopped: the end, or the start of the first word or gap it cannot read
 */
function readPlain(reading: Reading, text: string, end: number): number {
  const { codes } = reading;
  let gap = 0;
  let i = 0;
  while (i < end) {
    let code = text.charCodeAt(i);
    let letter = code < 128 ? LOWER[code]! : 0;
    if (letter === 0) {
      const plain = code < 128 ? PLAIN_GAPS[code]! : 0;
      if (plain === 0) break;
      gap |= plain;
      i++;
      continue;
    }
    const from = i;
    const start = reading.size;
    let size = start;
    let hash = 0;
    let top = 0;
    let mask = 0;
    do {
      codes[size++] = letter;
      hash = (Math.imul(hash, 31) + letter) | 0;
      mask |= 1 << letter;
      if (letter > top) top = letter;
      if (++i === end) break;
      code = text.charCodeAt(i);
      letter = code < 128 ? LOWER[code]! : 0;
    } while (letter !== 0);
    if (i < end && (code >= 128 || PLAIN_GAPS[code] === 0) && code !== AMPERSAND && code !== PLUS) {
      i = from;
      break;
    }
    reading.size = size;
    closeToken(reading, start, from, i, gap, hash, top, mask);
    gap = 0;
    if (reading.count >= MAX_TOKENS) break;
  }
  pendingGap = gap;
  return i;
}

/**
 * Reads a name into words: letters folded (case, width, accents), apostrophes and invisible characters dropped, "&"
 * and "+" read as "and", everything else a gap. One pass over the text, whatever is in it; it ends early when the
 * text is longer than any name.
 */
export function readTokens(reading: Reading, text: string): void {
  reading.text = text;
  reading.count = 0;
  reading.size = 0;
  reading.union = 0;
  reading.marks = 0;
  const end = text.length;
  const at = readPlain(reading, text, end < MAX_LETTERS ? end : MAX_LETTERS);
  if (at < end && reading.count < MAX_TOKENS) readRest(reading, text, at, pendingGap);
  if (isFull(reading)) reading.marks |= Mark.TooLong;
}

/** Reads on from `at` whatever the characters are. */
function readRest(reading: Reading, text: string, at: number, gapBefore: number): void {
  const { codes } = reading;
  const end = text.length;
  let gap = gapBefore;
  /** Where the open word begins in the text, or -1; then in the letters, its hash, its greatest letter, its end. */
  let open = -1;
  let start = 0;
  let hash = 0;
  let top = 0;
  let mask = 0;
  let last = 0;
  let i = at;
  while (i < end) {
    let code = text.charCodeAt(i);
    let letter = code < 128 ? LOWER[code]! : 0;
    if (letter !== 0) {
      let size = reading.size;
      if (open < 0) {
        open = i;
        start = size;
        hash = 0;
        top = 0;
        mask = 0;
      }
      const limit = end - i > MAX_LETTERS - size ? i + MAX_LETTERS - size : end;
      do {
        codes[size++] = letter;
        hash = (Math.imul(hash, 31) + letter) | 0;
        mask |= 1 << letter;
        if (letter > top) top = letter;
        if (++i >= limit) break;
        code = text.charCodeAt(i);
        letter = code < 128 ? LOWER[code]! : 0;
      } while (letter !== 0);
      last = i;
      reading.size = size;
      if (size >= MAX_LETTERS || i >= end) break;
    }
    if (code < 128) {
      if (code === APOSTROPHE || code === BACKTICK) {
        i++;
        continue;
      }
      if (open >= 0) {
        const stop = code === SLASH && reading.size - start <= 3 ? slashWordEnd(reading, text, start, i) : 0;
        if (stop !== 0) {
          reading.size += stop - i;
          closeToken(
            reading,
            start,
            open,
            stop,
            gap,
            hashOf(codes, start, reading.size),
            LETTER,
            maskOf(codes, start, reading.size),
          );
          i = stop;
        } else closeToken(reading, start, open, last, gap, hash, top, mask);
        open = -1;
        gap = 0;
        if (isFull(reading)) break;
        if (stop !== 0) continue;
      }
      if (code === AMPERSAND || (code === PLUS && reading.count > 0)) {
        i = closeSign(reading, text, i, gap);
        gap = 0;
        if (isFull(reading)) break;
        continue;
      }
      gap |= GAPS[code]!;
      i++;
      continue;
    }
    const point = text.codePointAt(i)!;
    const { letters, mark } = foldCodePoint(point);
    const from = i;
    i += point > 0xffff ? 2 : 1;
    reading.marks |= mark;
    if (letters === "") {
      if (open >= 0 && (mark & Mark.Diacritic) !== 0) last = i;
      continue;
    }
    for (let k = 0; k < letters.length && !isFull(reading); k++) {
      letter = letters.charCodeAt(k);
      if (letter === SPACE) {
        if (open >= 0) closeToken(reading, start, open, last, gap, hash, top, mask);
        gap = open >= 0 ? Gap.Space : gap | Gap.Space;
        open = -1;
        continue;
      }
      if (open < 0) {
        open = from;
        start = reading.size;
        hash = 0;
        top = 0;
        mask = 0;
      }
      if (letter > top) top = letter;
      mask |= 1 << letter;
      codes[reading.size++] = letter;
      hash = nextHash(hash, letter);
      last = i;
    }
    if (isFull(reading)) break;
  }
  if (open >= 0 && reading.count < MAX_TOKENS) closeToken(reading, start, open, last, gap, hash, top, mask);
}
