import { expect, test } from "vitest";
import { matchNames } from "../match-names";
import type { NameKind } from "../types";

/** Everything that is told of two names: type, words of either side, points. */
const told = (submitted: string, held: string, kind?: NameKind) =>
  matchNames(submitted, held, kind).differences.map(({ type, points, ...words }) => [
    type,
    words.submitted,
    words.held,
    points,
  ]);

test.each<[submitted: string, held: string, kind: NameKind | undefined, differences: unknown[]]>([
  ["Acme No1", "Acme 1", undefined, [["abbreviation", "No1", "1", 1]]],
  ["Acme No1", "Acme No 2", undefined, [["number", "No1", "No 2", 63]]],
  ["RW Bellamy", "R Bellamy", "person", [["different_token", "RW", "R", 13]]],
  ["CVC Health", "CVS Health", "person", [["different_token", "CVC", "CVS", 42]]],
  ["J.B. B", "B", undefined, [["different_token", "J.B. B", "B", 67]]],
  ["J.B. B Doe", "B Doe", "person", [["different_token", "J.B", "B", 27]]],
  ["Acme Pty Ltd", "ACME PTY LTD", undefined, [["formatting", "Acme Pty Ltd", "ACME PTY LTD", 1]]],
  ["Acme Tiles Tiles", "Acme Tiles", undefined, [["extra_token", "Tiles", "", 16]]],
  [
    "Acme Number One",
    "Acme No1",
    undefined,
    [
      ["number", "One", "No1", 1],
      ["extra_token", "Number", "", 1],
    ],
  ],
  [
    "Mr Henry Bellamy",
    "M/- HR Bellamy",
    "person",
    [
      ["initial", "Henry", "HR", 21],
      ["title", "Mr", "M", 0],
    ],
  ],
  [
    "www.acme.au",
    "www.bolt.au Pty Ltd",
    undefined,
    [
      ["different_token", "www.acme.au", "www.bolt.au", 63],
      ["legal_form", "", "Pty Ltd", 10],
    ],
  ],
  [
    "Acme North NSW",
    "Acme Nth NSW",
    "person",
    [
      ["different_token", "North NSW", "Nth NSW", 28],
      ["order", "Acme North NSW", "Acme Nth NSW", 0],
    ],
  ],
])("of %j and %j", (submitted, held, kind, differences) => {
  expect(told(submitted, held, kind)).toEqual(differences);
});
