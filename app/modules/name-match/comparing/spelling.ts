import { Word } from "../reading/word";

/** Longest sound that is written down. */
const ROW = 80;

/** Words longer than this are never read as typing errors of each other. */
export const MAX_WORD = 64;

/** Letters that one number has a bit for. */
const BITS = 31;

/** Where a letter stands between two places, as bits. */
function placesOf(letter: number, letters: Uint16Array, from: number, end: number): number {
  let places = 0;
  for (let k = from; k < end; k++) if (letters[k] === letter) places |= 1 << (k - from);
  return places;
}

/** Compares how words are written and said. It keeps what it works in; one serves all comparisons. */
export class Speller {
  /** The letters that are compared, without those that both words begin or end with. */
  private xFrom = 0;
  private xEnd = 0;
  private yFrom = 0;
  private yEnd = 0;
  /** Words to write whole names into. */
  readonly together = new Word(new Uint16Array(MAX_WORD + 1));
  readonly otherTogether = new Word(new Uint16Array(MAX_WORD + 1));
  private readonly sound = new Uint16Array(ROW);
  private readonly otherSound = new Uint16Array(ROW);

  /**
   * Edits between two words: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment,
   * Damerau 1964), not counted beyond `limit` nor where more than 31 letters lie between the first and the last edit.
   * @returns 0..limit, or limit + 1 when there are more
   */
  editDistance(a: Word, b: Word, limit: number): number {
    if (leastEditsOf(a.mask, b.mask, b.length - a.length) > limit) return limit + 1;
    if (a.length > MAX_WORD || b.length > MAX_WORD) return limit + 1;
    this.leaveOutShared(a, b);
    const rows = this.xEnd - this.xFrom;
    const columns = this.yEnd - this.yFrom;
    if (rows === 0 || columns === 0) return rows + columns;
    if (rows === 1 && columns === 1) return 1;
    if (rows > BITS) return limit + 1;
    const edits = this.countEdits(a.letters, b.letters);
    return edits > limit ? limit + 1 : edits;
  }

  private leaveOutShared(a: Word, b: Word): void {
    const x = a.letters;
    const y = b.letters;
    let xFrom = a.start;
    let yFrom = b.start;
    let xEnd = xFrom + a.length;
    let yEnd = yFrom + b.length;
    while (xFrom < xEnd && yFrom < yEnd && x[xFrom] === y[yFrom]) {
      xFrom++;
      yFrom++;
    }
    while (xFrom < xEnd && yFrom < yEnd && x[xEnd - 1] === y[yEnd - 1]) {
      xEnd--;
      yEnd--;
    }
    this.xFrom = xFrom;
    this.xEnd = xEnd;
    this.yFrom = yFrom;
    this.yEnd = yEnd;
  }

  /**
   * The table of edits column by column, a column as two numbers: bit i says whether the count grows or shrinks from
   * row i to row i + 1 (Hyyro 2003, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances").
   */
  private countEdits(x: Uint16Array, y: Uint16Array): number {
    const { xFrom, xEnd, yFrom, yEnd } = this;
    const lastRow = 1 << (xEnd - xFrom - 1);
    let edits = xEnd - xFrom;
    let grows = -1;
    let shrinks = 0;
    let equal = 0;
    let placesBefore = 0;
    for (let j = yFrom; j < yEnd; j++) {
      const places = placesOf(y[j] ?? 0, x, xFrom, xEnd);
      const swapped = ((~equal & places) << 1) & placesBefore;
      equal = (((places & grows) + grows) ^ grows) | places | shrinks | swapped;
      const added = shrinks | ~(equal | grows);
      const removed = equal & grows;
      if ((added & lastRow) !== 0) edits++;
      if ((removed & lastRow) !== 0) edits--;
      const grown = (added << 1) | 1;
      grows = (removed << 1) | ~(equal | grown);
      shrinks = grown & equal;
      placesBefore = places;
    }
    return edits;
  }

  /** Would two names be said alike ("Smith", "Smyth"; "Stevens", "Stephens"; "Petersen", "Peterson")? */
  soundsAlike(a: Word, b: Word): boolean {
    const size = writeSound(a, this.sound);
    if (size !== writeSound(b, this.otherSound)) return false;
    for (let k = 0; k < size; k++) if (this.sound[k] !== this.otherSound[k]) return false;
    return true;
  }
}

/** Letters that are said in a way of their own. */
enum Letter {
  A = 97,
  C = 99,
  E = 101,
  F = 102,
  H = 104,
  I = 105,
  K = 107,
  M = 109,
  N = 110,
  O = 111,
  P = 112,
  Q = 113,
  S = 115,
  V = 118,
  Y = 121,
  Z = 122,
}

