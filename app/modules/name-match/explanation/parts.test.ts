import fc from "fast-check";
import { expect, test } from "vitest";
import { matchNames } from "../match-names";

/** The parts as the page shows them: status, the submitted name's text, the held name's text. */
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
  [
    "Bne Browen",
    "Ben Browne",
    [
      ["different", "Bne", "Ben"],
      ["different", "Browen", "Browne"],
    ],
  ],
  [
    "endale Tiles",
    "Fendale Tiles",
    [
      ["different", "", "F"],
      ["same", "endale", "endale"],
      ["same", "Tiles", "Tiles"],
    ],
  ],
  [
    "The Bolt and the Nut Pty Ltd",
    "The Nut Pty Ltd",
    [
      ["only_submitted", "The Bolt and", ""],
      ["formatting", "the Nut Pty Ltd", "The Nut Pty Ltd"],
    ],
  ],
  [
    "Nut Pty Ltd T/A Bolt Pty Ltd",
    "Bolt Pty Ltd",
    [
      ["only_submitted", "Nut Pty Ltd T/A", ""],
      ["same", "Bolt Pty Ltd", "Bolt Pty Ltd"],
    ],
  ],
  [
    "Bolt of Nut",
    "Bolt of Zorp of Nut",
    [
      ["same", "Bolt of", "Bolt of"],
      ["only_held", "", "Zorp of"],
      ["same", "Nut", "Nut"],
    ],
  ],
  ["Acme Tiles", "", [["different", "Acme Tiles", ""]]],
  ["", "Acme Tiles", [["different", "", "Acme Tiles"]]],
])("%j beside %j", (submitted, held, expected) => {
  expect(drawn(submitted, held)).toEqual(expected);
});

test("the place of a word that only one name has is shown in the other name, between the words beside it", () => {
  const parts = [
    { status: "same", submittedStart: 0, submittedEnd: 3, heldStart: 0, heldEnd: 3 },
    { status: "only_held", submittedStart: 4, submittedEnd: 4, heldStart: 4, heldEnd: 8 },
    { status: "same", submittedStart: 4, submittedEnd: 10, heldStart: 9, heldEnd: 15 },
  ];
  expect(matchNames("Ann Quince", "Ann Mary Quince").parts).toEqual(parts);
  const mirrored = parts.map((part) => ({
    status: part.status === "only_held" ? "only_submitted" : part.status,
    submittedStart: part.heldStart,
    submittedEnd: part.heldEnd,
    heldStart: part.submittedStart,
    heldEnd: part.submittedEnd,
  }));
  expect(matchNames("Ann Mary Quince", "Ann Quince").parts).toEqual(mirrored);
  const moved = matchNames("Tiles Quill", "Bolt Tiles Nut").parts;
  expect(moved.filter(({ status }) => status === "only_held").map((part) => part.submittedStart)).toEqual([0]);
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
