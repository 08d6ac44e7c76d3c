import type { Box } from "~/ports/document-reader";
import {
  isOfAccount,
  isUnsureNumber,
  looksLikeAccount,
  mayHoldAccount,
  namesBank,
  type Pictured,
} from "../facts/pictured";
import { MAX_CLOSE_PIXELS } from "../limits";
import { guessSign, inputOf } from "./glyphs";
import type { PageObjects } from "./page-objects";
import { digestOfBox, type Easel, lumaRows, type Picture, paintWithout } from "./painting";
import { around } from "./seen";
import { likeness, type Shape, toGrid } from "./shapes";
import { type Blob, type Circle, circlesOf, findBlobs, isLetterLike, rowsOf, TALLEST } from "./writing";

/** Reads what is written in a picture, or as outlines: in any colours, in quarter turns or slanted, sharp or not. */

const SCALE = 5;
const LEAST_SCALE = 2.5;
/** In points: two rows, one below the other, appear together in at least one of two bands. */
const OVERLAP = 50;
const MOST_BANDS = 8;
const MOST_PIXELS = 900_000;
/** The cost of painting, and of each object painted, as the number of pixels that cost as much to look at. */
const PIXELS_OF_PAINTING = 2_000;
const PIXELS_OF_OBJECT = 1;
/** How far around a spot to look for its background, in points. */
const NEAR = 9;
/** Less difference than this, of 255, is not seen. */
const LEAST_INK = 11;
/** How far ink is from its background, in standard deviations: usual writing, and writing with hairlines. */
const THRESHOLDS = [0.8, 0.35, 1.3] as const;
const LEAST_ROW = 4;
const SURE = 0.5;
const CLEAR = 0.8;
/** Slopes that are tried, besides quarter turns, if the level writing was not read. */
const SLOPES = [0.13, -0.13, 0.3, -0.3, 0.6, -0.6];
const FLAT = 0.1;
const AS_WELL = 0.85;
/** Level writing is read at such a slope too, and no worse than at none. */
const SLIGHT = 0.2;
const MANY_LETTERS = 10;
/** A photograph has many more spots. */
const MOST_SPOTS = 1_500;

/** Stands for what was too much to look at. */
export const NOT_LOOKED_AT: PictureRead = { rows: [], signs: Number.POSITIVE_INFINITY, known: 0, sure: 0 };

/** How many characters there are, how many were recognised, and how surely overall. */
export type PictureRead = Pictured & { signs: number; known: number; sure: number };

/** A painted part of a page that is not text, with what was read in each of its bands. */
export type LookedAt = {
  box: Box;
  bands: PictureRead[][];
  /** Where one picture stands, and all of it was looked at: a digest of its bytes and of what was read there. */
  picture?: string;
};

/** What was not looked at may show anything, whatever it showed before. */
export const isLookedAt = ({ bands }: Pick<LookedAt, "bands">): boolean => !bands.flat().includes(NOT_LOOKED_AT);

/** How many pixels may still be looked at, for all pictures of a document, and what was read of those that look the same. */
export type Budget = {
  pixels: number;
  read: Map<string, PictureRead[]>;
  /** Whether each page background has faint writing. */
  faint: Map<string, boolean>;
};

export const startBudget = (): Budget => ({
  pixels: MAX_CLOSE_PIXELS,
  read: new Map(),
  faint: new Map(),
});

/**
 * What is read of each band of a picture, for each way of drawing it that shows rows of characters.
 * @param page all of the page without its words: what looked the same on an earlier page, as a letterhead does, is known
 */
export function readPicture(easel: Easel, objects: Painted, box: Box, budget: Budget, page: Picture): PictureRead[][] {
  return bandsOf(box).map((band) => {
    const key = digestOfBox(page, around([band], 2));
    const before = budget.read.get(key);
    if (before) return before;
    if (budget.pixels <= 0) return [NOT_LOOKED_AT];
    const reads = withoutPoor(readBand(easel, objects, band, budget));
    budget.read.set(key, reads);
    return reads;
  });
}

