import { deflateSync } from "node:zlib";
import { encode } from "uqr";
import { outlinesOf, pictureOf } from "./painted";
import { appendRevision, HELVETICA, join, latin, literal, PdfFile, words } from "./pdf-file";

/** Fraudulent invoices. No reader may be certain of `never`, and each trap must be reported or refused. */
export type Trap = {
  name: string;
  bytes: () => Promise<Uint8Array> | Uint8Array;
  /** Digits of accounts that a person does not see, or sees differently. */
  never: string[];
  /** The account a person sees, if it may be read with certainty. */
  seen?: string;
  /** One of these findings is expected; if there are none, the document has to be refused. */
  named: string[];
};

const REAL = "06200012345678";
const BAD = "73200199887766";
const real = ["BSB: 062-000", "Account number: 12345678"] as const;
const bad = ["BSB: 732-001", "Account number: 99887766"] as const;

const HEAD =
  words("TAX INVOICE INV-2207", 380, 780, 14) +
  words("Karri Floors Pty Ltd", 50, 780) +
  words("ABN 51 824 753 556", 50, 766) +
  words("Bill to: Murray Cafe Pty Ltd", 50, 720) +
  words("Sanding and sealing of floors", 50, 640) +
  words("$1,837.00", 480, 640) +
  words("Total due", 380, 600) +
  words("$1,837.00", 480, 600);

const lines = (texts: readonly string[], x = 50, y = 480, extra = "", size = 10) =>
  texts.map((text, index) => words(text, x, y - index * 14, size, extra)).join("");

function onePage(content: string, resources = "", extra = "", change: (file: PdfFile) => void = () => {}): Uint8Array {
  const file = new PdfFile();
  file.page(HEAD + content, HELVETICA + resources, extra);
  change(file);
  return file.toBytes();
}

/** The supplier's own account is visible, and another one is hidden in some way. */
const HIDDEN: Record<string, () => Uint8Array> = {
  "mode 3": () => onePage(`${lines(real) + lines(bad, 50, 400, "3 Tr")}BT 0 Tr ET`),
  "white on white": () => onePage(`${lines(real)}1 g ${lines(bad, 50, 400)} 0 g`),
  "nearly white": () => onePage(`${lines(real)}0.97 g ${lines(bad, 50, 400)} 0 g`),
  "yellow on white": () => onePage(`${lines(real)}1 1 0 rg ${lines(bad, 50, 400)} 0 g`),
  "the colour of a panel": () => onePage(`${lines(real)}0.2 0.3 0.5 rg 40 370 300 60 re f ${lines(bad, 50, 400)} 0 g`),
  "type of half a point": () => onePage(lines(real) + lines(bad, 50, 400, "", 0.5)),
  "scaled to nothing": () => onePage(`${lines(real)} q 0.02 0 0 0.02 50 400 cm ${lines(bad, 0, 0)} Q`),
  "off the page": () => onePage(lines(real) + lines(bad, 900, 400)),
  "below the crop box": () => onePage(lines(real) + lines(bad, 50, 40), "", "/CropBox [0 100 595 842]"),
  "under a white box": () => onePage(`${lines(real)}${lines(bad, 50, 400)} 1 g 40 370 300 50 re f 0 g`),
  "clipped away": () => onePage(`${lines(real)} q 0 0 10 10 re W n ${lines(bad, 50, 400)} Q`),
  "seen through": () =>
    onePage(`${lines(real)} q /G0 gs ${lines(bad, 50, 400)} Q`, "/ExtGState << /G0 << /ca 0 /CA 0 >> >>"),
  "nearly seen through": () =>
    onePage(`${lines(real)} q /G0 gs ${lines(bad, 50, 400)} Q`, "/ExtGState << /G0 << /ca 0.05 /CA 0.05 >> >>"),
  "as a clip alone": () => onePage(`${lines(real)} q ${lines(bad, 50, 400, "7 Tr")} Q`),
  "in a layer that is off": () => {
    const file = new PdfFile();
    const layer = file.add("<< /Type /OCG /Name (Draft) >>");
    file.page(
      `${HEAD}${lines(real)} /OC /L1 BDC ${lines(bad, 50, 400)} EMC`,
      `${HELVETICA} /Properties << /L1 ${layer} 0 R >>`,
    );
    file.catalog(`/OCProperties << /OCGs [${layer} 0 R] /D << /OFF [${layer} 0 R] >> >>`);
    return file.toBytes();
  },
  "in a form of size zero": () => {
    const file = new PdfFile();
    const form = file.stream(
      lines(bad, 50, 400),
      `/Type /XObject /Subtype /Form /BBox [0 0 0 0] /Resources << ${HELVETICA} >>`,
    );
    file.page(`${HEAD}${lines(real)} /X1 Do`, `${HELVETICA} /XObject << /X1 ${form} 0 R >>`);
    return file.toBytes();
  },
  "under a picture": () => {
    const file = new PdfFile();
    const picture = file.stream(
      new Uint8Array(3).fill(255),
      "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8",
    );
    file.page(
      `${HEAD}${lines(real)}${lines(bad, 50, 400)} q 300 0 0 60 40 370 cm /X1 Do Q`,
      `${HELVETICA} /XObject << /X1 ${picture} 0 R >>`,
    );
    return file.toBytes();
  },
  "one hidden digit among the visible": () =>
    onePage(
      `${words("BSB: 062-000", 50, 480)} BT /F1 10 Tf 1 0 0 1 50 466 Tm (Account number: 1234) Tj 3 Tr (999888) Tj 0 Tr ET BT /F1 10 Tf 1 0 0 1 150.6 466 Tm (5678) Tj ET`,
    ),
};

/** A font whose map says other digits than it paints. */
function lyingFont(file: PdfFile, turn: (digit: number) => number, isWholeFont = true): number {
  const pairs = Array.from(
    { length: 10 },
    (_, digit) => `<${(0x30 + digit).toString(16)}> <${(0x30 + turn(digit)).toString(16).padStart(4, "0")}>`,
  );
  const map = file.stream(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 10 beginbfchar ${pairs.join(" ")} endbfchar ${isWholeFont ? "1 beginbfrange <41> <7a> <0041> endbfrange" : ""} endcmap end end`,
  );
  return file.add(
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode ${map} 0 R >>`,
  );
}

