import { foldCodePoint } from "./fold";
import { canonOf, flagsOf, lookUp, nextHash, secondOf, wordId } from "./lexicon";
import { Gap, MAX_LETTERS, MAX_TOKENS, Mark, type Reading, Role } from "./reading";
import { NUMBER } from "./vocabulary/flags";

/** Id of "and", which "&" and "+" are read as. */
export const AND_WORD = wordId("and");

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

/** Short words written with a slash that mean one thing: "P/L", "T/as", "A/T/F", "M/-". */
function slashWordEnd(reading: Reading, text: string, from: number, slash: number): number {
  let size = slash - from;
  let hash = 0;
  const { codes } = reading;
  const start = reading.size;
  for (let i = 0; i < size; i++) hash = nextHash(hash, codes[start + i]!);
  let end = slash;
  while (end < text.length && size < 7) {
    const code = text.charCodeAt(end);
    const letter = code < 128 ? LOWER[code]! || (code === SLASH || code === HYPHEN ? code : 0) : 0;
    if (letter === 0) break;
    codes[start + size++] = letter;
    hash = nextHash(hash, letter);
    end++;
  }
  const word = lookUp(codes, start, size, hash);
  if (word === 0) return 0;
  const follows = end < text.length ? text.charCodeAt(end) : 32;
  if (follows < 128 && LOWER[follows] !== 0) return 0;
  return end;
}

/** Enters the word that was just read; keeps the facts every later step starts from. */
function closeToken(
  reading: Reading,
  start: number,
  from: number,
  to: number,
  gap: number,
  hash: number,
  digits: boolean,
) {
  const index = reading.count;
  const length = reading.size - start;
  const word = lookUp(reading.codes, start, length, hash);
  let flags = 0;
  let canon: number;
  if (word !== 0) {
    flags = flagsOf[word]!;
    canon = canonOf[word]!;
  } else {
    canon = hash | 0x80000000;
  }
  if (digits) {
    flags |= NUMBER;
    reading.marks |= Mark.Digit;
  }
  reading.start[index] = start;
  reading.length[index] = length;
  reading.from[index] = from;
  reading.to[index] = to;
  reading.gap[index] = gap;
  reading.hash[index] = hash;
  reading.word[index] = word;
  reading.canon[index] = canon;
  reading.flags[index] = flags;
  reading.role[index] = Role.Core;
  reading.segment[index] = 0;
  reading.bracketed[index] = 0;
  reading.union |= flags;
  if (length === 1 && index > 0 && reading.length[index - 1] === 1 && (gap & ~(Gap.Dot | Gap.Space)) === 0)
    reading.marks |= Mark.InitialRun;
  reading.count = index + 1;
}

/**
 * Reads a name into words: letters folded (case, width, accents), apostrophes and invisible characters dropped, "&"
 * and "+" read as "and", everything else a gap. One pass over the text, whatever is in it.
 */
export function readTokens(reading: Reading, text: string): void {
  reading.text = text;
  reading.count = 0;
  reading.size = 0;
  reading.union = 0;
  reading.marks = 0;
  const { codes } = reading;
  const end = text.length;
  let gap = 0;
  let open = -1;
  let start = 0;
  let hash = 0;
  let digits = true;
  let last = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      const letter = LOWER[code]!;
      if (letter !== 0) {
        if (open < 0) {
          open = i;
          start = reading.size;
          hash = 0;
          digits = true;
        }
        if (letter >= DIGIT_END) digits = false;
        codes[reading.size++] = letter;
        hash = (Math.imul(hash, 31) + letter) | 0;
        last = i + 1;
        if (reading.size >= MAX_LETTERS) break;
        continue;
      }
      if (code === APOSTROPHE || code === BACKTICK) continue;
      if (open >= 0) {
        if (code === SLASH && i - open <= 3) {
          reading.size = start;
          const stop = slashWordEnd(reading, text, open, i);
          if (stop !== 0) {
            let slashHash = 0;
            reading.size = start + stop - open;
            for (let k = start; k < reading.size; k++) slashHash = nextHash(slashHash, codes[k]!);
            closeToken(reading, start, open, stop, gap, slashHash, false);
            open = -1;
            gap = 0;
            i = stop - 1;
            continue;
          }
          for (let k = open; k < i; k++)
            if (text.charCodeAt(k) !== APOSTROPHE) codes[reading.size++] = LOWER[text.charCodeAt(k)]!;
        }
        closeToken(reading, start, open, last, gap, hash, digits);
        open = -1;
        gap = 0;
        if (reading.count >= MAX_TOKENS) break;
      }
      if (code === AMPERSAND || (code === PLUS && reading.count > 0)) {
        const at = i;
        if (code === AMPERSAND && text.startsWith("amp;", i + 1)) i += 4;
        start = reading.size;
        codes[reading.size++] = 97;
        codes[reading.size++] = 110;
        codes[reading.size++] = 100;
        closeToken(reading, start, at, i + 1, gap, nextHash(nextHash(97, 110), 100), false);
        gap = 0;
        if (reading.count >= MAX_TOKENS || reading.size >= MAX_LETTERS) break;
        continue;
      }
      gap |= GAPS[code]!;
      continue;
    }
    const point = text.codePointAt(i)!;
    const folded = foldCodePoint(point);
    const at = i;
    if (point > 0xffff) i++;
    reading.marks |= folded.mark;
    const { letters } = folded;
    if (letters === "") {
      if (open >= 0 && (folded.mark & Mark.Diacritic) !== 0) last = i + 1;
      continue;
    }
    for (let k = 0; k < letters.length; k++) {
      const letter = letters.charCodeAt(k);
      if (letter === 32) {
        if (open >= 0) {
          closeToken(reading, start, open, last, gap, hash, digits);
          open = -1;
          gap = 0;
          if (reading.count >= MAX_TOKENS) break;
        }
        gap |= Gap.Space;
        continue;
      }
      if (open < 0) {
        open = at;
        start = reading.size;
        hash = 0;
        digits = true;
      }
      if (letter >= DIGIT_END || letter < 48) digits = false;
      codes[reading.size++] = letter;
      hash = nextHash(hash, letter);
      last = i + 1;
    }
    if (reading.count >= MAX_TOKENS || reading.size >= MAX_LETTERS) break;
  }
  if (open >= 0 && reading.count < MAX_TOKENS) closeToken(reading, start, open, last, gap, hash, digits);
  else reading.gap[reading.count] = gap;
  if (reading.count >= MAX_TOKENS || reading.size >= MAX_LETTERS) reading.marks |= Mark.TooLong;
}

