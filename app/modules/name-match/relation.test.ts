import { describe, expect, test } from "vitest";
import { Alignment, align } from "./align";
import { editBudget, lastEdits, Relation, relateNames, relateWords } from "./relation";
import { aList } from "./testing";

const words = (a: string, b: string) => relateWords(aList(a, false), 0, aList(b, false), 0);
const names = (a: string, b: string) => relateNames(aList(a, true), 0, aList(b, true), 0);

describe("words of organisations", () => {
  test.each([
    ["service", "services", Relation.Plural],
    ["st", "street", Relation.Reading],
    ["assoc", "associates", Relation.Reading],
    ["australian", "australia", Relation.Stem],
    ["victorian", "vic", Relation.Stem],
    ["accounting", "accountants", Relation.Stem],
    ["electric", "electrical", Relation.Stem],
    ["c0ral", "coral", Relation.Homoglyph],
    ["bellburn", "bellbum", Relation.Homoglyph],
    ["iv", "4", Relation.Roman],
    ["2", "3", Relation.None],
    ["2a", "2b", Relation.None],
    ["b", "bellbird", Relation.Initial],
    ["b", "c", Relation.None],
    ["bellbird", "belbird", Relation.Typo],
    ["bellbird", "xellbird", Relation.Typo],
    ["bellbirds", "blelbird", Relation.Typos],
    ["zorp", "zarp", Relation.Typo],
    ["zo", "za", Relation.None],
    ["zorp", "zaap", Relation.None],
    ["bellbird", "quandary", Relation.None],
    ["nsw", "vic", Relation.None],
    ["nsw", "nsx", Relation.Typo],
    ["north", "south", Relation.None],
    ["health", "wealth", Relation.None],
    ["organisation", "organization", Relation.Typo],
    ["plumbing", "plumbers", Relation.Stem],
    ["petersen", "peterson", Relation.Typo],
    ["stephen", "steven", Relation.Spelling],
    ["elizabeth", "liz", Relation.Nickname],
    ["hunt", "hurt", Relation.None],
  ])("%j and %j are related as %d", (a, b, relation) => {
    expect(words(a, b)).toBe(relation);
    expect(words(b, a)).toBe(relation);
  });
});

describe("parts of people's names", () => {
  test.each([
    ["stephen", "steven", Relation.Spelling],
    ["mat", "mathew", Relation.Nickname],
    ["bob", "robert", Relation.Nickname],
    ["bob", "bill", Relation.None],
    ["smith", "smyth", Relation.Spelling],
    ["greene", "green", Relation.Spelling],
    ["j", "john", Relation.Initial],
    ["j", "k", Relation.None],
    ["john", "j", Relation.Initial],
    ["l0ckw00d", "lockwood", Relation.Homoglyph],
    ["walters", "watters", Relation.Typo],
    ["hunt", "hurt", Relation.None],
    ["paul", "paula", Relation.None],
    ["daniel", "danielle", Relation.None],
    ["brody", "brady", Relation.Typo],
    ["harry", "larry", Relation.None],
    ["bellbirdy", "bellbixdy", Relation.Typo],
    ["vorp", "vrop", Relation.Typo],
    ["vorpal", "vrpla", Relation.Typos],
    ["vo", "va", Relation.None],
    ["vorp", "varq", Relation.None],
    ["vorpal", "quince", Relation.None],
  ])("%j and %j are related as %d", (a, b, relation) => {
    expect(names(a, b)).toBe(relation);
    expect(names(b, a)).toBe(relation);
  });

  test("the edits of a typing error are told", () => {
    expect(names("vorpalia", "vrpalai")).toBe(Relation.Typos);
    expect(lastEdits).toBe(2);
    expect(names("vorpalia", "vorpalie")).toBe(Relation.Typo);
    expect(lastEdits).toBe(1);
  });
});

test.each([
  [1, 3, 0],
  [2, 2, 0],
  [2, 3, 1],
  [4, 4, 1],
  [4, 5, 2],
  [8, 8, 2],
  [8, 9, 3],
])("words of %d and %d letters may have %d slips", (shorter, longer, budget) => {
  expect(editBudget(shorter, longer)).toBe(budget);
});

describe("alignment", () => {
  const pairsOf = (a: string, b: string, personal = false) => {
    const alignment = new Alignment();
    const left = aList(a, personal);
    align(left, aList(b, personal), personal, alignment);
    return { alignment, pairs: [...alignment.pairA.slice(0, left.count)] };
  };

  test.each([
    ["red blue", "red blue", [0, 1]],
    ["red blue", "blue red", [1, 0]],
    ["red red blue", "red blue", [0, -1, 1]],
    ["red blue", "green", [-1, -1]],
    ["belbird tiles", "tiles bellbird", [1, 0]],
    ["life line tiles", "lifeline tiles", [0, 0, 1]],
    ["lifeline tiles", "life line tiles", [0, 2]],
    ["a b c red", "abc red", [0, 1]],
  ])("%j with %j", (a, b, expected) => {
    expect(pairsOf(a, b).pairs).toEqual(expected);
  });

  test("what is left over on each side is counted", () => {
    const { alignment } = pairsOf("red blue", "red green yellow");
    expect([alignment.leftA, alignment.leftB]).toEqual([1, 2]);
    const joined = pairsOf("life line", "lifeline").alignment;
    expect([joined.leftA, joined.leftB]).toEqual([0, 0]);
    expect(joined.endA[0]).toBe(1);
    const split = pairsOf("lifeline", "life line").alignment;
    expect([split.leftA, split.leftB]).toEqual([0, 0]);
    expect(split.endB[0]).toBe(1);
  });

  test("an exchanged order is noticed", () => {
    expect(pairsOf("red blue", "blue red").alignment.inOrder).toBe(false);
    expect(pairsOf("red blue", "red blue").alignment.inOrder).toBe(true);
    expect(pairsOf("red", "green red").alignment.inOrder).toBe(true);
  });

  test("spellings are not looked at among many unlike words", () => {
    const many = (word: string) => Array.from({ length: 9 }, (_, i) => word + "abcdefghi"[i]).join(" ");
    expect(pairsOf(many("bellbird"), many("belbird")).alignment.leftA).toBe(9);
  });
});
