import type { Box } from "~/ports/document-reader";
import { lumaRows, type Picture } from "./painting";
import { around, within } from "./seen";

/** Writing that is painted without being text: in pictures, as outlines, by hand. */
export type Row = {
  box: Box;
  count: number;
};

export type Blob = { left: number; top: number; right: number; bottom: number; area: number };

const MIN_LETTERS = 8;
/** A photograph contains a great many. */
const MAX_STRETCHES = 150_000;
const MAX_LETTERS = 6_000;

/** Pixels darker than this, from 0 to 255, count as ink. */
const DARK = 150;

/** The connected spots of dark ink, and of light ink where much of the picture is dark. */
export const spotsOf = (picture: Picture, ink = DARK): Blob[][] =>
  masksOf(picture, ink).map((mask) => findBlobs(mask, picture.width, picture.height));

/** Rows of spots of the same height side by side, like letters. */
export const findWriting = (picture: Picture, spots: readonly Blob[][]): Row[] =>
  spots.flatMap((blobs) =>
    rowsOf(blobs.filter((blob) => isLetterLike(blob, picture.scale))).map((row) => ({
      ...{ box: toBox(picture, row), count: row.length },
    })),
  );

/** True for each pixel with ink: of dark writing, and of light writing where much of the picture is dark. */
function masksOf(picture: Picture, ink: number): Uint8Array[] {
  const [isDark, isLight] = [
    new Uint8Array(picture.width * picture.height),
    new Uint8Array(picture.width * picture.height),
  ];
  let [at, dark] = [0, 0];
  for (const row of lumaRows(picture)) {
    for (let x = 0; x < row.length; x += 1) {
      const luma = row[x] ?? 0;
      if (luma < DARK) dark += 1;
      if (luma < ink) isDark[at] = 1;
      if (luma > 175) isLight[at] = 1;
      at += 1;
    }
  }
  return dark < at * 0.03 ? [isDark] : [isDark, isLight];
}

/** Connected pixels: stretches of each row, joined with those that they touch in the row above. */
export function findBlobs(mask: Uint8Array, width: number, height: number): Blob[] {
  const parents: number[] = [];
  const blobs: Blob[] = [];
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[at] = root;
    return root;
  };
  let above: Stretch[] = [];
  for (let y = 0; y < height && blobs.length < MAX_STRETCHES; y += 1) {
    const row = stretchesOf(mask, y * width, width);
    let first = 0;
    for (const stretch of row) {
      stretch.blob = blobs.length;
      parents.push(stretch.blob);
      blobs.push({ left: stretch.from, top: y, right: stretch.to, bottom: y + 1, area: stretch.to - stretch.from });
      while (first < above.length && (above[first]?.to ?? 0) < stretch.from) first += 1;
      for (let at = first; at < above.length; at += 1) {
        const other = above[at];
        if (!other || other.from > stretch.to) break;
        const [mine, theirs] = [rootOf(stretch.blob), rootOf(other.blob)];
        if (mine !== theirs) joinBlobs(blobs, parents, theirs, mine);
      }
    }
    above = row;
  }
  return blobs.filter((_, index) => parents[index] === index);
}

type Stretch = { from: number; to: number; blob: number };

function stretchesOf(mask: Uint8Array, start: number, width: number): Stretch[] {
  const found: Stretch[] = [];
  for (let x = 0; x < width; x += 1) {
    if (mask[start + x] === 0) continue;
    const from = x;
    while (x < width && mask[start + x] !== 0) x += 1;
    found.push({ from, to: x, blob: 0 });
  }
  return found;
}

function joinBlobs(blobs: Blob[], parents: number[], into: number, from: number): void {
  const [one, other] = [blobs[into], blobs[from]];
  if (!(one && other)) return;
  parents[from] = into;
  one.left = Math.min(one.left, other.left);
  one.right = Math.max(one.right, other.right);
  one.top = Math.min(one.top, other.top);
  one.bottom = Math.max(one.bottom, other.bottom);
  one.area += other.area;
}

