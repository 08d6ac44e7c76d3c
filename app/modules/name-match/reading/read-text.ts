import { nextHash } from "../vocabulary/lexicon";
import { LEXICON } from "../vocabulary/words";
import { Code, GAPS, LOWER, lower, PLAIN, Plain } from "./characters";
import type { CharacterFolder } from "./fold-characters";
import { Limit, Mark, type Reading } from "./reading";
import { Gap } from "./word";

const isAnd = (code: number) => code === Code.Ampersand || code === Code.Plus;

/**
 * Reads words of ASCII letters and digits with plain gaps between them, which most names wholly are: the loop that
 * nearly every character of every name goes through.
 * @returns where it stopped: the end, or the first word or gap it cannot read
 */
const plainReaderOf =
  (plain: Readonly<Int32Array>) =>
  (reading: Reading, text: string, from: number): number => {
    const { letters } = reading;
    const end = Math.min(text.length, from + Limit.Letters - reading.size);
    let { gap } = reading;
    let at = from;
    while (at < end && reading.count < Limit.Words) {
      let code = text.charCodeAt(at);
      let read = code < Code.Ascii ? (plain[code] ?? 0) : 0;
      if (read === 0) break;
      if (read >= Plain.Gap) {
        gap |= read >> Plain.GapBits;
        at++;
        continue;
      }
      const wordAt = at;
      let { size } = reading;
      let hash = 0;
      let mask = 0;
      do {
        letters[size++] = read;
        hash = (Math.imul(hash, 31) + read) | 0;
        mask |= 1 << read;
        if (++at >= end) break;
        code = text.charCodeAt(at);
        read = code < Code.Ascii ? (plain[code] ?? 0) : 0;
      } while (read !== 0 && read < Plain.Gap);
      if ((read === 0 && !isAnd(code)) || (at >= end && end < text.length)) {
        at = wordAt;
        break;
      }
      reading.size = size;
      reading.gap = gap;
      reading.addWord(wordAt, at, hash, mask);
      gap = 0;
    }
    reading.gap = gap;
    return at;
  };

/** It closes over its table for the reason for which the vocabulary's functions do. */
const readPlain = plainReaderOf(PLAIN);

/** Reads on, whatever the characters are: one open word at a time. */
class TextReader {
  /** Where the open word begins in the text, or -1; where it ends; where its letters begin. */
  private open = -1;
  private end = 0;
  private start = 0;
  private hash = 0;
  private mask = 0;

  constructor(
    private readonly reading: Reading,
    private readonly folder: CharacterFolder,
  ) {}

  /** Reads one word, or one character of a gap. @returns where to read on */
  read(text: string, from: number): number {
    const { reading } = this;
    let at = from;
    do {
      const code = text.charCodeAt(at);
      at = code < 128 ? this.readAscii(text, at, code) : this.readOther(text, at);
    } while (this.open >= 0 && at < text.length && !reading.isFull);
    if (reading.count < Limit.Words) this.close();
    return at;
  }

  private add(letter: number, from: number, to: number): void {
    if (this.open < 0) {
      this.open = from;
      this.start = this.reading.size;
      this.hash = 0;
      this.mask = 0;
    }
    this.reading.letters[this.reading.size++] = letter;
    this.hash = nextHash(this.hash, letter);
    this.mask |= 1 << letter;
    this.end = to;
  }

  private close(): void {
    if (this.open < 0) return;
    this.reading.addWord(this.open, this.end, this.hash, this.mask);
    this.open = -1;
  }

  /** @returns where to read on */
  private readAscii(text: string, at: number, code: number): number {
    const letter = LOWER[code] ?? 0;
    if (letter !== 0) {
      this.add(letter, at, at + 1);
      return at + 1;
    }
    if (code === Code.Apostrophe || code === Code.Backtick) return at + 1;
    if (code === Code.Slash && this.open >= 0) {
      const end = this.readSlashWord(text, at);
      if (end > at) return end;
    }
    this.close();
    if (this.reading.isFull) return at;
    if (code === Code.Ampersand || (code === Code.Plus && this.reading.count > 0)) return this.readAndSign(text, at);
    this.reading.gap |= GAPS[code] ?? 0;
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
    let { hash, mask } = this;
    while (end < text.length && size - start < MAX_SLASH_WORD) {
      const code = text.charCodeAt(end);
      const letter = lower(code) || (code === Code.Slash || code === Code.Hyphen ? code : 0);
      if (letter === 0) break;
      letters[size++] = letter;
      hash = nextHash(hash, letter);
      mask |= 1 << letter;
      end++;
    }
    if (end < text.length && lower(text.charCodeAt(end)) !== 0) return at;
    if (LEXICON.find(letters, start, size - start, hash) === 0) return at;
    this.reading.size = size;
    this.hash = hash;
    this.mask = mask;
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
    const point = text.codePointAt(at) ?? Code.Space;
    const next = at + (point > 0xffff ? 2 : 1);
    const { letters, mark } = this.folder.fold(point);
    reading.marks |= mark;
    reading.foreign++;
    if (letters === "") {
      if (this.open >= 0 && (mark & Mark.Diacritic) !== 0) this.end = next;
      return next;
    }
    for (let k = 0; k < letters.length && !reading.isFull; k++) {
      const letter = letters.charCodeAt(k);
      if (letter === Code.Space) {
        this.close();
        reading.gap |= Gap.Space;
      } else this.add(letter, at, next);
    }
    return next;
  }
}

/** "LimitedT/A" and "T/as": letters before the slash, and in all. */
const MAX_SLASH_WORD = 11;
const MAX_BEFORE_SLASH = 8;
const AND_LETTERS = [97, 110, 100];

/**
 * Reads a name into words: letters folded (case, width, accents), apostrophes and invisible characters dropped, "&"
 * and "+" read as "and", everything else a gap. One pass over the text, whatever is in it; it ends early when the
 * text is longer than any name.
 */
export function readText(reading: Reading, text: string, folder: CharacterFolder): void {
  reading.clear(text);
  let at = readPlain(reading, text, 0);
  if (at < text.length && !reading.isFull) {
    const reader = new TextReader(reading, folder);
    while (at < text.length && !reading.isFull) at = readPlain(reading, text, reader.read(text, at));
  }
  if (reading.isFull) reading.marks |= Mark.TooLong;
}
