import fc from "fast-check";
import { expect, test } from "vitest";
import { findFormerDomain } from "~/kernel/email";
import { rangesOfDomain, rangesOfNames } from "~/modules/core/payee-keys";
import {
  type Comparable,
  findLookalikes,
  interleave,
  lookalikeOfItself,
  MAX_LOOKALIKES,
  markDomains,
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

test("each look-alike says which payee it is and what is alike, the most urgent first", () => {
  const has = (given: Partial<Comparable>, payeeId: string) => ({ ...candidate(given), payeeId });
  const found = findLookalikes(
    subject,
    [
      has({ name: "Similar", accountName: "Harbour Joinery" }, "similar"),
      has({ name: "Same", accountName: subject.accountName }, "same"),
      has({ name: "Domain", email: "pay@harb0urjoinery.com.au" }, "domain"),
      has({ name: "Digit", accountName: "Harbour Joinery", bsb: "062000", accountNumber: "12345679" }, "digit"),
      has({ name: "Turned", accountName: subject.accountName, bsb: "062000", accountNumber: "12345687" }, "turned"),
    ],
    { payeeId: "itself", formerEmails: ["pay@harbourj0inery.com.au"] },
  );
  expect(found.map(({ payeeId, name, reason, detail }) => [payeeId, name, reason, detail])).toEqual([
    [
      "digit",
      "Digit",
      "account_number_slip",
      "One digit differs from the account number of this payee (•••••679), which has a similar name.",
    ],
    [
      "turned",
      "Turned",
      "account_number_slip",
      "Two neighbouring digits are swapped in the account number of this payee (•••••687), which has the same name.",
    ],
    [
      "itself",
      "Harbour Joinery",
      "former_email_domain",
      "The payee's email address moved from harbourj0inery.com.au to harbourjoinery.com.au, which is easily mistaken for it.",
    ],
    [
      "domain",
      "Domain",
      "email_domain",
      "The email domain harbourjoinery.com.au is easily mistaken for harb0urjoinery.com.au, which this payee uses.",
    ],
    ["same", "Same", "same_name", "This payee has the same name and a different account: 033-001 •••••321."],
    ["similar", "Similar", "similar_name", "This payee has a similar name and a different account: 033-001 •••••321."],
  ]);
});

const marksOf = (sentence: string) => markDomains(sentence).filter(({ status }) => status !== "same");

test("the letters in which two look-alike domains differ are marked in their sentence", () => {
  const moved = lookalikeOfItself(
    { name: "Coastal Glass", email: "pay@coasta1glass.example" },
    { payeeId: "p1", formerEmails: ["pay@coastalglass.example"] },
  );
  expect(moved.flatMap(({ detail }) => marksOf(detail))).toEqual([
    { text: "l", status: "different" },
    { text: "1", status: "different" },
  ]);
  const email = "pay@harbour-joinery.com.au";
  const [found] = findLookalikes({ ...subject, email }, [candidate({ email: "pay@harbourjoinery.com.au" })]);
  const sentence = `harbour-joinery.com.au: ${found?.detail}`;
  expect(marksOf(sentence)).toEqual([
    { text: "-", status: "only_submitted" },
    { text: "", status: "only_submitted" },
  ]);
  expect(markDomains(sentence).map(({ text }) => text)).toEqual([
    "harbour-joinery.com.au: The email domain ",
    ...["harbour", "-", "joinery.com.au", " is easily mistaken for ", "harbour", "", "joinery.com.au"],
    ", which this payee uses.",
  ]);
  expect(marksOf("The email came from rnarram.example. You know marram.example, which looks similar.")).toEqual([
    { text: "rn", status: "different" },
    { text: "m", status: "different" },
  ]);
  expect(marksOf("Another sentence.")).toEqual([]);
});

test("a payee without an email is held against nobody's domain", () => {
  const known = candidate({ email: "pay@harb0urjoinery.com.au" });
  expect(findLookalikes({ ...subject, email: null }, [known])).toEqual([]);
  const itself = { payeeId: "itself", formerEmails: ["pay@harb0urjoinery.com.au"] };
  expect(findLookalikes({ ...subject, email: null }, [], itself)).toEqual([]);
  expect(findLookalikes(subject, [], { ...itself, formerEmails: [] })).toEqual([]);
});

test.each([
  ["the account's name is similar, the payee's the same", "Harbour Joinery", "Harbour Joinery", "same_name"],
  ["the account's name is another, the payee's similar", "Zephyr Mining NL", "Harbour Joinery Group", "similar_name"],
  ["the account's name is similar, the payee's another", "Harbour Joinery", "Zephyr Mining", "similar_name"],
])("the nearer of two names counts: %s", (_, accountName, name, reason) => {
  expect(findLookalikes(subject, [candidate({ accountName, name })]).map((found) => found.reason)).toEqual([reason]);
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
});

const only = (names: string[]) => rangesOfNames(names).map(({ from, to }) => (from === to ? from : `${from}…`));

test("a name of common words alone is looked for under all of them", () => {
  expect(only(["The Trust Company Pty Ltd"]).sort()).toEqual(
    ["com…", "company", "ltd", "pty", "the", "tru…", "trust"].sort(),
  );
});

test("of a long name the six longest words are looked for, single letters never, and short words as they are", () => {
  expect(only(["Ox A Jarrah"])).toEqual(["jarrah", "ox", "jar…"]);
  expect(only(["Bee Kookaburra Wombat Echidnas Quoll Dingo Possums Emu"])).toEqual([
    "kookaburra",
    "echidnas",
    "possums",
    "wombat",
    "quoll",
    "dingo",
    "koo…",
    "ech…",
    "pos…",
    "wom…",
    "quo…",
    "din…",
  ]);
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
