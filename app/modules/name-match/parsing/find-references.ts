import { Code } from "../reading/characters";
import type { Reading } from "../reading/reading";
import { Gap, Role, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { LEXICON } from "../vocabulary/words";
import type { Name } from "./name";

const REGISTERED = new Set([LEXICON.get("abn").id, LEXICON.get("acn").id, LEXICON.get("arbn").id]);
const NUMBER_SIGNS = new Set([LEXICON.get("no").id, LEXICON.get("number").id]);
const SHORTEST_REGISTERED = 9;
const SHORTEST_LONG = 8;
const ABN_DIGITS = 11;

function isDigits(word: Word): boolean {
  for (let k = 0; k < word.length; k++) if (word.at(k) >= Code.DigitEnd) return false;
  return true;
}

/** "No 1", "Number One" and "#1" are "1". */
export function skipNumberSigns({ reading }: Name): void {
  if ((reading.union & Flag.Number) === 0) return;
  for (let k = 0; k + 1 < reading.count; k++) {
    const word = reading.word(k);
    if (NUMBER_SIGNS.has(word.meaning) && reading.word(k + 1).has(Flag.Number)) word.role = Role.Skipped;
  }
}

/** The first word from `from` on that is no number. */
function endOfDigits(reading: Reading, from: number): number {
  let end = from;
  while (end < reading.count && isDigits(reading.word(end))) end++;
  return end;
}

function countDigits(reading: Reading, from: number, end: number): number {
  let digits = 0;
  for (let k = from; k < end; k++) digits += reading.word(k).length;
  return digits;
}

/** What a word says of a reference that begins with it, if it can begin one. */
function referenceAt(reading: Reading, at: number): { end: number; isRegistered: boolean } | undefined {
  const word = reading.word(at);
  const isSignal = word.has(Flag.Reference);
  if (!isSignal && !(word.has(Flag.Number) && isDigits(word))) return undefined;
  const first = isSignal ? at + 1 : at;
  const end = endOfDigits(reading, first);
  const digits = countDigits(reading, first, end);
  const isRegistered = REGISTERED.has(word.id) && digits >= SHORTEST_REGISTERED;
  const isLong = !isSignal && digits >= SHORTEST_LONG;
  const isTrailing = isSignal && !isRegistered && (at === reading.count - 1 || digits > 0);
  if (!isRegistered && !isLong && !isTrailing) return undefined;
  if (end < reading.count && (reading.word(end).gap & Gap.Close) === 0) return undefined;
  return { end, isRegistered: isRegistered || (isLong && digits === ABN_DIGITS) };
}

/**
 * Finds what people type into a name field besides the name: an ABN or ACN (with its word, or 11 digits at the end),
 * a telephone number, "invoice 10482", "rent".
 */
export function findReference(name: Name): void {
  const { reading } = name;
  if ((reading.union & (Flag.Reference | Flag.Number)) === 0) return;
  for (let k = 1; k < reading.count; k++) {
    const found = referenceAt(reading, k);
    if (found === undefined) continue;
    for (let i = k; i < found.end; i++) {
      reading.word(i).role = Role.Reference;
      name.reference.include(reading.word(i));
    }
    name.isRegistered = found.isRegistered;
    return;
  }
}