export function isLetterLike(
  { left, top, right, bottom, area }: Blob,
  scale: number,
  tallest = USUAL_TALLEST,
): boolean {
  const [width, height] = [right - left, bottom - top];
  const points = height / scale;
  return (
    points >= 2.6 &&
    points <= tallest &&
    width <= height * 2.2 &&
    area / (width * height) < 0.93 &&
    area / (width * height) > 0.12
  );
}

const USUAL_TALLEST = 30;

export function rowsOf(blobs: readonly Blob[], atLeast = MIN_LETTERS): Blob[][] {
  const rows: Blob[][] = [];
  /** Rows that the next blob from the left may still belong to. */
  let open: { row: Blob[]; last: Blob }[] = [];
  for (const blob of blobs.slice(0, MAX_LETTERS).sort((a, b) => a.left - b.left)) {
    open = open.filter(({ last }) => blob.left - last.right < (last.bottom - last.top) * WIDEST_GAP * MOST_UNLIKE);
    const found = open.find(({ last }) => {
      const [height, other] = [blob.bottom - blob.top, last.bottom - last.top];
      const tall = Math.max(height, other);
      const isLevel = Math.abs(blob.bottom - last.bottom) < tall * 0.35 || Math.abs(blob.top - last.top) < tall * 0.35;
      const isLike = height < other * MOST_UNLIKE && other < height * MOST_UNLIKE;
      const gap = blob.left - last.right;
      return isLevel && isLike && gap > -tall * 0.4 && gap < tall * WIDEST_GAP;
    });
    if (found) {
      found.row.push(blob);
      found.last = blob;
    } else {
      const row = [blob];
      rows.push(row);
      open.push({ row, last: blob });
    }
  }
  return rows.filter((row) => row.length >= atLeast && isVaried(row));
}

/**
 * Between two letters of a row: the widest gap for their height, and how many times as tall one may be as the other.
 */
const WIDEST_GAP = 1.6;
const MOST_UNLIKE = 2;

/** The bars of a barcode have similar widths and the squares of a QR code fill their boxes, unlike letters. */
function isVaried(row: readonly Blob[]): boolean {
  const full = row.filter(
    ({ left, right, top, bottom, area }) => area / ((right - left) * (bottom - top)) > 0.85,
  ).length;
  return full < row.length * 0.5;
}

function toBox({ region, scale }: Picture, row: readonly Blob[]): Box {
  const x = Math.min(...row.map(({ left }) => left)) / scale + region.x;
  const y = Math.min(...row.map(({ top }) => top)) / scale + region.y;
  const right = Math.max(...row.map((blob) => blob.right)) / scale + region.x;
  const bottom = Math.max(...row.map((blob) => blob.bottom)) / scale + region.y;
  return { x, y, width: right - x, height: bottom - y };
}

/** Where a page may have letters, in any colours, or made of dots and strokes: all but frames and empty space. */
export function findLetters(picture: Picture): Box[] {
  const { width, height, scale } = picture;
  const mask = edgesOf(picture);
  const blobs = findBlobs(mask, width, height).filter(
    (blob) => (blob.bottom - blob.top) / scale <= TALLEST && !isFrame(mask, width, blob, scale),
  );
  const dashes = new Set([...dashesOf(blobs, scale, ACROSS), ...dashesOf(blobs, scale, DOWN)]);
  return blobs
    .filter((blob) => !dashes.has(blob))
    .slice(0, MAX_LETTERS)
    .map((blob) => toBox(picture, [blob]));
}
/** In points; an invoice has no larger letters. */
export const TALLEST = 100;
/** The smallest difference between two neighbouring pixels that is visible, out of 255. */
const EDGE = 12;

