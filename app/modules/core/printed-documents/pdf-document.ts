import type { PrintFonts } from "~/services-and-actor";
import { readTypeset, type Typeset } from "./print-fonts";
import {
  type Color,
  type Ink,
  type InnerFile,
  type Lines,
  type Mark,
  type Squares,
  type Tag,
  writePdf,
} from "./write-pdf";

/** Lays out documents of headings and rows on A4, with page numbers. The same content gives the same bytes. */

type PrintedRow = { term: string; value: string; isCode?: true };
type PrintedSection = { title: string; rows: readonly PrintedRow[] };

export type Printed = {
  title: string;
  /** Printed in place of the title, which the file still has. */
  heading?: string;
  /** One line under the title. */
  summary: string;
  sections: readonly PrintedSection[];
  /** A QR code in the upper right corner of the first page. */
  code?: Squares;
  /** A seal beside the code, in a square of 100 units. */
  seal?: { lines: Lines; sign: Lines; isFilled: boolean };
  /** Sentences at the end. */
  notes: readonly string[];
  footer: string;
  /** Epoch milliseconds, for the document's metadata. */
  createdAt: number;
  /** Files embedded in the document. */
  attachments: readonly InnerFile[];
};

/** In points, 72 to the inch. A4. */
const PAGE = { width: 595.28, height: 841.89, margin: 50, foot: 58 } as const;
const VALUE_AT = 186;
/** With the `code` size, a hash fits on one line. */
const SIZE = { title: 17, heading: 11, text: 9, code: 8.6, foot: 8 } as const;
const LINE = 1.42;
/** Large enough for a phone to read from paper. */
const CODE_SIDE = 62;
const SEAL_SIDE = 74;
const BLACK: Color = [0, 0, 0];
const WHITE: Color = [1, 1, 1];
const INK: Color = [0.09, 0.11, 0.2];
const SOFT: Color = [0.38, 0.4, 0.47];
const HAIRLINE: Color = [0.85, 0.85, 0.83];

/** Written in place of letters that no font has, however many there are in a row. */
const MISSING = "[letters missing]";
const REPLACED = `Where this document says ${MISSING}, its fonts lack them. The attached file has every letter.`;
/** Under each text that has such letters. */
const READ_ELSEWHERE = "This cannot be printed in full: some letters are missing. Read it in the attached file.";

/** The position of the next line. `isExact`: every letter so far could be written. */
type Pen = { pages: Mark[][]; y: number; isExact: boolean; tags: Tag[]; typeset: Typeset };

const TITLE: Ink = { weight: 600, size: SIZE.title, color: INK };
const HEADING: Ink = { weight: 600, size: SIZE.heading, color: INK };
const TEXT: Ink = { weight: 400, size: SIZE.text, color: INK };
const CODE: Ink = { weight: 400, size: SIZE.code, color: INK };
const NOTE: Ink = { weight: 400, size: SIZE.text, color: SOFT };
const FOOT: Ink = { weight: 400, size: SIZE.foot, color: SOFT };

/** Keeps the line above the first row from crossing the heading's letters. */
const BELOW_HEADING = 4;

const TOP = PAGE.height - PAGE.margin;

/** The document as the bytes of a PDF file. */
export async function toPdf(printed: Printed, fonts: PrintFonts): Promise<Uint8Array<ArrayBuffer>> {
  const typeset = await readTypeset(fonts, lettersIn(printed));
  const pen: Pen = { pages: [[]], y: TOP, isExact: true, tags: [], typeset };
  const { code, seal } = printed;
  const width = PAGE.width - 2 * PAGE.margin - (code ? CODE_SIDE + 18 : 0) - (seal ? SEAL_SIDE + 18 : 0);
  write(pen, printed.heading ?? printed.title, TITLE, newTag(pen.tags, "H1"), width);
  pen.y -= 4;
  write(pen, printed.summary, NOTE, newTag(pen.tags, "P"), width);
  if (code) {
    const x = PAGE.width - PAGE.margin - CODE_SIDE;
    const tag = newTag(pen.tags, "Figure");
    tag.alt = "QR code of the address at which this record is checked";
    draw(pen, { squares: code, x, y: TOP - CODE_SIDE, side: CODE_SIDE, color: BLACK, tag });
    pen.y = Math.min(pen.y, TOP - CODE_SIDE);
  }
  if (seal) drawSeal(pen, seal);
  for (const section of printed.sections) writeSection(pen, section);
  pen.y -= SIZE.text;
  const notes = pen.isExact ? printed.notes : [...printed.notes, REPLACED];
  for (const note of notes) write(pen, note, NOTE, newTag(pen.tags, "P"));
  numberPages(pen, printed.footer);
  const { title, createdAt, attachments: files } = printed;
  const { pages, tags } = pen;
  return writePdf({ title, createdAt, files, pages, tags, typeset, width: PAGE.width, height: PAGE.height });
}

