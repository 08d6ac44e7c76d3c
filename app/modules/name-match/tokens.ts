import { foldCodePoint } from "./fold";
import { canonOf, flagsOf, lookUp, nextHash } from "./lexicon";
import { Gap, MAX_LETTERS, MAX_TOKENS, Mark, type Reading, Role } from "./reading";
import {
  AMPERSAND,
  APOSTROPHE,
  BACKTICK,
  closeSign,
  closeToken,
  GAPS,
  hashOf,
  isFull,
  LETTER,
  LOWER,
  maskOf,
  PLUS,
  SLASH,
  SPACE,
  slashWordEnd,
  UNKNOWN,
} from "./token-entry";
import { NUMBER } from "./vocabulary/flags";

/** Gaps after which the plain reading can go on; everything else (signs, apostrophes, slashes) needs the full one. */
const PLAIN_GAPS = GAPS.slice();
for (const code of [APOSTROPHE, BACKTICK, AMPERSAND, PLUS, SLASH]) PLAIN_GAPS[code] = 0;

/** What stands before the next word, when the plain reading hands over to the full one. */
let pendingGap = 0;

/** The codes of letters have this bit, those of digits have not. */
const LETTER_BIT = 64;

/**
 * Reads words of ASCII letters and digits with plain gaps between them, which most names wholly are. Nothing is
 * looked up in the reading until the end: this is the loop that every character of every name goes through.
 * @returns where it stopped: the end, or the start of the first word or gap it cannot read
 */
function readPlain(reading: Reading, text: string, end: number): number {
  const { codes } = reading;
  let count = 0;
  let size = 0;
  let union = 0;
  let marks = 0;
  let before = 0;
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
    const start = size;
    let hash = 0;
    let all = 0;
    let mask = 0;
    do {
      codes[size++] = letter;
      hash = (Math.imul(hash, 31) + letter) | 0;
      mask |= 1 << letter;
      all |= letter;
      if (++i === end) break;
      code = text.charCodeAt(i);
      letter = code < 128 ? LOWER[code]! : 0;
    } while (letter !== 0);
    if (i < end && (code >= 128 || PLAIN_GAPS[code] === 0) && code !== AMPERSAND && code !== PLUS) {
      i = from;
      size = start;
      break;
    }
    const length = size - start;
    const word = lookUp(codes, start, length, hash);
    let flags = word === 0 ? 0 : flagsOf(word);
    if ((all & LETTER_BIT) === 0) {
      flags |= NUMBER;
      marks |= Mark.Digit;
    } else marks |= Mark.Letter;
    reading.start[count] = start;
    reading.length[count] = length;
    reading.from[count] = from;
    reading.to[count] = i;
    reading.gap[count] = gap;
    reading.hash[count] = hash;
    reading.word[count] = word;
    reading.canon[count] = word === 0 ? hash | UNKNOWN : canonOf(word);
    reading.flags[count] = flags;
    reading.mask[count] = mask;
    reading.role[count] = Role.Core;
    union |= flags;
    if (length === 1 && before === 1 && (gap & ~(Gap.Dot | Gap.Space)) === 0) marks |= Mark.InitialRun;
    if ((gap & Gap.Comma) !== 0) marks |= Mark.Comma;
    before = length;
    count++;
    gap = 0;
    if (count >= MAX_TOKENS) break;
  }
  reading.count = count;
  reading.size = size;
  reading.union = union;
  reading.marks = marks;
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
