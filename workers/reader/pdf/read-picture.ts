import type { Box } from "~/ports/document-reader";
import type { Pictured } from "../facts/pictured";
import { guessSign } from "./glyphs";
import { type Easel, lumaAt, type Picture, paintWithout } from "./painting";
import { around } from "./seen";
import { toGrid } from "./shapes";
import { type Blob, findBlobs, isLetterLike, rowsOf } from "./writing";

/** Reads what is written in a picture, or as outlines: in any colours, turned by quarters or slanted, sharp or not. */

const SCALE = 5;
const LEAST_SCALE = 2.5;
/** In points: rows that stand one below the other are seen together in one of two bands. */
const OVERLAP = 50;
const MOST_BANDS = 8;
const MOST_PIXELS = 900_000;
/** How far around a spot its ground is looked for, in points. */
const NEAR = 9;
/** Less difference than this, of 255, is not seen. */
const LEAST_INK = 11;
/** How far from the ground ink is, in standard deviations around it: usual writing, and writing with hairlines. */
const THRESHOLDS = [0.8, 0.35] as const;
const LEAST_ROW = 4;
const SURE = 0.5;
const CLEAR = 0.8;
/** Slopes that are tried, besides quarters, where letters stand in no rows. */
const SLOPES = [0.5, -0.5];
const MANY_LETTERS = 10;
/** A photograph has thousands of spots. */
const MOST_SPOTS = 4_000;

export type PictureRead = Pictured & { signs: number; known: number };

/** What is read in each way to look at a picture that shows rows of signs. */
export function readPicture(easel: Easel, texts: readonly number[], box: Box): PictureRead[] {
  return bandsOf(box).flatMap((band) => readBand(easel, texts, band));
}

/** A large picture is looked at in bands, so that each is seen from near. */
function bandsOf({ x, y, width, height }: Box): Box[] {
  const tall = Math.max(MOST_PIXELS / (width * LEAST_SCALE ** 2), 3 * OVERLAP);
  if (tall >= height) return [{ x, y, width, height }];
  const count = Math.min(MOST_BANDS, Math.ceil((height - OVERLAP) / (tall - OVERLAP)));
  const step = (height - OVERLAP) / count;
  return Array.from({ length: count }, (_, at) => ({ x, y: y + at * step, width, height: step + OVERLAP }));
}

function readBand(easel: Easel, texts: readonly number[], box: Box): PictureRead[] {
  const looks: Look[] = [];
  for (const threshold of THRESHOLDS) {
    looks.push(...look(easel, texts, box, threshold));
    if (looks.every(isClear)) break;
  }
  const isAskew = looks.some(
    ({ spots, inRows }) => spots >= MANY_LETTERS && spots < MOST_SPOTS && inRows < spots * 0.5,
  );
  if (isAskew)
    for (const slope of SLOPES) looks.push(...look({ ...easel, slope }, texts, sloped(box, slope), THRESHOLDS[0]));
  return looks.flatMap(({ reads }) => reads).filter(({ rows }) => rows.length > 0);
}

/** Nearly all of it stands in rows, and nearly all of those were recognised. */
const isClear = ({ reads, spots }: Look): boolean =>
  spots < LEAST_ROW || reads.some(({ signs, known }) => signs > spots * 0.6 && known > signs * CLEAR);

/** The smallest level box around a box, on a page that is turned by a slope. */
function sloped({ x, y, width, height }: Box, slope: number): Box {
  const [cos, sin] = [Math.cos(slope), Math.sin(slope)];
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([across = 0, down = 0]) => ({
    x: across * cos + down * sin,
    y: down * cos - across * sin,
    width: 0,
    height: 0,
  }));
  return around(corners, 0);
}

type Look = { reads: PictureRead[]; spots: number; inRows: number };