/** The objects of a page: what to leave out, and what is painted. */
export type Painted = Pick<PageObjects, "texts" | "others">;

/** When one way of drawing shows everything that another shows, and more clearly, the other is left out. */
function withoutPoor(reads: readonly PictureRead[]): PictureRead[] {
  const clear = Math.max(0, ...reads.filter(({ known, signs }) => known > signs * 0.9).map(({ known }) => known));
  return reads.filter(({ known, signs }) => known >= clear || known > signs * READABLE);
}

/** A large picture is looked at in bands, so that each is seen close up. */
function bandsOf({ x, y, width, height }: Box): Box[] {
  const tall = Math.max(MOST_PIXELS / (width * LEAST_SCALE ** 2), 3 * OVERLAP);
  if (tall >= height) return [{ x, y, width, height }];
  const count = Math.min(MOST_BANDS, Math.ceil((height - OVERLAP) / (tall - OVERLAP)));
  const step = (height - OVERLAP) / count;
  return Array.from({ length: count }, (_, at) => ({ x, y: y + at * step, width, height: step + OVERLAP }));
}

function readBand(easel: Easel, objects: Painted, box: Box, budget: Budget): PictureRead[] {
  const looked = look(easel, objects, box, budget);
  const isCode = isOfSquares(looked.ground);
  const reads = readClosely(easel, objects, box, budget, { ...looked, isCode });
  // In places the squares of a QR code look like a few characters in a row.
  return isCode ? reads.filter(({ known, signs }) => known >= FEWEST_IN_CODE && known > signs * HALF) : reads;
}
const FEWEST_IN_CODE = 7;
const HALF = 0.5;

function readClosely(
  easel: Easel,
  objects: Painted,
  box: Box,
  budget: Budget,
  { level, isCode }: ReturnType<typeof look> & { isCode: boolean },
): PictureRead[] {
  const first = level(THRESHOLDS[0]);
  const looks = [...first];
  const most = () => looks.reduce((best, each) => (each.spots > best.spots ? each : best));
  for (const threshold of THRESHOLDS.slice(1)) if (!isClear(most())) looks.push(...level(threshold));
  const isRead = looks.some((each) =>
    each.reads.some(({ signs, known }) => signs >= MANY_SIGNS && known > signs * READABLE),
  );
  const isOfSpecks = !(isRead || isCode) && looks.some(({ areSpecks }) => areSpecks);
  for (const gap of isOfSpecks ? GAPS : []) looks.push(...level(THRESHOLDS[0], gap));
  const reads = looks.flatMap((each) => each.reads);
  if (!isCode) reads.push(...first.flatMap(({ around }) => around()));
  if (isClear(most()) || most().spots < MANY_LETTERS || most().spots > MOST_SPOTS) return reads;
  // Sloping writing fills a box that is not flat.
  if (Math.min(box.width, box.height) < FLAT * Math.max(box.width, box.height)) return reads;
  const known = Math.max(...reads.map((read) => read.known), 0);
  // Level writing that is read at a slope reads as something else: only what is read better that way counts, or nearly as well
  // and names a bank's words.
  const counts = (slope: number) => (read: PictureRead) =>
    (read.known > known && (Math.abs(slope) > SLIGHT || read.known > read.signs * READABLE)) ||
    (!isCode && read.known > known * AS_WELL && namesBank(read));
  const askew = SLOPES.flatMap((slope) =>
    look({ ...easel, slope }, objects, sloped(box, slope), budget)
      .level(THRESHOLDS[0])
      .flatMap((each) => each.reads)
      .filter(counts(slope)),
  );
  return [...reads, ...askew];
}

/**
 * The pictures that seem to show an account besides those that are known in words, and those that may do so because they
 * could not be read.
 */
