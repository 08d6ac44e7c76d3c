import ABA from "aba-generator";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AbaFile,
  type AbaPayment,
  fitsOneFile,
  readAba,
  toAscii,
  totalsOf,
  withAmount,
  writeAba,
  writeDetail,
  writeHeader,
} from "./aba";

const PAYER = {
  bank: "CBA",
  userName: "HARBOUR JOINERY PTY LTD",
  userId: "301500",
  description: "SUPPLIERS",
  date: "201126",
};

const payment = (given: Partial<AbaPayment> = {}): AbaPayment => ({
  bsb: "062000",
  accountNumber: "12345678",
  indicator: " ",
  code: "50",
  amount: 125_000,
  title: "WATTLE CREEK ELECTRICAL PTY LTD",
  reference: "INV-1001",
  trace: { bsb: "082001", accountNumber: "987654321" },
  remitter: "HARBOUR JOINERY",
  withholding: 0,
  ...given,
});

const toLine = (each: AbaPayment) => ({ record: writeDetail(each), code: each.code, amount: each.amount });

const write = (payments: readonly AbaPayment[], ending: "\r\n" | "\n" = "\r\n") =>
  writeAba(writeHeader(PAYER), payments.map(toLine), ending);

function read(text: string): AbaFile {
  const reading = readAba(text, 20_000);
  if (!reading.ok) throw new Error(reading.problems.map(({ message }) => message).join("; "));
  return reading.file;
}

const problemsOf = (text: string) => {
  const reading = readAba(text, 20_000);
  return (reading.ok ? reading.file.problems : reading.problems).map(({ message }) => message);
};

const blankFree = (text: string) => text.trim() === text && text !== "";
const ascii = (max: number) =>
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: max,
  });
const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: min, maxLength: max });

const payments = fc.array(
  fc.record<AbaPayment>({
    bsb: digits(6, 6),
    accountNumber: digits(4, 9).filter((text) => !/^0+$/.test(text)),
    indicator: fc.constantFrom(" ", "N", "W", "X", "Y"),
    code: fc.constantFrom("50", "53", "56"),
    amount: fc.integer({ min: 1, max: 200_000_000 }),
    title: ascii(32).filter(blankFree),
    reference: ascii(18).filter(blankFree),
    trace: fc.record({ bsb: digits(6, 6), accountNumber: digits(9, 9) }),
    remitter: ascii(16).filter(blankFree),
    withholding: fc.integer({ min: 0, max: 99_999_999 }),
  }),
  { minLength: 1, maxLength: 30 },
);

test("what was written is what is read, and the totals balance", () => {
  fc.assert(
    fc.property(payments, fc.constantFrom<"\r\n" | "\n">("\r\n", "\n"), (given, ending) => {
      const text = write(given, ending);
      const file = read(text);
      expect(
        text
          .split(ending)
          .slice(0, -1)
          .every((record) => record.length === 120),
      ).toBe(true);
      expect(file.problems).toEqual([]);
      expect(file.lineEnding).toBe(ending);
      expect(file.lines).toMatchObject(given.map(({ trace: _, ...each }) => each));
      expect(file.totals).toEqual({
        net: given.reduce((sum, { amount }) => sum + amount, 0),
        credit: given.reduce((sum, { amount }) => sum + amount, 0),
        debit: 0,
        count: given.length,
      });
      // Writing back what was read gives exactly the same bytes.
      expect(writeAba(file.header.record, file.lines, ending)).toBe(text);
    }),
  );
});

test("a file of another library is read", () => {
  const generator = new ABA({
    header: {
      bank: "ANZ",
      user: "Harbour Joinery Pty Ltd",
      userNumber: 301500,
      description: "Suppliers",
      date: "201126",
      bsb: "013999",
      account: "123456789",
    },
  });
  const text = generator.generate([
    {
      bsb: "061021",
      transactionCode: 50,
      account: "123456",
      amount: 12.34,
      accountTitle: "Georgian Council of New South Wales",
      reference: "Invoice # 1234",
      traceBsb: "061123",
      traceAccount: "1234567",
      remitter: "Acme Inc",
    },
    {
      bsb: "082001",
      transactionCode: 53,
      account: "001234567",
      amount: 0.01,
      accountTitle: "B",
      reference: "PAY",
      traceBsb: "061123",
      traceAccount: "1234567",
      remitter: "Acme Inc",
      tax: "W",
      taxAmount: 1,
    },
  ]);
  const file = read(text);
  expect(file.header).toMatchObject({ bank: "ANZ", userId: "301500", userName: "Harbour Joinery Pty Ltd" });
  expect(file.lines).toMatchObject([
    {
      line: 2,
      bsb: "061021",
      accountNumber: "123456",
      amount: 1234,
      title: "Georgian Council of New South Wa",
      reference: "Invoice # 1234",
      code: "50",
    },
    { line: 3, bsb: "082001", accountNumber: "001234567", amount: 1, code: "53", indicator: "W", withholding: 100 },
  ]);
  expect(file.problems).toEqual([]);
});

