import type { Box } from "~/ports/document-reader";
import { namesBank } from "../facts/pictured";
import { MAX_CLOSE_PIXELS } from "../limits";
import { cornersIn, type PageCode } from "./codes";
import { darkOf, type Ground, groundOf, inkAgainst, joined } from "./ink";
import { NOT_LOOKED_AT } from "./judge-pictures";
import { LEAST_ROW, type Look, lookAtSheet, MOST_SPOTS } from "./look-at-sheet";
import type { PageObjects } from "./page-objects";
import { digestOfBox, type Picture, paintWithout, type Surface } from "./painting";
import { MANY_CHARACTERS, type PictureRead, READABLE } from "./read-characters";
import { around } from "./seen";
import { findBlobs } from "./writing";

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

const CLEAR = 0.8;
/** Slopes that are tried, besides quarter turns, if the level writing was not read. */
const SLOPES = [0.13, -0.13, 0.3, -0.3, 0.6, -0.6];
const FLAT = 0.1;
const AS_WELL = 0.85;
/** At slopes below this, level writing is read as well as it is without a slope. */
const SLIGHT = 0.2;
const MANY_LETTERS = 10;

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
export function readPicture(
  surface: Surface,
  objects: Painted,
  box: Box,
  budget: Budget,
  page: Picture,
): PictureRead[][] {
  return bandsOf(box).map((band) => {
    const key = digestOfBox(page, around([band], 2));
    const before = budget.read.get(key);
    if (before) return before;
    if (budget.pixels <= 0) return [NOT_LOOKED_AT];
    const reads = withoutPoor(readBand(surface, objects, band, budget));
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

function readBand(surface: Surface, objects: Painted, box: Box, budget: Budget): PictureRead[] {
  const looked = look(surface, objects, box, budget);
  const isCode = isOfSquares(looked.ground);
  const reads = readClosely(surface, objects, box, budget, { ...looked, isCode });
  // In places the squares of a QR code look like a few characters in a row.
  return isCode ? reads.filter(({ known, characters }) => known >= FEWEST_IN_CODE && known > characters * HALF) : reads;
}
const FEWEST_IN_CODE = 7;
const HALF = 0.5;

function readClosely(
  surface: Surface,
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
    look({ ...surface, slope }, objects, sloped(box, slope), budget)
      .level(THRESHOLDS[0])
      .flatMap((each) => each.reads)
      .filter(counts(slope)),
  );
  return [...reads, ...askew];
}

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

/** How wide a gap may be, in points, for the specks on both sides to be joined. */
const GAPS = [0.8, 1.6, 2.6];

function look(
  surface: Surface,
  objects: Painted,
  box: Box,
  budget: Budget,
): { level: (threshold: number, gap?: number) => Look[]; ground: Ground } {
  const region = around([box], 2);
  const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (region.width * region.height)));
  // Painting a part of a page, however small, goes through everything on the page.
  budget.pixels -= PIXELS_OF_PAINTING + PIXELS_OF_OBJECT * (objects.texts.length + objects.others.length);
  const ground = groundOf(paintWithout(surface, objects.texts, region, scale));
  const level = (threshold: number, gap = 0) => {
    budget.pixels -= ground.lumas.length;
    return inkAgainst(ground, threshold).map((sheet) => lookAtSheet(joined(sheet, Math.round((gap * scale) / 2))));
  };
  return { level, ground };
}

/** A QR code or similar: about half of it is dark, while writing leaves more of the background bare. */
function isOfSquares(ground: Ground): boolean {
  const dark = darkOf(ground);
  const share = dark.reduce((sum, value) => sum + value, 0) / dark.length;
  return (share > DENSE && share < 1 - DENSE) || cornersIn(findBlobs(dark, ground.width, ground.height)).length >= 3;
}
const DENSE = 0.33;
