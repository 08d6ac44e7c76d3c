import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { FACTS, FACTS_OF_CHANGE } from "../../../../tests/support/certificates";
import {
  type CertificateFacts,
  certificateText,
  sealOf,
  titleOf,
  toCertificateJson,
  toCertificateView,
} from "./certificate";

/** Must never change, because issued certificates must keep their hash. */
const HASH = "3fa305d16ec566ea745b1cf3fcd1e6e3de9d43c8af4dcdba743f2056eac450d4";

const HASH_OF_CHANGE = "d908fbb18e1251006ec8d0fde244d27f7249560e2dd78a5858688e9ed7c1d50a";

test("the text of a certificate has one spelling, whose SHA-256 never changes", () => {
  const text = certificateText(FACTS);
  expect(text.startsWith('{"callBacks":[{"at":"2026-11-19T23:30:00.000Z","by":"Jo Wills",')).toBe(true);
  expect(text).not.toMatch(/\n|": /);
  expect(createHash("sha256").update(text).digest("hex")).toBe(HASH);
  const turned = Object.fromEntries(Object.entries(FACTS).reverse()) as CertificateFacts;
  expect(certificateText(turned)).toBe(text);
});

test("every fact is on the certificate, in words and in the organisation's zone", () => {
  const view = toCertificateView({ id: FACTS.id, hash: HASH, facts: FACTS }, "https://app.example");
  const rows = Object.fromEntries(view.sections.flatMap(({ rows }) => rows).map(({ term, value }) => [term, value]));
  expect(view.summary).toBe(
    "Harbour Joinery Pty Ltd verified the bank details of Acme Timber on 20 Nov 2026, 1:00 pm.",
  );
  expect(rows).toEqual({
    Payee: "Acme Timber",
    "Account name": "Acme Timber Pty Ltd",
    BSB: "062-000",
    "Account number": "•••••678",
    Institution: "Commonwealth Bank of Australia",
    Organisation: "Harbour Joinery Pty Ltd",
    Method: "Basiq",
    Opened: "20 Nov 2026, 9:10 am, by Mira Okafor",
    "Payee confirmed the details": "20 Nov 2026, 9:50 am",
    Outcome: "The names are close",
    "What the bank said": "The bank holds this account under a similar name.",
    "Name at the bank": "ACME TIMBERS",
    Score: "86 of 100 (Strong)",
    Reasons: "The legal form differs.",
    Checked: "20 Nov 2026, 10:00 am",
    "Call 1":
      "20 Nov 2026, 10:30 am, by Jo Wills: (02) 9374 4000 (On file before the change). Spoke to Ana Silva. Confirmed the details. Read the number back. Counts as proof",
    Decision: "Verified: called back, the name at the bank is close, not the same",
    Decided: "20 Nov 2026, 1:00 pm",
    "Decided by": "PayeeProof, by rule",
    Reason: "Trading name",
    "Record id": FACTS.id,
    "Hash (SHA-256)": HASH,
    Issued: "20 Nov 2026, 2:00 pm",
    Times: "In the zone Australia/Sydney",
  });
  expect(view.checkAddress).toBe(`https://app.example/certificates/${FACTS.id}?hash=${HASH}`);
});

test("a seal says by its sign and its rim how the details were verified", () => {
  const sealed = (decision: Partial<CertificateFacts["decision"]>) =>
    sealOf({ hash: HASH, facts: { ...FACTS, decision: { ...FACTS.decision, ...decision } } });
  const byBank = sealed({ grade: { name: "bank_consent", text: "" } });
  const called = sealed({ grade: { name: "call_back", text: "" } });
  const byPerson = sealed({ grade: { name: "person", text: "" } });
  const rejected = sealed({ status: "rejected", grade: null });
  expect([byBank, called, byPerson, rejected].map(({ isFilled }) => isFilled)).toEqual([true, false, false, false]);
  expect(new Set([byBank, called, byPerson, rejected].map(({ sign }) => JSON.stringify(sign))).size).toBe(4);
  expect([byBank, called, byPerson].map(({ lines }) => lines.length)).toEqual([64, 65, 96]);
  expect(sealOf({ hash: HASH_OF_CHANGE, facts: FACTS }).lines).not.toEqual(sealOf({ hash: HASH, facts: FACTS }).lines);
});

test("what there was not is said, and nothing is made up", () => {
  const facts: CertificateFacts = {
    ...FACTS,
    result: { ...FACTS.result, outcome: null, score: null, reasons: [], nameAtBank: null, checkedAt: null },
    callBacks: [],
    decision: { ...FACTS.decision, status: "failed", reason: null },
  };
  const view = toCertificateView({ id: FACTS.id, hash: HASH, facts }, "");
  const text = view.sections.flatMap(({ rows }) => rows.map(({ term, value }) => `${term}: ${value}`));
  expect(text).toContain("Bank: No bank gave an answer about these details.");
  expect(text).toContain("Calls: No call to the payee was recorded.");
  expect(text.join("\n")).not.toMatch(/Score|Name at the bank|Reason/);
});

const NO_BANK = { ...FACTS.result, outcome: null, score: null, reasons: [], nameAtBank: null, checkedAt: null };
const BY_PERSON = { ...FACTS.decision, by: "Mira Okafor" };
const MATCH = { ...FACTS.result, outcome: "match" as const, score: 100 };

test.each<[string, Partial<CertificateFacts>, string]>([
  ["a bank by consent", { result: MATCH }, "verified: confirmed by the bank, with the payee's consent"],
  [
    "a bank at once",
    { result: MATCH, provider: "Confirmation of Payee" },
    "verified: confirmed by the bank, by Confirmation of Payee",
  ],
  ["a call", { result: NO_BANK, method: "manual", provider: null }, "verified: called back, no bank was asked"],
  [
    "a person",
    { result: NO_BANK, method: "manual", provider: null, callBacks: [], decision: BY_PERSON },
    "verified: approved by a person, no bank was asked",
  ],
  [
    "others",
    { result: NO_BANK, method: "whitelist", provider: null, callBacks: [] },
    "verified: vouched for by other organisations, no bank was asked",
  ],
  ["nobody, because it was rejected", { decision: { ...BY_PERSON, status: "rejected" } }, "rejected"],
])("a certificate of the first format, verified by %s, is headed by what its facts say", (_, facts, state) => {
  expect(titleOf({ ...FACTS, ...facts })).toBe(`Certificate: Acme Timber, ${state}`);
});

test("a certificate that states how the details were verified is headed by that, whatever else it states", () => {
  const grade = { name: "person", text: "Approved by a person, the bank did not confirm the name" } as const;
  const facts: CertificateFacts = {
    ...FACTS,
    format: "payeeproof-certificate-2",
    decision: { ...FACTS.decision, grade },
  };
  const title = "Certificate: Acme Timber, verified: approved by a person, the bank did not confirm the name";
  expect(toCertificateJson({ id: FACTS.id, hash: HASH, facts })).toEqual({ id: FACTS.id, title, hash: HASH, facts });
  expect(toCertificateView({ id: FACTS.id, hash: HASH, facts }, "").title).toBe(title);
  const rejected: CertificateFacts = { ...facts, decision: { ...facts.decision, status: "rejected", grade: null } };
  expect(titleOf(rejected)).toBe("Certificate: Acme Timber, rejected");
});

test("a certificate of format 2 has one spelling too, and says in its summary and by address that the former contact was NOT told", () => {
  const hash = createHash("sha256").update(certificateText(FACTS_OF_CHANGE)).digest("hex");
  expect(hash).toBe(HASH_OF_CHANGE);
  const view = toCertificateView({ id: FACTS.id, hash, facts: FACTS_OF_CHANGE }, "");
  expect(view.summary).toBe(
    "Harbour Joinery Pty Ltd verified the bank details of Acme Timber on 20 Nov 2026, 1:00 pm. The former contact was NOT told at every address: the mailbox did not take the email.",
  );
  expect(view.sections.find(({ title }) => title === "Notice of the change")?.rows).toEqual([
    {
      term: "Former contact",
      value: "The former contact was NOT told at every address: the mailbox did not take the email.",
    },
    { term: "Contact 1", value: "0412 345 678, by text message: told on 20 Nov 2026, 9:11 am" },
    {
      term: "Contact 2",
      value: "accounts@acme.example, by email: NOT told: the mailbox did not take the email",
    },
  ]);
});

test("a certificate that is not about a change says nothing of a former contact", () => {
  for (const facts of [FACTS, { ...FACTS, format: "payeeproof-certificate-2", formerContact: null } as const]) {
    const view = toCertificateView({ id: FACTS.id, hash: HASH, facts }, "");
    expect(view.sections.map(({ title }) => title)).not.toContain("Notice of the change");
    expect(view.summary).not.toContain("former contact");
  }
});
