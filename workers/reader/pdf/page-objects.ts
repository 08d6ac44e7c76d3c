import { CannotRead, MAX_OBJECTS_OF_PAGE } from "../limits";
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
  images: number[];
  /** Images, paths and shadings: everything painted except text. */
  others: number[];
  paths: number;
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
    paths: 0,
    shadings: 0,
    forms: 0,
    see_through: 0,
    actualText: "",
  };
  let count = 0;
  const visit = (object: number, depth: number) => {
    count += 1;
    if (count > MAX_OBJECTS_OF_PAGE || depth > MAX_DEPTH) throw new CannotRead("too_slow");
    found.actualText += takeOffActualText(engine, object);
    const type = engine.FPDFPageObj_GetType(object);
    if (type === TEXT) found.texts.push(object);
    else if (type === PATH || type === IMAGE || type === SHADING) found.others.push(object);
    if (type === PATH) found.paths += 1;
    else if (type === IMAGE) found.images.push(object);
    else if (type === SHADING) found.shadings += 1;
    if (type !== FORM) return;
    found.forms += 1;
    if (engine.FPDFPageObj_HasTransparency(object)) found.see_through += 1;
    const children = engine.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < children; index += 1) visit(engine.FPDFFormObj_GetObject(object, index), depth + 1);
  };
  const top = engine.FPDFPage_CountObjects(page);
  for (let index = 0; index < top; index += 1) visit(engine.FPDFPage_GetObject(page, index), 0);
  return found;
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
