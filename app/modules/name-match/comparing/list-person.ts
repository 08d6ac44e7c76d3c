import type { Name } from "../parsing/name";
import { Code } from "../reading/characters";
import type { Reading } from "../reading/reading";
import { Gap, type Word } from "../reading/word";
import type { WordList } from "../reading/word-list";
import { Flag } from "../vocabulary/flags";

const UPPER_A = 65;
const LETTERS = 26;
const isUpper = (code: number) => code >= UPPER_A && code < UPPER_A + LETTERS;
const isLower = (code: number) => code >= Code.LowerA && code < Code.LowerA + LETTERS;
const VOWELS = new Set([..."aeiouy"].map((letter) => letter.charCodeAt(0)));
const MAX_INITIALS = 3;

function isWrittenInCapitals(text: string, { from, to }: Word): boolean {
  for (let k = from; k < to; k++) if (!isUpper(text.charCodeAt(k))) return false;
  return true;
}

function hasLowerAfter(text: string, from: number): boolean {
  for (let k = from; k < text.length; k++) if (isLower(text.charCodeAt(k))) return true;
  return false;
}

/** Are these two or three letters initials written together ("MJ Smith") rather than a name ("Jo Smith")? */
export function isInitials({ text }: Reading, word: Word): boolean {
  if (word.length > MAX_INITIALS) return false;
  if (word.length === 1) return true;
  if (word.to - word.from > word.length) return true;
  if (word.has(Flag.Personal | Flag.Particle | Flag.Link | Flag.Article)) return false;
  if (isWrittenInCapitals(text, word) && hasLowerAfter(text, word.to)) return true;
  for (let k = 0; k < word.length; k++) if (VOWELS.has(word.at(k))) return false;
  return true;
}

/** Adds a word of a person's name: initials one by one, everything else whole. */
export function addName(list: WordList, reading: Reading, word: Word): void {
  if (isInitials(reading, word)) {
    for (let k = 0; k < word.length; k++) list.add(reading.initial(word, k));
  } else list.add(word);
}

/** Are all words of the list whole, none of them initials? */
function areWhole(list: WordList, reading: Reading): boolean {
  for (let k = 0; k < list.count; k++)
    if (list.at(k).length <= MAX_INITIALS && isInitials(reading, list.at(k))) return false;
  return true;
}

/**
 * The words of one person, given names first: "SMITH, John" is "John Smith".
 * @param list to be filled, if the words as the name has them will not do
 */
export function listPerson({ reading, main, beforeComma }: Name, list: WordList): WordList {
  const { core } = main;
  if (beforeComma === 0 && areWhole(core, reading)) return core;
  list.clear();
  for (let k = beforeComma; k < core.count; k++) addName(list, reading, core.at(k));
  for (let k = 0; k < beforeComma; k++) addName(list, reading, core.at(k));
  return list;
}

/** Place of the first word of the surname: the last word with its particles and its hyphenated half. */
export function surnamePlace(list: WordList): number {
  let at = list.count - 1;
  while (at > 1) {
    const isHyphenated = (list.at(at).gap & Gap.Hyphen) !== 0;
    if (!isHyphenated && !list.at(at - 1).has(Flag.Particle)) break;
    at--;
  }
  return at < 0 ? 0 : at;
}

const MAX_PERSON = 6;

/** Could this list be one person's name: two to six words, one of them a known given name or an initial? */
export function looksPersonal(list: WordList): boolean {
  if (list.count < 2 || list.count > MAX_PERSON) return false;
  for (let k = 0; k < list.count; k++) {
    const word = list.at(k);
    if (word.length === 1) return true;
    if (word.has(Flag.Given) && !word.has(k === 0 ? Flag.State | Flag.Country : Flag.State | Flag.Country | Flag.Place))
      return true;
  }
  return false;
}
