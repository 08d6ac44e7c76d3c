import type { PDFDocument, PDFFont, PDFPage, RGB } from "pdf-lib";
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
  attachments: readonly { name: string; text: string; type: string; description: string }[];
};

/** In points, 72 to the inch. A4. */
const PAGE = { width: 595.28, height: 841.89, margin: 56, foot: 64 } as const;
const VALUE_AT = 176;
/** A hash fits on one line. */
const SIZE = { title: 18, heading: 11.5, text: 9.5, code: 9.3, foot: 8 } as const;
const LINE = 1.42;
const REPLACED =
  "Letters that the fonts of this document lack are written without their marks, or as a question mark. The attached file has every letter.";

type Fonts = { text: PDFFont; bold: PDFFont; code: PDFFont };
type Colors = { ink: RGB; soft: RGB; hairline: RGB };
type Pen = { document: PDFDocument; fonts: Fonts; colors: Colors; page: PDFPage; y: number; isExact: boolean };

/** The document as the bytes of a PDF file. */
export async function toPdf(printed: Printed): Promise<Uint8Array<ArrayBuffer>> {
  const pen = await newPen();
  const { document, fonts, colors } = pen;
  describe(document, printed);
  write(pen, printed.title, { font: fonts.bold, size: SIZE.title, color: colors.ink });
  write(pen, printed.summary, { font: fonts.text, size: SIZE.text, color: colors.soft });
  for (const section of printed.sections) writeSection(pen, section);
  pen.y -= SIZE.text;
  const notes = pen.isExact ? printed.notes : [...printed.notes, REPLACED];
  for (const note of notes) write(pen, note, { font: fonts.text, size: SIZE.text, color: colors.soft });
  numberPages(pen, printed.footer);
  await attach(document, printed);
  return new Uint8Array(await document.save());
}

/** The library is set up when the first document is made, not when the Worker starts. */
async function newPen(): Promise<Pen> {
  const { PDFDocument: Documents, rgb, StandardFonts } = await import("pdf-lib");
  const document = await Documents.create();
  const fonts = {
    text: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    code: await document.embedFont(StandardFonts.Courier),
  };
  const colors = { ink: rgb(0.09, 0.11, 0.2), soft: rgb(0.38, 0.4, 0.47), hairline: rgb(0.85, 0.85, 0.83) };
  return { document, fonts, colors, page: newPage(document), y: top(), isExact: true };
}

function describe(document: PDFDocument, { title, createdAt }: Printed): void {
  const at = new Date(createdAt);
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setLanguage("en-AU");
  document.setProducer("PayeeProof");
  document.setCreator("PayeeProof");
  document.setCreationDate(at);
  document.setModificationDate(at);
}

async function attach(document: PDFDocument, { attachments, createdAt }: Printed): Promise<void> {
  const at = new Date(createdAt);
  for (const { name, text, type, description } of attachments) {
    const details = { mimeType: type, description, creationDate: at, modificationDate: at };
    await document.attach(new TextEncoder().encode(text), name, details);
  }
}

const newPage = (document: PDFDocument): PDFPage => document.addPage([PAGE.width, PAGE.height]);
const top = (): number => PAGE.height - PAGE.margin;

function writeSection(pen: Pen, { title, rows }: PrintedSection): void {
  pen.y -= SIZE.heading;
  // A heading stays with its first row.
  makeRoom(pen, (SIZE.heading + SIZE.text * 2) * LINE);
  write(pen, title, { font: pen.fonts.bold, size: SIZE.heading, color: pen.colors.ink });
  for (const row of rows) writeRow(pen, row);
}

function writeRow(pen: Pen, { term, value, isCode }: PrintedRow): void {
  const { fonts, colors } = pen;
  const left = linesOf(pen, term, { font: fonts.text, size: SIZE.text, width: VALUE_AT - PAGE.margin - 12 });
  const ink = { font: isCode ? fonts.code : fonts.text, size: isCode ? SIZE.code : SIZE.text, color: colors.ink };
  const right = linesOf(pen, value, { ...ink, width: PAGE.width - PAGE.margin - VALUE_AT });
  const height = SIZE.text * LINE;
  for (let line = 0; line < Math.max(left.length, right.length); line++) {
    makeRoom(pen, height);
    if (line === 0) rule(pen);
    pen.y -= height;
    draw(pen, left[line], { x: PAGE.margin, font: fonts.text, size: SIZE.text, color: colors.soft });
    draw(pen, right[line], { ...ink, x: VALUE_AT });
  }
  pen.y -= 3;
}

type Ink = { font: PDFFont; size: number; color: RGB };

/** A text over the whole width. */
function write(pen: Pen, text: string, ink: Ink): void {
  for (const line of linesOf(pen, text, { ...ink, width: PAGE.width - 2 * PAGE.margin })) {
    makeRoom(pen, ink.size * LINE);
    pen.y -= ink.size * LINE;
    draw(pen, line, { ...ink, x: PAGE.margin });
  }
}

function linesOf(pen: Pen, text: string, { font, size, width }: { font: PDFFont; size: number; width: number }) {
  const standard = text.split("\n").map(toStandardLetters);
  if (standard.some(({ isExact }) => !isExact)) pen.isExact = false;
  const whole = standard.map((line) => line.text).join("\n");
  return wrapText(whole, (piece) => font.widthOfTextAtSize(piece, size), width);
}

function draw({ page, y }: Pen, text: string | undefined, { x, font, size, color }: Ink & { x: number }): void {
  if (text) page.drawText(text, { x, y, font, size, color });
}

function rule({ page, y, colors }: Pen): void {
  const end = { x: PAGE.width - PAGE.margin, y };
  page.drawLine({ start: { x: PAGE.margin, y }, end, thickness: 0.5, color: colors.hairline });
}

function makeRoom(pen: Pen, height: number): void {
  if (pen.y - height >= PAGE.foot) return;
  pen.page = newPage(pen.document);
  pen.y = top();
}

function numberPages({ document, fonts, colors }: Pen, footer: string): void {
  const pages = document.getPages();
  const { text: left } = toStandardLetters(footer);
  for (const [index, page] of pages.entries()) {
    const ink = { y: PAGE.foot - 26, font: fonts.text, size: SIZE.foot, color: colors.soft };
    const number = `Page ${index + 1} of ${pages.length}`;
    const width = fonts.text.widthOfTextAtSize(number, SIZE.foot);
    page.drawText(left, { ...ink, x: PAGE.margin });
    page.drawText(number, { ...ink, x: PAGE.width - PAGE.margin - width });
  }
}
