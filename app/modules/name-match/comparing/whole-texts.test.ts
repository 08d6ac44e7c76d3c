import { expect, test } from "vitest";
import { isSameText, MAX_READ } from "./compare-names";

const longest = "a".repeat(MAX_READ - 1);

test.each([
  ["in another case", "Acme Tiles", "ACME tiles", true],
  ["with other signs", "Acme-Tiles, (2)", "acme tiles 2", true],
  ["with the sign for and", "Doe & Roe", "doe and roe", true],
  ["with an accent", "Caf\u00e9", "caf\u00c9", true],
  ["in another script", "\u041c\u0438\u0440", "\u043c\u0438\u0440!", true],
  ["of other letters", "Acme Tiles", "Acme Tires", false],
  ["of more letters", "Acme", "Acme 2", false],
  ["without letters", "...", "...", false],
  ["as long as is read", `${longest}!`, longest, true],
  ["longer than is read, and identical", `${longest}!!`, `${longest}!!`, true],
  ["longer than is read", `${longest}!!`, `${longest}!?`, false],
  ["longer than is read on one side", `${longest}!!`, longest, false],
  ["longer than is read, of signs", `${"!".repeat(MAX_READ)}a`, `${"!".repeat(MAX_READ)}a`, false],
])("texts %s", (_, a, b, same) => {
  expect(isSameText(a, b)).toBe(same);
  expect(isSameText(b, a)).toBe(same);
});
