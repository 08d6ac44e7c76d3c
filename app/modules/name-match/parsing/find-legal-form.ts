import { boundedEditDistance } from "~/kernel/edit-distance";
import { isAny, type Part, type Reading, Role, type Word, widen, wordAt } from "~/modules/name-match/name";
import { type Entry, entryOf, Flag } from "../vocabulary";

/** Proprietary company: "Pty Ltd" in any spelling. */
const PTY_LTD = "pty ltd";
/** The last word was cut off or omitted: "Pty". */
const PTY_ONLY = "pty";
const LTD_ONLY = "ltd";
const LTD = entryOf("ltd");
/** "P/L", "PL" and "PtyLtd" are "Pty Ltd" in one word. */
const IN_ONE_WORD = new Set([entryOf("p/l"), entryOf("pl"), entryOf("ptyltd")]);

export const isCompany = (form: string): boolean => form === PTY_LTD || form === PTY_ONLY || form === LTD_ONLY;

/** Spellings of the halves of "Pty Ltd", and how many typing errors each may have. */
const SPELLINGS: ReadonlyArray<readonly [half: string, text: string, slips: number]> = [
  [PTY_ONLY, "pty", 1],
  [PTY_ONLY, "proprietary", 2],
  [LTD_ONLY, "ltd", 1],
  [LTD_ONLY, "limited", 1],
];

const SHORT = 5;

/** Is there a vowel between two letters, so that the word can be pronounced ("Pay Ltd", "Pty Led")? */
const isSayable = (text: string) => /[aeiou]/.test(text.slice(1, -1));

/** Keeps its first or last letter; without both it is a different word ("Corporation" is not "Proprietary"). */
const keepsAnEnd = (text: string, known: string) => text[0] === known[0] || text.at(-1) === known.at(-1);

/** Is a word this half of the form with a typing error? Short pronounceable words count as words of their own. */
function isSlipOf(half: string, word: string): boolean {
  if (word.length < SHORT && isSayable(word)) return false;
  return SPELLINGS.some(
    ([of, text, slips]) => of === half && keepsAnEnd(word, text) && boundedEditDistance(word, text, slips) <= slips,
  );
}

/** "Pty Lt", "ty Ltd": next to one half of the form, the other half may have a typing error. */
function findSlip(words: readonly Word[], part: Part, half: Word): void {
  const other = part.form === PTY_ONLY ? LTD_ONLY : PTY_ONLY;
  const at = other === LTD_ONLY ? half.index + 1 : half.index - 1;
  const word = words[at];
  if (word === undefined || at <= part.from || at >= part.end) return;
  if (word.role !== Role.Core || !isSlipOf(other, word.text)) return;
  word.role = Role.Legal;
  part.formWords = widen(part.formWords, word);
  part.isFormSlipped = true;
  part.form = PTY_LTD;
}

/**
 * Finds the legal form of a part: "Pty", "Ltd", "Inc" anywhere after the first word; forms that are also ordinary
 * letters ("NL", "AG", "OOO") only where registers put them.
 */
export function findLegalForm(reading: Reading, part: Part): void {
  const { from, end } = part;
  let first: Word | undefined;
  let last: Word | undefined;
  let next: Word | undefined;
  for (let k = end - 1; k >= from && end - from > 1; k--) {
    const word = wordAt(reading, k);
    const isLast = next === undefined || next.role !== Role.Core;
    const isForm = k === from ? isAny(word, Flag.StartForm) : isLast || !isAny(word, Flag.EndForm);
    if (isForm && word.role === Role.Core && isAny(word, Flag.Legal)) {
      word.role = Role.Legal;
      first = word;
      last ??= word;
    }
    next = word;
  }
  if (first === undefined || last === undefined) return;
  part.formWords = { first, last };
  for (let k = first.index; k <= last.index; k++) {
    const { role, entry } = wordAt(reading, k);
    if (role === Role.Legal) part.form = continueForm(part.form, entry.meaning);
  }
  if (part.form === PTY_ONLY || part.form === LTD_ONLY) findSlip(reading.words, part, first);
}

/** Extends the form by a word, in its canonical spelling. */
function continueForm(form: string, meaning: Entry): string {
  if (IN_ONE_WORD.has(meaning) || (form === PTY_ONLY && meaning === LTD)) return PTY_LTD;
  return form === "" ? meaning.text : `${form} ${meaning.text}`;
}
