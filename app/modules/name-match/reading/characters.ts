import { Gap } from "./word";

/** Codes of characters that steps ask for. */
export enum Code {
  Space = 32,
  Ampersand = 38,
  Apostrophe = 39,
  Plus = 43,
  Hyphen = 45,
  Slash = 47,
  Zero = 48,
  /** The code after the digits. */
  DigitEnd = 58,
  UpperA = 65,
  Backtick = 96,
  LowerA = 97,
  /** How many ASCII has. */
  Ascii = 128,
}

const ALPHABET = 26;

const GAP_OF: Record<string, Gap> = {
  ".": Gap.Dot,
  ",": Gap.Comma,
  "-": Gap.Hyphen,
  _: Gap.Hyphen,
  "/": Gap.Slash,
  "#": Gap.Hash,
  "(": Gap.Open,
  "[": Gap.Open,
  "{": Gap.Open,
  ")": Gap.Close,
  "]": Gap.Close,
  "}": Gap.Close,
};

function lowerOf(code: number): number {
  if (code >= Code.UpperA && code < Code.UpperA + ALPHABET) return code + Code.LowerA - Code.UpperA;
  const isLetter = code >= Code.LowerA && code < Code.LowerA + ALPHABET;
  return isLetter || (code >= Code.Zero && code < Code.DigitEnd) ? code : 0;
}

const gapOf = (code: number): number =>
  code <= Code.Space ? Gap.Space : (GAP_OF[String.fromCharCode(code)] ?? Gap.Other);

/** Lower-case letter or digit for each ASCII code; 0 where a word ends. */
export const LOWER: Readonly<Uint8Array> = Uint8Array.from({ length: Code.Ascii }, (_, code) => lowerOf(code));

/** What each ASCII code that is no letter says of the gap it stands in. */
export const GAPS: Readonly<Uint16Array> = Uint16Array.from({ length: Code.Ascii }, (_, code) => gapOf(code));

const SIGNS = new Set([Code.Apostrophe, Code.Backtick, Code.Ampersand, Code.Plus, Code.Slash]);

/** How a number of `PLAIN` is read. */
export enum Plain {
  /** From here on it is a gap; what stands in the gap is `GapBits` to the left. */
  Gap = 256,
  GapBits = 8,
}

/** Each ASCII code as the plain loop reads it: a letter or a gap; 0 for signs that are read as words or within them. */
export const PLAIN: Readonly<Int32Array> = Int32Array.from({ length: Code.Ascii }, (_, code) =>
  SIGNS.has(code) ? 0 : (LOWER[code] ?? 0) || (GAPS[code] ?? 0) << Plain.GapBits,
);

/** Letter, digit or 0 for any code. */
export const lower = (code: number): number => (code < Code.Ascii ? (LOWER[code] ?? 0) : 0);
