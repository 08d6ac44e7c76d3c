import { expect, test } from "vitest";
import { MAX_AMOUNT_CENTS } from "~/kernel/money";
import { type AbaFile, readAba, writeAba, writeDetail, writeHeader } from "./aba";
import { canBeOneFile, clearAba, clearTable } from "./clear-file.server";

/** Which payments the file for the bank contains, and what it says about them. */

const HEAD = { bank: "CBA", userName: "HARBOUR JOINERY", userId: "301500", description: "SUPPLIERS", date: "201126" };
const OURS = { bsb: "082001", accountNumber: "987654321" };
const PAYER = { ...HEAD, ...OURS, remitter: "HARBOUR" };

const aLine = (amount: number, code = "50") => ({
  ...{ code, amount },
  record: writeDetail({
    ...{ bsb: "062000", accountNumber: "12345678", indicator: " ", code, amount, title: `PAYEE ${amount}` },
    ...{ reference: "INV-1", withholding: 0, trace: OURS, remitter: "HARBOUR" },
  }),
});

function read(text: string): AbaFile {
  const reading = readAba(text, 100);
  if (!reading.ok) throw new Error(reading.problems[0]?.message);
  return reading.file;
}
const cleared = (text: string, ...lines: number[]) => read(clearAba(read(text), new Set(lines)));
const amounts = ({ lines }: AbaFile) => lines.map(({ code, amount }) => `${code} ${amount}`);

const FILE = writeAba(writeHeader(HEAD), [aLine(100), aLine(250), aLine(999)]);
const BALANCED = writeAba(writeHeader(HEAD), [aLine(100), aLine(250), aLine(350, "13")]);

test("only authorised lines go to the bank, as they stand, and the total is counted anew", () => {
  const file = cleared(FILE, 2, 4);
  expect(amounts(file)).toEqual(["50 100", "50 999"]);
  expect(file.totals).toMatchObject({ credit: 1_099, debit: 0, count: 2 });
  expect(file.lines.map(({ record }) => record)).toEqual([aLine(100).record, aLine(999).record]);
  expect(file.header).toEqual(read(FILE).header);
});

test("the debit that balances a file takes what is left, whether or not somebody authorised it as a line", () => {
  for (const lines of [[3], [3, 4]]) {
    const file = cleared(BALANCED, ...lines);
    expect(amounts(file)).toEqual(["50 250", "13 250"]);
    expect(file.totals).toMatchObject({ net: 0, credit: 250, debit: 250 });
  }
});

test("the lines of a file end as they did", () => {
  const unix = FILE.replaceAll("\r\n", "\n");
  expect(clearAba(read(unix), new Set([2]))).not.toContain("\r");
  expect(clearAba(read(FILE), new Set([2]))).toMatch(/\r\n$/);
});

test("a table is written with the paying account as trace, and its payments as credits", () => {
  const line = { line: 2, accountName: "Kestrel Freight", bsb: "062000", accountNumber: "12345678", amount: 12_345 };
  const text = clearTable([{ ...line, reference: "INV-7" }], {
    payer: PAYER,
    date: "201126",
    description: "SUPPLIERS",
  });
  const file = read(text);
  expect(text).toBe(
    writeAba(writeHeader(HEAD), [
      {
        ...{ code: "50", amount: 12_345 },
        record: writeDetail({
          ...{ ...line, indicator: " ", code: "50", title: "Kestrel Freight", reference: "INV-7", withholding: 0 },
          ...{ trace: OURS, remitter: "HARBOUR" },
        }),
      },
    ]),
  );
  expect(file.header).toMatchObject({ bank: "CBA", userId: "301500" });
  expect(file.totals).toMatchObject({ credit: 12_345, debit: 0, count: 1 });
});

test("one file carries ten digits of cents and not a cent more", () => {
  expect(canBeOneFile([{ amount: MAX_AMOUNT_CENTS - 1 }, { amount: 1 }])).toBe(true);
  expect(canBeOneFile([{ amount: MAX_AMOUNT_CENTS }, { amount: 1 }])).toBe(false);
});

test.each([
  ["an amount that is no whole number of cents", () => aLine(0.5)],
  ["a negative amount", () => aLine(-1)],
  ["an amount of eleven digits", () => aLine(MAX_AMOUNT_CENTS + 1)],
])("%s is written into no file", (_, write) => {
  expect(write).toThrow(RangeError);
});
