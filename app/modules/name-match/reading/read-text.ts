import { nextHash } from "../vocabulary/lexicon";
import { LEXICON } from "../vocabulary/words";
import {
  AMPERSAND,
  APOSTROPHE,
  BACKTICK,
  GAPS,
  HYPHEN,
  LOWER,
  lower,
  PLAIN_GAPS,
  PLUS,
  SLASH,
  SPACE,
} from "./characters";
import type { CharacterFolder } from "./fold-characters";
import { MAX_LETTERS, MAX_WORDS, Mark, type Reading } from "./reading";
import { Gap } from "./word";

/**
 * Reads words of ASCII letters and digits with plain gaps between them, which most names wholly are: the loop that
 * nearly every character of every name goes through.
 * @returns where it stopped (the end, or the first word or gap it cannot read) and the gap it had read until there
 */
function readPlain(reading: Reading, text: string, end: number): { at: number; gap: number } {
  const { letters } = reading;
  let gap = 0;
  let at = 0;
  while (at < end && reading.count < MAX_WORDS) {
    let code = text.charCodeAt(at);
    let letter = code < 128 ? (LOWER[code] ?? 0) : 0;
    if (letter === 0) {
      const plain = code < 128 ? (PLAIN_GAPS[code] ?? 0) : 0;
      if (plain === 0) break;
      gap |= plain;
      at++;
      continue;
    }
    const from = at;
    const start = reading.size;
    let size = start;
    let hash = 0;
    do {
      letters[size++] = letter;
      hash = (Math.imul(hash, 31) + letter) | 0;
      if (++at === end) break;
      code = text.charCodeAt(at);
      letter = code < 128 ? (LOWER[code] ?? 0) : 0;
    } while (letter !== 0);
    if (at < end && (code >= 128 || PLAIN_GAPS[code] === 0) && code !== AMPERSAND && code !== PLUS) {
      return { at: from, gap };
    }
    reading.size = size;
    reading.placeWord(reading.addWord(start, hash), from, at, gap);
    gap = 0;
  }
  return { at, gap };
}

/** Reads on, whatever the characters are: one open word at a time. */
class TextReader {
  /** Where the open word begins in the text, or -1; where it ends; where its letters begin. */
  private open = -1;
  private end = 0;
  private start = 0;
  private hash = 0;

  constructor(
    private readonly reading: Reading,
    private readonly folder: CharacterFolder,
    private gap: number,
  ) {}

  read(text: string, from: number): void {
    const { reading } = this;
    let at = from;
    while (at < text.length && !reading.isFull) {
      const code = text.charCodeAt(at);
      at = code < 128 ? this.readAscii(text, at, code) : this.readOther(text, at);
    }
    if (reading.count < MAX_WORDS) this.close();
  }

  private add(letter: number, from: number, to: number): void {
    if (this.open < 0) {
      this.open = from;
      this.start = this.reading.size;
      this.hash = 0;
    }
    this.reading.letters[this.reading.size++] = letter;
    this.hash = nextHash(this.hash, letter);
    this.end = to;
  }

  private close(): void {
    if (this.open < 0) return;
    const word = this.reading.addWord(this.start, this.hash);
    this.reading.placeWord(word, this.open, this.end, this.gap);
    this.open = -1;
    this.gap = Gap.None;
  }

  /** @returns where to read on */
  private readAscii(text: string, at: number, code: number): number {
    const letter = LOWER[code] ?? 0;
    if (letter !== 0) {
      this.add(letter, at, at + 1);
      return at + 1;
    }
    if (code === APOSTROPHE || code === BACKTICK) return at + 1;
    if (code === SLASH && this.open >= 0) {
      const end = this.readSlashWord(text, at);
      if (end > at) return end;
    }
    this.close();
    if (this.reading.isFull) return at;
    if (code === AMPERSAND || (code === PLUS && this.reading.count > 0)) return this.readAndSign(text, at);
    this.gap |= GAPS[code] ?? 0;
    return at + 1;
  }

  /**
   * Short words written with slashes that mean one thing: "P/L", "T/as", "A/T/F", "M/-".
   * @returns where the word ends in the text, or `at` when it is none
   */
  private readSlashWord(text: string, at: number): number {
    const { letters } = this.reading;
    const { start } = this;
    if (this.reading.size - start > MAX_BEFORE_SLASH) return at;
    let size = this.reading.size;
    let end = at;
    let { hash } = this;
    while (end < text.length && size - start < MAX_SLASH_WORD) {
      const code = text.charCodeAt(end);
      const letter = lower(code) || (code === SLASH || code === HYPHEN ? code : 0);
      if (letter === 0) break;
      letters[size++] = letter;
      hash = nextHash(hash, letter);
      end++;
    }
    if (end < text.length && lower(text.charCodeAt(end)) !== 0) return at;
    if (LEXICON.find(letters, start, size - start, hash) === 0) return at;
    this.reading.size = size;
    this.hash = hash;
    this.end = end;
    this.close();
    return end;
  }

  /** Enters "and" for a sign. @returns where to read on: "&amp;" is one sign */
  private readAndSign(text: string, at: number): number {
    const end = text.startsWith("&amp;", at) ? at + "&amp;".length : at + 1;
    for (const letter of AND_LETTERS) this.add(letter, at, end);
    this.close();
    return end;
  }

  private readOther(text: string, at: number): number {
    const { reading } = this;
    const point = text.codePointAt(at) ?? SPACE;
    const next = at + (point > 0xffff ? 2 : 1);
    const { letters, mark } = this.folder.fold(point);
    reading.marks |= mark;
    if (letters === "") {
      if (this.open >= 0 && (mark & Mark.Diacritic) !== 0) this.end = next;
      return next;
    }
    for (let k = 0; k < letters.length && !reading.isFull; k++) {
      const letter = letters.charCodeAt(k);
      if (letter === SPACE) {
        this.close();
        this.gap |= Gap.Space;
      } else this.add(letter, at, next);
    }
    return next;
  }
}

const MAX_SLASH_WORD = 7;
const MAX_BEFORE_SLASH = 3;
const AND_LETTERS = [97, 110, 100];

/**
 * Reads a name into words: letters folded (case, width, accents), apostrophes and invisible characters dropped, "&"
 * and "+" read as "and", everything else a gap. One pass over the text, whatever is in it; it ends early when the
 * text is longer than any name.
 */
export function readText(reading: Reading, text: string, folder: CharacterFolder): void {
  reading.clear(text);
  const { at, gap } = readPlain(reading, text, Math.min(text.length, MAX_LETTERS));
  if (at < text.length && reading.count < MAX_WORDS) new TextReader(reading, folder, gap).read(text, at);
  if (reading.isFull) reading.marks |= Mark.TooLong;
}
