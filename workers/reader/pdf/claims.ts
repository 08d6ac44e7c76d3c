import { boxInLine, type Char, isNamed, type Line } from "../layout/lines";
import { guessSign, inputOf } from "./glyphs";
import { type Easel, inkOf, type Picture, paint } from "./painting";
import { toGrid } from "./shapes";

/**
 * Whether words are painted as they are claimed: a font may call its digits letters, or other digits, so that a person sees a
 * number which the file does not name.
 */

const SCALE = 3;
const MOST_PIXELS = 3_500_000;
/** Smaller type has too few pixels to tell its signs apart. */
const LEAST_SIZE = 5;
const MOST_SAMPLES = 2_500;
/** Of a line, each second sign is looked at; the others where two of those are painted as digits. */
const STEP = 2;
const ENOUGH_TO_LOOK = 2;
const ENOUGH = 4;
const SURE = 0.9;
/** For each digit the letters that are drawn like it in some fonts. */
const LIKE_DIGIT = ["oOQDCcae", "lIiJLtTrfj", "zZ", "", "A", "sS", "bG", "TYfFt", "B", "gq"];

/** @property isNamed whether the file names the signs at all */
export type Misnamed = { line: Line; chars: Char[]; painted: string; isNamed: boolean };

/** Lines in which several signs are painted as digits that the file calls something else. */
export function findMisnamed(easel: Easel, lines: readonly Line[]): Misnamed[] {
  const { width, height } = easel.space;
  const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (width * height)));
  let sheet: Picture | undefined;
  let samples = 0;
  return lines.flatMap((line) => {
    const chars = line.chars.filter((char) => char !== undefined).filter(mayBeDigit);
    const hitOf = (char: Char) => {
      sheet ??= paint(easel, { x: 0, y: 0, width, height }, scale);
      return paintedDigit(sheet, char);
    };
    const sample = chars.filter((_, at) => at % STEP === 0);
    samples += sample.length;
    if (samples > MOST_SAMPLES || sample.filter(hitOf).length < ENOUGH_TO_LOOK) return [];
    const hits = chars.flatMap((char) => {
      const painted = hitOf(char);
      return painted ? [{ char, painted }] : [];
    });
    if (hits.length < ENOUGH) return [];
    const painted = hits.map((hit) => hit.painted).join("");
    const isOfNames = hits.filter(({ char }) => isNamed(char)).length >= ENOUGH;
    return [{ line, chars: hits.map(({ char }) => char), painted, isNamed: isOfNames }];
  });
}

const mayBeDigit = (char: Char) =>
  char.size >= LEAST_SIZE &&
  !(char.slope || char.isOverlapped) &&
  (!isNamed(char) || /[\p{L}\p{N}\p{Co}]/u.test(char.text));

/** The digit that a sign surely looks like, where the file calls it neither that nor a letter that is drawn like it. */
function paintedDigit(sheet: Picture, char: Char): string | undefined {
  const { width, height, ink } = inkOf(sheet, boxInLine(char), char.turn);
  if (width < 3 || height < 8) return undefined;
  const { sign, share } = guessSign(inputOf(toGrid(ink, width, { left: 0, right: width, top: 0, bottom: height })));
  const isOther =
    /\d/.test(sign) && share > SURE && sign !== char.text && !LIKE_DIGIT[Number(sign)]?.includes(char.text);
  return isOther ? sign : undefined;
}
