import { embeddable, type Face, joined, type Typeset } from "./print-fonts";

/**
 * Writes a PDF file: pages of text and lines with embedded fonts, tags that describe the structure, and attached files.
 * Source: ISO 32000-1 (PDF 1.7), sections 7.3 to 7.5, 7.11.4 (embedded files), 9.7 (composite fonts), 14.7 and 14.8
 * (tags), and ISO 14289-1 (PDF/UA-1). Reads no clock: the same content gives the same bytes.
 */

/** Red, green and blue, each 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number];

/** The role of a part of the document, for screen readers. */
export type Tag = { role: "H1" | "H2" | "P" | "Table" | "TR" | "TH" | "TD" | "Figure"; kids: Tag[]; alt?: string };

export type Ink = { weight: 400 | 600; size: number; color: Color };

/** Points from the lower left corner. A mark without a tag is decoration. */
export type Mark = { tag?: Tag } & (
  | ({ text: string; x: number; y: number } & Ink)
  | { line: { x: number; y: number; toX: number }; color: Color }
  | { squares: Squares; x: number; y: number; side: number; color: Color }
  | { lines: Lines; x: number; y: number; scale: number; weight: number; color: Color }
);

/** Each line as its points, x and y in turn, around the place where they are drawn; y goes down. */
export type Lines = readonly (readonly number[])[];

/** Rows of a QR code from the top: true where a square is dark. */
export type Squares = readonly (readonly boolean[])[];

export type InnerFile = { name: string; text: string; type: string; description: string };

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

/** Collects objects in the order of their numbers, from 1. A number can be reserved for references to it. */
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

export async function writePdf(content: {
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
}): Promise<Uint8Array<ArrayBuffer>> {
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
function joinObjects(objects: readonly PdfObject[], { catalog, info }: { catalog: number; info: number }) {
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
