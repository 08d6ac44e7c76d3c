import { Word } from "../reading/word";

const ROW = 80;

/** Words longer than this are never read as typing errors of each other. */
export const MAX_WORD = 64;

type Letters = Readonly<Uint16Array>;
const NO_LETTERS: Letters = new Uint16Array(0);

/** Compares how words are written and said. It keeps the rows it works in; one serves all comparisons. */
export class Speller {
  private previous = new Int32Array(ROW);
  private current = new Int32Array(ROW);
  private older = new Int32Array(ROW);
  /** The letters that are compared, without those that both words begin or end with. */
  private x: Letters = NO_LETTERS;
  private y: Letters = NO_LETTERS;
  private xFrom = 0;
  private yFrom = 0;
  /** Words to write whole names into. */
  readonly together = new Word(new Uint16Array(MAX_WORD + 1));
  readonly otherTogether = new Word(new Uint16Array(MAX_WORD + 1));
  private readonly sound = new Uint16Array(ROW);
  private readonly otherSound = new Uint16Array(ROW);

  /**
   * Edits between two words: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment;
   * Damerau 1964, Wagner and Fischer 1974), not counted beyond `limit`.
   * @returns 0..limit, or limit + 1 when there are more
   */
  editDistance(a: Word, b: Word, limit: number): number {
    const gap = a.length - b.length;
    if (gap > limit || -gap > limit || a.length > MAX_WORD || b.length > MAX_WORD) return limit + 1;
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
    if (xEnd === xFrom) return yEnd - yFrom;
    if (yEnd === yFrom) return xEnd - xFrom;
    this.x = x;
    this.y = y;
    this.xFrom = xFrom;
    this.yFrom = yFrom;
    return this.countEdits(xEnd - xFrom, yEnd - yFrom, limit);
  }

  private countEdits(rows: number, columns: number, limit: number): number {
    for (let j = 0; j <= columns; j++) this.previous[j] = j;
    for (let i = 1; i <= rows; i++) {
      if (this.fillRow(i, columns) > limit) return limit + 1;
      const recycled = this.older;
      this.older = this.previous;
      this.previous = this.current;
      this.current = recycled;
    }
    const edits = this.previous[columns] ?? limit + 1;
    return edits > limit ? limit + 1 : edits;
  }

  /** @returns the least number in row `i` of the table */
  private fillRow(i: number, columns: number): number {
    const { previous, current, older, x, y } = this;
    const xAt = this.xFrom + i - 1;
    const code = x[xAt];
    current[0] = i;
    let best = i;
    for (let j = 1; j <= columns; j++) {
      const yAt = this.yFrom + j - 1;
      let cost = (previous[j - 1] ?? 0) + (code === y[yAt] ? 0 : 1);
      const removed = (previous[j] ?? 0) + 1;
      if (removed < cost) cost = removed;
      const added = (current[j - 1] ?? 0) + 1;
      if (added < cost) cost = added;
      if (i > 1 && j > 1 && code === y[yAt - 1] && x[xAt - 1] === y[yAt]) {
        const swapped = (older[j - 2] ?? 0) + 1;
        if (swapped < cost) cost = swapped;
      }
      current[j] = cost;
      if (cost < best) best = cost;
    }
    return best;
  }

  /** Would two names be said alike ("Smith", "Smyth"; "Stevens", "Stephens"; "Petersen", "Peterson")? */
  soundsAlike(a: Word, b: Word): boolean {
    if (a.length - b.length > MAX_SOUND_GAP || b.length - a.length > MAX_SOUND_GAP) return false;
    const size = writeSound(a, this.sound);
    if (size !== writeSound(b, this.otherSound)) return false;
    for (let k = 0; k < size; k++) if (this.sound[k] !== this.otherSound[k]) return false;
    return true;
  }
}

const MAX_SOUND_GAP = 3;
const [A, C, E, F, H, I, K, M, N, O, P, Q, S, V, Y, Z] = [..."acefhikmnopqsvyz"].map((letter) => letter.charCodeAt(0));

/** A rough Australian pronunciation: doubled letters once, c/k/ck, ph/v/f, y/i, s/z alike, silent last e, Mc = Mac. */
function writeSound(word: Word, out: Uint16Array): number {
  const end = Math.min(word.length, ROW - 4);
  let size = 0;
  let at = 0;
  if (word.length > 3 && word.at(0) === M && word.at(1) === C) {
    for (const code of [M, A, K]) out[size++] = code ?? 0;
    at = 2;
  }
  while (at < end) {
    const spoken = soundAt(word, at, end);
    at += spoken >= TWO_LETTERS ? 2 : 1;
    const code = spoken & (TWO_LETTERS - 1);
    if (code !== 0 && !(size > 0 && out[size - 1] === code)) out[size++] = code;
  }
  if (size > 1 && out[size - 1] === E) size--;
  return size;
}

/** Added to a sound that two letters make. */
const TWO_LETTERS = 1 << 16;

/** The sound of the letter at a place, 0 when it is silent. */
function soundAt(word: Word, at: number, end: number): number {
  const code = word.at(at);
  const next = at + 1 < end ? word.at(at + 1) : 0;
  switch (code) {
    case C:
      return next === K ? 0 : (K ?? 0);
    case Q:
      return K ?? 0;
    case P:
      return next === H ? TWO_LETTERS + (V ?? 0) : code;
    case F:
      return V ?? 0;
    case Y:
      return I ?? 0;
    case I:
      return next === E ? TWO_LETTERS + code : code;
    case Z:
      return S ?? 0;
    case H:
      return at > 0 ? 0 : code;
    case E:
      return soundOfE(word, at, end);
    default:
      return code;
  }
}

function soundOfE(word: Word, at: number, end: number): number {
  if (at === end - 1) return 0;
  const next = word.at(at + 1);
  if (next === I || next === Y || next === E || next === A) return TWO_LETTERS + (I ?? 0);
  const isSon = next === N && at + 2 === end && at > 0 && word.at(at - 1) === S;
  return isSon ? (O ?? 0) : (E ?? 0);
}

/**
 * Least number of edits between two words by their letters alone: an edit changes at most two bits of the sets.
 * @param x letters of a word as a set of bits
 */
export function leastEdits(x: number, y: number): number {
  let bits = x ^ y;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return ((Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24) + 1) >> 1;
}

const bit = (letters: string) => [...letters].reduce((bits, letter) => bits | (1 << letter.charCodeAt(0)), 0);
const SILENT = ~bit("aeiouyh");
const HARD_C = bit("ckq");
const HISSING = bit("sz");
const LIPS = bit("pfv");

/** The consonants of a word as a set of bits, letters that sound alike as one: equal for words that sound alike. */
export function soundBits(letters: number): number {
  let bits = letters & SILENT;
  if ((bits & HARD_C) !== 0) bits |= HARD_C;
  if ((bits & HISSING) !== 0) bits |= HISSING;
  if ((bits & LIPS) !== 0) bits |= LIPS;
  return bits;
}

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
  if (a.length < 3 || b.at(b.length - 1) !== S) return false;
  const shared = commonPrefix(a, b);
  const more = b.length - a.length;
  if (shared === a.length) return more === 1 || (more === 2 && b.at(b.length - 2) === E);
  return more === 2 && shared === a.length - 1 && a.at(shared) === Y && b.at(shared) === I && b.at(shared + 1) === E;
}
