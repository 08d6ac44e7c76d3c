import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanLine,
  cleanText,
  clip,
  foldDiacritics,
  formatCount,
  isStorable,
  MAX_SEARCH_TERMS,
  searchTerms,
} from "./text";

const texts = fc.string({ unit: "binary", maxLength: 60 });
const awkward = fc
  .array(
    fc.constantFrom("a", "e\u0301", " ", "\t", "\r\n", "\n", "\u2028", "\u200b", "\u202e", "\u00a0", "\ufeff", "é"),
  )
  .map((pieces) => pieces.join(""));

describe("cleanLine", () => {
  test.each([
    ["  Acme   Pty\tLtd \n", "Acme Pty Ltd"],
    ["Ac\u200bme", "Acme"],
    ["\u202eemcA\u202c", "emcA"],
    ["\ufeffAcme", "Acme"],
    ["Acme\u00a0Pty\u3000Ltd", "Acme Pty Ltd"],
    ["Jose\u0301", "José"],
    ["e\u200b\u0301", "é"],
    ["co\u00adop", "coop"],
    ["a\u{e0041}b", "ab"],
    [" \u200b ", ""],
  ])("%j becomes %j", (text, cleaned) => {
    expect(cleanLine(text)).toBe(cleaned);
  });

  test("cleaning twice changes nothing, and no line end or double blank is left", () => {
    fc.assert(
      fc.property(fc.oneof(texts, awkward), (text) => {
        const cleaned = cleanLine(text);
        expect(cleanLine(cleaned)).toBe(cleaned);
        expect(cleaned).not.toMatch(/[\r\n\t]| {2}|^ | $/);
      }),
    );
  });
});

describe("cleanText", () => {
  test.each([
    ["one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"],
    ["one  \n\ttwo", "one\n\ttwo"],
    ["one\n\n\n\n\ntwo", "one\n\ntwo"],
    ["one\n \n \n \ntwo", "one\n\ntwo"],
    ["\n\n one \n\n", "one"],
    ["a\u200b\u202eb", "ab"],
    ["two  blanks", "two  blanks"],
  ])("%j becomes %j", (text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  test("cleaning twice changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(texts, awkward), (text) => {
        expect(cleanText(cleanText(text))).toBe(cleanText(text));
      }),
    );
  });
});

describe("isStorable", () => {
  test.each(["", "Acme Pty Ltd", "line\nline\ttab\r\n", "José 😀", "\u200b"])("%j is", (text) => {
    expect(isStorable(text)).toBe(true);
  });

  test.each(["a\u0000b", "\u0007", "\u001b[31m", "\u007f", "\u0085", "\ud83d", "\ude00", "\ude00\ud83d", "a\ud83db"])(
    "%j is not",
    (text) => {
      expect(isStorable(text)).toBe(false);
    },
  );

  test("what can be stored survives UTF-8 and JSON", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(units, (text) => {
        fc.pre(isStorable(text));
        // A decoder drops a leading byte order mark unless told otherwise.
        expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text))).toBe(text);
        expect(JSON.parse(JSON.stringify(text))).toBe(text);
      }),
    );
  });

  test("every text that the platform calls ill-formed is refused", () => {
    const surrogates = fc.array(fc.constantFrom("\ud83d", "\ude00", "a")).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(surrogates, (text) => {
        const decoded = new TextDecoder().decode(new TextEncoder().encode(text));
        expect(isStorable(text)).toBe(decoded === text);
      }),
    );
  });
});

describe("searchTerms", () => {
  test.each([
    ["O'Brien & Sons Pty", ["obrien", "sons", "pty"]],
    ["O\u2019Brien", ["obrien"]],
    ["Müller-Lüdenscheidt GmbH", ["muller", "ludenscheidt", "gmbh"]],
    ["Øresund Łódź Straße Æther", ["oresund", "lodz", "strasse", "aether"]],
    ["Cœur Đorđe Guðrún Þór Ħal Işık", ["coeur", "dorde", "gudrun", "thor", "hal", "isik"]],
    ["İstanbul ISTANBUL", ["istanbul"]],
    ["062-000 12345678", ["062", "000", "12345678"]],
    ["３Ｍ Australia", ["3m", "australia"]],
    ["Smith SMITH smith", ["smith"]],
    ["北京 銀行", ["北京", "銀行"]],
    ["Ac\u200bme", ["acme"]],
    ["a.b@acme.com.au", ["a", "b", "acme", "com", "au"]],
    ["  ,;- ", []],
    ["", []],
  ])("%j gives %j", (text, terms) => {
    expect(searchTerms(text)).toEqual(terms);
  });

  test("at most forty words of at most forty characters are kept, the first ones", () => {
    const words = Array.from({ length: 60 }, (_, i) => `w${i}`);
    expect(searchTerms(words.join(" "))).toEqual(words.slice(0, MAX_SEARCH_TERMS));
    expect(searchTerms("x".repeat(100))).toEqual(["x".repeat(40)]);
    expect(searchTerms(`${"x".repeat(40)}1 ${"x".repeat(40)}2`)).toEqual(["x".repeat(40)]);
  });

  test("terms are unique, clean, and found again by themselves", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const terms = searchTerms(text);
        expect(new Set(terms).size).toBe(terms.length);
        for (const term of terms) {
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(40);
          expect(searchTerms(term)).toEqual([term]);
        }
      }),
    );
  });

  test("case and accents make no difference", () => {
    expect(searchTerms("CAFÉ Noël")).toEqual(searchTerms("cafe noel"));
  });
});

test("letters lose their diacritics and nothing else", () => {
  expect(foldDiacritics("Žofie Øst, Ærø 12")).toBe("zofie ost, aero 12");
  expect(foldDiacritics("हिन्दी")).toBe("हिन्दी".normalize("NFKD"));
});

describe("clip", () => {
  test.each([
    ["Acme", 4, "Acme"],
    ["Acme", 3, "Ac…"],
    ["Acme Pty", 6, "Acme…"],
    ["Acme", 1, "…"],
    ["Acme", 0, ""],
    ["", 0, ""],
    ["ab😀", 4, "ab😀"],
    ["ab😀c", 4, "ab…"],
    ["ab😀cd", 5, "ab😀…"],
    ["😀bcd", 3, "😀…"],
    ["abc😀", 3, "ab…"],
    ["😀abc😀", 4, "😀a…"],
  ])("%j to %i is %j", (text, max, clipped) => {
    expect(clip(text, max)).toBe(clipped);
  });

  test("the result fits, and no pair of surrogates is halved", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, max) => {
        const clipped = clip(text, max);
        expect(clipped.length).toBeLessThanOrEqual(max);
        expect(isStorable(clipped) || !isStorable(text)).toBe(true);
      }),
    );
  });
});

test("a count is grouped by thousands, as en-AU writes it", () => {
  for (const count of [0, 7, 999, 1_000, 10_000, 123_456, 1_000_000, 9_007_199_254_740_991])
    expect(formatCount(count)).toBe(count.toLocaleString("en-AU"));
});
