import { secondOf } from "./lexicon";
import { MAX_TOKENS, type Reading } from "./reading";
import { PARTICLE } from "./vocabulary/flags";

const LIMIT = MAX_TOKENS + 8;

/** A list of words to compare: words of a reading, or single initials of one. Reused from call to call. */
export class Words {
  count = 0;
  union = 0;
  reading!: Reading;
  readonly token = new Int32Array(LIMIT);
  readonly start = new Int32Array(LIMIT);
  readonly length = new Int32Array(LIMIT);
  readonly word = new Int32Array(LIMIT);
  readonly key = new Int32Array(LIMIT);
  readonly flags = new Int32Array(LIMIT);
  readonly mask = new Int32Array(LIMIT);

  clear(reading: Reading): void {
    this.reading = reading;
    this.count = 0;
    this.union = 0;
  }

  /** Adds a whole word of the reading. */
  add(token: number, personal: boolean): void {
    const { reading } = this;
    const at = this.count++;
    const word = reading.word[token]!;
    this.token[at] = token;
    this.start[at] = reading.start[token]!;
    this.length[at] = reading.length[token]!;
    this.word[at] = word;
    this.key[at] = personal && word > 0 ? word : reading.canon[token]!;
    this.flags[at] = reading.flags[token]!;
    this.mask[at] = reading.mask[token]!;
    this.union |= reading.flags[token]!;
  }

  /** Adds one letter of a word of the reading: an initial. */
  addLetter(token: number, offset: number): void {
    const at = this.count++;
    this.token[at] = token;
    this.start[at] = this.reading.start[token]! + offset;
    this.length[at] = 1;
    this.word[at] = 0;
    this.mask[at] = 0;
    this.key[at] = ~this.reading.codes[this.start[at]!]!;
    this.flags[at] = this.reading.length[token] === 1 ? this.reading.flags[token]! & PARTICLE : 0;
  }
}

/** Do two words have the same letters? */
export function sameLettersAt(a: Words, i: number, b: Words, j: number): boolean {
  const length = a.length[i]!;
  if (length !== b.length[j]) return false;
  const x = a.start[i]!;
  const y = b.start[j]!;
  const left = a.reading.codes;
  const right = b.reading.codes;
  for (let k = 0; k < length; k++) if (left[x + k] !== right[y + k]) return false;
  return true;
}

/** Are two words the same word, as far as the list was made for (organisations: abbreviations count as the word)? */
export function equalAt(a: Words, i: number, b: Words, j: number): boolean {
  const key = a.key[i]!;
  if (key === b.key[j]) return key > 0 || sameLettersAt(a, i, b, j);
  return false;
}

/** Could an ambiguous abbreviation on either side stand for the other word ("St" for "Street")? */
export function secondReadingAt(a: Words, i: number, b: Words, j: number): boolean {
  const left = secondOf[a.word[i]!]!;
  const right = secondOf[b.word[j]!]!;
  return (left !== 0 && left === b.key[j]) || (right !== 0 && right === a.key[i]);
}
