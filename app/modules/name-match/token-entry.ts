import { canonOf, flagsOf, lookUp, nextHash } from "./lexicon";
import { Gap, MAX_LETTERS, MAX_TOKENS, Mark, type Reading, Role } from "./reading";
import { NUMBER } from "./vocabulary/flags";

/** Lower-case letter or digit for each ASCII code; 0 where a word ends. */
export const LOWER = new Uint8Array(128);
export const GAPS = new Uint16Array(128).fill(Gap.Other);
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

export const APOSTROPHE = 39;
export const BACKTICK = 96;
export const AMPERSAND = 38;
export const PLUS = 43;
export const SLASH = 47;
const HYPHEN = 45;
const DIGIT_END = 58;
export const SPACE = 32;
export const LETTER = 97;
/** Sign bit of the key of a word that the vocabulary does not have. */
export const UNKNOWN = 0x80000000;

const SLASH_WORD = 7;

/**
 * Short words written with a slash that mean one thing: "P/L", "T/as", "A/T/F", "M/-".
 * @returns where the word ends in the text, or 0 when it is none
 */
export function slashWordEnd(reading: Reading, text: string, start: number, slash: number): number {
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
export function closeToken(
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
export function closeSign(reading: Reading, text: string, at: number, gap: number): number {
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

/** Has the name reached the most letters or words that are read? */
export const isFull = (reading: Reading) => reading.count >= MAX_TOKENS || reading.size >= MAX_LETTERS;
