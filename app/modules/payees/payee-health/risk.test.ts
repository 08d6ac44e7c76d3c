import { expect, test } from "vitest";
import type { HealthKind } from "~/kernel/enums";
import { riskOf } from "./health";

const verified = { status: "verified", flags: [], verifiedAt: 2_000, bankAgainstAt: null } as const;
const pending = { status: "pending", flags: [], verifiedAt: null, bankAgainstAt: null } as const;
const read = (...kinds: HealthKind[]) => ({ kinds, startedAt: 1_000 });

test.each([
  ["nothing found", verified, read(), "None found", null],
  ["not verified yet, and added after the last reading", pending, null, "Medium", null],
  ["verified since the reading that found it was not", verified, read("never_verified"), "None found", null],
  ["verified anew since it was stale", verified, read("stale"), "None found", null],
  ["a bank that spoke against it", { ...verified, bankAgainstAt: 3_000 }, read(), "Medium", null],
  [
    "a bank that spoke against it before somebody approved it",
    { ...verified, bankAgainstAt: 1_000 },
    read(),
    "None found",
    null,
  ],
  ["a bank that spoke against it, never verified", { ...pending, bankAgainstAt: 3_000 }, read(), "High", null],
  ["stale still", { ...verified, verifiedAt: 500 }, read("stale"), "Low", null],
  ["only no contact", verified, read("no_contact"), "Low", "No contact"],
  ["a closed BSB", verified, read("bsb_closed"), "Medium", "BSB closed"],
  ["a closed BSB, never verified", pending, read("never_verified", "bsb_closed"), "High", "BSB closed"],
  ["two findings", verified, read("lookalike", "bsb_closed"), "High", "BSB closed +1"],
  ["disputed", { ...pending, status: "disputed", flags: ["disputed"] as const }, read(), "High", null],
] as const)("%s", (_, row, reading, word, note) => {
  expect(riskOf(row, reading)).toMatchObject({ word, note });
});

test("the title names everything that was found, the gravest first, and whether a reading has looked", () => {
  expect(riskOf(pending, read("no_contact", "abn_bad")).title).toBe("Never verified. ABN not active. No contact.");
  expect(riskOf(pending, null).title).toBe("Never verified. Added after the last health report.");
  expect(riskOf(verified, read()).title).toBe("Nothing was found.");
});
