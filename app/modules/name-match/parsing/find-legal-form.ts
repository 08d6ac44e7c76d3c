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
const PTYLTD = LEXICON.get("ptyltd").id;
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
    const word = reading.word(k);
    if (word.role !== Role.Legal) continue;
    const meaning = word.has(Flag.Legal) ? word.meaning : (word.entry.slipOf?.id ?? 0);
    form = meaning === P_L || meaning === PL || meaning === PTYLTD ? PTY_LTD : (Math.imul(form, FACTOR) + meaning) | 0;
  }
  return form;
}

/** "Pty Lt", "ty Ltd": beside one half of the form the other half may have a typing error. */
function findSlips(reading: Reading, part: Part): void {
  for (let k = part.from + 1; k < part.end; k++) {
    const word = reading.word(k);
    if (word.role !== Role.Core || !word.has(Flag.FormSlip)) continue;
    const half = word.entry.slipOf?.id;
    const before = reading.word(k - 1);
    const after = k + 1 < part.end ? reading.word(k + 1) : undefined;
    const endsForm = half === LTD && before.role === Role.Legal && before.meaning === PTY;
    const beginsForm = half === PTY && after?.role === Role.Legal && after.meaning === LTD;
    if (!endsForm && !beginsForm) continue;
    word.role = Role.Legal;
    part.formWords.include(word);
    part.isFormSlipped = true;
  }
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
  if (formWords.isEmpty) return;
  if ((reading.union & Flag.FormSlip) !== 0) findSlips(reading, part);
  part.form = numberOf(reading, part);
}
