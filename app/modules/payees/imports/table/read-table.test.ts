import { expect, test } from "vitest";
import { readTable, type TableRow } from "./read-table";

const LIMITS = { maxRows: 5, maxColumns: 12, maxCell: 50, maxRow: 200 };

function read(text: string, limits = LIMITS) {
  const rows: TableRow[] = [];
  const reading = readTable(text, limits, (row) => rows.push(row));
  return { reading, rows };
}

const HEADINGS = "Payee name,BSB,Account number";
const problemsOf = (text: string) => {
  const { reading } = read(text);
  return reading.ok ? [] : reading.problems.map(({ message }) => message);
};

test.each([
  ["commas", ","],
  ["tabs", "\t"],
  ["semicolons", ";"],
  ["bars", "|"],
])("a table with %s gives its rows and the lines they stand on", (_, separator) => {
  const text = ["Payee name", "BSB", "Account number"].join(separator);
  const { reading, rows } = read(
    `${text}\r\n"Wattle\nCreek"${separator}062-000${separator}12345678\r\n\r\nB${separator}1${separator}2`,
  );
  expect(reading).toMatchObject({
    ok: true,
    rowCount: 2,
    head: { kind: "table", guess: { name: [0], bsb: [1], accountNumber: [2] }, missing: undefined },
  });
  expect(rows).toEqual([
    { line: 2, cells: ["Wattle\nCreek", "062-000", "12345678"] },
    { line: 5, cells: ["B", "1", "2"] },
  ]);
});

test("the separator that a spreadsheet writes above the table is taken, and the lines stay the lines", () => {
  const { reading, rows } = read(`sep=;\nPayee name;BSB;Account number\nA, B;062-000;12345678`);
  expect(reading.ok).toBe(true);
  expect(rows).toEqual([{ line: 3, cells: ["A, B", "062-000", "12345678"] }]);
});

test("titles above the headings are passed over", () => {
  const { reading, rows } = read(`Supplier list,,\nPrinted 3 March 2026,,\n\n${HEADINGS}\nA,062-000,12345678`);
  expect(reading).toMatchObject({ ok: true, head: { headings: ["Payee name", "BSB", "Account number"] } });
  expect(rows.map(({ line }) => line)).toEqual([5]);
});

test("a table without headings is read by what stands in it", () => {
  const { reading, rows } = read("Wattle Creek,062-000,12345678,a@b.example\nKestrel,082-001,87654321,c@d.example");
  expect(reading).toMatchObject({
    ok: true,
    rowCount: 2,
    head: {
      headings: ["Column 1", "Column 2", "Column 3", "Column 4"],
      guess: { name: [0], bsb: [1], accountNumber: [2], email: [3] },
    },
  });
  expect(rows).toHaveLength(2);
});

test("headings that say nothing are still headings, and something must be chosen", () => {
  const { reading } = read("Alpha,Beta\nx,y\nz,w");
  expect(reading).toMatchObject({
    ok: true,
    rowCount: 2,
    head: { headings: ["Alpha", "Beta"], missing: "Choose the column of the account number" },
  });
});

test("columns in which a number begins with a zero are told: their zeros are intact", () => {
  const { reading } = read(`${HEADINGS}\nA,062000,12345678\nB,82001,1`);
  expect(reading).toMatchObject({ ok: true, zeroColumns: [1] });
});

test("a zero before a hyphen or a space tells nothing: no spreadsheet takes such a cell for a number", () => {
  const { reading } = read(`${HEADINGS}\nA,062-000,062000 12345678\nB,062-001,1300212345678`);
  expect(reading).toMatchObject({ ok: true, zeroColumns: [] });
});

test.each([
  ["nothing at all", "", ["The file is empty."]],
  ["headings alone", HEADINGS, ["The file has headings and no rows below them."]],
  [
    "a quotation mark that is not closed",
    `${HEADINGS}\n"A,062000,1\nB,062000,2`,
    ["Line 2: a quotation mark is opened and not closed."],
  ],
  ["300 columns", `${HEADINGS}\n${"x,".repeat(299)}x`, ["Line 2: the row has 300 columns; at most 12 are read."]],
  ["a NUL", `${HEADINGS}\nA\0,062000,1`, ["Line 2: a NUL character in column 2. This is not a table in a text file."]],
  [
    "a huge row",
    `${HEADINGS}\n${Array(5).fill("x".repeat(49)).join()}`,
    ["Line 2: the row has more than 200 characters."],
  ],
  ["a huge cell", `${HEADINGS}\n${"x".repeat(51)},062000,1`, ["Line 2: a cell has more than 50 characters."]],
])("%s is refused with its line", (_, text, messages) => {
  expect(problemsOf(text)).toEqual(messages);
});

test("as many rows as allowed are read, one more is refused", () => {
  const rows = (count: number) =>
    [HEADINGS, ...Array.from({ length: count }, (_, at) => `P${at},062000,1000${at}`)].join("\n");
  expect(read(rows(5)).reading).toMatchObject({ ok: true, rowCount: 5 });
  expect(problemsOf(rows(6))).toEqual([
    "Line 7: the file has more than 5 rows. Split it and import the parts one by one.",
  ]);
  const many = { ...LIMITS, maxRows: 30 };
  expect(read(rows(30), many).reading).toMatchObject({ ok: true, rowCount: 30 });
  expect(read(rows(31), many).reading.ok).toBe(false);
});

test("a line of five million characters is refused at once", () => {
  expect(problemsOf(`${HEADINGS}\n${"x".repeat(5_000_000)}`)).toEqual(["Line 2: a cell has more than 50 characters."]);
});

test.each(["\r\n", "\n", "\r"])("lines are counted with a first line that names the separator: %j", (end) => {
  const text = ["sep=;", "Payee name;BSB;Account number", '"Wattle\nCreek";062-000;1', "Gum;062-000;2", ""].join(end);
  const rows: TableRow[] = [];
  const reading = readTable(text, { maxRows: 9, maxColumns: 9, maxCell: 99, maxRow: 99 }, (row) => rows.push(row));
  expect(reading).toMatchObject({ ok: true, head: { headings: ["Payee name", "BSB", "Account number"] } });
  expect(rows).toEqual([
    { line: 3, cells: ["Wattle\nCreek", "062-000", "1"] },
    { line: 5, cells: ["Gum", "062-000", "2"] },
  ]);
});
