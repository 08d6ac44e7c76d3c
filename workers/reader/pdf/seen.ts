import type { Box } from "~/ports/document-reader";
import type { Char } from "../layout/lines";
import { type Picture, paint, paintWithout, type Surface, shareThatDiffers } from "./painting";

/**
 * Finds the characters that a person can see. Colours and modes are not interpreted: a page is painted with and without
 * its text, and a character that leaves no ink is hidden, whatever hides it.
 */
export type Seen = {
  chars: Char[];
  withText: Picture;
  /** The page without its text: pictures, lines, outlines. */
  withoutText: Picture;
};

const LEAST_SHARE = 0.06;
/** People cannot read type smaller than this. */
const LEAST_SIZE = 2.6;
const USUAL_SIDE = 842;
const CLOSE_SCALE = 4;
const MAX_CLOSE_PIECES = 60;
const SCALE = 1.5;
const MAX_SIDE = 1_500;

/** Pixels per point for a whole page; fewer for a poster. */
const scaleOf = (width: number, height: number) => Math.min(SCALE, MAX_SIDE / Math.max(width, height, 1));

export function lookAtPage(
  surface: Surface,
  texts: readonly number[],
  found: readonly Char[],
  objectOf: ReadonlyMap<number, number>,
): Seen {
  const { width, height } = surface.space;
  const whole = { x: 0, y: 0, width, height };
  const scale = scaleOf(width, height);
  const withText = paint(surface, whole, scale);
  const withoutText = paintWithout(surface, texts, whole, scale);
  // Small pages are painted larger, because they may use their own units.
  const least = LEAST_SIZE * Math.min(1, Math.max(width, height) / USUAL_SIDE);
  const chars = dropDoubles(found).map((char) => ({ ...char }));
  for (const char of chars) {
    const isOff =
      char.box.x + char.box.width < 0 || char.box.y + char.box.height < 0 || char.box.x > width || char.box.y > height;
    char.isHidden =
      isOff ||
      char.size < least ||
      (char.box.height > 0.2 && shareThatDiffers(withText, withoutText, char.box) < LEAST_SHARE);
  }
  lookCloser(surface, texts, chars, whole, least);
  lookAtOverlaps(surface, chars, objectOf);
  return { chars, withText, withoutText };
}

/** Bold type is often the same character painted twice with a small step between. */
function dropDoubles(chars: readonly Char[]): Char[] {
  const kept: Char[] = [];
  const places = new Map<string, Char[]>();
  for (const char of chars) {
    const key = `${char.text}${Math.round(char.origin.y / 4)}`;
    const others = places.get(key) ?? [];
    const isDouble = others.some((other) => share(other.box, char.box) > 0.6 && Math.abs(other.size - char.size) < 0.6);
    if (isDouble) continue;
    places.set(key, [...others, char]);
    kept.push(char);
  }
  return kept;
}

/**
 * Thin and pale type leaves little ink on a small picture: digits that seem hidden, and the stroke of "A/c", are painted
 * again, larger.
 */
function lookCloser(
  surface: Surface,
  texts: readonly number[],
  chars: readonly Char[],
  page: Box,
  least: number,
): void {
  const pieces = new Map<number, Char[]>();
  for (const char of chars) {
    if (!char.isHidden || char.size < least || !/[\d/]/.test(char.text)) continue;
    pieces.set(char.piece, [...(pieces.get(char.piece) ?? []), char]);
  }
  for (const members of [...pieces.values()].slice(0, MAX_CLOSE_PIECES)) {
    const region = within(around(members.map(({ box }) => box)), page);
    if (!region || region.width * region.height * CLOSE_SCALE ** 2 > 1_500_000) continue;
    const one = paint(surface, region, CLOSE_SCALE);
    const other = paintWithout(surface, texts, region, CLOSE_SCALE);
    for (const char of members) char.isHidden = shareThatDiffers(one, other, char.box) < LEAST_SHARE;
  }
}

const EXAMINED = 0.1;
const OVERLAPPED = 0.35;

/** Where two characters are in the same place, each is checked for ink of its own. */
function lookAtOverlaps(surface: Surface, chars: readonly Char[], objectOf: ReadonlyMap<number, number>): void {
  const pairs = findOverlaps(chars);
  const members = new Map<number, Set<Char>>();
  for (const pair of pairs)
    for (const char of pair) members.set(char.piece, (members.get(char.piece) ?? new Set()).add(char));
  for (const [piece, group] of [...members].slice(0, MAX_CLOSE_PIECES)) {
    const object = objectOf.get(piece);
    const region = within(around([...group].map(({ box }) => box)), {
      x: 0,
      y: 0,
      width: surface.space.width,
      height: surface.space.height,
    });
    if (object === undefined || !region) continue;
    const one = paint(surface, region, 3);
    const other = paintWithout(surface, [object], region, 3);
    for (const char of group) if (shareThatDiffers(one, other, char.box) < LEAST_SHARE) char.isHidden = true;
  }
  for (const [a, b] of pairs) {
    const isBadly = share(a.box, b.box) > OVERLAPPED;
    if (a.isHidden && b.isHidden) continue;
    // Whatever is painted on a hidden number was put there to cover it.
    if (isBadly || a.isHidden || b.isHidden) {
      a.isOverlapped = true;
      b.isOverlapped = true;
    }
  }
}

function findOverlaps(chars: readonly Char[]): [Char, Char][] {
  const CELL = 12;
  const cells = new Map<string, Char[]>();
  const pairs: [Char, Char][] = [];
  for (const char of chars) {
    if (char.size < LEAST_SIZE) continue;
    const [column, row] = [Math.floor(char.box.x / CELL), Math.floor(char.box.y / CELL)];
    for (let dx = -1; dx <= 1; dx += 1) {
      for (let dy = -1; dy <= 1; dy += 1) {
        for (const other of cells.get(`${column + dx},${row + dy}`) ?? []) {
          // A watermark is much larger than the text beneath it.
          const isLike = char.size < other.size * 2 && other.size < char.size * 2;
          const hasDigit = /\d/.test(char.text) || /\d/.test(other.text);
          if (isLike && hasDigit && other.piece !== char.piece && share(other.box, char.box) > EXAMINED)
            pairs.push([other, char]);
        }
      }
    }
    const key = `${column},${row}`;
    cells.set(key, [...(cells.get(key) ?? []), char]);
    if (pairs.length > 2_000) break;
  }
  return pairs;
}

/** How much of the smaller box lies in the other. */
export function share(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.max(0.01, Math.min(a.width * a.height, b.width * b.height));
}

export function around(boxes: readonly Box[], margin = 2): Box {
  const x = Math.min(...boxes.map((box) => box.x)) - margin;
  const y = Math.min(...boxes.map((box) => box.y)) - margin;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + margin;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + margin;
  return { x, y, width: right - x, height: bottom - y };
}

export function within(box: Box, page: Box): Box | undefined {
  const x = Math.max(box.x, page.x);
  const y = Math.max(box.y, page.y);
  const width = Math.min(box.x + box.width, page.x + page.width) - x;
  const height = Math.min(box.y + box.height, page.y + page.height) - y;
  return width > 0.5 && height > 0.5 ? { x, y, width, height } : undefined;
}
