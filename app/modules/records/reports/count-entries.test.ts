import { expect, test } from "vitest";
import { type CountedEntry, countEntries, openedAtOf } from "./count-entries";

const OPENED = Date.parse("2026-11-19T22:00:00.000Z");
const VERIFICATION = `${OPENED.toString(16)
  .padStart(12, "0")
  .replace(/^(.{8})/, "$1-")}-7000-8000-000000000001`;

const entry = (action: string, details: Record<string, unknown> | null = null, more: Partial<CountedEntry> = {}) => ({
  organizationId: "o1",
  userId: "u1",
  action,
  entityId: VERIFICATION,
  details,
  createdAt: OPENED + 90 * 60_000,
  amount: 0,
  ...more,
});

const count = (...entries: CountedEntry[]) =>
  countEntries(entries, () => "Australia/Sydney").map(({ metric, key, count, sum }) => [metric, key, count, sum]);

test.each([
  [
    entry("verification.approved"),
    [
      ["decided", "verified", 1, 90],
      ["time", "day", 1, 90],
      ["decider", "u1:verification_verified", 1, 0],
    ],
  ],
  [
    entry("verification.approved", { grade: "bank_instant" }),
    [
      ["decided", "verified", 1, 90],
      ["decided", "verified_bank", 1, 0],
      ["time", "day", 1, 90],
      ["decider", "u1:verification_verified", 1, 0],
    ],
  ],
  [
    entry("verification.approved", { grade: "person" }, { entityId: "x" }),
    [
      ["decided", "verified", 1, 0],
      ["decided", "verified_person", 1, 0],
      ["decider", "u1:verification_verified", 1, 0],
    ],
  ],
  [
    entry("verification.approved", { grade: "toString" }, { entityId: "x" }),
    [
      ["decided", "verified", 1, 0],
      ["decider", "u1:verification_verified", 1, 0],
    ],
  ],
  [
    entry("verification.rejected", null, { userId: null, entityId: "x" }),
    [
      ["decided", "rejected", 1, 0],
      ["decider", "rule:verification_rejected", 1, 0],
    ],
  ],
  [
    entry("verification.failed"),
    [
      ["decided", "failed", 1, 90],
      ["time", "day", 1, 90],
    ],
  ],
  [
    entry("verification.bank_check_finished", { outcome: "close_match", score: 94 }),
    [
      ["outcome", "close_match", 1, 0],
      ["score", "very_strong", 1, 0],
    ],
  ],
  [entry("verification.bank_check_finished", { outcome: "unable", score: null }), [["outcome", "unable", 1, 0]]],
  [
    entry("payment.recorded", {
      amount: 500,
      decision: "held",
      reasons: [
        { rule: "details_changed", level: "hold" },
        { rule: "outside_hours", level: "warn" },
      ],
    }),
    [
      ["payments", "held", 1, 500],
      ["rules", "details_changed:hold", 1, 0],
      ["rules", "outside_hours:warn", 1, 0],
    ],
  ],
  [
    entry("payment.recorded", { amount: 500, decision: "authorised", reasons: [] }),
    [["payments", "authorised", 1, 500]],
  ],
  [
    entry("payment.rejected", null, { amount: 700 }),
    [
      ["payments", "rejected", 1, 700],
      ["decider", "u1:payment_rejected", 1, 0],
    ],
  ],
  [entry("payment.returned_to_held", null, { amount: 900 }), [["payments", "held_again", 1, 900]]],
  [
    entry("payment_file.lines_rejected", { count: 3, cents: 1_200 }),
    [
      ["payments", "lines_rejected", 3, 1_200],
      ["decider", "u1:payment_rejected", 3, 0],
    ],
  ],
  [entry("payee.promoted"), [["whitelist", "promoted", 1, 0]]],
  [entry("verification.call_recorded", { outcome: "confirmed", noProof: null }), [["calls", "proof", 1, 0]]],
  [
    entry("verification.call_recorded", { outcome: "confirmed", noProof: "recently_changed" }),
    [["calls", "confirmed", 1, 0]],
  ],
  [entry("payee.edited"), []],
] as [CountedEntry, unknown[]][])("%j adds its counts", (one, rows) => {
  expect(count(one)).toEqual(rows);
});

test("entries of one day are added up, and the day is that of the organisation's zone", () => {
  const late = { createdAt: Date.parse("2026-11-20T12:59:00Z") };
  const next = { createdAt: Date.parse("2026-11-20T13:01:00Z") };
  const rows = countEntries(
    [entry("payee.promoted", null, late), entry("payee.promoted", null, late), entry("payee.promoted", null, next)],
    () => "Australia/Sydney",
  );
  expect(rows.map(({ day, count: number }) => [day, number])).toEqual([
    ["2026-11-20", 2],
    ["2026-11-21", 1],
  ]);
});

test("an id of version 7 tells when it was made, any other tells nothing", () => {
  expect(openedAtOf(VERIFICATION)).toBe(OPENED);
  expect(openedAtOf("3fa305d1-6ec5-4ea7-85b1-cf3fcd1e6e3d")).toBeUndefined();
  expect(openedAtOf("x")).toBeUndefined();
  expect(openedAtOf(null)).toBeUndefined();
});
