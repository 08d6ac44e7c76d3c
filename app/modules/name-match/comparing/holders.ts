import type { Name } from "../parsing/name";
import { Gap, Role, type Word } from "../reading/word";
import { WordList } from "../reading/word-list";
import { Flag } from "../vocabulary/flags";
import { LEXICON } from "../vocabulary/words";
import { addName } from "./list-person";

const OR = LEXICON.get("or").id;
const OTHERS = LEXICON.get("others").id;
const MAX_HOLDERS = 4;

/** Does the word separate two holders ("&", "and", "or")? */
export const separates = (word: Word): boolean => word.role === Role.And || word.meaning === OR;

/** The holders of one account, taken from its name. */
export class Holders {
  count = 0;
  /** "Mr & Mrs": holders of whom only the title is given. */
  unnamed = 0;
  /** Written with "or": either may sign. */
  either = false;
  private readonly people = Array.from({ length: MAX_HOLDERS }, () => new WordList());
  /** For each holder, the place of the other account's holder that was found to be the same person, or -1. */
  private readonly partners = new Int8Array(MAX_HOLDERS);

  person(holder: number): WordList {
    const person = this.people[holder];
    if (person === undefined) throw new RangeError(`There is no holder ${holder}.`);
    return person;
  }

  partnerOf(holder: number): number {
    return this.partners[holder] ?? -1;
  }

  pair(holder: number, partner: number): void {
    this.partners[holder] = partner;
  }

  /** Takes a name apart at "&", "and" and "or", and gives every holder the surname they share. */
  split(name: Name): void {
    this.count = 0;
    this.unnamed = 0;
    this.either = false;
    this.partners.fill(-1);
    for (const person of this.people) person.clear();
    this.listPeople(name);
    if (name.beforeComma > 0) this.shareLeadingSurname(name);
    else this.shareSurname(name);
  }

  private listPeople(name: Name): void {
    const { reading, main } = name;
    let isTitled = false;
    const from = name.beforeComma > 0 ? main.core.at(name.beforeComma).index : 0;
    for (let k = from; k < main.end; k++) {
      const word = reading.word(k);
      if (separates(word)) {
        if (word.meaning === OR) this.either = true;
        if (pairsTitles(name, k)) continue;
        this.close(isTitled);
        isTitled = false;
        if (this.count === MAX_HOLDERS) return;
        continue;
      }
      if (word.meaning === OTHERS) {
        this.unnamed++;
        continue;
      }
      if (word.role === Role.Title) isTitled = true;
      if (word.role === Role.Core && !word.has(Flag.Article)) addName(this.person(this.count), reading, word);
    }
    this.close(isTitled);
  }

  private close(isTitled: boolean): void {
    if (this.person(this.count).count > 0) this.count++;
    else if (isTitled) this.unnamed++;
  }

  /** "Smith, Raymond & Jennifer" are two Smiths. */
  private shareLeadingSurname({ reading, main, beforeComma }: Name): void {
    for (let h = 0; h < this.count; h++) {
      const person = this.person(h);
      if (h > 0 && !isBare(person)) continue;
      for (let k = 0; k < beforeComma; k++) addName(person, reading, main.core.at(k));
    }
  }

  /** "Raymond & Jennifer Smith" are two Smiths; so are "SMITH Raymond & Jennifer". */
  private shareSurname({ reading }: Name): void {
    if (this.count < 2) return;
    const last = this.person(this.count - 1);
    if (!isBare(last)) {
      for (let h = this.count - 2; h >= 0; h--) {
        const person = this.person(h);
        if (!isBare(person) && !isGivenOnly(person)) continue;
        const next = this.person(h + 1);
        for (let k = surnameAt(next); k < next.count; k++) person.add(reading.word(next.at(k).index));
      }
      return;
    }
    const first = this.person(0);
    if (isBare(first)) return;
    const surname = reading.word((leadsWithSurname(first) ? first.at(0) : first.at(first.count - 1)).index);
    for (let h = 1; h < this.count; h++) this.person(h).add(surname);
    if (leadsWithSurname(first)) first.rotate(1);
  }
}

/** "Mr and Mrs Tobias and Odette Farley": the first "and" joins titles, not holders. */
function pairsTitles({ reading }: Name, at: number): boolean {
  if (at === 0 || at + 1 >= reading.count) return false;
  if (reading.word(at - 1).role !== Role.Title || reading.word(at + 1).role !== Role.Title) return false;
  for (let k = at + 2; k < reading.count; k++) if (separates(reading.word(k))) return true;
  return false;
}

/** Is a holder given without a surname: one word, or nothing but initials? */
const isBare = (person: WordList) => person.count === 1 || !person.some((word) => word.length > 1);

/** "Ian Robert & Diane Elizabeth McCauley": two given names, of which the last is no surname. */
const isGivenOnly = (person: WordList) => person.count === 2 && (person.at(1).flags & Flag.Personal) === Flag.Given;

function surnameAt(person: WordList): number {
  let at = person.count - 1;
  while (at > 1 && (person.at(at).gap & Gap.Hyphen) !== 0) at--;
  return at;
}

function leadsWithSurname(person: WordList): boolean {
  const { flags } = person.at(0);
  const leads = (flags & Flag.Surname) !== 0 || (flags & Flag.Personal) === 0;
  const trails = (person.at(person.count - 1).flags & Flag.Personal) === Flag.Surname;
  return leads && !trails;
}
