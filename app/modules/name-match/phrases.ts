import { phrasesOf } from "./lexicon";
import { Gap, Mark, type Reading } from "./reading";
import { forgetWord, joinTokens, replaceTokens } from "./token-edits";
import { CONNECTOR, LEGAL, PHRASE, STATE } from "./vocabulary/flags";

/** "A. B. C." and "A B C" are read as "ABC": initials are compared letter by letter where it matters. */
export function joinInitials(reading: Reading): void {
  if ((reading.marks & Mark.InitialRun) === 0) return;
  for (let i = 0; i < reading.count - 1; i++) {
    if (reading.length[i] !== 1) continue;
    let last = i;
    while (
      last + 1 < reading.count &&
      reading.length[last + 1] === 1 &&
      (reading.gap[last + 1]! & ~(Gap.Dot | Gap.Space)) === 0
    )
      last++;
    if (last === i) continue;
    joinTokens(reading, i, last);
    if ((reading.flags[i]! & (LEGAL | CONNECTOR | STATE)) === 0) forgetWord(reading, i);
  }
}

function phraseLength(reading: Reading, at: number, ids: readonly number[]): boolean {
  if (at + ids.length > reading.count) return false;
  for (let k = 1; k < ids.length; k++) if (reading.word[at + k] !== ids[k]) return false;
  return true;
}

/** Reads "New South Wales" as "NSW", "as trustee for" as "ATF" and so on. */
export function joinPhrases(reading: Reading): void {
  if ((reading.union & PHRASE) === 0) return;
  for (let i = 0; i < reading.count; i++) {
    if ((reading.flags[i]! & PHRASE) === 0) continue;
    const phrases = phrasesOf[reading.word[i]!];
    if (phrases === undefined) continue;
    for (const [ids, word] of phrases) {
      if (!phraseLength(reading, i, ids)) continue;
      replaceTokens(reading, i, i + ids.length - 1, word);
      break;
    }
  }
}
