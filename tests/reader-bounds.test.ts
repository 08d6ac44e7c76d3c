import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { HOSTILE, invoice, LINES, pages } from "./support/documents/hostile";
import { HELVETICA, latin, PdfFile, words } from "./support/documents/pdf-file";
import { read } from "./support/reader";

/**
 * Files that are broken, locked or made to fill a reader: each is answered soon, and the next document is read as
 * usual.
 */

/**
 * Far above what any of them takes, and far below what an endless one would take: a busy machine takes ten times as
 * long.
 */
const SOON_MS = 150_000;

test.each(HOSTILE)("%s: refused, and the next document is read", async (_, make, reasons) => {
  const started = Date.now();
  const answer = await read(make());
  expect(Date.now() - started).toBeLessThan(SOON_MS);
  expect(answer).toMatchObject({ status: "unreadable" });
  expect(reasons).toContain(answer.status === "unreadable" ? answer.reason : "");
  expect(await read(invoice())).toMatchObject({
    status: "read",
    accounts: [{ bsb: "062000", accountNumber: "12345678", certain: true }],
  });
});

test("documents that come together are read, also behind one whose request was broken off", async () => {
  const brokenOff = read(pages(50), AbortSignal.timeout(200)).catch(() => undefined);
  const answers = await Promise.all([invoice(), invoice(), invoice()].map((bytes) => read(bytes)));
  await brokenOff;
  const accounts = [{ bsb: "062000", accountNumber: "12345678", certain: true }];
  expect(answers).toMatchObject(answers.map(() => ({ status: "read", accounts })));
  expect(await read(invoice())).toMatchObject({ status: "read", accounts });
});

test("a page that is a picture says so, whether a text says anything or not", async () => {
  const file = new PdfFile();
  const pixels = Uint8Array.from({ length: 600 * 800 }, (_, at) => ((at % 7) * (at % 11) < 8 ? 0 : 255));
  const picture = file.stream(
    new Uint8Array(deflateSync(pixels)),
    "/Type /XObject /Subtype /Image /Width 600 /Height 800 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
  );
  file.page("q 595 0 0 842 0 0 cm /X Do Q", `/XObject << /X ${picture} 0 R >>`);
  expect(await read(file.toBytes())).toEqual({ status: "unreadable", reason: "picture", kind: "pdf" });
});

test.each([
  [8, true],
  [9, false],
])("of %i pages with pictures and no account each was looked at from near: %s", async (count, isReadableEverywhere) => {
  const file = new PdfFile();
  const picture = file.stream(
    new Uint8Array(deflateSync(new Uint8Array(100).fill(230))),
    "/Type /XObject /Subtype /Image /Width 10 /Height 10 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
  );
  for (let page = 0; page < count; page += 1) {
    // Small pages, so that looking takes no time that a busy machine does not have.
    const text = words("These are the terms of sale", 5, 80);
    const size = "/MediaBox [0 0 300 200]";
    file.page(`q 50 0 0 50 20 20 cm /X Do Q ${text}`, `${HELVETICA} /XObject << /X ${picture} 0 R >>`, size);
  }
  expect(await read(file.toBytes())).toMatchObject({ status: "read", isReadableEverywhere });
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
    if (answer.status === "read")
      expect(
        answer.accounts.filter(({ certain, bsb, accountNumber }) => certain && !right(bsb + accountNumber)),
      ).toEqual([]);
  }
});

test("a file of which bytes were changed is answered", async () => {
  const next = random(20_261_126);
  for (let round = 0; round < 60; round += 1) {
    const bytes = whole.slice();
    for (let change = 0; change < 1 + round / 6; change += 1)
      bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
    expect(["read", "unreadable"]).toContain((await read(bytes)).status);
  }
});

test("emails and XML of which bytes were changed are answered", async () => {
  const next = random(7);
  const mail = latin(
    'From: a@b.example\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary="X"\r\n\r\n--X\r\nContent-Type: text/html\r\n\r\n<p style="color:red">BSB 062-000 Account 12345678</p>\r\n--X--\r\n',
  );
  const xml = latin(
    '<?xml version="1.0"?><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>1</ID><AccountingSupplierParty/></Invoice>',
  );
  for (const source of [mail, xml]) {
    for (let round = 0; round < 40; round += 1) {
      const bytes = source.slice();
      for (let change = 0; change < 3; change += 1) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
      expect(["read", "unreadable"]).toContain((await read(bytes)).status);
    }
  }
});

const LAID_OVER = '<span style="background:#fff;padding:30px">.</span>';
const PAY = "<p>BSB 062-000 Account 12345678</p>";

test.each([
  ["thousands of empty lines", `${"<br>".repeat(10_000)}${PAY}<p>a</p><p>b</p><p>c</p>${LAID_OVER}`, true],
  ["thousands of words laid over the lines before", `${PAY}<p>a</p>${LAID_OVER.repeat(5_000)}`, false],
  ["thousands of pictures in one line", `${"a".repeat(60_000)}${"<img src=a>".repeat(20_000)}`, undefined],
  [
    "a style whose name is one word many times",
    `<b style="padding${"-block".repeat(5_000)}\nx:1px;border:0">.</b>${PAY}`,
    true,
  ],
  ["a word of very many letters", `${PAY}<p>${"a".repeat(45_000)}</p><p>${"payid".repeat(9_000)}</p>`, true],
  ["a shadow of very many layers", `<b style="box-shadow:${"1px 1px,".repeat(60_000)}0">.</b>`, undefined],
])("an email with %s is answered", async (_, body, isCertain) => {
  const started = Date.now();
  const answer = await read(
    `From: a@b.example\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n<html><body>${body}</body></html>`,
  );
  expect(Date.now() - started).toBeLessThan(SOON_MS);
  const found = answer.status === "read" ? answer.accounts[0]?.certain : undefined;
  if (isCertain !== undefined) expect(found).toBe(isCertain);
});
