import { expect, test } from "vitest";
import {
  buildMoney,
  buildReport,
  CLEARED_FILES,
  type Counted,
  csvRows,
  isOverTime,
  REPORT_IDS,
  toReportJson,
} from "./report";
import { showFigures, toReportView } from "./report.server";
import { grainOf, groupOf, groupsOf, monthBefore, readRange } from "./report-range";

const NOW = Date.parse("2026-11-20T03:00:00Z");
const ZONE = "Australia/Sydney";
const read = (query: string) => readRange(new URLSearchParams(query), ZONE, NOW);

test.each([
  ["", "2026-10-22", "2026-11-20"],
  ["from=2026-11-01", "2026-11-01", "2026-11-20"],
  ["to=2026-11-10", "2026-10-12", "2026-11-10"],
  ["from=2026-11-10&to=2026-11-01", "2026-11-01", "2026-11-10"],
  ["from=2000-01-01", "2025-11-20", "2026-11-20"],
  ["from=yesterday&to=2026-02-30", "2026-10-22", "2026-11-20"],
])("the days of %j are %s to %s", (query, from, to) => {
  expect(read(query)).toEqual({ from, to });
});

test("a range is grouped by days, weeks from Monday, or months, with none left out", () => {
  expect(grainOf(read(""))).toBe("day");
  expect(grainOf({ from: "2026-06-01", to: "2026-11-20" })).toBe("week");
  expect(grainOf({ from: "2026-01-01", to: "2026-11-20" })).toBe("month");
  expect(["2026-11-16", "2026-11-22", "2026-11-23"].map((day) => groupOf(day, "week"))).toEqual([
    "2026-11-16",
    "2026-11-16",
    "2026-11-23",
  ]);
  expect(groupsOf({ from: "2026-11-18", to: "2026-11-20" })).toEqual(["2026-11-18", "2026-11-19", "2026-11-20"]);
  expect(groupsOf({ from: "2025-11-20", to: "2026-11-20" })).toHaveLength(13);
  expect(monthBefore(NOW, ZONE)).toEqual({ from: "2026-10-01", to: "2026-10-31" });
  expect(monthBefore(Date.parse("2026-12-31T13:30:00Z"), ZONE)).toEqual({ from: "2026-12-01", to: "2026-12-31" });
});

const RANGE = { from: "2026-11-19", to: "2026-11-20" };
const row = (metric: Counted["metric"], key: string, day: string, count: number, sum = 0): Counted => ({
  metric,
  key,
  day,
  count,
  sum,
});
const build = (id: (typeof REPORT_IDS)[number], counted: Counted[]) =>
  buildReport(id, { range: RANGE, counted, nameOf: (userId) => `Person ${userId}` });

test("money is shown by day, held and rejected, in the table, the file and the answer to programs", () => {
  const report = build("money", [
    row("payments", "held", "2026-11-19", 2, 30_050),
    row("payments", "held_again", "2026-11-19", 1, 100),
    row("payments", "lines_rejected", "2026-11-20", 3, 999),
    row("payments", "authorised", "2026-11-20", 9, 9_999_999),
  ]);
  expect(report.rows).toEqual([
    { label: "19 Nov 2026", cells: [3, 30_150, 0, 0] },
    { label: "20 Nov 2026", cells: [0, 0, 3, 999] },
  ]);
  expect(report.totals).toEqual([3, 30_150, 3, 999]);
  expect(toReportView(report, RANGE).totals).toEqual(["3", "$301.50", "3", "$9.99"]);
  expect(csvRows(report)).toEqual({
    head: ["Day", "Payments held", "Held (AUD)", "Payments rejected", "Rejected (AUD)"],
    rows: [
      ["19 Nov 2026", 3, "301.50", 0, "0.00"],
      ["20 Nov 2026", 0, "0.00", 3, "9.99"],
      ["Total", 3, "301.50", 3, "9.99"],
    ],
  });
  expect(toReportJson(report, RANGE)).toMatchObject({
    report: "money",
    ...RANGE,
    totals: { paymentsHeld: 3, heldCents: 30_150, paymentsRejected: 3, rejectedCents: 999 },
  });
});

test("the dashboard's picture has what was let through beside what was held and rejected", () => {
  const money = buildMoney({
    range: RANGE,
    counted: [
      row("payments", "authorised", "2026-11-19", 2, 100_00),
      row("payments", "approved", "2026-11-19", 1, 20_00),
      row("payments", CLEARED_FILES, "2026-11-20", 1, 3_000_00),
      row("payments", "lines_approved", "2026-11-20", 1, 7_00),
      row("payments", "held_again", "2026-11-19", 1, 40_00),
      row("payments", "lines_held", "2026-11-20", 4, 500_00),
      row("payments", "lines_rejected", "2026-11-20", 1, 60_00),
      row("payments", "invoice_stopped", "2026-11-20", 1, 9_00),
    ],
  });
  expect(money.rows).toEqual([
    { label: "19 Nov 2026", cells: [120_00, 40_00, 0] },
    { label: "20 Nov 2026", cells: [3_000_00, 500_00, 60_00] },
  ]);
  expect(showFigures(money).chart?.bars.map(({ tone, d }) => [tone, d.split("M").length - 1])).toEqual([
    ["neutral", 2],
    ["pending", 2],
    ["review", 1],
  ]);
});

