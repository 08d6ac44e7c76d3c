import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inventedPairs } from "../../../bench/names/generate.mjs";
import { isExactMatch, matchNames, prepareName, scoreIfAlike, scoreNames } from "./match-names";
import type { NameKind } from "./types";

const kinds: ReadonlyArray<NameKind | undefined> = ["person", "org", "joint", "trading", undefined];
const kind = fc.constantFrom(...kinds);
const word = fc.constantFrom(
  "Jo",
  "J",
  "Liz",
  "Elizabeth",
  "Bellamy",
  "Belamy",
  "O'Hara",
  "van",
  "Acme",
  "Acrne",
  "Tiles",
  "Tile",
  "Pty",
  "Ltd",
  "P/L",
  "Inc",
  "&",
  "and",
  "or",
  "T/A",
  "formerly",
  "others",
  "II",
  "Australian",
  "Australia",
  "ATF",
  "the",
  "of",
  "Family",
  "Trust",
  "Super",
  "Fund",
  "Mr",
  "Mrs",
  "Jnr",
  "No",
  "1",
  "two",
  "NSW",
  "Bendigo",
  "Holdings",
  "(",
  ")",
  ",",
  "\u0410cme",
  "Zo\u00eb",
  "\u200b",
  "\u7530\u4e2d",
);
const words = fc.array(word, { maxLength: 9 }).map((list) => list.join(" "));
const anything = fc.oneof(words, fc.string(), fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));

describe("for any two texts", () => {
  test("the score lies in the band of the class", () => {
    fc.assert(
      fc.property(anything, anything, kind, (a, b, hint) => {
        const { score, matchType } = matchNames(a, b, hint);
        expect(Number.isInteger(score)).toBe(true);
        const band = score >= 95 ? "exact" : score >= 70 ? "fuzzy" : "none";
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        expect(matchType).toBe(band);
      }),
      { numRuns: 2000 },
    );
  });

  test("the same question gets the same answer, whatever was asked before", () => {
    fc.assert(
      fc.property(anything, anything, anything, kind, (a, b, other, hint) => {
        const first = JSON.stringify(matchNames(a, b, hint));
        matchNames(other, a, hint);
        expect(JSON.stringify(matchNames(a, b, hint))).toBe(first);
      }),
    );
  });

  test("score and class are the same with and without the reasons", () => {
    fc.assert(
      fc.property(anything, anything, kind, (a, b, hint) => {
        const { score, matchType } = matchNames(a, b, hint);
        expect(scoreNames(a, b, hint)).toEqual({ score, matchType });
      }),
    );
  });

  test("a prepared name is alike to the names that it matches and to no others", () => {
    fc.assert(
      fc.property(anything, anything, kind, (a, b, hint) => {
        const { score, matchType } = scoreNames(a, b, hint);
        expect(scoreIfAlike(prepareName(a), b, hint)).toEqual(matchType === "none" ? undefined : { score, matchType });
      }),
      { numRuns: 2000 },
    );
  });

  test("a prepared name is an exact match of the names that it matches exactly and of no others", () => {
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        expect(isExactMatch(prepareName(a), b)).toBe(scoreNames(a, b).matchType === "exact");
      }),
      { numRuns: 2000 },
    );
  });

  test("what it becomes in JSON is the whole answer", () => {
    fc.assert(
      fc.property(words, words, kind, (a, b, hint) => {
        const { score, matchType, differences, parts } = matchNames(a, b, hint);
        expect(JSON.parse(JSON.stringify(matchNames(a, b, hint)))).toEqual({ score, matchType, differences, parts });
      }),
    );
  });

  test("the reasons are the same whenever they are read", () => {
    fc.assert(
      fc.property(words, words, words, kind, (a, b, other, hint) => {
        const late = matchNames(a, b, hint);
        const { differences } = matchNames(a, b, hint);
        scoreNames(other, a, hint);
        expect(late.differences).toEqual(differences);
      }),
    );
  });

  test("capital letters and spaces at the ends change nothing but the formatting", () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(matchNames(` ${a}  `, b, "org").matchType).toBe(matchNames(a, b, "org").matchType);
      }),
    );
  });

  test("only an identical name scores 100", () => {
    fc.assert(
      fc.property(words, words, kind, (a, b, hint) => {
        if (a !== b) expect(matchNames(a, b, hint).score).toBeLessThan(100);
      }),
    );
  });
});

test("the class of two plain names does not depend on who submitted and who holds", () => {
  const plain = fc.constantFrom(
    "Jo",
    "Liz",
    "Elizabeth",
    "Bellamy",
    "Belamy",
    "Acme",
    "Tiles",
    "Tile",
    "Pty",
    "Ltd",
    "Mr",
    "NSW",
  );
  const list = fc.array(plain, { minLength: 1, maxLength: 5 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(list, list, kind, (a, b, hint) => {
      expect(matchNames(a, b, hint).matchType).toBe(matchNames(b, a, hint).matchType);
    }),
  );
});

const repeat = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

describe("hostile input", () => {
  test.each([
    ["zero-width characters", `Jo${"\u200b".repeat(100_000)} Doe`, "Jo Doe"],
    ["combining marks", `J${"\u0301\u0316".repeat(50_000)}o Doe`, "Jo Doe"],
    ["spaces", `a${" ".repeat(100_000)}b`, "a b"],
    ["letters", repeat("abcdefgh", 100_000), "Jo Doe"],
    ["words", repeat("ab ", 100_000), repeat("ba ", 100_000)],
    ["ampersands", repeat("a&", 100_000), repeat("a and ", 100_000)],
    ["legal forms", repeat("pty ltd ", 100_000), repeat("p/l ", 100_000)],
    ["slashes", repeat("a/", 100_000), repeat("b/", 100_000)],
    ["lone surrogates", "\ud800".repeat(1000), "\udc00".repeat(1000)],
    ["expanding characters", "\ufdfa".repeat(1000), "\ufdfa".repeat(999)],
    ["brackets", "(".repeat(1000), ")".repeat(1000)],
    ["connectors", repeat("T/A ", 1000), repeat("ATF ", 1000)],
    ["titles", repeat("Mr & ", 1000), repeat("Mrs and ", 1000)],
    ["null characters", `Jo${"\0".repeat(500)}Doe`, "Jo Doe"],
  ])("made of %s is answered", (_, a, b) => {
    for (const hint of kinds) {
      expect(["exact", "fuzzy", "none"]).toContain(matchNames(a, b, hint).matchType);
      expect(["exact", "fuzzy", "none"]).toContain(matchNames(b, a, hint).matchType);
    }
  });

  test("never makes an exact match of different letters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (noise) => {
        expect(matchNames(`Acme ${noise} Tiles`, "Bolt Holdings", "org").matchType).not.toBe("exact");
      }),
    );
  });
});

test("nothing is lost when one invented name meets the others", () => {
  const names = [...new Set(inventedPairs(3, 7).map(([submitted]) => submitted))];
  for (const own of names) {
    const prepared = prepareName(own);
    const lost = names.filter((name) => !scoreIfAlike(prepared, name) && scoreNames(own, name).matchType !== "none");
    expect(lost).toEqual([]);
    const exact = names.filter((name) => isExactMatch(prepared, name));
    expect(exact).toEqual(names.filter((name) => scoreNames(own, name).matchType === "exact"));
  }
});
