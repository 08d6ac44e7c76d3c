import { expect, test } from "vitest";
import { NOT_IN_TABLE } from "../csv/columns";
import { readPaymentFile } from "../read-file";

const WATTLE = { accountName: "Wattle Creek Electrical Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const ACCOUNTS = { "Wattle Creek Electrical": [WATTLE], "Kim Lee": [{ ...WATTLE, accountName: "K Lee" }] };

const read = (text: string, accounts: Parameters<typeof readPaymentFile>[1] = { accounts: ACCOUNTS }) => {
  const reading = readPaymentFile(text, accounts);
  if (!reading.ok) throw new Error(reading.problems.map(({ message }) => message).join("; "));
  return reading.file;
};

const problemsOf = (text: string) => {
  const reading = readPaymentFile(text, { accounts: ACCOUNTS });
  return (reading.ok ? reading.file.problems : reading.problems).map(({ message }) => message);
};

// Headings as Xero exports bills: one row for each line of a bill, the amount due of the whole bill on each.
const XERO =
  "*ContactName,EmailAddress,POAddressLine1,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,PlannedDate,Total,TaxTotal,InvoiceAmountPaid,InvoiceAmountDue,InventoryItemCode,Description,Quantity,UnitAmount,Discount,LineAmount,AccountCode,TaxType,TaxAmount,Currency,Type,Sent,Status";
const xero = (given: {
  number?: string;
  due?: string;
  status?: string;
  type?: string;
  currency?: string;
  who?: string;
}) =>
  `${given.who ?? "Wattle Creek Electrical"},a@wattle.example,,${given.number ?? "INV-7"},,01/11/2026,30/11/2026,,1375.00,125.00,0.00,${given.due ?? "1375.00"},,Wiring,1,1250,,1250.00,400,GST on Expenses,125.00,${given.currency ?? "AUD"},${given.type ?? "Bill"},,${given.status ?? "Awaiting Payment"}`;

test("an export of bills from Xero: a bill of two lines is one payment to the payee's account", () => {
  const text = [XERO, xero({}), xero({}), xero({ number: "INV-8", due: "80.50" })].join("\n");
  const { lines, format, columns } = read(text);
  expect(lines).toEqual([
    { ...WATTLE, line: 2, amount: 137_500, reference: "INV-7", newDetails: false },
    { ...WATTLE, line: 4, amount: 8_050, reference: "INV-8", newDetails: false },
  ]);
  expect([format, columns]).toEqual(["csv", { accounts: ACCOUNTS }]);
});

// Purchases as MYOB AccountRight exports them ("Import and export fields"): tab-separated, with a marker as the first
// line and a blank line between bills.
const MYOB = [
  "{}",
  "Co./Last Name\tFirst Name\tPurchase No.\tDate\tSupplier Invoice No.\tDescription\tAccount No.\tAmount\tInc-Tax Amount\tInc-Tax Freight Amount\tPurchase Status\tAmount Paid",
  "Wattle Creek Electrical\t\t00000071\t1/11/2026\tWC-9\tWiring\t6-1000\t$100.00\t$110.00\t$11.00\tB\t$21.00",
  "Wattle Creek Electrical\t\t00000071\t1/11/2026\tWC-9\tLess a return\t6-1000\t-$10.00\t-$11.00\t$11.00\tB\t$21.00",
  "",
  "Lee\tKim\t00000072\t1/11/2026\t\tCleaning\t6-2000\t$50.00\t$55.00\t\tB\t",
  "",
  "Lee\tKim\t00000073\t1/11/2026\t\tTo come\t6-2000\t$50.00\t$55.00\t\tO\t",
];

test("an export of bills from MYOB AccountRight: lines and freight are added up, what was paid is taken off", () => {
  expect(read(MYOB.join("\r\n")).lines).toMatchObject([
    { line: 3, accountName: WATTLE.accountName, amount: 8_900, reference: "WC-9" },
    { line: 6, accountName: "K Lee", amount: 5_500, reference: "00000072" },
  ]);
  expect(problemsOf(MYOB.join("\r\n"))).toContain("Line 8: the bill 00000073 is left out: its status is “O”.");
});

test("a list of bills from MYOB Business", () => {
  const text =
    'Issue date,Bill number,Supplier,Supplier invoice number,Amount ($),Balance due ($),Status\n1/11/2026,71,Wattle Creek Electrical,WC-9,"1,375.00","1,375.00",Open';
  expect(read(text).lines).toMatchObject([{ amount: 137_500, reference: "WC-9", bsb: "062000" }]);
});

test("a list of bills with headings of its own is paid by the columns that a person chose", () => {
  const text = "{}\nCreditor;Bill;Outstanding\nWattle Creek Electrical;WC-9;1,375.00";
  const asked = readPaymentFile(text);
  expect(asked).toMatchObject({ ok: false, mappingNeeded: { headings: ["Creditor", "Bill", "Outstanding"] } });
  const signature = !asked.ok && asked.mappingNeeded ? asked.mappingNeeded.signature : "";
  const mapping = { accountName: 0, reference: 1, amount: 2, bsb: NOT_IN_TABLE, accountNumber: NOT_IN_TABLE };
  const known = { [signature]: mapping };
  expect(readPaymentFile(text, { known })).toMatchObject({
    ok: false,
    unpaid: { suppliers: ["Wattle Creek Electrical"] },
  });
  expect(readPaymentFile(text, { known, accounts: ACCOUNTS })).toMatchObject({
    ok: true,
    file: {
      lines: [{ ...WATTLE, line: 3, amount: 137_500, reference: "WC-9" }],
      columns: { accounts: ACCOUNTS, chosen: { signature, mapping } },
    },
  });
});

test.each([
  ["a sales invoice", xero({ type: "Sales invoice" }), "Line 2: this is a sales invoice, not a bill."],
  ["another currency", xero({ currency: "NZD" }), "Line 2: the bill is in NZD."],
  ["an amount in words", xero({ due: "lots" }), "Line 2: the amount is “lots”."],
  ["a draft only", xero({ status: "Draft" }), "The file has no bill that is to be paid."],
  ["a paid bill only", xero({ due: "0.00" }), "Line 2: the bill INV-7 is left out: $0.00 is owed on it."],
  [
    "a credit note only",
    xero({ type: "Bill credit note" }),
    "Line 2: the bill INV-7 is left out: it is a credit note.",
  ],
  [
    "two amounts of one bill",
    [xero({}), xero({ due: "1.00" })].join("\n"),
    "Line 3: the bill on line 2 has a different amount",
  ],
])("refused: %s", (_, rows, problem) => {
  const reading = readPaymentFile([XERO, rows].join("\n"), { accounts: ACCOUNTS });
  expect([reading.ok, problemsOf([XERO, rows].join("\n")).join(" ")]).toEqual([
    false,
    expect.stringContaining(problem),
  ]);
});

test.each(["Stranger", "constructor"])("%s, who is no payee, is a line without an account beside the others", (who) => {
  const reading = readPaymentFile([XERO, xero({ who }), xero({})].join("\n"), { accounts: ACCOUNTS });
  expect(reading).toMatchObject({
    ok: true,
    file: {
      lines: [
        { line: 2, accountName: who, bsb: "", accountNumber: "" },
        { line: 3, bsb: WATTLE.bsb },
      ],
    },
  });
  expect(reading.ok && reading.file.problems[0]).toMatchObject({
    line: 2,
    level: "warning",
    message: expect.stringContaining(`no payee is called “${who}”`),
  });
});

test("two payees of one name are not guessed between", () => {
  const reading = readPaymentFile([XERO, xero({})].join("\n"), {
    accounts: { "Wattle Creek Electrical": [WATTLE, { ...WATTLE, accountNumber: "87654321" }] },
  });
  expect(reading).toMatchObject({ ok: true, file: { lines: [{ line: 2, bsb: "", accountNumber: "" }] } });
  expect(reading.ok && reading.file.problems[0]?.message).toContain("several payees");
});

test("without accounts the reading says whose are needed", () => {
  expect(readPaymentFile([XERO, xero({})].join("\n"))).toMatchObject({
    ok: false,
    unpaid: { suppliers: ["Wattle Creek Electrical"] },
  });
});

test("a table that names accounts itself is a table of payments, whatever else it holds", () => {
  const text =
    "Supplier,BSB,Account number,Amount due,Amount,Invoice number\nA Pty Ltd,062-000,12345678,9.00,10.00,INV-1";
  expect(read(text, {}).lines).toMatchObject([{ accountName: "A Pty Ltd", amount: 1_000 }]);
});

// The headings of Xero's template for importing bills. Two published programs write them identically; Xero offers the
// template itself only to people who are signed in.
const TEMPLATE =
  "*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,*InvoiceNumber,*InvoiceDate,*DueDate,Total,InventoryItemCode,Description,*Quantity,*UnitAmount,*AccountCode,*TaxType,TaxAmount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2,Currency";
const template = (number: string, total: string) =>
  `Wattle Creek Electrical,,,,,,,,,,${number},01/11/2026,30/11/2026,${total},,Wiring,2,50,400,GST on Expenses,10,,,,,AUD`;

test("Xero's template for bills: the total of a bill is paid, and its lines are not guessed at", () => {
  const text = [TEMPLATE, template("INV-1", "220.00"), template("INV-1", ""), template("INV-2", "110")].join("\n");
  expect(read(text).lines).toMatchObject([
    { ...WATTLE, line: 2, amount: 22_000, reference: "INV-1" },
    { ...WATTLE, line: 4, amount: 11_000, reference: "INV-2" },
  ]);
  expect(problemsOf([TEMPLATE, template("INV-1", "")].join("\n"))).toEqual([
    "Line 2: the total of the bill is blank. Fill in the column Total, with GST.",
  ]);
  expect(problemsOf([TEMPLATE, template("INV-1", "10"), template("INV-1", "20")].join("\n"))).toContain(
    "Line 3: the bill on line 2 has a different total.",
  );
  expect(problemsOf([TEMPLATE, template("I".repeat(141), "10")].join("\n"))).toEqual([
    "Line 2: the number of the bill has more than 140 characters.",
  ]);
});

// Older Xero headings without totals, and those for sales invoices, as published programs write them.
const ADDRESS = "POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry";
const TRACKING = "TrackingName1,TrackingOption1,TrackingName2,TrackingOption2";
const WITHOUT_TOTAL = `*ContactName,EmailAddress,${ADDRESS},*InvoiceNumber,*InvoiceDate,*DueDate,InventoryItemCode,Description,*Quantity,*UnitAmount,*AccountCode,*TaxType,${TRACKING}`;
const SALES = `*ContactName,EmailAddress,${ADDRESS},*InvoiceNumber,Reference,*InvoiceDate,*DueDate,InventoryItemCode,*Description,*Quantity,*UnitAmount,Discount,*AccountCode,*TaxType,${TRACKING},Currency,BrandingTheme`;

test("Xero's template without totals is told apart, and what a bill comes to is not guessed from its lines", () => {
  const row = "Wattle Creek Electrical,,,,,,,,,,INV-1,01/11/2026,30/11/2026,,Wiring,2,50,400,GST on Expenses,,,,";
  expect(problemsOf([WITHOUT_TOTAL, row, row].join("\n"))).toEqual([
    "Line 1: this is a template for bills without the column Total. Its lines do not say whether they include GST. Add a column Total with what each bill comes to, with GST, or export the bills from Xero.",
  ]);
});

test("Xero's template for sales invoices pays nobody", () => {
  const row = "Wattle Creek Electrical,,,,,,,,,,INV-1,,01/11/2026,30/11/2026,,Wiring,2,50,,200,GST on Income,,,,,AUD,";
  expect(problemsOf([SALES, row].join("\n"))).toEqual([
    "Line 1: this is a template for sales invoices, not for bills.",
  ]);
});
