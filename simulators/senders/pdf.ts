/** A PDF of one page, made by hand: lines of text in Helvetica, or a picture without any text. */

const WIDTH = 595;
const HEIGHT = 842;

const escapeText = (text: string): string => text.replace(/[\\()]/g, (letter) => `\\${letter}`).replace(/[^ -~]/g, "?");

/** Puts numbered objects together with the table of their positions. */
function toFile(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  let file = "%PDF-1.4\n";
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = file.length;
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(file, (letter) => letter.charCodeAt(0));
}

const stream = (entries: string, content: string): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

function pageWith(resources: string, content: string, more: readonly string[]): Uint8Array<ArrayBuffer> {
  return toFile([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << ${resources} >> /Contents 4 0 R >>`,
    stream("", content),
    ...more,
  ]);
}

/** One line below the other; an empty one leaves space. */
export function textPdf(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line, index) => `1 0 0 1 60 ${HEIGHT - 80 - index * 20} Tm (${escapeText(line)}) Tj`);
  return pageWith("/Font << /F1 5 0 R >>", `BT /F1 12 Tf\n${shown.join("\n")}\nET`, [
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ]);
}

const DOTS = 64;

/** A page as a scanner leaves it: grey dots, no letters. */
export function picturePdf(seed: number): Uint8Array<ArrayBuffer> {
  const dots = Array.from({ length: DOTS * DOTS }, (_, at) =>
    (at * 7 + seed * 13 + (at >> 3)) % 11 < 3 ? "20" : "f4",
  );
  const picture = `/Type /XObject /Subtype /Image /Width ${DOTS} /Height ${DOTS} /ColorSpace /DeviceGray /BitsPerComponent 8`;
  const placed = `q ${WIDTH - 80} 0 0 ${HEIGHT - 80} 40 40 cm /Im1 Do Q`;
  return pageWith("/XObject << /Im1 5 0 R >>", placed, [
    stream(`${picture} /Filter /ASCIIHexDecode`, `${dots.join("")}>`),
  ]);
}
