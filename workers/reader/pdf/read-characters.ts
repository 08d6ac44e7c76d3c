import type { Pictured } from "../facts/pictured";
import { inputOf, recogniseCharacter } from "./glyphs";
import type { Sheet } from "./ink";
import { likeness, type Shape, toGrid } from "./shapes";
import { type Blob, isLetterLike, TALLEST } from "./writing";

/** Recognises the characters of rows of blobs. */

const SURE = 0.5;

/** How many characters there are, how many were recognised, and how surely overall. */
export type PictureRead = Pictured & { characters: number; known: number; sure: number };

export const MANY_CHARACTERS = 8;

export const READABLE = 0.75;

export const isLikeCharacter = (blob: Blob, scale: number) =>
  blob.bottom - blob.top >= 4 && (isLetterLike(blob, scale, TALLEST) || isUpright(blob, scale));

/** The digit 1 and a capital I may be no more than a stroke. */
const isUpright = ({ left, top, right, bottom }: Blob, scale: number): boolean =>
  right - left < (bottom - top) * 0.4 && bottom - top > 2.6 * scale && bottom - top < TALLEST * scale;

/** The rows as they are, or upside down: whichever is read more surely. */
export function readRows(sheet: Sheet, rows: readonly Blob[][]): PictureRead[] {
  if (rows.length === 0) return [];
  const ink = Float32Array.from(sheet.mask);
  const upright = [...rows].sort(([one], [other]) => (one?.top ?? 0) - (other?.top ?? 0));
  const read = readCharacters(sheet.width, ink, upright);
  const { width, height } = sheet;
  const upside = upright.reverse().map((row) =>
    [...row].reverse().map(({ left, top, right, bottom, area }) => ({
      left: width - right,
      right: width - left,
      top: height - bottom,
      bottom: height - top,
      area,
    })),
  );
  const turned = readCharacters(width, ink.reverse(), upside);
  return [turned.sure > read.sure ? turned : read];
}

function readCharacters(width: number, ink: Float32Array, rows: readonly Blob[][]): PictureRead {
  const read: PictureRead = { rows: [], characters: 0, known: 0, sure: 0 };
  const texts = rows.map((row) => {
    let text = "";
    let known = 0;
    const gaps = row.slice(1).map((blob, at) => blob.left - (row[at]?.right ?? 0));
    // Letters that stand apart have wide gaps everywhere.
    const usual = [...gaps].sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
    const shapes = row.map((blob) => toGrid(ink, width, blob));
    if (isPattern(shapes)) return "";
    for (const [index, blob] of row.entries()) {
      if ((gaps[index - 1] ?? 0) > Math.max((blob.bottom - blob.top) * 0.3, usual * 1.8)) text += " ";
      const shape = shapes[index];
      const { character, share } = shape ? recogniseCharacter(inputOf(shape)) : { character: "?", share: 0 };
      const isKnown = share > SURE && character !== "?";
      text += isKnown ? character : "?";
      if (character !== "?") read.sure += Math.log(share);
      else read.sure += UNKNOWN;
      if (isKnown) known += 1;
    }
    read.characters += row.length;
    read.known += known;
    // If most of it is not recognised, it is not writing, or cannot be read.
    return known * 2 > row.length ? text : "";
  });
  return { ...read, rows: read.known > read.characters * MOSTLY ? texts.filter(Boolean) : [] };
}

/**
 * One character, or two in turn, repeated like the bullets of a list: more often than a number has digits.
 * The characters at both ends may be cut off.
 */
function isPattern(shapes: readonly Shape[]): boolean {
  const whole = shapes.slice(1, -1);
  return (
    whole.length > MOST_DIGITS && whole.slice(2).every((shape, at) => likeness(shape, whole[at] ?? shape) > THE_SAME)
  );
}
const MOST_DIGITS = 15;
const THE_SAME = 0.85;
const MOSTLY = 0.58;
const UNKNOWN = Math.log(0.1);
