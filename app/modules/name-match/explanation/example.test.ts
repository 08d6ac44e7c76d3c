import { describe, expect, test } from "vitest";
import { Role } from "~/modules/name-match/name";
import { aName, coreOf, withRole, wordsOf } from "../../../../tests/support/names";
import { matchNames } from "../match-names";
import { readName } from "../reading/read-name";
import { explainDifferences } from "./sentences";

/** The example that the decision record on name matching explains step by step. */
describe("“Acme Plumbng P/L T/A Bolt” and “ACME PLUMBING PTY LTD”", () => {
  const submitted = "Acme Plumbng P/L T/A Bolt";
  const held = "ACME PLUMBING PTY LTD";

  test("reading", () => {
    expect(wordsOf(readName(submitted))).toEqual(["acme", "plumbng", "p/l", "t/a", "bolt"]);
    expect(wordsOf(readName(held))).toEqual(["acme", "plumbing", "pty", "ltd"]);
  });

  test("parsing", () => {
    const name = aName(submitted);
    expect(coreOf(name)).toEqual(["Acme", "Plumbng"]);
    expect(coreOf(name, "trading")).toEqual(["Bolt"]);
    expect(withRole(name, Role.Connector)).toEqual(["T/A"]);
    expect(name.main.form).toBe(aName(held).main.form);
  });

  test("comparing", () => {
    expect(matchNames(submitted, held)).toMatchObject({ score: 78, matchType: "fuzzy" });
  });

  test("explanation", () => {
    expect(explainDifferences(matchNames(submitted, held).differences)).toEqual([
      {
        sentence: "The name at the bank does not have “T/A Bolt”, so that it gives two names of a business.",
        points: 14,
      },
      { sentence: "“Plumbng” and “PLUMBING” are spelled almost alike.", points: 8 },
      { sentence: "The legal form is written “P/L” here and “PTY LTD” at the bank.", points: 0 },
    ]);
  });
});
