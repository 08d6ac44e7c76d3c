import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addMonths,
  DAY_MS,
  dayCode,
  endOfDay,
  formatDate,
  formatDateTime,
  formatRelative,
  HOUR_MS,
  isoDay,
  localTime,
  MINUTE_MS,
  minuteOfDay,
  moveDay,
  parseDay,
  startOfDay,
  toIso,
} from "./dates";

const at = (iso: string) => Date.parse(iso);
const instants = fc.integer({ min: at("1990-01-01T00:00:00Z"), max: at("2100-01-01T00:00:00Z") });

describe("formatDate and formatDateTime", () => {
  test.each([
    ["2026-11-20T05:31:00Z", undefined, "20 Nov 2026", "20 Nov 2026, 4:31 pm"],
    ["2026-11-19T13:00:00Z", undefined, "20 Nov 2026", "20 Nov 2026, 12:00 am"],
    ["2026-11-19T12:59:59.999Z", undefined, "19 Nov 2026", "19 Nov 2026, 11:59 pm"],
    ["2026-07-01T02:05:00Z", undefined, "1 Jul 2026", "1 Jul 2026, 12:05 pm"],
    ["2026-09-01T00:00:00Z", undefined, "1 Sep 2026", "1 Sep 2026, 10:00 am"],
    ["2026-06-30T14:00:00Z", "Australia/Perth", "30 Jun 2026", "30 Jun 2026, 10:00 pm"],
    ["2026-01-01T00:00:00Z", "Australia/Adelaide", "1 Jan 2026", "1 Jan 2026, 10:30 am"],
    ["2026-01-01T00:00:00Z", "UTC", "1 Jan 2026", "1 Jan 2026, 12:00 am"],
  ])("%s in %s", (iso, zone, date, dateTime) => {
    expect(formatDate(at(iso), zone)).toBe(date);
    expect(formatDateTime(at(iso), zone)).toBe(dateTime);
  });

  test("the hour that daylight saving skips is never shown, and the one it repeats is shown twice", () => {
    expect(formatDateTime(at("2026-10-03T15:59:00Z"))).toBe("4 Oct 2026, 1:59 am");
    expect(formatDateTime(at("2026-10-03T16:00:00Z"))).toBe("4 Oct 2026, 3:00 am");
    expect(formatDateTime(at("2026-04-04T15:30:00Z"))).toBe("5 Apr 2026, 2:30 am");
    expect(formatDateTime(at("2026-04-04T16:30:00Z"))).toBe("5 Apr 2026, 2:30 am");
  });

  test("in UTC every instant is shown as its ISO form says", () => {
    fc.assert(
      fc.property(instants, (ms) => {
        const shown = Date.parse(`${formatDateTime(ms, "UTC").replace(/,/, "")} UTC`);
        expect(shown).toBe(Math.floor(ms / MINUTE_MS) * MINUTE_MS);
      }),
    );
  });

  test("an unknown zone is refused", () => {
    expect(() => formatDate(0, "Australia/Nowhere")).toThrow(RangeError);
  });

  test("only plain ASCII is shown, so that a server and a browser agree", () => {
    fc.assert(
      fc.property(instants, (ms) => {
        expect(formatDateTime(ms)).toMatch(/^[\x20-\x7e]+$/);
      }),
    );
  });
});

