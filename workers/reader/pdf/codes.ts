import decodeQR from "qr/decode.js";
import type { Box } from "~/ports/document-reader";
import { groundOf, inkAgainst } from "./ink";
import { lumaRows, type Picture, paint, type Surface } from "./painting";
import { around, within } from "./seen";
import { type Blob, findBlobs } from "./writing";

/** The QR codes that a page shows, found by the squares in three of their corners. */

/** @property text what the code says; without it, the code could not be read */
export type PageCode = { box: Box; text?: string };

/** How far ink is from its background, in standard deviations. */
const THRESHOLD = 0.35;
/** In pixels. */
const SMALLEST_CORNER = 5;
const MOST_CORNERS = 60;
/** A corner has seven modules, the squares that a code is made of; so many pixels show one clearly. */
const CORNER_MODULES = 7;
const PIXELS_OF_MODULE = 6;
const MOST_PIXELS = 1_200_000;
/** Decoding a pixel costs as much as looking at so many. */
const COST_OF_DECODING = 3;
/** Of combinations of corners. */
const TRIES = 8;

/** In pixels: the middle of a square in a frame, and how wide the frame is. */
type Corner = { x: number; y: number; size: number };

const shareOf = ({ left, top, right, bottom, area }: Blob) => area / ((right - left) * (bottom - top));
const sideOf = ({ left, top, right, bottom }: Blob) => (right - left + bottom - top) / 2;
const middleOf = ({ left, top, right, bottom }: Blob) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

/** Squares that stand in the middle of a frame, level or turned, as in the corners of a QR code. */
export function cornersIn(blobs: readonly Blob[]): Corner[] {
  const squares = blobs.filter(({ left, top, right, bottom }) => {
    const ratio = (right - left) / (bottom - top);
    return ratio > 0.75 && ratio < 1.33 && bottom - top >= SMALLEST_CORNER / 2;
  });
  const frames = squares.filter(
    (blob) => shareOf(blob) > 0.17 && shareOf(blob) < 0.66 && blob.right - blob.left >= SMALLEST_CORNER,
  );
  // A code has hundreds of spots, so each frame is compared only with the squares near its middle.
  const inners = new Map<string, Blob[]>();
  const cellOf = (blob: Blob) => [Math.floor(middleOf(blob).x / CELL), Math.floor(middleOf(blob).y / CELL)] as const;
  for (const blob of squares) {
    if (shareOf(blob) <= 0.4) continue;
    const key = cellOf(blob).join();
    inners.set(key, [...(inners.get(key) ?? []), blob]);
  }
  return frames.flatMap((frame) => {
    const { x, y } = middleOf(frame);
    const size = sideOf(frame);
    const [column, row] = cellOf(frame);
    const near = [-1, 0, 1].flatMap((across) =>
      [-1, 0, 1].flatMap((down) => inners.get([column + across, row + down].join()) ?? []),
    );
    const isCorner = near.some((inner) => {
      const own = sideOf(inner) / size;
      const middle = middleOf(inner);
      return own > 0.28 && own < 0.58 && Math.hypot(middle.x - x, middle.y - y) < size * 0.12;
    });
    return isCorner ? [{ x, y, size }] : [];
  });
}
const CELL = 16;

/** Corners that belong together: the first has the other two at the same distance and at a right angle. */
function triplesOf(corners: readonly Corner[]): [Corner, Corner, Corner][] {
  const found: { corners: [Corner, Corner, Corner]; length: number }[] = [];
  for (const first of corners)
    for (const [at, one] of corners.entries())
      for (const other of corners.slice(at + 1)) {
        const sizes = [first.size, one.size, other.size];
        if (one === first || other === first || Math.max(...sizes) > 1.4 * Math.min(...sizes)) continue;
        const [x1, y1, x2, y2] = [one.x - first.x, one.y - first.y, other.x - first.x, other.y - first.y];
        const [length, width] = [Math.hypot(x1, y1), Math.hypot(x2, y2)];
        const isSquare = Math.abs(x1 * x2 + y1 * y2) < length * width * 0.2 && Math.abs(length - width) < length * 0.2;
        if (isSquare && length > first.size * 1.2) found.push({ corners: [first, one, other], length });
      }
  found.sort((one, other) => one.length - other.length);
  const used = new Set<Corner>();
  return found.flatMap((each) => {
    if (each.corners.some((corner) => used.has(corner))) return [];
    for (const corner of each.corners) used.add(corner);
    return [each.corners];
  });
}

/**
 * Where codes stand among the spots of a painting, with the size of their corners, in points. With more corners than are
 * compared there may be a code anywhere, and it has no corner.
 */
export function findCodes({ region, scale }: Picture, spots: readonly Blob[]): { box: Box; corner?: number }[] {
  const corners = cornersIn(spots);
  const found = triplesOf(corners.slice(0, MOST_CORNERS)).map(([first, one, other]) => {
    const last = { x: one.x + other.x - first.x, y: one.y + other.y - first.y, size: first.size };
    const boxes = [first, one, other, last].map(({ x, y, size }) => ({
      ...{ x: region.x + (x - size / 2) / scale, y: region.y + (y - size / 2) / scale },
      ...{ width: size / scale, height: size / scale },
    }));
    return { box: around(boxes, 0), corner: first.size / scale };
  });
  return corners.length > MOST_CORNERS ? [...found, { box: region }] : found;
}

/** The codes in a painted part of a page, each read from near. Once the budget is used up, those that follow are not read. */
export function readCodes(surface: Surface, picture: Picture, budget: { pixels: number }): PageCode[] {
  const page = { x: 0, y: 0, width: surface.space.width, height: surface.space.height };
  const sheets = inkAgainst(groundOf(picture), THRESHOLD);
  const spots = sheets.map(({ mask, width, height }) => findBlobs(mask, width, height));
  return spots
    .flatMap((blobs) => findCodes(picture, blobs))
    .map(({ box, corner }) => {
      if (corner === undefined || budget.pixels <= 0) return { box };
      const region = within(around([box], (4 * corner) / CORNER_MODULES), page) ?? box;
      const most = Math.sqrt(MOST_PIXELS / (region.width * region.height));
      const scale = Math.min(most, (PIXELS_OF_MODULE * CORNER_MODULES) / corner);
      budget.pixels -= region.width * region.height * scale ** 2 * COST_OF_DECODING;
      const text = textOf(paint(surface, region, scale)) ?? textOf(paint(surface, region, scale / 2));
      return { box, ...(text === undefined ? {} : { text }) };
    });
}

/** What a code says, in grey and with all of its contrast: it may be pale, or light on dark. */
function textOf(picture: Picture): string | undefined {
  const { width, height } = picture;
  const lumas = new Float32Array(width * height);
  let [at, least, most] = [0, 255, 0];
  for (const row of lumaRows(picture))
    for (const luma of row) {
      lumas[at] = luma;
      least = Math.min(least, luma);
      most = Math.max(most, luma);
      at += 1;
    }
  const data = new Uint8Array(width * height * 4);
  for (const [pixel, luma] of lumas.entries())
    data.fill(((luma - least) * 255) / Math.max(most - least, 1), pixel * 4, pixel * 4 + 4);
  try {
    return decodeQR({ width, height, data }, { effort: TRIES, timeLimit: Number.POSITIVE_INFINITY });
  } catch {
    return undefined;
  }
}
