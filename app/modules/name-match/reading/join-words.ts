import { Flag } from "../vocabulary/flags";
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
    if (!first.has(Flag.Legal | Flag.Connector | Flag.State)) reading.define(first, 0);
  }
}

/** "LtdATF" is read as "Ltd ATF", "No1" as "No 1". */
export function splitGlued(reading: Reading): void {
  if ((reading.union & Flag.Glued) === 0) return;
  for (let i = 0; i < reading.count; i++) {
    const word = reading.word(i);
    if (word.has(Flag.Glued)) reading.split(word, word.entry.glue);
  }
}

function isPhrase(reading: Reading, at: number, { words }: Phrase): boolean {
  if (at + words.length > reading.count) return false;
  for (let k = words.length - 1; k > 0; k--) if (reading.word(at + k).id !== words[k]?.id) return false;
  return true;
}

/** The longest phrase that begins at a word. */
function phraseAt(reading: Reading, at: number): Phrase | undefined {
  const { phrases } = reading.word(at).entry;
  for (let k = 0; k < phrases.length; k++) {
    const phrase = phrases[k];
    if (phrase !== undefined && isPhrase(reading, at, phrase)) return phrase;
  }
  return undefined;
}

/** Reads "New South Wales" as "NSW", "as trustee for" as "ATF" and so on. */
export function joinPhrases(reading: Reading): void {
  if ((reading.union & Flag.Phrase) === 0) return;
  for (let i = 0; i < reading.count - 1; i++) {
    const word = reading.word(i);
    if (!word.has(Flag.Phrase)) continue;
    const phrase = phraseAt(reading, i);
    if (phrase === undefined) continue;
    reading.join(word, reading.word(i + phrase.words.length - 1));
    reading.define(word, phrase.meaning.id);
    word.hash = -phrase.meaning.id;
  }
}
