const ROW = 80;
let previous = new Int32Array(ROW);
let current = new Int32Array(ROW);
let older = new Int32Array(ROW);

/** Words longer than this are never read as typing errors of each other. */
export const MAX_WORD = 64;

/**
 * Edits between two words: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment;
 * Damerau 1964, Wagner and Fischer 1974), not counted beyond `limit`.
 * @returns 0..limit, or limit + 1 when there are more
 */
export function editDistance(
  x: Uint16Array,
  xStart: number,
  xLength: number,
  y: Uint16Array,
  yStart: number,
  yLength: number,
  limit: number,
): number {
  const gap = xLength - yLength;
  if (gap > limit || -gap > limit || xLength > MAX_WORD || yLength > MAX_WORD) return limit + 1;
  while (xLength > 0 && yLength > 0 && x[xStart] === y[yStart]) {
    xStart++;
    yStart++;
    xLength--;
    yLength--;
  }
  while (xLength > 0 && yLength > 0 && x[xStart + xLength - 1] === y[yStart + yLength - 1]) {
    xLength--;
    yLength--;
  }
  if (xLength === 0) return yLength;
  if (yLength === 0) return xLength;
  for (let j = 0; j <= yLength; j++) previous[j] = j;
  for (let i = 1; i <= xLength; i++) {
    const code = x[xStart + i - 1]!;
    current[0] = i;
    let best = i;
    for (let j = 1; j <= yLength; j++) {
      const other = y[yStart + j - 1]!;
      let cost = previous[j - 1]! + (code === other ? 0 : 1);
      const removed = previous[j]! + 1;
      if (removed < cost) cost = removed;
      const added = current[j - 1]! + 1;
      if (added < cost) cost = added;
      if (i > 1 && j > 1 && code === y[yStart + j - 2] && x[xStart + i - 2] === other) {
        const swapped = older[j - 2]! + 1;
        if (swapped < cost) cost = swapped;
      }
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    const recycled = older;
    older = previous;
    previous = current;
    current = recycled;
  }
  const edits = previous[yLength]!;
  return edits > limit ? limit + 1 : edits;
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
export function commonPrefix(
  x: Uint16Array,
  xStart: number,
  xLength: number,
  y: Uint16Array,
  yStart: number,
  yLength: number,
): number {
  const end = xLength < yLength ? xLength : yLength;
  let k = 0;
  while (k < end && x[xStart + k] === y[yStart + k]) k++;
  return k;
}

const S = 115;
const E = 101;
const I = 105;
const Y = 121;

/** Is the longer word the plural (or the possessive) of the shorter: "-s", "-es", "-y" and "-ies"? */
export function isPlural(
  x: Uint16Array,
  xStart: number,
  xLength: number,
  y: Uint16Array,
  yStart: number,
  yLength: number,
): boolean {
  if (xLength > yLength) return isPlural(y, yStart, yLength, x, xStart, xLength);
  if (xLength < 3 || y[yStart + yLength - 1] !== S) return false;
  const shared = commonPrefix(x, xStart, xLength, y, yStart, yLength);
  if (shared === xLength) {
    return yLength === xLength + 1 || (yLength === xLength + 2 && y[yStart + yLength - 2] === E);
  }
  return (
    yLength === xLength + 2 &&
    shared === xLength - 1 &&
    x[xStart + shared] === Y &&
    y[yStart + shared] === I &&
    y[yStart + shared + 1] === E
  );
}

const SOUND = new Uint16Array(ROW);
const OTHER_SOUND = new Uint16Array(ROW);
const MAC = [109, 97, 107];

/** A rough Australian pronunciation: doubled letters once, c/k/ck, ph/v/f, y/i, s/z alike, silent last e, Mc = Mac. */
function sound(codes: Uint16Array, start: number, length: number, out: Uint16Array): number {
  let size = 0;
  let at = 0;
  const end = length < ROW - 4 ? length : ROW - 4;
  if (length > 3 && codes[start] === 109 && codes[start + 1] === 99) {
    for (const code of MAC) out[size++] = code;
    at = 2;
  }
  for (; at < end; at++) {
    let code = codes[start + at]!;
    const next = at + 1 < end ? codes[start + at + 1]! : 0;
    if (code === 99 && next === 107) continue;
    if (code === 99 || code === 113) code = 107;
    else if (code === 112 && next === 104) {
      code = 118;
      at++;
    } else if (code === 102) code = 118;
    else if (code === 121) code = 105;
    else if (code === 105 && next === 101) at++;
    else if (code === 122) code = 115;
    else if (code === 104 && at > 0) continue;
    else if (code === 101) {
      if (at === end - 1) continue;
      if (next === 105 || next === 121 || next === 101 || next === 97) {
        code = 105;
        at++;
      }
      if (next === 110 && at + 2 === end && codes[start + at - 1] === 115) code = 111;
    }
    if (size > 0 && out[size - 1] === code) continue;
    out[size++] = code;
  }
  if (size > 1 && out[size - 1] === 101) size--;
  return size;
}

const MAX_SOUND_GAP = 3;

/** Would two names be said alike ("Smith", "Smyth"; "Stevens", "Stephens"; "Petersen", "Peterson")? */
export function soundsAlike(
  x: Uint16Array,
  xStart: number,
  xLength: number,
  y: Uint16Array,
  yStart: number,
  yLength: number,
): boolean {
  if (xLength - yLength > MAX_SOUND_GAP || yLength - xLength > MAX_SOUND_GAP) return false;
  const size = sound(x, xStart, xLength, SOUND);
  if (size !== sound(y, yStart, yLength, OTHER_SOUND)) return false;
  for (let k = 0; k < size; k++) if (SOUND[k] !== OTHER_SOUND[k]) return false;
  return true;
}