export function judgePictures(
  pictures: readonly LookedAt[],
  known: Parameters<typeof looksLikeAccount>[1],
): { accounts: Pick<LookedAt, "box" | "picture">[]; unread: LookedAt[] } {
  const accounts = pictures.filter(({ bands }) => bands.flat().some((read) => looksLikeAccount(read, known)));
  const apart = { rows: pictures.flatMap(({ bands }) => loneNumbers(bands)) };
  const [first] = pictures;
  if (accounts.length === 0 && first && looksLikeAccount(apart, known))
    return { accounts: [{ box: first.box }], unread: [] };
  return {
    accounts,
    unread: pictures.filter(
      (one) =>
        !accounts.includes(one) &&
        (one.bands.some(isUnreadable) || one.bands.flat().some((read) => mayHoldAccount(read, known))),
    ),
  };
}

/** Numbers, and their labels, that fill a row of their own: the parts of an account may stand in several pictures. */
function loneNumbers(bands: readonly PictureRead[][]): string[] {
  const best = bands.flatMap((reads) => {
    const read = bestOf(reads);
    return read.hasBars ? [] : read.rows;
  });
  return best.filter(isOfAccount);
}

const bestOf = (reads: readonly PictureRead[]): PictureRead =>
  reads.reduce((most, read) => (read.known > most.known ? read : most), NO_SIGNS);

/** Much of the writing was not recognised, so that it may hold a number that a person can read. */
export function isUnreadable(reads: readonly PictureRead[]): boolean {
  if (reads.includes(NOT_LOOKED_AT)) return true;
  const best = bestOf(reads);
  return (
    best.signs >= MANY_SIGNS &&
    best.signs < MOST_SIGNS &&
    best.known > best.signs * LIKE_WRITING &&
    best.known < best.signs * (best.rows.some(isUnsureNumber) ? NEARLY_ALL : READABLE)
  );
}
const NO_SIGNS: PictureRead = { rows: [], signs: 0, known: 0, sure: 0 };
const MANY_SIGNS = 8;
/** Photographs and patterns have many specks, and some look like a row. */
const MOST_SIGNS = 200;
const READABLE = 0.75;
const NEARLY_ALL = 0.9;
/** With less than this, as in the squares of a QR code, it is unlikely to be writing. */
const LIKE_WRITING = 0.35;

/** Most of it stands in rows, and nearly all of those were recognised. */
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

/** Specks are too small or too flat for a character, like the dots and strokes that make up some digits. */
type Look = { reads: PictureRead[]; spots: number; areSpecks: boolean; around: () => PictureRead[] };
const FEWEST_SPECKS = 24;
/** Dots of a printer: many more than the specks of a picture that is no photograph, and nearly all of one size. */
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
/** How wide a gap may be, in points, for the specks on both sides to be joined. */
const GAPS = [0.8, 1.6, 2.6];

function look(
  easel: Easel,
  objects: Painted,
  box: Box,
  budget: Budget,
): { level: (threshold: number, gap?: number) => Look[]; ground: Ground } {
  const region = around([box], 2);
  const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (region.width * region.height)));
  // Painting a part of a page, however small, goes through everything on the page.
  budget.pixels -= PIXELS_OF_PAINTING + PIXELS_OF_OBJECT * (objects.texts.length + objects.others.length);
  const ground = groundOf(paintWithout(easel, objects.texts, region, scale));
  const level = (threshold: number, gap = 0) => {
    budget.pixels -= ground.lumas.length;
    return inkAgainst(ground, threshold).map((sheet) => lookAtSheet(joined(sheet, Math.round((gap * scale) / 2))));
  };
  return { level, ground };
}

