import { Code } from "../reading/characters";
import { Mark, type Reading } from "../reading/reading";
import { Gap, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";

/** Names of more words are compared in full. */
const MOST_WORDS = 31;
/** So are numbers, which can look like letters, and names with letters that imitate others. */
const HARD = Mark.Digit | Mark.Homoglyph;
/** "Mr & Mrs": titles can stand for a holder. */
const COUPLE = Flag.Title | Flag.And;

/** Words that need not tell who it is. */
const STRUCTURE =
  Flag.Title |
  Flag.Postnominal |
  Flag.Generation |
  Flag.Legal |
  Flag.Entity |
  Flag.Purpose |
  Flag.Reference |
  Flag.Article;

/** What is kept of each word, number by number: close together in memory, because many names are gone through. */
export enum Fact {
  /** Place among the words of the name. */
  Index = 0,
  Mask = 1,
  Meaning = 2,
  Kin = 3,
  Flags = 4,
  Length = 5,
  /** The first two letters, the first one from `SECOND_LETTER` on. */
  First = 6,
  /** How many there are. */
  Count = 7,
}

export const SECOND_LETTER = 1 << 16;

/** How many letters `opening` has, and their bits. */
const OPENING = 4;
const LETTER_BITS = 8;

function hasDigit({ letters, size }: Reading): boolean {
  for (let k = 0; k < size; k++) if ((letters[k] ?? 0) < Code.DigitEnd) return true;
  return false;
}

const isHard = (reading: Reading) =>
  reading.count > MOST_WORDS ||
  (reading.marks & HARD) !== 0 ||
  (reading.union & COUPLE) === COUPLE ||
  hasDigit(reading);

/** "Pty", "Ltd", "Inc" behind another word: a legal form, which makes the name an organisation's. */
const isSureForm = (word: Word) => word.index > 0 && word.has(Flag.Legal) && !word.has(Flag.EndForm);

/** Words that no core of a name has. */
const isBeside = (word: Word, reading: Reading) =>
  word.has(Flag.And) || (isSureForm(word) && !reading.word(word.index - 1).has(Flag.Connector));

/** What a glance at a name that has been read tells, without taking it apart. Used again from name to name. */
export class Glance {
  /** Must the name be compared in full? */
  isHard = false;
  /** How many words could be tied; their facts are in `facts`. */
  count = 0;
  /** Letters of all words as a set of bits, and of those that surely tell who it is. */
  all = 0;
  sure = 0;
  /** First letters of the words, as a set; and the first letters of the name, as one number. */
  initials = 0;
  opening = 0;
  isOrganisation = false;
  /** Can a part of the name be one word, which may be an acronym? */
  isShort = false;
  facts: Int32Array = new Int32Array(Fact.Count * 8);

  look(reading: Reading): void {
    this.count = 0;
    this.all = 0;
    this.sure = 0;
    this.initials = 0;
    this.opening = 0;
    this.isOrganisation = false;
    this.isShort = false;
    this.isHard = isHard(reading);
    if (this.isHard) return;
    for (let k = 0; k < OPENING; k++) this.opening = (this.opening << LETTER_BITS) ^ (reading.letters[k] ?? 0);
    this.lookAtWords(reading);
  }

  private lookAtWords(reading: Reading): void {
    let sure = 0;
    let gaps = 0;
    for (let k = 0; k < reading.count; k++) {
      const word = reading.word(k);
      this.all |= word.mask;
      this.initials |= 1 << word.at(0);
      gaps |= word.gap;
      if (isSureForm(word)) this.isOrganisation = true;
      if (isBeside(word, reading)) continue;
      this.keep(word);
      if (word.has(STRUCTURE)) continue;
      this.sure |= word.mask;
      sure++;
    }
    const hasParts = (reading.union & (Flag.Connector | Flag.Reference)) !== 0;
    if (hasParts) this.sure = 0;
    // Beside half of a legal form, one word can be the other half with a typing error.
    const least = (reading.union & Flag.Legal) === 0 ? 1 : 2;
    this.isShort = sure <= least || hasParts || (gaps & Gap.Open) !== 0;
  }

  private keep(word: Word): void {
    const from = this.count * Fact.Count;
    if (from >= this.facts.length) this.widen();
    const { facts } = this;
    facts[from + Fact.Index] = word.index;
    facts[from + Fact.Mask] = word.mask;
    facts[from + Fact.Meaning] = word.meaning;
    facts[from + Fact.Kin] = word.kin;
    facts[from + Fact.Flags] = word.flags;
    facts[from + Fact.Length] = word.length;
    facts[from + Fact.First] = word.at(0) * SECOND_LETTER + (word.length > 1 ? word.at(1) : 0);
    this.count++;
  }

  private widen(): void {
    const wider = new Int32Array(this.facts.length * 2);
    wider.set(this.facts);
    this.facts = wider;
  }
}
