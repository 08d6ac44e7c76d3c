/** Names longer than this many letters or words are compared as whole strings (`long.ts`). */
export const MAX_LETTERS = 480;
export const MAX_TOKENS = 48;

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
  Digit = 512,
  TooLong = 1024,
  Homoglyph = 2048,
  InitialRun = 4096,
  Symbol = 8192,
  Letter = 16384,
}

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
  Alias = 11,
}

/**
 * One name taken apart into words. Arrays are reused from call to call: a reading is valid until the next name is
 * read into it, and nothing of it leaves this folder.
 */
export class Reading {
  text = "";
  count = 0;
  size = 0;
  /** All flags of all words together: steps look here first and mostly have nothing to do. */
  union = 0;
  marks = 0;
  /** Folded letters of all words, one after the other without gaps. */
  readonly codes = new Uint16Array(MAX_LETTERS + 32);
  readonly start = new Int32Array(MAX_TOKENS + 1);
  readonly length = new Int32Array(MAX_TOKENS + 1);
  /** Half-open range of each word in `text`. */
  readonly from = new Int32Array(MAX_TOKENS + 1);
  readonly to = new Int32Array(MAX_TOKENS + 1);
  readonly gap = new Int32Array(MAX_TOKENS + 1);
  readonly hash = new Int32Array(MAX_TOKENS + 1);
  readonly word = new Int32Array(MAX_TOKENS + 1);
  /** What organisations are compared by: the id of the canonical word, or for unknown words the hash made negative. */
  readonly canon = new Int32Array(MAX_TOKENS + 1);
  readonly flags = new Int32Array(MAX_TOKENS + 1);
  /** The letters of each word as a set of bits: words with few letters in common are told apart at once. */
  readonly mask = new Int32Array(MAX_TOKENS + 1);
  readonly role = new Uint8Array(MAX_TOKENS + 1);
}
