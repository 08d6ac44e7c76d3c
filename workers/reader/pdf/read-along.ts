import type { Sheet } from "./ink";
import { isLikeCharacter, type PictureRead, READABLE, readRows } from "./read-characters";
import { type Blob, type Circle, findBlobs, rowsOf } from "./writing";

/** Reads writing that stands along a circle or a wave. */

/**
 * A line that letters stand along, in pixels: a point of it at each distance from its start, and which way is up there.
 */
type Path = { length: number; height: number; at: (distance: number) => { x: number; y: number; up: Way } };
type Way = { x: number; y: number };

export const aroundCircle = ({ x, y, radius, height, from }: Circle): Path => ({
  length: 2 * Math.PI * radius,
  height,
  at: (distance) => {
    const up = { x: Math.cos(from + distance / radius), y: Math.sin(from + distance / radius) };
    return { x: x + radius * up.x, y: y + radius * up.y, up };
  },
});

/** Through the middles of letters, somewhat smoothed, and a little beyond both ends. */
export function alongWave(wave: readonly Blob[]): Path {
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
export function readAlong(sheet: Sheet, { length, height, at }: Path): PictureRead {
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

/** In characters. Letters on a circle stand far apart, so each of its words is a piece of its own. */
const LEAST_PIECE = 3;
