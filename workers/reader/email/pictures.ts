import { constants, inflateSync } from "node:zlib";
import type { ReadFacts } from "~/ports/document-reader";
import { addCode } from "../facts/qr-codes";
import type { Reading } from "../limits";
import { hasBarCode, judgePictures } from "../pdf/judge-pictures";

/** The pictures of a message as pages of a PDF, so that they are read like the pictures of any page. */

/** What a page of the PDF shows: a picture in one of the forms that a PDF takes. */
type Sheet = { width: number; height: number; dictionary: string; data: Uint8Array };

/** For all pictures together, which are in memory uncompressed. */
const MAX_PIXELS_OF_MAIL = 4_000_000;
/** In pixels: smaller ones are icons, spacers and so on. */
const LEAST_SIDE = 24;
const LEAST_LENGTH = 60;
/** No picture of a number is smaller. */
const LEAST_BYTES = 300;
const POINTS_OF_PIXEL = 0.75;
const LONGEST_SIDE = 1_400;

const MAX_PICTURES_OF_MAIL = 10;

/** `none`: too small to hold a number. `unknown`: of a kind that is not read, or damaged. */
export function sheetOf(bytes: Uint8Array): Sheet | "none" | "unknown" {
  const sheet = pngSheet(bytes) ?? jpegSheet(bytes) ?? gifSheet(bytes);
  if (!sheet) return bytes.length < LEAST_BYTES && !startsWith(bytes, "<") ? "none" : "unknown";
  const { width, height } = sheet;
  if (Math.min(width, height) < LEAST_SIDE / 2 || Math.max(width, height) < LEAST_LENGTH) return "none";
  if (width * height > MAX_PIXELS_OF_MAIL || sheet.data.length === 0) return "unknown";
  return sheet;
}

const number32 = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
const number16 = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint16(at);
const startsWith = (bytes: Uint8Array, text: string) =>
  [...text].every((letter, at) => bytes[at] === letter.charCodeAt(0));

const rgb = (width: number, height: number, data: Uint8Array): Sheet => ({
  width,
  height,
  data,
  dictionary: "/ColorSpace /DeviceRGB /BitsPerComponent 8",
});

/** How many values a pixel has, by the PNG's colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function pngSheet(bytes: Uint8Array): Sheet | undefined {
  if (!startsWith(bytes, "\x89PNG") || bytes.length < 33) return undefined;
  const [width, height] = [number32(bytes, 16), number32(bytes, 20)];
  const [depth = 0, kind = 0, , , isInterlaced = 0] = bytes.subarray(24, 29);
  const channels = CHANNELS[kind];
  const nothing = rgb(width, height, new Uint8Array());
  const pixels = width * height;
  // Even rows without pixels take memory, and a file may claim billions of rows.
  const isOfSize = pixels > 0 && pixels <= MAX_PIXELS_OF_MAIL;
  if (channels === undefined || isInterlaced !== 0 || depth > 8 || !isOfSize) return nothing;
  const packed: Uint8Array[] = [];
  let [palette, alphas] = [new Uint8Array(), new Uint8Array()];
  for (let at = 8; at + 12 <= bytes.length; at += number32(bytes, at) + 12) {
    const part = bytes.subarray(at + 8, at + 8 + number32(bytes, at));
    const name = new TextDecoder("latin1").decode(bytes.subarray(at + 4, at + 8));
    if (name === "IDAT") packed.push(part);
    else if (name === "PLTE") palette = part.slice();
    else if (name === "tRNS") alphas = part.slice();
    // Of an animation only the first picture would be examined.
    else if (name === "acTL") return nothing;
  }
  const row = Math.ceil((width * channels * depth) / 8);
  const lines = inflated(Buffer.concat(packed), (row + 1) * height);
  if (!lines) return nothing;
  unfilter(lines, row, height, Math.max(1, (channels * depth) >> 3));
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const sample = (channel: number) => sampleAt(lines, y * (row + 1) + 1, x * channels + channel, depth);
      const at = (y * width + x) * 3;
      const first = sample(0);
      const isIndexed = kind === 3;
      const alpha = isIndexed ? (alphas[first] ?? 255) : channels % 2 === 0 ? sample(channels - 1) : 255;
      for (let color = 0; color < 3; color += 1) {
        const grey = (first * 255) / (2 ** depth - 1);
        const value = isIndexed ? (palette[first * 3 + color] ?? 0) : channels > 2 ? sample(color) : grey;
        // Over a white background, like that of messages.
        data[at + color] = 255 - ((255 - value) * alpha) / 255;
      }
    }
  }
  return rgb(width, height, data);
}

function sampleAt(lines: Uint8Array, start: number, index: number, depth: number): number {
  if (depth === 8) return lines[start + index] ?? 0;
  const bit = index * depth;
  return ((lines[start + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}

/** The limit must exceed the output by one of zlib's buffers, or the platform refuses it. */
const SPARE_BYTES = 65_536;

