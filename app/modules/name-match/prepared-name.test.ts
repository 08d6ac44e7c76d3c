import { afterEach, describe, expect, test, vi } from "vitest";
import { matchNames, matchNamesForPage, prepareName, scoreIfAlike, scoreNames } from "./match-names";
import { Matcher } from "./matcher";
import { MAX_TEXT, PreparedName } from "./prepared-name";
import { CharacterFolder } from "./reading/fold-characters";
import { Role } from "./reading/word";

function prepared(text: string): PreparedName {
  const name = new PreparedName(new CharacterFolder());
  name.read(text);
  return name;
}

test.each([
  ["", true],
  ["12 34", true],
  ["n/a", true],
  ["test n/a", true],
  ["test Bellamy", false],
  ["Bellamy", false],
  ["?", true],
])("%j cannot be a name: %s", (text, blank) => {
  expect(prepared(text).isBlank).toBe(blank);
});

test.each([
  ["a name", "Jo Bellamy", false],
  ["blanks up to the most characters", `Jo${" ".repeat(MAX_TEXT - 2)}`, false],
  ["one character more", `Jo${" ".repeat(MAX_TEXT - 1)}`, true],
  ["too many letters", "a".repeat(500), true],
])("a text is longer than any name: %s", (_, text, long) => {
  expect(prepared(text).isLong).toBe(long);
});

test("a name is taken apart and looked at once, until another is read", () => {
  const name = prepared("Acme Tiles");
  name.parse().reading.word(0).role = Role.Purpose;
  expect(name.parse().reading.word(0).role).toBe(Role.Purpose);
  const { count } = name.glance();
  name.glance().count = 99;
  expect(name.glance().count).toBe(99);
  name.read("Acme Tiles");
  expect(name.parse().reading.word(0).role).toBe(Role.Core);
  expect(name.glance().count).toBe(count);
});

describe("score and class without reasons", () => {
  test.each([
    ["Bob Doe", "Robert Doe", { score: 87, matchType: "fuzzy" }],
    ["Acme P/L", "Acme Pty Ltd", { score: 98, matchType: "exact" }],
    ["Jo Bellamy", "Kit Quince", { score: 0, matchType: "none" }],
    ["Jo Bellamy", "Jo Quince", { score: 15, matchType: "none" }],
  ])("of %j and %j", (a, b, answer) => {
    expect(scoreNames(a, b)).toEqual(answer);
    expect(scoreNames(prepareName(a), prepareName(b))).toEqual(answer);
    const ifAlike = answer.matchType === "none" ? undefined : answer;
    expect(scoreIfAlike(prepareName(a), b)).toEqual(ifAlike);
    expect(scoreIfAlike(prepareName(a), prepareName(b))).toEqual(ifAlike);
  });

  test("a blank or a long text is compared in full", () => {
    expect(scoreIfAlike(prepareName("n/a"), "n/a")).toBeUndefined();
    const long = "Acme ".repeat(300);
    expect(scoreIfAlike(prepareName(long), long.toUpperCase())).toEqual({ score: 97, matchType: "exact" });
  });
});

describe("reasons", () => {
  afterEach(() => vi.restoreAllMocks());

  test("are written from the comparison itself, once", () => {
    const compare = vi.spyOn(Matcher.prototype, "compare");
    const answer = matchNames("Bob Doe", "Robert Doe", "person");
    expect(answer.differences).toMatchObject([{ type: "nickname" }]);
    expect(answer.differences).toBe(answer.differences);
    expect(compare).toHaveBeenCalledTimes(1);
  });

  test("are the same after other names were compared", () => {
    const answer = matchNames("Bellamy John", "John Bellamy", "person");
    scoreNames("Acme", "Zorp");
    expect(answer.differences).toMatchObject([{ type: "order", points: 10 }]);
    expect(answer.parts).toEqual(matchNames("Bellamy John", "John Bellamy", "person").parts);
  });

  test("travel to a page as plain data", () => {
    const page = matchNamesForPage("Bob Doe", "Robert Doe");
    expect(Object.keys(page)).toEqual(["score", "matchType", "differences", "parts"]);
    expect(page).toEqual(JSON.parse(JSON.stringify(matchNames("Bob Doe", "Robert Doe"))));
  });
});
