import type { Reading } from "../reading/reading";
import { Role } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { LEXICON } from "../vocabulary/words";
import type { Part } from "./name";

const PTY = LEXICON.get("pty").id;
const LTD = LEXICON.get("ltd").id;
/** "P/L" and "PL" are "Pty Ltd" in one word. */
const P_L = LEXICON.get("p/l").id;
const PL = LEXICON.get("pl").id;
const FACTOR = 8191;

/** Proprietary company: "Pty Ltd" in any spelling. */
export const PTY_LTD = FACTOR * PTY + LTD;
/** The last word was cut off or left out: "Pty". */
export const PTY_ONLY = PTY;
export const LTD_ONLY = LTD;

export const isCompany = (form: number): boolean => form === PTY_LTD || form === PTY_ONLY || form === LTD_ONLY;

/** The form as a number that is equal for equal forms. */
function numberOf(reading: Reading, part: Part): number {
  let form = 0;
  for (let k = part.from; k < part.end; k++) {
    const { role, meaning } = reading.word(k);
    if (role !== Role.Legal) continue;
    form = meaning === P_L || meaning === PL ? PTY_LTD : (Math.imul(form, FACTOR) + meaning) | 0;
  }
  return form;
}

/**
 * Finds the legal form of a part: "Pty", "Ltd", "Inc" wherever they stand after the first word; forms that are also
 * ordinary letters ("NL", "AG", "OOO") only where registers put them.
 */
export function findLegalForm(reading: Reading, part: Part): void {
  if ((reading.union & Flag.Legal) === 0) return;
  const { from, end, formWords } = part;
  for (let k = end - 1; k > from; k--) {
    const word = reading.word(k);
    if (word.role !== Role.Core || !word.has(Flag.Legal)) continue;
    const isLast = k === end - 1 || reading.word(k + 1).role !== Role.Core;
    if (word.has(Flag.EndForm) && !isLast) continue;
    word.role = Role.Legal;
    formWords.include(word);
  }
  if (end - from > 1) {
    const first = reading.word(from);
    if (first.role === Role.Core && first.has(Flag.Legal) && first.has(Flag.StartForm)) {
      first.role = Role.Legal;
      formWords.include(first);
    }
  }
  if (!formWords.isEmpty) part.form = numberOf(reading, part);
}
