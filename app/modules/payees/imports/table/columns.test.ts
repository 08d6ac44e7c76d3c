import { expect, test } from "vitest";
import { guessColumns, kindOf, missingColumns, signatureOf } from "./columns";

/** The headings of a Xero contacts export, exactly as Xero writes them. */
const XERO =
  "*ContactName,AccountNumber,EmailAddress,FirstName,LastName,POAttentionTo,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,SAAttentionTo,SAAddressLine1,SAAddressLine2,SAAddressLine3,SAAddressLine4,SACity,SARegion,SAPostalCode,SACountry,PhoneNumber,FaxNumber,MobileNumber,DDINumber,SkypeName,BankAccountName,BankAccountNumber,BankAccountParticulars,TaxNumberType,TaxNumber,AccountsReceivableTaxCodeName,AccountsPayableTaxCodeName,Website,LegalName,Discount,CompanyNumber,DueDateBillDay".split(
    ",",
  );

/** The headings of a MYOB supplier card export. */
const MYOB =
  "Co./Last Name\tFirst Name\tCard ID\tCard Status\tCurrency Code\tAddr 1 - Line 1\t           - Line 2\t           - Line 3\t           - Line 4\t           - City\t           - State\t           - Postcode\t           - Country\t           - Phone # 1\t           - Phone # 2\t           - Email\tA.B.N.\tA.B.N. Branch\tAccount\tBSB\tBank Account Number\tBank Account Name\tStatement Text".split(
    "\t",
  );

const named = (headings: readonly string[]) => {
  const mapping = guessColumns(headings);
  return Object.fromEntries(
    Object.entries(mapping).map(([field, columns]) => [field, columns?.map((column) => headings[column]?.trim())]),
  );
};

test("a contacts export of Xero: the bank account is one column with its BSB, and the contact's own code is none", () => {
  expect(kindOf(XERO)).toBe("xero");
  expect(named(XERO)).toEqual({
    name: ["*ContactName"],
    accountName: ["BankAccountName"],
    accountNumber: ["BankAccountNumber"],
    abn: ["TaxNumber"],
    email: ["EmailAddress"],
    phone: ["PhoneNumber", "MobileNumber", "DDINumber"],
    address: [
      "POAddressLine1",
      "POAddressLine2",
      "POAddressLine3",
      "POAddressLine4",
      "POCity",
      "PORegion",
      "POPostalCode",
    ],
  });
});

test("a card export of MYOB: a person's two names, and the ledger's account is no bank account", () => {
  expect(kindOf(MYOB)).toBe("myob");
  expect(named(MYOB)).toEqual({
    name: ["Co./Last Name"],
    firstName: ["First Name"],
    accountName: ["Bank Account Name"],
    bsb: ["BSB"],
    accountNumber: ["Bank Account Number"],
    abn: ["A.B.N."],
    email: ["- Email"],
    phone: ["- Phone # 1"],
    address: ["Addr 1 - Line 1", "- Line 2", "- Line 3", "- Line 4", "- City", "- State", "- Postcode"],
  });
});

test.each([
  ["Supplier,BSB,Account No.,ABN", { name: [0], bsb: [1], accountNumber: [2], abn: [3] }],
  ["Name,Bank Account,E-mail", { name: [0], accountNumber: [1], email: [2] }],
  ["Account Name,Branch Number,Account", { accountName: [0], bsb: [1], accountNumber: [2] }],
  ["First Name,Surname,BSB,Acct No", { firstName: [0], name: [1], bsb: [2], accountNumber: [3] }],
])("%s is recognised", (headings, mapping) => {
  expect(guessColumns(headings.split(","))).toEqual(mapping);
});

test("an account number and one of the names are needed", () => {
  expect(missingColumns({})).toBe("Choose the column of the account number");
  expect(missingColumns({ accountNumber: [1] })).toBe("Choose the column of the payee name or of the account name");
  expect(missingColumns({ accountNumber: [1], accountName: [0] })).toBeUndefined();
});

test("tables with the same headings have one signature, however they are written", () => {
  expect(signatureOf(["Payee Name", "B.S.B."])).toBe(signatureOf(["payee name", "BSB"]));
});
