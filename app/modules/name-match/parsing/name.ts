import type { Reading } from "../reading/reading";
import type { Word } from "../reading/word";
import { WordList } from "../reading/word-list";

/** The parts a name can have. */
export enum PartKind {
  Main = 0,
  Trading = 1,
  Beneficiary = 2,
  Alias = 3,
}

/** Kinds of account holder told by the words "trust", "fund", "estate". */
export enum Holder {
  Plain = 0,
  Trust = 1,
  Fund = 2,
  Estate = 3,
}

/** A stretch of words, or nothing. */
export class Stretch {
  first: Word | undefined;
  last: Word | undefined;

  clear(): void {
    this.first = undefined;
    this.last = undefined;
  }

  copy({ first, last }: Stretch): void {
    this.first = first;
    this.last = last;
  }

  get isEmpty(): boolean {
    return this.first === undefined;
  }

  /** Widens the stretch to a word. */
  include(word: Word): void {
    if (this.first === undefined || word.index < this.first.index) this.first = word;
    if (this.last === undefined || word.index > this.last.index) this.last = word;
  }
}

/** One part of a name ("Acme Pty Ltd" of "Acme Pty Ltd T/A Bolt"). */
export class Part {
  /** Half-open range of word indices. */
  from = 0;
  end = 0;
  /** The words that tell who it is: those of the name, or a list of this part. */
  core = new WordList();
  readonly ownCore = this.core;
  /** The legal form as one number, equal for equal forms; 0 none. */
  form = 0;
  readonly formWords = new Stretch();
  /** Is there a typing error in the legal form? */
  isFormSlipped = false;
  holder: Holder = Holder.Plain;
  /** Meaning of "family", "unit", "discretionary"; 0 none. */
  trustKind = 0;
  readonly holderWords = new Stretch();
  /** "Payroll account", as a number equal for equal purposes; 0 none. */
  purpose = 0;
  readonly purposeWords = new Stretch();

  constructor(readonly name: Name) {}

  /** Becomes the start of another part, up to a word. */
  copy(other: Part, end: number): void {
    this.clear(other.from, end);
    this.form = other.form;
    this.isFormSlipped = other.isFormSlipped;
    this.formWords.copy(other.formWords);
    this.holder = other.holder;
    this.trustKind = other.trustKind;
    this.holderWords.copy(other.holderWords);
    this.purpose = other.purpose;
    this.purposeWords.copy(other.purposeWords);
  }

  clear(from: number, end: number): void {
    this.from = from;
    this.end = end;
    this.core = this.ownCore;
    this.core.clear();
    this.form = 0;
    this.isFormSlipped = false;
    this.holder = Holder.Plain;
    this.trustKind = 0;
    this.purpose = 0;
    if (this.formWords.first !== undefined) this.formWords.clear();
    if (this.holderWords.first !== undefined) this.holderWords.clear();
    if (this.purposeWords.first !== undefined) this.purposeWords.clear();
  }
}

/** A name taken apart: its words and its parts. */
export class Name {
  readonly main = new Part(this);
  /** Made for the first name that has such a part. */
  private readonly others: (Part | undefined)[] = [undefined, undefined, undefined];
  private bracketed: { before: Part; within: Part } | undefined;
  /** Which parts the name has, one bit each. */
  parts = 1;
  /** The words "The trustee for" at the start. */
  style: Word | undefined;
  /** A connector with a typing error ("aft"). */
  connectorSlip: Word | undefined;
  title: Word | undefined;
  generation: Word | undefined;
  readonly reference = new Stretch();
  /** Does the reference only repeat a registered number (ABN, ACN)? */
  isRegistered = false;
  /** How many words of the main part stand before a comma, as a surname does; 0 without a comma. */
  beforeComma = 0;
  /** The first "and". */
  and: Word | undefined;

  constructor(readonly reading: Reading) {}

  /** The main part before a bracket and what is within it, for comparisons that need them. */
  get bracket(): { before: Part; within: Part } {
    this.bracketed ??= { before: new Part(this), within: new Part(this) };
    return this.bracketed;
  }

  clear(): void {
    this.parts = 1;
    this.style = undefined;
    this.connectorSlip = undefined;
    this.title = undefined;
    this.generation = undefined;
    this.isRegistered = false;
    this.beforeComma = 0;
    this.and = undefined;
    if (this.reference.first !== undefined) this.reference.clear();
    this.main.clear(0, this.reading.count);
  }

  has(kind: PartKind): boolean {
    return (this.parts & (1 << kind)) !== 0;
  }

  part(kind: PartKind): Part {
    return this.others[kind - 1] ?? this.main;
  }

  /** Adds a part that begins at a word. */
  open(kind: PartKind, from: number): Part {
    this.parts |= 1 << kind;
    const part = this.others[kind - 1] ?? new Part(this);
    this.others[kind - 1] = part;
    part.clear(from, this.reading.count);
    return part;
  }
}