function look(easel: Easel, texts: readonly number[], box: Box, threshold: number): Look[] {
  const region = around([box], 2);
  const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (region.width * region.height)));
  const picture = paintWithout(easel, texts, region, scale);
  const sheets = inkAgainstGround(picture, threshold);
  return sheets.map((sheet) => {
    const turned = turnedSheet(sheet);
    const spots = findSpots(sheet);
    const [upright, upended] = [rowsOf(spots, LEAST_ROW), rowsOf(findSpots(turned), LEAST_ROW)];
    const count = (rows: Blob[][]) => rows.reduce((sum, row) => sum + row.length, 0);
    // What stands on its head has the same rows, so that both ways are read.
    const reads = [...readRows(sheet, upright), ...readRows(turned, upended)];
    return { reads, spots: spots.length, inRows: Math.max(count(upright), count(upended)) };
  });
}

type Sheet = { width: number; height: number; scale: number; mask: Uint8Array };

const findSpots = ({ mask, width, height, scale }: Sheet): Blob[] =>
  findBlobs(mask, width, height).filter((blob) => blob.bottom - blob.top >= 4 && isLetterLike(blob, scale));

/** What is darker, and what is lighter, than the ground around it: letters of any colour on any ground. */
function inkAgainstGround(picture: Picture, threshold: number): Sheet[] {
  const { width, height, scale } = picture;
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  const squares = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let [sum, square] = [0, 0];
    for (let x = 0; x < width; x += 1) {
      const luma = lumaAt(picture, x, y);
      sum += luma;
      square += luma * luma;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + sum;
      squares[(y + 1) * stride + x + 1] = (squares[y * stride + x + 1] ?? 0) + square;
    }
  }
  const [dark, light] = [new Uint8Array(width * height), new Uint8Array(width * height)];
  const near = Math.max(4, Math.round(NEAR * scale));
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - near) * stride, Math.min(height, y + near + 1) * stride];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - near), Math.min(width, x + near + 1)];
      const area = ((bottom - top) / stride) * (right - left);
      const over = (table: Float64Array) =>
        ((table[bottom + right] ?? 0) -
          (table[bottom + left] ?? 0) -
          (table[top + right] ?? 0) +
          (table[top + left] ?? 0)) /
        area;
      const mean = over(sums);
      const far = Math.max(LEAST_INK, threshold * Math.sqrt(Math.max(0, over(squares) - mean * mean)));
      const difference = lumaAt(picture, x, y) - mean;
      if (difference < -far) dark[y * width + x] = 1;
      else if (difference > far) light[y * width + x] = 1;
    }
  }
  return [dark, light].map((mask) => ({ width, height, scale, mask }));
}

/** Turned by a quarter: what ran upwards runs to the right. */
function turnedSheet({ width, height, scale, mask }: Sheet): Sheet {
  const turned = new Uint8Array(mask.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) turned[x * height + (height - 1 - y)] = mask[y * width + x] ?? 0;
  return { width: height, height: width, scale, mask: turned };
}

/** The rows as they stand, and on their head. */
function readRows(sheet: Sheet, rows: readonly Blob[][]): PictureRead[] {
  if (rows.length === 0) return [];
  const ink = Float32Array.from(sheet.mask);
  const upright = [...rows].sort(([one], [other]) => (one?.top ?? 0) - (other?.top ?? 0));
  const read = readSigns(sheet.width, ink, upright);
  if (read.known > read.signs * CLEAR) return [read];
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
  const turned = readSigns(width, ink.slice().reverse(), upside);
  return [turned.known > read.known ? turned : read];
}

function readSigns(width: number, ink: Float32Array, rows: readonly Blob[][]): PictureRead {
  let [signs, known] = [0, 0];
  const texts = rows.map((row) => {
    let text = "";
    for (const [index, blob] of row.entries()) {
      const before = row[index - 1];
      if (before && blob.left - before.right > (blob.bottom - blob.top) * 0.3) text += " ";
      const { sign, share } = guessSign(toGrid(ink, width, blob));
      const isKnown = share > SURE && sign !== "?";
      text += isKnown ? sign : "?";
      signs += 1;
      if (isKnown) known += 1;
    }
    return text;
  });
  return { rows: texts, signs, known };
}