/** True where a pixel differs from the one after or below it. */
function edgesOf(picture: Picture): Uint8Array {
  const { width, height } = picture;
  const mask = new Uint8Array(width * height);
  const above = new Float32Array(width);
  let y = 0;
  for (const row of lumaRows(picture)) {
    for (let x = 0; x < width; x += 1) {
      const luma = row[x] ?? 0;
      const isEdge =
        (x > 0 && Math.abs(luma - (row[x - 1] ?? 0)) > EDGE) || (y > 0 && Math.abs(luma - (above[x] ?? 0)) > EDGE);
      if (isEdge) mask[y * width + x] = 1;
    }
    above.set(row);
    y += 1;
  }
  return mask;
}

/** In which direction a line runs: its sides, and those beside it. */
type Way = { from: "left" | "top"; to: "right" | "bottom"; beside: "top" | "left"; after: "bottom" | "right" };
const ACROSS: Way = { from: "left", to: "right", beside: "top", after: "bottom" };
const DOWN: Way = { from: "top", to: "bottom", beside: "left", after: "right" };
/** In points: how thick and how long a dash is, how far apart two are, and how long the line of them is. */
const DASH = { thick: 3, long: 12, apart: 8, line: 90 };
const FEWEST_DASHES = 14;
/** How far around such a line nothing else is, in points and dashes: the strokes of characters have others nearby. */
const ALONE = { points: 6, steps: 2 };

/** The dashes or dots of straight lines, with nothing beside them except at their ends. */
function dashesOf(blobs: readonly Blob[], scale: number, { from, to, beside, after }: Way): Blob[] {
  const levels = new Map<number, Blob[]>();
  for (const blob of blobs) {
    if (blob[after] - blob[beside] > DASH.thick * scale || blob[to] - blob[from] > DASH.long * scale) continue;
    levels.set(blob[beside], [...(levels.get(blob[beside]) ?? []), blob]);
  }
  return [...levels.values()]
    .filter(({ length }) => length >= FEWEST_DASHES)
    .flatMap((level) => {
      const runs: Blob[][] = [];
      for (const blob of level.sort((one, other) => one[from] - other[from])) {
        const run = runs.at(-1);
        if (run && blob[from] - (run.at(-1)?.[to] ?? 0) < DASH.apart * scale) run.push(blob);
        else runs.push([blob]);
      }
      return runs;
    })
    .filter((run) => {
      const [first, last] = [run[0], run.at(-1)];
      if (!(first && last) || run.length < FEWEST_DASHES || last[to] - first[from] < DASH.line * scale) return false;
      const step = (last[from] - first[from]) / (run.length - 1);
      const free = Math.max(ALONE.points * scale, ALONE.steps * step);
      const own = new Set(run);
      return !blobs.some(
        (blob) =>
          !own.has(blob) &&
          blob[to] > first[to] + free &&
          blob[from] < last[from] - free &&
          blob[after] > first[beside] - free &&
          blob[beside] < first[after] + free,
      );
    })
    .flat();
}

/** Long straight edges alone: a box, a band of colour, the cells of a table. */
function isFrame(mask: Uint8Array, width: number, { left, top, right, bottom, area }: Blob, scale: number): boolean {
  if (Math.max(right - left, bottom - top) < LEAST_FRAME * scale) return false;
  const straight = new Uint8Array((right - left) * (bottom - top));
  const mark = (length: number, count: number, at: (line: number, place: number) => [x: number, y: number]) => {
    for (let line = 0; line < count; line += 1) {
      let from = 0;
      for (let place = 0; place <= length; place += 1) {
        const [x, y] = at(line, place);
        if (place < length && mask[(top + y) * width + left + x] === 1) continue;
        for (let back = from; place - from >= STRAIGHT && back < place; back += 1) {
          const [bx, by] = at(line, back);
          straight[by * (right - left) + bx] = 1;
        }
        from = place + 1;
      }
    }
  };
  mark(right - left, bottom - top, (line, place) => [place, line]);
  mark(bottom - top, right - left, (line, place) => [line, place]);
  return straight.reduce((sum, value) => sum + value, 0) > area * MOSTLY_STRAIGHT;
}
/** In points, and in pixels. */
const LEAST_FRAME = 40;
const STRAIGHT = 12;
const MOSTLY_STRAIGHT = 0.85;

