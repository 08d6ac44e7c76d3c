import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { aWorkbook, number, text, textRow, type WorkbookParts } from "../../../../tests/support/workbook";
import { isWorkbook, readWorkbook } from "./read-workbook";
import type { TableRow } from "./table/read-table";
import { isDateFormat } from "./workbook";

const LIMITS = { maxRows: 100, maxColumns: 20, maxCell: 200, maxRow: 1_000 };
const HEADINGS = textRow(1, "Payee name", "BSB", "Account number");

function read(bytes: Uint8Array) {
  const rows: TableRow[] = [];
  const reading = readWorkbook(bytes, LIMITS, (row) => rows.push(row));
  return { reading, rows, sentence: reading.ok ? undefined : reading.problems[0]?.message };
}

const readSheet = (rows: string, parts: WorkbookParts = {}) =>
  read(aWorkbook({ sheets: { Sheet1: `${HEADINGS}${rows}` }, ...parts }));

test("texts of cells, shared texts in several formats, and numbers as the file spells them", () => {
  const shared =
    "<si><t>Wattle &amp; Co</t></si><si><r><t>Gum</t></r><r><t xml:space='preserve'> Tree_x000D_</t></r><rPh><t>no</t></rPh></si>";
  const { reading, rows } = readSheet(
    `<row r="2"><c r="A2" t="s"><v>0</v></c>${text("B2", "062-000")}${number("C2", "12345678")}</row>
     <row r="5"><c r="A5" t="s"><v>1</v></c><c r="C5" t="str"><f>T(1)</f><v>00123456</v></c></row>`,
    { shared },
  );
  expect(reading).toMatchObject({ ok: true, rowCount: 2, sheet: null });
  expect(rows).toEqual([
    { line: 2, cells: ["Wattle & Co", "062-000", "12345678"] },
    { line: 5, cells: ["Gum Tree\r", "", "00123456"] },
  ]);
});

test("cells and rows without a reference follow each other, empty ones are passed over, prefixes are read", () => {
  const sheet = `${HEADINGS}<x:row xmlns:x="m"><x:c t="inlineStr"><x:is><x:t>Wattle</x:t></x:is></x:c><x:c/><x:c><x:v>7</x:v></x:c></x:row><row r="9"><c r="A9" s="1"/></row>`;
  expect(read(aWorkbook({ sheets: { Sheet1: sheet } })).rows).toEqual([{ line: 2, cells: ["Wattle", "", "7"] }]);
});

test("a date keeps the name of its month, so that it cannot pass for an account; a format of zeros is a number", () => {
  const styles = `<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/><numFmt numFmtId="171" formatCode="000&quot;day&quot;-000"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>`;
  const row = `<row r="2">${text("A2", "x")}${number("B2", "36678", 1)}${number("C2", "36678", 2)}${number("D2", "62000", 3)}${number("E2", "1E300", 1)}</row>`;
  expect(readSheet(row, { styles }).rows[0]?.cells).toEqual(["x", "1 Jun 2000", "1 Jun 2000", "62000", "a date"]);
  const from1904 = readSheet(row, { styles, properties: '<workbookPr date1904="1"/>' });
  expect(from1904.rows[0]?.cells[1]).toBe("2 Jun 2004");
});

test.each([
  ["d mmm yyyy", true],
  ["[$-409]h:mm AM/PM", true],
  ["General", false],
  ["000-000", false],
  ['0.00" days"', false],
  ["[Red]0_);(0)", false],
  ["@", false],
])("the format %s is a date: %s", (code, isDate) => {
  expect(isDateFormat(code)).toBe(isDate);
});

test("a column in which a number may have lost its zeros is not trusted to keep them", () => {
  const kept = `<row r="2">${text("A2", "x")}${text("B2", "062000")}${text("C2", "01234567")}</row>`;
  const lost = `<row r="3">${text("A3", "x")}${text("B3", "062000")}${number("C3", "1234567")}</row>`;
  expect(readSheet(kept).reading).toMatchObject({ zeroColumns: [1, 2] });
  expect(readSheet(kept + lost).reading).toMatchObject({ zeroColumns: [1] });
});

test("the first sheet with anything in it is read, hidden ones are passed over, and of several it is named", () => {
  const sheets = { Notes: "", Old: HEADINGS + textRow(2, "Old"), Suppliers: HEADINGS + textRow(2, "New") };
  const { reading, rows } = read(aWorkbook({ sheets, attributes: { Old: 'state="hidden"' } }));
  expect(reading).toMatchObject({ ok: true, sheet: "Suppliers" });
  expect(rows).toEqual([{ line: 2, cells: ["New"] }]);
});

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => textRow(at + 2, "Wattle")).join("");

