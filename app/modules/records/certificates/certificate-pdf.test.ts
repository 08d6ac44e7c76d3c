import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream } from "pdf-lib";
import { expect, test } from "vitest";
import { toPdf } from "~/modules/core/printed-documents/pdf-document";
import type { Services } from "~/services-and-actor";
import { FACTS } from "../../../../tests/support/certificates";
import { printFonts } from "../../../../tests/support/print-fonts";
import { certificateText, showSeal } from "./certificate";
import { certificatePdf } from "./certificate.server";

const HASH = "0123456789abcdef".repeat(4);
const config = { appOrigin: "https://app.example" } as Services["config"];
const pdfOf = async (facts: typeof FACTS) =>
  (await certificatePdf({ printFonts, config }, { id: FACTS.id, hash: HASH, facts })).bytes;

test("the first page draws the code of the public check as rectangles, none outside its square", async () => {
  const document = await PDFDocument.load(await pdfOf(FACTS));
  const contents = document.getPage(0).node.Contents();
  if (!(contents instanceof PDFRawStream)) throw new Error("The page has no stream of its own");
  const drawn = new TextDecoder().decode(decodePDFRawStream(contents).decode());
  const boxes = [...drawn.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re/g)].map((found) =>
    found.slice(1).map(Number),
  );
  expect(boxes.length).toBeGreaterThan(100);
  const right = Math.max(...boxes.map(([x = 0, , width = 0]) => x + width));
  const left = Math.min(...boxes.map(([x = 0]) => x));
  const unit = Math.min(...boxes.map(([, , , height = 0]) => height));
  expect(right - left).toBeCloseTo(62, 1);
  // The three corner patterns by which a QR reader finds the code: seven squares wide.
  const corners = boxes.filter(([, , width = 0]) => Math.abs(width - 7 * unit) < 0.01);
  expect(corners.length).toBeGreaterThanOrEqual(6);
});

