import type { Sheet } from "./ink";
import { alongWave, aroundCircle, readAlong } from "./read-along";
import { isLikeCharacter, type PictureRead, readRows } from "./read-characters";
import { type Blob, circlesOf, findBlobs, rowsOf, wavesOf } from "./writing";

/** Reads the rows, circles and waves of a painting in two values. */

export const LEAST_ROW = 4;

/** A photograph has many more spots. */
export const MOST_SPOTS = 1_500;

/** Specks are too small or too flat for a character, like the dots and strokes that make up some digits. */
export type Look = { reads: PictureRead[]; spots: number; areSpecks: boolean; around: () => PictureRead[] };
const FEWEST_SPECKS = 24;
/** A dot-matrix printer makes far more dots than a drawing has specks, and nearly all of one size. */
const MOST_DOTS = 20_000;
const SAME_AREA = 1.6;
const MOST_OF_THEM = 0.8;

function areSpecks(specks: readonly Blob[]): boolean {
  if (specks.length < FEWEST_SPECKS || specks.length > MOST_DOTS) return false;
  if (specks.length <= MOST_SPOTS) return true;
  const usual = specks.map(({ area }) => area).sort((one, other) => one - other)[specks.length >> 1] ?? 1;
  const alike = specks.filter(({ area }) => area < usual * SAME_AREA && usual < area * SAME_AREA).length;
  return usual > 2 && alike > specks.length * MOST_OF_THEM;
}

export function lookAtSheet(sheet: Sheet): Look {
  const { width, height, scale } = sheet;
  const blobs = findBlobs(sheet.mask, width, height);
  const spots = blobs.filter((blob) => isLikeCharacter(blob, scale));
  const upright = rowsOf(spots, LEAST_ROW);
  // A quarter turn: what ran upwards runs to the right.
  const turnedSpots = blobs
    .map(({ left, top, right, bottom, area }) => ({
      ...{ left: height - bottom, right: height - top, top: left, bottom: right },
      area,
    }))
    .filter((blob) => isLikeCharacter(blob, scale));
  const upended = rowsOf(turnedSpots, LEAST_ROW);
  const hasBars = hasBarsOfCode(blobs, scale);
  const reads = [...readRows(sheet, upright), ...(upended.length > 0 ? readRows(turnedSheet(sheet), upended) : [])];
  const inRows = new Set(upright.flat());
  const inLongRows = new Set(upright.filter((row) => row.length >= LONG_ROW).flat());
  return {
    reads: reads.map((read) => ({ ...read, hasBars })),
    spots: spots.length,
    areSpecks: areSpecks(blobs.filter((blob) => !isLikeCharacter(blob, scale))),
    around: () => {
      const circles = circlesOf(spots.filter((spot) => !inRows.has(spot)));
      // A part of a wave is level.
      const waves = wavesOf(spots.filter((spot) => !inLongRows.has(spot)));
      return [
        ...circles.map((circle) => readAlong(sheet, aroundCircle(circle))),
        // Its letters may stand upright, or lean with it.
        ...waves.flatMap((wave) => [...readRows(sheet, [wave]), readAlong(sheet, alongWave(wave))]),
      ].filter(({ known }) => known > 0);
    },
  };
}

/** In characters: no part of a wave that is level is longer. */
const LONG_ROW = 10;

/** A barcode: many strokes side by side, each far taller than wide. */
function hasBarsOfCode(blobs: readonly Blob[], scale: number): boolean {
  const bars = blobs.filter(
    ({ left, right, top, bottom }) => bottom - top > 8 * scale && bottom - top > 5 * (right - left),
  );
  return bars.length > MANY_BARS;
}
const MANY_BARS = 16;

/** A quarter turn: what ran upwards runs to the right. */
function turnedSheet({ width, height, scale, mask }: Sheet): Sheet {
  const turned = new Uint8Array(mask.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) turned[x * height + (height - 1 - y)] = mask[y * width + x] ?? 0;
  return { width: height, height: width, scale, mask: turned };
}