const lying = (turn: (digit: number) => number, text = bad): Uint8Array => {
  const file = new PdfFile();
  const font = lyingFont(file, turn);
  const content = text
    .map(
      (line, index) =>
        `BT /F1 10 Tf 1 0 0 1 50 ${480 - index * 14} Tm ${literal(line.replace(/[\d-]+$/, ""))} Tj /F9 10 Tf ${literal(/[\d-]+$/.exec(line)?.[0] ?? "")} Tj ET\n`,
    )
    .join("");
  file.page(HEAD + content, HELVETICA.replace("/Font <<", `/Font << /F9 ${font} 0 R`));
  return file.toBytes();
};

const annotation = (body: string, linksBefore = 0) => {
  const file = new PdfFile();
  const one = file.add(`<< /Type /Annot /Rect [50 380 300 420] ${body} >>`);
  const link = file.add("<< /Type /Annot /Subtype /Link /Rect [50 20 60 30] >>");
  file.page(HEAD + lines(real), HELVETICA, `/Annots [${`${link} 0 R `.repeat(linksBefore)}${one} 0 R]`);
  return file.toBytes();
};

/** A note over the account, with a look of its own, by its flags shown on the screen, on paper or on both. */
function noted(flags: number): Uint8Array {
  const file = new PdfFile();
  const look = file.stream(
    `1 1 1 rg 0 0 220 40 re f 0 g ${lines(bad, 0, 28)}`,
    `/Type /XObject /Subtype /Form /BBox [0 0 220 40] /Resources << ${HELVETICA} >>`,
  );
  const note = file.add(
    `<< /Type /Annot /Subtype /FreeText /F ${flags} /Rect [50 458 270 498] /AP << /N ${look} 0 R >> >>`,
  );
  file.page(HEAD + lines(real), HELVETICA, `/Annots [${note} 0 R]`);
  return file.toBytes();
}

function withAttachment(name: string, content: string): Uint8Array {
  return onePage(lines(real), "", "", (file) => {
    const data = file.stream(content, "/Type /EmbeddedFile");
    const spec = file.add(`<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F ${data} 0 R >> >>`);
    file.catalog(`/Names << /EmbeddedFiles << /Names [(${name}) ${spec} 0 R] >> >>`);
  });
}

function revised(before: string, after: string): Uint8Array {
  const file = new PdfFile();
  file.page(HEAD + before, HELVETICA);
  const bytes = file.toBytes();
  const content = latin(HEAD + after);
  // The content stream is the first object after the one of the pages.
  return appendRevision(
    bytes,
    new Map([[2, join([latin(`<< /Length ${content.length} >>\nstream\n`), content, latin("\nendstream")])]]),
  );
}

/** A picture of words beside the real account, changed in some way. */
async function besideReal(
  change: (picture: { pixels: Uint8Array; width: number; height: number }) => {
    pixels: Uint8Array;
    width: number;
    height: number;
  },
  texts: readonly string[] = bad,
  size = 1 / 3,
): Promise<Uint8Array> {
  const file = new PdfFile();
  const { pixels, width, height } = change(await pictureOf(texts));
  const picture = file.stream(
    new Uint8Array(deflateSync(pixels)),
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
  );
  const [wide, tall] = [width * size, height * size];
  file.page(
    `${HEAD}${lines(real)} q ${wide} 0 0 ${tall} 50 ${440 - tall} cm /X1 Do Q`,
    `${HELVETICA} /XObject << /X1 ${picture} 0 R >>`,
  );
  return file.toBytes();
}

/** Words painted as one picture or as outlines. @param pale from 0, black on white, to 1 */
async function painted(
  texts: readonly string[],
  hidden: readonly string[],
  as: "picture" | "outlines",
  beside: readonly string[] = [],
  pale = 0,
): Promise<Uint8Array> {
  const file = new PdfFile();
  const under = lines(beside, 50, 380) + (hidden.length > 0 ? lines(hidden, 50, 480, "3 Tr") : "");
  if (as === "outlines") {
    file.page(HEAD + under + (await outlinesOf(texts, 50, 480)), HELVETICA);
    return file.toBytes();
  }
  const { pixels, width, height } = await pictureOf(texts);
  const picture = file.stream(
    new Uint8Array(deflateSync(pixels.map((value) => value + (255 - value) * pale))),
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
  );
  file.page(
    `${HEAD}${under} q ${width / 3} 0 0 ${height / 3} 50 ${490 - height / 3} cm /X1 Do Q`,
    `${HELVETICA} /XObject << /X1 ${picture} 0 R >>`,
  );
  return file.toBytes();
}

/** A page that is a picture, with a text layer of somebody's software over it. */
async function scanned(shown: readonly string[], layer: readonly string[]): Promise<Uint8Array> {
  const file = new PdfFile();
  const { pixels, width, height } = await pictureOf(shown);
  const picture = file.stream(
    new Uint8Array(deflateSync(pixels)),
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
  );
  const scale = 595 / (width / 3);
  const text = layer
    .map((line, row) => words(line, 4 * scale, 842 - (14 + row * 14) * scale, 10 * scale, "3 Tr"))
    .join("");
  const tall = (height / 3) * scale;
  file.page(`q 595 0 0 ${tall} 0 ${842 - tall} cm /X1 Do Q ${text}`, `${HELVETICA} /XObject << /X1 ${picture} 0 R >>`);
  return file.toBytes();
}

/** A stamp that says in its picture what it says nowhere in words. */
function stamped(): Uint8Array {
  const file = new PdfFile();
  const look = file.stream(
    lines(bad, 0, 30),
    `/Type /XObject /Subtype /Form /BBox [0 0 300 60] /Resources << ${HELVETICA} >>`,
  );
  const stamp = file.add(`<< /Type /Annot /Subtype /Stamp /F 4 /Rect [50 380 350 440] /AP << /N ${look} 0 R >> >>`);
  file.page(HEAD + lines(real), HELVETICA, `/Annots [${stamp} 0 R]`);
  return file.toBytes();
}

/** The page of the verified account, with something else on it. */
const besideIt = (content: string, resources = "") => onePage(lines(real) + content, resources);

/** The digits of a font of dots, five wide and seven high. */
const DOTS: Record<string, string> = {
  0: "01110100011000110001100011000101110",
  1: "00100011000010000100001000010001110",
  2: "01110100010000100010001000100011111",
  3: "11111000100010000010000011000101110",
  6: "00110010001000011110100011000101110",
  7: "11111000010001000100010000100001000",
  8: "01110100011000101110100011000101110",
  9: "01110100011000101111000010001001100",
};

/** The same, row by row: 1 where a digit has ink. */
export const rowsOfDots = (text: string): string[] =>
  Array.from({ length: 7 }, (_, row) =>
    [...text].map((letter) => (DOTS[letter] ?? "").slice(row * 5, row * 5 + 5)).join("00"),
  );

