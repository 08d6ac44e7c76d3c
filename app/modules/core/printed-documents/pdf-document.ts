import { foldDiacritics } from "~/kernel/text";
import { codeOf, type FontName, widthOfText } from "./standard-fonts";

/** Text in the letters that the standard fonts of PDF readers have, which are those of Windows-1252. Pure. */

const isStandard = (letter: string): boolean => codeOf(letter) !== undefined;

/** The letter without its marks where that is standard, else a question mark. */
function replacementOf(letter: string): string {
  const plain = foldDiacritics(letter);
  if (plain === "" || ![...plain].every(isStandard)) return /\s/.test(letter) ? " " : "?";
  return letter === letter.toLowerCase() ? plain : plain.toUpperCase();
}

/** A text in standard letters; `isExact` is false where a letter had to be replaced: `Nguyễn` becomes `Nguyen`. */
export function toStandardLetters(text: string): { text: string; isExact: boolean } {
  let isExact = true;
  const letters = [...text.normalize("NFC")].map((letter) => {
    if (isStandard(letter)) return letter;
    isExact = false;
    return replacementOf(letter);
  });
  return { text: letters.join(""), isExact };
}

/**
 * The bytes of a PDF file: pages of text and lines, and files inside. Source: ISO 32000-1 (PDF 1.7), sections 7.3 to 7.5,
 * 7.11.4 (embedded files) and 9.6.2.2 (standard fonts). Reads no clock: the same content gives the same bytes.
 */

/** Red, green and blue, each 0 to 1. */
type Color = readonly [red: number, green: number, blue: number];

/** Points from the lower left corner. The text holds standard letters only. */
type Mark =
  | { text: string; x: number; y: number; font: FontName; size: number; color: Color }
  | { line: { x: number; y: number; toX: number }; color: Color }
  | { squares: Squares; x: number; y: number; side: number; color: Color };

/** Rows of a QR code, the uppermost first: which of its squares are dark. */
type Squares = readonly (readonly boolean[])[];

type InnerFile = { name: string; text: string; type: string; description: string };

type PdfContent = {
  title: string;
  /** Epoch milliseconds. */
  createdAt: number;
  pages: readonly (readonly Mark[])[];
  files: readonly InnerFile[];
  /** In points. */
  width: number;
  height: number;
};

const FONTS: readonly FontName[] = ["Helvetica", "Helvetica-Bold", "Courier"];
const encoder = new TextEncoder();

/** Numbers as PDF takes them: no exponent, no more digits than a printer can show. */
const number = (value: number): string => String(Math.round(value * 100) / 100);
const hex = (codes: Iterable<number>): string =>
  `<${Array.from(codes, (code) => code.toString(16).padStart(2, "0")).join("")}>`;

/** Text that is shown: codes of WinAnsi. */
const shownText = (text: string): string => hex([...text].map((letter) => codeOf(letter) ?? 0x3f));

/** Text of the file's own facts: UTF-16 with its mark, which every letter fits. */
function factText(text: string): string {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return hex([0xfe, 0xff, ...codes.flatMap((code) => [code >> 8, code & 0xff])]);
}

/** `D:20261120030000Z`. */
const dateText = (ms: number): string => `(D:${new Date(ms).toISOString().replace(/\D/g, "").slice(0, 14)}Z)`;

function drawing(mark: Mark): string {
  const color = mark.color.map(number).join(" ");
  if ("line" in mark) {
    const { x, y, toX } = mark.line;
    return `0.5 w ${color} RG ${number(x)} ${number(y)} m ${number(toX)} ${number(y)} l S`;
  }
  if ("squares" in mark) return `${color} rg ${rectanglesOf(mark).join(" ")} f`;
  const { text, x, y, font, size } = mark;
  const at = `1 0 0 1 ${number(x)} ${number(y)} Tm`;
  return `BT /F${FONTS.indexOf(font) + 1} ${number(size)} Tf ${color} rg ${at} ${shownText(text)} Tj ET`;
}

/** The dark squares beside each other in a row are one rectangle: drawn one by one, printers leave lines between them. */
function rectanglesOf({ squares, x, y, side }: Extract<Mark, { squares: Squares }>): string[] {
  const unit = side / squares.length;
  return squares.flatMap((row, line) =>
    row.flatMap((isDark, start) => {
      if (!isDark || row[start - 1]) return [];
      const end = row.findIndex((next, at) => at > start && !next);
      const width = (end === -1 ? row.length : end) - start;
      const corner = [x + start * unit, y + side - (line + 1) * unit, width * unit, unit];
      return [`${corner.map((value) => String(Math.round(value * 1_000) / 1_000)).join(" ")} re`];
    }),
  );
}

/** An object of the file: a dictionary, and the bytes of its stream where it has one. */
type PdfObject = { dictionary: string; stream?: Uint8Array };

async function compressed(dictionary: string, bytes: Uint8Array<ArrayBuffer>): Promise<PdfObject> {
  const squeezed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  const stream = new Uint8Array(await new Response(squeezed).arrayBuffer());
  return { dictionary: `${dictionary} /Filter /FlateDecode /Length ${stream.length}`, stream };
}

