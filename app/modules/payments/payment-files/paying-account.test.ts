import { expect, test } from "vitest";
import { DETAIL, HEADER, readAba, withField, writeAba, writeDetail, writeHeader } from "./aba";
import { checkPayingAccount, findUndeclared, type PayingAccount, type PaysFrom, stopsOf } from "./payment-file";
import { readPaysFrom } from "./upload-file.server";

const LINE = { accountName: "Kestrel Freight", bsb: "062000", accountNumber: "12345678", amount: 100_00 };
const HEAD = { bank: "CBA", userName: "HARBOUR JOINERY", userId: "301500", description: "SUPPLIERS", date: "201126" };

const anAbaFile = (lines: readonly (typeof LINE & { code?: string })[]) =>
  writeAba(
    writeHeader(HEAD),
    lines.map(({ accountName: title, bsb, accountNumber, amount, code = "50" }) => ({
      code,
      amount,
      record: writeDetail({
        ...{ bsb, accountNumber, indicator: " ", code, amount, title, reference: "INV-1", withholding: 0 },
        ...{ trace: { bsb: "082001", accountNumber: "987654321" }, remitter: "HARBOUR JOINERY" },
      }),
    })),
  );

/** The paying account in `anAbaFile`. */
const OURS: PayingAccount = { bank: "CBA", userId: "301500", bsb: "082001", accountNumber: "987654321" };

function statedBy(text: string): PaysFrom {
  const reading = readAba(text, 100);
  if (!reading.ok) throw new Error(reading.problems[0]?.message);
  return readPaysFrom(reading.file);
}

/** The file with one field of one record replaced. */
function changed(text: string, at: number, columns: readonly [number, number], value: string): string {
  const records = text.split("\r\n");
  return records.map((record, index) => (index === at ? withField(record, columns, value) : record)).join("\r\n");
}

const FILE = anAbaFile([LINE, LINE]);
const BALANCED = anAbaFile([
  LINE,
  { ...LINE, accountName: "OURSELVES", code: "13", bsb: "082001", accountNumber: "987654321" },
]);

test("a file says once who pays, however many lines it has", () => {
  expect(statedBy(FILE)).toEqual({
    bank: "CBA",
    userId: "301500",
    accounts: [{ place: "trace", bsb: "082001", accountNumber: "987654321", line: 2, count: 2 }],
  });
  expect(statedBy(BALANCED).accounts.map(({ place, line }) => [place, line])).toEqual([
    ["trace", 2],
    ["debit", 3],
  ]);
});

test.each([
  ["as it is", FILE],
  ["with the debit that balances it", BALANCED],
  [
    "with blank trace fields on a line",
    changed(changed(FILE, 2, DETAIL.traceBsb, "       "), 2, DETAIL.traceAccount, "         "),
  ],
])("a file that names the declared account passes %s", (_, text) => {
  expect(checkPayingAccount(statedBy(text), [OURS])).toEqual({ state: "declared", problems: [] });
});

test.each([
  [
    "another trace account on one line",
    changed(FILE, 2, DETAIL.traceAccount, " 11112222"),
    ["Line 3: returned payments would go to 082-001 •••••222, which your organisation has not declared to pay from."],
  ],
  [
    "another trace BSB on every line",
    changed(changed(FILE, 1, DETAIL.traceBsb, "062-000"), 2, DETAIL.traceBsb, "062-000"),
    [
      "Line 2 and 1 more: returned payments would go to 062-000 ••••••321, which your organisation has not declared to pay from.",
    ],
  ],
  [
    "another account in its debit",
    changed(BALANCED, 2, DETAIL.account, " 11112222"),
    ["Line 3 takes the whole amount from 082-001 •••••222, which your organisation has not declared to pay from."],
  ],
  [
    "another bank in its header",
    changed(FILE, 0, HEADER.bank, "ANZ"),
    ["The header names the bank ANZ and the user number 301500. You declared CBA and 301500."],
  ],
  [
    "a trace account without its BSB",
    changed(FILE, 2, DETAIL.traceBsb, "       "),
    ["Line 3: returned payments would go to no BSB ••••••321, which your organisation has not declared to pay from."],
  ],
  [
    "a trace BSB without its account",
    changed(FILE, 2, DETAIL.traceAccount, "         "),
    [
      "Line 3: returned payments would go to 082-001 without an account number, which your organisation has not declared to pay from.",
    ],
  ],
  [
    "a trace account that is no number",
    changed(FILE, 2, DETAIL.traceAccount, "98765432X"),
    ["Line 3: returned payments would go to 082-001 ••••••32X, which your organisation has not declared to pay from."],
  ],
  [
    "another account in its header",
    changed(changed(FILE, 0, HEADER.bsb, "082-001"), 0, HEADER.account, "11112222 "),
    ["The header names the account 082-001 •••••222, which your organisation has not declared to pay from."],
  ],
  [
    "no bank and no user number in its header",
    changed(changed(FILE, 0, HEADER.bank, "   "), 0, HEADER.userId, "      "),
    ["The header names the bank (blank) and the user number (blank). You declared CBA and 301500."],
  ],
  [
    "another user number in its header",
    changed(FILE, 0, HEADER.userId, "999999"),
    ["The header names the bank CBA and the user number 999999. You declared CBA and 301500."],
  ],
])("a file with %s is stopped", (_, text, problems) => {
  expect(checkPayingAccount(statedBy(text), [OURS])).toEqual({ state: "other", problems });
});

