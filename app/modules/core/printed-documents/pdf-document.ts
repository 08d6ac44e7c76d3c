import { type Color, type InnerFile, type Mark, writePdf } from "./pdf-file";
import { type FontName, widthOfText } from "./standard-fonts";
import { toStandardLetters } from "./standard-letters";
import { wrapText } from "./wrap";

/** Documents of headings and rows on A4, with page numbers. The same content gives the same bytes. */

export type PrintedRow = { term: string; value: string; isCode?: true };
export type PrintedSection = { title: string; rows: readonly PrintedRow[] };

export type Printed = {
  title: string;
  /** One line under the title. */
  summary: string;
  sections: readonly PrintedSection[];
  /** Sentences at the end. */
  notes: readonly string[];
  /** At the foot of each page. */
  footer: string;
  /** Epoch milliseconds, in the file's own facts. */
  createdAt: number;
  /** Files that travel inside the document. */
  attachments: readonly InnerFile[];
};

/** In points, 72 to the inch. A4. */
const PAGE = { width: 595.28, height: 841.89, margin: 50, foot: 58 } as const;
const VALUE_AT = 186;
/** A hash fits on one line. */
const SIZE = { title: 18, heading: 11.5, text: 9.5, code: 9.3, foot: 8 } as const;
const LINE = 1.42;
const INK: Color = [0.09, 0.11, 0.2];
const SOFT: Color = [0.38, 0.4, 0.47];
const HAIRLINE: Color = [0.85, 0.85, 0.83];

const REPLACED =
  "Letters that the fonts of this document lack are written without their marks, or as a question mark. The attached file has every letter.";

/** Where the next line goes. `isExact`: no letter had to be replaced so far. */
type Pen = { pages: Mark[][]; y: number; isExact: boolean };
type Ink = { font: FontName; size: number; color: Color };

const TITLE: Ink = { font: "Helvetica-Bold", size: SIZE.title, color: INK };
const HEADING: Ink = { font: "Helvetica-Bold", size: SIZE.heading, color: INK };
const TEXT: Ink = { font: "Helvetica", size: SIZE.text, color: INK };
const CODE: Ink = { font: "Courier", size: SIZE.code, color: INK };
const NOTE: Ink = { font: "Helvetica", size: SIZE.text, color: SOFT };
const FOOT: Ink = { font: "Helvetica", size: SIZE.foot, color: SOFT };

/** So that the line above the first row does not cross the heading's letters. */
const BELOW_HEADING = 4;

const TOP = PAGE.height - PAGE.margin;

/** The document as the bytes of a PDF file. */
export async function toPdf(printed: Printed): Promise<Uint8Array<ArrayBuffer>> {
  const pen: Pen = { pages: [[]], y: TOP, isExact: true };
  write(pen, printed.title, TITLE);
  write(pen, printed.summary, NOTE);
  for (const section of printed.sections) writeSection(pen, section);
  pen.y -= SIZE.text;
  const notes = pen.isExact ? printed.notes : [...printed.notes, REPLACED];
  for (const note of notes) write(pen, note, NOTE);
  numberPages(pen, printed.footer);
  const { title, createdAt, attachments: files } = printed;
  return writePdf({ title, createdAt, files, pages: pen.pages, width: PAGE.width, height: PAGE.height });
}

function writeSection(pen: Pen, { title, rows }: PrintedSection): void {
  pen.y -= SIZE.heading;
  // A heading stays with its first row.
  makeRoom(pen, (SIZE.heading + SIZE.text * 2) * LINE + BELOW_HEADING);
  write(pen, title, HEADING);
  pen.y -= BELOW_HEADING;
  for (const row of rows) writeRow(pen, row);
}

function writeRow(pen: Pen, { term, value, isCode }: PrintedRow): void {
  const ink = isCode ? CODE : TEXT;
  const left = linesOf(pen, term, NOTE, VALUE_AT - PAGE.margin - 12);
  const right = linesOf(pen, value, ink, PAGE.width - PAGE.margin - VALUE_AT);
  const height = SIZE.text * LINE;
  for (let line = 0; line < Math.max(left.length, right.length); line++) {
    makeRoom(pen, height);
    if (line === 0) draw(pen, { line: { x: PAGE.margin, y: pen.y, toX: PAGE.width - PAGE.margin }, color: HAIRLINE });
    pen.y -= height;
    drawText(pen, left[line], { ...NOTE, x: PAGE.margin });
    drawText(pen, right[line], { ...ink, x: VALUE_AT });
  }
  pen.y -= 3;
}

/** A text over the whole width. */
function write(pen: Pen, text: string, ink: Ink): void {
  for (const line of linesOf(pen, text, ink, PAGE.width - 2 * PAGE.margin)) {
    makeRoom(pen, ink.size * LINE);
    pen.y -= ink.size * LINE;
    drawText(pen, line, { ...ink, x: PAGE.margin });
  }
}

function linesOf(pen: Pen, text: string, { font, size }: Ink, width: number): string[] {
  const standard = text.split("\n").map(toStandardLetters);
  if (standard.some(({ isExact }) => !isExact)) pen.isExact = false;
  const whole = standard.map((line) => line.text).join("\n");
  return wrapText(whole, (piece) => widthOfText(piece, font, size), width);
}

const draw = ({ pages }: Pen, mark: Mark): void => void pages.at(-1)?.push(mark);

function drawText(pen: Pen, text: string | undefined, ink: Ink & { x: number }): void {
  if (text) draw(pen, { ...ink, text, y: pen.y });
}

function makeRoom(pen: Pen, height: number): void {
  if (pen.y - height >= PAGE.foot) return;
  pen.pages.push([]);
  pen.y = TOP;
}

function numberPages({ pages }: Pen, footer: string): void {
  const { text } = toStandardLetters(footer);
  const y = PAGE.foot - 26;
  for (const [index, page] of pages.entries()) {
    const number = `Page ${index + 1} of ${pages.length}`;
    const x = PAGE.width - PAGE.margin - widthOfText(number, FOOT.font, FOOT.size);
    page.push({ ...FOOT, text, x: PAGE.margin, y }, { ...FOOT, text: number, x, y });
  }
}