describe("formatRelative", () => {
  const now = at("2026-11-20T05:31:00Z");

  test.each([
    [0, "just now"],
    [MINUTE_MS - 1, "just now"],
    [MINUTE_MS, "1 minute ago"],
    [2 * MINUTE_MS - 1, "1 minute ago"],
    [59 * MINUTE_MS, "59 minutes ago"],
    [HOUR_MS, "1 hour ago"],
    [3 * HOUR_MS + 5 * MINUTE_MS, "3 hours ago"],
    [DAY_MS - 1, "23 hours ago"],
    [DAY_MS, "1 day ago"],
    [30 * DAY_MS, "30 days ago"],
    [31 * DAY_MS, "1 month ago"],
    [365 * DAY_MS, "11 months ago"],
    [366 * DAY_MS, "1 year ago"],
    [3 * 366 * DAY_MS, "3 years ago"],
    [-MINUTE_MS + 1, "just now"],
    [-MINUTE_MS, "in 1 minute"],
    [-2 * DAY_MS, "in 2 days"],
  ])("%i ms before now is %s", (distance, text) => {
    expect(formatRelative(now - distance, now)).toBe(text);
  });

  test("no distance is shown as zero of anything", () => {
    fc.assert(
      fc.property(instants, (ms) => {
        expect(formatRelative(ms, now)).not.toMatch(/\b0\b/);
      }),
    );
  });
});

describe("addMonths", () => {
  test.each([
    ["2026-01-31T10:00:00.000Z", 1, "2026-02-28T10:00:00.000Z"],
    ["2028-01-31T10:00:00.000Z", 1, "2028-02-29T10:00:00.000Z"],
    ["2026-03-31T00:00:00.000Z", -1, "2026-02-28T00:00:00.000Z"],
    ["2026-11-20T05:31:00.123Z", 12, "2027-11-20T05:31:00.123Z"],
    ["2026-11-20T05:31:00.000Z", -12, "2025-11-20T05:31:00.000Z"],
    ["2028-02-29T00:00:00.000Z", 12, "2029-02-28T00:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", 2, "2027-02-28T23:59:59.999Z"],
    ["2026-05-05T00:00:00.000Z", 0, "2026-05-05T00:00:00.000Z"],
  ])("%s and %i months are %s", (from, months, to) => {
    expect(toIso(addMonths(at(from), months))).toBe(to);
  });

  test("the month moves by exactly as many, and the day never grows", () => {
    const monthOf = (ms: number) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth();
    fc.assert(
      fc.property(instants, fc.integer({ min: -240, max: 240 }), (ms, months) => {
        const moved = addMonths(ms, months);
        expect(monthOf(moved) - monthOf(ms)).toBe(months);
        expect(new Date(moved).getUTCDate()).toBeLessThanOrEqual(new Date(ms).getUTCDate());
        expect(moved % DAY_MS).toBe(ms % DAY_MS);
      }),
    );
  });
});

test("a date reads the same from the kept offset of its day as from the platform, in every zone", () => {
  const platform = (ms: number, timeZone: string) =>
    new Intl.DateTimeFormat("en-AU", {
      timeZone,
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    })
      .formatToParts(ms)
      .flatMap(({ type, value }) => (/^(day|year|hour|minute)$/.test(type) ? [Number(value)] : []));
  const zones = [
    "Australia/Sydney",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Africa/Casablanca",
    "Pacific/Apia",
    "UTC",
  ];
  const instant = fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2110, 0) });
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), (ms, timeZone) => {
      const [, day, year] = /^(\d+) \w+ (\d+), /.exec(formatDateTime(ms, timeZone)) ?? [];
      const minute = minuteOfDay(ms, timeZone);
      expect([Number(day), Number(year), Math.floor(minute / 60), minute % 60]).toEqual(platform(ms, timeZone));
    }),
  );
});

test.each([
  ["Australia/Sydney", Date.UTC(2026, 3, 4, 16)],
  ["Australia/Lord_Howe", Date.UTC(2026, 3, 4, 15)],
  ["America/St_Johns", Date.UTC(2006, 3, 2, 3, 31)],
])("on the day that clocks change in %s, each minute is read right", (timeZone, change) => {
  const before = minuteOfDay(change - 60_000, timeZone);
  const step = minuteOfDay(change, timeZone) - before;
  expect([1, 1 - 1440]).not.toContain(step);
  expect(minuteOfDay(change - 12 * HOUR_MS, timeZone)).toBe((before + 1 + 720) % 1440);
});

