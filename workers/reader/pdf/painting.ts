import { createHash } from "node:crypto";
import type { Box } from "~/ports/document-reader";
import { CannotRead } from "../limits";
import type { PageSpace } from "./page-text";
import type { Pdfium } from "./pdfium";

/** A part of a page as it is painted: blue, green, red and one unused byte for each pixel. */
export type Picture = {
  /** In points, the part that was painted. */
  region: Box;
  /** Pixels for a point. */
  scale: number;
  width: number;
  height: number;
  pixels: Uint8Array;
};

const BGRX = 3;
const WHITE = 0xffffffff;
/** Comments, stamps and similar are painted too, as in every viewer. */
const WITH_ANNOTATIONS = 1;
const FOR_PAPER = 0x800;
const MAX_PIXELS = 4_000_000;

/** A page that is open for painting. With a slope, it and its positions are turned until lines of that slope lie level. */
export type Surface = {
  engine: Pdfium;
  page: number;
  space: PageSpace;
  form: number;
  slope?: number;
  /** Set where comments and stamps are left out. */
  isBare?: boolean;
  /** Set to paint the page as it is printed: without what is only for the screen, and with what is only for paper. */
  isPrinted?: boolean;
};

export function paint(surface: Surface, region: Box, scale: number): Picture {
  return withPainting(surface, region, scale, (picture) => ({ ...picture, pixels: picture.pixels.slice() }));
}

/** Paints, and lends the pixels to `work`. They stay in the engine's memory, so `work` must not use the engine. */
export function withPainting<T>(
  { engine, page, space, form, slope = 0, isBare = false, isPrinted = false }: Surface,
  region: Box,
  scale: number,
  work: (picture: Picture) => T,
): T {
  const { memory } = engine;
  const width = Math.max(1, Math.ceil(region.width * scale));
  const height = Math.max(1, Math.ceil(region.height * scale));
  if (width * height > MAX_PIXELS) throw new CannotRead("too_large");
  const bitmap = engine.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
  if (bitmap === 0) throw new CannotRead("too_large");
  engine.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  const flags = isBare ? 0 : WITH_ANNOTATIONS | (isPrinted ? FOR_PAPER : 0);
  memory.with(40, (pointer) => {
    const [along, across] = [scale * Math.cos(slope), scale * Math.sin(slope)];
    const [x, y] = [-region.x * scale, -region.y * scale];
    memory.setFloats(pointer, [along, -across, across, along, x, y, 0, 0, width, height]);
    engine.FPDF_RenderPageBitmapWithMatrix(bitmap, page, pointer, pointer + 24, flags);
  });
  if (form !== 0 && slope === 0 && !isBare) {
    const [left, top] = [Math.round(-region.x * scale), Math.round(-region.y * scale)];
    engine.FPDF_FFLDraw(
      form,
      bitmap,
      page,
      left,
      top,
      Math.round(space.width * scale),
      Math.round(space.height * scale),
      0,
      flags,
    );
  }
  const pixels = memory.bytes(engine.FPDFBitmap_GetBuffer(bitmap), width * height * 4);
  const result = work({ region, scale, width, height, pixels });
  engine.FPDFBitmap_Destroy(bitmap);
  return result;
}

/** Paints without some objects, and puts them back afterwards. */
export function paintWithout(surface: Surface, objects: readonly number[], region: Box, scale: number): Picture {
  for (const object of objects) surface.engine.FPDFPageObj_SetIsActive(object, false);
  try {
    return paint(surface, region, scale);
  } finally {
    for (const object of objects) surface.engine.FPDFPageObj_SetIsActive(object, true);
  }
}

// How visible a difference in red, green and blue is. Yellow on white can hardly be seen.
const [RED, GREEN, BLUE] = [0.6, 1, 0.12];

function seenDifference(one: Uint8Array, other: Uint8Array, at: number): number {
  const blue = Math.abs((one[at] ?? 0) - (other[at] ?? 0)) * BLUE;
  const green = Math.abs((one[at + 1] ?? 0) - (other[at + 1] ?? 0)) * GREEN;
  const red = Math.abs((one[at + 2] ?? 0) - (other[at + 2] ?? 0)) * RED;
  return Math.max(blue, green, red);
}

/** The pixels of a box of the page. */
function pixelsOf(picture: Picture, box: Box): { left: number; top: number; right: number; bottom: number } {
  const { region, scale } = picture;
  return {
    left: Math.max(0, Math.floor((box.x - region.x) * scale)),
    top: Math.max(0, Math.floor((box.y - region.y) * scale)),
    right: Math.min(picture.width, Math.ceil((box.x + box.width - region.x) * scale)),
    bottom: Math.min(picture.height, Math.ceil((box.y + box.height - region.y) * scale)),
  };
}

