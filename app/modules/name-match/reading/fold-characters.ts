import { Mark } from "./reading";

/** What a character outside ASCII becomes: letters to read instead of it, and what that says of the name. */
export interface Folded {
  /** Lower-case letters; "" for a character that is dropped, " " for one that separates words. */
  letters: string;
  mark: number;
}

/**
 * Blocks of letters by their code points, with the script: first, last, mark. Nothing else stands in them (marks of
 * accents apart), so that most names in other scripts are read without asking for the properties of a character.
 */
export const LETTER_BLOCKS: ReadonlyArray<readonly [first: number, last: number, script: number]> = [
  [0xac00, 0xd7a3, Mark.OtherScript], // Hangul syllables
  [0x4e00, 0x9fff, Mark.OtherScript], // Chinese
  [0x0400, 0x0481, Mark.Cyrillic],
  [0x048a, 0x052f, Mark.Cyrillic],
  [0x00c0, 0x00d6, Mark.Latin],
  [0x00d8, 0x00f6, Mark.Latin],
  [0x00f8, 0x02af, Mark.Latin],
  [0x1e00, 0x1eff, Mark.Latin],
  [0x0391, 0x03a1, Mark.Greek],
  [0x03a3, 0x03e1, Mark.Greek],
  [0x05d0, 0x05ea, Mark.OtherScript], // Hebrew
  [0x0620, 0x063f, Mark.OtherScript], // Arabic
  [0x0641, 0x064a, Mark.OtherScript],
  [0x0904, 0x0939, Mark.OtherScript], // Devanagari
  [0x1100, 0x115e, Mark.OtherScript], // Hangul letters, which the syllables are taken apart into
  [0x1161, 0x11ff, Mark.OtherScript],
  [0x3041, 0x3096, Mark.OtherScript], // Japanese
  [0x30a1, 0x30fa, Mark.OtherScript],
];

/** The code after the last block. */
const BLOCKS_END = 0xd7a4;

function fillBlocks(): Readonly<Uint8Array> {
  const scripts = new Uint8Array(BLOCKS_END);
  for (const [first, last, script] of LETTER_BLOCKS) scripts.fill(script, first, last + 1);
  return scripts;
}

const SCRIPT_OF = fillBlocks();

/** The script of a letter in one of the blocks; 0 for any other character. */
const blockOf = (code: number): number => SCRIPT_OF[code] ?? 0;

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
/** Letters within and without the blocks, signs and symbols: they meet every pattern twice. */
const SAMPLES =
  "\u00aa\u00ba\u00b7\u00a9\u00e9\u0416\u03a9\u7530\uac00\u0628\u200b\u0531\u10d0\u0e01\u02b0\u2c60\u1c80\u2126\u{1f600}\u{1f601}";

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