/** Ink that is not more than twice `reach` pixels apart, as one. */
function joined(sheet: Sheet, reach: number): Sheet {
  if (reach === 0) return sheet;
  const { width, height, mask } = sheet;
  const grown = swollen(swollen(mask, width, height, reach, 1), width, height, reach, width);
  const rest = opposite(grown);
  // What touches at its corners alone would come apart again.
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

function lookAtSheet(sheet: Sheet): Look {
  const { width, height, scale } = sheet;
  const blobs = findBlobs(sheet.mask, width, height);
  const spots = blobs.filter((blob) => isSign(blob, scale));
  const upright = rowsOf(spots, LEAST_ROW);
  // A quarter turn: what ran upwards runs to the right.
  const turnedSpots = blobs
    .map(({ left, top, right, bottom, area }) => ({
      ...{ left: height - bottom, right: height - top, top: left, bottom: right },
      area,
    }))
    .filter((blob) => isSign(blob, scale));
  const upended = rowsOf(turnedSpots, LEAST_ROW);
  const hasBars = hasBarsOfCode(blobs, scale);
  const reads = [...readRows(sheet, upright), ...(upended.length > 0 ? readRows(turnedSheet(sheet), upended) : [])];
  const inRows = new Set(upright.flat());
  return {
    reads: reads.map((read) => ({ ...read, hasBars })),
    spots: spots.length,
    areSpecks: areSpecks(blobs.filter((blob) => !isSign(blob, scale))),
    around: () =>
      circlesOf(spots.filter((spot) => !inRows.has(spot)))
        .map((circle) => readAround(sheet, circle))
        .filter(({ known }) => known > 0),
  };
}

/** How far on both sides of a circle its letters reach, in their height. */
const REACH = 1.3;

/** What stands along a circle, in rows of their own: one may read outwards and the other inwards. */
function readAround(sheet: Sheet, { x, y, radius, height, from }: Circle): PictureRead {
  const [width, tall] = [Math.ceil(2 * Math.PI * radius), Math.ceil(2 * REACH * height)];
  const mask = new Uint8Array(width * tall);
  for (let row = 0; row < tall; row += 1) {
    const away = radius + REACH * height - row;
    for (let column = 0; column < width; column += 1) {
      const angle = from + column / radius;
      const [across, down] = [Math.round(x + away * Math.cos(angle)), Math.round(y + away * Math.sin(angle))];
      if (across >= 0 && down >= 0 && across < sheet.width && down < sheet.height)
        mask[row * width + column] = sheet.mask[down * sheet.width + across] ?? 0;
    }
  }
  const level = { ...sheet, width, height: tall, mask };
  const spots = findBlobs(mask, width, tall).filter((blob) => isSign(blob, sheet.scale));
  const pieces = rowsOf(spots, LEAST_PIECE).flatMap((row) => readRows(level, [row]));
  const read = pieces.filter(({ signs, known }) => known > signs * READABLE);
  const sum = (of: (piece: PictureRead) => number) => read.reduce((total, piece) => total + of(piece), 0);
  return {
    rows: [read.flatMap(({ rows }) => rows).join(" ")],
    ...{ signs: sum(({ signs }) => signs), known: sum(({ known }) => known), sure: sum(({ sure }) => sure) },
  };
}
/** In characters: letters on a circle stand far apart, so that words are pieces of their own. */
const LEAST_PIECE = 3;

type Sheet = { width: number; height: number; scale: number; mask: Uint8Array };

const isSign = (blob: Blob, scale: number) =>
  blob.bottom - blob.top >= 4 && (isLetterLike(blob, scale, TALLEST) || isUpright(blob, scale));

type Ground = {
  width: number;
  height: number;
  scale: number;
  lumas: Uint8Array;
  means: Float32Array;
  spread: Float32Array;
};

/** How bright a picture is around each of its pixels, and how much that varies. */
function groundOf(picture: Picture): Ground {
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
function inkAgainst({ width, height, scale, lumas, means, spread }: Ground, threshold: number): Sheet[] {
  const [dark, light] = [new Uint8Array(lumas.length), new Uint8Array(lumas.length)];
  for (let at = 0; at < lumas.length; at += 1) {
    const far = Math.max(LEAST_INK, threshold * (spread[at] ?? 0));
    const difference = (lumas[at] ?? 0) - (means[at] ?? 0);
    if (difference < -far) dark[at] = 1;
    else if (difference > far) light[at] = 1;
  }
  return [dark, light].map((mask) => ({ width, height, scale, mask }));
}

/** A barcode: many strokes side by side, each far taller than wide. */
function hasBarsOfCode(blobs: readonly Blob[], scale: number): boolean {
  const bars = blobs.filter(
    ({ left, right, top, bottom }) => bottom - top > 8 * scale && bottom - top > 5 * (right - left),
  );
  return bars.length > MANY_BARS;
}
const MANY_BARS = 16;

/** What is dark if a picture is black and white. */
function darkOf({ lumas }: Ground): Uint8Array {
  let [least, most] = [255, 0];
  for (const luma of lumas) {
    least = Math.min(least, luma);
    most = Math.max(most, luma);
  }
  const middle = (least + most) / 2;
  return lumas.map((luma) => Number(luma < middle));
}

/** A QR code or similar: about half of it is dark, while writing leaves more of the background bare. */
function isOfSquares(ground: Ground): boolean {
  const dark = darkOf(ground);
  const share = dark.reduce((sum, value) => sum + value, 0) / dark.length;
  return (share > DENSE && share < 1 - DENSE) || hasCorners(dark, ground);
}
const DENSE = 0.33;

/** A QR code has a square in a frame in three of its corners. */
function hasCorners(dark: Uint8Array, { width, height }: Ground): boolean {
  const squares = findBlobs(dark, width, height).filter(({ left, top, right, bottom }) => {
    const ratio = (right - left) / (bottom - top);
    return ratio > 0.85 && ratio < 1.18 && right - left >= LEAST_SQUARE;
  });
  const share = ({ left, top, right, bottom, area }: Blob) => area / ((right - left) * (bottom - top));
  const frames = squares.filter((blob) => share(blob) > 0.35 && share(blob) < 0.62);
  // Each is compared with all squares.
  if (frames.length > MOST_FRAMES) return false;
  const corners = frames.filter((frame) =>
    squares.some((inner) => {
      const size = (inner.right - inner.left) / (frame.right - frame.left);
      const isInside = inner.left > frame.left && inner.right < frame.right;
      return (
        isInside &&
        inner.top > frame.top &&
        inner.bottom < frame.bottom &&
        size > 0.3 &&
        size < 0.56 &&
        share(inner) > 0.8
      );
    }),
  );
  return corners.length >= CORNERS;
}
/** In pixels. */
const LEAST_SQUARE = 5;
const CORNERS = 3;
const MOST_FRAMES = 100;

/** The digit 1 and a capital I may be no more than a stroke. */
const isUpright = ({ left, top, right, bottom }: Blob, scale: number): boolean =>
  right - left < (bottom - top) * 0.4 && bottom - top > 2.6 * scale && bottom - top < TALLEST * scale;

/** A quarter turn: what ran upwards runs to the right. */
function turnedSheet({ width, height, scale, mask }: Sheet): Sheet {
  const turned = new Uint8Array(mask.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) turned[x * height + (height - 1 - y)] = mask[y * width + x] ?? 0;
  return { width: height, height: width, scale, mask: turned };
}

/** The rows as they are, or upside down: whichever is read more surely. */
function readRows(sheet: Sheet, rows: readonly Blob[][]): PictureRead[] {
  if (rows.length === 0) return [];
  const ink = Float32Array.from(sheet.mask);
  const upright = [...rows].sort(([one], [other]) => (one?.top ?? 0) - (other?.top ?? 0));
  const read = readSigns(sheet.width, ink, upright);
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
  const turned = readSigns(width, ink.reverse(), upside);
  return [turned.sure > read.sure ? turned : read];
}

function readSigns(width: number, ink: Float32Array, rows: readonly Blob[][]): PictureRead {
  const read: PictureRead = { rows: [], signs: 0, known: 0, sure: 0 };
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
      const { sign, share } = shape ? guessSign(inputOf(shape)) : { sign: "?", share: 0 };
      const isKnown = share > SURE && sign !== "?";
      text += isKnown ? sign : "?";
      if (sign !== "?") read.sure += Math.log(share);
      else read.sure += UNKNOWN;
      if (isKnown) known += 1;
    }
    read.signs += row.length;
    read.known += known;
    // If most of it is not recognised, it is not writing, or cannot be read.
    return known * 2 > row.length ? text : "";
  });
  return { ...read, rows: read.known > read.signs * MOSTLY ? texts.filter(Boolean) : [] };
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
