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
import { cornersIn, type PageCode } from "./codes";
import { inputOf, recogniseCharacter } from "./glyphs";
import { darkOf, type Ground, groundOf, inkAgainst, type Sheet } from "./ink";
import type { PageObjects } from "./page-objects";
import { digestOfBox, type Easel, type Picture, paintWithout } from "./painting";
import { around } from "./seen";
import { likeness, type Shape, toGrid } from "./shapes";
import { type Blob, type Circle, circlesOf, findBlobs, isLetterLike, rowsOf, TALLEST, wavesOf } from "./writing";

/** Reads what is written in a picture, or as outlines: in any colours, in quarter turns or slanted, sharp or not. */

const SCALE = 5;
const LEAST_SCALE = 2.5;
/** Bands overlap by this many points, so that two neighbouring rows are both in at least one of them. */
const OVERLAP = 50;
const MOST_BANDS = 8;
const MOST_PIXELS = 900_000;
/** The cost of painting, and of each object painted, as the number of pixels that cost as much to look at. */
const PIXELS_OF_PAINTING = 2_000;
const PIXELS_OF_OBJECT = 1;
/**
 * How far ink differs from its background, in standard deviations; the others are tried where the first is not clear.
 */
const THRESHOLDS = [0.8, 0.35, 1.3] as const;
const LEAST_ROW = 4;
const SURE = 0.5;
const CLEAR = 0.8;
/** Slopes that are tried, besides quarter turns, if the level writing was not read. */
const SLOPES = [0.13, -0.13, 0.3, -0.3, 0.6, -0.6];
const FLAT = 0.1;
const AS_WELL = 0.85;
/** At slopes below this, level writing is read as well as it is without a slope. */
const SLIGHT = 0.2;
const MANY_LETTERS = 10;
/** A photograph has many more spots. */
const MOST_SPOTS = 1_500;

/** Stands for what was too much to look at. */
export const NOT_LOOKED_AT: PictureRead = { rows: [], characters: Number.POSITIVE_INFINITY, known: 0, sure: 0 };

/** How many characters there are, how many were recognised, and how surely overall. */
export type PictureRead = Pictured & { characters: number; known: number; sure: number };

/** A painted part of a page that is not text, with what was read in each of its bands. */
export type LookedAt = {
  box: Box;
  bands: PictureRead[][];
  /** Set for a single picture that was examined completely: a digest of its bytes and of what was read there. */
  picture?: string;
};

/** False if a part was not examined, which may show anything, whatever it showed on another invoice. */
export const isLookedAt = ({ bands }: Pick<LookedAt, "bands">): boolean => !bands.flat().includes(NOT_LOOKED_AT);

export const hasBarCode = ({ bands }: Pick<LookedAt, "bands">): boolean => bands.flat().some(({ hasBars }) => hasBars);

/** What is left to spend on the pictures of a document, and what was read in those examined before. */
export type Budget = {
  pixels: number;
  read: Map<string, PictureRead[]>;
  /** For each page background, whether it has faint writing. */
  faint: Map<string, boolean>;
  /** The codes in each box, by how it looks. */
  codes: Map<string, PageCode[]>;
};

export const startBudget = (): Budget => ({
  pixels: MAX_CLOSE_PIXELS,
  read: new Map(),
  faint: new Map(),
  codes: new Map(),
});

