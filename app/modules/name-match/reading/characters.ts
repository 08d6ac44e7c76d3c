import { Gap } from "./word";

const ASCII = 128;
const UPPER_A = 65;
export const LOWER_A = 97;
export const ZERO = 48;
/** The code after the digits. */
export const DIGIT_END = 58;
export const SPACE = 32;
export const AMPERSAND = 38;
export const APOSTROPHE = 39;
export const PLUS = 43;
export const HYPHEN = 45;
export const SLASH = 47;
export const BACKTICK = 96;

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
  if (code >= UPPER_A && code < UPPER_A + 26) return code + LOWER_A - UPPER_A;
  const isLetter = code >= LOWER_A && code < LOWER_A + 26;
  return isLetter || (code >= ZERO && code < DIGIT_END) ? code : 0;
}

const gapOf = (code: number): number => (code <= SPACE ? Gap.Space : (GAP_OF[String.fromCharCode(code)] ?? Gap.Other));

/** Lower-case letter or digit for each ASCII code; 0 where a word ends. */
export const LOWER: Readonly<Uint8Array> = Uint8Array.from({ length: ASCII }, (_, code) => lowerOf(code));

/** What each ASCII code that is no letter says of the gap it stands in. */
export const GAPS: Readonly<Uint16Array> = Uint16Array.from({ length: ASCII }, (_, code) => gapOf(code));

const SIGNS = new Set([APOSTROPHE, BACKTICK, AMPERSAND, PLUS, SLASH]);

/** The same where nothing but the gap has to be noted; 0 for signs that are read as words or within them. */
export const PLAIN_GAPS: Readonly<Uint16Array> = GAPS.map((gap, code) => (SIGNS.has(code) ? 0 : gap));

/** Letter, digit or 0 for any code. */
export const lower = (code: number): number => (code < ASCII ? (LOWER[code] ?? 0) : 0);
