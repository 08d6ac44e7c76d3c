/** The part of a name that a connector begins. */
export type ConnectorKind = "trading" | "trustee" | "alias" | "care" | "style";

/** Where a legal form may stand: anywhere after the first word, only at the end, at the end or at the start. */
export type FormPlace = "anywhere" | "end" | "either end";

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
  formPlace: FormPlace = "anywhere";
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

const SLOTS = 1 << 14;
const slotOf = (hash: number) => (hash ^ (hash >>> 15)) & (SLOTS - 1);

/** Room for the letters of all words, which a test keeps large enough. */
const LETTERS = 1 << 16;

/** Most words the vocabulary can have; and what is kept of each beside its entry, close together in memory. */
const MAX_WORDS = 8192;
const ID_BITS = MAX_WORDS - 1;
const FIELDS = 4;
enum Field {
  Start = 0,
  Length = 1,
  Flags = 2,
  Meaning = 3,
}

/** All words that steps know something of, found by their letters without making a string. Open addressing. */
export class Lexicon {
  /** Each used slot holds the id of a word under the upper bits of its hash. */
  private readonly slots = new Int32Array(SLOTS);
  /** Letters of all words (ASCII), one after the other. */
  private readonly letters = new Uint8Array(LETTERS);
  private readonly facts = new Int32Array(MAX_WORDS * FIELDS);
  private readonly entries: Entry[] = [new Entry(0, "")];
  private lettersUsed = 0;

  /** @returns the entry of a word, a new one if it is new */
  enter(text: string): Entry {
    const hash = hashOf(text);
    let slot = slotOf(hash);
    for (let held = this.slots[slot] ?? 0; held !== 0; held = this.slots[slot] ?? 0) {
      const known = this.entry(held & ID_BITS);
      if (known.text === text) return known;
      slot = (slot + 1) & (SLOTS - 1);
    }
    const entry = new Entry(this.entries.length, text);
    this.entries.push(entry);
    this.slots[slot] = (hash & ~ID_BITS) | entry.id;
    this.facts[entry.id * FIELDS + Field.Start] = this.lettersUsed;
    this.facts[entry.id * FIELDS + Field.Length] = text.length;
    for (let k = 0; k < text.length; k++) this.letters[this.lettersUsed++] = text.charCodeAt(k);
    if (entry.id >= MAX_WORDS || this.lettersUsed > LETTERS) throw new RangeError("The vocabulary has too many words.");
    return entry;
  }

  /** Makes what the entries say now what `flagsOf` and `meaningOf` answer. */
  seal(): void {
    for (const { id, flags, meaning } of this.entries) {
      this.facts[id * FIELDS + Field.Flags] = flags;
      this.facts[id * FIELDS + Field.Meaning] = meaning.id;
    }
  }

  entry(id: number): Entry {
    const entry = this.entries[id];
    if (entry === undefined) throw new RangeError(`The vocabulary has no word ${id}.`);
    return entry;
  }

  flagsOf(id: number): number {
    return this.facts[id * FIELDS + Field.Flags] ?? 0;
  }

  /** Id of the word an abbreviation stands for, else of the word itself. */
  meaningOf(id: number): number {
    return this.facts[id * FIELDS + Field.Meaning] ?? 0;
  }

  /** @returns the id of the word with these letters, or 0 */
  find(letters: Uint16Array, start: number, length: number, hash: number): number {
    const { slots, facts } = this;
    let slot = slotOf(hash);
    for (let held = slots[slot] ?? 0; held !== 0; held = slots[slot] ?? 0) {
      if (((held ^ hash) & ~ID_BITS) === 0) {
        const id = held & ID_BITS;
        if (facts[id * FIELDS + Field.Length] === length && this.isWritten(id, letters, start)) return id;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    return 0;
  }

  private isWritten(id: number, letters: Uint16Array, start: number): boolean {
    const known = this.letters;
    const from = this.facts[id * FIELDS + Field.Start] ?? 0;
    const length = this.facts[id * FIELDS + Field.Length] ?? 0;
    for (let k = 0; k < length; k++) if (known[from + k] !== letters[start + k]) return false;
    return true;
  }

  /** @returns the entry of a word that the vocabulary must have */
  get(text: string): Entry {
    const letters = Uint16Array.from(text, (letter) => letter.charCodeAt(0));
    const id = this.find(letters, 0, letters.length, hashOf(text));
    if (id === 0) throw new Error(`The vocabulary has no word “${text}”.`);
    return this.entry(id);
  }
}
