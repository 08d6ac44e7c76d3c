import { type Entry, Flag, lookUp, UNKNOWN } from "./vocabulary";

/** A name as it was read: its words, and the parts that it was taken apart into. */

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

/** What comes before a word, one bit each. */
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

/** How two different words can still be the same one. A lower value means closer. */
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

/** One word of a name, or one of several initials written together. */
export interface Word {
  /** Folded letters: lower case, without accents. */
  text: string;
  /** Place among the words of its name. */
  index: number;
  /** Half-open range in the text. */
  from: number;
  to: number;
  /** What stands before it (`Gap`). */
  gap: number;
  /** The vocabulary's entry for the word, and the flags that apply to it here. */
  entry: Entry;
  flags: number;
  role: Role;
  /** For an initial, its place among the letters of its word; -1 for a whole word. */
  offset: number;

  /** While two lists are aligned: the word it belongs to, the relation, and the last word of a matching run. */
  partner: Word | undefined;
  relation: Relation;
  runEnd: Word | undefined;
  /** Position in the aligned list. */
  place: number;
}

/** A name read into words; `parsed` caches its parts once they are needed. */
export interface Reading {
  text: string;
  parsed: Name | undefined;
  words: Word[];
  /** The total number of letters in all words. */
  size: number;
  /** The flags of all words combined: steps check this first and usually have nothing to do. */
  union: number;
  marks: number;
  /** How many characters outside ASCII were read. */
  foreign: number;
  /** During reading: what comes before the next word. */
  gap: number;
}

export const isAny = (word: Word, flags: number): boolean => (word.flags & flags) !== 0;

/** The word at a position that is known to exist. */
export function wordAt({ words }: Reading, index: number): Word {
  const word = words[index];
  if (word === undefined) throw new RangeError(`The name has no word ${index}.`);
  return word;
}

/** All letters of all words, without gaps. */
export function lettersOf({ words }: Reading): string {
  let letters = "";
  for (const { text } of words) letters += text;
  return letters;
}

const isDigit = (code: number) => code < 58;

export function isNumber(text: string): boolean {
  for (let k = 0; k < text.length; k++) if (!isDigit(text.charCodeAt(k))) return false;
  return true;
}

/** A word of a name. */
export function makeWord(text: string, from: number, to: number, gap: number, index: number, entry = lookUp(text)) {
  const flags = isNumber(text) ? entry.flags | Flag.Number : entry.flags;
  return {
    text,
    index,
    from,
    to,
    gap,
    entry,
    flags,
    role: Role.Core,
    offset: -1,
    partner: undefined,
    relation: Relation.None,
    runEnd: undefined,
    place: 0,
  };
}

/** One letter of a word as a word of its own: an initial. */
export function initialOf(word: Word, offset: number): Word {
  const gap = offset === 0 ? word.gap : Gap.None;
  const initial = makeWord(word.text.charAt(offset), word.from, word.to, gap, word.index, UNKNOWN);
  initial.flags = word.text.length === 1 ? word.flags & Flag.Particle : 0;
  initial.role = word.role;
  initial.offset = offset;
  return initial;
}

/** Is it a phrase that is read as one word ("New South Wales")? Its entry is that of a different word ("NSW"). */
export const isPhrase = ({ text, entry }: Word): boolean => entry !== UNKNOWN && entry.text !== text;

/** Are two words of people's names the same? Short forms are different; an initial is not a one-letter word. */
export const isSameName = (a: Word, b: Word): boolean =>
  a.entry === b.entry && (a.entry !== UNKNOWN || (a.text === b.text && a.offset < 0 === b.offset < 0));

/** Are two words of organisations' names the same? An abbreviation counts as its full word. */
export const isSameMeaning = (a: Word, b: Word): boolean =>
  a.entry.meaning === b.entry.meaning && (a.entry !== UNKNOWN || a.text === b.text);

/** The kinds of further parts that a name can have. */
export type SecondKind = "trading" | "beneficiary" | "alias";

/** Kinds of account holders that the words "trust", "fund" and "estate" indicate. */
export type Holder = "plain" | "trust" | "fund" | "estate";

/** The words from one to another. */
export interface Stretch {
  first: Word;
  last: Word;
}

export function widen(stretch: Stretch | undefined, word: Word): Stretch {
  if (stretch === undefined) return { first: word, last: word };
  return {
    first: word.index < stretch.first.index ? word : stretch.first,
    last: word.index > stretch.last.index ? word : stretch.last,
  };
}

/** One part of a name ("Acme Pty Ltd" of "Acme Pty Ltd T/A Bolt"). */
export interface Part {
  /** Half-open range of word indices. */
  from: number;
  end: number;
  /** The words that identify the holder. */
  core: Word[];
  /** The legal form in canonical spelling ("pty ltd"); "": none. */
  form: string;
  formWords: Stretch | undefined;
  /** Is there a typing error in the legal form? */
  isFormSlipped: boolean;
  holder: Holder;
  /** "family", "unit", "discretionary"; "": none. */
  trustKind: string;
  holderWords: Stretch | undefined;
  /** "payroll account" in canonical form; "": none. */
  purpose: string;
  purposeWords: Stretch | undefined;
}

export const newPart = (from: number, end: number): Part => ({
  from,
  end,
  core: [],
  form: "",
  formWords: undefined,
  isFormSlipped: false,
  holder: "plain",
  trustKind: "",
  holderWords: undefined,
  purpose: "",
  purposeWords: undefined,
});

/** A parsed name: its words and its parts. */
export interface Name {
  reading: Reading;
  main: Part;
  trading: Part | undefined;
  beneficiary: Part | undefined;
  alias: Part | undefined;
  /** "The trustee for" at the start, read as one word. */
  style: Word | undefined;
  /** A connector with a typing error ("aft"). */
  connectorSlip: Word | undefined;
  title: Word | undefined;
  generation: Word | undefined;
  reference: Stretch | undefined;
  /** Does the reference contain only a registered number (ABN, ACN)? */
  isRegistered: boolean;
  /** How many words of the main part come before a comma, as a surname does; 0 without a comma. */
  beforeComma: number;
  /** The first "and". */
  and: Word | undefined;
}

/** Do both names have a stretch with the same words, one by one? */
export const sameStretch = (a: Name, x: Stretch | undefined, b: Name, y: Stretch | undefined): boolean =>
  x !== undefined &&
  y !== undefined &&
  x.last.index - x.first.index === y.last.index - y.first.index &&
  areSameFrom(a.reading.words, x.first.index, b.reading.words, y.first.index, x.last.index - x.first.index + 1);

/** Are this many words of two names the same, one by one, from two positions on? */
export function areSameFrom(a: readonly Word[], fromA: number, b: readonly Word[], fromB: number, count: number) {
  for (let k = 0; k < count; k++) {
    const word = a[fromA + k];
    const other = b[fromB + k];
    if (word === undefined || other === undefined || !isSameName(word, other)) return false;
  }
  return true;
}
