import { expect, test } from "vitest";
import { startOfDay } from "./local-day";

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

test.each([
  ["2026-11-20", "Australia/Sydney", 0, "2026-11-19T13:00:00.000Z"],
  ["2026-06-20", "Australia/Sydney", 0, "2026-06-19T14:00:00.000Z"],
  ["2026-11-20", "Australia/Perth", 0, "2026-11-19T16:00:00.000Z"],
  ["2026-11-20", "Australia/Adelaide", 0, "2026-11-19T13:30:00.000Z"],
  ["2026-10-04", "Australia/Sydney", 0, "2026-10-03T14:00:00.000Z"],
  ["2026-10-04", "Australia/Sydney", 1, "2026-10-04T13:00:00.000Z"],
  ["2027-04-04", "Australia/Sydney", 0, "2027-04-03T13:00:00.000Z"],
  ["2027-04-04", "Australia/Sydney", 1, "2027-04-04T14:00:00.000Z"],
  ["2026-12-31", "UTC", 1, "2027-01-01T00:00:00.000Z"],
] as const)("%s in %s plus %d days begins at %s", (day, zone, addDays, expected) => {
  expect(iso(startOfDay(day, zone, addDays))).toBe(expected);
});

test.each(["", "2026-02-30", "20/11/2026", "2026-13-01"])("%s is no day", (day) => {
  expect(startOfDay(day, "Australia/Sydney")).toBeUndefined();
});