/** Numbers of the objects that come before those of the pages: catalogue, pages, facts, fonts. */
const CATALOG = 1;
const PAGES = 2;
const FACTS = 3;
const FIRST_FONT = 4;
const FIRST_FILE = FIRST_FONT + FONTS.length;
const ref = (object: number): string => `${object} 0 R`;

/** Writes the file. */
async function writePdf(content: PdfContent): Promise<Uint8Array<ArrayBuffer>> {
  const { title, createdAt, pages, files } = content;
  const firstPage = FIRST_FILE + files.length * 2;
  const names = files.map(({ name }, index) => `${factText(name)} ${ref(FIRST_FILE + index * 2)}`);
  const objects: PdfObject[] = [
    {
      dictionary: `/Type /Catalog /Pages ${ref(PAGES)} /Lang (en-AU) /ViewerPreferences << /DisplayDocTitle true >> /Names << /EmbeddedFiles << /Names [${names.join(" ")}] >> >>`,
    },
    {
      dictionary: `/Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => ref(firstPage + at * 2)).join(" ")}]`,
    },
    {
      dictionary: `/Title ${factText(title)} /Producer (PayeeProof) /Creator (PayeeProof) /CreationDate ${dateText(createdAt)} /ModDate ${dateText(createdAt)}`,
    },
    ...FONTS.map((font) => ({
      dictionary: `/Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding`,
    })),
    ...(await Promise.all(files.map((file, index) => fileObjects(file, FIRST_FILE + index * 2, createdAt)))).flat(),
    ...(await Promise.all(pages.map((marks, index) => pageObjects(content, marks, firstPage + index * 2)))).flat(),
  ];
  return joinObjects(objects);
}

async function fileObjects({ name, text, type, description }: InnerFile, first: number, createdAt: number) {
  const bytes = encoder.encode(text);
  const date = dateText(createdAt);
  const params = `/Params << /Size ${bytes.length} /CreationDate ${date} /ModDate ${date} >>`;
  const stream = await compressed(`/Type /EmbeddedFile /Subtype /${type.replace("/", "#2F")} ${params}`, bytes);
  const names = `/F ${factText(name)} /UF ${factText(name)} /Desc ${factText(description)}`;
  return [{ dictionary: `/Type /Filespec ${names} /EF << /F ${ref(first + 1)} >>` }, stream];
}

async function pageObjects({ width, height }: PdfContent, marks: readonly Mark[], first: number) {
  const fonts = FONTS.map((_, index) => `/F${index + 1} ${ref(FIRST_FONT + index)}`).join(" ");
  const box = `/MediaBox [0 0 ${number(width)} ${number(height)}] /Resources << /Font << ${fonts} >> >>`;
  const drawn = await compressed("", encoder.encode(marks.map(drawing).join("\n")));
  return [{ dictionary: `/Type /Page /Parent ${ref(PAGES)} ${box} /Contents ${ref(first + 1)}` }, drawn];
}

/** Header, objects, the table of where each begins, and the end. */
function joinObjects(objects: readonly PdfObject[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: string | Uint8Array) => {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  add("%PDF-1.7\n");
  // Four bytes above 127 in a comment tell programs that the file is not text.
  add(new Uint8Array([0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a]));
  const starts = objects.map(({ dictionary, stream }, index) => {
    const start = length;
    add(`${index + 1} 0 obj\n<< ${dictionary} >>\n`);
    if (stream) {
      add("stream\n");
      add(stream);
      add("\nendstream\n");
    }
    add("endobj\n");
    return start;
  });
  const table = length;
  const rows = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`);
  const size = objects.length + 1;
  add(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`);
  add(`trailer\n<< /Size ${size} /Root ${ref(CATALOG)} /Info ${ref(FACTS)} >>\nstartxref\n${table}\n%%EOF\n`);
  return joinBytes(parts, length);
}

function joinBytes(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Documents of headings and rows on A4, with page numbers. The same content gives the same bytes. */

type PrintedRow = { term: string; value: string; isCode?: true };
type PrintedSection = { title: string; rows: readonly PrintedRow[] };

export type Printed = {
  title: string;
  /** One line under the title. */
  summary: string;
  sections: readonly PrintedSection[];
  /** A QR code at the upper right corner of the first page. */
  code?: Squares;
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
/** Large enough to be read by a phone from paper. */
const CODE_SIDE = 62;
const BLACK: Color = [0, 0, 0];
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
  const { code } = printed;
  const width = PAGE.width - 2 * PAGE.margin - (code ? CODE_SIDE + 18 : 0);
  write(pen, printed.title, TITLE, width);
  write(pen, printed.summary, NOTE, width);
  if (code) {
    const x = PAGE.width - PAGE.margin - CODE_SIDE;
    draw(pen, { squares: code, x, y: TOP - CODE_SIDE, side: CODE_SIDE, color: BLACK });
    pen.y = Math.min(pen.y, TOP - CODE_SIDE);
  }
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

/** A text over the whole width, unless a narrower one is told. */
function write(pen: Pen, text: string, ink: Ink, width = PAGE.width - 2 * PAGE.margin): void {
  for (const line of linesOf(pen, text, ink, width)) {
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

/** Breaks text into lines of a width. Pure: the font's measure is given. */

/**
 * Breaks at blanks, and inside a word only where the word alone is too wide, such as a hash.
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

/** A word in pieces that fit a line each. */
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