test("a file that balances itself with one debit for everything is read, and its debit is known", () => {
  const balance = { code: "13", amount: 250_000, title: "HARBOUR JOINERY", reference: "SUPPLIERS" };
  const file = read(write([payment(), payment({ accountNumber: "22345678" }), payment(balance)]));
  expect(file.balancingLine).toBe(4);
  expect(file.totals).toEqual({ net: 0, credit: 250_000, debit: 250_000, count: 3 });
});

test("a payment record that cannot be read is the only problem: the totals are not compared without it", () => {
  const text = write([payment(), payment({ accountNumber: "22345678" })]).replace("INV-1001", "INV-10012");
  expect(problemsOf(text)).toEqual(["Line 2: the record has 121 columns. It must have 120."]);
});

test.each([
  ["trailing blanks trimmed", (text: string) => text.replace(/ +\r\n/g, "\r\n"), "Line 1: the record has 80 columns"],
  ["no line end after the last record", (text: string) => text.trimEnd().padEnd(text.trimEnd().length + 40), undefined],
  ["an end-of-file mark", (text: string) => `${text}\u001a`, undefined],
  ["an end-of-file mark behind the last record", (text: string) => `${text.replace(/\r\n$/, "")}\u001a`, undefined],
  ["empty lines at the end", (text: string) => `${text}\r\n\r\n`, undefined],
  ["a blank reel", (text: string) => `${text.slice(0, 18)}  ${text.slice(20)}`, undefined],
  ["the payer's account in the header", (text: string) => `0013-999123456789${text.slice(17)}`, undefined],
  [
    "blanks beyond column 120",
    (text: string) => text.replaceAll("\r\n", "  \r\n"),
    "Line 1: the record has 122 columns",
  ],
  ["a left-justified account", (text: string) => text.replace(" 12345678", "12345678 "), "not right-justified"],
])("tolerated: %s", (_, change, warning) => {
  const text = change(write([payment()]));
  expect(read(text).lines).toHaveLength(1);
  expect(problemsOf(text).join(" ")).toContain(warning ?? "");
});

const detail = (given: Partial<AbaPayment> = {}) => writeDetail(payment(given));
const whole = (...records: string[]) => [writeHeader(PAYER), ...records].join("\r\n");
const totalOf = (text: string) => text.split("\r\n").at(-2) ?? "";
const good = write([payment(), payment({ accountNumber: "22345678" })]);

