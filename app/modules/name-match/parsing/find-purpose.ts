import type { Reading } from "../reading/reading";
import { Role } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { LEXICON } from "../vocabulary/words";
import type { Part } from "./name";

const TRUST = LEXICON.get("trust").id;

/** Finds words that say what the account is for: "Payroll Account", "Trust A/C". They name no other holder. */
export function findPurpose(reading: Reading, part: Part): void {
  if ((reading.union & Flag.Purpose) === 0) return;
  let before = part.end - 1;
  while (before > part.from + 1 && reading.word(before).has(Flag.Purpose)) before--;
  if (before === part.end - 1 || before < 0) return;
  if (reading.word(before).meaning === TRUST && before > part.from + 1) before--;
  let purpose = 0;
  for (let k = before + 1; k < part.end; k++) {
    const word = reading.word(k);
    word.role = Role.Purpose;
    part.purposeWords.include(word);
    purpose = (Math.imul(purpose, 31) + word.meaning) | 0;
  }
  part.purpose = purpose;
}
