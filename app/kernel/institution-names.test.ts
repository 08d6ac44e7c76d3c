import { expect, test } from "vitest";
import { resemblesInstitution } from "./institution-names";

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
  "Mira Okafor",
  "Help Desk",
])("%j is another name", (name) => {
  expect(resemblesInstitution(name)).toBe(false);
});
