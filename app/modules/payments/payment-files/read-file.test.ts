import { expect, test } from "vitest";
import { decodeBytes } from "~/kernel/encodings";
import { readPaymentFile } from "./read-file";

const read = (text: string, options: Parameters<typeof readPaymentFile>[1] = {}) => {
  const reading = readPaymentFile(text, options);
  if (!reading.ok) throw new Error(reading.problems.map(({ message }) => message).join("; "));
  return reading.file;
};

const problems = (text: string) => {
  const reading = readPaymentFile(text);
  return reading.ok ? [] : reading.problems.map(({ message }) => message);
};

const LINE = {
  accountName: "Wattle Creek Electrical",
  bsb: "062000",
  accountNumber: "12345678",
  amount: 125_050,
  reference: "INV-1",
};

test.each([
  [
    "headings of a bank",
    "Account name,BSB,Account number,Amount,Reference\nWattle Creek Electrical,062-000,12345678,1250.50,INV-1\n",
  ],
  [
    "headings of an accounting system",
    "Contact Name;Invoice No.;Total;BSB No;Acct No\nWattle Creek Electrical;INV-1;$1,250.50;62000;1234 5678\n",
  ],
  ["lines from a spreadsheet", "Wattle Creek Electrical\t062 000\t12345678\t1,250.50\tINV-1"],
  [
    "a quoted table with CRLF",
    '"Payee","BSB","Account","Amount","Description"\r\n"Wattle Creek Electrical","062-000","12345678","1,250.50","INV-1"\r\n',
  ],
  ["headings that say nothing", "A,B,C,D,E\nWattle Creek Electrical,062-000,12345678,1250.50,INV-1"],
])("a table is read: %s", (_, text) => {
  expect(read(text).lines).toMatchObject([LINE]);
});

test("columns that an organisation chose are used again", () => {
  const text = "Who,Where,Which,How much,What for\nWattle Creek Electrical,062-000,12345678,1250,INV-1";
  const reading = readPaymentFile(text);
  const mapping = { accountName: 0, bsb: 1, accountNumber: 2, amount: 3, reference: 4 };
  expect(reading).toMatchObject({
    ok: false,
    mappingNeeded: { headings: ["Who", "Where", "Which", "How much", "What for"] },
  });
  const signature = !reading.ok && reading.mappingNeeded ? reading.mappingNeeded.signature : "";
  expect(read(text, { known: { [signature]: mapping } })).toMatchObject({
    lines: [{ ...LINE, amount: 125_000 }],
    columns: { signature, mapping },
  });
});

const HEADINGS = "Account name,BSB,Account number,Amount,Reference";

test.each([
  ["a NUL", `${HEADINGS}\nA\0,1,2,3,4`, "Line 2: a NUL character in column 2. This is not a payment file."],
  [
    "text after an end-of-file mark",
    `${HEADINGS}\nA,062-000,12345678,4.00,R\n\u001a\u001athanks`,
    "Line 3: a control character in column 1.",
  ],
  ["UTF-16", "A\0c\0c\0", "Line 1: a NUL character in column 2."],
  ["a picture", "\u0089PNG\r\n", "Line 1: a control character in column 1."],
  ["nothing", "", "The file is empty."],
  ["headings only", HEADINGS, "The file has headings and no payments."],
  [
    "a bad BSB",
    `${HEADINGS}\nWattle,06200,12345678,1.00,X\nWattle,06x000,12345678,1.00,X`,
    "Line 3: the BSB is “06x000”.",
  ],
  ["an amount below nil", `${HEADINGS}\nWattle,062000,12345678,-1.00,X`, "Line 2: the amount is “-1.00”."],
  ["half a cent", `${HEADINGS}\nWattle,062000,12345678,1.005,X`, "Line 2: the amount is “1.005”."],
  ["an account of three digits", `${HEADINGS}\nWattle,062000,123,1.00,X`, "Line 2: the account number is “123”."],
  [
    "a quotation that is never closed",
    `${HEADINGS}\n"Wattle,062000,12345678,1.00,X`,
    "a quotation mark is opened and not closed.",
  ],
  ["a page", "<html><body>Not signed in</body></html>", "the columns are not recognised"],
])("refused: %s", (_, text, message) => {
  expect(problems(text).join("\n")).toContain(message);
});

test("a line break inside quotation marks does not move the line numbers", () => {
  const text = `${HEADINGS}\n"Wattle\nCreek",062000,12345678,1.00,X\nWattle,062000,1,1.00,X`;
  expect(problems(text)).toEqual(["Line 4: the account number is “1”. It must have 4 to 9 digits."]);
});

test("20,001 payments are refused with the line", () => {
  const rows = Array.from({ length: 20_001 }, (_, at) => `Wattle,062000,${10_000_000 + at},1.00,X`);
  expect(problems([HEADINGS, ...rows].join("\n"))).toEqual(["Line 20002: the file has more than 20,000 payments."]);
});

test("a million lines are refused at the first line beyond, whatever they hold", () => {
  const sentence =
    "Line 60001: the file is longer than it may be. A payment file has 60,000 lines and 20,000 payments at most.";
  expect(problems(`${HEADINGS}\n${"\n".repeat(1_000_000)}`)).toEqual([sentence]);
  expect(problems(`0${" ".repeat(119)}\r\n${"1\r\n".repeat(1_000_000)}`)).toEqual([sentence]);
});

test("bytes that are not UTF-8 are read one character for each", () => {
  expect(decodeBytes(new Uint8Array([0x43, 0xe9]))).toBe("Cé");
  expect(decodeBytes(new Uint8Array([0xef, 0xbb, 0xbf, 0x30]))).toBe("0");
});

test.each([
  ["CRLF", "\r\n"],
  ["LF", "\n"],
  ["CR", "\r"],
])("the separator that a first line names is taken, and lines are counted with it: %s", (_, end) => {
  const rows = ["sep=;", HEADINGS.replaceAll(",", ";"), "Wattle;062000;12345678;1,00;X", "Wattle;062000;1;1.00;X"];
  expect(problems(rows.join(end)).at(-1)).toBe("Line 4: the account number is “1”. It must have 4 to 9 digits.");
});

test("lines are counted right where cells break with LF and rows end with CRLF", () => {
  const text = `${HEADINGS}\r\n"Wattle\nCreek",062000,12345678,1.00,X\r\nWattle,062000,1,1.00,X\r\n`;
  expect(problems(text)).toEqual(["Line 4: the account number is “1”. It must have 4 to 9 digits."]);
  expect(problems(`${HEADINGS}\nWattle,062000,12345678,1.00,X\r\nWattle,062000,1,1.00,X\r\n`)).toEqual([
    "Line 3: the account number is “1”. It must have 4 to 9 digits.",
  ]);
});

test("a quotation mark that is not closed is named by the line of the text", () => {
  const text = `${HEADINGS}\n"Wattle\nCreek",062000,12345678,1.00,X\n"Wattle,062000,12345678,1.00,X`;
  expect(problems(text)[0]).toBe("Line 4: a quotation mark is opened and not closed.");
});

test("a reference of a table has a limit", () => {
  const text = (length: number) => `${HEADINGS}\nWattle,062000,12345678,1.00,${"R".repeat(length)}`;
  expect(read(text(140)).lines[0]?.reference).toHaveLength(140);
  expect(problems(text(141))).toEqual(["Line 2: the reference has more than 140 characters."]);
});
