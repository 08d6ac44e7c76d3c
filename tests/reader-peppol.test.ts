import { type Bill, writeUbl } from "@simulators/senders/bill";
import { expect, test } from "vitest";
import { pngOf } from "./support/documents/painted";
import { HELVETICA, PdfFile, words } from "./support/documents/pdf-file";
import { read, readFacts } from "./support/reader";

/** Invoices of Peppol: PINT A-NZ, and BIS 3 before it. */

const PINT = "urn:peppol:pint:billing-1@aunz-1";
const BIS = "urn:cen.eu:en16931:2017#conformant#urn:fdc:peppol.eu:2017:poacc:billing:international:aunz:3.0";

const KARRI: Bill = {
  ...{ accountName: "Karri Floors Pty Ltd", abn: "51824753556", bsb: "062000", accountNumber: "12345678" },
  ...{ number: "INV-2207", what: "Sanding and sealing", total: 183_700, at: Date.UTC(2026, 10, 3) },
  customer: { name: "Murray Cafe Pty Ltd", abn: "53004085616" },
};
const means = (account: string, branch: string, code = "30", reference = "INV-2207") =>
  `<cac:PaymentMeans><cbc:PaymentMeansCode name="Credit transfer">${code}</cbc:PaymentMeansCode><cbc:PaymentID>${reference}</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>${account}</cbc:ID><cbc:Name>Karri Floors Pty Ltd</cbc:Name>${branch ? `<cac:FinancialInstitutionBranch><cbc:ID>${branch}</cbc:ID></cac:FinancialInstitutionBranch>` : ""}</cac:PayeeFinancialAccount></cac:PaymentMeans>`;

const ubl = (inside: string, given: Parameters<typeof writeUbl>[1] = {}) =>
  writeUbl(KARRI, { ...given, means: inside });

test("elements of another name space are no invoice", async () => {
  const other = ubl(means("12345678", "062000")).replaceAll("urn:oasis:names:specification:ubl", "urn:elsewhere");
  expect(await read(other)).toEqual({ status: "unreadable", reason: "not_a_document", kind: "ubl" });
});

test("a note that names another account makes none of them certain", async () => {
  const note = "<cbc:Note>Our bank details have changed: BSB 732-001 Account 99887766</cbc:Note>";
  const facts = await readFacts(ubl(means("12345678", "062000"), { before: note }));
  expect(facts.accounts.map(({ accountNumber, certain }) => [accountNumber, certain])).toEqual([
    ["12345678", false],
    ["99887766", false],
  ]);
  expect(facts.findings.map(({ code }) => code)).toEqual(["new_bank_details_words", "several_accounts"]);
});

test("a note that repeats the account changes nothing", async () => {
  const note = "<cbc:Note>Pay to BSB 062-000 Account 12345678</cbc:Note>";
  const facts = await readFacts(ubl(means("12345678", "062000"), { before: note }));
  expect(facts).toMatchObject({ accounts: [{ certain: true }], findings: [] });
});

test("an ABN of the supplier that no business can have is named, and one of the customer is not", async () => {
  const [payable, codes] = [ubl(means("12345678", "062000")), ["abn_cannot_exist"]];
  const findings = async (xml: string) => (await readFacts(xml)).findings.map(({ code }) => code);
  expect(await findings(payable.replaceAll("51824753556", "51824753557"))).toEqual(codes);
  expect(await findings(payable.replaceAll("53004085616", "53004085617"))).toEqual([]);
  expect(await findings(payable.replaceAll("51824753556", "51824753557").replaceAll("0151", "0211"))).toEqual([]);
});

test.each([PINT, BIS])("all that an invoice says: %s", async (customization) => {
  const facts = await readFacts(ubl(means("1234 5678", "062-000"), { customization }));
  expect(facts).toMatchObject({
    kind: "ubl",
    invoiceNumber: "INV-2207",
    issueDate: "2026-11-03",
    dueDate: "2026-11-17",
    totalCents: 183_700,
    gstCents: 16_700,
    currency: "AUD",
    supplierName: "Karri Floors Pty Ltd",
    customerName: "Murray Cafe Pty Ltd",
    findings: [],
    isReadableEverywhere: true,
  });
  expect(facts.accounts).toMatchObject([
    { bsb: "062000", accountNumber: "12345678", accountName: "Karri Floors Pty Ltd", certain: true, whose: "payee" },
  ]);
  expect(facts.abns.map(({ abn, whose }) => `${abn} ${whose}`)).toEqual([
    "51824753556 supplier",
    "53004085616 customer",
  ]);
});

