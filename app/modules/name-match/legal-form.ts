import { canonOf, formPlaceOf, wordId } from "./lexicon";
import type { Name, Segment } from "./name";
import { type Reading, Role } from "./reading";
import { LEGAL } from "./vocabulary/flags";

const PTY = wordId("pty");
const LTD = wordId("ltd");
const SLASH_FORM = wordId("p/l");
const SHORT_FORM = wordId("pl");

/** Proprietary company: "Pty Ltd" in any spelling. */
export const PTY_LTD = 8191 * PTY + LTD;
/** The last word was cut off or left out: "Pty". */
export const PTY_ONLY = PTY;
export const LTD_ONLY = LTD;

function isForm(reading: Reading, i: number): boolean {
  return (reading.flags[i]! & LEGAL) !== 0;
}

function take(segment: Segment, reading: Reading, i: number): void {
  reading.role[i] = Role.Legal;
  if (segment.formFirst < 0 || i < segment.formFirst) segment.formFirst = i;
  if (i > segment.formLast) segment.formLast = i;
}

/** Sets the form as a number that is equal for equal forms. */
function nameForm(segment: Segment, reading: Reading): void {
  let form = 0;
  for (let i = segment.first; i < segment.end; i++) {
    if (reading.role[i] !== Role.Legal) continue;
    const word = canonOf(reading.word[i]!);
    form = word === SLASH_FORM || word === SHORT_FORM ? PTY_LTD : (Math.imul(form, 8191) + word) | 0;
  }
  segment.form = form;
}

/**
 * Finds the legal form of a part: "Pty", "Ltd", "Inc" wherever they stand after the first word; forms that are also
 * ordinary letters ("NL", "AG", "OOO") only where registers put them.
 */
export function markLegalForm(name: Name, segment: Segment): void {
  const { reading } = name;
  segment.form = 0;
  segment.formFirst = -1;
  segment.formLast = -1;
  if ((reading.union & LEGAL) === 0) return;
  const { first, end } = segment;
  let found = false;
  for (let i = end - 1; i > first; i--) {
    if (reading.role[i] !== Role.Core || !isForm(reading, i)) continue;
    const place = formPlaceOf[reading.word[i]!]!;
    const last = i === end - 1 || reading.role[i + 1] !== Role.Core;
    if (place === 0 || last) {
      take(segment, reading, i);
      found = true;
    }
  }
  if (end - first > 1 && reading.role[first] === Role.Core && formPlaceOf[reading.word[first]!] === 2) {
    take(segment, reading, first);
    found = true;
  }
  if (found) nameForm(segment, reading);
}
