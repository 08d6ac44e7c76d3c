import { expect, test } from "vitest";
import type { ReadFacts } from "~/ports/document-reader";
import { linesOfText } from "../layout/lines";
import { findForeign } from "./other-numbers";
import { readPageFacts } from "./page-facts";
import { addCode } from "./qr-codes";

/** What a code names besides the words of its document. */

const WORDS =
  "Karri Floors accounts@karrifloors.example BSB 062-000 Account 12345678 Phone 0412 345 678 IBAN GB82 WEST 1234 5698 7654 32";

function read(text: string | undefined, words = WORDS): ReadFacts {
  const lines = linesOfText(words);
  const facts = {
    ...{ status: "read" as const, kind: "pdf" as const, pages: 1, currency: "AUD", isReadableEverywhere: true },
    accounts: readPageFacts(lines).accounts.map(({ chars: _, ...account }) => account),
    ...{ bpay: [], payIds: [], abns: [], emails: [], findings: findForeign(lines) },
  };
  addCode(facts, text === undefined ? {} : { text }, words, 1);
  return facts;
}
const added = (text: string | undefined, words = WORDS) =>
  read(text, words)
    .findings.filter(({ code }) => code !== "iban_or_swift")
    .map(({ code }) => code);

test.each([
  ["another account", "BSB 732-001 Account 99887766"],
  ["one without labels", "732-001 99887766"],
  ["nothing but its digits", "732001/99887766"],
  ["one in the address of a page", "https://karrifloors.example/pay?bsb=732001&account=99887766"],
  ["one as data", '{"bsb":"732001","acc":"99887766"}'],
  ["a PayID", "PayID: someone@elsewhere.example"],
  ["a biller", "BPAY Biller Code: 23796 Ref: 1234567897"],
  ["an account of another country", "BCD\n002\n1\nSCT\n\nKarri\nDE89370400440532013000\nEUR10"],
])("%s is named", (_, text) => {
  expect(added(text)).toEqual(["qr_code_with_bank_details"]);
});

test("an account in a code is evidence, never an answer", () => {
  expect(read("732-001 99887766").accounts.at(-1)).toMatchObject({ certain: false, doubts: ["qr_code"] });
});

test.each([
  "https://pay.elsewhere.example/1",
  "https://pay.karrifloors.example/inv-1",
  "www.karrifloors.example.evil.example",
  "https://кarrifloors.example/pay",
  "https:/elsewhere.example",
  "https:\\\\elsewhere.example",
  "https://karrifloors.example@elsewhere.example/",
  "https://(/pay",
  "bitcoin:bc1q2w3e",
])("a place that is somebody's site or wallet: %s", (text) => {
  expect(added(text)).toEqual(["qr_code_leads_elsewhere"]);
});

test.each([
  ["bitcoin:bc1q2w3e?amount=2", "bitcoin:bc1q2w3e"],
  ["https://paypal.me/crook?x=1", "paypal.me/crook"],
])("who is paid by %s is told from others", (text, way) => {
  expect(read(text).findings.at(-1)).toMatchObject({ code: "qr_code_leads_elsewhere", way });
});

test("the site of a code is given, and words that name it do not make it known", () => {
  const found = read("https://www.karrifloors.example/pay\nhttps://pay.elsewhere.example/1").findings;
  const sites = found.filter(({ code }) => code === "qr_code_leads_elsewhere").map(({ way }) => way);
  expect(sites).toEqual(["karrifloors.example", "pay.elsewhere.example"]);
});

test.each([
  "BSB 062-000 Account 12345678",
  "PayID: 0412345678",
  "GB82WEST12345698765432",
  "INV-2207",
  "tel:+61412345678",
  "WIFI:T:WPA;S:karri;P:https://secret.example;;",
])("what the words say too, or what is no payment: %s", (text) => {
  expect(added(text)).toEqual([]);
});

test("the fields of a payment network's code", () => {
  const code = (payId: string) => {
    const field = (id: string, value: string) => `${id}${String(value.length).padStart(2, "0")}${value}`;
    return `000201${field("26", field("00", "au.com.nppa") + field("01", payId))}${field("54", "1837.00")}5802AU`;
  };
  expect(added(code("pay@elsewhere.example"))).toEqual(["qr_code_with_bank_details"]);
  expect(added(code("+61-412345678"))).toEqual([]);
  expect(added(code("+61-499888777"))).toEqual(["qr_code_with_bank_details"]);
});

test("a code that was not read leaves the document unread in part", () => {
  const facts = read(undefined);
  expect(facts.isReadableEverywhere).toBe(false);
  expect(added(undefined)).toEqual(["qr_code_not_read"]);
});