test("the first page draws the seal of the public check: a ray for each digit of the hash", async () => {
  const document = await PDFDocument.load(await pdfOf(FACTS));
  const drawn = streamOf(document.getPage(0).node.Contents());
  const [x = 0, y = 0] = [595.28 - 50 - 62 - 18 - 37, 841.89 - 50 - 31];
  const rays = [...drawn.matchAll(/ ([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l(?= [\d.]+ [\d.]+ m)/g)]
    .map((found) => found.slice(1).map(Number))
    .map(([fromX = 0, fromY = 0, toX = 0, toY = 0]) => [
      Math.hypot(fromX - x, fromY - y) / 0.74,
      Math.hypot(toX - x, toY - y) / 0.74,
    ])
    .filter(([from = 0]) => Math.abs(from - 32) < 0.1);
  const lengths = rays.map(([from = 0, to = 0]) => Math.round(to - from - 2.5));
  expect(lengths.map((length) => length.toString(16)).join("")).toBe(HASH);
  expect(showSeal({ hash: HASH, facts: FACTS }).lines.split("M").length - 1).toBeGreaterThanOrEqual(HASH.length);
});

/** The contents of the files embedded in a PDF. */
async function filesIn(bytes: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(bytes);
  const streams = document.context.enumerateIndirectObjects().flatMap(([, object]) => {
    const isFile = object instanceof PDFRawStream && object.dict.get(PDFName.of("Type")) === PDFName.of("EmbeddedFile");
    return isFile ? [object] : [];
  });
  return streams.map((stream) => new TextDecoder().decode(decodePDFRawStream(stream).decode()));
}

test("the PDF holds the very text that the hash is computed from", async () => {
  expect(await filesIn(await pdfOf(FACTS))).toEqual([certificateText(FACTS)]);
});

test("the same facts give the same bytes, small and on one page", async () => {
  const bytes = await pdfOf(FACTS);
  expect(await pdfOf(FACTS)).toEqual(bytes);
  expect(bytes.length).toBeLessThan(40_000);
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  expect(document.getPageCount()).toBe(1);
  expect(document.getTitle()).toBe(
    "Certificate: Acme Timber, verified: called back, the name at the bank is close, not the same",
  );
  expect(document.getModificationDate()?.toISOString()).toBe(FACTS.issuedAt);
});

test("the table at the end says where each object begins", async () => {
  const text = new TextDecoder("latin1").decode(await pdfOf(FACTS));
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const [, size, rows = ""] =
    /^xref\n0 (\d+)\n0000000000 65535 f \n((?:\d{10} 00000 n \n)+)trailer/.exec(text.slice(table)) ?? [];
  const starts = rows
    .trimEnd()
    .split("\n")
    .map((row) => Number(row.slice(0, 10)));
  expect(starts).toHaveLength(Number(size) - 1);
  for (const [index, start] of starts.entries()) {
    expect(text.slice(start, start + 12).startsWith(`${index + 1} 0 obj\n`)).toBe(true);
  }
});

test("any name is written, and a long story goes on over pages", async () => {
  const [call] = FACTS.callBacks;
  const note = "Nguyễn Văn Thịnh 株式会社 said it again. ".repeat(12);
  const calls = call ? Array.from({ length: 100 }, () => ({ ...call, note })) : [];
  const facts = { ...FACTS, payee: { ...FACTS.payee, name: "Nguyễn Văn Thịnh 株式会社" }, callBacks: calls };
  const bytes = await pdfOf(facts);
  const document = await PDFDocument.load(bytes);
  expect(document.getPageCount()).toBeGreaterThan(10);
  expect(await filesIn(bytes)).toEqual([certificateText(facts)]);
});

const streamOf = (object: unknown): string => {
  if (!(object instanceof PDFRawStream)) throw new Error("not a stream");
  return new TextDecoder().decode(decodePDFRawStream(object).decode());
};

/** The text of a page, using each font's own mapping from glyphs to letters. */
function textOf(document: PDFDocument, page: number): string {
  const { node } = document.getPage(page);
  const fonts = node.Resources()?.lookup(PDFName.of("Font"), PDFDict);
  const letters = new Map(
    (fonts?.keys() ?? []).map((name) => {
      const font = fonts?.lookup(name, PDFDict);
      const described = font?.lookup(PDFName.of("DescendantFonts"), PDFArray).lookup(0, PDFDict);
      const file = described?.lookup(PDFName.of("FontDescriptor"), PDFDict).lookup(PDFName.of("FontFile2"));
      if (!(file instanceof PDFRawStream)) throw new Error(`${name} is not inside the file`);
      const map = streamOf(font?.lookup(PDFName.of("ToUnicode")));
      const pairs = [...map.matchAll(/^<(\w{4})> <(\w+)>$/gm)].map(([, glyph = "", units = ""]) => {
        const codes = (units.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16));
        return [glyph, String.fromCharCode(...codes)] as const;
      });
      return [name.asString(), new Map(pairs)] as const;
    }),
  );
  return [...streamOf(node.Contents()).matchAll(/(\/F\d+) [\d.]+ Tf <(\w*)> Tj( ET)?/g)]
    .map(([, font = "", glyphs = "", end = ""]) => {
      const shown = (glyphs.match(/.{4}/g) ?? []).map((glyph) => letters.get(font)?.get(glyph) ?? "\u0000").join("");
      return shown + (end ? "\n" : "");
    })
    .join("");
}

test("names of other scripts are written in letters that are inside the file", async () => {
  const name = "Nguyễn Văn Thịnh 株式会社 한국상사 김민준";
  const payee = { ...FACTS.payee, name, accountName: "Ελένη Παπαδοπούλου, Żółć, Пётр, Zoë & 陈大文" };
  const document = await PDFDocument.load(await pdfOf({ ...FACTS, payee }));
  const text = textOf(document, 0);
  expect(text).toContain(`\n${name}\n`);
  expect(text).toContain(`\n${payee.accountName}\n`);
  expect(text).not.toContain("letters missing");
});

test("letters that no font has are nowhere a question mark: each place says where to read them", async () => {
  const elsewhere = "This cannot be printed in full: some letters are missing. Read it in the attached file.";
  const section = { title: "हिन्दी व्यापार", rows: [{ term: "Name", value: "ไทย ไม้ Timber" }] };
  const printed = { title: "Evidence: हिन्दी", summary: "مؤسسة", sections: [section], notes: [], footer: "ไทย" };
  const bytes = await toPdf({ ...printed, createdAt: 0, attachments: [] }, printFonts);
  const text = textOf(await PDFDocument.load(bytes), 0);
  for (const line of ["Evidence: [letters missing]", "[letters missing]", "[letters missing] Timber"])
    expect(text).toContain(`${line}\n${elsewhere}\n`);
  expect(text).toContain("Where this document says [letters missing]");
  expect(text).not.toContain("?");
});

test("each part of the document says what it is, and the QR code what it is for", async () => {
  const { catalog, context } = await PDFDocument.load(await pdfOf(FACTS));
  const roles = context.enumerateIndirectObjects().flatMap(([, object]) => {
    const isTag = object instanceof PDFDict && object.get(PDFName.of("Type")) === PDFName.of("StructElem");
    return isTag ? [{ role: String(object.get(PDFName.of("S"))), alt: object.get(PDFName.of("Alt")) }] : [];
  });
  const count = (wanted: string) => roles.filter(({ role }) => role === wanted).length;
  expect([count("/Document"), count("/H1"), count("/Figure")]).toEqual([1, 1, 2]);
  expect(count("/H2")).toBe(count("/Table"));
  expect(count("/TH")).toBe(count("/TR"));
  expect(count("/TD")).toBe(count("/TR"));
  expect(roles.filter(({ role, alt }) => role === "/Figure" && alt !== undefined)).toHaveLength(2);
  expect(String(catalog.lookup(PDFName.of("MarkInfo")))).toContain("/Marked true");
});