test("a transfer, BPAY, PayID and a page to pay on, side by side", async () => {
  const facts = await readFacts(
    ubl(
      means("12345678", "062000") +
        means("23796", "BPAY", "30", "1234567897") +
        means("pay@karrifloors.example", "PAYID") +
        means("https://pay.karrifloors.example/", "URI"),
    ),
  );
  expect(facts.accounts).toHaveLength(1);
  expect(facts.bpay).toMatchObject([{ billerCode: "23796", reference: "1234567897", isCheckDigitRight: true }]);
  expect(facts.payIds).toMatchObject([{ payId: "pay@karrifloors.example", type: "email" }]);
  expect(facts.findings).toMatchObject([{ code: "payment_link", way: "pay.karrifloors.example" }]);
});

test("other ways to pay that its notes name are read as those in fields are", async () => {
  const says = [
    "Pay online at https://elsewhere.example/1",
    "Cheques payable to J. Crook",
    "PayID: crook@elsewhere.example",
    "BPAY Biller Code: 918273 Ref: 1234567897",
  ];
  const note = says.map((text) => `<cbc:Note>${text}</cbc:Note>`).join("");
  const facts = await readFacts(ubl(means("12345678", "062000"), { before: note }));
  expect(facts.findings.map(({ code, way }) => `${code} ${way}`)).toEqual([
    "payment_link elsewhere.example",
    "cheque_payee J. Crook",
  ]);
  expect(facts.payIds).toMatchObject([{ payId: "crook@elsewhere.example", type: "email" }]);
  expect(facts.bpay).toMatchObject([{ billerCode: "918273", reference: "1234567897" }]);
});

test.each([
  ["062-000 12345678", ""],
  ["06200012345678", ""],
  ["062000-12345678", "062000"],
])("the BSB in the account: %s", async (account, branch) => {
  const facts = await readFacts(ubl(means(account, branch)));
  expect(facts.accounts).toMatchObject([{ bsb: "062000", accountNumber: "12345678", certain: true }]);
});

test("an account without its BSB is half of one", async () => {
  const facts = await readFacts(ubl(means("12345678", "")));
  expect(facts.accounts).toMatchObject([
    { bsb: "", accountNumber: "12345678", certain: false, doubts: ["half_an_account"] },
  ]);
  expect(facts.findings).toMatchObject([{ code: "account_could_not_be_read" }]);
});

test("an account that is a word could not be read", async () => {
  const facts = await readFacts(ubl(means("AccountNumber", "BSB Number")));
  expect(facts).toMatchObject({ accounts: [], findings: [{ code: "account_could_not_be_read" }] });
});

test.each([
  ["12-3456-0123456-00", ""],
  ["12 3456 0123456 000", ""],
  ["123456012345600", "<cbc:Note>Thank you</cbc:Note>"],
])("an account of New Zealand is never read as a BSB and account number: %s", async (account, before) => {
  const invoice = ubl(means(account, ""), { before });
  const facts = await readFacts(before ? invoice.replace(">AUD<", ">NZD<") : invoice);
  expect(facts).toMatchObject({ accounts: [], findings: [{ code: "iban_or_swift" }] });
});

test("two accounts, an IBAN, a credit note", async () => {
  expect((await readFacts(ubl(means("12345678", "062000") + means("99887766", "732001")))).findings).toMatchObject([
    { code: "several_accounts" },
  ]);
  expect((await readFacts(ubl(means("GB82WEST12345698765432", "WESTGB2L")))).findings).toMatchObject([
    { code: "iban_or_swift", digits: "GB82WEST12345698765432" },
  ]);
  expect((await readFacts(ubl(means("12345678", "062000"), { root: "CreditNote" }))).findings).toMatchObject([
    { code: "credit_note" },
    { code: "asks_no_payment" },
  ]);
});

test("the account that is debited is the customer's", async () => {
  const mandate =
    "<cac:PaymentMeans><cbc:PaymentMeansCode>49</cbc:PaymentMeansCode><cac:PaymentMandate><cbc:ID>M1</cbc:ID><cac:PayerFinancialAccount><cbc:ID>12345678</cbc:ID><cac:FinancialInstitutionBranch><cbc:ID>062000</cbc:ID></cac:FinancialInstitutionBranch></cac:PayerFinancialAccount></cac:PaymentMandate></cac:PaymentMeans>";
  expect((await readFacts(ubl(mandate))).accounts).toMatchObject([{ whose: "customer" }]);
});

