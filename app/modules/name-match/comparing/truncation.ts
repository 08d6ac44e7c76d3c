import type { Reading } from "../reading/reading";

/**
 * Widths of the fields that cut names: 18 (direct entry lodgement reference) and 32 (account title), from the
 * Australian Payments Network's direct entry specification; 16 (name of remitter) and 35 and 140 of other schemes.
 */
const WIDTHS = new Set([16, 18, 32, 35, 140]);
const LEAST_LETTERS = 8;
/** Names of that length that end within a word were cut, whatever the width of the field. */
const MIN_CUT_WORD = 28;

/**
 * Is one name the other cut at the width of a field, or in the middle of its last word?
 * @param onlyWithin whether a name that ends with a whole word counts as left as it is: "Acme Developments" beside
 *   "Acme Developments Pty Ltd"
 */
export function isCutOff(a: Reading, b: Reading, onlyWithin = false): boolean {
  return a.size < b.size ? isStartOf(a, b, onlyWithin) : isStartOf(b, a, onlyWithin);
}

function isStartOf(short: Reading, long: Reading, onlyWithin: boolean): boolean {
  const { size } = short;
  if (size >= long.size || size < LEAST_LETTERS || short.count < 2) return false;
  for (let k = 0; k < size; k++) if (short.letters[k] !== long.letters[k]) return false;
  const width = short.text.length;
  const isWidth = WIDTHS.has(width);
  if (!isWidth && width < MIN_CUT_WORD) return false;
  return (isWidth && !onlyWithin) || !endsWordAt(long, size);
}

/** Does a word of the name end after that many letters? */
function endsWordAt(reading: Reading, size: number): boolean {
  for (let k = 0; k < reading.count; k++) {
    const word = reading.word(k);
    if (word.start + word.length >= size) return word.start + word.length === size;
  }
  return false;
}
