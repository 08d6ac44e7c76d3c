import { expect, test } from "vitest";
import { decodeBytes } from "~/kernel/encodings";
import { checkFields } from "~/modules/payees/imports/judge-rows.server";
import { MAX_CELL, MAX_COLUMNS, MAX_ROW, MAX_ROWS } from "../import";
import { readPayeeRow } from "../read-payee";
import { readTable, type TableRow } from "./read-table";

/** Reads files that match accounting systems' and spreadsheets' output byte for byte, and checks the payees. */

const LIMITS = { maxRows: MAX_ROWS, maxColumns: MAX_COLUMNS, maxCell: MAX_CELL, maxRow: MAX_ROW };

/** The payees in a file, or the sentences of rows that are refused. */
function read(bytes: Uint8Array) {
  const rows: TableRow[] = [];
  const reading = readTable(decodeBytes(bytes), LIMITS, (row) => rows.push(row));
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { head, zeroColumns } = reading;
  const rules = { mapping: head.guess, zeroColumns, check: checkFields };
  return { kind: head.kind, rows: rows.map((row) => readPayeeRow(row, rules)) };
}

const detailsOf = (bytes: Uint8Array) =>
  read(bytes).rows.map((row) => ("details" in row ? row.details : expect.fail(row.message)));

const utf8 = (text: string) => new TextEncoder().encode(text);
const withMark = (text: string) => utf8(`\ufeff${text}`);
/** Every character of these texts is one byte, with the same code as in Windows-1252. */
const windows1252 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text: string) => new Uint8Array(Uint16Array.from(`\ufeff${text}`, (c) => c.charCodeAt(0)).buffer);

const CAFE = { name: "Café Olé, Catering", bsb: "062000", accountNumber: "012345678", phone: "+61412345678" };
const SONS = { name: `O'Brien "Bob" & Sons`, bsb: "033001", accountNumber: "40000001", phone: "+61293744000" };

/** The table with each cell written as the program writes it. */
const table = (separator: string, end: string, write: (cell: string, isText: boolean) => string) =>
  [
    ["Supplier", "BSB", "Account number", "Phone"],
    [CAFE.name, CAFE.bsb, CAFE.accountNumber, "0412 345 678"],
    [SONS.name, SONS.bsb, SONS.accountNumber, "(02) 9374 4000"],
  ]
    .map((cells) => cells.map((cell) => write(cell, !/^[1-9]\d*$/.test(cell))).join(separator) + end)
    .join("");

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const whereNeeded = (separator: string) => (cell: string) =>
  cell.includes(separator) || cell.includes('"') ? quoted(cell) : cell;
const textsQuoted = (cell: string, isText: boolean) => (isText ? quoted(cell) : cell);
const keptAsText = (cell: string) => (/^\d+$/.test(cell) ? `"=""${cell}"""` : whereNeeded(",")(cell));
const bareFormula = (cell: string) => (/^\d+$/.test(cell) ? `="${cell}"` : whereNeeded(";")(cell));

test.each([
  ["Excel, CSV UTF-8: a byte order mark, CRLF", withMark(table(",", "\r\n", whereNeeded(",")))],
  ["Excel, CSV: Windows-1252, CRLF", windows1252(table(",", "\r\n", whereNeeded(",")))],
  ["Excel where the list separator is a semicolon", withMark(table(";", "\r\n", whereNeeded(";")))],
  ["Excel, Unicode text: UTF-16 with tabs", utf16(table("\t", "\r\n", whereNeeded("\t")))],
  ["Excel, numbers kept as text by formulas", withMark(table(",", "\r\n", keptAsText))],
  ["formulas without quotation marks around them", utf8(table(";", "\r\n", bareFormula))],
  ["Excel with the separator named above", utf8(`sep=;\r\n${table(";", "\r\n", whereNeeded(";"))}`)],
  ["LibreOffice, all texts quoted", utf8(table(",", "\n", textsQuoted))],
  ["LibreOffice, all cells quoted, tabs", utf8(table("\t", "\r\n", quoted))],
  ["Google Sheets: UTF-8, LF, no end at the last line", utf8(table(",", "\n", whereNeeded(",")).trimEnd())],
  [
    "Numbers with the table's name above and rows filled up",
    utf8(`Table 1,,,\n${table(",", "\n", whereNeeded(","))},,,\n`),
  ],
])("%s", (_, bytes) => {
  const [cafe, sons, ...more] = detailsOf(bytes);
  expect(cafe).toMatchObject({ ...CAFE, accountName: CAFE.name });
  expect(sons).toMatchObject({ ...SONS, accountName: SONS.name });
  expect(more).toEqual([]);
});

