import { expect, test } from "vitest";
import { HELVETICA, PdfFile, words } from "./support/documents/pdf-file";
import { TRAPS } from "./support/documents/traps";
import { read } from "./support/reader";

/** Invoices that were made to deceive: each is named or refused, and what nobody sees is never read with certainty. */

test.each(TRAPS)("$name", async ({ bytes, never, seen, named }) => {
  const answer = await read(await bytes());
  if (answer.status === "unreadable") {
    expect(named).not.toEqual([]);
    return;
  }
  const certain = answer.accounts
    .filter((account) => account.certain)
    .map(({ bsb, accountNumber }) => bsb + accountNumber);
  expect(certain.filter((digits) => never.includes(digits))).toEqual([]);
  if (seen) expect(certain).toContain(seen);
  const codes: string[] = answer.findings.map(({ code }) => code);
  if (named.length > 0) expect(codes.filter((code) => named.includes(code))).not.toEqual([]);
});

/** An account number in a narrow font whose 7 looks more like a usual 1 than like a usual 7; its last 7 is painted apart. */
function inNarrowDigits(isLastOne: boolean): Uint8Array {
  const file = new PdfFile();
  const glyph = (path: string) => file.stream(`420 0 d0 ${path} h f`);
  const one = glyph("122 700 m 232 700 l 232 0 l 122 0 l 122 601 l 0 531 l 0 571 l");
  const seven = glyph("0 700 m 248 700 l 248 618 l 179 0 l 97 0 l 166 618 l 0 618 l");
  const map = file.stream(
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfchar <31> <0031> <37> <0037> <38> <0037> endbfchar endcmap end end",
  );
  const font = file.add(
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /one ${one} 0 R /seven ${seven} 0 R /last ${isLastOne ? one : seven} 0 R >> /Encoding << /Differences [49 /one 55 /seven /last] >> /ToUnicode ${map} 0 R /FirstChar 49 /LastChar 56 /Widths [420 420 420 420 420 420 420 420] /Resources << >> >>`,
  );
  const number = "BT /F9 10 Tf 1 0 0 1 150 620 Tm (77177118) Tj ET\n";
  const labels = words("BSB: 062-000", 60, 640) + words("Account number:", 60, 620);
  file.page(labels + number, HELVETICA.replace("/Font <<", `/Font << /F9 ${font} 0 R`));
  return file.toBytes();
}

test.each([
  ["is certain where the font's own 1 looks otherwise", false],
  ["is not certain where it is painted as the font's own 1", true],
])("the narrow 7 of a font %s", async (_, isLastOne) => {
  const answer = await read(inNarrowDigits(isLastOne));
  const doubts = isLastOne ? ["glyphs_differ"] : [];
  const account = { bsb: "062000", accountNumber: "77177117", certain: !isLastOne, doubts };
  expect(answer).toMatchObject({ status: "read", accounts: [account] });
});

/** "Pay now" over a link. */
function withLink(target: string): Uint8Array {
  const file = new PdfFile();
  const link = file.add(`<< /Type /Annot /Subtype /Link /Rect [50 590 300 630] /A << /S /URI /URI (${target}) >> >>`);
  const labels = words("BSB: 062-000", 60, 660) + words("Account number: 12345678", 60, 640);
  file.page(labels + words("Pay now", 60, 605), HELVETICA, `/Annots [${link} 0 R]`);
  return file.toBytes();
}

test("the site of a page's link is read however long its address is, and never another document's", async () => {
  const sitesOf = async (target: string) => {
    const answer = await read(withLink(target));
    return (
      answer.status === "read" && answer.findings.filter(({ code }) => code === "payment_link").map(({ way }) => way)
    );
  };
  expect(await sitesOf(`https://first.example/?${"a".repeat(1_970)}`)).toEqual(["first.example"]);
  expect(await sitesOf(`https://second.example/?${"b".repeat(5_000)}`)).toEqual(["second.example"]);
  expect(await sitesOf(`https://third.example/?${"c".repeat(1_100_000)}`)).toEqual([]);
});

/** A bill that is paid by BPAY, with a comment of these words, whose look is drawn at the height y. */
function commented(look: string, contents: string, { kind = "FreeText", y = 760 } = {}): Uint8Array {
  const file = new PdfFile();
  const drawn = file.stream(look, `/Type /XObject /Subtype /Form /BBox [0 0 260 30] /Resources << ${HELVETICA} >>`);
  const comment = file.add(
    `<< /Type /Annot /Subtype /${kind} /F 4 /Rect [50 ${y} 310 ${y + 30}] /Contents (${contents}) /DA (/F1 10 Tf) /AP << /N ${drawn} 0 R >> >>`,
  );
  const bill = ["Telstra Corporation Limited", "TAX INVOICE", "Total due $120.00", "BPAY", "Biller Code: 197764"];
  const content = [...bill, "Ref: 7786531108"].map((line, at) => words(line, 60, 700 - at * 24)).join("");
  file.page(content, HELVETICA, `/Annots [${comment} 0 R]`);
  return file.toBytes();
}
const written = (text: string) => words(text, 4, 10);
const white = "1 1 1 rg 0 0 260 30 re f 0 g ";

test.each([
  ["an approval", commented(written("APPROVED JT 20/11"), "APPROVED JT 20/11"), true],
  ["a stamp", commented(written("PAID"), "", { kind: "Stamp" }), true],
  ["an account", commented(written("BSB 732-001 Account 99887766"), "APPROVED"), false],
  ["a part of an account", commented(written("99 88 77 66"), "APPROVED"), false],
  ["a PayID", commented(written("PayID: pay@supplier.example"), "APPROVED"), false],
  ["a bank abroad", commented(written("SWIFT CTBAAU2S"), "APPROVED"), false],
  ["words of new details", commented(written("Our bank details have changed"), "APPROVED"), false],
  ["another reference", commented(`${white}${written("Ref: 1234567897")}`, "APPROVED", { y: 570 }), false],
  ["a white box over the reference", commented(white + written("OK"), "OK", { y: 570 }), false],
])(
  "a comment on a page without an account counts as read where it holds no bank details: %s",
  async (_, bytes, isRead) => {
    const answer = await read(bytes);
    const isReported = answer.status !== "read" || !answer.isReadableEverywhere || answer.findings.length > 0;
    expect(isReported).toBe(!isRead);
  },
);
