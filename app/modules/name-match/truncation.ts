import type { Reading } from "./reading";

/**
 * Widths of the fields that cut names: 18 (direct entry lodgement reference) and 32 (account title), from the
 * Australian Payments Network's direct entry specification; 16 (name of remitter) and 35 and 140 of other schemes.
 */
const WIDTHS = new Set([16, 18, 32, 35, 140]);
const MIN_CUT_WORD = 28;

/** Is the shorter text the longer one cut at the width of a field (or in the middle of its last word)? */
export function isCutOff(short: Reading, long: Reading): boolean {
  const size = short.size;
  if (size >= long.size || size < 8 || short.text.length < 16 || short.count < 2) return false;
  for (let k = 0; k < size; k++) if (short.codes[k] !== long.codes[k]) return false;
  const width = short.text.length;
  if (WIDTHS.has(width)) return true;
  let end = 0;
  for (let i = 0; i < long.count; i++) {
    end = long.start[i]! + long.length[i]!;
    if (end >= size) break;
  }
  return end > size && width >= MIN_CUT_WORD;
}