/** How far apart things that belong together may be, in points. */
const APART = 14;
/** The same, in heights of large letters. */
const WORD_APART = 0.9;

/** Boxes that touch or nearly do, as one; a few specks alone hold no number. */
export function gathered(boxes: readonly Box[]): Box[] {
  const groups: { box: Box; count: number }[] = [];
  for (const box of boxes) {
    const apart = Math.max(APART, Math.min(box.height, box.width) * WORD_APART);
    const near = groups.filter((group) => within(around([group.box], apart), box));
    const joined = {
      box: around([box, ...near.map((group) => group.box)], 0),
      count: near.reduce((sum, { count }) => sum + count, 1),
    };
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups
    .filter(({ box, count }) => count >= MIN_LETTERS || box.width * box.height > LEAST_AREA)
    .map(({ box }) => box)
    .filter(({ width, height }) => Math.min(width, height) > LEAST_SIDE && Math.max(width, height) > LEAST_LENGTH);
}
const LEAST_AREA = 300;
/** In points. Numbers are larger than this. */
const LEAST_SIDE = 3;
const LEAST_LENGTH = 24;

/**
 * In heights of letters: how far the next letter of a wave may stand above or below, and before or behind the end of
 * one.
 */
const WAVE = { aside: 1.3, back: 0.5 };
const FEWEST_IN_WAVE = 6;
/** A row whose letters are level to within this is not a wave. */
const LEVEL = 0.35;

/** Letters that follow each other from left to right, going up and down. */
export function wavesOf(blobs: readonly Blob[]): Blob[][] {
  if (blobs.length > MOST_LOOSE) return [];
  const waves: Blob[][] = [];
  for (const blob of [...blobs].sort((one, other) => one.left - other.left)) {
    let [nearest, least] = [-1, Number.POSITIVE_INFINITY];
    for (const [at, wave] of waves.entries()) {
      const last = wave.at(-1) ?? blob;
      const [height, other] = [blob.bottom - blob.top, last.bottom - last.top];
      const tall = Math.max(height, other);
      const gap = blob.left - last.right;
      const aside = Math.abs(blob.top + blob.bottom - last.top - last.bottom) / 2;
      const isLike = height < other * MOST_UNLIKE && other < height * MOST_UNLIKE;
      const isNext = gap > -tall * WAVE.back && gap < tall * WIDEST_GAP && aside < tall * WAVE.aside;
      if (isLike && isNext && Math.abs(gap) + aside < least) [nearest, least] = [at, Math.abs(gap) + aside];
    }
    if (nearest >= 0) waves[nearest]?.push(blob);
    else waves.push([blob]);
  }
  return waves.filter((wave) => wave.length >= FEWEST_IN_WAVE && isVaried(wave) && !isLevel(wave));
}

const isLevel = (wave: readonly Blob[]): boolean =>
  wave.every((blob, at) => {
    const last = wave[at - 1] ?? blob;
    return Math.abs(blob.bottom - last.bottom) < (blob.bottom - blob.top) * LEVEL;
  });

/** A circle along which letters stand, in pixels; `height` is theirs, and `from` an angle where there are none. */
export type Circle = { x: number; y: number; radius: number; height: number; from: number };

type Spot = { x: number; y: number; size: number };
const FEWEST_ALONG = 10;
const MOST_LOOSE = 200;
const TRIES = 60;
const ROUNDS = 3;
/** In heights of letters: how far beside the circle one may stand, and how large it is. */
const BESIDE = 0.4;
const RADII = [1.2, 40] as const;

/** The circles that letters stand along, as on a stamp: at most two, each with its own letters. */
export function circlesOf(blobs: readonly Blob[], most = 2): Circle[] {
  if (most === 0 || blobs.length < FEWEST_ALONG || blobs.length > MOST_LOOSE) return [];
  const all = blobs.map(({ left, right, top, bottom }) => ({
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    size: Math.max(right - left, bottom - top),
  }));
  const height = [...all].map(({ size }) => size).sort((one, other) => one - other)[all.length >> 1] ?? 1;
  const spots = all.filter(({ size }) => size > height / 2 && size < height * 2);
  const membersOf = ({ x, y, radius }: Round) =>
    spots.filter((spot) => Math.abs(Math.hypot(spot.x - x, spot.y - y) - radius) < height * BESIDE);
  let best: { circle: Round; members: Spot[] } | undefined;
  // The same spots give the same circles: nothing is left to chance.
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 0x7fffffff;
    return spots[seed % spots.length];
  };
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    let circle = circleThrough([next(), next(), next()].filter((spot) => spot !== undefined));
    for (let round = 0; circle && round < ROUNDS; round += 1) {
      if (circle.radius < height * RADII[0] || circle.radius > height * RADII[1]) circle = undefined;
      const members: Spot[] = circle ? membersOf(circle) : [];
      const isMost = members.length > (best?.members.length ?? FEWEST_ALONG - 1);
      if (circle && isMost && 2 * Math.PI - widestGap(circle, members).gap > LEAST_ARC) best = { circle, members };
      circle = members.length >= 5 ? circleThrough(members) : undefined;
    }
  }
  if (!best) return [];
  const { circle, members } = best;
  const { from } = widestGap(circle, members);
  const rest = blobs.filter((_, at) => !members.some(({ x, y }) => x === all[at]?.x && y === all[at]?.y));
  return [{ ...circle, height, from }, ...circlesOf(rest, most - 1)];
}