/** A part of a painting. */
export function cropped(picture: Picture, box: Box): Picture {
  const { left, top, right, bottom } = pixelsOf(picture, box);
  const [width, height] = [Math.max(right - left, 1), Math.max(bottom - top, 1)];
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const from = ((top + y) * picture.width + left) * 4;
    pixels.set(picture.pixels.subarray(from, from + width * 4), y * width * 4);
  }
  const { region, scale } = picture;
  const corner = { x: region.x + left / scale, y: region.y + top / scale };
  return { region: { ...corner, width: width / scale, height: height / scale }, scale, width, height, pixels };
}

/** A digest of how a box of a painting looks, wherever it stands. */
export function digestOfBox(picture: Picture, box: Box): string {
  const { left, top, right, bottom } = pixelsOf(picture, box);
  const hash = createHash("sha256").update(`${right - left} ${bottom - top} `);
  for (let y = top; y < bottom; y += 1)
    hash.update(
      picture.pixels.subarray((y * picture.width + left) * 4, (y * picture.width + Math.max(left, right)) * 4),
    );
  return hash.digest("base64url");
}

const SEEN = 40;

/** The share of a box in which two paintings differ so much that a person sees it. */
export function shareThatDiffers(one: Picture, other: Picture, box: Box): number {
  const { left, top, right, bottom } = pixelsOf(one, box);
  const area = (right - left) * (bottom - top);
  if (area <= 0) return 0;
  let count = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      if (seenDifference(one.pixels, other.pixels, (y * one.width + x) * 4) >= SEEN) count += 1;
    }
  }
  return count / area;
}

export type Ink = { width: number; height: number; ink: Float32Array };

/**
 * How dark each pixel of a box is, from 0 to 1, against the background: light writing on a dark background counts too.
 * @param turn how the writing is turned; the ink comes back upright
 */
export function inkOf(picture: Picture, box: Box, turn = 0): Ink {
  const { left, top, right, bottom } = pixelsOf(picture, box);
  const [width, height] = [Math.max(0, right - left), Math.max(0, bottom - top)];
  const ground = groundAround(picture, { left, top, right, bottom });
  const ink = new Float32Array(width * height);
  let most = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const difference = Math.abs(lumaAt(picture, left + x, top + y) - ground);
      ink[y * width + x] = difference;
      most = Math.max(most, difference);
    }
  }
  if (most > 12) for (let at = 0; at < ink.length; at += 1) ink[at] = (ink[at] ?? 0) / most;
  else ink.fill(0);
  return uprightInk({ width, height, ink }, turn);
}

function uprightInk({ width, height, ink }: Ink, turn: number): Ink {
  if (turn === 0) return { width, height, ink };
  const [newWidth, newHeight] = turn === 2 ? [width, height] : [height, width];
  const turned = new Float32Array(ink.length);
  for (let y = 0; y < newHeight; y += 1) {
    for (let x = 0; x < newWidth; x += 1) {
      const [fromX, fromY] =
        turn === 1 ? [width - 1 - y, x] : turn === 2 ? [width - 1 - x, height - 1 - y] : [y, height - 1 - x];
      turned[y * newWidth + x] = ink[fromY * width + fromX] ?? 0;
    }
  }
  return { width: newWidth, height: newHeight, ink: turned };
}

function lumaAt(picture: Picture, x: number, y: number): number {
  const at = (y * picture.width + x) * 4;
  return (
    (picture.pixels[at] ?? 0) * 0.114 + (picture.pixels[at + 1] ?? 0) * 0.587 + (picture.pixels[at + 2] ?? 0) * 0.299
  );
}

/** How bright each pixel of a picture is, row by row. The same array is used for every row. */
export function* lumaRows({ width, height, pixels }: Picture): Generator<Float32Array> {
  const colours = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const row = new Float32Array(width);
  let [before, luma] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = colours[y * width + x] ?? 0;
      if (colour !== before) {
        luma = (colour & 255) * 0.114 + ((colour >> 8) & 255) * 0.587 + ((colour >> 16) & 255) * 0.299;
        before = colour;
      }
      row[x] = luma;
    }
    yield row;
  }
}

/** The colour of the background: the middle value along a ring just outside the box. */
function groundAround(
  picture: Picture,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): number {
  const RING = 2;
  const [x0, x1] = [Math.max(0, left - RING), Math.min(picture.width - 1, right + RING - 1)];
  const [y0, y1] = [Math.max(0, top - RING), Math.min(picture.height - 1, bottom + RING - 1)];
  const edge: number[] = [];
  for (let x = x0; x <= x1; x += 1) edge.push(lumaAt(picture, x, y0), lumaAt(picture, x, y1));
  for (let y = y0; y <= y1; y += 1) edge.push(lumaAt(picture, x0, y), lumaAt(picture, x1, y));
  edge.sort((a, b) => a - b);
  return edge[Math.floor(edge.length / 2)] ?? 255;
}
