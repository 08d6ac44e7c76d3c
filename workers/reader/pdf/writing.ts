import { parseAbn } from "~/kernel/abn";
import type { Box } from "~/ports/document-reader";
import { type Easel, lumaAt, type Picture, paintWithout } from "./painting";
import { around, within } from "./seen";
import { type ShapeBook, toGrid } from "./shapes";

/** Writing that is painted without being text: in pictures, as outlines, by hand. */
export type Row = {
  box: Box;
  count: number;
  /** Where it is painted; none: on the screen. */
  easel?: Easel;
};

type Blob = { left: number; top: number; right: number; bottom: number; area: number };

const MIN_LETTERS = 8;
/** A photograph contains a great many. */
const MAX_STRETCHES = 150_000;
const MAX_LETTERS = 6_000;

/** Pixels darker than this, from 0 to 255, count as ink. */
const DARK = 150;

/** Rows of blobs that are as tall as each other and stand side by side, as letters do. */
export function findWriting(picture: Picture, ink = DARK): Row[] {
  return [false, true].flatMap((isLight) => {
    const mask = maskOf(picture, isLight, ink);
    if (!mask) return [];
    const blobs = findBlobs(mask, picture.width, picture.height).filter((blob) => isLetterLike(blob, picture.scale));
    return rowsOf(blobs).map((row) => ({ box: toBox(picture, row), count: row.length }));
  });
}

/** True for each pixel with ink. Light writing is only looked for where much of the picture is dark. */
function maskOf(picture: Picture, isLight: boolean, ink = DARK): Uint8Array | undefined {
  const { width, height } = picture;
  const mask = new Uint8Array(width * height);
  let dark = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const luma = lumaAt(picture, x, y);
      if (luma < DARK) dark += 1;
      mask[y * width + x] = Number(isLight ? luma > 175 : luma < ink);
    }
  }
  return isLight && dark < mask.length * 0.03 ? undefined : mask;
}

/** Pixels that hang together: stretches of each row, joined with those that they touch in the row above. */
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

function isLetterLike({ left, top, right, bottom, area }: Blob, scale: number): boolean {
  const [width, height] = [right - left, bottom - top];
  const points = height / scale;
  return (
    points >= 2.6 &&
    points <= 30 &&
    width <= height * 2.2 &&
    area / (width * height) < 0.93 &&
    area / (width * height) > 0.12
  );
}

function rowsOf(blobs: readonly Blob[], atLeast = MIN_LETTERS): Blob[][] {
  const rows: Blob[][] = [];
  for (const blob of blobs.slice(0, MAX_LETTERS).sort((a, b) => a.left - b.left)) {
    const row = rows.find((members) => {
      const last = members.at(-1);
      if (!last) return false;
      const [height, other] = [blob.bottom - blob.top, last.bottom - last.top];
      const tall = Math.max(height, other);
      const isLevel = Math.abs(blob.bottom - last.bottom) < tall * 0.35 || Math.abs(blob.top - last.top) < tall * 0.35;
      const gap = blob.left - last.right;
      return isLevel && height < other * 2 && other < height * 2 && gap > -tall * 0.4 && gap < tall * 1.6;
    });
    if (row) row.push(blob);
    else rows.push([blob]);
  }
  return rows.filter((row) => row.length >= atLeast && isVaried(row));
}

/** The bars of a code and the squares of another are alike in width or fill their boxes: letters are neither. */
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

const TALL = 22;
const CLEAR = 0.7;

/** The digits of a painted row, with blanks, and question marks for other shapes. */
export function readPaintedRow(easel: Easel, book: ShapeBook, texts: readonly number[], box: Box): string {
  const picture = paintNear(easel, texts, around([box], Math.max(2, box.height * 0.5)), TALL / Math.max(box.height, 1));
  if (!picture) return "";
  return [false, true]
    .map((isLight) => readBlobs(picture, book, maskOf(picture, isLight)))
    .reduce((best, text) => (countDigits(text) > countDigits(best) ? text : best), "");
}

