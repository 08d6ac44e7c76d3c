import { Mark } from "~/modules/name-match/name";
import { LETTER_BLOCKS, PLAIN_LETTERS } from "../data/letters";

/** The replacement for a character outside ASCII: the letters to read instead, and marks it adds to the name. */
export interface Folded {
  /** Lower-case letters; "" for a character that is dropped, " " for one that separates words. */
  letters: string;
  mark: number;
}

/** The script of a letter in one of the blocks; 0 for any other character. */
function blockOf(character: string): number {
  const code = character.charCodeAt(0);
  const block = LETTER_BLOCKS.find(({ first, last }) => code >= first && code <= last);
  return block === undefined ? 0 : Mark[block.script];
}

const INVISIBLE = /[\p{Cf}\p{Cc}\p{Variation_Selector}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\u034f/u;
const ACCENT = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u064b-\u065f\u0670\u0591-\u05c7]/;
const APOSTROPHE = /[\u2018\u2019\u201b\u02b9-\u02bf\u02c8\u00b4\u2032\uff07\u0060]/;
const LETTER = /\p{L}/u;
const NUMBER_OR_MARK = /[\p{N}\p{M}]/u;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;
/** Trade mark, service mark, registered, copyright: not letters of the name, whatever they decompose to. */
const TRADE_MARK = /[\u2122\u2120\u00ae\u00a9\u2117]/;
const SYMBOL = /\p{S}/u;

/** The script of a letter, digit or combining mark, 0 for none; undefined for a character of no word. */
function scriptOf(part: string): number | undefined {
  const script = blockOf(part);
  if (script !== 0) return script;
  const isLetter = LETTER.test(part);
  if (!isLetter && !NUMBER_OR_MARK.test(part)) return undefined;
  if (LATIN.test(part)) return Mark.Latin;
  if (CYRILLIC.test(part)) return Mark.Cyrillic;
  if (GREEK.test(part)) return Mark.Greek;
  return isLetter ? Mark.OtherScript : 0;
}

function foldCharacter(character: string): Folded {
  if (blockOf(character) === 0) {
    if (INVISIBLE.test(character)) return { letters: "", mark: Mark.Invisible };
    if (ACCENT.test(character)) return { letters: "", mark: Mark.Diacritic };
    if (APOSTROPHE.test(character)) return { letters: "", mark: 0 };
    if (TRADE_MARK.test(character)) return { letters: " ", mark: Mark.Symbol };
  }
  let letters = "";
  let mark = 0;
  for (const part of character.normalize("NFKD").toLowerCase()) {
    const script = ACCENT.test(part) ? Mark.Diacritic : scriptOf(part);
    mark |= script ?? 0;
    if (script === Mark.Diacritic) continue;
    if (script !== undefined) {
      const plain = PLAIN_LETTERS[part];
      letters += plain ?? part;
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
