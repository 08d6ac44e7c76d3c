import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Comparable,
  findFormerDomain,
  findLookalikes,
  interleave,
  MAX_LOOKALIKES,
  rangesOfDomain,
  rangesOfNames,
} from "./evidence";

const subject: Comparable = {
  name: "Harbour Joinery",
  accountName: "Harbour Joinery Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  email: "pay@harbourjoinery.com.au",
};

const candidate = (given: Partial<Comparable> = {}) => ({
  payeeId: "p1",
  name: "Zephyr Mining",
  accountName: "Zephyr Mining NL",
  bsb: "033001",
  accountNumber: "87654321",
  email: null,
  ...given,
});

test.each([
  ["the same account name", { accountName: "HARBOUR JOINERY P/L" }, ["same_name"]],
  ["the same payee name", { name: "harbour joinery" }, ["same_name"]],
  ["a similar name", { accountName: "Harbour Joinery" }, ["similar_name"]],
  ["another name", {}, []],
  [
    "the same name and one digit another",
    { accountName: subject.accountName, bsb: "062000", accountNumber: "12345679" },
    ["account_number_slip"],
  ],
  [
    "the same name and two digits exchanged",
    { accountName: subject.accountName, bsb: "062000", accountNumber: "12345687" },
    ["account_number_slip"],
  ],
  [
    "the same name and one digit another at another branch",
    { accountName: subject.accountName, bsb: "062001", accountNumber: "12345679" },
    ["same_name"],
  ],
  ["another name and one digit another", { bsb: "062000", accountNumber: "12345679" }, []],
  ["a look-alike email domain", { email: "pay@harb0urjoinery.com.au" }, ["email_domain"]],
  ["the same email domain", { email: "orders@harbourjoinery.com.au" }, []],
  [
    "a look-alike email domain and a similar name",
    { email: "pay@harb0urjoinery.com.au", accountName: "Harbour Joinery" },
    ["email_domain", "similar_name"],
  ],
] as const)("%s", (_, given, reasons) => {
  expect(findLookalikes(subject, [candidate(given)]).map((found) => found.reason)).toEqual(reasons);
});

test("a sentence about a look-alike never shows its account number in full", () => {
  const candidates = [
    candidate({ accountName: subject.accountName, accountNumber: "87654321" }),
    candidate({ accountName: subject.accountName, bsb: "062000", accountNumber: "12345679" }),
  ];
  const text = JSON.stringify(findLookalikes(subject, candidates));
  expect(text).toContain("•••••321");
  expect(text).not.toMatch(/\d{6}/);
});

test.each([
  ["a letter for a digit", ["ap@jarrahlandscapes.example"], "ap@jarrah1andscapes.example", "jarrahlandscapes.example"],
  ["another ending", ["ap@acmefloors.com.au"], "ap@acmefloors.net.au", "acmefloors.com.au"],
  ["twice", ["ap@acme1.example", "ap@acmel.example"], "new@acmel.example", "acme1.example"],
  ["another mailbox", ["ap@acmefloors.example"], "ar@acmefloors.example", undefined],
  ["quite another domain", ["ap@acmefloors.example"], "ap@zephyr.example", undefined],
  ["back to the first", ["ap@acmefloors.example", "ap@acmefl0ors.example"], "ap@acmefloors.example", undefined],
  ["a free mailbox", ["ap@acmefloors.example"], "acmefloors@gmail.com", undefined],
  ["none before", [], "ap@acmefloors.example", undefined],
])("a new email domain is held against its former one: %s", (_, former, email, expected) => {
  expect(findFormerDomain(email, former)).toBe(expected);
});

test("at most ten are shown, slips of the account number before mere namesakes", () => {
  const namesakes = Array.from({ length: 30 }, (_, i) => ({ ...candidate({ name: subject.name }), payeeId: `n${i}` }));
  const slip = { ...candidate({ name: subject.name, bsb: "062000", accountNumber: "12345670" }), payeeId: "slip" };
  const found = findLookalikes(subject, [...namesakes, slip]);
  expect(found).toHaveLength(MAX_LOOKALIKES);
  expect(found[0]).toMatchObject({ payeeId: "slip", reason: "account_number_slip" });
});

test("the index is asked for the telling words and their beginnings, not for Pty Ltd", () => {
  expect(rangesOfNames(["Harbour Joinery Pty Ltd", "Harbour Joinery"])).toEqual([
    { from: "harbour", to: "harbour" },
    { from: "joinery", to: "joinery" },
    { from: "har", to: "har\u{10ffff}" },
    { from: "joi", to: "joi\u{10ffff}" },
  ]);
  expect(rangesOfNames(["The Trust Company Pty Ltd"]).length).toBeGreaterThan(0);
});

test("the ranges of a domain's terms keep their direction", () => {
  expect(rangesOfDomain(["@harbour", "@<ruobrah"])).toEqual([
    { from: "@har", to: "@har\u{10ffff}" },
    { from: "@<ruo", to: "@<ruo\u{10ffff}" },
  ]);
});

test("taking in turn is fair, takes each once and keeps the limit", () => {
  expect(interleave([["a", "b", "c"], ["x"], ["b", "y"]], 4)).toEqual(["a", "x", "b", "y"]);
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(20))), fc.nat(30), (lists, limit) => {
      const taken = interleave(lists, limit);
      const all = new Set(lists.flat());
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.length).toBe(Math.min(limit, all.size));
    }),
  );
});
