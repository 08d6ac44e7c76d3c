import { wordId } from "./lexicon";
import type { Name } from "./name";
import { Gap, Role } from "./reading";
import { NUMBER, REFERENCE } from "./vocabulary/flags";

const ABN = wordId("abn");
const ACN = wordId("acn");
const ARBN = wordId("arbn");
const NO = wordId("no");
const NUMBER_WORD = wordId("number");

function isDigits(name: Name, i: number): boolean {
  const { reading } = name;
  const start = reading.start[i]!;
  for (let k = start; k < start + reading.length[i]!; k++) if (reading.codes[k]! > 57) return false;
  return true;
}

/** "No 1", "Number One" and "#1" are "1". */
export function markNumberSigns(name: Name): void {
  const { reading } = name;
  if ((reading.union & NUMBER) === 0) return;
  for (let i = 0; i + 1 < reading.count; i++) {
    const word = reading.canon[i];
    if ((word === NO || word === NUMBER_WORD) && (reading.flags[i + 1]! & NUMBER) !== 0) reading.role[i] = Role.Skipped;
  }
}

function digitsFrom(name: Name, from: number): number {
  const { reading } = name;
  let digits = 0;
  let i = from;
  while (i < reading.count && isDigits(name, i)) digits += reading.length[i++]!;
  return digits;
}

/**
 * Finds what people type into a name field besides the name: an ABN or ACN (with its word, or 11 digits at the end),
 * a telephone number, "invoice 10482", "rent".
 */
export function markReferences(name: Name): void {
  name.referenceFirst = -1;
  name.referenceLast = -1;
  name.registered = false;
  const { reading } = name;
  const { flags, count, role } = reading;
  if ((reading.union & (REFERENCE | NUMBER)) === 0) return;
  for (let i = 1; i < count; i++) {
    const word = reading.word[i]!;
    const signal = (flags[i]! & REFERENCE) !== 0;
    const numeric = (flags[i]! & NUMBER) !== 0 && isDigits(name, i);
    if (!signal && !numeric) continue;
    const digits = digitsFrom(name, signal ? i + 1 : i);
    const registered = (word === ABN || word === ACN || word === ARBN) && digits >= 9;
    const long = !signal && digits >= 8;
    const trailing = signal && !registered && (i === count - 1 || digits > 0);
    if (!registered && !long && !trailing) continue;
    let end = i + 1;
    while (end < count && isDigits(name, end)) end++;
    if (end < count && (reading.gap[end]! & Gap.Close) === 0) continue;
    for (let k = i; k < end; k++) role[k] = Role.Reference;
    name.referenceFirst = i;
    name.referenceLast = end - 1;
    name.registered = registered || (long && digits === 11);
    return;
  }
}
