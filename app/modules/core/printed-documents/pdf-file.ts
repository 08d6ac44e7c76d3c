import type { FontName } from "./standard-fonts";
import { codeOf } from "./standard-fonts";

/**
 * The bytes of a PDF file: pages of text and lines, and files inside. Source: ISO 32000-1 (PDF 1.7), sections 7.3 to 7.5,
 * 7.11.4 (embedded files) and 9.6.2.2 (standard fonts). Reads no clock: the same content gives the same bytes.
 */

/** Red, green and blue, each 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number];

/** Points from the lower left corner. The text holds standard letters only. */
export type Mark =
  | { text: string; x: number; y: number; font: FontName; size: number; color: Color }
  | { line: { x: number; y: number; toX: number }; color: Color };

export type InnerFile = { name: string; text: string; type: string; description: string };

export type PdfContent = {
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
  const { text, x, y, font, size } = mark;
  const at = `1 0 0 1 ${number(x)} ${number(y)} Tm`;
  return `BT /F${FONTS.indexOf(font) + 1} ${number(size)} Tf ${color} rg ${at} ${shownText(text)} Tj ET`;
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
export async function writePdf(content: PdfContent): Promise<Uint8Array<ArrayBuffer>> {
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