function embedded(...texts: string[]): string {
  const file = new PdfFile();
  file.page(["TAX INVOICE", ...texts].map((text, index) => words(text, 50, 780 - index * 14)).join(""), HELVETICA);
  return `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="invoice.pdf">${Buffer.from(file.toBytes()).toString("base64")}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`;
}

test("the PDF inside says the same", async () => {
  const facts = await readFacts(
    ubl(means("12345678", "062000"), { before: embedded("BSB 062-000", "Account 12345678") }),
  );
  expect(facts).toMatchObject({ accounts: [{ certain: true }], findings: [] });
});

test("the PDF inside names another account: neither is certain", async () => {
  const facts = await readFacts(
    ubl(means("12345678", "062000"), { before: embedded("BSB 732-001", "Account 99887766") }),
  );
  expect(facts.accounts.map(({ certain, doubts }) => ({ certain, doubts }))).toEqual([
    { certain: false, doubts: ["differs_inside"] },
    { certain: false, doubts: ["attachment"] },
  ]);
  expect(facts.findings.map(({ code }) => code)).toContain("attachment_with_bank_details");
});

test.each([
  ["two numbers in one account", means("12345678</cbc:ID><cbc:ID>99887766", "062000")],
  [
    "two branches",
    means("12345678", "062000</cbc:ID></cac:FinancialInstitutionBranch><cac:FinancialInstitutionBranch><cbc:ID>732001"),
  ],
  ["something inside the number", means("1234<cbc:Note>99</cbc:Note>5678", "062000")],
])("%s: not certain", async (_, inside) => {
  expect((await readFacts(ubl(inside))).accounts).toMatchObject([{ certain: false, doubts: ["several_readings"] }]);
});

test("an invoice is the supplier's, whoever is paid for it", async () => {
  const payee =
    "<cac:PayeeParty><cac:PartyName><cbc:Name>Quoll Receivables Pty Ltd</cbc:Name></cac:PartyName></cac:PayeeParty>";
  expect(await readFacts(ubl(payee + means("12345678", "062000")))).toMatchObject({
    supplierName: "Karri Floors Pty Ltd",
  });
});

test("a debit beside a transfer leaves the transfer the payee's", async () => {
  const facts = await readFacts(ubl(means("12345678", "062000") + means("99887766", "732001", "49")));
  expect(facts.accounts.map(({ whose }) => whose)).toEqual(["payee", "customer"]);
});

test.each([
  [["BSB: 732-001", "Account number: 99887766"], ["account_could_not_be_read"]],
  [["BSB: 062-000", "Account number: 12345678"], []],
])("a picture inside that shows %j", async (texts, codes) => {
  const picture = embedded()
    .replace("application/pdf", "image/png")
    .replace(/>[A-Za-z0-9+/=]{99,}</, `>${Buffer.from(await pngOf(texts)).toString("base64")}<`);
  const facts = await readFacts(ubl(means("12345678", "062000"), { before: picture }));
  expect(facts.findings.map(({ code }) => code)).toEqual(codes);
});

test.each([
  [
    "text/html",
    "invoice.html",
    "<p>BSB 732-001 Account 99887766</p>",
    ["attachment_with_bank_details", "several_accounts"],
  ],
  ["text/csv", "hours.csv", "Name,Hours\nKim,7", []],
])("words inside, as %s", async (type, name, words, codes) => {
  const file = embedded().replace("application/pdf", type).replace("invoice.pdf", name);
  const before = file.replace(/>[A-Za-z0-9+/=]{99,}</, `>${Buffer.from(words).toString("base64")}<`);
  const facts = await readFacts(ubl(means("12345678", "062000"), { before }));
  expect(facts.findings.map(({ code }) => code)).toEqual(codes);
});

test("a picture inside, and a document that is fetched, are not read", async () => {
  const picture = embedded("x").replace("application/pdf", "image/png").replace("invoice.pdf", "bank.png");
  const facts = await readFacts(ubl("", { before: picture }));
  expect(facts).toMatchObject({ isReadableEverywhere: false, findings: [{ code: "attachment_not_read" }] });
  const outside = picture.replace(
    /<cbc:Embedded.*Object>/,
    "<cac:ExternalReference><cbc:URI>https://x.example/</cbc:URI></cac:ExternalReference>",
  );
  expect((await readFacts(ubl("", { before: outside }))).isReadableEverywhere).toBe(false);
});

