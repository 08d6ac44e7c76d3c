import { jsPDF } from "jspdf";
import { degrees, PDFDocument as LibDocument, rgb, StandardFonts, setCharacterSpacing } from "pdf-lib";
import PDFDocument from "pdfkit";
import { HELVETICA, join, literal, PdfFile } from "./pdf-file";
import { HEIGHT, isPanel, type Sheet, WIDTH, type Words } from "./sheet";

/** Makes a file from a sheet, each in its own way of writing PDF. */
export const PRODUCERS: Record<string, (sheet: Sheet) => Promise<Uint8Array>> = { pdfkit, jspdf, pdflib, bySigns };

/** Fixed, so that a file is the same each time. */
const WRITTEN = new Date(Date.UTC(2026, 10, 3));

async function pdfkit({ pages, rotate = 0 }: Sheet): Promise<Uint8Array> {
  const document = new PDFDocument({ autoFirstPage: false, info: { CreationDate: WRITTEN } });
  const parts: Uint8Array[] = [];
  document.on("data", (part) => parts.push(part));
  const ended = new Promise<void>((resolve) => document.on("end", resolve));
  for (const ops of pages) {
    document.addPage({ size: rotate ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT], margin: 0 });
    for (const op of ops) {
      if (isPanel(op)) document.rect(...op.panel).fill(op.color);
      else {
        document
          .font(op.isBold ? "Helvetica-Bold" : "Helvetica")
          .fontSize(op.size ?? 10)
          .fillColor(op.color ?? "#000000");
        document.save();
        if (op.turn === 1) document.rotate(90, { origin: [op.x, op.y] });
        document.text(op.text, op.x, op.y, {
          lineBreak: false,
          baseline: "alphabetic",
          characterSpacing: op.spacing ?? 0,
        });
        document.restore();
      }
    }
  }
  document.end();
  await ended;
  return join(parts);
}

async function jspdf({ pages }: Sheet): Promise<Uint8Array> {
  const document = new jsPDF({ unit: "pt", format: [WIDTH, HEIGHT] });
  document.setCreationDate(WRITTEN).setFileId("0".repeat(32));
  for (const [index, ops] of pages.entries()) {
    if (index > 0) document.addPage([WIDTH, HEIGHT]);
    for (const op of ops) {
      if (isPanel(op)) document.setFillColor(op.color).rect(...op.panel, "F");
      else {
        document
          .setFont("helvetica", op.isBold ? "bold" : "normal")
          .setFontSize(op.size ?? 10)
          .setTextColor(op.color ?? "#000000");
        document.text(op.text, op.x, op.y, { charSpace: op.spacing ?? 0, angle: op.turn === 1 ? -90 : 0 });
      }
    }
  }
  return new Uint8Array(document.output("arraybuffer"));
}

function colorOf(color = "#000000") {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return rgb(red ?? 0, green ?? 0, blue ?? 0);
}

async function pdflib({ pages }: Sheet): Promise<Uint8Array> {
  const document = await LibDocument.create({ updateMetadata: false });
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  for (const ops of pages) {
    const page = document.addPage([WIDTH, HEIGHT]);
    for (const op of ops) {
      if (isPanel(op)) {
        const [x, y, width, height] = op.panel;
        page.drawRectangle({ x, y: HEIGHT - y - height, width, height, color: colorOf(op.color) });
      } else {
        page.pushOperators(setCharacterSpacing(op.spacing ?? 0));
        page.drawText(op.text, {
          x: op.x,
          y: HEIGHT - op.y,
          size: op.size ?? 10,
          font: op.isBold ? bold : plain,
          color: colorOf(op.color),
          rotate: degrees(op.turn === 1 ? -90 : 0),
        });
      }
    }
  }
  return document.save();
}

/** Widths of Helvetica, in thousandths. */
const WIDTHS: Record<string, number> = {
  " ": 278,
  i: 222,
  j: 222,
  l: 222,
  t: 278,
  f: 278,
  r: 333,
  I: 278,
  ".": 278,
  ",": 278,
  ":": 278,
  ";": 278,
  "-": 333,
  "(": 333,
  ")": 333,
  "/": 278,
  "–": 556,
  m: 833,
  w: 722,
  M: 833,
  W: 944,
  "@": 1015,
};
const widthOf = (letter: string) => WIDTHS[letter] ?? (/[A-Z]/.test(letter) ? 700 : 556);

/** Each sign at a place of its own, the last first and without blanks: nothing in the file says what belongs together. */
async function bySigns({ pages, rotate = 0 }: Sheet): Promise<Uint8Array> {
  const file = new PdfFile();
  for (const ops of pages) {
    const panels = ops
      .filter(isPanel)
      .map(
        ({ panel: [x, y, width, height], color }) =>
          `${paint(color)} rg ${x} ${HEIGHT - y - height} ${width} ${height} re f\n`,
      );
    const signs = ops.filter((op): op is Words => !isPanel(op)).flatMap(signsOf);
    file.page([...panels, ...signs.reverse()].join(""), HELVETICA, rotate ? `/Rotate ${rotate}` : "");
  }
  return file.toBytes();
}

const paint = (color = "#000000") =>
  [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255).toFixed(3)).join(" ");

function signsOf({ text, x, y, size = 10, isBold, color, spacing = 0, turn = 0 }: Words): string[] {
  let along = 0;
  const signs: string[] = [];
  for (const letter of text) {
    const [left, low] = turn === 1 ? [x, HEIGHT - y - along] : [x + along, HEIGHT - y];
    const matrix = turn === 1 ? "0 -1 1 0" : "1 0 0 1";
    if (letter !== " ")
      signs.push(
        `BT ${paint(color)} rg /${isBold ? "F2" : "F1"} ${size} Tf ${matrix} ${left.toFixed(2)} ${low.toFixed(2)} Tm ${literal(letter)} Tj ET\n`,
      );
    along += (widthOf(letter) / 1000) * size + spacing;
  }
  return signs;
}
