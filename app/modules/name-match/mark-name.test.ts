import fc from "fast-check";
import { expect, test } from "vitest";
import { markName } from "./mark-name";
import { comparePair } from "./name-pair.server";
import type { NamePart, NamePartStatus } from "./types";

const part = (
  status: NamePartStatus,
  submittedStart: number,
  submittedEnd: number,
  heldStart: number,
  heldEnd: number,
): NamePart => ({
  status,
  submittedStart,
  submittedEnd,
  heldStart,
  heldEnd,
});

const fods = [part("same", 0, 2, 0, 2), part("only_held", 2, 2, 2, 3), part("same", 2, 4, 3, 5)];

test("a letter that only the bank has is marked there and leaves a gap here", () => {
  expect(markName("Foods", fods, "held")).toEqual([
    { text: "Fo", status: "same" },
    { text: "o", status: "only_held" },
    { text: "ds", status: "same" },
  ]);
  expect(markName("Fods", fods, "submitted")).toEqual([
    { text: "Fo", status: "same" },
    { text: "", status: "only_held" },
    { text: "ds", status: "same" },
  ]);
});

test("parts are drawn in the order of the side that is drawn", () => {
  const swapped = [part("different", 0, 3, 4, 7), part("different", 4, 7, 0, 3)];
  expect(markName("Lee Kim", swapped, "held").map((stretch) => stretch.text)).toEqual(["Lee", " ", "Kim"]);
});

test("the blank before an extra word is not marked with it", () => {
  expect(markName("Foods Ltd", [part("only_submitted", 5, 9, 5, 5)], "submitted")).toEqual([
    { text: "Foods", status: "same" },
    { text: " ", status: "same" },
    { text: "Ltd", status: "only_submitted" },
  ]);
});

test("a blank that is the whole difference stays marked", () => {
  expect(markName("a b", [part("formatting", 1, 2, 1, 1)], "submitted")).toContainEqual({
    text: " ",
    status: "formatting",
  });
});

test("stretches come in the order of the name, whatever the order of the parts", () => {
  const parts = [
    part("different", 3, 6, 0, 0),
    part("formatting", 0, 2, 0, 2),
    part("only_held", 0, 0, 0, 2),
    part("same", 6, 6, 0, 0),
  ];
  expect(markName("Jo Doe", parts, "submitted")).toEqual([
    { text: "", status: "only_held" },
    { text: "Jo", status: "formatting" },
    { text: " ", status: "same" },
    { text: "Doe", status: "different" },
  ]);
});

test("only a word that this name does not have leaves a gap", () => {
  const parts = [part("only_submitted", 4, 8, 4, 4), part("different", 0, 3, 0, 0)];
  expect(markName("Ann Quince", parts, "held")).toEqual([
    { text: "Ann", status: "same" },
    { text: " ", status: "same" },
    { text: "", status: "only_submitted" },
    { text: "Quince", status: "same" },
  ]);
});

test("a mark does not begin or end with a blank", () => {
  expect(markName("a b c", [part("different", 1, 4, 0, 0)], "submitted")).toEqual([
    { text: "a", status: "same" },
    { text: " ", status: "same" },
    { text: "b", status: "different" },
    { text: " ", status: "same" },
    { text: "c", status: "same" },
  ]);
});

test("two names beside each other have their score, marks and reasons", () => {
  const { match, ...names } = comparePair({ submitted: "Acme Plumbng", held: "Acme Plumbing" });
  expect(names).toEqual({ submitted: "Acme Plumbng", held: "Acme Plumbing" });
  expect(match.score).toBe(88);
  expect(match.names.submitted.filter(({ status }) => status !== "same")).toEqual([]);
  expect(match.names.held.filter(({ status }) => status !== "same")).toEqual([{ text: "i", status: "different" }]);
  expect(match.reasons.map(({ points }) => points)).toEqual([12]);
});

test("without parts the whole name is one plain stretch", () => {
  expect(markName("Harbour", [], "submitted")).toEqual([{ text: "Harbour", status: "same" }]);
  expect(markName("", [], "held")).toEqual([]);
});

test("every character comes back once and in order, whatever the parts say", () => {
  const position = fc.integer({ min: 0, max: 24 });
  const anyPart = fc.record({
    status: fc.constantFrom<NamePartStatus>("same", "formatting", "different", "only_submitted", "only_held"),
    submittedStart: position,
    submittedEnd: position,
    heldStart: position,
    heldEnd: position,
  });
  fc.assert(
    fc.property(
      fc.string({ maxLength: 20 }),
      fc.array(anyPart),
      fc.constantFrom("submitted", "held"),
      (name, parts, side) => {
        const drawn = markName(name, parts, side as "submitted" | "held");
        expect(drawn.map((stretch) => stretch.text).join("")).toBe(name);
      },
    ),
  );
});
