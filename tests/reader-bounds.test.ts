import { deflateSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { HELVETICA, latin, PdfFile, words } from "./support/documents/pdf-file";
import { read, stopReader } from "./support/reader";

/** Files that are broken, locked or made to fill a reader: each is answered, soon, and the next document is read as ever. */

afterAll(stopReader);

const LINES = words("TAX INVOICE", 50, 780) + words("BSB: 062-000", 50, 480) + words("Account number: 12345678", 50, 466);

function invoice(content = LINES, change: (file: PdfFile) => void = () => {}): Uint8Array {
  const file = new PdfFile();
  file.page(content, HELVETICA);
  change(file);
  return file.toBytes();
}

/** A page whose content is a stream that unpacks to much more. */
function packed(content: Uint8Array, filter = "/FlateDecode"): Uint8Array {
  const file = new PdfFile();
  const bytes = new Uint8Array(deflateSync(content, { level: 9 }));
  const stream = file.stream(filter.includes("[") ? new Uint8Array(deflateSync(bytes)) : bytes, `/Filter ${filter}`);
  file.page("", HELVETICA, `/Contents ${stream} 0 R`);
  return file.toBytes();
}

/** Forms that each draw the next one many times. */
function forms(levels: number, times: number): Uint8Array {
  const file = new PdfFile();
  let inner = file.stream("0 0 m 1 1 l S", "/Type /XObject /Subtype /Form /BBox [0 0 600 900]");
  for (let level = 0; level < levels; level += 1) {
    inner = file.stream("/X Do ".repeat(times), `/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /XObject << /X ${inner} 0 R >> >>`);
  }
  file.page(`${LINES} /X Do`, `${HELVETICA} /XObject << /X ${inner} 0 R >>`);
  return file.toBytes();
}

function pages(count: number): Uint8Array {
  const file = new PdfFile();
  for (let page = 0; page < count; page += 1) file.page(words(`Page ${page + 1}`, 50, 780), HELVETICA);
  return file.toBytes();
}

const HOSTILE: [string, () => Uint8Array, readonly string[]][] = [
  ["a stream that unpacks to 60 MB", () => packed(new Uint8Array(60_000_000).fill(32)), ["too_large", "too_slow"]],
  ["a stream that is packed twice", () => packed(new Uint8Array(60_000_000).fill(32), "[/FlateDecode /FlateDecode]"), ["too_large"]],
  ["a stream of a million strokes", () => packed(latin("0 0 m 9 9 l S ".repeat(1_000_000))), ["too_large", "too_slow"]],
  ["forms that draw forms, ten to the seventh", () => forms(7, 10), ["too_large", "too_slow"]],
  ["sixty thousand strokes", () => packed(latin("0 0 m 9 9 l S ".repeat(60_000))), ["too_slow"]],
  ["51 pages", () => pages(51), ["too_many_pages"]],
  ["a picture of a hundred thousand by a hundred thousand", () => invoice(LINES, (file) => file.stream("", "/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8")), ["too_large"]],
  ["a password", () => invoice(LINES, (file) => file.trailer(`/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${"ab".repeat(32)}> /U <${"cd".repeat(32)}> >>`)), ["encrypted"]],
  ["nothing after its mark", () => latin("%PDF-1.7\n"), ["damaged"]],
  ["no pages", () => new PdfFile().toBytes(), ["damaged"]],
  ["more than ten megabytes", () => invoice(LINES, (file) => file.stream(new Uint8Array(10_600_000))), ["too_large"]],
];

test.each(HOSTILE)("%s: refused, and the next document is read", async (_, make, reasons) => {
  const started = Date.now();
  const answer = await read(make());
  expect(Date.now() - started).toBeLessThan(15_000);
  expect(answer).toMatchObject({ status: "unreadable" });
  expect(reasons).toContain(answer.status === "unreadable" ? answer.reason : "");
  expect(await read(invoice())).toMatchObject({ status: "read", accounts: [{ bsb: "062000", accountNumber: "12345678", certain: true }] });
});

test("a page that is a picture says so, whether a text says anything or not", async () => {
  const file = new PdfFile();
  const pixels = Uint8Array.from({ length: 600 * 800 }, (_, at) => ((at % 7) * (at % 11) < 8 ? 0 : 255));
  const picture = file.stream(new Uint8Array(deflateSync(pixels)), "/Type /XObject /Subtype /Image /Width 600 /Height 800 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode");
  file.page("q 595 0 0 842 0 0 cm /X Do Q", `/XObject << /X ${picture} 0 R >>`);
  expect(await read(file.toBytes())).toEqual({ status: "unreadable", reason: "picture", kind: "pdf" });
});

/** The same numbers each time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const whole = invoice(LINES, (file) => file.catalog("/PageLayout /SinglePage"));
const right = (digits: string) => digits === "06200012345678";

test("a file that was cut anywhere is answered", async () => {
  for (let part = 1; part < 24; part += 1) {
    const answer = await read(whole.slice(0, Math.floor((whole.length * part) / 24)));
    if (answer.status === "read") expect(answer.accounts.filter(({ certain, bsb, accountNumber }) => certain && !right(bsb + accountNumber))).toEqual([]);
  }
});

test("a file of which bytes were changed is answered", async () => {
  const next = random(20_261_126);
  for (let round = 0; round < 60; round += 1) {
    const bytes = whole.slice();
    for (let change = 0; change < 1 + round / 6; change += 1) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
    expect(["read", "unreadable"]).toContain((await read(bytes)).status);
  }
});

test("emails and XML of which bytes were changed are answered", async () => {
  const next = random(7);
  const mail = latin('From: a@b.example\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary="X"\r\n\r\n--X\r\nContent-Type: text/html\r\n\r\n<p style="color:red">BSB 062-000 Account 12345678</p>\r\n--X--\r\n');
  const xml = latin('<?xml version="1.0"?><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>1</ID><AccountingSupplierParty/></Invoice>');
  for (const source of [mail, xml]) {
    for (let round = 0; round < 40; round += 1) {
      const bytes = source.slice();
      for (let change = 0; change < 3; change += 1) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
      expect(["read", "unreadable"]).toContain((await read(bytes)).status);
    }
  }
});