test.each([
  [
    "a formula without its result",
    `<row r="2"><c r="AB2"><f>A1</f></c></row>`,
    "Cell AB2 holds a formula whose result",
  ],
  ["too many rows", rowsOf(102), "more than 100 rows"],
  ["too many columns", `<row r="2">${number("XFD2", "1")}</row>`, "columns; at most 20 are read"],
  ["a long cell", textRow(2, "x".repeat(9_000)), "a cell has more than 200 characters"],
  ["a long row", textRow(2, ...Array.from({ length: 9 }, () => "x".repeat(150))), "more than 1,000 characters"],
  ["rows out of order", textRow(3, "x") + textRow(2, "y"), "damaged"],
  ["one row twice", textRow(2, "x") + textRow(2, "y"), "damaged"],
  ["a cell that names none", `<row r="2"><c r="2"><v>1</v></c></row>`, "damaged"],
  ["a shared text that is not there", `<row r="2"><c r="A2" t="s"><v>7</v></c></row>`, "damaged"],
  ["tags that are not closed", "<row r='2'><c>", "damaged"],
  ["elements within elements", `${"<a>".repeat(60)}${"</a>".repeat(60)}`, "damaged"],
  ["an entity of its own", "<row r='2'><c t='inlineStr'><is><t>&bomb;</t></is></c></row>", "damaged"],
])("%s is refused in a sentence", (_, rows, sentence) => {
  expect(readSheet(rows).sentence).toContain(sentence);
});

test.each([
  ["a ZIP that holds something else", zipSync({ "content.xml": strToU8("<x/>") }), "no Excel workbook"],
  ["nothing but empty sheets", aWorkbook({ sheets: { One: "", Two: "<row r='1'/>" } }), "no sheet with anything"],
  ["half a workbook", aWorkbook({ sheets: { One: HEADINGS } }).slice(0, 300), "damaged"],
  ["a part that is no XML", aWorkbook({ more: { "xl/styles.xml": new Uint8Array([255, 254, 0]) } }), "damaged"],
  [
    "a document type",
    aWorkbook({ more: { "xl/styles.xml": strToU8('<!DOCTYPE a [<!ENTITY b "c">]><a/>') } }),
    "damaged",
  ],
  [
    "very many parts",
    zipSync(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`${at}`, new Uint8Array()]))),
    "more than 1000 parts",
  ],
  ["a workbook from before 2007", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), "before 2007"],
  [
    "a workbook with a password",
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, ...[..."EncryptedPackage"].flatMap((c) => [c.charCodeAt(0), 0])]),
    "protected by a password",
  ],
  ["an encrypted ZIP", new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 1, 0]), "protected by a password"],
])("%s is refused in a sentence", (_, bytes, sentence) => {
  expect(isWorkbook(bytes)).toBe(true);
  expect(read(bytes).sentence).toContain(sentence);
});

test.each([
  ["tags", { styles: "<a/>".repeat(1_100_000) }, "unpacks to more than 4 MB"],
  ["spaces", { shared: `<a>${" ".repeat(8 * 1024 * 1024)}</a>` }, "damaged"],
])("a part of a few kilobytes that unpacks to very many %s is read to its limit", (_, parts, sentence) => {
  const bytes = aWorkbook({ sheets: { Sheet1: HEADINGS }, ...parts });
  expect(bytes.length).toBeLessThan(64 * 1024);
  expect(read(bytes).sentence).toContain(sentence);
});

test("texts that are shared have a limit together", () => {
  expect(readSheet("", { shared: "<si><t/></si>".repeat(500_001) }).sentence).toContain("more text than we can read");
});

test("a number is read as its cell shows it, where its format puts zeros in front", () => {
  const styles = `<numFmts><numFmt numFmtId="170" formatCode="00000000"/><numFmt numFmtId="171" formatCode="000\\-000;@"/><numFmt numFmtId="172" formatCode="0.00"/></numFmts>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs>`;
  const row = `<row r="2">${text("A2", "x")}${number("B2", "62000", 2)}${number("C2", "1234567", 1)}</row>
    <row r="3">${text("A3", "y")}${number("B3", "732001", 2)}${number("C3", "123456789", 1)}</row>
    <row r="4">${text("A4", "z")}${number("B4", "1.5", 2)}${number("C4", "12345678", 3)}</row>`;
  const { reading, rows } = readSheet(row, { styles });
  expect(rows).toEqual([
    { line: 2, cells: ["x", "062-000", "01234567"], shown: [1, 2] },
    { line: 3, cells: ["y", "732-001", "123456789"], shown: [1] },
    { line: 4, cells: ["z", "1.5", "12345678"] },
  ]);
  expect(reading).toMatchObject({ ok: true, zeroColumns: [] });
});

test("a column of which every number is shown with its zeros keeps them", () => {
  const styles = `<numFmts><numFmt numFmtId="170" formatCode="00000000"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs>`;
  const row = `<row r="2">${text("A2", "x")}${text("B2", "062-000")}${number("C2", "1234567", 1)}</row>`;
  expect(readSheet(row, { styles }).reading).toMatchObject({ ok: true, zeroColumns: [2] });
});

test("rows that a filter hides are told apart", () => {
  const row = `<row r="2">${text("A2", "x")}</row><row r="3" hidden="1">${text("A3", "y")}</row><row r="4">${text("A4", "z")}</row>`;
  expect(readSheet(row).rows.map(({ line, isHidden }) => [line, isHidden])).toEqual([
    [2, undefined],
    [3, true],
    [4, undefined],
  ]);
});