/** In place of each of those dots, nine printed dots. */
const printed = (text: string, x: number, y: number): string =>
  rowsOfDots(text)
    .flatMap((row, line) =>
      [...row].flatMap((ink, column) =>
        Array.from({ length: ink === "1" ? 9 : 0 }, (_, dot) => {
          const [left, up] = [x + (column * 3 + (dot % 3)) * 0.8, y - (line * 3 + Math.floor(dot / 3)) * 0.8];
          return `${left.toFixed(2)} ${up.toFixed(2)} 0.6 0.6 re f`;
        }),
      ),
    )
    .join(" ");

/** Along a circle, each letter turned. */
async function around(text: string, radius: number, isOutline = true): Promise<string> {
  const letters = [...text].map(async (letter, at) => {
    const angle = Math.PI / 2 - (at * 2 * Math.PI) / text.length;
    const [along, across] = [Math.sin(angle), -Math.cos(angle)];
    const [x, y] = [300 + radius * Math.cos(angle), 330 + radius * Math.sin(angle)];
    const turn = [along, across, -across, along, x, y].map((value) => value.toFixed(4)).join(" ");
    return `q ${turn} cm ${isOutline ? await outlinesOf([letter], -4, 0, 13) : words(letter, -4, 0, 13)} Q`;
  });
  return (await Promise.all(letters)).join("\n");
}

/** Up and down, each letter upright or leaning with the line. */
async function waving(text: string, doesLean: boolean): Promise<string> {
  const letters = [...text].map(async (letter, at) => {
    const [x, y] = [60 + at * 13, 330 + 12 * Math.sin(at * 0.9)];
    const lean = doesLean ? Math.atan((12 * 0.9 * Math.cos(at * 0.9)) / 13) : 0;
    const turn = [Math.cos(lean), Math.sin(lean), -Math.sin(lean), Math.cos(lean), x, y];
    return letter === " "
      ? ""
      : `q ${turn.map((value) => value.toFixed(4)).join(" ")} cm ${await outlinesOf([letter], 0, 0, 13)} Q`;
  });
  return (await Promise.all(letters)).join("\n");
}

/** A QR code, its modules in points. */
export const coded = (text: string, x = 60, y = 330, module = 2): string => {
  const { data } = encode(text);
  return data
    .flatMap((row, line) =>
      row.map((isDark, at) => (isDark ? `${x + at * module} ${y - line * module} ${module} ${module} re f` : "")),
    )
    .join(" ");
};
const CODED = ["qr_code_with_bank_details"];

const dotted = (text: string, x: number, y: number, step: number): string =>
  [...text]
    .flatMap((letter, place) =>
      [...(DOTS[letter] ?? "")].map((dot, at) => {
        const [left, up] = [x + (place * 6.5 + (at % 5)) * step, y + (6 - Math.floor(at / 5)) * step];
        return dot === "1" ? `${left.toFixed(2)} ${up.toFixed(2)} ${step * 0.7} ${step * 0.7} re` : "";
      }),
    )
    .join(" ");

/** A font that paints digits and calls them letters, or nothing. */
function calledOtherwise(text: string, names: string): Uint8Array {
  const file = new PdfFile();
  const pairs = [...text].map(
    (sign, at) =>
      `<${sign.charCodeAt(0).toString(16)}> <${(names[at] ?? "\ufffd").charCodeAt(0).toString(16).padStart(4, "0")}>`,
  );
  const map = file.stream(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange ${pairs.length} beginbfchar ${pairs.join(" ")} endbfchar endcmap end end`,
  );
  const font = file.add(
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode ${map} 0 R >>`,
  );
  const content = "BT /F9 10 Tf 1 0 0 1 50 400 Tm (732001 99887766) Tj ET";
  file.page(`${HEAD}${lines(real)}${content}`, HELVETICA.replace("/Font <<", `/Font << /F9 ${font} 0 R`));
  return file.toBytes();
}

/** The verified account, and after "Now" digits of a font that calls them digits in circles. */
function circled([closed = "", now = ""]: readonly string[]): Uint8Array {
  const file = new PdfFile();
  const pairs = Array.from({ length: 10 }, (_, digit) => {
    const code = digit === 0 ? 0x24ea : 0x245f + digit;
    return `<${(0x30 + digit).toString(16)}> <${code.toString(16)}>`;
  });
  const map = file.stream(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 10 beginbfchar ${pairs.join(" ")} endbfchar endcmap end end`,
  );
  const font = file.add(
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode ${map} 0 R >>`,
  );
  const number = `BT /F9 10 Tf 1 0 0 1 80 440 Tm ${literal(now.replace(/\D/g, ""))} Tj ET`;
  const text = lines(["BSB: 062-000", closed]) + words("Now:", 50, 440) + number;
  file.page(HEAD + text, HELVETICA.replace("/Font <<", `/Font << /F9 ${font} 0 R`));
  return file.toBytes();
}

/** The verified account in words, and pages that show another one as outlines. */
async function furtherPages(blank: number): Promise<Uint8Array> {
  const file = new PdfFile();
  file.page(HEAD + lines(real), HELVETICA);
  for (let page = 0; page < blank; page += 1) file.page(words("Terms of sale of this order", 50, 780), HELVETICA);
  file.page(await outlinesOf(["Our bank details have changed", ...bad], 50, 700), HELVETICA);
  return file.toBytes();
}

/** A layer that is shown on paper alone. */
function layered(content: string): Uint8Array {
  const file = new PdfFile();
  const layer = file.add(
    "<< /Type /OCG /Name (L) /Usage << /Print << /PrintState /ON >> /View << /ViewState /OFF >> >> >>",
  );
  file.page(`${HEAD}${lines(real)} /OC /L1 BDC ${content} EMC`, `${HELVETICA} /Properties << /L1 ${layer} 0 R >>`);
  const own = `/OCGs [${layer} 0 R]`;
  const uses = ["View", "Print"].map((use) => `<< /Event /${use} ${own} /Category [/${use}] >>`).join(" ");
  file.catalog(`/OCProperties << ${own} /D << /AS [${uses}] >> >>`);
  return file.toBytes();
}

