import { expect, test } from "vitest";
import { documentFacts, toStored } from "~/modules/payments/invoices/reading";
import { HONEST, type Honest, TURNED } from "./support/documents/honest";
import { invoice } from "./support/documents/hostile";
import { HELVETICA, PdfFile, words } from "./support/documents/pdf-file";
import { PRODUCERS } from "./support/documents/producers";
import { coded, letterhead } from "./support/documents/traps";
import { readFacts } from "./support/reader";

/** Honest invoices, as several producers write them: the right account, with certainty and without a warning. */

const cases = [
  ...HONEST.flatMap((honest) =>
    Object.keys(PRODUCERS)
      .filter((producer) => !honest.not?.includes(producer))
      .map((producer) => ({ honest, producer, title: `${honest.name}, by ${producer}` })),
  ),
  { honest: TURNED, producer: "bySigns", title: TURNED.name },
];

async function expectCertainAccount(honest: Honest, bytes: Uint8Array): Promise<void> {
  const facts = await readFacts(bytes);
  const accounts = facts.accounts.map(({ bsb, accountNumber, certain, whose }) => ({
    bsb,
    accountNumber,
    certain,
    whose,
  }));
  const { account, whose = "payee" } = honest;
  expect(accounts).toEqual(
    account ? [{ bsb: account.bsb, accountNumber: account.accountNumber, certain: true, whose }] : [],
  );
  if (account?.accountName) expect(facts.accounts[0]?.accountName).toBe(account.accountName);
  expect(facts.findings.map(({ code }) => code)).toEqual(honest.findings ?? []);
  expect(facts.isReadableEverywhere).toBe(true);
  if (honest.totalCents) expect(facts.totalCents).toBe(honest.totalCents);
  if (honest.abn)
    expect(facts.abns.find(({ whose }) => whose === "supplier")?.abn).toBe(honest.abn.replaceAll(" ", ""));
  if (honest.biller)
    expect(facts.bpay).toMatchObject([{ billerCode: honest.biller, reference: "1234567897", isCheckDigitRight: true }]);
  if (honest.payId) expect(facts.payIds).toMatchObject([{ payId: honest.payId, type: "email" }]);
}

test.each(cases)("$title", async ({ honest, producer }) => {
  const make = PRODUCERS[producer];
  if (!make) throw new Error(`no producer ${producer}`);
  await expectCertainAccount(honest, await make(honest.sheet));
});

