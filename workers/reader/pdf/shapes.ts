import { readSpace } from "./page-text";
import { type Ink, inkOf, paint } from "./painting";
import type { Pdfium } from "./pdfium";

/** A character by its shape alone: its ink on a small grid, and how wide it is for its height. */
export type Shape = { grid: Float32Array; ratio: number };

const [COLUMNS, ROWS] = [10, 14];
/** Letters are only taken from the first font, because they only distinguish digits from words. */
const FONTS = [
  "Helvetica",
  "Helvetica-Bold",
  "Times-Roman",
  "Times-Bold",
  "Courier",
  "Courier-Bold",
  "Helvetica-Oblique",
];
const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz";
/** Pixels with less ink than this are the edge of a stroke. */
const FLOOR = 0.35;
const SIZE = 40;
const STEP = 60;

/** Ink cropped to what is painted, then drawn onto the grid. Undefined where nothing is painted. */
export function shapeOf(painted: Ink): Shape | undefined {
  return cropped({ ...painted, ink: withoutNeighbours(painted) });
}

/** The ink that is painted, drawn onto the grid. */
export function cropped({ width, height, ink }: Ink): Shape | undefined {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((ink[y * width + x] ?? 0) < FLOOR) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  if (right < left || bottom - top < 3) return undefined;
  return toGrid(ink, width, { left, right: right + 1, top, bottom: bottom + 1 });
}

/** In italics the neighbours reach into a character's box, so pieces at its sides that are smaller than the largest are removed. */
function withoutNeighbours({ width, height, ink }: Ink): Float32Array {
  const owner = new Int32Array(ink.length);
  const pieces: { area: number; isAtSide: boolean }[] = [{ area: 0, isAtSide: false }];
  for (let start = 0; start < ink.length; start += 1) {
    if (owner[start] !== 0 || (ink[start] ?? 0) < FLOOR) continue;
    pieces.push(spread({ width, height, ink }, owner, start, pieces.length));
  }
  const largest = Math.max(...pieces.map(({ area }) => area));
  return ink.map((value, at) => {
    const piece = pieces[owner[at] ?? 0];
    return piece?.isAtSide && piece.area < largest ? 0 : value;
  });
}

function spread(
  { width, height, ink }: Ink,
  owner: Int32Array,
  start: number,
  name: number,
): { area: number; isAtSide: boolean } {
  const open = [start];
  owner[start] = name;
  let [area, isAtSide] = [0, false];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    area += 1;
    isAtSide ||= x === 0 || x === width - 1;
    for (const [nx, ny] of [
      [x - 1, y],
      [x + 1, y],
      [x, y - 1],
      [x, y + 1],
    ] as const) {
      const next = ny * width + nx;
      if (nx < 0 || ny < 0 || nx >= width || ny >= height || owner[next] !== 0 || (ink[next] ?? 0) < FLOOR) continue;
      owner[next] = name;
      open.push(next);
    }
  }
  return { area, isAtSide };
}

type Crop = { left: number; right: number; top: number; bottom: number };

export function toGrid(ink: Float32Array, width: number, crop: Crop): Shape {
  const lean = leanOf(ink, width, crop);
  const { left, right, top, bottom } = crop;
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  const span = spanOfUpright(ink, width, crop, lean);
  const grid = new Float32Array(COLUMNS * ROWS);
  const [cellWidth, cellHeight] = [(span.right - span.left) / COLUMNS, (bottom - top) / ROWS];
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      let sum = 0;
      for (let i = 0; i < SAMPLES; i += 1) {
        for (let j = 0; j < SAMPLES; j += 1) {
          const y = Math.min(bottom - 1, Math.floor(top + (row + (i + 0.5) / SAMPLES) * cellHeight));
          const x = Math.floor(
            middleX + span.left + (column + (j + 0.5) / SAMPLES) * cellWidth + lean * (y + 0.5 - middleY),
          );
          if (x >= left && x < right) sum += ink[y * width + x] ?? 0;
        }
      }
      grid[row * COLUMNS + column] = sum / (SAMPLES * SAMPLES);
    }
  }
  return { grid: centred(softened(grid)), ratio: (span.right - span.left) / (bottom - top) };
}

const SAMPLES = 3;
const MOST_LEAN = 0.45;

/** How far ink leans to the side for each step down: italics are set upright before they are compared. */
function leanOf(ink: Float32Array, width: number, { left, right, top, bottom }: Crop): number {
  let [mass, sumX, sumY] = [0, 0, 0];
  const each = (work: (value: number, x: number, y: number) => void) => {
    for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) work(ink[y * width + x] ?? 0, x, y);
  };
  each((value, x, y) => {
    mass += value;
    sumX += value * x;
    sumY += value * y;
  });
  if (mass === 0) return 0;
  const [meanX, meanY] = [sumX / mass, sumY / mass];
  let [mixed, tall] = [0, 0];
  each((value, x, y) => {
    mixed += value * (x - meanX) * (y - meanY);
    tall += value * (y - meanY) ** 2;
  });
  return tall === 0 ? 0 : Math.max(-MOST_LEAN, Math.min(MOST_LEAN, mixed / tall));
}

