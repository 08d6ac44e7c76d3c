import type { PrintFonts } from "~/services-and-actor";

/**
 * The fonts embedded in printed documents: TrueType files that each cover some of the letters
 * (scripts/lib/print-fonts.mjs creates them). Source: OpenType 1.9.1 (cmap formats 4 and 12, glyf, hmtx, loca). Pure
 * apart from reading the files.
 */

type Weight = 400 | 600;
type Part = { file: string; weight: Weight; ranges: readonly (readonly [first: number, last: number])[] };
type Table = { offset: number; length: number };

/** One font file, parsed for measuring and embedding. */
export type Face = {
  bytes: Uint8Array<ArrayBuffer>;
  tables: ReadonlyMap<string, Table>;
  /** Code point -> glyph number. */
  glyphs: ReadonlyMap<number, number>;
  /** In thousandths of the font size. */
  widthOf: (glyph: number) => number;
  ascent: number;
  descent: number;
  box: readonly number[];
};

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) =>
  new DataView(buffer, byteOffset, byteLength);

function readFace(bytes: Uint8Array<ArrayBuffer>): Face {
  const view = viewOf(bytes);
  const tables = new Map<string, Table>();
  for (let at = 0; at < view.getUint16(4); at++) {
    const entry = 12 + at * 16;
    const tag = String.fromCharCode(...bytes.subarray(entry, entry + 4));
    tables.set(tag, { offset: view.getUint32(entry + 8), length: view.getUint32(entry + 12) });
  }
  const at = (tag: string) => tableOf(tables, tag).offset;
  const [head, hhea, hmtx] = [at("head"), at("hhea"), at("hmtx")];
  const scale = 1_000 / view.getUint16(head + 18);
  const toThousandths = (offset: number) => Math.round(view.getInt16(offset) * scale);
  const measured = view.getUint16(hhea + 34);
  return {
    bytes,
    tables,
    glyphs: readGlyphs(view, at("cmap")),
    widthOf: (glyph) => Math.round(view.getUint16(hmtx + Math.min(glyph, measured - 1) * 4) * scale),
    ascent: toThousandths(hhea + 4),
    descent: toThousandths(hhea + 6),
    box: [36, 38, 40, 42].map((offset) => toThousandths(head + offset)),
  };
}

function tableOf(tables: Face["tables"], tag: string): Table {
  const table = tables.get(tag);
  if (!table) throw new Error(`the font has no table ${tag}`);
  return table;
}

/** The letters of a font, from all of its character maps. */
function readGlyphs(view: DataView, cmap: number): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let at = 0; at < view.getUint16(cmap + 2); at++) {
    const table = cmap + view.getUint32(cmap + 8 + at * 8);
    const format = view.getUint16(table);
    if (format === 12) readGroups(view, table, glyphs);
    if (format === 4) readSegments(view, table, glyphs);
  }
  return glyphs;
}

function readGroups(view: DataView, table: number, glyphs: Map<number, number>): void {
  for (let group = 0; group < view.getUint32(table + 12); group++) {
    const at = table + 16 + group * 12;
    const [first, last, glyph] = [view.getUint32(at), view.getUint32(at + 4), view.getUint32(at + 8)];
    for (let letter = first; letter <= last; letter++) glyphs.set(letter, glyph + letter - first);
  }
}

function readSegments(view: DataView, table: number, glyphs: Map<number, number>): void {
  const double = view.getUint16(table + 6);
  for (let at = table + 14; at < table + 14 + double; at += 2) {
    const [last, first] = [view.getUint16(at), view.getUint16(at + double + 2)];
    const [delta, offsetAt] = [view.getUint16(at + 2 * double + 2), at + 3 * double + 2];
    const offset = view.getUint16(offsetAt);
    for (let letter = first; letter <= last && letter !== 0xffff; letter++) {
      const listed = offset === 0 ? letter : view.getUint16(offsetAt + offset + (letter - first) * 2);
      const glyph = offset !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(letter, glyph);
    }
  }
}

/** The tables that a PDF needs from a font whose glyphs are referred to by number. */
const EMBEDDED = ["cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"];
const HAS_MORE_PARTS = 0x20;
const PARTS_ARE_WORDS = 0x1;
/** A scale, two scales, a matrix: how many bytes each adds to a component of a composite glyph. */
const SCALED = [
  [0x8, 2],
  [0x40, 4],
  [0x80, 8],
] as const;

