import type { PrintFonts } from "~/services-and-actor";
import { embeddable, type Face, joined, readTypeset, type Typeset } from "./print-fonts";

/**
 * Writes a PDF file: pages of text and lines with embedded fonts, tags that describe the structure, and attached files.
 * Source: ISO 32000-1 (PDF 1.7), sections 7.3 to 7.5, 7.11.4 (embedded files), 9.7 (composite fonts), 14.7 and 14.8
 * (tags), and ISO 14289-1 (PDF/UA-1). Reads no clock: the same content gives the same bytes.
 */

/** Red, green and blue, each 0 to 1. */
type Color = readonly [red: number, green: number, blue: number];

/** The role of a part of the document, for screen readers. */
type Tag = { role: "H1" | "H2" | "P" | "Table" | "TR" | "TH" | "TD" | "Figure"; kids: Tag[]; alt?: string };

type Ink = { weight: 400 | 600; size: number; color: Color };

/** Points from the lower left corner. A mark without a tag is decoration. */
type Mark = { tag?: Tag } & (
  | ({ text: string; x: number; y: number } & Ink)
  | { line: { x: number; y: number; toX: number }; color: Color }
  | { squares: Squares; x: number; y: number; side: number; color: Color }
  | { lines: Lines; x: number; y: number; scale: number; weight: number; color: Color }
);

/** Each line as its points, x and y in turn, around the place where they are drawn; y goes down. */
type Lines = readonly (readonly number[])[];

/** Rows of a QR code from the top: true where a square is dark. */
type Squares = readonly (readonly boolean[])[];

type InnerFile = { name: string; text: string; type: string; description: string };

type PdfContent = {
  title: string;
  /** Epoch milliseconds. */
  createdAt: number;
  pages: readonly (readonly Mark[])[];
  tags: readonly Tag[];
  typeset: Typeset;
  files: readonly InnerFile[];
  /** In points. */
  width: number;
  height: number;
};

const encoder = new TextEncoder();

/** A number in PDF syntax: no exponent, and only as many digits as a printer can show. */
const number = (value: number): string => String(Math.round(value * 100) / 100);
const hex = (codes: Iterable<number>): string =>
  `<${Array.from(codes, (code) => code.toString(16).padStart(2, "0")).join("")}>`;

/** A string for the document's metadata: UTF-16 with a byte order mark, which can hold every letter. */
function factText(text: string): string {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return hex([0xfe, 0xff, ...codes.flatMap((code) => [code >> 8, code & 0xff])]);
}

/** `D:20261120030000Z`. */
const dateText = (ms: number): string => `(D:${new Date(ms).toISOString().replace(/\D/g, "").slice(0, 14)}Z)`;

/** For each face, the glyphs that are used and the letter of each. */
type Used = Map<number, Map<number, string>>;

function drawing(mark: Mark, typeset: Typeset, used: Used): string {
  const color = mark.color.map(number).join(" ");
  if ("line" in mark) {
    const { x, y, toX } = mark.line;
    return `0.5 w ${color} RG ${number(x)} ${number(y)} m ${number(toX)} ${number(y)} l S`;
  }
  if ("lines" in mark) {
    const { lines, x, y, scale, weight } = mark;
    const at = (value: number, index: number) => number(index % 2 === 0 ? x + value * scale : y - value * scale);
    const pathOf = (line: readonly number[]) =>
      line
        .map(at)
        .reduce((path, place, index) => `${path} ${place}${index % 2 === 0 ? "" : index === 1 ? " m" : " l"}`, "");
    return `q 1 J 1 j ${number(weight * scale)} w ${color} RG${lines.map(pathOf).join("")} S Q`;
  }
  if ("squares" in mark) return `${color} rg ${rectanglesOf(mark).join(" ")} f`;
  const { text, x, y, weight, size } = mark;
  const runs: { face: number; glyphs: number[] }[] = [];
  for (const letter of text) {
    const found = typeset.find(letter, weight);
    if (!found) continue;
    if (runs.at(-1)?.face !== found.face) runs.push({ face: found.face, glyphs: [] });
    runs.at(-1)?.glyphs.push(found.glyph);
    const ofFace = used.get(found.face) ?? new Map<number, string>();
    used.set(found.face, ofFace.set(found.glyph, letter));
  }
  const shown = runs.map(
    ({ face, glyphs }) =>
      `/F${face} ${number(size)} Tf ${hex(glyphs.flatMap((glyph) => [glyph >> 8, glyph & 0xff]))} Tj`,
  );
  return `BT ${color} rg 1 0 0 1 ${number(x)} ${number(y)} Tm ${shown.join(" ")} ET`;
}

/** Joins adjacent dark squares of a row into one rectangle: printers leave gaps between separate squares. */
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

/** A PDF object: a dictionary, and its stream if it has one. */
type PdfObject = { dictionary: string; stream?: Uint8Array };

async function compressed(dictionary: string, bytes: Uint8Array<ArrayBuffer>): Promise<PdfObject> {
  const squeezed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  const stream = new Uint8Array(await new Response(squeezed).arrayBuffer());
  return { dictionary: `${dictionary} /Filter /FlateDecode /Length ${stream.length}`, stream };
}

