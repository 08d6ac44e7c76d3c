import type { Box } from "~/ports/document-reader";
import { CannotRead, MAX_OBJECTS_OF_PAGE } from "../limits";
import { boxBetween } from "./page-text";
import type { Pdfium } from "./pdfium";

const TEXT = 1;
const PATH = 2;
const IMAGE = 3;
const SHADING = 4;
const FORM = 5;
const MAX_DEPTH = 24;

/** What a page is painted with, forms inside forms included. */
export type PageObjects = {
  texts: number[];
  /** With their positions, in the page's own space. */
  images: { image: number; box: Box }[];
  /** Images, paths and shadings: everything painted except text. */
  others: number[];
  /** Those of `others` that are only lines and frames. */
  rules: number[];
  paths: number;
  /** Paths with more sides than a box has, or with curves. */
  drawings: number;
  shadings: number;
  forms: number;
  see_through: number;
  /** The replacement text that the file gives for painted words. */
  actualText: string;
};

/**
 * Walks over all objects of a page. `ActualText` is taken off on the way: it lets a file say that painted words are others,
 * and the engine would believe it.
 */
export function readObjects(engine: Pdfium, page: number): PageObjects {
  const found: PageObjects = {
    texts: [],
    images: [],
    others: [],
    rules: [],
    paths: 0,
    drawings: 0,
    shadings: 0,
    forms: 0,
    see_through: 0,
    actualText: "",
  };
  let count = 0;
  const visit = (object: number, depth: number, place: Matrix) => {
    count += 1;
    if (count > MAX_OBJECTS_OF_PAGE || depth > MAX_DEPTH) throw new CannotRead("too_slow");
    found.actualText += takeOffActualText(engine, object);
    const type = engine.FPDFPageObj_GetType(object);
    if (type === TEXT) found.texts.push(object);
    else if (type === PATH || type === IMAGE || type === SHADING) found.others.push(object);
    if (type === PATH) {
      found.paths += 1;
      const kind = kindOfPath(engine, object);
      if (kind === "rule") found.rules.push(object);
      else if (kind === "drawing") found.drawings += 1;
    } else if (type === IMAGE) found.images.push({ image: object, box: boxOf(engine, object, place) });
    else if (type === SHADING) found.shadings += 1;
    if (type !== FORM) return;
    found.forms += 1;
    if (engine.FPDFPageObj_HasTransparency(object)) found.see_through += 1;
    const inside = within(place, matrixOf(engine, object));
    const children = engine.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < children; index += 1)
      visit(engine.FPDFFormObj_GetObject(object, index), depth + 1, inside);
  };
  const top = engine.FPDFPage_CountObjects(page);
  for (let index = 0; index < top; index += 1) visit(engine.FPDFPage_GetObject(page, index), 0, AS_IT_IS);
  return found;
}

/** A matrix as a PDF writes it: the new x is a*x + c*y + e, and the new y is b*x + d*y + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
const AS_IT_IS: Matrix = [1, 0, 0, 1, 0, 0];

function matrixOf(engine: Pdfium, object: number): Matrix {
  const { memory } = engine;
  return memory.with(24, (numbers) => {
    if (!engine.FPDFPageObj_GetMatrix(object, numbers)) return AS_IT_IS;
    const at = (index: number) => memory.float32(numbers, index);
    return [at(0), at(1), at(2), at(3), at(4), at(5)];
  });
}

const moved = ([a, b, c, d, e, f]: Matrix, x: number, y: number) => ({ x: a * x + c * y + e, y: b * x + d * y + f });

/** The matrix of something at `inner` inside a form at `outer`. */
function within(outer: Matrix, inner: Matrix): Matrix {
  const origin = moved(outer, inner[4], inner[5]);
  const [across, up] = [moved(outer, inner[0], inner[1]), moved(outer, inner[2], inner[3])];
  return [across.x - outer[4], across.y - outer[5], up.x - outer[4], up.y - outer[5], origin.x, origin.y];
}

function boxOf(engine: Pdfium, object: number, place: Matrix): Box {
  const { memory } = engine;
  return memory.with(16, (sides) => {
    engine.FPDFPageObj_GetBounds(object, sides, sides + 4, sides + 8, sides + 12);
    const [left = 0, bottom = 0, right = 0, top = 0] = [0, 1, 2, 3].map((at) => memory.float32(sides, at));
    const corners = [
      moved(place, left, bottom),
      moved(place, right, bottom),
      moved(place, left, top),
      moved(place, right, top),
    ];
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    return boxBetween({ x: Math.min(...xs), y: Math.min(...ys) }, { x: Math.max(...xs), y: Math.max(...ys) });
  });
}

const SIDES = 6;
const BEZIER = 1;
/** In the object's own units: how long, and how thin, a line of a table is. */
const LONG = 20;
const THIN = 2.2;
/** A frame with round corners has at most this many sides, and is longer than a character. */
const ROUNDED = 20;
const LONG_ROUNDED = 60;

/** Whether a path is a rule (a line or an empty frame), a filled box, or a drawing. */
function kindOfPath(engine: Pdfium, path: number): "rule" | "box" | "drawing" {
  const { memory } = engine;
  const count = engine.FPDFPath_CountSegments(path);
  const isCurved = Array.from({ length: Math.min(count, ROUNDED) }, (_, at) => at).some(
    (at) => engine.FPDFPathSegment_GetType(engine.FPDFPath_GetPathSegment(path, at)) === BEZIER,
  );
  const isDrawing = isCurved || count > SIDES;
  return memory.with(24, (numbers) => {
    engine.FPDFPath_GetDrawMode(path, numbers, numbers + 4);
    const isFilled = memory.int32(numbers) !== 0;
    engine.FPDFPageObj_GetBounds(path, numbers, numbers + 4, numbers + 8, numbers + 12);
    const [left = 0, bottom = 0, right = 0, top = 0] = [0, 1, 2, 3].map((at) => memory.float32(numbers, at));
    const [wide, tall] = [right - left, top - bottom];
    const long = Math.max(wide, tall);
    const isLine = !isDrawing && long > LONG && (!isFilled || Math.min(wide, tall) < THIN);
    const isRounded = !isFilled && count <= ROUNDED && long > LONG_ROUNDED;
    return isLine || isRounded ? "rule" : isDrawing ? "drawing" : "box";
  });
}

function takeOffActualText(engine: Pdfium, object: number): string {
  let text = "";
  for (let index = engine.FPDFPageObj_CountMarks(object) - 1; index >= 0; index -= 1) {
    const mark = engine.FPDFPageObj_GetMark(object, index);
    const read = (pointer: number, length: number) =>
      engine.memory.with(8, (needed) =>
        engine.FPDFPageObjMark_GetParamStringValue(mark, "ActualText", pointer, length, needed)
          ? engine.memory.int32(needed)
          : 0,
      );
    if (read(0, 0) === 0) continue;
    text += `${engine.memory.utf16(read, 2_048)}\n`;
    engine.FPDFPageObj_RemoveMark(object, mark);
  }
  return text;
}