/** Draws a seal to the left of the code. A filled one has a disc: a line without length, as wide as the disc. */
function drawSeal(pen: Pen, { lines, sign, isFilled }: NonNullable<Printed["seal"]>): void {
  const x = PAGE.width - PAGE.margin - CODE_SIDE - 18 - SEAL_SIDE / 2;
  const at = { x, y: TOP - CODE_SIDE / 2, scale: SEAL_SIDE / 100, tag: newTag(pen.tags, "Figure") };
  at.tag.alt = "Seal drawn from the hash";
  draw(pen, { ...at, lines, weight: 1.6, color: INK });
  if (isFilled) draw(pen, { ...at, lines: [[0, 0, 0, 0]], weight: 52, color: INK });
  draw(pen, { ...at, lines: sign, weight: 2.2, color: isFilled ? WHITE : INK });
  pen.y = Math.min(pen.y, at.y - SEAL_SIDE / 2);
}

/** The letters of the document, by font weight. */
function lettersIn({ title, heading = title, summary, sections, notes, footer }: Printed) {
  const rows = sections.flatMap(({ rows }) => rows.flatMap(({ term, value }) => [term, value]));
  const said = [summary, ...rows, ...notes, footer, REPLACED, READ_ELSEWHERE, "Page 0123456789 of"];
  const letters = (texts: readonly string[]) => new Set([...texts.join("").normalize("NFC"), ...MISSING]);
  return new Map([
    [TEXT.weight, letters(said)],
    [TITLE.weight, letters([heading, ...sections.map((section) => section.title)])],
  ]);
}

function newTag(among: Tag[], role: Tag["role"]): Tag {
  const tag: Tag = { role, kids: [] };
  among.push(tag);
  return tag;
}

function writeSection(pen: Pen, { title, rows }: PrintedSection): void {
  pen.y -= SIZE.heading;
  // Keeps a heading together with its first row.
  makeRoom(pen, (SIZE.heading + SIZE.text * 2) * LINE + BELOW_HEADING);
  write(pen, title, HEADING, newTag(pen.tags, "H2"));
  pen.y -= BELOW_HEADING;
  const table = newTag(pen.tags, "Table");
  for (const row of rows) writeRow(pen, row, newTag(table.kids, "TR"));
}

function writeRow(pen: Pen, { term, value, isCode }: PrintedRow, row: Tag): void {
  const ink = isCode ? CODE : TEXT;
  const [head, cell] = [newTag(row.kids, "TH"), newTag(row.kids, "TD")];
  const left = linesOf(pen, term, NOTE, VALUE_AT - PAGE.margin - 12);
  const room = PAGE.width - PAGE.margin - VALUE_AT;
  const right = linesOf(pen, value, ink, room);
  if (!isPrintable(pen, value, ink)) right.push(...linesOf(pen, READ_ELSEWHERE, NOTE, room));
  const height = SIZE.text * LINE;
  for (let line = 0; line < Math.max(left.length, right.length); line++) {
    makeRoom(pen, height);
    if (line === 0) draw(pen, { line: { x: PAGE.margin, y: pen.y, toX: PAGE.width - PAGE.margin }, color: HAIRLINE });
    pen.y -= height;
    drawText(pen, left[line], { ...NOTE, x: PAGE.margin, tag: head });
    drawText(pen, right[line], { ...ink, x: VALUE_AT, tag: cell });
  }
  pen.y -= 3;
}