/**
 * What was read in each band of a picture, once for each threshold and direction that shows rows of characters.
 * @param page the painted page without its words, to recognise what looked the same on an earlier page, such as a
 * letterhead
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

/** Leaves out a read that shows nothing that another does not show more clearly. */
function withoutPoor(reads: readonly PictureRead[]): PictureRead[] {
  const clear = Math.max(
    0,
    ...reads.filter(({ known, characters }) => known > characters * 0.9).map(({ known }) => known),
  );
  return reads.filter(({ known, characters }) => known >= clear || known > characters * READABLE);
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
  return isCode ? reads.filter(({ known, characters }) => known >= FEWEST_IN_CODE && known > characters * HALF) : reads;
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
    each.reads.some(({ characters, known }) => characters >= MANY_CHARACTERS && known > characters * READABLE),
  );
  const isOfSpecks = !(isRead || isCode) && looks.some(({ areSpecks }) => areSpecks);
  for (const gap of isOfSpecks ? GAPS : []) looks.push(...level(THRESHOLDS[0], gap));
  const reads = looks.flatMap((each) => each.reads);
  if (!isCode) reads.push(...first.flatMap(({ around }) => around()));
  if (isClear(most()) || most().spots < MANY_LETTERS || most().spots > MOST_SPOTS) return reads;
  // Sloping writing fills a box that is not flat.
  if (Math.min(box.width, box.height) < FLAT * Math.max(box.width, box.height)) return reads;
  const known = Math.max(...reads.map((read) => read.known), 0);
  // Level writing turns into other characters at a slope. A slope counts only if more is read that way, or nearly as
  // much together with words such as "BSB".
  const counts = (slope: number) => (read: PictureRead) =>
    (read.known > known && (Math.abs(slope) > SLIGHT || read.known > read.characters * READABLE)) ||
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
 * The pictures that seem to show an account besides those that are known in words, and those that may do so because
 * they could not be read.
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

/** Rows that hold only numbers and their labels: the parts of an account may stand in several pictures. */
function loneNumbers(bands: readonly PictureRead[][]): string[] {
  const best = bands.flatMap((reads) => {
    const read = bestOf(reads);
    return read.hasBars ? [] : read.rows;
  });
  return best.filter(isOfAccount);
}

const bestOf = (reads: readonly PictureRead[]): PictureRead =>
  reads.reduce((most, read) => (read.known > most.known ? read : most), NO_CHARACTERS);

/** Much of the writing was not recognised, so that it may hold a number that a person can read. */
export function isUnreadable(reads: readonly PictureRead[]): boolean {
  if (reads.includes(NOT_LOOKED_AT)) return true;
  const best = bestOf(reads);
  return (
    best.characters >= MANY_CHARACTERS &&
    best.characters < MOST_CHARACTERS &&
    best.known > best.characters * LIKE_WRITING &&
    best.known < best.characters * (best.rows.some(isUnsureNumber) ? NEARLY_ALL : READABLE)
  );
}
const NO_CHARACTERS: PictureRead = { rows: [], characters: 0, known: 0, sure: 0 };
const MANY_CHARACTERS = 8;
/** Photographs and patterns have many specks, and some look like a row. */
const MOST_CHARACTERS = 200;
const READABLE = 0.75;
const NEARLY_ALL = 0.9;
/** With less than this, as in the squares of a QR code, it is unlikely to be writing. */
const LIKE_WRITING = 0.35;

/** True if most spots stand in rows, and nearly all of those were recognised. */
const isClear = ({ reads, spots }: Look): boolean =>
  spots < LEAST_ROW || reads.some(({ characters, known }) => characters > spots * 0.6 && known > characters * CLEAR);

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

