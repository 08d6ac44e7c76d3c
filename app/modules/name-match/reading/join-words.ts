import { CONNECTOR, LEGAL, PHRASE, STATE } from "../vocabulary/flags";
import type { Phrase } from "../vocabulary/lexicon";
import { Mark, type Reading } from "./reading";
import { Gap, type Word } from "./word";

/** Does the word go on a run of initials ("A. B", "A B")? */
const continuesInitials = ({ length, gap }: Word) => length === 1 && (gap & ~(Gap.Dot | Gap.Space)) === 0;

/** "A. B. C." and "A B C" are read as "ABC": initials are compared letter by letter where it matters. */
export function joinInitials(reading: Reading): void {
  if ((reading.marks & Mark.InitialRun) === 0) return;
  for (let i = 0; i < reading.count - 1; i++) {
    const first = reading.word(i);
    if (first.length !== 1) continue;
    let last = i;
    while (last + 1 < reading.count && continuesInitials(reading.word(last + 1))) last++;
    if (last === i) continue;
    reading.join(first, reading.word(last));
    reading.reread(first);
    if (!first.has(LEGAL | CONNECTOR | STATE)) reading.define(first, 0);
  }
}

function isPhrase(reading: Reading, at: number, { words }: Phrase): boolean {
  if (at + words.length > reading.count) return false;
  return words.every((entry, k) => reading.word(at + k).id === entry.id);
}

/** Reads "New South Wales" as "NSW", "as trustee for" as "ATF" and so on. */
export function joinPhrases(reading: Reading): void {
  if ((reading.union & PHRASE) === 0) return;
  for (let i = 0; i < reading.count; i++) {
    const word = reading.word(i);
    if (!word.has(PHRASE)) continue;
    const phrase = word.entry.phrases.find((candidate) => isPhrase(reading, i, candidate));
    if (phrase === undefined) continue;
    reading.join(word, reading.word(i + phrase.words.length - 1));
    reading.define(word, phrase.meaning.id);
    word.hash = -phrase.meaning.id;
  }
}