/** A rough Australian pronunciation: doubled letters once, c/k/ck, ph/v/f, y/i, s/z alike, silent last e, Mc = Mac. */
function writeSound(word: Word, out: Uint16Array): number {
  const end = Math.min(word.length, ROW - 4);
  let size = 0;
  let at = 0;
  if (word.length > 3 && word.at(0) === Letter.M && word.at(1) === Letter.C) {
    out[size++] = Letter.M;
    out[size++] = Letter.A;
    out[size++] = Letter.K;
    at = 2;
  }
  while (at < end) {
    const spoken = soundAt(word, at, end);
    at += spoken >= TWO_LETTERS ? 2 : 1;
    const code = spoken & (TWO_LETTERS - 1);
    if (code !== 0 && !(size > 0 && out[size - 1] === code)) out[size++] = code;
  }
  return size;
}

/** Added to a sound that two letters make. */
const TWO_LETTERS = 1 << 16;

/** The sound of the letter at a place, 0 when it is silent. */
function soundAt(word: Word, at: number, end: number): number {
  const code = word.at(at);
  const next = at + 1 < end ? word.at(at + 1) : 0;
  switch (code) {
    case Letter.C:
      return next === Letter.K ? 0 : Letter.K;
    case Letter.Q:
      return Letter.K;
    case Letter.P:
      return next === Letter.H ? TWO_LETTERS + Letter.V : code;
    case Letter.F:
      return Letter.V;
    case Letter.Y:
      return Letter.I;
    case Letter.I:
      return next === Letter.E ? TWO_LETTERS + code : code;
    case Letter.Z:
      return Letter.S;
    case Letter.H:
      return at > 0 ? 0 : code;
    case Letter.E:
      return soundOfE(word, at, end);
    default:
      return code;
  }
}

function soundOfE(word: Word, at: number, end: number): number {
  if (at === end - 1) return 0;
  const next = word.at(at + 1);
  if (next === Letter.I || next === Letter.Y || next === Letter.E || next === Letter.A) return TWO_LETTERS + Letter.I;
  const isSon = next === Letter.N && at + 2 === end && at > 0 && word.at(at - 1) === Letter.S;
  return isSon ? Letter.O : Letter.E;
}

/** 1 for any number but 0, without a branch. */
export const isSome = (bits: number): number => (bits | -bits) >>> 31;

/** How many members a set of bits has. */
export function countBits(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Least number of edits between two words by their letters alone: an edit changes at most two bits of the sets.
 * @param x letters of a word as a set of bits
 */
export const leastEdits = (x: number, y: number): number => (countBits(x ^ y) + 1) >> 1;

/**
 * The same, with the lengths of the words: a letter that only the longer has was inserted or substituted, one that only
 * the shorter has was deleted or substituted, and there is an insertion for each letter that the longer is longer by.
 * @param gap how much longer the second word is than the first; negative when it is shorter
 */
export const leastEditsOf = (x: number, y: number, gap: number): number =>
  Math.max(countBits(x & ~y) + Math.max(gap, 0), countBits(y & ~x) + Math.max(-gap, 0));

/** Letters as a set of bits. */
export const setOf = (letters: string): number =>
  [...letters].reduce((set, letter) => set | (1 << letter.charCodeAt(0)), 0);

const SILENT = ~setOf("aeiouyh");
const HARD_C = setOf("ckq");
const HISSING = setOf("sz");
const LIPS = setOf("pfv");

/** Consonants that no other letter sounds like. */
const OF_ONE_SOUND = SILENT & ~(HARD_C | HISSING | LIPS);

const hasEither = (x: number, y: number, letters: number) => ((x & letters) !== 0) === ((y & letters) !== 0);

/** Do two words, as sets of letters, have the same consonants, letters that sound alike taken as one? */
export const haveLikeConsonants = (x: number, y: number): boolean =>
  ((x ^ y) & OF_ONE_SOUND) === 0 && hasEither(x, y, HARD_C) && hasEither(x, y, HISSING) && hasEither(x, y, LIPS);

/** The letters of a word as a set, the vowels left out and consonants that sound alike as one: equal for words of like consonants. */
export const saidOf = (letters: number): number =>
  (letters & OF_ONE_SOUND) | heardIn(letters, HARD_C) | heardIn(letters, HISSING) | heardIn(letters, LIPS);

/** One of the letters for all of them. */
const heardIn = (letters: number, alike: number): number => alike & -alike & -isSome(letters & alike);

/** Letters two words share from the start. */
export function commonPrefix(a: Word, b: Word): number {
  const end = a.length < b.length ? a.length : b.length;
  let k = 0;
  while (k < end && a.letters[a.start + k] === b.letters[b.start + k]) k++;
  return k;
}

/** Is the longer word the plural (or the possessive) of the shorter: "-s", "-es", "-y" and "-ies"? */
export function isPlural(a: Word, b: Word): boolean {
  if (a.length > b.length) return isPlural(b, a);
  if (a.length < 3 || b.at(b.length - 1) !== Letter.S) return false;
  const shared = commonPrefix(a, b);
  const more = b.length - a.length;
  if (shared === a.length) return more === 1 || (more === 2 && b.at(b.length - 2) === Letter.E);
  return (
    more === 2 &&
    shared === a.length - 1 &&
    a.at(shared) === Letter.Y &&
    b.at(shared) === Letter.I &&
    b.at(shared + 1) === Letter.E
  );
}
