import fc from "fast-check";
import { expect, test } from "vitest";
import type { PayeeDetails } from "~/kernel/payee";
import {
  beginningsOf,
  domainTerms,
  endOfPrefix,
  partsAskedFor,
  partsOf,
  termsOfPayee,
  wordsOfNames,
  wordsOfSearch,
} from "./payee-keys";

const aPayee = (given: Partial<PayeeDetails> = {}): PayeeDetails => ({
  name: "O'Brien & Sons",
  accountName: "Žofie O’Brien Pty Ltd",
  bsb: "062000",
  accountNumber: "00123456",
  abn: "51824753556",
  email: "zofie@obrien-sons.com.au",
  phone: null,
  address: null,
  ...given,
});

/** True if the typed text finds a word of a name by its inner parts. */
const hasInside = (word: string, typed: string) =>
  word.includes(typed) && partsOf(word).some((part) => partsAskedFor(typed).some((asked) => part.startsWith(asked)));

/**
 * True if a search finds a payee, as the database decides it: every word begins one of its terms, or is inside a name.
 */
const finds = (query: string, payee = aPayee()) => {
  const words = wordsOfSearch(query);
  const terms = termsOfPayee(payee);
  const begins = (from: string) => terms.some((term) => term >= from && term < endOfPrefix(from));
  const isInside = (word: string) => wordsOfNames(payee).some((each) => hasInside(each, word));
  return words.length > 0 && words.every((word) => beginningsOf(word).some(begins) || isInside(word));
};

test.each([
  "obrien",
  "brien",
  "rie fie",
  "o'brien sons",
  "O’Brien",
  "ZOFIE",
  "Žofie pty",
  "062-000",
  "062 000",
  "062000",
  "obrien 062-000",
  "sons 062 000",
  "123456",
  "00123456",
  "000123456",
  "12 34 56",
  "456",
  "56",
  "23456",
  "0012",
  "0123456",
  "obrien 3456",
  "062-000 00123456",
  "062000 123456",
  "51 824 753 556",
  "0620",
])("%s finds the payee", (query) => {
  expect(finds(query)).toBe(true);
});

test.each(["", "  ", "- -", "zofia", "ri", "062-001", "obrien 999", "sons com", "345", "6", "9123456"])(
  "%s does not find it",
  (query) => {
    expect(finds(query)).toBe(false);
  },
);

test("any word of a name finds its payee by any beginning", () => {
  const word = fc.stringMatching(/^[a-zé]{1,12}$/u);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (words, which, length) => {
      const name = words.join(" ");
      const chosen = words[which % words.length] ?? "";
      const beginning = chosen.slice(0, 1 + (length % chosen.length));
      expect(finds(beginning, aPayee({ name, accountName: name }))).toBe(true);
    }),
  );
});

test("any beginning and any end of an account number finds its payee, however many zeros are in front", () => {
  const number = fc.stringMatching(/^0{0,4}[1-9]\d{3,8}$/).filter((text) => text.length <= 9);
  const zeros = fc.nat({ max: 3 });
  fc.assert(
    fc.property(number, fc.integer({ min: 2, max: 9 }), zeros, (accountNumber, length, more) => {
      const payee = aPayee({ accountNumber });
      const beginning = accountNumber.slice(0, length);
      if (/[1-9]/.test(beginning)) expect(finds(beginning, payee)).toBe(true);
      expect(finds(accountNumber.slice(-length), payee)).toBe(true);
      if (accountNumber.length + more <= 9) expect(finds("0".repeat(more) + accountNumber, payee)).toBe(true);
    }),
  );
});

test("an account number takes two terms, so that a payee costs fewer rows", () => {
  const terms = termsOfPayee(aPayee({ name: "Acme", accountName: "Acme", abn: null, email: null }));
  expect(terms).toEqual(["acme", "062000", "123456", "<654321"]);
});

test("any part of a word of three characters or more is found, and only where it is", () => {
  const letters = fc.array(fc.constantFrom("a", "b", "é", "漢", "𠮷"), { minLength: 1, maxLength: 14 });
  const finding = (word: string, typed: string) => word.startsWith(typed) || hasInside(word, typed);
  fc.assert(
    fc.property(letters, letters, fc.nat(), fc.nat(), (word, other, from, length) => {
      const at = from % word.length;
      const inside = word.slice(at, at + 1 + (length % word.length));
      if (inside.length < 3) return;
      expect(finding(word.join(""), inside.join(""))).toBe(true);
      expect(finding(other.join(""), inside.join(""))).toBe(other.join("").includes(inside.join("")));
    }),
  );
});

test("a word takes half as many rows as it has letters, numbers none", () => {
  expect(partsOf("papadopoulos")).toEqual(["padopoulos", "dopoulos", "poulos", "ulos", "os"]);
  expect(partsOf("joy")).toEqual([]);
  expect(partsAskedFor("0620")).toEqual([]);
});

test("a search never asks for more than six words, and no words for no text", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const words = wordsOfSearch(text);
      expect(words.length).toBeLessThanOrEqual(6);
      for (const word of words) expect(word).not.toBe("");
    }),
  );
});

test("look-alike domains share the beginning or the end of their terms", () => {
  const [forwards, backwards] = domainTerms("a@harbourjoinery.com.au");
  expect(domainTerms("b@harb0urjoinery.com.au")).toEqual([forwards, backwards]);
  expect(domainTerms("b@harbourjoinerry.net")[0]?.slice(0, 4)).toBe(forwards?.slice(0, 4));
  expect(domainTerms("b@larbourjoinery.com.au")[1]?.slice(0, 5)).toBe(backwards?.slice(0, 5));
});

test("a free-mail address and no address have no domain to look alike", () => {
  expect(domainTerms("someone@gmail.com")).toEqual([]);
  expect(domainTerms(null)).toEqual([]);
});
