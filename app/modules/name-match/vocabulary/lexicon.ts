/** The part of a name that a connector begins. */
export type ConnectorKind = "trading" | "trustee" | "alias" | "care" | "style";

/** Several words that are read as one ("new south wales"). */
export interface Phrase {
  words: readonly Entry[];
  meaning: Entry;
}

const NO_GROUPS: readonly number[] = [];

/** A word of the vocabulary and all that is known of it. */
export class Entry {
  flags = 0;
  /** The word an abbreviation stands for, else the word itself. */
  meaning: Entry = this;
  /** A second word an ambiguous abbreviation may stand for. */
  second: Entry | undefined;
  /** The place an adjective belongs to. */
  place: Entry | undefined;
  /** The Arabic number of a Roman one. */
  arabic: Entry | undefined;
  connector: ConnectorKind | undefined;
  /** Is it a connector with a typing error ("aft")? */
  isSlip = false;
  /** Two words written as one: how many letters the first has, 0 for a single word ("ltdatf", "no1"). */
  glue = 0;
  /** Nickname families and spelling groups a given name belongs to. */
  families = NO_GROUPS;
  spellings = NO_GROUPS;
  /** Phrases that begin with this word, the longest first. */
  phrases: readonly Phrase[] = [];

  constructor(
    /** Positive; 0 for the entry of words that the vocabulary does not have. */
    readonly id: number,
    readonly text: string,
  ) {}
}

/** Hash of a word, continued letter by letter: the same rule wherever letters are read. */
export const nextHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

/** Never 0 for a word of letters or digits. */
function hashOf(text: string): number {
  let hash = 0;
  for (let k = 0; k < text.length; k++) hash = nextHash(hash, text.charCodeAt(k));
  return hash;
}

/** Sizes of the table: its slots, and the most words it can have, both powers of two. */
enum Size {
  Slots = 1 << 15,
  Words = 1 << 13,
  IdBits = Words - 1,
}

const BYTE = 8;
const CHECK_BITS = 0xe000;

const slotOf = (hash: number) => (hash ^ (hash >>> 15)) & (Size.Slots - 1);

/** Three bits of a hash above the bits of an id. */
const checkOf = (hash: number) => (hash >>> 16) & CHECK_BITS;

/**
 * What reading asks of a word lies close together in memory, so that a look-up waits for it once: some numbers, then
 * the letters (ASCII).
 */
enum Field {
  Flags = 0,
  Meaning = 1,
  Kin = 2,
}
enum Row {
  Bytes = 32,
  /** The same in numbers of four bytes. */
  Fields = 8,
  /** Byte in which the count of letters is; they follow it. */
  Length = 12,
  Letters = 13,
  MaxLetters = 19,
}

/*
 * What is asked of every word of every name are functions that close over their table: the compiler then knows where the
 * table is, and a name is read by 6 % faster than with methods that look for it in a field.
 */

function finderIn(slots: Uint16Array, known: Uint8Array) {
  const isWritten = (id: number, letters: Uint16Array, start: number, length: number): boolean => {
    if (known[id * Row.Bytes + Row.Length] !== length) return false;
    const from = id * Row.Bytes + Row.Letters;
    for (let k = 0; k < length; k++) if (known[from + k] !== letters[start + k]) return false;
    return true;
  };
  return (letters: Uint16Array, start: number, length: number, hash: number): number => {
    const check = checkOf(hash);
    let slot = slotOf(hash);
    for (let held = slots[slot] ?? 0; held !== 0; held = slots[slot] ?? 0) {
      const id = held & Size.IdBits;
      if ((held & ~Size.IdBits) === check && isWritten(id, letters, start, length)) return id;
      slot = (slot + 1) & (Size.Slots - 1);
    }
    return 0;
  };
}

const readerOf = (facts: Int32Array, field: Field) => (id: number) => facts[id * Row.Fields + field] ?? 0;

const kinOf = (groups: readonly number[]): number => groups.reduce((bits, group) => bits | (1 << group), 0);

