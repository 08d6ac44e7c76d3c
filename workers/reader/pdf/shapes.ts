import { readSpace } from "./page-text";
import { type Ink, inkOf, paint } from "./painting";
import type { Pdfium } from "./pdfium";

/** A character by its shape alone: its ink on a small grid, and how wide it is for its height. */
export type Shape = { grid: Float32Array; ratio: number };

type Reference = Shape & { letter: string; isDigit: boolean };

const [COLUMNS, ROWS] = [10, 14];
/** Letters are taken from the first of them alone: they only tell digits from words. */
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
const SIZE = 40;
const STEP = 60;

/** Ink cropped to what is painted, then drawn onto the grid. Undefined where nothing is painted. */
export function shapeOf({ width, height, ink }: Ink): Shape | undefined {
  const FLOOR = 0.35;
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

type Crop = { left: number; right: number; top: number; bottom: number };

export function toGrid(ink: Float32Array, width: number, { left, right, top, bottom }: Crop): Shape {
  const grid = new Float32Array(COLUMNS * ROWS);
  const [cellWidth, cellHeight] = [(right - left) / COLUMNS, (bottom - top) / ROWS];
  const SAMPLES = 3;
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      let sum = 0;
      for (let i = 0; i < SAMPLES; i += 1) {
        for (let j = 0; j < SAMPLES; j += 1) {
          const x = Math.min(right - 1, Math.floor(left + (column + (j + 0.5) / SAMPLES) * cellWidth));
          const y = Math.min(bottom - 1, Math.floor(top + (row + (i + 0.5) / SAMPLES) * cellHeight));
          sum += ink[y * width + x] ?? 0;
        }
      }
      grid[row * COLUMNS + column] = sum / (SAMPLES * SAMPLES);
    }
  }
  return { grid: centred(grid), ratio: (right - left) / (bottom - top) };
}

/** Without its mean, and of length one, so that weight and contrast do not count. */
function centred(grid: Float32Array): Float32Array {
  const mean = grid.reduce((sum, value) => sum + value, 0) / grid.length;
  const length = Math.sqrt(grid.reduce((sum, value) => sum + (value - mean) ** 2, 0)) || 1;
  return grid.map((value) => (value - mean) / length);
}

function likeness(one: Shape, other: Shape): number {
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

export class ShapeBook {
  constructor(private readonly references: readonly Reference[]) {}

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

let book: ShapeBook | undefined;

/** The shapes of the engine's own fonts, painted once. */
export function shapesOf(engine: Pdfium): ShapeBook {
  book ??= makeBook(engine);
  return book;
}

function makeBook(engine: Pdfium): ShapeBook {
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
  const easel = { engine, page, space: readSpace(engine, page), form: 0 };
  const references = FONTS.flatMap((_, row) => {
    const region = { x: 0, y: row * STEP, width: STEP * (letters.length + 1), height: STEP };
    const picture = paint(easel, region, 1);
    return [...(row === 0 ? letters : DIGITS)].flatMap((letter, column) => {
      const shape = shapeOf(
        inkOf(picture, { x: column * STEP + 2, y: row * STEP + 1, width: STEP - 4, height: STEP - 2 }),
      );
      return shape ? [{ ...shape, letter, isDigit: DIGITS.includes(letter) }] : [];
    });
  });
  engine.FPDF_ClosePage(page);
  engine.FPDF_CloseDocument(document);
  return new ShapeBook(references);
}