test.each([
  ["nothing", "", "The file is empty."],
  ["no header", good.slice(122), "Line 1: the file must begin with a header record (type 0)."],
  ["two headers", whole(writeHeader(PAYER), detail(), totalOf(good)), "Line 2: a second header record"],
  ["truncated before its total", whole(detail()), "Line 2: the file ends here without a total record (type 7)."],
  ["truncated in a record", good.slice(0, 200), "Line 2: the record has 78 columns. It must have 120."],
  ["lines after the total", `${good}${detail()}\r\n`, "Line 5: the file continues after its total record"],
  ["rubbish after the total", `${good}thanks\r\n`, "Line 5: a record begins with 0, 1 or 7, not with “t”."],
  ["an empty line between", good.replace("\r\n", "\r\n\r\n"), "Line 2: the line is empty."],
  ["a record that is too long", good.replace("INV-1001", "INV-10012"), "Line 2: the record has 121 columns."],
  ["no payments", write([]), "no payment (type 1) records"],
  [
    "a wrong credit total",
    good.replaceAll("0000250000", "0000250001"),
    "Line 4: the credit total is $2,500.01, and the payments add up to $2,500.00.",
  ],
  ["a wrong net total", good.replace("0000250000", "0000250001"), "Line 4: the net total is $2,500.01"],
  ["a wrong count", good.replace("000002 ", "000003 "), "Line 4: the number of payments is 3, and the file has 2."],
  ["a bad BSB", good.replace("062-000", "062000 "), "Line 2: the BSB in columns 2 to 8 is “062000 ”."],
  [
    "letters in an account",
    good.replace(" 12345678", " 1234S678"),
    "Line 2: the account number in columns 9 to 17 is “1234S678”.",
  ],
  ["an account of zeros", good.replace(" 12345678", " 00000000"), "Line 2: the account number"],
  ["a nil amount", good.replace("0000125000", "0000000000"), "Line 2: the amount in columns 21 to 30 is nil."],
  ["a minus sign", good.replace("0000125000", "-000125000"), "It must be cents in ten digits."],
  [
    "an unknown code",
    good.replace("12345678 500", "12345678 990"),
    "Line 2: the transaction code in columns 19 to 20 is “99”.",
  ],
  ["an unknown indicator", good.replace("12345678 500", "12345678Q500"), "Line 2: the indicator in column 18 is “Q”."],
  ["no title", write([payment({ title: "" })]), "Line 2: the account title in columns 31 to 62 is blank."],
  [
    "a debit for another amount",
    write([payment(), payment({ code: "13", amount: 5 })]),
    "Line 3: a debit (code 13) of $0.05.",
  ],
  ["two debits", write([payment(), payment({ code: "13" }), payment({ code: "13" })]), "Line 4: a second debit"],
  [
    "columns shifted by a letter of two bytes",
    good.replace("WATTLE CREEK ELECTRICAL PTY LTD ", "CAFÉ CREEK ELECTRICAL PTY LTD "),
    "Line 2: the record has 118 columns",
  ],
])("refused: %s", (_, text, message) => {
  const reading = readAba(text, 20_000);
  expect(reading.ok).toBe(false);
  expect(problemsOf(text).join("\n")).toContain(message);
});

test("more payments than allowed are refused with the line of the first beyond", () => {
  const reading = readAba(write(Array.from({ length: 4 }, () => payment())), 3);
  expect(reading).toMatchObject({
    ok: false,
    problems: [{ line: 5, message: "Line 5: the file has more than 3 payments." }],
  });
});

test("a file with a thousand wrong lines names the first and counts the rest", () => {
  const records = Array.from({ length: 1000 }, () => detail().replace("062-000", "062 000"));
  expect(problemsOf(whole(...records, totalOf(good)))).toContain("And 975 more problems.");
});

test("the debit of a self-balancing file is written with another amount", () => {
  const record = withAmount(detail({ code: "13", amount: 1 }), 250_000);
  expect(record).toBe(detail({ code: "13", amount: 250_000 }));
});

test("names are written in plain letters, one for one", () => {
  expect(toAscii("CAFÉ Žofie Ltd — ø")).toBe("CAFE Zofie Ltd ? o");
  expect(writeDetail(payment({ title: "Café Žofie" }))).toHaveLength(120);
});

test("what does not fit is not cut silently", () => {
  expect(() => writeDetail(payment({ accountNumber: "1234567890" }))).toThrow(RangeError);
  expect(() => writeDetail(payment({ amount: 10_000_000_000 }))).toThrow(RangeError);
  expect(
    fitsOneFile([
      { code: "50", amount: 9_999_999_999 },
      { code: "50", amount: 1 },
    ]),
  ).toBe(false);
  expect(fitsOneFile([{ code: "50", amount: 9_999_999_999 }])).toBe(true);
  expect(totalsOf([])).toEqual({ net: 0, credit: 0, debit: 0, count: 0 });
});

test.each([
  [
    "bank and user number",
    { bank: "", userId: "      " },
    "the bank in columns 21 to 23 and the user number in columns 57 to 62",
  ],
  ["user number", { userId: "      " }, "the user number in columns 57 to 62"],
])("a header without %s is read with a warning", (_, given, what) => {
  const header = writeHeader({ ...PAYER, ...given });
  expect(problemsOf(writeAba(header, [toLine(payment())]))).toEqual([
    `Line 1: the header leaves ${what} blank. Banks refuse such a file, so it cannot be cleared as it is.`,
  ]);
});