const ref = (object: number): string => `${object} 0 R`;

/**
 * Collects objects in the order of their numbers, from 1. A number can be reserved for an object that others refer to
 * first.
 */
function newObjects() {
  const objects: PdfObject[] = [];
  const add = (object: PdfObject): number => objects.push(object);
  return {
    objects,
    add,
    reserve: () => add({ dictionary: "" }),
    set: (at: number, dictionary: string) => void objects.splice(at - 1, 1, { dictionary }),
  };
}

type Objects = ReturnType<typeof newObjects>;

/** Writes the file. */
async function writePdf(content: PdfContent): Promise<Uint8Array<ArrayBuffer>> {
  const { title, createdAt, pages, typeset, files, width, height } = content;
  const file = newObjects();
  const [catalog, tree, info] = [file.reserve(), file.reserve(), file.reserve()];
  file.set(
    info,
    `/Title ${factText(title)} /Producer (PayeeProof) /Creator (PayeeProof) /CreationDate ${dateText(createdAt)} /ModDate ${dateText(createdAt)}`,
  );
  const inner: { name: string; spec: number }[] = [];
  for (const each of files) inner.push({ name: each.name, spec: await addFile(file, each, createdAt) });
  const pageNumbers = pages.map(() => file.reserve());
  const used: Used = new Map();
  const tagged = new Map<Tag, { page: number; id: number }[]>();
  const drawn = pages.map((marks, page) => pageText(marks, { page, typeset, used, tagged }));
  const fonts = await addFonts(file, typeset, used);
  const resources = [...fonts].map(([face, font]) => `/F${face} ${ref(font)}`).join(" ");
  for (const [page, text] of drawn.entries()) {
    const contents = file.add(await compressed("", encoder.encode(text)));
    const box = `/MediaBox [0 0 ${number(width)} ${number(height)}] /Resources << /Font << ${resources} >> >>`;
    file.set(
      pageNumbers[page] ?? 0,
      `/Type /Page /Parent ${ref(tree)} ${box} /Contents ${ref(contents)} /StructParents ${page} /Tabs /S`,
    );
  }
  file.set(tree, `/Type /Pages /Count ${pages.length} /Kids [${pageNumbers.map(ref).join(" ")}]`);
  const structure = addTags(file, content.tags, { pageNumbers, tagged });
  const about = encoder.encode(describedAs(title));
  const metadata = file.add({ dictionary: `/Type /Metadata /Subtype /XML /Length ${about.length}`, stream: about });
  const names = inner.map(({ name, spec }) => `${factText(name)} ${ref(spec)}`).join(" ");
  const marked = `/MarkInfo << /Marked true >> /StructTreeRoot ${ref(structure)} /Metadata ${ref(metadata)}`;
  file.set(
    catalog,
    `/Type /Catalog /Pages ${ref(tree)} /Lang (en-AU) ${marked} /ViewerPreferences << /DisplayDocTitle true >> /Names << /EmbeddedFiles << /Names [${names}] >> >> /AF [${inner.map(({ spec }) => ref(spec)).join(" ")}]`,
  );
  return joinObjects(file.objects, { catalog, info });
}

/** The metadata by which a program knows that the file is tagged. */
const describedAs = (title: string): string => {
  const text = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
};

type Drawn = { page: number; typeset: Typeset; used: Used; tagged: Map<Tag, { page: number; id: number }[]> };

/** The content stream of a page: each mark belongs to its tag or is decoration. */
function pageText(marks: readonly Mark[], { page, typeset, used, tagged }: Drawn): string {
  let id = 0;
  const lines = marks.map((mark) => {
    const text = drawing(mark, typeset, used);
    const { tag } = mark;
    if (!tag) return `/Artifact BMC ${text} EMC`;
    tagged.set(tag, [...(tagged.get(tag) ?? []), { page, id }]);
    return `/${tag.role} << /MCID ${id++} >> BDC ${text} EMC`;
  });
  return lines.join("\n");
}

/** Adds the tag tree, and for each page the tags of its parts. @returns the root's object number */
function addTags(
  file: Objects,
  tags: readonly Tag[],
  { pageNumbers, tagged }: { pageNumbers: readonly number[] } & Pick<Drawn, "tagged">,
): number {
  const [root, whole, parents] = [file.reserve(), file.reserve(), file.reserve()];
  const byPage = pageNumbers.map((): string[] => []);
  const write = (tag: Tag, parent: number): number => {
    const own = file.reserve();
    const parts = (tagged.get(tag) ?? []).map(({ page, id }) => {
      const ofPage = byPage[page];
      if (ofPage) ofPage[id] = ref(own);
      return `<< /Type /MCR /Pg ${ref(pageNumbers[page] ?? 0)} /MCID ${id} >>`;
    });
    const kids = tag.kids.map((kid) => ref(write(kid, own)));
    const alt = tag.alt === undefined ? "" : ` /Alt ${factText(tag.alt)}`;
    const scope = tag.role === "TH" ? " /A << /O /Table /Scope /Row >>" : "";
    file.set(
      own,
      `/Type /StructElem /S /${tag.role} /P ${ref(parent)}${alt}${scope} /K [${[...parts, ...kids].join(" ")}]`,
    );
    return own;
  };
  const kids = tags.map((tag) => ref(write(tag, whole)));
  file.set(whole, `/Type /StructElem /S /Document /P ${ref(root)} /K [${kids.join(" ")}]`);
  file.set(parents, `/Nums [${byPage.map((refs, page) => `${page} [${refs.join(" ")}]`).join(" ")}]`);
  file.set(
    root,
    `/Type /StructTreeRoot /K ${ref(whole)} /ParentTree ${ref(parents)} /ParentTreeNextKey ${byPage.length}`,
  );
  return root;
}