/** Writes text over the whole width, unless a narrower one is given. */
function write(pen: Pen, text: string, ink: Ink, tag: Tag, width = PAGE.width - 2 * PAGE.margin): void {
  for (const line of linesOf(pen, text, ink, width)) {
    makeRoom(pen, ink.size * LINE);
    pen.y -= ink.size * LINE;
    drawText(pen, line, { ...ink, x: PAGE.margin, tag });
  }
  if (!isPrintable(pen, text, ink)) write(pen, READ_ELSEWHERE, NOTE, tag, width);
}

const isPrintable = ({ typeset }: Pen, text: string, { weight }: Ink): boolean =>
  [...text.normalize("NFC")].every((letter) => /\s/.test(letter) || typeset.find(letter, weight));

function linesOf(pen: Pen, text: string, { weight, size }: Ink, width: number): string[] {
  return wrapText(printable(pen, text, weight), (piece) => widthOfText(pen.typeset, piece, weight, size), width);
}

/** Stands for a letter that no font has, until all of them are known. */
const NO_LETTER = "\ufffc";
const IN_A_ROW = new RegExp(`${NO_LETTER}(?:\\s*${NO_LETTER})*`, "g");

/** The text as the fonts can write it. */
function printable(pen: Pen, text: string, weight: Ink["weight"]): string {
  const letters = [...text.normalize("NFC")].map((letter) => {
    if (letter === "\n" || pen.typeset.find(letter, weight)) return letter;
    return /\s/.test(letter) ? " " : NO_LETTER;
  });
  pen.isExact &&= !letters.includes(NO_LETTER);
  return letters.join("").replace(IN_A_ROW, MISSING);
}

/** Width of a text in points. */
function widthOfText({ faces, find }: Typeset, text: string, weight: Ink["weight"], size: number): number {
  let thousandths = 0;
  for (const letter of text) {
    const found = find(letter, weight);
    if (found) thousandths += faces[found.face]?.widthOf(found.glyph) ?? 0;
  }
  return (thousandths * size) / 1000;
}

const draw = ({ pages }: Pen, mark: Mark): void => void pages.at(-1)?.push(mark);

function drawText(pen: Pen, text: string | undefined, ink: Ink & { x: number; tag: Tag }): void {
  if (text) draw(pen, { ...ink, text, y: pen.y });
}

function makeRoom(pen: Pen, height: number): void {
  if (pen.y - height >= PAGE.foot) return;
  pen.pages.push([]);
  pen.y = TOP;
}

function numberPages(pen: Pen, footer: string): void {
  const { pages, typeset } = pen;
  const y = PAGE.foot - 26;
  const text = printable(pen, footer, FOOT.weight);
  for (const [index, page] of pages.entries()) {
    const number = `Page ${index + 1} of ${pages.length}`;
    const x = PAGE.width - PAGE.margin - widthOfText(typeset, number, FOOT.weight, FOOT.size);
    page.push({ ...FOOT, text, x: PAGE.margin, y }, { ...FOOT, text: number, x, y });
  }
}

/** Breaks text into lines of a given width. Pure: the caller measures the font. */

/**
 * Breaks at blanks, and inside a word only if the word alone is too wide, such as a hash.
 *
 * @param widthOf width of a text in points
 * @param max width of a line in points
 * @returns at least one line
 */
export function wrapText(text: string, widthOf: (text: string) => number, max: number): string[] {
  return text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, widthOf, max));
}

function wrapParagraph(text: string, widthOf: (text: string) => number, max: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => cutWord(each, widthOf, max))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > max) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Cuts a word into pieces that fit on a line. */
function cutWord(word: string, widthOf: (text: string) => number, max: number): string[] {
  if (widthOf(word) <= max) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const letter of word) {
    if (piece !== "" && widthOf(piece + letter) > max) {
      pieces.push(piece);
      piece = "";
    }
    piece += letter;
  }
  return [...pieces, piece];
}