/** The same for all of a picture, whatever its colours are: its rows from top to bottom. */
export function readPicture(easel: Easel, book: ShapeBook, texts: readonly number[], box: Box): string {
  const picture = paintNear(easel, texts, around([box]), CLOSE);
  return picture ? readBlobs(picture, book, maskOffGround(picture)) : "";
}
const CLOSE = 3;

function paintNear(easel: Easel, texts: readonly number[], box: Box, scale: number): Picture | undefined {
  const region = within(box, { x: 0, y: 0, width: easel.space.width, height: easel.space.height });
  if (!region) return undefined;
  const most = Math.sqrt(1_500_000 / (region.width * region.height));
  return paintWithout(easel, texts, region, Math.min(scale, most));
}

/** What is far from the commonest brightness of a picture, its ground. */
function maskOffGround(picture: Picture): Uint8Array {
  const { width, height } = picture;
  const lumas = new Uint8Array(width * height);
  const counts = new Uint32Array(256);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const luma = Math.round(lumaAt(picture, x, y));
      lumas[y * width + x] = luma;
      counts[luma] = (counts[luma] ?? 0) + 1;
    }
  }
  const ground = counts.indexOf(Math.max(...counts));
  const most = lumas.reduce((far, luma) => Math.max(far, Math.abs(luma - ground)), 0);
  const ink = Math.max(LEAST_INK, most * 0.5);
  return lumas.map((luma) => Number(Math.abs(luma - ground) > ink));
}
const LEAST_INK = 25;

const countDigits = (text: string) => text.replace(/\D/g, "").length;

function readBlobs(picture: Picture, book: ShapeBook, mask: Uint8Array | undefined): string {
  if (!mask) return "";
  const ink = Float32Array.from(mask);
  const blobs = findBlobs(mask, picture.width, picture.height).filter((blob) => blob.bottom - blob.top >= 4);
  const rows = rowsOf(
    blobs.filter((blob) => isLetterLike(blob, picture.scale)),
    4,
  ).sort(([one], [other]) => (one?.top ?? 0) - (other?.top ?? 0));
  return rows
    .map((row) => {
      let text = "";
      for (const [index, blob] of row.entries()) {
        const before = row[index - 1];
        if (before && blob.left - before.right > (blob.bottom - blob.top) * 0.3) text += " ";
        const { digit, score, letterScore } = book.look(toGrid(ink, picture.width, blob));
        text += score > CLEAR && score >= letterScore - 0.06 ? digit : "?";
      }
      return text;
    })
    .join("\n");
}

/** Without the numbers of a letterhead: those to ring and those of the register. */
function withoutOtherNumbers(text: string): string {
  const joined = text.replace(/(?<=\d) (?=\d)/g, "").replace(/\?0[23478]\? ?\d{8}(?!\d)/g, "?");
  const abns = (joined.match(/\d{11}/g) ?? []).filter((digits) => parseAbn(digits) !== undefined);
  return joined.replace(/(?<!\d)\d{9,11}(?!\d)/g, (digits) => {
    const isOfRegister = abns.some((abn) => abn.endsWith(digits));
    return isOfRegister || /^(?:0[23478]\d{8}|1[38]00\d{6}|61[23478]\d{8})$/.test(digits) ? "?" : digits;
  });
}

/** Six digits and five more, as a BSB and an account number are, in one row or in several; a digit may not be read as one. */
export function looksLikeAccount(rows: readonly string[]): boolean {
  const text = rows
    .flatMap((row) => row.split("\n"))
    .map(withoutOtherNumbers)
    .join("\n");
  const runs = [...text.matchAll(/\d(?:[ ?-]?\d)*/g)].map(([run]) => countDigits(run)).filter((count) => count >= 5);
  return runs.some((count) => count >= 11) || (runs.length > 1 && runs.some((count) => count >= 6));
}