function lookAtSheet(sheet: Sheet): Look {
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

/**
 * A line that letters stand along, in pixels: a point of it at each distance from its start, and which way is up there.
 */
type Path = { length: number; height: number; at: (distance: number) => { x: number; y: number; up: Way } };
type Way = { x: number; y: number };

const aroundCircle = ({ x, y, radius, height, from }: Circle): Path => ({
  length: 2 * Math.PI * radius,
  height,
  at: (distance) => {
    const up = { x: Math.cos(from + distance / radius), y: Math.sin(from + distance / radius) };
    return { x: x + radius * up.x, y: y + radius * up.y, up };
  },
});

/** Through the middles of letters, somewhat smoothed, and a little beyond both ends. */
function alongWave(wave: readonly Blob[]): Path {
  const middles = wave.map(({ left, right, top, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 }));
  const heights = wave.map(({ top, bottom }) => bottom - top).sort((one, other) => one - other);
  const height = heights[heights.length >> 1] ?? 1;
  const points = middles.map(({ x, y }, at) => ({
    x,
    y: (y * 2 + (middles[at - 1]?.y ?? y) + (middles[at + 1]?.y ?? y)) / 4,
  }));
  const steps = points.slice(1).map(({ x, y }, at) => {
    const [dx, dy] = [x - (points[at]?.x ?? 0), y - (points[at]?.y ?? 0)];
    const length = Math.max(Math.hypot(dx, dy), 1);
    return { from: points[at] ?? { x, y }, length, way: { x: dx / length, y: dy / length } };
  });
  const length = steps.reduce((sum, step) => sum + step.length, 0) + 2 * height;
  return {
    length,
    height,
    at: (distance) => {
      let rest = distance - height;
      const step = steps.find((each, at) => {
        if (rest < each.length || at === steps.length - 1) return true;
        rest -= each.length;
        return false;
      });
      const { from, way } = step ?? { from: { x: 0, y: 0 }, way: { x: 1, y: 0 } };
      return { x: from.x + way.x * rest, y: from.y + way.y * rest, up: { x: way.y, y: -way.x } };
    },
  };
}

/** How far on both sides of a line its letters reach, in their height. */
const REACH = 1.3;

/** What stands along a line, in rows of their own: on a circle one may read outwards and the other inwards. */
function readAlong(sheet: Sheet, { length, height, at }: Path): PictureRead {
  const [width, tall] = [Math.ceil(length), Math.ceil(2 * REACH * height)];
  const mask = new Uint8Array(width * tall);
  for (let column = 0; column < width; column += 1) {
    const { x, y, up } = at(column);
    for (let row = 0; row < tall; row += 1) {
      const away = REACH * height - row;
      const [across, down] = [Math.round(x + away * up.x), Math.round(y + away * up.y)];
      if (across >= 0 && down >= 0 && across < sheet.width && down < sheet.height)
        mask[row * width + column] = sheet.mask[down * sheet.width + across] ?? 0;
    }
  }
  const level = { ...sheet, width, height: tall, mask };
  const spots = findBlobs(mask, width, tall).filter((blob) => isLikeCharacter(blob, sheet.scale));
  return joinedRead(rowsOf(spots, LEAST_PIECE).flatMap((row) => readRows(level, [row])));
}

/** Joins the pieces of one row that were recognised. The others are not writing, or lie beside it. */
function joinedRead(pieces: readonly PictureRead[]): PictureRead {
  const read = pieces.filter(({ characters, known }) => known > characters * READABLE);
  const sum = (of: (piece: PictureRead) => number) => read.reduce((total, piece) => total + of(piece), 0);
  return {
    rows: [read.flatMap(({ rows }) => rows).join(" ")],
    ...{
      characters: sum(({ characters }) => characters),
      known: sum(({ known }) => known),
      sure: sum(({ sure }) => sure),
    },
  };
}
/** In characters: no part of a wave that is level is longer. */
const LONG_ROW = 10;
/** In characters. Letters on a circle stand far apart, so each of its words is a piece of its own. */
const LEAST_PIECE = 3;

const isLikeCharacter = (blob: Blob, scale: number) =>
  blob.bottom - blob.top >= 4 && (isLetterLike(blob, scale, TALLEST) || isUpright(blob, scale));

/** A barcode: many strokes side by side, each far taller than wide. */
function hasBarsOfCode(blobs: readonly Blob[], scale: number): boolean {
  const bars = blobs.filter(
    ({ left, right, top, bottom }) => bottom - top > 8 * scale && bottom - top > 5 * (right - left),
  );
  return bars.length > MANY_BARS;
}
const MANY_BARS = 16;

/** A QR code or similar: about half of it is dark, while writing leaves more of the background bare. */
function isOfSquares(ground: Ground): boolean {
  const dark = darkOf(ground);
  const share = dark.reduce((sum, value) => sum + value, 0) / dark.length;
  return (share > DENSE && share < 1 - DENSE) || cornersIn(findBlobs(dark, ground.width, ground.height)).length >= 3;
}
const DENSE = 0.33;

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
