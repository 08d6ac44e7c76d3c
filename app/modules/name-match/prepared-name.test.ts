import { describe, expect, test } from "vitest";
import { isBlank, isLong, matchNames, matchNamesForPage, prepareName, scoreIfAlike, scoreNames } from "./match-names";
import { Limit, readName } from "./reading/read-name";

test.each([
  ["", true],
  ["12 34", true],
  ["n/a", true],
  ["test n/a", true],
  ["test Bellamy", false],
  ["Bellamy", false],
  ["?", true],
])("%j cannot be a name: %s", (text, blank) => {
  expect(isBlank(readName(text))).toBe(blank);
});

test.each([
  ["a name", "Jo Bellamy", false],
  ["blanks up to the most characters", `Jo${" ".repeat(Limit.Text - 2)}`, false],
  ["one character more", `Jo${" ".repeat(Limit.Text - 1)}`, true],
  ["too many letters", "a".repeat(500), true],
])("a text is longer than any name: %s", (_, text, long) => {
  expect(isLong(prepareName(text))).toBe(long);
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
  test("are written once", () => {
    const answer = matchNames("Bob Doe", "Robert Doe", "person");
    expect(answer.differences).toMatchObject([{ type: "nickname" }]);
    expect(answer.differences).toBe(answer.differences);
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