test.each([
  ["a sort code", ubl(means("12345678", "20-00-00"))],
  [
    "six digits of another country",
    ubl(means("12345678", "200000"))
      .replace(">AUD<", ">GBP<")
      .replace(
        "<cac:PartyLegalEntity>",
        "<cac:PostalAddress><cac:Country><cbc:IdentificationCode>GB</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyLegalEntity>",
      ),
  ],
])("%s is no BSB", async (_, invoice) => {
  expect(await readFacts(invoice)).toMatchObject({ accounts: [], findings: [{ code: "iban_or_swift" }] });
});

test.each([
  ["data:text/css,PaymentMeans::after{content:'BSB 732-001'}", false],
  ["https://karri.example/invoice.xsl", false],
  ["#style", false],
  ["PINT.xsl", true],
])(
  "a style sheet that the file brings decides what a browser shows, one beside it does not: %s",
  async (href, certain) => {
    const styled = ubl(means("12345678", "062000")).replace(
      "?>",
      `?><?xml-stylesheet type="text/css" href="${href}"?>`,
    );
    const facts = await readFacts(styled);
    expect(facts.accounts).toMatchObject([{ certain }]);
    expect(facts.findings.map(({ code }) => code)).toEqual(certain ? [] : ["shown_differently"]);
  },
);

const beside = (words: string) => means("12345678", "062000").replace("Karri Floors Pty Ltd", words);
test.each([
  ["in the account's name", beside("Use 732001 99887766 instead")],
  ["as another name of the account", beside("Karri</cbc:Name><cbc:AliasName>99887766</cbc:AliasName><cbc:Name>Floors")],
  ["in a note without other words", `<cbc:Note>Please use 732001 99887766</cbc:Note>${means("12345678", "062000")}`],
  ["as an IBAN", means("12345678", "062000") + means("DE89370400440532013000", "")],
])("another number %s is named", async (_, inside) => {
  const facts = await readFacts(ubl(inside));
  expect(facts.findings.map(({ code }) => code).join()).toMatch(/number_without_label|several_accounts/);
});

test("another account that stands with the supplier makes several", async () => {
  const own = `<cac:FinancialAccount><cbc:ID>99887766</cbc:ID><cac:FinancialInstitutionBranch><cbc:ID>732001</cbc:ID></cac:FinancialInstitutionBranch></cac:FinancialAccount>`;
  const facts = await readFacts(
    ubl(means("12345678", "062000")).replace("<cac:PartyLegalEntity>", `${own}<cac:PartyLegalEntity>`),
  );
  expect(facts.findings.map(({ code }) => code)).toContain("several_accounts");
});

test("two invoices in one envelope are refused", async () => {
  const one = ubl(means("12345678", "062000")).split("?>\n")[1];
  const answer = await read(new TextEncoder().encode(`<sh:Envelope xmlns:sh="urn:x">${one}${one}</sh:Envelope>`));
  expect(answer.status).toBe("unreadable");
});

test("in the envelope of the network", async () => {
  const [, invoice = ""] = ubl(means("12345678", "062000")).split("?>\n");
  const facts = await readFacts(
    `<sh:StandardBusinessDocument xmlns:sh="urn:x"><sh:StandardBusinessDocumentHeader/>${invoice}</sh:StandardBusinessDocument>`,
  );
  expect(facts.accounts).toMatchObject([{ bsb: "062000", accountNumber: "12345678" }]);
});

const DEEP = "<a>".repeat(5_000) + "</a>".repeat(5_000);
test.each([
  [
    "a document type that grows",
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>',
    "damaged",
  ],
  ["a thousand levels", DEEP, "too_large"],
  ["an end that is missing", ubl(means("12345678", "062000")).slice(0, -40), "damaged"],
  [
    "an order",
    '<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"><ID>1</ID></Order>',
    "not_a_document",
  ],
  ["other XML", "<feed><entry>1</entry></feed>", "not_a_document"],
])("%s is refused", async (_, xml, reason) => {
  expect(await read(xml)).toEqual({ status: "unreadable", reason, kind: "ubl" });
});
