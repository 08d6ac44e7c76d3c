import type { Entry } from "../vocabulary/lexicon";
import { LEXICON } from "../vocabulary/words";

/** What stands before a word, one bit each. */
export enum Gap {
  None = 0,
  Space = 1,
  Dot = 2,
  Comma = 4,
  Hyphen = 8,
  Slash = 16,
  Hash = 32,
  Open = 64,
  Close = 128,
  Other = 256,
}

/** What a word does in its name. */
export enum Role {
  Core = 0,
  Skipped = 1,
  Title = 2,
  Postnominal = 3,
  Generation = 4,
  Legal = 5,
  Entity = 6,
  And = 7,
  Reference = 8,
  Purpose = 9,
  Connector = 10,
}

/** How two different words can still be the same one. Lower is nearer. */
export enum Relation {
  Equal = 0,
  /** An ambiguous abbreviation: "St" for "Street". */
  Reading = 1,
  Plural = 2,
  LookAlike = 3,
  Spelling = 4,
  Nickname = 5,
  Initial = 6,
  /** One, two, three typing errors. */
  Slip = 7,
  TwoSlips = 8,
  ThreeSlips = 9,
  Stem = 10,
  Roman = 11,
  /** One of them is several words on the other side. */
  Joined = 12,
  None = 13,
}

/** One word of a name, or one of several initials written together. Records are reused from name to name. */
export class Word {
  /** Place among the words of its name. */
  index = 0;
  /** Half-open range in the text. */
  from = 0;
  to = 0;
  /** Where its folded letters are in `letters`, and how many. */
  start = 0;
  length = 0;
  gap = 0;
  hash = 0;
  /** The word of the vocabulary, 0 none; and the flags that are true of it here. */
  id = 0;
  flags = 0;
  /** What organisations are compared by: the id of the word an abbreviation stands for; unknown words have their hash made negative. */
  meaning = 0;
  /** Groups of given names it belongs to, as bits; see `Lexicon.kinOf`. */
  kin = 0;
  /** The letters as a set of bits: words with few letters in common are told apart at once. */
  mask = 0;
  role: Role = Role.Core;
  /** For an initial, its place among the letters of its word; -1 for a whole word. */
  offset = -1;
  /** What people are compared by: as `meaning`, but short forms are words of their own. */
  key = 0;

  /** While two lists of words are aligned: the word it belongs to, as what, and the last word of a run that does. */
  partner: Word | undefined;
  relation: Relation = Relation.None;
  runEnd: Word = this;
  /** Place in the list that is aligned. */
  place = 0;

  constructor(
    /** Folded letters of all words of the name, shared by them. */
    readonly letters: Uint16Array,
  ) {}

  /** The letter at a place of the word. */
  at(offset: number): number {
    return this.letters[this.start + offset] ?? 0;
  }

  /** What the vocabulary knows of the word. */
  get entry(): Entry {
    return LEXICON.entry(this.id);
  }

  has(flags: number): boolean {
    return (this.flags & flags) !== 0;
  }
}

/** Do both words have the same letters? */
export function sameLetters(a: Word, b: Word): boolean {
  const { length } = a;
  if (length !== b.length || a.mask !== b.mask) return false;
  const x = a.letters;
  const y = b.letters;
  for (let k = 0; k < length; k++) if (x[a.start + k] !== y[b.start + k]) return false;
  return true;
}
