import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from "pdf-lib";
import { expect, test } from "vitest";
import type { Services } from "~/services";
import { FACTS } from "../../../../tests/support/certificates";
import { printFonts } from "../../../../tests/support/print-fonts";
import { certificateText } from "./certificate";
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
  // The three corners by which a reader finds the code: seven squares wide.
  const corners = boxes.filter(([, , width = 0]) => Math.abs(width - 7 * unit) < 0.01);
  expect(corners.length).toBeGreaterThanOrEqual(6);
});

/** The files inside a PDF, as text. */
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
