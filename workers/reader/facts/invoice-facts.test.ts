import { expect, test } from "vitest";
import { type Line, linesOfText } from "../layout/lines";
import { readInvoiceFacts } from "./invoice-facts";

/** Numbers and totals of invoices, as their headings and labels name them. */

test.each([
  ["Progress Claim No. 6 / Tax Invoice T03160", "T03160"],
  ["Progress Claim No. 2 / Tax Invoice SI-003174", "SI-003174"],
  ["TAX INVOICE\tHS5147-26\nDate\t2 November 2026", "HS5147-26"],
  ["Karri Floors\tTax invoice KF-9001", "KF-9001"],
  ["Tax invoice\t12 November 2026", undefined],
  ["INVOICE NO........: 55021\nDATE.............: 4 May 2026", "55021"],
  ["INVOICE #..........: 55021", "55021"],
  ["INVOICE............: 55021", "55021"],
  ["Please pay this invoice... 55021 customers do", undefined],
  ["QUOTATION\nQuote no.\tQ-771", "Q-771"],
  ["TAX INVOICE\nQuote no.\tQ-771", undefined],
  ["TAX INVOICE\nQuote no.\tQ-771\nInvoice no.\t55021", "55021"],
  ["QUOTATION\nYour quote no. 9\nQuote number: 771", "771"],
  ["Karri Floors\tTAX INVOICE\nABN 51 824 753 556\tNo: KF-9001", "KF-9001"],
  ["Karri Floors\tTAX INVOICE\nABN 51 824 753 556\tDate\nLicence No: 90210\tNo: 3", "3"],
  ["Quote\nNo: KF-9001", undefined],
])("the number in the heading %j", (text, number) => {
  expect(readInvoiceFacts(linesOfText(text)).invoiceNumber).toBe(number);
});

test.each([
  ["Less previously claimed\t($21,055.20)\nAmount claimed (inc GST)\t$7,720.24", 772_024],
  ["Total (inc GST)\t$13,,238..79", undefined],
  ["Amount claimed to date\t$28,073.60", undefined],
  ["Power\tAmount due\nABN 51\n\t$310.20", 31_020],
  ["Power\tAmount due\nABN 51\n\n\n\n\t$310.20", undefined],
  ["Power\tAmount due\nABN 51\n\tby 4 May\n\t$310.20", undefined],
])("the total in %j", (text, total) => {
  expect(readInvoiceFacts(linesOfText(text)).totalCents).toBe(total);
});

/** Names in columns: `\t` is a wide gap. */
const facts = (...rows: string[]) => readInvoiceFacts(linesOfText(rows.join("\n")));

test.each([
  "9 Wattle Lane",
  "Mount Gambier SA 5290",
  "Mount Gambier, South Australia 5290",
  "Mount Gambier 5290",
  "Level 2, 40 Commercial Street East",
  "Cnr Bay and Gray Streets",
  "Commercial Street",
  "PO Box 118, Mount Gambier",
  "G.P.O. Box 118",
  "Locked Bag 3",
  "Ph 08 8725 0100",
  "Mobile: 0491 570 156",
  "Dear Robin,",
  "+61 8 8725 0100",
  "www.limestone.example",
  "limestonecoast.com.au",
  "office@limestone.example",
  "INV-20417",
  "Tax invoice",
])("a supplier is not called %j, which stands above its ABN", (line) => {
  expect(facts("Limestone Coast Roofing", line, "ABN 51 824 753 556").supplierName).toBe("Limestone Coast Roofing");
  expect(facts(line, "ABN 51 824 753 556").supplierName).toBeUndefined();
});

test("a supplier is called by its name, not by what it owns", () => {
  expect(facts("Wattle Grove Pools", "a business of Grove Pty Ltd", "ABN 51 824 753 556").supplierName).toBe(
    "Grove Pty Ltd",
  );
});

test.each(["Fitzroy Road Dental", "St Peters Plumbing", "Avenue Books Pty Ltd", "Kerbside Wine Co", "Roofing WA"])(
  "a supplier is called %j",
  (name) => {
    expect(facts(name, "14 Gray St", "Mount Gambier SA 5290", "ABN 51 824 753 556").supplierName).toBe(name);
  },
);

test.each([
  [["Limestone Coast Roofing", "51 824 753 556", "Quarry Homes Pty Ltd", "14 Gray St"], "Limestone Coast Roofing"],
  [
    ["Limestone Coast Roofing · BSB 063-000 · ABN 51 824 753 556", "", "Quarry Homes Pty Ltd"],
    "Limestone Coast Roofing",
  ],
  [
    ["Invoice Date\tLimestone Coast Roofing", "4 May 2026\t14 Gray St", "Quarry Homes Pty Ltd", "9 Bay Rd"],
    "Limestone Coast Roofing",
  ],
  [
    ["Limestone Coast Roofing", "Customer\tQuarry Homes Pty Ltd", "ABN of supplier\t51 824 753 556"],
    "Limestone Coast Roofing",
  ],
  [["Limestone Coast Roofing Pty", "Ltd", "ABN 51 824 753 556"], "Limestone Coast Roofing Pty Ltd"],
])("the supplier in %j", (rows, name) => {
  expect(facts(...rows).supplierName).toBe(name);
});

/** The same lines in larger type. */
const inLargeType = (lines: Line[], rows: number, size: number) =>
  lines.map((line, row) =>
    row < rows ? { ...line, size, chars: line.chars.map((char) => char && { ...char, size }) } : line,
  );

test("a name in large type goes on in the next line, and is the supplier's where two ABNs stand below it", () => {
  const rows = ["Limestone Coast", "Roofing", "9 Wattle Lane", "ABN 51 824 753 556", "Invoice no. 771"];
  const nameAbove = (other: string) =>
    readInvoiceFacts(inLargeType(linesOfText([...rows, other].join("\n")), 2, 14)).supplierName;
  expect(nameAbove("Total $310.20")).toBe("Limestone Coast Roofing");
  expect(nameAbove("Quarry Homes Pty Ltd, ABN 53 004 085 616")).toBe("Limestone Coast Roofing");
});

test("a slip to be sent with the payment is addressed to the supplier", () => {
  const slip = ["PAYMENT ADVICE\tCustomer\tQuarry Homes Pty Ltd", "To: Limestone Coast Roofing"];
  expect(facts("Limestone Coast Roofing", "ABN 51 824 753 556", ...slip)).toMatchObject({
    supplierName: "Limestone Coast Roofing",
    customerName: "Quarry Homes Pty Ltd",
  });
});
