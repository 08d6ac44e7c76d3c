import { boxInLine, type Char, isNamed, type Line } from "../layout/lines";
import { inputOf, recogniseCharacter } from "./glyphs";
import { inkOf, type Picture, type Surface, withPainting } from "./painting";
import { around, within } from "./seen";
import { cropped } from "./shapes";

/**
 * Whether words are painted as they are claimed: a font may call its digits letters, or other digits, so that a person sees a
 * number which the file does not name.
 */

const SCALE = 3;
const MOST_PIXELS = 3_500_000;
/** Smaller type has too few pixels to tell its characters apart. */
const LEAST_SIZE = 5;
/** The margin painted around characters, in points. */
const EDGE = 2;
/** Shades of ink, few enough to be stored in one character each. */
const SHADES = 63;
const AS_LETTERS = new TextDecoder("latin1");
/** Every second character of a line is examined first, and the others only if two of those are painted as digits. */
const STEP = 2;
const ENOUGH_TO_LOOK = 2;
const ENOUGH = 4;
const SURE = 0.9;
/** For each digit, the letters that look like it in some fonts. */
const LIKE_DIGIT = ["oOQDCcae", "lIiJLtTrfj", "zZ", "", "A", "sS", "bG", "TYfFt", "B", "gq"];

/** @property isNamed true if the file gives the characters a Unicode value */
export type Misnamed = { line: Line; chars: Char[]; painted: string; isNamed: boolean };

/** What each painted shape was recognised as. Most characters of a document look exactly like an earlier one. */
const known = new Map<string, ReturnType<typeof recogniseCharacter>>();
const MOST_KNOWN = 4_000;
/** In pixels. */
const LARGEST_KNOWN = 2_000;

/** Lines in which several characters are painted as digits but the file calls them something else. */
export function findMisnamed(surface: Surface, lines: readonly Line[]): Misnamed[] {
  const { width, height } = surface.space;
  const page = { x: 0, y: 0, width, height };
  const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (width * height)));
  const looked = lines
    .map((line) => ({ line, chars: line.chars.filter((char) => char !== undefined).filter(mayBeDigit) }))
    .filter(({ chars }) => chars.length >= ENOUGH);
  const region =
    looked.length > 0 &&
    within(
      around(
        looked.flatMap(({ chars }) => chars.map(boxInLine)),
        EDGE,
      ),
      page,
    );
  if (!region) return [];
  return withPainting(surface, region, scale, (sheet) => looked.flatMap((each) => misnamedIn(each, sheet)));
}

function misnamedIn({ line, chars }: { line: Line; chars: Char[] }, sheet: Picture): Misnamed[] {
  const sample = chars.filter((_, at) => at % STEP === 0);
  if (sample.filter((char) => paintedDigit(sheet, char)).length < ENOUGH_TO_LOOK) return [];
  const hits = chars.flatMap((char) => {
    const painted = paintedDigit(sheet, char);
    return painted ? [{ char, painted }] : [];
  });
  if (hits.length < ENOUGH) return [];
  const painted = hits.map((hit) => hit.painted).join("");
  const isOfNames = hits.filter(({ char }) => isNamed(char)).length >= ENOUGH;
  return [{ line, chars: hits.map(({ char }) => char), painted, isNamed: isOfNames }];
}

const mayBeDigit = (char: Char) =>
  char.size >= LEAST_SIZE &&
  !(char.slope || char.isOverlapped) &&
  (!isNamed(char) || /[\p{L}\p{N}\p{Co}]/u.test(char.text));

/** The digit that a character clearly looks like, if the file calls it neither that nor a letter that looks like it. */
function paintedDigit(sheet: Picture, char: Char): string | undefined {
  const { width, height, ink } = inkOf(sheet, boxInLine(char), char.turn);
  if (width < 3 || height < 8) return undefined;
  const { character, share } = characterOf(ink, width, height);
  const isOther =
    /\d/.test(character) &&
    share > SURE &&
    character !== char.text &&
    !LIKE_DIGIT[Number(character)]?.includes(char.text);
  return isOther ? character : undefined;
}

function characterOf(ink: Float32Array, width: number, height: number): ReturnType<typeof recogniseCharacter> {
  const guess = () => {
    const shape = cropped({ width, height, ink });
    return shape ? recogniseCharacter(inputOf(shape)) : { character: "?", share: 0 };
  };
  if (ink.length > LARGEST_KNOWN) return guess();
  const shades = new Uint8Array(ink.length);
  for (let at = 0; at < ink.length; at += 1) {
    shades[at] = Math.round((ink[at] ?? 0) * SHADES);
    ink[at] = (shades[at] ?? 0) / SHADES;
  }
  const key = `${width} ${AS_LETTERS.decode(shades)}`;
  const found = known.get(key) ?? guess();
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}
