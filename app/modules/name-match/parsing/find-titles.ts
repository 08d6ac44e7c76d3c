import { Gap, Role, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import type { Name } from "./name";

/** Marks forms of address ("Mr", "The Hon"), letters after a name ("OAM") and "Jnr"/"Snr". */
export function findTitles(name: Name): void {
  if ((name.reading.union & (Flag.Title | Flag.Postnominal | Flag.Generation)) === 0) return;
  findFormsOfAddress(name);
  findLettersAfterName(name);
}

/** Can a form of address stand here: at the start, after another, after "and", after a comma or in brackets? */
function opensPerson(word: Word, before: Word | undefined): boolean {
  if (before === undefined || before.role === Role.Title || before.role === Role.Connector) return true;
  return before.has(Flag.And | Flag.Article) || (word.gap & (Gap.Comma | Gap.Open)) !== 0;
}

function findFormsOfAddress(name: Name): void {
  const { reading } = name;
  let before: Word | undefined;
  for (let k = 0; k < reading.count - 1; k++) {
    const word = reading.word(k);
    if (word.has(Flag.Title) && word.role === Role.Core && opensPerson(word, before)) {
      word.role = Role.Title;
      if (before?.has(Flag.Article)) before.role = Role.Title;
      name.title ??= word;
    }
    before = word;
  }
}

function findLettersAfterName(name: Name): void {
  const { reading } = name;
  let trailing = true;
  for (let k = reading.count - 1; k > 0; k--) {
    const endsPart = trailing || (k + 1 < reading.count && (reading.word(k + 1).gap & Gap.Comma) !== 0);
    if (!endsPart) continue;
    const word = reading.word(k);
    const afterComma = (word.gap & Gap.Comma) !== 0;
    if (word.has(Flag.Generation) && k > 1) {
      word.role = Role.Generation;
      name.generation = word;
    } else if (word.has(Flag.Postnominal) && (k > 1 || !trailing) && !afterComma) {
      word.role = Role.Postnominal;
      name.title ??= word;
    } else trailing = false;
  }
}
