import { mayBeFormSlip } from "../parsing/find-legal-form";
import { Code } from "../reading/characters";
import { Mark, type Reading } from "../reading/reading";
import { Gap, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { LEXICON } from "../vocabulary/words";
import { isInitials } from "./list-person";
import { takenFor } from "./look-alikes";
import { FOREIGN } from "./other-scripts";
import { editBudget } from "./relate-words";
import { saidOf, setOf } from "./spelling";

/** Names of more words are compared in full. */
const MOST_WORDS = 31;

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

/** Words that a comparison may pass over. */
const PASSED_OVER = STRUCTURE | Flag.Number | Flag.Link | Flag.Connector;

const OR = LEXICON.get("or").id;
const OTHERS = LEXICON.get("others").id;
const NO = LEXICON.get("no").id;
const NUMBER = LEXICON.get("number").id;
const TA = LEXICON.get("ta").id;

/** Can another part or holder of the name begin at or behind the word? */
const separates = ({ flags, meaning }: Word) =>
  (flags & (Flag.Connector | Flag.And)) !== 0 || meaning === OR || meaning === OTHERS;

/** Bits of `Fact.Stretch` that count the brackets within a part or holder; the bits above count parts and holders. */
export const BRACKET_BITS = 6;

/** What is kept of each word, number by number: close together in memory, because many names are gone through. */
export enum Fact {
  /** Place among the words of the name. */
  Index = 0,
  /** The letters as a set of bits, digits taken for the letters that they look like. */
  Mask = 1,
  Meaning = 2,
  Kin = 3,
  Flags = 4,
  Length = 5,
  /** The first two letters, the first one `SECOND_LETTER` bits to the left. */
  First = 6,
  /** Id of what else the word can mean ("St": street; "II": 2; "Australian": Australia); `NOTHING` if nothing. */
  Other = 7,
  /** The letters of a word that is one or more initials; none for any other word. */
  Initials = 8,
  /** 1 for a word that is surely one of those that a comparison must tie. */
  IsTelling = 9,
  /** Number of the stretch it stands in: words between "and", "T/A" and the like, and within them between brackets. */
  Stretch = 10,
  /** The last letter. */
  Last = 11,
  /** The most edits with which a word of this length or a shorter one can be tied to it. */
  MostEdits = 12,
  /** The letters that are said, those that sound alike as one; and those that look like no other. */
  Said = 13,
  Seen = 14,
  /** How many there are. */
  Count = 16,
}

/** How many numbers the facts of a name's words usually are. */
export const USUAL_FACTS: number = 4 * Fact.Count;

/** No word has this meaning. */
const NOTHING = 0;

export const SECOND_LETTER = 16;

/** "rn" looks like "m", "vv" like "w", and "1" like "i" and "l". */
const LOOK_ALIKES = setOf("rnmvwil");

/** How many letters `opening` has. */
const OPENING = 4;

function openingOf({ letters }: Reading, from: number): number {
  const first = ((letters[from] ?? 0) << 24) ^ ((letters[from + 1] ?? 0) << 16);
  return first ^ ((letters[from + 2] ?? 0) << 8) ^ (letters[from + 3] ?? 0);
}

const isDigit = (letter: number) => letter >= Code.Zero && letter < Code.DigitEnd;

function otherMeaningOf(word: Word): number {
  if (!word.has(Flag.Related | Flag.Number)) return NOTHING;
  const { second, place, arabic } = word.entry;
  return (second ?? place ?? arabic)?.id ?? NOTHING;
}

/** A letter as a bit; a digit as the letter that it looks like. */
export const bitOf = (letter: number) => 1 << (isDigit(letter) ? takenFor(letter) : letter);

function maskOf(word: Word): number {
  if (word.id !== 0 && !word.has(Flag.Number)) return word.mask;
  const { letters, start } = word;
  const end = start + word.length;
  for (let k = start; k < end; k++) if (isDigit(letters[k] ?? 0)) return maskWithDigits(word);
  return word.mask;
}

function maskWithDigits(word: Word): number {
  let mask = 0;
  for (let k = 0; k < word.length; k++) mask |= bitOf(word.at(k));
  return mask;
}

/** Can a word be equal to one of other letters: a short form, a phrase, a number, a word with a second reading? */
export function meansMore(word: Word): boolean {
  if (word.id === 0) return false;
  return word.meaning !== word.id || word.hash === -word.id || word.has(Flag.Related | Flag.Number);
}

/** Must a comparison tie the word, if it ties all words of its part or holder? */
function tells(word: Word): boolean {
  if (word.has(PASSED_OVER)) return false;
  const { meaning } = word;
  return meaning < 0 || (meaning !== OR && meaning !== OTHERS && meaning !== NO && meaning !== NUMBER);
}

/** "Pty", "Ltd", "Inc" behind another word: a legal form, which makes the name an organisation's. */
const isSureForm = (word: Word) => word.index > 0 && word.has(Flag.Legal) && !word.has(Flag.EndForm);

/** Words that no core of a name has. */
const isBeside = (word: Word, reading: Reading) =>
  word.has(Flag.And) || (isSureForm(word) && !reading.word(word.index - 1).has(Flag.Connector));

/** "T/A", "ATF" within a name: two parts, which no person's name has. "TA" alone is a surname too. */
function joinsParts({ id, index, entry: { connector } }: Word, { count }: Reading): boolean {
  return id !== TA && index > 0 && index < count - 1 && (connector === "trading" || connector === "trustee");
}

/** What a glance at a name that has been read tells, without taking it apart. Used again from name to name. */
export class Glance {
  /** Must the name be compared in full? */
  isHard = false;
  /** Are there letters of another script than the Latin one? */
  isForeign = false;
  /** How many words the name has. */
  words = 0;
  /** How many words could be tied; their facts are in `facts`. */
  count = 0;
  /** Letters of all words as a set of bits, and how many they are. */
  all = 0;
  allSize = 0;
  /** Letters of the telling words. */
  tellingLetters = 0;
  /** First letters of the words, as a set; and the first eight letters of the name, as two numbers. */
  initials = 0;
  opening = 0;
  secondOpening = 0;
  isOrganisation = false;
  /** Number of the last stretch of words, as `Fact.Stretch` counts. */
  stretches = 0;
  /** Is there a stretch without a telling word ("J & M Harrison")? */
  isVague = false;
  /** Can a part of the name be one word, which may be an acronym? */
  isShort = false;
  /** The telling words, one bit each; groups of given names of all words; can a word be tied by more than its letters? */
  telling = 0;
  kin = 0;
  isPlain = true;

  constructor(
    /** Room for the facts of some words; more is made when a name has more. */
    public facts: Int32Array = new Int32Array(USUAL_FACTS),
  ) {}

  look(reading: Reading): void {
    this.words = reading.count;
    this.count = 0;
    this.isHard = reading.count > MOST_WORDS || (reading.marks & Mark.Homoglyph) !== 0;
    if (this.isHard) return;
    this.isForeign = (reading.marks & FOREIGN) !== 0;
    this.all = 0;
    this.allSize = reading.size;
    this.initials = 0;
    this.opening = openingOf(reading, 0);
    this.secondOpening = openingOf(reading, OPENING);
    this.isOrganisation = false;
    this.stretches = 0;
    this.kin = 0;
    this.isPlain = true;
    this.lookAtWords(reading);
  }

  private lookAtWords(reading: Reading): void {
    let sure = 0;
    let gaps = 0;
    let forms = 0;
    for (let k = 0; k < reading.count; k++) {
      const word = reading.word(k);
      const mask = maskOf(word);
      this.all |= mask;
      this.initials |= bitOf(word.at(0));
      gaps |= word.gap;
      if (separates(word)) this.stretches += 1 << BRACKET_BITS;
      else if ((word.gap & Gap.Open) !== 0) this.stretches++;
      if (word.has(Flag.Connector) && joinsParts(word, reading)) this.isOrganisation = true;
      if (isSureForm(word)) forms |= 1 << k;
      if (isBeside(word, reading)) continue;
      this.keep(word, mask, isInitials(reading, word));
      if (!word.has(STRUCTURE | Flag.Number)) sure++;
    }
    const hasConnector = (reading.union & Flag.Connector) !== 0;
    this.isOrganisation = this.isOrganisation || (forms !== 0 && !hasConnector);
    if (forms !== 0) this.passOverSlips(reading, forms);
    this.isVague = this.findVagueStretch();
    const hasParts = hasConnector || (reading.union & Flag.Reference) !== 0;
    // Beside half of a legal form, one word can be the other half with a typing error.
    this.isShort = sure <= (forms !== 0 ? 2 : 1) || hasParts || (gaps & Gap.Open) !== 0;
  }

  /**
   * "Pty Lt": a word beside half of the form may be the other half with a typing error.
   * @param forms which words are surely of a form, as bits; a half stands alone
   */
  private passOverSlips(reading: Reading, forms: number): void {
    const halves = forms & ~(forms << 1) & ~(forms >>> 1);
    const beside = (halves << 1) | (halves >>> 1);
    const { facts } = this;
    for (let i = 0; i < this.count * Fact.Count; i += Fact.Count) {
      const index = facts[i + Fact.Index] ?? 0;
      if ((beside & (1 << index)) !== 0 && mayBeFormSlip(reading.word(index))) facts[i + Fact.IsTelling] = 0;
    }
  }

  private findVagueStretch(): boolean {
    const { facts } = this;
    this.telling = 0;
    this.tellingLetters = 0;
    for (let i = 0, bit = 1; i < this.count * Fact.Count; i += Fact.Count, bit <<= 1) {
      if (facts[i + Fact.IsTelling] !== 1) continue;
      this.telling |= bit;
      this.tellingLetters |= facts[i + Fact.Mask] ?? 0;
    }
    let stretch: number | undefined = -1;
    let isTelling = true;
    for (let i = 0; i < this.count * Fact.Count; i += Fact.Count) {
      if (facts[i + Fact.Stretch] !== stretch) {
        if (!isTelling) return true;
        stretch = facts[i + Fact.Stretch];
        isTelling = false;
      }
      if (facts[i + Fact.IsTelling] === 1) isTelling = true;
    }
    return !isTelling || this.count === 0;
  }

  private keep(word: Word, mask: number, isInitial: boolean): void {
    const from = this.count * Fact.Count;
    if (from >= this.facts.length) this.widen();
    const { facts } = this;
    facts[from + Fact.Index] = word.index;
    facts[from + Fact.Mask] = mask;
    facts[from + Fact.Meaning] = word.meaning;
    facts[from + Fact.Kin] = word.kin;
    facts[from + Fact.Flags] = word.flags;
    facts[from + Fact.Length] = word.length;
    facts[from + Fact.First] = (word.at(0) << SECOND_LETTER) | (word.length > 1 ? word.at(1) : 0);
    facts[from + Fact.Other] = otherMeaningOf(word);
    facts[from + Fact.Initials] = isInitial ? word.mask : 0;
    facts[from + Fact.IsTelling] = isInitial || !tells(word) ? 0 : 1;
    facts[from + Fact.Stretch] = this.stretches;
    facts[from + Fact.Last] = word.at(word.length - 1);
    facts[from + Fact.MostEdits] = editBudget(word.length, word.length);
    facts[from + Fact.Said] = saidOf(mask);
    facts[from + Fact.Seen] = mask & ~LOOK_ALIKES;
    this.kin |= word.kin;
    if (isInitial || meansMore(word)) this.isPlain = false;
    this.count++;
  }

  private widen(): void {
    const wider = new Int32Array(this.facts.length * 2);
    wider.set(this.facts);
    this.facts = wider;
  }
}