/** Adds the fonts with the glyphs that are used, by face. */
async function addFonts(file: Objects, { faces }: Typeset, used: Used): Promise<Map<number, number>> {
  const fonts = new Map<number, number>();
  for (const [index, glyphs] of used) {
    const face = faces[index];
    if (face) fonts.set(index, await addFont(file, face, index, glyphs));
  }
  return fonts;
}

async function addFont(file: Objects, face: Face, index: number, glyphs: ReadonlyMap<number, string>) {
  const inOrder = [...glyphs].sort(([a], [b]) => a - b);
  // Six letters before the name mark a font subset.
  const tag = [...String(index).padStart(6, "0")].map((digit) => String.fromCharCode(65 + Number(digit))).join("");
  const name = `/${tag}+NotoSans`;
  const bytes = embeddable(face, new Set(glyphs.keys()));
  const program = file.add(await compressed(`/Length1 ${bytes.length}`, bytes));
  const descriptor = file.add({
    dictionary: `/Type /FontDescriptor /FontName ${name} /Flags 4 /FontBBox [${face.box.join(" ")}] /ItalicAngle 0 /Ascent ${face.ascent} /Descent ${face.descent} /CapHeight 714 /StemV 80 /FontFile2 ${ref(program)}`,
  });
  const widths = inOrder.map(([glyph]) => `${glyph} [${face.widthOf(glyph)}]`).join(" ");
  const descendant = file.add({
    dictionary: `/Type /Font /Subtype /CIDFontType2 /BaseFont ${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${ref(descriptor)} /DW 1000 /W [${widths}] /CIDToGIDMap /Identity`,
  });
  const letters = file.add(await compressed("", encoder.encode(lettersOf(inOrder))));
  return file.add({
    dictionary: `/Type /Font /Subtype /Type0 /BaseFont ${name} /Encoding /Identity-H /DescendantFonts [${ref(descendant)}] /ToUnicode ${ref(letters)}`,
  });
}

const hexOf = (value: number): string => value.toString(16).padStart(4, "0");

/** Maps each glyph to its letter, for copying and screen readers. At most 100 in a group. */
function lettersOf(glyphs: readonly (readonly [number, string])[]): string {
  const lines = glyphs.map(([glyph, letter]) => {
    const units = Array.from({ length: letter.length }, (_, at) => hexOf(letter.charCodeAt(at)));
    return `<${hexOf(glyph)}> <${units.join("")}>`;
  });
  const groups = Array.from({ length: Math.ceil(lines.length / 100) }, (_, at) =>
    lines.slice(at * 100, at * 100 + 100),
  );
  const mapped = groups.map((group) => `${group.length} beginbfchar\n${group.join("\n")}\nendbfchar`);
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${mapped.join("\n")}
endcmap CMapName currentdict /CMap defineresource pop end end`;
}

async function addFile(file: Objects, { name, text, type, description }: InnerFile, createdAt: number) {
  const bytes = encoder.encode(text);
  const date = dateText(createdAt);
  const params = `/Params << /Size ${bytes.length} /CreationDate ${date} /ModDate ${date} >>`;
  const stream = file.add(
    await compressed(`/Type /EmbeddedFile /Subtype /${type.replace("/", "#2F")} ${params}`, bytes),
  );
  const names = `/F ${factText(name)} /UF ${factText(name)} /Desc ${factText(description)}`;
  return file.add({
    dictionary: `/Type /Filespec /AFRelationship /Data ${names} /EF << /F ${ref(stream)} /UF ${ref(stream)} >>`,
  });
}

/** The header, the objects, the cross-reference table, and the trailer. */
function joinObjects(
  objects: readonly PdfObject[],
  { catalog, info }: { catalog: number; info: number },
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: string | Uint8Array) => {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  add("%PDF-1.7\n");
  // Four bytes above 127 in a comment tell programs that the file is binary.
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
  add(`trailer\n<< /Size ${size} /Root ${ref(catalog)} /Info ${ref(info)} >>\nstartxref\n${table}\n%%EOF\n`);
  return joined(parts);
}

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
  /** At the foot of each page. */
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
function lettersIn({
  title,
  heading = title,
  summary,
  sections,
  notes,
  footer,
}: Printed): Map<Ink["weight"], Set<string>> {
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
