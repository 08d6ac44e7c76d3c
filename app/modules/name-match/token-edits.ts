import { canonOf, flagsOf, lookUp } from "./lexicon";
import type { Reading } from "./reading";
import { hashOf, maskOf, UNKNOWN } from "./token-entry";
import { NUMBER } from "./vocabulary/flags";

/** Looks a word up again after its letters were changed. */
export function rereadToken(reading: Reading, index: number): void {
  const start = reading.start[index]!;
  const length = reading.length[index]!;
  const hash = hashOf(reading.codes, start, start + length);
  const word = lookUp(reading.codes, start, length, hash);
  reading.hash[index] = hash;
  reading.mask[index] = maskOf(reading.codes, start, start + length);
  reading.word[index] = word;
  reading.canon[index] = word === 0 ? hash | UNKNOWN : canonOf(word);
  reading.flags[index] = flagsOf(word) | (reading.flags[index]! & NUMBER);
  reading.union |= flagsOf(word);
}

/** Treats a word as unknown: the initials D and R are no doctor. */
export function forgetWord(reading: Reading, index: number): void {
  reading.word[index] = 0;
  reading.canon[index] = reading.hash[index]! | UNKNOWN;
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
  reading.canon[first] = canonOf(word);
  reading.hash[first] = -word;
  reading.flags[first] = flagsOf(word);
  reading.union |= flagsOf(word);
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
    reading.mask[i] = reading.mask[j]!;
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