test("the bank of one declared account does not pass for another", () => {
  const other = { bank: "ANZ", userId: "222222", bsb: "012003", accountNumber: "55556666" };
  const file = changed(FILE, 0, HEADER.bank, "ANZ");
  expect(checkPayingAccount(statedBy(file), [OURS, other]).state).toBe("other");
  expect(checkPayingAccount(statedBy(FILE), [other, OURS]).state).toBe("declared");
});

test("a file that names no account passes with the bank and user number of any declared one, and with no other", () => {
  const blank = [1, 2].reduce(
    (text, at) => changed(changed(text, at, DETAIL.traceBsb, "       "), at, DETAIL.traceAccount, "         "),
    FILE,
  );
  const other = { bank: "ANZ", userId: "222222", bsb: "012003", accountNumber: "55556666" };
  expect(statedBy(blank).accounts).toEqual([]);
  expect(checkPayingAccount(statedBy(blank), [other, OURS]).state).toBe("declared");
  expect(checkPayingAccount(statedBy(blank), [other, { ...OURS, bank: "NAB" }]).problems).toEqual([
    "The header names the bank CBA and the user number 301500. You declared ANZ and 222222, or NAB and 301500.",
  ]);
});

test("an account declared with two user numbers passes with either, leading zeros or not", () => {
  const second = { ...OURS, userId: "1500" };
  const file = changed(FILE, 0, HEADER.userId, "001500");
  expect(checkPayingAccount(statedBy(FILE), [OURS, second]).state).toBe("declared");
  expect(checkPayingAccount(statedBy(file), [OURS, second]).state).toBe("declared");
  expect(checkPayingAccount(statedBy(file), [OURS]).state).toBe("other");
  expect(findUndeclared(statedBy(file), [second])).toEqual([]);
});

test("a file that names more accounts than are kept is stopped by the first of them", () => {
  const lines = Array.from({ length: 30 }, () => LINE);
  const many = lines.reduce(
    (text, _, at) => changed(text, at + 1, DETAIL.traceAccount, `1111${1000 + at} `),
    anAbaFile(lines),
  );
  expect(statedBy(many).accounts).toHaveLength(20);
  expect(checkPayingAccount(statedBy(many), [OURS]).state).toBe("other");
});

test("nothing is compared where nothing was declared, and a table says nothing of who pays", () => {
  expect(checkPayingAccount(statedBy(FILE), [])).toEqual({ state: "none_declared", problems: [] });
  expect(checkPayingAccount(null, [OURS])).toEqual({ state: "not_stated", problems: [] });
});

test("an account that several lines name is offered once, and not when it is declared", () => {
  expect(findUndeclared(statedBy(BALANCED), [])).toEqual([OURS]);
  expect(findUndeclared(statedBy(BALANCED), [OURS])).toEqual([]);
});

test("a header without a bank offers nothing", () => {
  expect(findUndeclared(statedBy(changed(FILE, 0, HEADER.bank, "   ")), [])).toEqual([]);
});

test.each([
  ["checked", { status: "open", heldCount: 1, authorisedCount: 1, clearedCount: 0 }, true],
  ["decided, nothing of it cleared", { status: "open", heldCount: 0, authorisedCount: 2, clearedCount: 0 }, true],
  ["cleared with a line held", { status: "cleared", heldCount: 1, authorisedCount: 1, clearedCount: 1 }, true],
  ["cleared, a line approved since", { status: "cleared", heldCount: 0, authorisedCount: 2, clearedCount: 1 }, true],
  [
    "cleared whole, before the bank's outcomes",
    { status: "cleared", heldCount: 0, authorisedCount: 2, clearedCount: 2 },
    false,
  ],
  ["settled", { status: "settled", heldCount: 0, authorisedCount: 2, clearedCount: 2 }, false],
] as const)("a file that is %s, once its account is withdrawn", (_, progress, isStopped) => {
  const paysFrom = statedBy(FILE);
  const other = { ...OURS, accountNumber: "11111111" };
  expect(stopsOf({ ...progress, paysFrom }, [other]).length > 0).toBe(isStopped);
  expect(stopsOf({ ...progress, paysFrom }, [OURS])).toEqual([]);
});
