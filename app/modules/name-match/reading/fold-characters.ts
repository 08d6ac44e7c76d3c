import { Mark } from "./reading";

/** What a character outside ASCII becomes: letters to read instead of it, and what that says of the name. */
export interface Folded {
  /** Lower-case letters; "" for a character that is dropped, " " for one that separates words. */
  letters: string;
  mark: number;
}

const INVISIBLE = /[\p{Cf}\p{Cc}\p{Variation_Selector}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\u034f/u;
const ACCENT = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u064b-\u065f\u0670\u0591-\u05c7]/;
const APOSTROPHE = /[\u2018\u2019\u201b\u02b9-\u02bf\u02c8\u00b4\u2032\uff07\u0060]/;
const WORD = /[\p{L}\p{N}\p{M}]/u;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;
const SYMBOL = /[\p{So}\p{Sk}\p{Sm}\p{Sc}]/u;

/** Letters that no decomposition takes apart. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ħ: "h",
  ŋ: "n",
  ς: "σ",
};

function scriptOf(letter: string): number {
  if (LATIN.test(letter)) return Mark.Latin;
  if (CYRILLIC.test(letter)) return Mark.Cyrillic;
  if (GREEK.test(letter)) return Mark.Greek;
  return /\p{L}/u.test(letter) ? Mark.OtherScript : 0;
}

function foldCharacter(character: string): Folded {
  if (INVISIBLE.test(character)) return { letters: "", mark: Mark.Invisible };
  if (ACCENT.test(character)) return { letters: "", mark: Mark.Diacritic };
  if (APOSTROPHE.test(character)) return { letters: "", mark: 0 };
  let letters = "";
  let mark = 0;
  for (const part of character.normalize("NFKD").toLowerCase()) {
    if (ACCENT.test(part)) mark |= Mark.Diacritic;
    else if (WORD.test(part)) {
      const plain = LETTERS[part];
      letters += plain ?? part;
      mark |= scriptOf(part);
      if (plain !== undefined) mark |= Mark.Diacritic;
    } else if (letters !== "" && !letters.endsWith(" ")) letters += " ";
  }
  if (letters === "") return { letters: " ", mark: SYMBOL.test(character) ? Mark.Symbol : 0 };
  if ((mark & Mark.Diacritic) === 0 && (mark & Mark.Latin) !== 0) mark |= Mark.Compatibility;
  return { letters, mark };
}

const COMBINING_FIRST = 0x300;
const COMBINING_LAST = 0x36f;
const GRAPHEME_JOINER = 0x34f;
const COMBINING: Folded = { letters: "", mark: Mark.Diacritic };

const REMEMBERED = 4096;
const SAMPLES = "\u00e9\u0416\u03a9\u7530\uac00\u0628\u200b\u{1f600}";

/** Folds characters outside ASCII, and remembers what it has folded. */
export class CharacterFolder {
  private readonly known = new Map<number, Folded>();

  /** Compiles its patterns ahead: the first name in another script must not wait for them. */
  constructor() {
    for (const character of SAMPLES) foldCharacter(character);
  }

  /** @param code a code point of 128 or above; a lone surrogate separates words */
  fold(code: number): Folded {
    if (code >= COMBINING_FIRST && code <= COMBINING_LAST && code !== GRAPHEME_JOINER) return COMBINING;
    const known = this.known.get(code);
    if (known !== undefined) return known;
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    const folded = isSurrogate ? { letters: " ", mark: 0 } : foldCharacter(String.fromCodePoint(code));
    if (this.known.size < REMEMBERED) this.known.set(code, folded);
    return folded;
  }
}