const XERO_HEADINGS =
  "*ContactName,AccountNumber,EmailAddress,FirstName,LastName,POAttentionTo,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,SAAttentionTo,SAAddressLine1,SAAddressLine2,SAAddressLine3,SAAddressLine4,SACity,SARegion,SAPostalCode,SACountry,PhoneNumber,FaxNumber,MobileNumber,DDINumber,SkypeName,BankAccountName,BankAccountNumber,BankAccountParticulars,TaxNumberType,TaxNumber,AccountsReceivableTaxCodeName,AccountsPayableTaxCodeName,Website,LegalName,Discount,CompanyNumber,DueDateBillDay";
const MYOB_HEADINGS =
  "Co./Last Name\tFirst Name\tCard ID\tCard Status\tCurrency Code\tAddr 1 - Line 1\t           - Line 2\t           - Line 3\t           - Line 4\t           - City\t           - State\t           - Postcode\t           - Country\t           - Phone # 1\t           - Phone # 2\t           - Email\tA.B.N.\tA.B.N. Branch\tAccount\tBSB\tBank Account Number\tBank Account Name\tStatement Text";

/** A row of an export, given its values by heading. */
const rowOf = (headings: string, separator: string, held: Record<string, string>) => {
  const names = headings.split(separator);
  for (const name of Object.keys(held)) if (!names.some((each) => each.trim() === name)) throw new Error(name);
  return names.map((name) => held[name.trim()] ?? "").join(separator);
};

test("contacts of Xero as they are: BSB and number in one cell, the contact's code left alone, customers without an account told", () => {
  const rows: Record<string, string>[] = [
    {
      ...{
        "*ContactName": "Wattle Creek Electrical",
        AccountNumber: "WAT001",
        EmailAddress: "accounts@wattle.example",
      },
      ...{
        BankAccountName: "Wattle Creek Electrical P/L",
        BankAccountNumber: "062-000-12345678",
        TaxNumberType: "ABN",
      },
      ...{ TaxNumber: "51824753556", MobileNumber: "0412 345 678", POAddressLine1: "PO Box 7", POCity: "Newtown" },
    },
    { "*ContactName": "Only a Customer", AccountNumber: "CUS009", EmailAddress: "buyer@customer.example" },
    { "*ContactName": "Kestrel Freight", BankAccountNumber: "033001123456" },
  ];
  const text = [XERO_HEADINGS, ...rows.map((row) => rowOf(XERO_HEADINGS, ",", row))].join("\r\n");
  const file = read(withMark(text));
  expect(file.kind).toBe("xero");
  expect(file.rows).toMatchObject([
    {
      details: {
        ...{ name: "Wattle Creek Electrical", accountName: "Wattle Creek Electrical P/L", bsb: "062000" },
        ...{ accountNumber: "12345678", abn: "51824753556", email: "accounts@wattle.example", phone: "+61412345678" },
        address: "PO Box 7, Newtown",
      },
    },
    { name: "Only a Customer", refused: "no_account" },
    { details: { name: "Kestrel Freight", accountName: "Kestrel Freight", bsb: "033001", accountNumber: "123456" } },
  ]);
});

test("cards of MYOB as they are: tabs, a mark above the headings, a person's two names, the ledger's account left alone", () => {
  const rows: Record<string, string>[] = [
    {
      ...{
        "Co./Last Name": "Harbour Timber Pty Ltd",
        "Card ID": "*None",
        Account: "5-1100",
        "A.B.N.": "51 824 753 556",
      },
      ...{ BSB: "062-000", "Bank Account Number": "012345678", "Bank Account Name": "Harbour Timber", "- Email": "" },
    },
    {
      ...{ "Co./Last Name": "Nguyen", "First Name": "Thi", BSB: "082-001", "Bank Account Number": "40000001" },
      ...{ "- Phone # 1": "0412 345 678", "Addr 1 - Line 1": "12 Creek Road", "- City": "Newtown" },
    },
  ];
  const text = ["{}", MYOB_HEADINGS, ...rows.map((row) => rowOf(MYOB_HEADINGS, "\t", row)), ""].join("\r\n\r\n");
  const file = read(windows1252(text));
  expect(file.kind).toBe("myob");
  expect(file.rows).toMatchObject([
    {
      details: {
        ...{ name: "Harbour Timber Pty Ltd", accountName: "Harbour Timber", bsb: "062000" },
        ...{ accountNumber: "012345678", abn: "51824753556", email: null },
      },
    },
    { details: { name: "Thi Nguyen", bsb: "082001", accountNumber: "40000001", address: "12 Creek Road, Newtown" } },
  ]);
});
