import { expect, test } from "vitest";
import { isSameInstitution, resemblesInstitution, resemblesUs, whyNameWaits } from "./institution-names";

test.each([
  "Commonwealth Bank Security",
  "commonwealth bank of australia",
  "C0mmonwealth Bank",
  "Comonwealth Bank Fraud Team",
  "Commonwealth  Bank",
  "CommonwealthBank",
  "Соmmonwealth Bank",
  "Westpac",
  "WESTPAC Support",
  "ANZ",
  "NAB Security",
  "АNZ Alerts",
  "St. George Bank",
  "Bank of Queensland Help",
  "National Australia Bank Ltd",
  "CommBank NetBank",
  "N A B",
  "W e s t p a c Support",
  "Westpack Services",
  "Westpak",
  "Paypal",
  "PAY PAL Resolution",
  "Up Bank",
  "UBank Support",
  "American Express Merchant Care",
])("%j is or looks like an institution's name", (name) => {
  expect(resemblesInstitution(name)).toBe(true);
});

test.each([
  "Harbour Joinery Pty Ltd",
  "Harbour Foods",
  "Commonwealth Games Federation",
  "LNG Services",
  "Nabiac Timber",
  "Bank Street Cafe",
  "Wise Plumbing",
  "Queensland Country Kitchens",
  "Macquarie University",
  "Banksia Gardens",
  "Revolt Cycles",
  "Upbeat Banking Courses",
  "Payroll Pals",
  "Ann Bank",
  "Mira Okafor",
  "Help Desk",
])("%j is another name", (name) => {
  expect(resemblesInstitution(name)).toBe(false);
});

test.each([
  ["Commonwealth Bank of Australia", "Commonwealth Bank"],
  ["Commonwealth Bank of Australia", "CommBank"],
  ["National Australia Bank", "NAB"],
  ["ANZ Bank", "Australia and New Zealand Banking Group Limited"],
  ["St.George Bank", "St. George"],
  ["Westpac", "Westpac Banking Corporation"],
  ["Macquarie Bank", "Macquarie Bank Limited"],
  ["Bank Australia", "Bank Australia Limited (BAU)"],
])("%j and %j are the same institution", (one, other) => {
  expect(isSameInstitution(one, other)).toBe(true);
  expect(isSameInstitution(other, one)).toBe(true);
});

test.each([
  ["Commonwealth Bank of Australia", "Westpac"],
  ["National Australia Bank", "Bank Australia"],
  ["Bank of Melbourne", "Bank of Queensland"],
  ["Commonwealth Bank of Australia", "Bankwest"],
  ["BNP Paribas", "Bank of America"],
])("%j and %j are different institutions", (one, other) => {
  expect(isSameInstitution(one, other)).toBe(false);
});

test.each([
  "PayeeProof",
  "Payee Proof Support",
  "PAYEEPR00F security",
  "PayeeProoof",
  "Раyееproof",
  "P a y e e P r o o f",
  "Pay ee Proof",
])("%s passes for our own service", (name) => expect(resemblesUs(name)).toBe(true));

test.each(["Proof Payments", "Payee Services", "Waterproof Roofing", "Payeepoint"])("%s does not", (name) =>
  expect(resemblesUs(name)).toBe(false),
);

test.each([
  ["Аcme Pty Ltd", true],
  ["Alpha Ωmega", true],
  ["Café Émile", false],
  ["Ελληνική Κοινότητα", false],
  ["東京 Trading", false],
])("%s mixes alphabets: %s", (name, mixed) => expect(whyNameWaits(name)).toBe(mixed ? "alphabets" : undefined));

test.each([
  ["Westpac Community Fund", "institution"],
  ["Westpack Services", "institution"],
  ["Paypal", "institution"],
  ["Up Bank", "institution"],
  ["Southern Cross Bank Pty Ltd", "institution"],
  ["Harbour Bank of Australia Ltd", "institution"],
  ["Bank of Ballarat", "institution"],
  ["Darwin Food Bank", undefined],
  ["Left Bank Pty Ltd", undefined],
  ["The Old Bank Hotel", undefined],
  ["Payee Proof Support", "ours"],
  ["Harbour Joinery Pty Ltd", undefined],
])("the name %s waits because of %s", (name, why) => expect(whyNameWaits(name)).toBe(why));
