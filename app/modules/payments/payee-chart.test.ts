import { expect, test } from "vitest";
import { DAY_MS, toIso } from "~/kernel/dates";
import { toPayeeChart } from "./payee-chart.server";

const NOW = Date.UTC(2026, 10, 27);
const zone = { timeZone: "UTC", now: NOW };
const ago = (days: number) => ({ dateTime: toIso(NOW - days * DAY_MS), exact: "", relative: "" });
const changed = (field: string, days: number) => ({
  id: `${field} ${days}`,
  field,
  from: "a",
  to: "b",
  by: "Ada",
  at: ago(days),
});
const verified = (days: number) => ({
  ...{ id: "v", status: "verified" as const, grade: null },
  ...{ openedAt: ago(days + 1), decidedAt: ago(days) },
});
const paid = (days: number, cents: number, status: "successful" | "held") => ({
  at: NOW - days * DAY_MS,
  cents,
  status,
});
const payee = { id: "p", addedAt: ago(100), changes: [], verifications: [] };

test("contact and bank details that changed close together stand in one band, and the sentence says what was paid after that", () => {
  const chart = toPayeeChart(
    {
      ...payee,
      changes: [changed("Account number", 2), changed("BSB", 2), changed("Email", 5), changed("Phone", 90)],
      verifications: [verified(98)],
    },
    [paid(1, 1_845_000, "held"), paid(40, 100_000, "successful")],
    zone,
  );
  expect(chart?.sentence).toBe(
    "The bank details last changed on 25 Nov 2026, 3 days after the contact. They have not been verified since. $18,450.00 was recorded to it after the change, of which $18,450.00 is held.",
  );
  expect(chart?.closeBand).toEqual({ from: 95, to: 100 });
  expect(chart?.marks).toEqual([
    { lane: "contact", kind: "changed", x: 95, isClose: true },
    { lane: "contact", kind: "changed", x: 10, isClose: false },
    { lane: "bank", kind: "changed", x: 98, isClose: true },
    { lane: "bank", kind: "verified", x: 2, isClose: false },
    { lane: "payments", kind: "held", x: 99, isClose: false },
    { lane: "payments", kind: "paid", x: 60, isClose: false },
  ]);
  expect(chart?.summary).toBe(
    "From 19 Aug 2026 until today, contact changed 2 times, bank details changed once, verified once, 2 payments recorded.",
  );
});

test("a change that was verified is said to be, and a contact that changed long before is not held against it", () => {
  const chart = toPayeeChart(
    { ...payee, changes: [changed("BSB", 20), changed("Email", 80)], verifications: [verified(19)] },
    [],
    zone,
  );
  expect(chart?.closeBand).toBeNull();
  expect(chart?.sentence).toBe(
    "The bank details last changed on 7 Nov 2026. They were verified after that. No payment was recorded after the change.",
  );
});

test("a new payee, and one to which nothing happened, has no picture", () => {
  expect(toPayeeChart(payee, [paid(3, 1, "successful")], zone)).toBeNull();
  expect(toPayeeChart({ ...payee, addedAt: ago(0.5) }, [paid(0.1, 1, "held"), paid(0.2, 1, "held")], zone)).toBeNull();
});
