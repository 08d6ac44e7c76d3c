import { isSameName, type Reading, type Word } from "../reading/word";

/** The kinds of further parts that a name can have. */
export type SecondKind = "trading" | "beneficiary" | "alias";

/** Kinds of account holders that the words "trust", "fund" and "estate" indicate. */
export type Holder = "plain" | "trust" | "fund" | "estate";

/** The words from one to another. */
export interface Stretch {
  first: Word;
  last: Word;
}

/** Extends a stretch to include a word. */
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
export function areSameFrom(
  a: readonly Word[],
  fromA: number,
  b: readonly Word[],
  fromB: number,
  count: number,
): boolean {
  for (let k = 0; k < count; k++) {
    const word = a[fromA + k];
    const other = b[fromB + k];
    if (word === undefined || other === undefined || !isSameName(word, other)) return false;
  }
  return true;
}