/** The font file with only these glyphs' outlines; each keeps its number. */
export function embeddable({ bytes, tables }: Face, wanted: ReadonlySet<number>): Uint8Array<ArrayBuffer> {
  const view = viewOf(bytes);
  const [glyf, loca] = [tableOf(tables, "glyf"), tableOf(tables, "loca")];
  const isLong = view.getInt16(tableOf(tables, "head").offset + 50) === 1;
  const startOf = (glyph: number) =>
    glyf.offset + (isLong ? view.getUint32(loca.offset + glyph * 4) : view.getUint16(loca.offset + glyph * 2) * 2);
  const kept = withParts(view, wanted, startOf);
  const count = loca.length / (isLong ? 4 : 2) - 1;
  const outlines: Uint8Array[] = [];
  const starts = new DataView(new ArrayBuffer((count + 1) * 4));
  let length = 0;
  for (let glyph = 0; glyph < count; glyph++) {
    starts.setUint32(glyph * 4, length);
    if (!kept.has(glyph)) continue;
    const outline = bytes.subarray(startOf(glyph), startOf(glyph + 1));
    outlines.push(outline, new Uint8Array(-outline.length & 3));
    length += outline.length + (-outline.length & 3);
  }
  starts.setUint32(count * 4, length);
  const head = bytes.slice(tableOf(tables, "head").offset, tableOf(tables, "head").offset + 54);
  viewOf(head).setInt16(50, 1);
  const own = new Map([
    ["glyf", joined(outlines)],
    ["head", head],
    ["loca", new Uint8Array(starts.buffer)],
  ]);
  return fontFile(
    EMBEDDED.flatMap((tag) => {
      const table = tables.get(tag);
      const content = own.get(tag) ?? (table && bytes.subarray(table.offset, table.offset + table.length));
      return content ? [{ tag, content }] : [];
    }),
  );
}

/** The glyphs and the components that they are composed of. */
function withParts(view: DataView, wanted: ReadonlySet<number>, startOf: (glyph: number) => number): Set<number> {
  const kept = new Set([0, ...wanted]);
  for (const glyph of kept) {
    const start = startOf(glyph);
    if (startOf(glyph + 1) === start || view.getInt16(start) >= 0) continue;
    for (let at = start + 10, more = true; more; ) {
      const flags = view.getUint16(at);
      // Iterating over a Set also visits entries added during the iteration.
      kept.add(view.getUint16(at + 2));
      const scale = SCALED.find(([flag]) => (flags & flag) !== 0)?.[1] ?? 0;
      at += 4 + ((flags & PARTS_ARE_WORDS) !== 0 ? 4 : 2) + scale;
      more = (flags & HAS_MORE_PARTS) !== 0;
    }
  }
  return kept;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const TRUE_TYPE = 0x00010000;

function fontFile(tables: readonly { tag: string; content: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const directory = new DataView(new ArrayBuffer(12 + tables.length * 16));
  const power = Math.floor(Math.log2(tables.length));
  directory.setUint32(0, TRUE_TYPE);
  for (const [at, value] of [tables.length, 2 ** power * 16, power, (tables.length - 2 ** power) * 16].entries())
    directory.setUint16(4 + at * 2, value);
  const contents: Uint8Array[] = [];
  let offset = directory.byteLength;
  for (const [at, { tag, content }] of tables.entries()) {
    const padded = joined([content, new Uint8Array(-content.length & 3)]);
    const entry = 12 + at * 16;
    for (const [place, letter] of [...tag].entries()) directory.setUint8(entry + place, letter.charCodeAt(0));
    let sum = 0;
    for (let word = 0; word < padded.length; word += 4) sum = (sum + viewOf(padded).getUint32(word)) >>> 0;
    directory.setUint32(entry + 4, sum);
    directory.setUint32(entry + 8, offset);
    directory.setUint32(entry + 12, content.length);
    contents.push(padded);
    offset += padded.length;
  }
  return joined([new Uint8Array(directory.buffer), ...contents]);
}

/** Which face has a letter, and its glyph number there. */
type PrintedLetter = { face: number; glyph: number };

/** The faces that a document needs, and a look-up of its letters. A letter that no font has is undefined. */
export type Typeset = { faces: Face[]; find: (letter: string, weight: Weight) => PrintedLetter | undefined };

/** Reads only the fonts that have these letters. */
export async function readTypeset(
  fonts: PrintFonts,
  letters: ReadonlyMap<Weight, ReadonlySet<string>>,
): Promise<Typeset> {
  const parts = JSON.parse(new TextDecoder().decode(await fonts.read("fonts.json"))) as Part[];
  const faces: Face[] = [];
  const read = new Map<string, number>();
  const found = new Map<string, PrintedLetter>();
  for (const [weight, wanted] of letters) {
    // Han letters exist in one weight, which is used for both.
    const inOrder = [
      ...parts.filter((part) => part.weight === weight),
      ...parts.filter((part) => part.weight !== weight),
    ];
    for (const letter of wanted) {
      const code = letter.codePointAt(0) ?? 0;
      for (const { file } of inOrder.filter(({ ranges }) =>
        ranges.some(([first, last]) => code >= first && code <= last),
      )) {
        const face = read.get(file) ?? faces.push(readFace(await fonts.read(file))) - 1;
        read.set(file, face);
        const glyph = faces[face]?.glyphs.get(code);
        if (glyph === undefined) continue;
        found.set(`${weight} ${letter}`, { face, glyph });
        break;
      }
    }
  }
  return { faces, find: (letter, weight) => found.get(`${weight} ${letter}`) };
}