/** In radians: a straight row lies along a part of a large circle too. */
const LEAST_ARC = 1.8;

/** The widest part of a circle without letters, and its middle. */
function widestGap({ x, y }: Round, members: readonly Spot[]): { gap: number; from: number } {
  const angles = members.map((spot) => Math.atan2(spot.y - y, spot.x - x)).sort((one, other) => one - other);
  const gaps = angles.map((angle, at) => (angles[at + 1] ?? (angles[0] ?? 0) + 2 * Math.PI) - angle);
  const gap = Math.max(...gaps);
  return { gap, from: (angles[gaps.indexOf(gap)] ?? 0) + gap / 2 };
}

type Round = { x: number; y: number; radius: number };

/** The circle nearest to some spots. */
function circleThrough(spots: readonly Spot[]): Round | undefined {
  const { length } = spots;
  if (length < 3) return undefined;
  const mean = (of: (spot: Spot) => number) => spots.reduce((sum, spot) => sum + of(spot), 0) / length;
  const [x0, y0] = [mean(({ x }) => x), mean(({ y }) => y)];
  const sums = { xx: 0, yy: 0, xy: 0, xz: 0, yz: 0, z: 0 };
  for (const spot of spots) {
    const [x, y] = [spot.x - x0, spot.y - y0];
    const z = x * x + y * y;
    sums.xx += x * x;
    sums.yy += y * y;
    sums.xy += x * y;
    sums.xz += x * z;
    sums.yz += y * z;
    sums.z += z;
  }
  const area = sums.xx * sums.yy - sums.xy ** 2;
  if (Math.abs(area) < 1e-6) return undefined;
  const x = (sums.xz * sums.yy - sums.yz * sums.xy) / (2 * area);
  const y = (sums.yz * sums.xx - sums.xz * sums.xy) / (2 * area);
  return { x: x + x0, y: y + y0, radius: Math.sqrt(x * x + y * y + sums.z / length) };
}