/** A font whose characters are drawings, with one box for all of them and a blank that has no name. */
function inDrawnDigits(): Uint8Array {
  const file = new PdfFile();
  const glyph = (path: string) => file.stream(`556 0 0 -200 1000 900 d1 ${path}`);
  const map = file.stream(
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar <31> <0031> <34> <0034> endbfchar endcmap end end",
  );
  const one = glyph("200 700 m 300 700 l 300 0 l 200 0 l 200 560 l 90 500 l 90 590 l h f");
  const four = glyph(
    "330 700 m 420 700 l 420 250 l 520 250 l 520 160 l 420 160 l 420 0 l 320 0 l 320 160 l 40 160 l 40 250 l h f",
  );
  const font = file.add(
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 1000 900] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /one ${one} 0 R /four ${four} 0 R /gap ${glyph("")} 0 R >> /Encoding << /Differences [32 /gap 49 /one 52 /four] >> /ToUnicode ${map} 0 R /FirstChar 32 /LastChar 52 /Widths [${Array.from({ length: 21 }, () => 556).join(" ")}] /Resources << >> >>`,
  );
  const number = "BT /F9 10 Tf 1 0 0 1 150 620 Tm (1414 4114) Tj ET\n";
  const labels = words("BSB: 062-000", 60, 640) + words("Account number:", 60, 620);
  file.page(labels + number, HELVETICA.replace("/Font <<", `/Font << /F9 ${font} 0 R`));
  return file.toBytes();
}

test("a number in a font whose characters are drawings is read", async () => {
  const { accounts, findings } = await readFacts(inDrawnDigits());
  expect(accounts).toMatchObject([{ bsb: "062000", accountNumber: "14144114", certain: true }]);
  expect(findings).toEqual([]);
});

test("numbers in the picture of a letterhead are no account", async () => {
  const facts = await readFacts(await letterhead());
  expect(facts.accounts).toMatchObject([{ bsb: "062000", accountNumber: "12345678", certain: true }]);
  expect(facts.findings).toEqual([]);
});

test("a mark before each row of a long list, on stripes in turn, is no writing that could not be read", async () => {
  const rows = Array.from({ length: 38 }, (_, at) => at);
  const stripes = rows.filter((at) => at % 2 === 0).map((at) => `0.07 0.2 0.27 rg 90 ${745 - at * 18.5} 400 18.5 re f`);
  const disc = (x: number, y: number) => {
    const [low, middle, high] = [1.7, 3.75, 5.8];
    const at = (...steps: [number, number][]) => steps.map(([dx, dy]) => `${x + dx} ${y + dy}`).join(" ");
    const sides = [
      at([0, high], [low, 7.5], [middle, 7.5]),
      at([high, 7.5], [7.5, high], [7.5, middle]),
      at([7.5, low], [high, 0], [middle, 0]),
      at([low, 0], [0, low], [0, middle]),
    ];
    return `0.27 0.53 0.67 rg ${at([0, middle])} m ${sides.join(" c ")} c f`;
  };
  const marks = rows.map((at) => disc(101, 750 - at * 18.5));
  const bank = words("BSB: 062-000", 50, 800) + words("Account number: 12345678", 50, 786);
  const facts = await readFacts(invoice(`${bank}\n${[...stripes, ...marks].join("\n")}`));
  expect(facts.accounts).toMatchObject([{ bsb: "062000", accountNumber: "12345678", certain: true }]);
  expect(facts.findings).toEqual([]);
});

test.each([
  ["IBAN: GB82 WEST 1234 5698 7654 32"],
  ["IBAN: GB83 WEST 1234 5698 7654 32"],
  ["Bank account: 12-3456-0123456-00"],
  ["Sort code: 20-00-00", "Account number: 55779911"],
  ["Routing number: 021000021", "Account number: 12345678901"],
])("bank details of another country are foreign ones, and never nothing: %s", async (...lines) => {
  const painted = ["Karri Floors Pty Ltd", "Tax invoice INV-2207", "How to pay", ...lines];
  const facts = await readFacts(invoice(painted.map((text, row) => words(text, 60, 700 - row * 20)).join("")));
  expect(facts).toMatchObject({ accounts: [], findings: [{ code: "iban_or_swift" }] });
});

test("the SWIFT code of an Australian bank beside BPAY is no foreign account", async () => {
  const texts = ["Karri Floors Pty Ltd", "Biller Code: 565572", "Ref: 1234567897", "SWIFT: CTBAAU2S"];
  const facts = await readFacts(invoice(texts.map((text, row) => words(text, 60, 700 - row * 20)).join("")));
  expect(facts).toMatchObject({ accounts: [], bpay: [{ billerCode: "565572" }], findings: [] });
});

test.each([
  ["Branch", "062-000", "Account number", "12345678"],
  ["BSB", "Commonwealth Bank of Australia", "Level 1, Hay Street, Perth", "062000"],
  ["Account number", "12345678", "Perth branch", "062-000"],
])("words for bank details beside numbers that cannot be joined are never no account: %s, %s", async (...lines) => {
  const painted = ["Karri Floors Pty Ltd", "Tax invoice INV-2207", ...lines];
  const read = await readFacts(invoice(painted.map((text, row) => words(text, 60, 700 - row * 20)).join("")));
  const email = await readFacts(
    new TextEncoder().encode(`From: a@b.example\nSubject: Invoice\n\n${painted.join("\n")}`),
  );
  for (const facts of [read, email]) {
    expect(facts.accounts.filter(({ certain }) => certain)).toEqual([]);
    expect(documentFacts(toStored(facts)).hasUnreadAccount).toBe(true);
  }
});

test("a reference beside a customer number is no part of an account", async () => {
  const painted = ["Karri Floors Pty Ltd", "Tax invoice INV-2207", "Account number: 12345678", "Reference: 062-000"];
  const facts = await readFacts(invoice(painted.map((text, row) => words(text, 60, 700 - row * 20)).join("")));
  expect(facts).toMatchObject({ accounts: [], findings: [] });
});

test.each([
  ["the account on it", "BSB 062-000 Account 12345678"],
  ["the PayID on it", "PayID: pay@karrifloors.example"],
  ["the invoice's number", "INV-2207"],
  ["the supplier's card", "BEGIN:VCARD\nFN:Karri Floors\nURL:https://karri.example\nEND:VCARD"],
])("a QR code with %s says nothing new", async (_, text) => {
  const own = ["Karri Floors Pty Ltd", "BSB: 062-000", "Account number: 12345678", "PayID: pay@karrifloors.example"];
  const facts = await readFacts(
    invoice(own.map((line, row) => words(line, 60, 700 - row * 20)).join("") + coded(text)),
  );
  expect(facts).toMatchObject({ accounts: [{ certain: true }], findings: [] });
});

test.each(["Supplier ABN:", "Our ABN", "From: ABN", "Business A.B.N."])(
  "the label before the supplier's ABN is not its name: %s",
  async (label) => {
    const texts = ["Karri Floors", "Tax invoice INV-2207", `${label} 51 824 753 556`, "BSB: 062-000"];
    const facts = await readFacts(invoice(texts.map((text, row) => words(text, 60, 700 - row * 20)).join("")));
    expect(facts).toMatchObject({ supplierName: "Karri Floors" });
  },
);