/** A field that belongs to no form, with a look of its own. */
function fieldAlone(look: string): Uint8Array {
  const file = new PdfFile();
  const own = file.stream(look, `/Type /XObject /Subtype /Form /BBox [0 0 250 40] /Resources << ${HELVETICA} >>`);
  const field = file.add(
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (x) /F 4 /Rect [50 380 300 420] /AP << /N ${own} 0 R >> >>`,
  );
  file.page(HEAD + lines(real), HELVETICA, `/Annots [${field} 0 R]`);
  return file.toBytes();
}

/** A picture whose data cannot be decoded: nothing is painted. */
function lostPicture(): Uint8Array {
  const file = new PdfFile();
  const picture = file.stream(
    Uint8Array.from({ length: 3_000 }, (_, at) => (at * 97) % 251),
    "/Type /XObject /Subtype /Image /Width 400 /Height 100 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode",
  );
  file.page(`${HEAD}${lines(real)} q 200 0 0 50 50 330 cm /X1 Do Q`, `${HELVETICA} /XObject << /X1 ${picture} 0 R >>`);
  return file.toBytes();
}

const PICTURED = ["account_could_not_be_read", "picture_could_not_be_read"];
const LOOSE = ["number_without_label"];
const OTHERWISE = ["number_written_otherwise"];

/** Beside the verified account stands another, in a way that is not read as words. */
const BESIDE: Record<string, [() => Promise<Uint8Array> | Uint8Array, string[]]> = {
  "in letters of half an inch": [
    async () => besideIt((await outlinesOf(["732 001"], 50, 300, 48)) + (await outlinesOf(["99887766"], 50, 240, 48))),
    PICTURED,
  ],
  "in yellow outlines": [
    async () => besideIt((await outlinesOf(bad, 50, 340, 11)).replace("0 g", "1 0.9 0.3 rg")),
    PICTURED,
  ],
  "in hollow letters of a hairline": [
    async () => besideIt((await outlinesOf(bad, 50, 340, 12)).replaceAll(" f\n", " S\n").replace("0 g", "0.6 G 0.3 w")),
    PICTURED,
  ],
  "in dots": [() => besideIt(`${dotted("732001", 50, 320, 1.4)} ${dotted("99887766", 50, 300, 1.4)} f`), PICTURED],
  "in large dots": [() => besideIt(`${dotted("732001", 50, 320, 3)} ${dotted("99887766", 50, 280, 3)} f`), PICTURED],
  "in the dots of a printer": [
    () => besideIt(`${printed("732001", 50, 340)} ${printed("99887766", 50, 310)}`),
    PICTURED,
  ],
  "around a stamp": [async () => besideIt(await around("PAY TO BSB 732-001 ACCOUNT 99887766 ", 80)), PICTURED],
  "around a stamp, as words": [
    async () => besideIt(await around("PAY TO BSB 732-001 ACCOUNT 99887766 ", 80, false)),
    PICTURED,
  ],
  "one digit below the other": [
    () => besideIt([..."73200199887766"].map((digit, at) => words(digit, 50 + at * 6, 400 - at * 12)).join("")),
    OTHERWISE,
  ],
  "in dots that are words": [
    () =>
      besideIt(
        [..."732001", ..."99887766"]
          .flatMap((digit, place) =>
            rowsOfDots(digit).flatMap((row, line) =>
              [...row].map((ink, at) =>
                ink === "1"
                  ? words("\u00b7", 50 + ((place % 6) * 8 + at) * 2.2, 400 - (place > 5 ? 40 : 0) - line * 2.2, 12)
                  : "",
              ),
            ),
          )
          .join(""),
      ),
    [...PICTURED, ...OTHERWISE],
  ],
  "in lines that lean a little": [
    async () => besideIt(`q 0.99 0.13 -0.13 0.99 80 260 cm ${await outlinesOf(["Please pay to", ...bad], 0, 60)} Q`),
    PICTURED,
  ],
  "in digits made of signs": [
    () =>
      besideIt(
        [...rowsOfDots("732001"), " ", ...rowsOfDots("99887766")]
          .map((row, line) => words(row.replaceAll("1", "#").replaceAll("0", " "), 50, 400 - line * 10, 8))
          .join(""),
      ),
    OTHERWISE,
  ],
  "on a page of outlines alone": [() => furtherPages(0), PICTURED],
  "as outlines on a late page": [() => furtherPages(22), PICTURED],
  "in a layer for paper alone": [async () => layered(await outlinesOf(bad, 50, 340, 11)), PICTURED],
  "in a field that belongs to no form": [async () => fieldAlone(await outlinesOf(bad, 2, 26, 10)), PICTURED],
  "as what is put over an erased part": [
    () => annotation("/Subtype /Redact /OverlayText (BSB 732001 Account 99887766)"),
    ["annotation_with_bank_details"],
  ],
  "in a picture that cannot be decoded": [lostPicture, PICTURED],
  "in digits that their font calls letters": [() => calledOtherwise("0123456789", "etaoinshrd"), ["glyphs_differ"]],
  "in digits that their font calls other digits": [
    () => calledOtherwise("0123456789", "4567890123"),
    ["glyphs_differ"],
  ],
  "in digits that their font does not name": [() => calledOtherwise("0123456789", ""), PICTURED],
  "parted by other signs": [() => besideIt(lines(["Pay to 732*001*99887766"], 50, 400)), OTHERWISE],
  "in words": [
    () => besideIt(lines(["Pay to seven three two zero zero one, nine nine eight eight seven seven six six"], 50, 400)),
    OTHERWISE,
  ],
  "in outlines along a wave": [async () => besideIt(await waving("BSB 732-001 ACC 99887766", false)), PICTURED],
  "in outlines that lean along a wave": [async () => besideIt(await waving("732-001 99887766", true)), PICTURED],
  "in a QR code": [() => besideIt(coded("BSB 732-001 Account 99887766")), CODED],
  "in a small QR code that is turned and orange": [
    () => besideIt(`1 0.6 0.2 rg q 0.94 0.34 -0.34 0.94 150 300 cm ${coded("732-001 99887766", 0, 60, 1)} Q`),
    CODED,
  ],
  "in a QR code, light on dark": [
    () => besideIt(`0.1 0.2 0.4 rg 50 200 150 150 re f 1 g ${coded("732-001 99887766", 75, 320, 3)} 0 g`),
    CODED,
  ],
  "as a PayID in a QR code": [
    () =>
      besideIt(
        coded("00020126420014au.com.nppa.qr0120pay@somebody.example5204000053030365802AU5905Karri6005Perth6304ABCD"),
      ),
    CODED,
  ],
  "in a QR code below a row of squares in frames": [
    () => {
      const frame = (x: number) => `${x} 350 7 7 re ${x + 1} 351 5 5 re f* ${x + 2} 352 3 3 re f`;
      return besideIt(
        `${Array.from({ length: 61 }, (_, at) => frame(20 + at * 9)).join(" ")} ${coded("732-001 99887766")}`,
      );
    },
    CODED,
  ],
  "at a link in a QR code": [
    () => besideIt(coded("https://pay.elsewhere.example/inv-2207")),
    ["qr_code_leads_elsewhere"],
  ],
  "in a QR code that is damaged": [
    () => besideIt(`${coded("732-001 99887766", 60, 330, 3)} 1 g 84 268 60 40 re f 0 g`),
    ["qr_code_not_read"],
  ],
  "as one number": [() => besideIt(lines(["Pay 73200199887766"], 50, 400)), LOOSE],
  "as two large numbers": [() => besideIt(words("732-001", 50, 300, 40) + words("99887766", 50, 250, 40)), LOOSE],
};

const covers = (content: string) => onePage(`${lines(["BSB: 062-000", "Account number: 88345678"])}${content}`);

const others: Trap[] = [
  {
    name: "edited in place: a white box over the account, and another one on it",
    bytes: () => onePage(`${lines(real)} 1 g 45 455 200 40 re f 0 g ${lines(bad)}`),
    never: [REAL, BAD],
    named: ["text_over_text"],
  },
  {
    name: "edited in place, a point to the side",
    bytes: () => onePage(`${lines(real)} 1 g 45 455 200 40 re f 0 g ${lines(bad, 51.5, 479)}`),
    never: [REAL, BAD],
    named: ["text_over_text", "hidden_text"],
  },
  {
    name: "two accounts on one spot",
    bytes: () => onePage(lines(real) + lines(bad)),
    never: [REAL, BAD],
    named: ["text_over_text", "account_could_not_be_read", "glyphs_differ"],
  },
  {
    name: "a font that says each digit is the next",
    bytes: () => lying((digit) => (digit + 1) % 10),
    never: [BAD, "84301200998877", "84301200998877"],
    named: ["glyphs_differ"],
  },
  {
    name: "a font that says all digits are others",
    bytes: () => lying((digit) => [5, 7, 0, 6, 9, 8, 3, 4, 1, 2][digit] ?? 0),
    never: [BAD, "46057722114433"],
    named: ["glyphs_differ"],
  },
  {
    name: "a font that lies about one digit",
    bytes: () => lying((digit) => (digit === 7 ? 1 : digit)),
    never: ["13200199881166"],
    named: ["glyphs_differ"],
  },
  {
    name: "a font that takes 3 and 8 for each other",
    bytes: () => lying((digit) => (digit === 3 ? 8 : digit === 8 ? 3 : digit)),
    never: ["78200199337766"],
    named: ["glyphs_differ"],
  },
  {
    name: "a font that takes 6 and 9 for each other",
    bytes: () => lying((digit) => (digit === 6 ? 9 : digit === 9 ? 6 : digit)),
    never: ["73200166887799"],
    named: ["glyphs_differ"],
  },
  {
    name: "words that are declared to be others",
    bytes: () =>
      onePage(
        `${words("BSB: 732-001", 50, 480)} /Span << /ActualText (Account number: 12345678) >> BDC ${words("Account number: 99887766", 50, 466)} EMC`,
      ),
    never: ["73200112345678"],
    seen: BAD,
    named: [],
  },
  {
    name: "a whole account that programs which read aloud would say",
    bytes: () => onePage(`/Span << /ActualText (${bad.join(" ")}) >> BDC ${lines(real)} EMC`),
    never: [BAD],
    seen: REAL,
    named: ["hidden_text"],
  },
  {
    name: "a picture of another account beside the text of the verified one",
    bytes: () => painted(bad, [], "picture", real),
    never: [BAD],
    named: ["account_could_not_be_read"],
  },
  {
    name: "a pale picture of another account beside the text of the verified one",
    bytes: () => painted(bad, [], "picture", real, 0.6),
    never: [BAD],
    named: ["account_could_not_be_read"],
  },
  ...[
    { name: "a note over the account, on paper alone", flags: 4 | 32 },
    { name: "a note over the account, on the screen alone", flags: 0 },
  ].map(({ name, flags }) => ({
    name,
    bytes: () => noted(flags),
    never: [REAL, BAD],
    named: ["glyphs_differ", "hidden_text", "text_differs_from_picture"],
  })),
  {
    name: "a number in two halves of five digits",
    bytes: () => onePage(lines(["BSB: 062-000", "Account number: 12345"]) + words("67890", 180, 466)),
    never: ["06200012345", "06200067890"],
    named: ["account_could_not_be_read"],
  },
  {
    name: "digits without a name in their font",
    bytes: () => {
      const file = new PdfFile();
      const names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
      const signs = names.map(
        (name, at) => [`/sign${at}`, file.stream(`556 0 d0 0 0 400 600 re f % ${name}`)] as const,
      );
      const font = file.add(
        `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << ${signs.map(([name, number]) => `${name} ${number} 0 R`).join(" ")} >> /Encoding << /Differences [48 ${signs.map(([name]) => name).join(" ")}] >> /FirstChar 48 /LastChar 57 /Widths [${names.map(() => 556).join(" ")}] /Resources << >> >>`,
      );
      const odd = (text: string, x: number, y: number) => `BT /F9 10 Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET\n`;
      file.page(
        HEAD + lines(["BSB:", "Account number:"]) + odd("062000", 140, 480) + odd("12345678", 140, 466),
        HELVETICA.replace("/Font <<", `/Font << /F9 ${font} 0 R`),
      );
      return file.toBytes();
    },
    never: [REAL],
    named: ["account_could_not_be_read"],
  },
  {
    name: "white lines among lines that slope",
    bytes: () =>
      onePage(
        [...real, ...bad]
          .map(
            (line, at) =>
              `${at < 2 ? 0 : 1} g BT /F1 10 Tf 0.99 0.14 -0.14 0.99 50 ${480 - at * 14} Tm ${literal(line)} Tj ET`,
          )
          .join("\n"),
      ),
    never: [BAD],
    seen: REAL,
    named: ["hidden_text"],
  },
  {
    name: "a title with another account",
    bytes: () =>
      onePage(lines(real), "", "", (file) => {
        file.catalog("/ViewerPreferences << /DisplayDocTitle true >>");
        file.trailer(`/Info ${file.add("<< /Title (CURRENT DETAILS BSB 732-001 Account 99887766) >>")} 0 R`);
      }),
    never: [BAD],
    seen: REAL,
    named: ["annotation_with_bank_details"],
  },
  {
    name: "bookmarks with another account",
    bytes: () =>
      onePage(lines(real), "", "", (file) => {
        const second = file.add("<< /Title (Account 99887766) >>");
        const first = file.add(`<< /Title (Pay to BSB 732-001) /Next ${second} 0 R >>`);
        file.catalog(
          `/Outlines ${file.add(`<< /Type /Outlines /First ${first} 0 R /Last ${second} 0 R /Count 2 >>`)} 0 R`,
        );
      }),
    never: [BAD],
    seen: REAL,
    named: ["annotation_with_bank_details"],
  },
  {
    name: "a title in XML with another account",
    bytes: () =>
      onePage(lines(real), "", "", (file) => {
        const words = "Pay BSB 732-001 Account 99887766";
        const title = `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${words}</rdf:li></rdf:Alt></dc:title>`;
        file.catalog(`/Metadata ${file.stream(title, "/Type /Metadata /Subtype /XML")} 0 R`);
      }),
    never: [BAD],
    seen: REAL,
    named: ["annotation_with_bank_details"],
  },
  {
    name: "a packed title in XML with another account",
    bytes: () =>
      onePage(lines(real), "", "", (file) => {
        const title = "<dc:title><rdf:li>Pay BSB 732-001 Account 99887766</rdf:li></dc:title>";
        const packed = new Uint8Array(deflateSync(latin(title)));
        file.catalog(`/Metadata ${file.stream(packed, "/Type /Metadata /Subtype /XML /Filter /FlateDecode")} 0 R`);
      }),
    never: [BAD],
    seen: REAL,
    named: ["annotation_with_bank_details"],
  },
  {
    name: "a comment with another account",
    bytes: () => annotation(`/Subtype /Text /Contents (New details: BSB 732-001 Account 99887766)`),
    never: [BAD],
    seen: REAL,
    named: ["annotation_with_bank_details"],
  },
  {
    name: "a comment that announces another account",
    bytes: () => annotation(`/Subtype /Text /Contents (Our bank details have changed, call Sam for them)`),
    never: [BAD],
    seen: REAL,
    named: ["new_bank_details_words"],
  },
  {
    name: "a comment with another account behind four hundred links",
    bytes: () =>
      annotation(`/Subtype /FreeText /DA (/Helv 10 Tf 0 g) /Contents (Pay BSB 732-001 Account 99887766)`, 400),
    never: [BAD],
    seen: REAL,
    named: ["annotation_with_bank_details"],
  },
  {
    name: "a free text on the page",
    bytes: () => annotation(`/Subtype /FreeText /DA (/Helv 10 Tf 0 g) /Contents (Pay to BSB 732-001 Account 99887766)`),
    never: [BAD],
    seen: REAL,
    named: ["annotation_with_bank_details"],
  },
  {
    name: "a field with another account",
    bytes: () => {
      const file = new PdfFile();
      const page = file.reserve();
      const field = file.add(
        `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Bank details) /V (BSB 732-001 Account 99887766) /Rect [50 380 300 400] /P ${page} 0 R /DA (/Helv 10 Tf 0 g) >>`,
      );
      file.page(HEAD + lines(real), HELVETICA, `/Annots [${field} 0 R]`);
      file.set(page, "null");
      file.catalog(
        `/AcroForm << /Fields [${field} 0 R] /DA (/Helv 10 Tf 0 g) /DR << ${HELVETICA.replace("/F1", "/Helv")} >> >>`,
      );
      return file.toBytes();
    },
    never: [BAD],
    seen: REAL,
    named: ["field_with_bank_details"],
  },
  {
    name: "an attached text with another account",
    bytes: () => withAttachment("remittance.txt", "New bank details\nBSB: 732-001\nAccount number: 99887766\n"),
    never: [BAD],
    seen: REAL,
    named: ["attachment_with_bank_details"],
  },
  {
    name: "an attached PDF with another account",
    bytes: () => withAttachment("details.pdf", new TextDecoder("latin1").decode(onePage(lines(bad)))),
    never: [BAD],
    seen: REAL,
    named: ["attachment_with_bank_details"],
  },
  {
    name: "a later revision with another account",
    bytes: () => revised(lines(real), lines(bad)),
    never: [REAL, BAD],
    named: ["later_revision_changed_account"],
  },
  {
    name: "a later revision with another account number alone",
    bytes: () => revised(lines(real), lines(["BSB: 062-000", "Account number: 12345687"])),
    never: [REAL, "06200012345687"],
    named: ["later_revision_changed_account"],
  },
  {
    name: "a script that runs when it is opened",
    bytes: () =>
      onePage(lines(real), "", "", (file) => file.catalog("/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>")),
    never: [BAD],
    seen: REAL,
    named: ["script_action"],
  },
  {
    name: "the account as a picture, another as hidden text",
    bytes: () => painted(bad, real, "picture"),
    never: [REAL, BAD],
    named: ["hidden_text"],
  },
  {
    name: "the account as outlines, another as hidden text",
    bytes: () => painted(bad, real, "outlines"),
    never: [REAL, BAD],
    named: ["hidden_text"],
  },
  {
    name: "the account as a picture alone",
    bytes: () => painted(bad, [], "picture"),
    never: [REAL, BAD],
    named: ["picture_without_text"],
  },
  {
    name: "the account as outlines alone",
    bytes: () => painted(bad, [], "outlines"),
    never: [REAL, BAD],
    named: ["picture_without_text"],
  },
  {
    name: "an account in words, and another as a picture",
    bytes: async () => painted(["New account from November", ...bad], [], "picture"),
    never: [BAD],
    named: ["picture_without_text"],
  },
  {
    name: "the account as a small and pale picture alone",
    bytes: () => painted(["BSB 732-001 Account 99887766"], [], "picture", [], 0.65),
    never: [REAL, BAD],
    named: ["picture_without_text"],
  },
  {
    name: "beside the account, another as a picture that reads upwards",
    bytes: () =>
      besideReal(({ pixels, width, height }) => ({
        pixels: pixels.map((_, at) => pixels[(at % height) * width + (width - 1 - Math.floor(at / height))] ?? 255),
        width: height,
        height: width,
      })),
    never: [BAD],
    named: ["account_could_not_be_read"],
  },
  {
    name: "beside the account, another as a picture that stands on its head",
    bytes: () => besideReal((picture) => ({ ...picture, pixels: picture.pixels.slice().reverse() })),
    never: [BAD],
    named: ["account_could_not_be_read"],
  },
  {
    name: "beside the account, another as a small picture in grey on grey",
    bytes: () =>
      besideReal((picture) => ({ ...picture, pixels: picture.pixels.map((luma) => 150 + luma * 0.3) }), bad, 0.2),
    never: [BAD],
    named: ["account_could_not_be_read"],
  },
  {
    name: "beside the account, another as a picture out of focus",
    bytes: () =>
      besideReal(({ pixels, width, height }) => ({
        pixels: pixels.map((_, at) => {
          const near = [-width, 0, width].flatMap((row) =>
            [-1, 0, 1].map((column) => pixels[at + row + column] ?? 255),
          );
          return near.reduce((sum, luma) => sum + luma, 0) / 9;
        }),
        ...{ width, height },
      })),
    never: [BAD],
    named: ["account_could_not_be_read"],
  },
  {
    name: "a stamp across the account",
    bytes: () => {
      const file = new PdfFile();
      const look = file.stream(
        `1 0 0 rg BT /F1 24 Tf 1 0 0 1 0 6 Tm (APPROVED) Tj ET`,
        `/Type /XObject /Subtype /Form /BBox [0 0 160 30] /Resources << ${HELVETICA} >>`,
      );
      const stamp = file.add(`<< /Type /Annot /Subtype /Stamp /F 4 /Rect [60 460 220 490] /AP << /N ${look} 0 R >> >>`);
      file.page(HEAD + lines(real), HELVETICA, `/Annots [${stamp} 0 R]`);
      return file.toBytes();
    },
    never: [REAL],
    named: ["text_differs_from_picture", "glyphs_differ"],
  },
  {
    name: "a small raised digit right behind the account number",
    bytes: () =>
      onePage(
        `${words("BSB: 062-000", 50, 480)}BT /F1 10 Tf 1 0 0 1 50 466 Tm (Account number: 12345678) Tj 4 Ts /F1 6 Tf (9) Tj 0 Ts ET`,
      ),
    never: [REAL, `${REAL}9`],
    named: [],
  },
  {
    name: "a scanned page with its text layer",
    bytes: () =>
      scanned(["TAX INVOICE", "Karri Floors Pty Ltd", ...real], ["TAX INVOICE", "Karri Floors Pty Ltd", ...real]),
    never: [REAL, BAD],
    named: ["scanned_page"],
  },
  {
    name: "a scanned page whose text layer says another account",
    bytes: () =>
      scanned(["TAX INVOICE", "Karri Floors Pty Ltd", ...bad], ["TAX INVOICE", "Karri Floors Pty Ltd", ...real]),
    never: [REAL, BAD],
    named: ["text_differs_from_picture"],
  },
  { name: "a stamp with another account", bytes: stamped, never: [BAD], named: ["picture_without_text"] },
  {
    name: "a font that calls one digit a blank",
    bytes: () => lying((digit) => (digit === 7 ? -16 : digit)),
    never: ["73200199886", "320019988", "3200199886", "7320019988766", "732001998866", "7320019988"],
    named: [],
  },
  {
    name: "a font that calls the last digits nothing",
    bytes: () => lying((digit) => (digit === 6 ? 0x200b - 0x30 : digit)),
    never: ["732001998877"],
    named: [],
  },
  {
    name: "a number whose last digit is an outline",
    bytes: async () =>
      onePage(lines(["BSB: 062-000", "Account number: 1234567"]) + (await outlinesOf(["8"], 167.3, 466))),
    never: ["0620001234567"],
    named: ["text_differs_from_picture"],
  },
  {
    name: "letters after a blank",
    bytes: () => onePage(lines(["BSB: 062-000", "Account number: 12 345 O78"])),
    never: ["06200012345", "0620001234578"],
    named: ["account_could_not_be_read"],
  },
  {
    name: "numbers without words that a bank would use",
    bytes: () => onePage(lines(["Remit: 732-001 99887766"])),
    never: [],
    named: [],
  },
  {
    name: "the label as words and its digits as outlines",
    bytes: async () =>
      onePage(
        words("BSB:", 50, 480) +
          words("Account number:", 50, 466) +
          (await outlinesOf(["732-001"], 140, 480)) +
          (await outlinesOf(["99887766"], 140, 466)),
      ),
    never: [REAL, BAD],
    named: ["account_could_not_be_read", "picture_without_text"],
  },
  {
    name: "letters among the digits",
    bytes: () => onePage(lines(["BSB: O62-OOO", "Account number: l2345678"])),
    never: [REAL, "06200012345678", "0620002345678"],
    named: ["account_could_not_be_read"],
  },
  {
    name: "letters in the account number alone",
    bytes: () => onePage(lines(["BSB: 062-000", "Account number: 1234S678"])),
    never: [REAL, "062000678", "0620001234"],
    named: ["account_could_not_be_read"],
  },
  {
    name: "half a digit under a white box",
    bytes: () => covers("1 g 128.3 462 2.5 12 re f 0 g"),
    never: ["06200088345678"],
    named: ["text_differs_from_picture"],
  },
  {
    name: "a stroke that closes a digit",
    bytes: () =>
      onePage(
        `${lines(["BSB: 062-000", "Account number: 12345678"], 50, 480, "", 14)} 0 G 1.3 w 176.4 468 m 176.4 470.4 l S 176.4 471.6 m 176.4 474.5 l S`,
      ),
    never: [REAL],
    named: [],
  },
  {
    name: "an account of the customer's",
    bytes: () => onePage(lines(["We will debit your account", "BSB 062-000 Account 12345678", "on 17 November 2026"])),
    never: [],
    named: [],
  },
  {
    name: "new bank details in words",
    bytes: () => onePage(lines(["Please note that our bank details have changed.", ...bad])),
    never: [],
    seen: BAD,
    named: ["new_bank_details_words"],
  },
  {
    name: "a bank that has changed, in words",
    bytes: () => onePage(lines(["Our bank has changed, please use:", ...bad])),
    never: [],
    seen: BAD,
    named: ["new_bank_details_words"],
  },
  {
    name: "two accounts",
    bytes: () => onePage(lines(real) + lines(["or for large amounts", ...bad], 50, 400)),
    never: [],
    named: ["several_accounts"],
  },
  {
    name: "a smaller digit among the others",
    bytes: () =>
      onePage(
        `${words("BSB: 062-000", 50, 480)}BT /F1 10 Tf 1 0 0 1 50 466 Tm (Account number: 1234) Tj /F1 3.4 Tf (9) Tj /F1 10 Tf (5678) Tj ET`,
      ),
    never: [REAL, "062000123495678"],
    named: [],
  },
  {
    name: "half of the number in another column",
    bytes: () => onePage(lines(["BSB: 062-000", "Account number: 1234"]) + lines(["Thank you", "5678"], 320)),
    never: ["0620001234"],
    named: [],
  },
  {
    name: "a number with a dash at the end of its line",
    bytes: () => onePage(lines(["BSB: 062-000", "Account number: 12345-"]) + words("678", 50, 454)),
    never: ["06200012345"],
    named: [],
  },
  ...["/Type /EmbeddedFile", ""].map(
    (type): Trap => ({
      name: `a file pinned to the page with another account${type ? "" : ", whose type is not said"}`,
      bytes: () => {
        const file = new PdfFile();
        const data = file.stream(onePage(lines(bad)), type);
        const pin = file.add(
          `<< /Type /Annot /Subtype /FileAttachment /Rect [50 380 70 400] /FS << /Type /Filespec /F (new.pdf) /EF << /F ${data} 0 R >> >> >>`,
        );
        file.page(HEAD + lines(real), HELVETICA, `/Annots [${pin} 0 R]`);
        return file.toBytes();
      },
      never: [BAD],
      seen: REAL,
      named: ["attachment_with_bank_details"],
    }),
  ),
  {
    name: "a pin whose file is not there",
    bytes: () => {
      const file = new PdfFile();
      const pin = file.add("<< /Type /Annot /Subtype /FileAttachment /Rect [50 380 70 400] /FS (new.pdf) >>");
      file.page(HEAD + lines(real), HELVETICA, `/Annots [${pin} 0 R]`);
      return file.toBytes();
    },
    never: [],
    named: ["attachment_not_read"],
  },
  {
    name: "a form with a drawing of its own",
    bytes: () =>
      onePage(lines(real), "", "", (file) => {
        const drawing = file.stream("<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'/>");
        file.catalog(`/NeedsRendering true /AcroForm << /Fields [] /XFA ${drawing} 0 R >>`);
      }),
    never: [REAL],
    named: ["page_not_painted"],
  },
  {
    name: "a program that is started when it is opened",
    bytes: () =>
      onePage(lines(real), "", "", (file) =>
        file.catalog("/OpenAction << /S /Launch /F (calc.exe) /NewWindow true >>"),
      ),
    never: [BAD],
    seen: REAL,
    named: ["script_action"],
  },
  {
    name: "an attached invoice in other XML with another account",
    bytes: () =>
      withAttachment(
        "factur-x.xml",
        '<?xml version="1.0"?><x:CrossIndustryInvoice xmlns:x="urn:x"><x:ProprietaryID>73200199887766</x:ProprietaryID></x:CrossIndustryInvoice>',
      ),
    never: [BAD],
    seen: REAL,
    named: ["attachment_with_bank_details"],
  },
  {
    name: "the account is closed, and another stands in circled digits",
    bytes: () => circled(["Account 12345678 (closed)", "Now: 732001 99887766"]),
    never: [REAL],
    named: LOOSE,
  },
  {
    name: "a script whose name is written in numbers",
    bytes: () =>
      onePage(lines(real), "", "", (file) => file.catalog("/OpenAction << /S /#4aavaScript /JS (app.alert\\(1\\)) >>")),
    never: [BAD],
    seen: REAL,
    named: ["script_action"],
  },
  {
    name: "a script packed with other objects",
    bytes: () => {
      const file = new PdfFile();
      const script = "<< /S /JavaScript /JS (app.alert) >>";
      const packed = new Uint8Array(deflateSync(latin(`90 0 ${script}`)));
      file.stream(packed, "/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode");
      file.page(HEAD + lines(real), HELVETICA);
      return file.toBytes();
    },
    never: [BAD],
    seen: REAL,
    named: ["script_action"],
  },
  {
    name: "a small page counted in larger units, and white words on it",
    bytes: () => {
      const file = new PdfFile();
      file.page(
        `q 0.25 0 0 0.25 0 0 cm ${HEAD}${lines(real)} 1 g ${lines(bad, 50, 400)} Q`,
        HELVETICA,
        "/MediaBox [0 0 149 211] /UserUnit 4",
      );
      return file.toBytes();
    },
    never: [BAD],
    seen: REAL,
    named: ["hidden_text"],
  },
  {
    name: "a page whose content is given twice",
    bytes: () => {
      const file = new PdfFile();
      const other = file.stream(HEAD + lines(bad));
      file.page(HEAD + lines(real), HELVETICA, `/C#6fntents ${other} 0 R`);
      return file.toBytes();
    },
    never: [REAL, BAD],
    named: ["shown_differently"],
  },
  {
    name: "two accounts that are said to be debited",
    bytes: () =>
      onePage(
        lines([
          "Direct debit account",
          "BSB 732-001 Account 99887766",
          "Direct debit bond: BSB 062-000 Account 12345678",
        ]),
      ),
    never: [REAL, BAD],
    named: ["several_accounts"],
  },
  {
    name: "details that had not changed, and have now",
    bytes: () =>
      onePage(lines(["Our bank details have not changed for years.", "Our bank details have changed today.", ...bad])),
    never: [REAL],
    named: ["new_bank_details_words"],
  },
  {
    name: "the account, which is not to be used",
    bytes: () => onePage(lines(["Our account BSB 062-000 Account 12345678 is under audit: please do not use it."])),
    never: [REAL],
    named: ["refused_account_words"],
  },
  ...["Former BSB 062-000 Account 12345678", "(old, closed 31/10/2026: BSB 062-000 Account 12345678)"].map((text) => ({
    name: `the account beside a number that says nothing of itself: ${text}`,
    bytes: () => onePage(lines(["Transfer funds to Karri Floors:", "732 001 / 9988 7766", text])),
    never: [REAL, BAD],
    named: OTHERWISE,
  })),
  {
    name: "an account number that goes on below",
    bytes: () => onePage(lines(["BSB: 062-000", "Account:"]) + words("1234", 110, 466) + words("5678", 110, 454)),
    never: ["0620001234"],
    named: [],
  },
];

const hiddenTraps: Trap[] = Object.entries(HIDDEN).map(([name, bytes]) => ({
  name: `hidden: ${name}`,
  bytes,
  never: [BAD, "0620001234999888", "06200012349998885678"],
  ...(name.startsWith("one") ? {} : { seen: REAL }),
  named: ["hidden_text", ...(name.startsWith("one") ? ["text_over_text"] : [])],
}));

/** The verified account in words, under a letterhead that is a picture with phone and register numbers. */
export const letterhead = () =>
  painted(
    ["Phone (02) 9000 1111", "Fax (02) 9000 1112", "Mobile 0412 345 678", "ABN 51 824 753 556"],
    [],
    "picture",
    real,
  );

const besideTraps: Trap[] = Object.entries(BESIDE).map(([name, [bytes, named]]) => ({
  name: `beside the account another: ${name}`,
  bytes,
  never: [BAD],
  seen: REAL,
  named,
}));

export const TRAPS: readonly Trap[] = [...hiddenTraps, ...besideTraps, ...others];