test("verifications are told by how they were verified, and what is not known of earlier ones is said", () => {
  const graded = [
    row("decided", "verified", "", 6),
    row("decided", "verified_bank", "", 3),
    row("decided", "verified_call_back", "", 1),
    row("decided", "verified_person", "", 2),
    row("decided", "rejected", "", 4),
  ];
  const report = build("grades", graded);
  expect(report.rows).toEqual([
    { label: "Confirmed by the bank", cells: [3] },
    { label: "Called back", cells: [1] },
    { label: "Vouched for by other organisations", cells: [0] },
    { label: "Approved by a person only", cells: [2] },
  ]);
  expect(report.note).toBeNull();
  expect(build("verifications", [row("decided", "verified_bank", "2026-11-20", 3)]).totals).toEqual([0, 0, 0]);
  const earlier = build("grades", [...graded, row("decided", "verified", "", 2)]);
  expect(earlier.note).toBe("2 more were verified before this report counted how. Each verification says how.");
});

test("people are named, the most active first, and the system is told apart", () => {
  const report = build("people", [
    row("decider", "u1:verification_verified", "", 2),
    row("decider", "u2:payment_approved", "", 5),
    row("decider", "rule:verification_verified", "", 1),
  ]);
  expect(report.rows).toEqual([
    { label: "Person u2", cells: [0, 0, 5, 0] },
    { label: "Person u1", cells: [2, 0, 0, 0] },
    { label: "PayeeProof, by rule", cells: [1, 0, 0, 0] },
  ]);
});

test("rules are told by their titles, and times with their average", () => {
  expect(build("rules", [row("rules", "details_changed:hold", "", 4)]).rows).toEqual([
    { label: "Bank details or name changed since the last decision", cells: [4, 0] },
  ]);
  expect(build("time-to-verify", [row("time", "day", "", 2, 300)]).note).toBe("On average 2.5 hours.");
});

test("the page has no picture of one or two days, and tells that from nothing counted", () => {
  const viewOf = (days: number[]) => {
    const counted = days.map((day) => row("decided", "verified", `2026-11-1${day}`, 1));
    const range = { from: "2026-11-14", to: "2026-11-20" };
    const { isEmpty, chart } = toReportView(buildReport("verifications", { range, counted, nameOf: String }), range);
    return [isEmpty, chart !== null];
  };
  expect(viewOf([])).toEqual([true, false]);
  expect(viewOf([6, 9])).toEqual([false, false]);
  expect(viewOf([6, 7, 9])).toEqual([false, true]);
});

test.each(REPORT_IDS.filter(isOverTime))(
  "%s draws every figure of its chart inside the drawing, and none where nothing happened",
  (id) => {
    expect(showFigures(build(id, [])).chart).toBeNull();
    const { metric, key } = EXAMPLES[id];
    const { chart } = showFigures(build(id, [row(metric, key, "2026-11-20", 7, 12_345)]));
    const bars = (chart?.bars ?? []).flatMap(({ d }) => [...d.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)H\1z/g)]);
    expect(bars.map(([path]) => path).join("")).toBe(chart?.bars.map(({ d }) => d).join(""));
    expect(bars.length).toBeGreaterThan(0);
    for (const [x = 0, y = 0, width = 0, height = 0] of bars.map(([, ...numbers]) => numbers.map(Number))) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual((chart?.width ?? 0) + 0.5);
      expect(y + height).toBeLessThanOrEqual((chart?.height ?? 0) + 0.5);
    }
    expect(chart?.summary).toMatch(/^Chart of .*The table has every figure\.$/);
  },
);

test.each(REPORT_IDS.filter((id) => !isOverTime(id) && id !== "people"))(
  "%s has a bar in each row, the longest for the largest figure, and none where nothing happened",
  (id) => {
    const sharesOf = (counted: Counted[]) => {
      const { rows, chart } = showFigures(build(id, counted));
      expect(chart).toBeNull();
      return rows.map(({ share }) => share);
    };
    expect(sharesOf([]).filter((share) => share !== 0)).toEqual([]);
    const { metric, key } = EXAMPLES[id];
    const shares = sharesOf([row(metric, key, "", 7, 12_345)]);
    expect(shares.filter((share) => share !== 0)).toEqual([100]);
  },
);

test("bars are as long as their figures", () => {
  const { rows } = showFigures(
    build("rules", [
      row("rules", "first_payment:hold", "", 6),
      row("rules", "details_changed:hold", "", 2),
      row("rules", "details_changed:warn", "", 1),
    ]),
  );
  expect(rows.map(({ cells, share }) => [...cells, share])).toEqual([
    ["6", "0", 100],
    ["2", "1", 50],
  ]);
});

const EXAMPLES: Readonly<Record<(typeof REPORT_IDS)[number], Pick<Counted, "metric" | "key">>> = {
  verifications: { metric: "decided", key: "verified" },
  grades: { metric: "decided", key: "verified_bank" },
  "bank-answers": { metric: "outcome", key: "match" },
  "time-to-verify": { metric: "time", key: "hour" },
  scores: { metric: "score", key: "exact" },
  money: { metric: "payments", key: "held" },
  invoices: { metric: "payments", key: "invoice_stopped" },
  rules: { metric: "rules", key: "details_changed:hold" },
  whitelist: { metric: "whitelist", key: "added" },
  people: { metric: "decider", key: "u1:verification_verified" },
  "call-backs": { metric: "calls", key: "proof" },
};