function inflated(packed: Uint8Array, length: number): Uint8Array | undefined {
  try {
    const bytes = inflateSync(packed, { maxOutputLength: length + SPARE_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
    return bytes.length >= length ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** The first byte of each line of a PNG says how the line was encoded from its neighbours. */
function unfilter(lines: Uint8Array, row: number, height: number, back: number): void {
  for (let y = 0; y < height; y += 1) {
    const start = y * (row + 1) + 1;
    const filter = lines[start - 1];
    for (let x = 0; x < row; x += 1) {
      const left = x >= back ? (lines[start + x - back] ?? 0) : 0;
      const up = y > 0 ? (lines[start + x - row - 1] ?? 0) : 0;
      const corner = x >= back && y > 0 ? (lines[start + x - row - 1 - back] ?? 0) : 0;
      const guess =
        filter === 1
          ? left
          : filter === 2
            ? up
            : filter === 3
              ? (left + up) >> 1
              : filter === 4
                ? paeth(left, up, corner)
                : 0;
      lines[start + x] = (lines[start + x] ?? 0) + guess;
    }
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** A PDF takes a JPEG as it is; its frame says how large it is. */
function jpegSheet(bytes: Uint8Array): Sheet | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  for (let at = 2; at + 10 < bytes.length; at += 2 + number16(bytes, at + 2)) {
    if (bytes[at] !== 0xff) return undefined;
    const mark = bytes[at + 1] ?? 0;
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc;
    if (!isFrame) continue;
    const color = { 1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK" }[bytes[at + 9] ?? 0];
    if (!color) return undefined;
    const [height, width] = [number16(bytes, at + 5), number16(bytes, at + 7)];
    return { width, height, data: bytes, dictionary: `/ColorSpace /${color} /BitsPerComponent 8 /Filter /DCTDecode` };
  }
  return undefined;
}

/** The pictures of an animated GIF, each as a GIF of its own. */
export function framesOf(bytes: Uint8Array): Uint8Array[] {
  if (!startsWith(bytes, "GIF8") || bytes.length < 14) return [bytes];
  const colors = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const head = 13 + colors(bytes[10] ?? 0);
  const frames: Uint8Array[] = [];
  let [at, from] = [head, head];
  while (at < bytes.length && frames.length <= MAX_PICTURES_OF_MAIL) {
    const mark = bytes[at];
    if (mark !== 0x21 && mark !== 0x2c) break;
    at += mark === 0x21 ? 2 : 11 + colors(bytes[at + 9] ?? 0);
    while ((bytes[at] ?? 0) > 0) at += (bytes[at] ?? 0) + 1;
    at += 1;
    if (mark !== 0x2c) continue;
    frames.push(Buffer.concat([bytes.subarray(0, head), bytes.subarray(from, at), Uint8Array.of(0x3b)]));
    from = at;
  }
  return frames.length > 0 ? frames : [bytes];
}

/** The first picture of a GIF. */
function gifSheet(bytes: Uint8Array): Sheet | undefined {
  if (!startsWith(bytes, "GIF8") || bytes.length < 14) return undefined;
  const little = (at: number) => (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8);
  const colors = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let palette = bytes.subarray(13, 13 + colors(bytes[10] ?? 0));
  let at = 13 + palette.length;
  let clear = -1;
  const skip = (from: number) => {
    let next = from;
    while ((bytes[next] ?? 0) > 0) next += (bytes[next] ?? 0) + 1;
    return next + 1;
  };
  while (bytes[at] === 0x21) {
    if (bytes[at + 1] === 0xf9 && (bytes[at + 3] ?? 0) & 1) clear = bytes[at + 6] ?? -1;
    at = skip(at + 2);
  }
  if (bytes[at] !== 0x2c) return undefined;
  const [width, height, flags] = [little(at + 5), little(at + 7), bytes[at + 9] ?? 0];
  at += 10;
  if (flags & 0x80) {
    palette = bytes.subarray(at, at + colors(flags));
    at += palette.length;
  }
  const isInterlaced = (flags & 0x40) !== 0;
  if (isInterlaced || width * height > MAX_PIXELS_OF_MAIL) return rgb(width, height, new Uint8Array());
  const packed: Uint8Array[] = [];
  for (let block = at + 1; (bytes[block] ?? 0) > 0; block += (bytes[block] ?? 0) + 1)
    packed.push(bytes.subarray(block + 1, block + 1 + (bytes[block] ?? 0)));
  const indices = unpackGif(Buffer.concat(packed), bytes[at] ?? 8, width * height);
  const data = new Uint8Array(width * height * 3).fill(255);
  for (const [pixel, index] of indices.entries())
    if (index !== clear) data.set(palette.subarray(index * 3, index * 3 + 3), pixel * 3);
  return rgb(width, height, data);
}

function unpackGif(packed: Uint8Array, least: number, length: number): Uint8Array {
  const found = new Uint8Array(length);
  const [clear, end] = [2 ** least, 2 ** least + 1];
  let table: number[][] = [];
  let [size, bits, buffer, at] = [least + 1, 0, 0, 0];
  let before: number[] | undefined;
  const restart = () => {
    table = Array.from({ length: end + 1 }, (_, index) => (index < clear ? [index] : []));
    size = least + 1;
    before = undefined;
  };
  restart();
  for (const byte of packed) {
    buffer |= byte << bits;
    bits += 8;
    while (bits >= size) {
      const code = buffer & (2 ** size - 1);
      buffer >>>= size;
      bits -= size;
      if (code === clear) {
        restart();
        continue;
      }
      if (code === end || at >= length) return found;
      const word: number[] = table[code] ?? (before ? [...before, before[0] ?? 0] : []);
      found.set(word.slice(0, length - at), at);
      at += word.length;
      if (before && table.length < 4_096) table.push([...before, word[0] ?? 0]);
      if (table.length === 2 ** size && size < 12) size += 1;
      before = word;
    }
  }
  return found;
}

/** A PDF with a picture on each page, as large as a mail program shows it. */
function pdfOfPictures(sheets: readonly Sheet[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (piece: string | Uint8Array) => {
    const bytes = typeof piece === "string" ? Buffer.from(piece, "latin1") : piece;
    parts.push(bytes);
    length += bytes.length;
  };
  const object = (dictionary: string, data?: Uint8Array) => {
    offsets.push(length);
    write(`${offsets.length} 0 obj\n<< ${dictionary}${data ? ` /Length ${data.length}` : ""} >>\n`);
    if (data) {
      write("stream\n");
      write(data);
      write("\nendstream\n");
    }
    write("endobj\n");
  };
  write("%PDF-1.7\n");
  const kids = sheets.map((_, at) => `${3 + at * 3} 0 R`).join(" ");
  object("/Type /Catalog /Pages 2 0 R");
  object(`/Type /Pages /Count ${sheets.length} /Kids [${kids}]`);
  for (const [at, { width, height, dictionary, data }] of sheets.entries()) {
    const scale = Math.min(POINTS_OF_PIXEL, LONGEST_SIDE / Math.max(width, height));
    const [wide, tall] = [width * scale, height * scale];
    const own = 3 + at * 3;
    object(
      `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${tall}] /Contents ${own + 1} 0 R /Resources << /XObject << /X ${own + 2} 0 R >> >>`,
    );
    object("", Buffer.from(`${wide} 0 0 ${tall} 0 0 cm /X Do`));
    object(`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${dictionary}`, data);
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = offsets.length + 1;
  write(
    `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.concat(parts);
}

/**
 * Reads the pictures of a message or an electronic invoice as those of a page. None of them is a document: what they show
 * is evidence, never an answer.
 * @param words what the message or the invoice says
 */
export async function addPictures(
  facts: ReadFacts,
  pictures: readonly Uint8Array[],
  reading: Reading,
  words: string,
): Promise<void> {
  const sheets: Sheet[] = [];
  const frames = pictures.slice(0, MAX_PICTURES_OF_MAIL).flatMap(framesOf);
  let isUnread = Math.max(pictures.length, frames.length) > MAX_PICTURES_OF_MAIL;
  let pixels = 0;
  for (const bytes of frames.slice(0, MAX_PICTURES_OF_MAIL)) {
    const sheet = sheetOf(bytes);
    if (sheet === "none") continue;
    pixels += sheet === "unknown" ? 0 : sheet.width * sheet.height;
    if (sheet === "unknown" || pixels > MAX_PIXELS_OF_MAIL) isUnread = true;
    else sheets.push(sheet);
    // None of the others would be looked at, and unpacking them takes time.
    if (pixels > MAX_PIXELS_OF_MAIL) break;
  }
  const looked = sheets.length > 0 ? await reading.lookAtPictures(pdfOfPictures(sheets)) : undefined;
  const { accounts, unread } = judgePictures(looked?.pictures ?? [], facts.accounts);
  const place = ({ picture }: { picture?: string }) => (picture ? { picture } : {});
  const shown = facts.accounts.length > 0 ? "account_could_not_be_read" : "picture_without_text";
  facts.findings.push(
    ...accounts.map((one) => ({ code: shown, ...place(one) }) as const),
    ...[...unread, ...(isUnread ? [{}] : [])].map(
      (one) => ({ code: "picture_could_not_be_read", ...place(one) }) as const,
    ),
  );
  if (looked?.pictures.some(hasBarCode)) facts.findings.push({ code: "bar_code", page: 1 });
  for (const { text } of looked?.codes ?? []) addCode(facts, text === undefined ? {} : { text }, words, 1);
  facts.isReadableEverywhere &&= accounts.length + unread.length === 0 && !isUnread;
}
