import { Flag } from "../vocabulary/flags";
import { nextHash } from "../vocabulary/lexicon";
import { LEXICON } from "../vocabulary/words";
import { Code } from "./characters";
import { Gap, Role, Word } from "./word";
import { WordList } from "./word-list";

/** Names of more letters, words or characters outside ASCII than this are compared as whole texts. */
export enum Limit {
  Letters = 480,
  Words = 48,
  Foreign = 160,
  /** Room for the letters that one more character can fold to. */
  SpareLetters = 32,
}

/** Facts about the characters of a name, one bit each. */
export enum Mark {
  Invisible = 1,
  Diacritic = 2,
  Compatibility = 4,
  Latin = 8,
  Cyrillic = 16,
  Greek = 32,
  OtherScript = 64,
  Comma = 128,
  Bracket = 256,
  Digit = 512,
  TooLong = 1024,
  Homoglyph = 2048,
  InitialRun = 4096,
  Symbol = 8192,
  Letter = 16384,
}

/** Sign bit of the meaning of a word that the vocabulary does not have. */
const UNKNOWN_MEANING = 1 << 31;

function isNumber(word: Word): boolean {
  for (let k = 0; k < word.length; k++) if (word.at(k) >= Code.DigitEnd) return false;
  return true;
}

/** A name taken apart into words. Records are reused: a reading is valid until the next name is read into it. */
export class Reading {
  text = "";
  /** How many letters all words have together. */
  size = 0;
  /** All flags of all words together: steps look here first and mostly have nothing to do. */
  union = 0;
  marks = 0;
  /** Characters outside ASCII that were read. */
  foreign = 0;
  /** While the name is being read: where the letters of the next word begin, and what stands before it. */
  open = 0;
  gap = 0;
  /** Records for words; the first `count` are those of the name. */
  readonly words = new WordList();
  /** Records for single initials, each for the letter at its place. */
  private readonly initials: Word[] = [];

  constructor(
    /** Folded letters of all words, one after the other without gaps. */
    readonly letters: Uint16Array = new Uint16Array(Limit.Letters + Limit.SpareLetters),
  ) {}

  clear(text: string): void {
    this.text = text;
    this.words.clear();
    this.size = 0;
    this.union = 0;
    this.marks = 0;
    this.foreign = 0;
    this.open = 0;
    this.gap = 0;
  }

  get count(): number {
    return this.words.count;
  }

  word(index: number): Word {
    return this.words.at(index);
  }

  get isFull(): boolean {
    return this.count >= Limit.Words || this.size >= Limit.Letters || this.foreign > Limit.Foreign;
  }

  /**
   * Enters a word of the letters read since the last one, and notes what the gap before it says of the name.
   * @param from where it stands in the text, up to `to`
   * @param mask its letters as a set of bits
   */
  addWord(from: number, to: number, hash: number, mask: number): void {
    const { words, letters, gap } = this;
    const index = words.count;
    const word = words.reuse() ?? words.add(new Word(letters));
    const start = this.open;
    const length = this.size - start;
    this.open = this.size;
    this.gap = Gap.None;
    word.index = index;
    word.from = from;
    word.to = to;
    word.start = start;
    word.length = length;
    word.gap = gap;
    word.hash = hash;
    word.mask = mask;
    word.role = Role.Core;
    this.define(word, LEXICON.find(letters, start, length, hash));
    if ((letters[start] ?? 0) < Code.DigitEnd && isNumber(word)) {
      word.flags |= Flag.Number;
      this.union |= Flag.Number;
      this.marks |= Mark.Digit;
    } else this.marks |= Mark.Letter;
    if ((gap & (Gap.Comma | Gap.Open)) !== 0) this.noteGap(gap);
    if (length === 1 && index > 0 && (gap & ~(Gap.Dot | Gap.Space)) === 0) this.noteInitial(index);
  }

  private noteGap(gap: number): void {
    if ((gap & Gap.Comma) !== 0) this.marks |= Mark.Comma;
    if ((gap & Gap.Open) !== 0) this.marks |= Mark.Bracket;
  }

  private noteInitial(index: number): void {
    if (this.word(index - 1).length === 1) this.marks |= Mark.InitialRun;
  }

  /** Looks a word up again after its letters were changed. */
  reread(word: Word): void {
    let hash = 0;
    let mask = 0;
    for (let k = 0; k < word.length; k++) {
      hash = nextHash(hash, word.at(k));
      mask |= 1 << word.at(k);
    }
    word.hash = hash;
    word.mask = mask;
    const number = word.flags & Flag.Number;
    this.define(word, LEXICON.find(this.letters, word.start, word.length, hash));
    word.flags |= number;
  }

  /** Sets what a word means. 0 makes it a word like any other: the initials D and R are no doctor. */
  define(word: Word, id: number): void {
    word.id = id;
    word.flags = LEXICON.flagsOf(id);
    word.kin = LEXICON.kinOf(id);
    word.meaning = id === 0 ? word.hash | UNKNOWN_MEANING : LEXICON.meaningOf(id);
    word.key = id === 0 ? word.meaning : id;
    this.union |= word.flags;
  }

  /** Makes one word of the words from `first` to `last`, with all their letters; what it means is set afterwards. */
  join(first: Word, last: Word): void {
    first.to = last.to;
    first.length = last.start + last.length - first.start;
    for (let k = first.index + 1; k <= last.index; k++) first.mask |= this.word(k).mask;
    const removed = last.index - first.index;
    if (removed === 0) return;
    this.words.drop(first.index + 1, removed);
    for (let k = first.index + 1; k < this.count; k++) this.word(k).index = k;
  }

  /** Makes two words of one that was written without a space; nothing when letters were dropped within it. */
  split(word: Word, length: number): void {
    if (word.to - word.from !== word.length || this.count >= Limit.Words) return;
    const rest = this.words.reuse() ?? this.words.add(new Word(this.letters));
    this.words.moveLast(word.index + 1);
    rest.from = word.from + length;
    rest.to = word.to;
    rest.start = word.start + length;
    rest.length = word.length - length;
    rest.gap = Gap.None;
    rest.role = Role.Core;
    rest.flags = 0;
    word.to = rest.from;
    word.length = length;
    for (let k = word.index + 1; k < this.count; k++) this.word(k).index = k;
    this.reread(word);
    this.reread(rest);
    if (!isNumber(rest)) return;
    rest.flags |= Flag.Number;
    this.union |= Flag.Number;
    this.marks |= Mark.Digit;
  }

  private nextInitial(): Word {
    const initial = new Word(this.letters);
    this.initials.push(initial);
    return initial;
  }

  /** One letter of a word as a word of its own: an initial. */
  initial(word: Word, offset: number): Word {
    const start = word.start + offset;
    const initial = this.initials.find((other) => other.start === start) ?? this.nextInitial();
    initial.index = word.index;
    initial.offset = offset;
    initial.start = start;
    initial.length = 1;
    initial.mask = 1 << word.at(offset);
    initial.key = ~word.at(offset);
    initial.meaning = initial.key;
    initial.flags = word.length === 1 ? word.flags & Flag.Particle : 0;
    initial.gap = offset === 0 ? word.gap : Gap.None;
    return initial;
  }
}