/** Where ink starts and ends from the middle of the crop, once it stands upright. */
function spanOfUpright(
  ink: Float32Array,
  width: number,
  { left, right, top, bottom }: Crop,
  lean: number,
): { left: number; right: number } {
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      if ((ink[y * width + x] ?? 0) < FLOOR) continue;
      const at = x - middleX - lean * (y + 0.5 - middleY);
      from = Math.min(from, at);
      to = Math.max(to, at + 1);
    }
  }
  return from < to ? { left: from, right: to } : { left: left - middleX, right: right - middleX };
}

/** Blurs the grid, so that thin and thick strokes along one path look alike. */
function softened(grid: Float32Array): Float32Array {
  const at = (row: number, column: number) =>
    row >= 0 && row < ROWS && column >= 0 && column < COLUMNS ? (grid[row * COLUMNS + column] ?? 0) : 0;
  return grid.map((value, index) => {
    const [row, column] = [Math.floor(index / COLUMNS), index % COLUMNS];
    const sides = at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1);
    const corners =
      at(row - 1, column - 1) + at(row - 1, column + 1) + at(row + 1, column - 1) + at(row + 1, column + 1);
    return value * 0.4 + sides * 0.1 + corners * 0.05;
  });
}

/** Subtracts the mean and scales to length one, so that weight and contrast do not matter. */
function centred(grid: Float32Array): Float32Array {
  const mean = grid.reduce((sum, value) => sum + value, 0) / grid.length;
  const length = Math.sqrt(grid.reduce((sum, value) => sum + (value - mean) ** 2, 0)) || 1;
  return grid.map((value) => (value - mean) / length);
}

/** How alike two shapes are: 1 for the same, 0 or less for unrelated ones. */
export function likeness(one: Shape, other: Shape): number {
  let sum = 0;
  for (let at = 0; at < one.grid.length; at += 1) sum += (one.grid[at] ?? 0) * (other.grid[at] ?? 0);
  return sum - Math.min(0.5, Math.abs(Math.log(one.ratio / other.ratio)) * 0.45);
}

export type Verdict = {
  /** The digit that it looks most like, and how much: 1 is the same. */
  digit: string;
  score: number;
  /** How much it looks like each digit. */
  scores: readonly number[];
  /** How much it looks like the best letter. */
  letterScore: number;
};

export class ShapeMatcher {
  constructor(private readonly references: readonly (Shape & { letter: string; isDigit: boolean })[]) {}

  look(shape: Shape): Verdict {
    const scores = new Array<number>(DIGITS.length).fill(-1);
    let letterScore = -1;
    for (const reference of this.references) {
      const like = likeness(shape, reference);
      if (!reference.isDigit) letterScore = Math.max(letterScore, like);
      else scores[Number(reference.letter)] = Math.max(scores[Number(reference.letter)] ?? -1, like);
    }
    const score = Math.max(...scores);
    return { digit: String(scores.indexOf(score)), score, scores, letterScore };
  }
}

let matcher: ShapeMatcher | undefined;

/** The digit shapes of the engine's own fonts, painted once. */
export function shapesOf(engine: Pdfium): ShapeMatcher {
  matcher ??= makeMatcher(engine);
  return matcher;
}

function makeMatcher(engine: Pdfium): ShapeMatcher {
  const document = engine.FPDF_CreateNewDocument();
  const letters = DIGITS + LETTERS;
  const page = engine.FPDFPage_New(document, 0, STEP * (letters.length + 1), STEP * (FONTS.length + 1));
  for (const [row, font] of FONTS.entries()) {
    for (const [column, letter] of [...(row === 0 ? letters : DIGITS)].entries()) {
      const object = engine.FPDFPageObj_NewTextObj(document, font, SIZE);
      engine.memory.with(4, (text) => {
        new Uint16Array(engine.memory.bytes(text, 4).buffer, text, 2).set([letter.charCodeAt(0), 0]);
        engine.FPDFText_SetText(object, text);
      });
      engine.FPDFPageObj_Transform(object, 1, 0, 0, 1, column * STEP + 10, STEP * (FONTS.length - row) + 10);
      engine.FPDFPage_InsertObject(page, object);
    }
  }
  engine.FPDFPage_GenerateContent(page);
  const surface = { engine, page, space: readSpace(engine, page), form: 0 };
  const references = FONTS.flatMap((_, row) => {
    const region = { x: 0, y: row * STEP, width: STEP * (letters.length + 1), height: STEP };
    const picture = paint(surface, region, 1);
    return [...(row === 0 ? letters : DIGITS)].flatMap((letter, column) => {
      const shape = shapeOf(
        inkOf(picture, { x: column * STEP + 2, y: row * STEP + 1, width: STEP - 4, height: STEP - 2 }),
      );
      return shape ? [{ ...shape, letter, isDigit: DIGITS.includes(letter) }] : [];
    });
  });
  engine.FPDF_ClosePage(page);
  engine.FPDF_CloseDocument(document);
  return new ShapeMatcher(references);
}
