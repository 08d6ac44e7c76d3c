import { lumaRows, type Picture } from "./painting";

/** What stands out from its background in a painting: letters and squares of any colour on any background. */

/** How far around a spot to look for its background, in points. */
const NEAR = 9;
/** A smaller difference than this, out of 255, is not visible. */
const LEAST_INK = 11;

/** A painting in two values: 1 where there is ink. */
export type Sheet = { width: number; height: number; scale: number; mask: Uint8Array };

export type Ground = {
  width: number;
  height: number;
  scale: number;
  lumas: Uint8Array;
  means: Float32Array;
  spread: Float32Array;
};

/** How bright a picture is around each of its pixels, and how much that varies. */
export function groundOf(picture: Picture): Ground {
  const { width, height, scale } = picture;
  const stride = width + 1;
  const lumas = new Uint8Array(width * height);
  const sums = new Uint32Array(stride * (height + 1));
  const squares = new Float64Array(stride * (height + 1));
  let y = 0;
  for (const row of lumaRows(picture)) {
    let [sum, square] = [0, 0];
    for (let x = 0; x < width; x += 1) {
      const luma = Math.round(row[x] ?? 0);
      lumas[y * width + x] = luma;
      sum += luma;
      square += luma * luma;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + sum;
      squares[(y + 1) * stride + x + 1] = (squares[y * stride + x + 1] ?? 0) + square;
    }
    y += 1;
  }
  const [means, spread] = [new Float32Array(lumas.length), new Float32Array(lumas.length)];
  const near = Math.max(4, Math.round(NEAR * scale));
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - near) * stride, Math.min(height, y + near + 1) * stride];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - near), Math.min(width, x + near + 1)];
      const area = ((bottom - top) / stride) * (right - left);
      const mean = overBox(sums, top + left, top + right, bottom + left, bottom + right) / area;
      const square = overBox(squares, top + left, top + right, bottom + left, bottom + right) / area;
      means[y * width + x] = mean;
      spread[y * width + x] = Math.sqrt(Math.max(0, square - mean * mean));
    }
  }
  return { width, height, scale, lumas, means, spread };
}

const overBox = (table: Uint32Array | Float64Array, a: number, b: number, c: number, d: number): number =>
  (table[d] ?? 0) - (table[c] ?? 0) - (table[b] ?? 0) + (table[a] ?? 0);

/** What is darker, and what is lighter, than the background: letters of any colour on any background. */
export function inkAgainst({ width, height, scale, lumas, means, spread }: Ground, threshold: number): Sheet[] {
  const [dark, light] = [new Uint8Array(lumas.length), new Uint8Array(lumas.length)];
  for (let at = 0; at < lumas.length; at += 1) {
    const far = Math.max(LEAST_INK, threshold * (spread[at] ?? 0));
    const difference = (lumas[at] ?? 0) - (means[at] ?? 0);
    if (difference < -far) dark[at] = 1;
    else if (difference > far) light[at] = 1;
  }
  return [dark, light].map((mask) => ({ width, height, scale, mask }));
}

/** What is dark if a picture is black and white. */
export function darkOf({ lumas }: Ground): Uint8Array {
  let [least, most] = [255, 0];
  for (const luma of lumas) {
    least = Math.min(least, luma);
    most = Math.max(most, luma);
  }
  const middle = (least + most) / 2;
  return lumas.map((luma) => Number(luma < middle));
}

/**
 * Of the difference between the darkest and the lightest: a step from one pixel to the next in a picture that is sharp.
 */
const SHARP = 0.27;
/** The same: a swing between light and dark, and how many of them a row of letters has. */
const SWING = 0.25;
const FEWEST_SWINGS = 8;
const FEWEST_ROWS = 3;
const LEAST_RANGE = 24;

/** Light and dark in turn without a sharp edge, as writing that is out of focus: it is there, and is not recognised. */
export function isOutOfFocus(picture: Picture): boolean {
  let [least, most, sharpest] = [255, 0, 0];
  for (const row of lumaRows(picture))
    for (const [x, luma] of row.entries()) {
      least = Math.min(least, luma);
      most = Math.max(most, luma);
      if (x > 0) sharpest = Math.max(sharpest, Math.abs(luma - (row[x - 1] ?? luma)));
    }
  const range = most - least;
  if (range < LEAST_RANGE || sharpest > range * SHARP) return false;
  let rows = 0;
  for (const row of lumaRows(picture)) if (swingsIn(row, range * SWING) >= FEWEST_SWINGS) rows += 1;
  return rows >= FEWEST_ROWS;
}

/** How often a row turns from lighter to darker or back, by at least so much. */
function swingsIn(row: Float32Array, least: number): number {
  let [swings, way] = [0, 0];
  let extreme = row[0] ?? 0;
  for (const luma of row) {
    const step = luma - extreme;
    if (way !== 0 && step * way >= 0) extreme = luma;
    else if (Math.abs(step) >= least) {
      swings += 1;
      way = Math.sign(step);
      extreme = luma;
    }
  }
  return swings;
}

/** Ink that is not more than twice `reach` pixels apart, as one. */
export function joined(sheet: Sheet, reach: number): Sheet {
  if (reach === 0) return sheet;
  const { width, height, mask } = sheet;
  const grown = swollen(swollen(mask, width, height, reach, 1), width, height, reach, width);
  const rest = opposite(grown);
  // Shrinks by half only: shapes that touch at their corners would come apart again.
  const back = reach >> 1;
  const shrunk = swollen(swollen(rest, width, height, back, 1), width, height, back, width);
  return { ...sheet, mask: opposite(shrunk) };
}

function opposite(mask: Uint8Array): Uint8Array {
  const other = new Uint8Array(mask.length);
  for (let at = 0; at < mask.length; at += 1) other[at] = mask[at] === 0 ? 1 : 0;
  return other;
}

/** True where there is ink within reach, along rows (`step` 1) or columns (`step` the width). */
function swollen(mask: Uint8Array, width: number, height: number, reach: number, step: number): Uint8Array {
  const grown = new Uint8Array(mask.length);
  const [lines, length, apart] = step === 1 ? [height, width, width] : [width, height, 1];
  for (let line = 0; line < lines; line += 1) {
    let last = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < length + reach; at += 1) {
      if (at < length && mask[line * apart + at * step] === 1) last = at;
      const to = at - reach;
      if (to >= 0 && last >= to - reach) grown[line * apart + to * step] = 1;
    }
  }
  return grown;
}
