import { describe, expect, test } from "vitest";
import { Relation } from "~/modules/name-match/name";
import { aWord } from "../../../../tests/support/names";
import { readName } from "../reading/read-name";
import { alignWords, areFormsByEnding, editBudget, relateNames, relateWords } from "./align";

const words = (a: string, b: string) => relateWords(aWord(a), aWord(b));
const names = (a: string, b: string) => relateNames(aWord(a), aWord(b));

describe("words of organisations", () => {
  test.each([
    ["service", "services", Relation.Plural],
    ["st", "street", Relation.Reading],
    ["assoc", "associates", Relation.Reading],
    ["australian", "australia", Relation.Stem],
    ["victorian", "vic", Relation.Stem],
    ["accounting", "accountants", Relation.Stem],
    ["electric", "electrical", Relation.Stem],
    ["c0ral", "coral", Relation.LookAlike],
    ["bellburn", "bellbum", Relation.LookAlike],
    ["iv", "4", Relation.Roman],
    ["2", "3", Relation.None],
    ["2a", "2b", Relation.None],
    ["b", "bellbird", Relation.Initial],
    ["b", "c", Relation.None],
    ["bellbird", "belbird", Relation.Slip],
    ["bellbird", "xellbird", Relation.Slip],
    ["bellbirds", "blelbird", Relation.TwoSlips],
    ["zorp", "zarp", Relation.Slip],
    ["zo", "za", Relation.None],
    ["zorp", "zaap", Relation.None],
    ["bellbird", "quandary", Relation.None],
    ["nsw", "vic", Relation.None],
    ["nsw", "nsx", Relation.Slip],
    ["north", "south", Relation.None],
    ["health", "wealth", Relation.None],
    ["organisation", "organization", Relation.Slip],
    ["plumbing", "plumbers", Relation.Stem],
    ["petersen", "peterson", Relation.Slip],
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
    ["l0ckw00d", "lockwood", Relation.LookAlike],
    ["walters", "watters", Relation.Slip],
    ["hunt", "hurt", Relation.None],
    ["paul", "paula", Relation.None],
    ["daniel", "danielle", Relation.None],
    ["brody", "brady", Relation.Slip],
    ["harry", "larry", Relation.None],
    ["bellbirdy", "bellbixdy", Relation.Slip],
    ["vorp", "vrop", Relation.Slip],
    ["vorpal", "vrpla", Relation.TwoSlips],
    ["vo", "va", Relation.None],
    ["vorp", "varq", Relation.None],
    ["vorpal", "quince", Relation.None],
  ])("%j and %j are related as %d", (a, b, relation) => {
    expect(names(a, b)).toBe(relation);
    expect(names(b, a)).toBe(relation);
  });

  test("typing errors are counted", () => {
    expect(names("vorpalia", "vorpalie")).toBe(Relation.Slip);
    expect(names("vorpalia", "vrpalai")).toBe(Relation.TwoSlips);
    expect(names("vorpaliander", "vrpaliadnre")).toBe(Relation.ThreeSlips);
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
  const alignmentOf = (a: string, b: string, personal = false) => {
    const [left, right] = [readName(a).words, readName(b).words];
    return { aligner: alignWords(left, right, personal), left, right };
  };
  const partners = (a: string, b: string) => alignmentOf(a, b).left.map(({ partner }) => partner?.place ?? -1);

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
    expect(partners(a, b)).toEqual(expected);
  });

  test("what is left over on each side is counted", () => {
    const { aligner } = alignmentOf("red blue", "red green yellow");
    expect([aligner.leftA, aligner.leftB]).toEqual([1, 2]);
  });

  test("a word written apart on one side ends with the last of its run", () => {
    const apart = alignmentOf("life line", "lifeline");
    expect([apart.aligner.leftA, apart.aligner.leftB]).toEqual([0, 0]);
    expect(apart.left[0]?.runEnd).toBe(apart.left[1]);
    const together = alignmentOf("lifeline", "life line");
    expect([together.aligner.leftA, together.aligner.leftB]).toEqual([0, 0]);
    expect(together.right[0]?.runEnd).toBe(together.right[1]);
  });

  test("an exchanged order is noticed", () => {
    expect(alignmentOf("red blue", "blue red").aligner.inOrder).toBe(false);
    expect(alignmentOf("red blue", "red blue").aligner.inOrder).toBe(true);
    expect(alignmentOf("red", "green red").aligner.inOrder).toBe(true);
  });

  test("spellings are not looked at among many unlike words", () => {
    const many = (word: string) => Array.from({ length: 9 }, (_, i) => word + "abcdefghi"[i]).join(" ");
    expect(alignmentOf(many("bellbird"), many("belbird")).aligner.leftA).toBe(9);
  });
});

test.each([
  ["gwennie", "gwendolyn", true],
  ["maddy", "madeline", true],
  ["maddey", "madeline", true],
  ["clary", "clarissa", true],
  ["roslyn", "rosalind", true],
  ["roslyn", "rosalynne", true],
  ["madelyn", "madeline", true],
  ["gwendoline", "gwendolyn", true],
  ["carly", "carl", false],
  ["kelly", "kelvin", false],
  ["sally", "salvatore", false],
  ["zebbie", "zebulon", false],
  ["gwennie", "elizabeth", false],
  ["gwend", "gwendolyn", false],
  ["gwy", "gwendolyn", false],
  ["clabie", "clarissa", false],
  ["clary", "clara", false],
  ["davvie", "david", true],
  ["ebbie", "ebony", false],
  ["rosslyn", "roslyn", false],
  ["adalyn", "adelyn", false],
  ["marlon", "marilyn", false],
  ["carolyn", "marilyn", false],
  ["evelyn", "eveline", true],
  ["colin", "collin", false],
])("%j and %j are forms of one name: %s", (a, b, are) => {
  expect(areFormsByEnding(aWord(a), aWord(b))).toBe(are);
  expect(areFormsByEnding(aWord(b), aWord(a))).toBe(are);
});
