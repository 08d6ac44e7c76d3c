import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { readInvoiceFacts } from "./invoice-facts";

/** Numbers and totals of invoices, as their headings and labels name them. */

test.each([
  ["Progress Claim No. 6 / Tax Invoice T03160", "T03160"],
  ["Progress Claim No. 2 / Tax Invoice SI-003174", "SI-003174"],
  ["TAX INVOICE\tHS5147-26\nDate\t2 November 2026", "HS5147-26"],
  ["Karri Floors\tTax invoice KF-9001", "KF-9001"],
  ["Tax invoice\t12 November 2026", undefined],
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
])("the total in %j", (text, total) => {
  expect(readInvoiceFacts(linesOfText(text)).totalCents).toBe(total);
});