test.each([
  ["2026-11-20", "Australia/Sydney", "2026-11-19T13:00:00.000Z", "2026-11-20T13:00:00.000Z"],
  ["2026-10-04", "Australia/Sydney", "2026-10-03T14:00:00.000Z", "2026-10-04T13:00:00.000Z"],
  ["2026-04-05", "Australia/Sydney", "2026-04-04T13:00:00.000Z", "2026-04-05T14:00:00.000Z"],
  ["2026-07-01", "Australia/Perth", "2026-06-30T16:00:00.000Z", "2026-07-01T16:00:00.000Z"],
  ["2026-07-01", "UTC", "2026-07-01T00:00:00.000Z", "2026-07-02T00:00:00.000Z"],
])("the day %s in %s runs from %s to %s", (day, zone, from, to) => {
  expect(toIso(startOfDay(day, zone))).toBe(from);
  expect(toIso(endOfDay(day, zone))).toBe(to);
});

test.each([
  ["2026-11-20T03:00:00Z", "Australia/Sydney", 14 * 60, false, "201126"],
  ["2026-11-20T12:59:00Z", "Australia/Sydney", 23 * 60 + 59, false, "201126"],
  ["2026-11-20T13:00:00Z", "Australia/Sydney", 0, true, "211126"],
  ["2026-11-22T03:07:00Z", "Australia/Sydney", 14 * 60 + 7, true, "221126"],
  ["2026-11-22T13:00:00Z", "Australia/Sydney", 0, false, "231126"],
  ["2009-03-04T20:00:00Z", "Australia/Perth", 5 * 60, false, "050309"],
])("at %s people in %s work or do not, and their files are of the day %s", (iso, zone, minute, isWeekend, code) => {
  expect(localTime(at(iso), zone)).toEqual({ minute, isWeekend });
  expect(dayCode(at(iso), zone)).toBe(code);
});

test("an instant of another century is read as the platform reads it", () => {
  const clock = (ms: number, timeZone: string) =>
    new Intl.DateTimeFormat("en-AU", { timeZone, hourCycle: "h23", hour: "numeric", minute: "numeric" }).format(ms);
  const anyTime = fc.integer({ min: at("1850-01-01T00:00:00Z"), max: at("2200-01-01T00:00:00Z") });
  const zone = fc.constantFrom("Australia/Sydney", "Australia/Adelaide", "Europe/Amsterdam", "Africa/Monrovia");
  fc.assert(
    fc.property(anyTime, zone, (ms, timeZone) => {
      const [hour, minute] = clock(ms, timeZone).split(":").map(Number);
      expect(minuteOfDay(ms, timeZone)).toBe((hour ?? 0) * 60 + (minute ?? 0));
    }),
  );
});

test("a day as forms write it is that of the zone, and moves over the ends of months", () => {
  const lateEvening = Date.parse("2026-10-31T14:30:00Z");
  expect(isoDay(lateEvening, "Australia/Sydney")).toBe("2026-11-01");
  expect(isoDay(lateEvening, "UTC")).toBe("2026-10-31");
  expect(isoDay(Date.parse("2026-03-05T00:00:00Z"), "Australia/Perth")).toBe("2026-03-05");
  expect([moveDay("2026-02-28", 1), moveDay("2024-02-28", 1), moveDay("2026-01-01", -1)]).toEqual([
    "2026-03-01",
    "2024-02-29",
    "2025-12-31",
  ]);
});

test.each(["2026-11-20", " 2028-02-29 ", "2026-12-31"])("%s is a day", (text) => {
  expect(parseDay(text)).toBe(text.trim());
});

test.each([
  "",
  "2026-02-29",
  "2026-02-30",
  "2026-13-01",
  "2026-00-10",
  "2026-11-00",
  "20/11/2026",
  "2026-11-200",
  "x2026-11-20",
])("%s is no day", (text) => {
  expect(parseDay(text)).toBeUndefined();
});
