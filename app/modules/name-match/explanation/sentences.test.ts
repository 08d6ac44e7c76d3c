import { expect, test } from "vitest";
import type { NameDifferenceType } from "../types";
import { explainDifference } from "./sentences";

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

test.each(TYPES)("a difference of type %s is told in one sentence that quotes its words", (type) => {
  for (const [submitted, held] of [
    ["Left", "Right"],
    ["Left", ""],
    ["", "Right"],
    ["", ""],
  ] as const) {
    const sentence = explainDifference({ type, submitted, held, points: 1 });
    expect(sentence).toMatch(/^[A-Z\u201c].*\.$/);
    expect(sentence).not.toContain("undefined");
    expect(sentence).not.toContain("\u201c\u201d");
    if (type !== "formatting" && submitted) expect(sentence).toContain("\u201cLeft\u201d");
    if (type !== "formatting" && held) expect(sentence).toContain("\u201cRight\u201d");
  }
});
