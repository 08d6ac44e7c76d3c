import fc from "fast-check";
import { expect, test } from "vitest";
import { explainDifference } from "./explain";
import { matchNames } from "./match";
import type { NameDifferenceType } from "./types";

/** The parts as the page would draw them: status, what the submitted name shows, what the held name shows. */
const drawn = (submitted: string, held: string) =>
  matchNames(submitted, held).parts.map((part) => [
    part.status,
    submitted.slice(part.submittedStart, part.submittedEnd),
    held.slice(part.heldStart, part.heldEnd),
  ]);

test.each([
  ["Acme Tiles", "Acme Tiles", [["same", "Acme Tiles", "Acme Tiles"]]],
  ["ACME Tiles", "Acme Tiles", [["formatting", "ACME Tiles", "Acme Tiles"]]],
  [
    "Mr Jo Doe",
    "Jo Doe",
    [
      ["only_submitted", "Mr", ""],
      ["same", "Jo Doe", "Jo Doe"],
    ],
  ],
  [
    "Acme",
    "Acme Pty Ltd",
    [
      ["same", "Acme", "Acme"],
      ["only_held", "", "Pty Ltd"],
    ],
  ],
  [
    "Acme Plumbng",
    "Acme Plumbing",
    [
      ["same", "Acme", "Acme"],
      ["same", "Plumb", "Plumb"],
      ["different", "", "i"],
      ["same", "ng", "ng"],
    ],
  ],
  [
    "Acme Tiles",
    "Bolt Tiles",
    [
      ["different", "Acme", "Bolt"],
      ["same", "Tiles", "Tiles"],
    ],
  ],
  [
    "Doe, John",
    "John Doe",
    [
      ["same", "Doe", "Doe"],
      ["same", "John", "John"],
    ],
  ],
  ["Life Line Tiles", "Lifeline Tiles", [["formatting", "Life Line Tiles", "Lifeline Tiles"]]],
  [
    "red JOHNX Doe",
    "red Johny Doe",
    [
      ["same", "red", "red"],
      ["formatting", "JOHN", "John"],
      ["different", "X", "y"],
      ["same", "Doe", "Doe"],
    ],
  ],
])("%j beside %j", (submitted, held, expected) => {
  expect(drawn(submitted, held)).toEqual(expected);
});

const alphabet = fc.constantFrom(
  "Jo",
  "John",
  "Doe",
  "DOE,",
  "Acme",
  "Acne",
  "Pty",
  "Ltd",
  "&",
  "T/A",
  "the",
  "2",
  "(",
  ")",
  "Mr",
);
const name = fc.array(alphabet, { maxLength: 8 }).map((words) => words.join(" "));

test("parts never overlap, stay within the names and are sorted by the submitted name", () => {
  fc.assert(
    fc.property(name, name, (submitted, held) => {
      const { parts } = matchNames(submitted, held);
      let end = 0;
      for (const part of parts) {
        expect(part.submittedStart).toBeLessThanOrEqual(part.submittedEnd);
        if (part.status === "only_held") continue;
        expect(part.submittedStart).toBeGreaterThanOrEqual(end);
        end = part.submittedEnd;
      }
      expect(end).toBeLessThanOrEqual(submitted.length);
      end = 0;
      for (const part of [...parts].sort((a, b) => a.heldStart - b.heldStart || a.heldEnd - b.heldEnd)) {
        if (part.status === "only_submitted") continue;
        expect(part.heldStart).toBeGreaterThanOrEqual(end);
        end = part.heldEnd;
      }
      expect(end).toBeLessThanOrEqual(held.length);
    }),
  );
});

test("same parts show the same letters", () => {
  fc.assert(
    fc.property(name, name, (submitted, held) => {
      for (const [status, a, b] of drawn(submitted, held)) {
        if (status === "same") expect(a).toBe(b);
        if (status === "formatting") expect(a).not.toBe(b);
      }
    }),
  );
});

const TYPES: NameDifferenceType[] = [
  "formatting",
  "spacing",
  "diacritic",
  "and_symbol",
  "title",
  "abbreviation",
  "legal_form",
  "entity_kind",
  "trading_as",
  "trustee",
  "initial",
  "nickname",
  "order",
  "typo",
  "plural",
  "extra_token",
  "missing_token",
  "different_token",
  "place",
  "number",
  "reference",
  "truncation",
  "homoglyph",
  "script",
  "joint_holder",
  "acronym",
  "blank",
];

test.each(TYPES)("a difference of type %s is explained in one sentence", (type) => {
  for (const [submitted, held] of [
    ["Left", "Right"],
    ["Left", ""],
    ["", "Right"],
    ["", ""],
  ] as const) {
    const sentence = explainDifference({ type, submitted, held });
    expect(sentence).toMatch(/^[A-Z\u201c].*\.$/);
    expect(sentence).not.toContain("undefined");
    expect(sentence).not.toContain("\u201c\u201d");
  }
});

test("sentences quote what differs", () => {
  expect(explainDifference({ type: "nickname", submitted: "Liz", held: "Elizabeth" })).toBe(
    "\u201cLiz\u201d and \u201cElizabeth\u201d are forms of one given name.",
  );
  expect(explainDifference({ type: "number", submitted: "1", held: "2" })).toContain("\u201c1\u201d and \u201c2\u201d");
});
