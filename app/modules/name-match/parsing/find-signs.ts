import { Mark, type Reading } from "../reading/reading";
import { Gap, Role, type Word } from "../reading/word";
import { LEXICON } from "../vocabulary/words";
import type { Name } from "./name";

/** Trade mark, service mark, registered, copyright. */
const SIGNS = new Set(["tm", "sm", "r", "c"].map((letters) => LEXICON.get(letters).id));

/** Does a word stand by itself in round brackets? */
const isBracketed = ({ text }: Reading, { from, to }: Word) => text[from - 1] === "(" && text[to] === ")";

/** "Acme (TM)", "Acme (R)": a sign behind a word, typed as letters, is no word of the name. Behind an initial it is one. */
export function skipSigns({ reading }: Name): void {
  if ((reading.marks & Mark.Bracket) === 0) return;
  for (let k = 1; k < reading.count; k++) {
    const word = reading.word(k);
    if ((word.gap & Gap.Open) === 0 || !SIGNS.has(word.id) || !isBracketed(reading, word)) continue;
    if (reading.word(k - 1).length === 1) continue;
    word.role = Role.Skipped;
  }
}