/** Looks a word up again after its letters were changed. */
export function rereadToken(reading: Reading, index: number): void {
  const start = reading.start[index]!;
  const length = reading.length[index]!;
  let hash = 0;
  for (let k = start; k < start + length; k++) hash = nextHash(hash, reading.codes[k]!);
  const word = lookUp(reading.codes, start, length, hash);
  reading.hash[index] = hash;
  reading.word[index] = word;
  reading.canon[index] = word === 0 ? hash | 0x80000000 : canonOf[word]!;
  reading.flags[index] = flagsOf[word]! | (reading.flags[index]! & NUMBER);
  reading.union |= flagsOf[word]!;
}

/** Treats a word as unknown: the initials D and R are no doctor. */
export function forgetWord(reading: Reading, index: number): void {
  reading.word[index] = 0;
  reading.canon[index] = reading.hash[index]! | 0x80000000;
  reading.flags[index] = 0;
}

/** Replaces the words `first`..`last` by one that is written with all their letters. */
export function joinTokens(reading: Reading, first: number, last: number): void {
  replaceTokens(reading, first, last, 0);
  rereadToken(reading, first);
}

/** Replaces the words `first`..`last` by the one word of the vocabulary they mean together. */
export function replaceTokens(reading: Reading, first: number, last: number, word: number): void {
  const shift = last - first;
  reading.to[first] = reading.to[last]!;
  reading.length[first] = reading.start[last]! + reading.length[last]! - reading.start[first]!;
  reading.word[first] = word;
  reading.canon[first] = canonOf[word]!;
  reading.hash[first] = -word;
  reading.flags[first] = flagsOf[word]!;
  reading.union |= flagsOf[word]!;
  if (shift === 0) return;
  for (let i = first + 1; i + shift < reading.count; i++) {
    const j = i + shift;
    reading.start[i] = reading.start[j]!;
    reading.length[i] = reading.length[j]!;
    reading.from[i] = reading.from[j]!;
    reading.to[i] = reading.to[j]!;
    reading.gap[i] = reading.gap[j]!;
    reading.hash[i] = reading.hash[j]!;
    reading.word[i] = reading.word[j]!;
    reading.canon[i] = reading.canon[j]!;
    reading.flags[i] = reading.flags[j]!;
  }
  reading.count -= shift;
}

/** Do both words have the same letters? */
export function sameLetters(a: Reading, i: number, b: Reading, j: number): boolean {
  const length = a.length[i]!;
  if (length !== b.length[j] || a.hash[i] !== b.hash[j]) return false;
  const x = a.start[i]!;
  const y = b.start[j]!;
  for (let k = 0; k < length; k++) if (a.codes[x + k] !== b.codes[y + k]) return false;
  return true;
}

/** Do both words mean the same in an organisation's name ("Co" and "Company")? */
export function sameWord(a: Reading, i: number, b: Reading, j: number): boolean {
  const canon = a.canon[i]!;
  if (canon === b.canon[j]) return canon >= 0 || sameLetters(a, i, b, j);
  const x = a.word[i]!;
  const y = b.word[j]!;
  if (x === 0 || y === 0) return false;
  return (secondOf[x] !== 0 && secondOf[x] === b.canon[j]) || (secondOf[y] !== 0 && secondOf[y] === canon);
}
