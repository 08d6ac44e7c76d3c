import { LETTER_BLOCKS, PLAIN_LETTERS } from "../data/letters";
import { Mark } from "./word";

/** What a character outside ASCII becomes: letters to read instead of it, and what that says of the name. */
export interface Folded {
  /** Lower-case letters; "" for a character that is dropped, " " for one that separates words. */
  letters: string;
  mark: number;
}

/** The script of a letter in one of the blocks; 0 for any other character. */
function blockOf(code: number): number {
  const block = LETTER_BLOCKS.find(([first, last]) => code >= first && code <= last);
  return block === undefined ? 0 : Mark[block[2]];
}

const INVISIBLE = /[\p{Cf}\p{Cc}\p{Variation_Selector}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\u034f/u;
const ACCENT = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u064b-\u065f\u0670\u0591-\u05c7]/;
const APOSTROPHE = /[\u2018\u2019\u201b\u02b9-\u02bf\u02c8\u00b4\u2032\uff07\u0060]/;
const WORD = /[\p{L}\p{N}\p{M}]/u;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;
/** Trade mark, service mark, registered, copyright: no letters of the name, whatever they decompose to. */
const TRADE_MARK = /[\u2122\u2120\u00ae\u00a9\u2117]/;
const SYMBOL = /[\p{So}\p{Sk}\p{Sm}\p{Sc}]/u;

function scriptOf(letter: string): number {
  const script = blockOf(letter.charCodeAt(0));
  if (script !== 0) return script;
  if (LATIN.test(letter)) return Mark.Latin;
  if (CYRILLIC.test(letter)) return Mark.Cyrillic;
  if (GREEK.test(letter)) return Mark.Greek;
  return /\p{L}/u.test(letter) ? Mark.OtherScript : 0;
}

function foldCharacter(character: string): Folded {
  if (blockOf(character.charCodeAt(0)) !== 0) return foldParts(character);
  if (INVISIBLE.test(character)) return { letters: "", mark: Mark.Invisible };
  if (ACCENT.test(character)) return { letters: "", mark: Mark.Diacritic };
  if (APOSTROPHE.test(character)) return { letters: "", mark: 0 };
  if (TRADE_MARK.test(character)) return { letters: " ", mark: Mark.Symbol };
  return foldParts(character);
}

/** Is this a letter, a digit or a mark that belongs to a letter? */
const isOfWord = (part: string) => blockOf(part.charCodeAt(0)) !== 0 || WORD.test(part);

/** A character as the plain letters that it is made of. */
function foldParts(character: string): Folded {
  let letters = "";
  let mark = 0;
  for (const part of character.normalize("NFKD").toLowerCase()) {
    if (ACCENT.test(part)) mark |= Mark.Diacritic;
    else if (isOfWord(part)) {
      const plain = PLAIN_LETTERS[part];
      letters += plain ?? part;
      mark |= scriptOf(part);
      if (plain !== undefined) mark |= Mark.Diacritic;
    } else if (letters !== "" && !letters.endsWith(" ")) letters += " ";
  }
  if (letters === "") return { letters: " ", mark: SYMBOL.test(character) ? Mark.Symbol : 0 };
  if ((mark & Mark.Diacritic) === 0 && (mark & Mark.Latin) !== 0) mark |= Mark.Compatibility;
  return { letters, mark };
}

/** @param code a code point of 128 or above; a lone surrogate separates words */
export function foldCode(code: number): Folded {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isSurrogate ? { letters: " ", mark: 0 } : foldCharacter(String.fromCodePoint(code));
}