/** All words that steps know something of, found by their letters without making a string. Open addressing. */
export class Lexicon {
  /** Each used slot holds the id of a word under some bits of its hash that its place does not tell. */
  private readonly slots = new Uint16Array(Size.Slots);
  private readonly facts = new Int32Array(Size.Words * Row.Fields);
  /** The same memory, letter by letter. */
  private readonly letters = new Uint8Array(this.facts.buffer);
  /** A bit for each slot: can a word whose hash falls there be equal to another one? */
  private readonly peculiar = new Uint8Array(Size.Slots / BYTE);
  private readonly entries: Entry[] = [new Entry(0, "")];
  /** @returns the id of the word with these letters, or 0 */
  readonly find: (letters: Uint16Array, start: number, length: number, hash: number) => number = finderIn(
    this.slots,
    this.letters,
  );
  readonly flagsOf: (id: number) => number = readerOf(this.facts, Field.Flags);
  /** Id of the word an abbreviation stands for, else of the word itself. */
  readonly meaningOf: (id: number) => number = readerOf(this.facts, Field.Meaning);
  /** Groups of given names a word belongs to, as bits: words without a bit in common share no group. */
  readonly kinOf: (id: number) => number = readerOf(this.facts, Field.Kin);

  /** @returns the entry of a word, a new one if it is new */
  enter(text: string): Entry {
    const hash = hashOf(text);
    let slot = slotOf(hash);
    for (let held = this.slots[slot] ?? 0; held !== 0; held = this.slots[slot] ?? 0) {
      const known = this.entry(held & Size.IdBits);
      if (known.text === text) return known;
      slot = (slot + 1) & (Size.Slots - 1);
    }
    const entry = new Entry(this.entries.length, text);
    this.entries.push(entry);
    this.slots[slot] = checkOf(hash) | entry.id;
    if (entry.id >= Size.Words || text.length > Row.MaxLetters) throw new RangeError(`No room for the word “${text}”.`);
    this.letters[entry.id * Row.Bytes + Row.Length] = text.length;
    const from = entry.id * Row.Bytes + Row.Letters;
    for (let k = 0; k < text.length; k++) this.letters[from + k] = text.charCodeAt(k);
    return entry;
  }

  /**
   * Makes what the entries say now what `flagsOf`, `meaningOf`, `kinOf` and `isPlain` answer.
   * @param flags of words that are not plain
   */
  seal(flagsOfPeculiar: number): void {
    for (const entry of this.entries) {
      const { meaning, second, place, arabic } = entry;
      const others = [meaning, second, place, arabic].filter((other) => other !== undefined && other !== entry);
      if ((entry.flags & flagsOfPeculiar) !== 0 || others.length > 0) this.markPeculiar(entry);
      for (const other of others) if (other !== undefined) this.markPeculiar(other);
    }
    for (const { id, flags, meaning, families, spellings } of this.entries) {
      this.facts[id * Row.Fields + Field.Flags] = flags;
      this.facts[id * Row.Fields + Field.Meaning] = meaning.id;
      this.facts[id * Row.Fields + Field.Kin] = kinOf(families) | kinOf(spellings);
    }
  }

  private markPeculiar({ text }: Entry): void {
    const slot = slotOf(hashOf(text));
    this.peculiar[slot >> 3] = (this.peculiar[slot >> 3] ?? 0) | (1 << (slot & (BYTE - 1)));
  }

  /** Is a word of that hash surely equal to no word of other letters? Most are; short forms and numerals are not. */
  isPlain(hash: number): boolean {
    const slot = slotOf(hash);
    return ((this.peculiar[slot >> 3] ?? 0) & (1 << (slot & (BYTE - 1)))) === 0;
  }

  entry(id: number): Entry {
    const entry = this.entries[id];
    if (entry === undefined) throw new RangeError(`The vocabulary has no word ${id}.`);
    return entry;
  }

  /** @returns the entry of a word that the vocabulary must have */
  get(text: string): Entry {
    const letters = Uint16Array.from(text, (letter) => letter.charCodeAt(0));
    const id = this.find(letters, 0, letters.length, hashOf(text));
    if (id === 0) throw new Error(`The vocabulary has no word “${text}”.`);
    return this.entry(id);
  }
}
