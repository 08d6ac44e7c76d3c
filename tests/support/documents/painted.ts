import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { HELVETICA, join, latin, PdfFile, words } from "./pdf-file";
import { HEIGHT } from "./sheet";

/** Words as pictures and as outlines, made with the painting engine itself. */

type Engine = Awaited<ReturnType<typeof start>>;
let engine: Promise<Engine> | undefined;

async function start() {
  const { init } = await import("@embedpdf/pdfium");
  const compiled = new WebAssembly.Module(
    new Uint8Array(readFileSync("node_modules/@embedpdf/pdfium/dist/pdfium.wasm")),
  );
  let exports: WebAssembly.Exports = {};
  const wrapped = await init({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(compiled, imports);
      exports = instance.exports;
      done(instance);
      return exports;
    },
  } as Parameters<typeof init>[0]);
  wrapped.PDFiumExt_Init();
  return { pdfium: wrapped, heap: () => (exports.memory as WebAssembly.Memory).buffer };
}

async function withPage<T>(texts: readonly string[], work: (engine: Engine, page: number) => T): Promise<T> {
  engine ??= start();
  const running = await engine;
  const { pdfium, heap } = running;
  const file = new PdfFile();
  file.page(texts.map((text, index) => words(text, 4, HEIGHT - 14 - index * 14)).join(""), HELVETICA);
  const bytes = file.toBytes();
  const pointer = pdfium.pdfium.wasmExports.malloc(bytes.length);
  new Uint8Array(heap()).set(bytes, pointer);
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, "");
  const page = pdfium.FPDF_LoadPage(document, 0);
  const result = work(running, page);
  pdfium.FPDF_ClosePage(page);
  pdfium.FPDF_CloseDocument(document);
  pdfium.pdfium.wasmExports.free(pointer);
  return result;
}

const [SCALE, SHOWN] = [3, 200];

/** Three pixels for a point, grey. */
export function pictureOf(texts: readonly string[]): Promise<{ pixels: Uint8Array; width: number; height: number }> {
  return withPage(texts, ({ pdfium, heap }, page) => {
    const [width, height] = [SHOWN * SCALE, (texts.length * 14 + 10) * SCALE];
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, 3, 0, 0);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, 595 * SCALE, HEIGHT * SCALE, 0, 0);
    const painted = new Uint8Array(heap(), pdfium.FPDFBitmap_GetBuffer(bitmap), width * height * 4);
    const pixels = Uint8Array.from({ length: width * height }, (_, at) => painted[at * 4] ?? 255);
    pdfium.FPDFBitmap_Destroy(bitmap);
    return { pixels, width, height };
  });
}

/** The glyphs as paths, in the content of a page. */
export function outlinesOf(texts: readonly string[], x: number, y: number, size = 10): Promise<string> {
  return withPage(texts, ({ pdfium, heap }, page) => {
    let content = "0 g\n";
    const scratch = pdfium.pdfium.wasmExports.malloc(16);
    for (const [row, text] of texts.entries()) {
      const object = pdfium.FPDFPage_GetObject(page, row);
      const font = pdfium.FPDFTextObj_GetFont(object);
      let along = x;
      for (const letter of text) {
        const glyph = letter.charCodeAt(0);
        const path = pdfium.FPDFFont_GetGlyphPath(font, glyph, size);
        const count = path === 0 ? 0 : pdfium.FPDFGlyphPath_CountGlyphSegments(path);
        const points: string[] = [];
        const curve: string[] = [];
        for (let index = 0; index < count; index += 1) {
          const segment = pdfium.FPDFGlyphPath_GetGlyphPathSegment(path, index);
          pdfium.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
          const [px = 0, py = 0] = new Float32Array(heap(), scratch, 2);
          // The engine gives a path for a size of one.
          const point = `${(along + px * size).toFixed(2)} ${(y - row * 14 + py * size).toFixed(2)}`;
          const type = pdfium.FPDFPathSegment_GetType(segment);
          if (type === 2) points.push(`${point} m`);
          else if (type === 0) points.push(`${point} l`);
          else if (curve.push(point) === 3) points.push(`${curve.splice(0).join(" ")} c`);
        }
        if (points.length > 0) content += `${points.join(" ")} f\n`;
        pdfium.FPDFFont_GetGlyphWidth(font, glyph, size, scratch);
        along += new Float32Array(heap(), scratch, 1)[0] ?? 5;
      }
    }
    pdfium.pdfium.wasmExports.free(scratch);
    return content;
  });
}

/** As a PNG, with a line of each of its five ways to be packed. */
export async function pngOf(texts: readonly string[]): Promise<Uint8Array> {
  const { pixels, width, height } = await pictureOf(texts);
  const rows = Array.from({ length: height }, (_, y) => {
    const at = (x: number, row: number) => (x < 0 || row < 0 ? 0 : (pixels[row * width + x] ?? 0));
    const guesses = [
      () => 0,
      (x: number) => at(x - 1, y),
      (x: number) => at(x, y - 1),
      (x: number) => (at(x - 1, y) + at(x, y - 1)) >> 1,
      (x: number) => {
        const [left, up, corner] = [at(x - 1, y), at(x, y - 1), at(x - 1, y - 1)];
        const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
        return Number(a) <= Number(b) && Number(a) <= Number(c) ? left : Number(b) <= Number(c) ? up : corner;
      },
    ];
    const guess = guesses[y % guesses.length];
    return Uint8Array.from({ length: width + 1 }, (_, x) => (x === 0 ? y % 5 : at(x - 1, y) - (guess?.(x - 1) ?? 0)));
  });
  const number = (value: number) => Uint8Array.of(value >> 24, value >> 16, value >> 8, value);
  const part = (name: string, data: Uint8Array) => join([number(data.length), latin(name), data, number(0)]);
  const head = join([number(width), number(height), Uint8Array.of(8, 0, 0, 0, 0)]);
  return join([
    latin("\x89PNG\r\n\x1a\n"),
    part("IHDR", head),
    part("IDAT", new Uint8Array(deflateSync(join(rows)))),
    part("IEND", new Uint8Array()),
  ]);
}
