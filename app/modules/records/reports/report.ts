import type { ChartTone } from "~/kernel/chart";
import type { CsvCell } from "~/kernel/csv";
import type { ReportMetric } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { formatCount } from "~/kernel/text";
import { ruleLabel } from "~/modules/rules";
import { CALL_OUTCOME_LABELS } from "~/modules/verifying/call-backs/call-back";
import { OUTCOME_LABELS } from "~/modules/verifying/review/verification-list";
import { BY_RULE, GRADE_KEYS } from "./count-entries";
import { type Grain, grainOf, groupLabel, groupOf, groupsOf, type ReportRange } from "./report-range";

/** The reports, computed from the daily counts. Pure. */

/** Counts of one metric, by key and, for reports over time, by day. */
export type Counted = { metric: ReportMetric; key: string; day: string; count: number; sum: number };

type ReportCell = number;
export type ReportUnit = "count" | "cents";

/** A table with a label and figures in each row, and what is drawn of them. */
export type Figures = {
  title: string;
  description: string;
  /** The heading of the first column, then of each figure. */
  head: readonly string[];
  units: readonly ReportUnit[];
  rows: readonly { label: string; cells: readonly ReportCell[] }[];
  totals: readonly ReportCell[];
  /** The columns of the table that are drawn. */
  drawn: readonly number[];
  /** Their colours; absent: in the chart's own order. */
  tones?: readonly ChartTone[];
  /** A further sentence about the whole report; null: none. */
  note: string | null;
  /** Over time, a chart has a column for each row; otherwise each row of the table has a bar. */
  isOverTime: boolean;
};
export type Report = Figures & { id: ReportId };

export const REPORT_IDS = [
  "verifications",
  "grades",
  "bank-answers",
  "time-to-verify",
  "scores",
  "money",
  "invoices",
  "whitelist",
  "rules",
  "people",
  "call-backs",
] as const;
export type ReportId = (typeof REPORT_IDS)[number];

export const isReportId = (text: string): text is ReportId => REPORT_IDS.some((id) => id === text);

type Source = { range: ReportRange; counted: readonly Counted[]; nameOf: (userId: string) => string };
type Definition = Pick<Report, "title" | "description"> & {
  metric: ReportMetric;
  isOverTime?: true;
  build: (source: Source) => Omit<Figures, "title" | "description" | "isOverTime" | "totals">;
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** One row for each known key in a fixed order, even if nothing was counted. */
function keyed(source: Source, head: string, labels: Readonly<Record<string, string>>) {
  return {
    head: [head, "Number"],
    units: ["count"] as const,
    rows: Object.entries(labels).map(([key, label]) => ({
      label,
      cells: [sumOf(source.counted.filter((row) => row.key === key).map(({ count }) => count))],
    })),
    drawn: [0],
    note: null,
  };
}

type Series = { label: string; keys: readonly string[]; unit: ReportUnit };

/** A row for each group of days and a figure for each series. */
function overTime({ range, counted }: Source, series: readonly Series[], drawn?: readonly number[]) {
  const grain = grainOf(range);
  const names: Readonly<Record<Grain, string>> = { day: "Day", week: "Week from", month: "Month" };
  const groups = new Map(groupsOf(range).map((group) => [group, series.map(() => 0)]));
  for (const { day, key, count, sum } of counted) {
    const cells = groups.get(groupOf(day, grain));
    for (const [at, { keys, unit }] of series.entries()) {
      if (cells && keys.includes(key)) cells[at] = (cells[at] ?? 0) + (unit === "cents" ? sum : count);
    }
  }
  return {
    head: [names[grain], ...series.map(({ label }) => label)],
    units: series.map(({ unit }) => unit),
    rows: [...groups].map(([group, cells]) => ({ label: groupLabel(group, grain), cells })),
    drawn: drawn ?? series.map((_, at) => at),
    note: null,
  };
}

/** Held money is hollow and rejected money red, wherever it is drawn. */
const HELD_TONES: readonly ChartTone[] = ["pending", "review"];

const TIME_LABELS = {
  hour: "Within an hour",
  day: "Within a day",
  three_days: "Within 3 days",
  week: "Within a week",
  longer: "Longer than a week",
};

const SCORE_LABELS = {
  exact: "95 to 100, Exact",
  very_strong: "90 to 94, Very Strong",
  strong: "80 to 89, Strong",
  moderate: "70 to 79, Moderate",
  weak: "50 to 69, Weak",
  poor: "0 to 49, Poor",
};

const GRADE_LABELS = {
  [GRADE_KEYS.bank_consent]: "Confirmed by the bank",
  [GRADE_KEYS.call_back]: "Called back",
  [GRADE_KEYS.vouched]: "Vouched for by other organisations",
  [GRADE_KEYS.person]: "Approved by a person only",
};

const { none: _, ...ANSWERS } = OUTCOME_LABELS;

const CALL_LABELS = {
  proof: "Confirmed, counts as proof",
  confirmed: "Confirmed, but no proof",
  not_confirmed: CALL_OUTCOME_LABELS.not_confirmed,
  no_answer: CALL_OUTCOME_LABELS.no_answer,
};

/** Single payments that were held, and held lines of payment files. */
export const HELD_KEYS = ["held", "held_again", "lines_held"] as const;
export const REJECTED_KEYS = ["rejected", "lines_rejected"] as const;

/** Files that were cleared are counted apart, because the trail's counts hold only their held lines. */
export const CLEARED_FILES = "files_cleared";

/** The dashboard's picture: the money that was held, rejected and cleared. */
const MONEY: Definition = {
  title: "Cleared, held and rejected money",
  description:
    "Cleared: payments that were authorised, and payment files cleared for the bank. A payment that was held and later approved is counted as held and as cleared.",
  metric: "payments",
  isOverTime: true,
  build: (source) => ({
    ...overTime(source, [
      { label: "Cleared", keys: ["authorised", "approved", CLEARED_FILES], unit: "cents" },
      { label: "Held", keys: HELD_KEYS, unit: "cents" },
      { label: "Rejected", keys: REJECTED_KEYS, unit: "cents" },
    ]),
    tones: ["neutral", ...HELD_TONES],
  }),
};

const DEFINITIONS: Readonly<Record<ReportId, Definition>> = {
  verifications: {
    title: "Verifications decided",
    description: "How verifications ended, by the day of the decision.",
    metric: "decided",
    isOverTime: true,
    build: (source) =>
      overTime(source, [
        { label: "Verified", keys: ["verified"], unit: "count" },
        { label: "Rejected", keys: ["rejected"], unit: "count" },
        { label: "Failed", keys: ["failed"], unit: "count" },
      ]),
  },
  grades: {
    title: "How payees were verified",
    description: "What approved verifications are based on.",
    metric: "decided",
    build: (source) => ({ ...keyed(source, "How", GRADE_LABELS), note: ungradedOf(source) }),
  },
  "bank-answers": {
    title: "What banks answered",
    description: "How bank checks ended.",
    metric: "outcome",
    build: (source) => keyed(source, "Answer", ANSWERS),
  },
  "time-to-verify": {
    title: "Time to verify",
    description: "From the opening of a verification to its decision.",
    metric: "time",
    build: (source) => ({ ...keyed(source, "Time", TIME_LABELS), note: averageOf(source) }),
  },
  scores: {
    title: "Scores",
    description: "How well the names at banks matched the names submitted.",
    metric: "score",
    build: (source) => keyed(source, "Score", SCORE_LABELS),
  },
  money: {
    title: "Held and rejected money",
    description:
      "Payments that a rule held when they were recorded, or when the file they are in was checked, that were held again, or that a person rejected.",
    metric: "payments",
    isOverTime: true,
    build: (source) => ({
      ...overTime(
        source,
        [
          { label: "Payments held", keys: HELD_KEYS, unit: "count" },
          { label: "Held", keys: HELD_KEYS, unit: "cents" },
          { label: "Payments rejected", keys: REJECTED_KEYS, unit: "count" },
          { label: "Rejected", keys: REJECTED_KEYS, unit: "cents" },
        ],
        [1, 3],
      ),
      tones: HELD_TONES,
    }),
  },
  invoices: {
    title: "Invoices stopped",
    description:
      "Invoices that a finding stopped when they were read, and those that a person stopped, with their totals.",
    metric: "payments",
    isOverTime: true,
    build: (source) =>
      overTime(
        source,
        [
          { label: "Invoices stopped", keys: ["invoice_stopped"], unit: "count" },
          { label: "Stopped", keys: ["invoice_stopped"], unit: "cents" },
          { label: "Stopped by people", keys: ["invoice_rejected"], unit: "count" },
          { label: "Stopped by people, in all", keys: ["invoice_rejected"], unit: "cents" },
        ],
        [1, 3],
      ),
  },
  rules: {
    title: "Rules that flagged payments",
    description: "On payments that were recorded one by one, and on lines of payment files when they were checked.",
    metric: "rules",
    build: rulesTable,
  },
  whitelist: {
    title: "Whitelist",
    description:
      "How often payees were put on the whitelist and taken off. A payee that is approved again counts again.",
    metric: "whitelist",
    isOverTime: true,
    build: (source) =>
      overTime(source, [
        { label: "Put on", keys: ["added", "promoted", "restored"], unit: "count" },
        { label: "Taken off", keys: ["removed", "archived"], unit: "count" },
      ]),
  },
  people: {
    title: "Who decided what",
    description: "Decisions of each person about verifications and held payments, including lines of payment files.",
    metric: "decider",
    build: peopleTable,
  },
  "call-backs": {
    title: "Call-backs",
    description: "Calls to payees about their bank details.",
    metric: "calls",
    build: (source) => keyed(source, "Result", CALL_LABELS),
  },
};

export const metricOf = (id: ReportId): ReportMetric => DEFINITIONS[id].metric;
/** True if a report needs its counts by day. */
export const isOverTime = (id: ReportId): boolean => DEFINITIONS[id].isOverTime === true;

export const buildReport = (id: ReportId, source: Source): Report => ({ id, ...built(DEFINITIONS[id], source) });

export const buildMoney = (source: Omit<Source, "nameOf">): Figures => built(MONEY, { ...source, nameOf: String });

function built({ title, description, metric, build, isOverTime }: Definition, source: Source): Figures {
  const shown = build({ ...source, counted: source.counted.filter((row) => row.metric === metric) });
  const totals = shown.units.map((_, at) => sumOf(shown.rows.map(({ cells }) => cells[at] ?? 0)));
  return { title, description, isOverTime: isOverTime === true, ...shown, totals };
}

/** How many were verified before grades were stored; null: none on the days shown. */
function ungradedOf({ counted }: Source): string | null {
  const of = (keys: readonly string[]) =>
    sumOf(counted.filter(({ key }) => keys.includes(key)).map(({ count }) => count));
  const ungraded = of(["verified"]) - of(Object.values(GRADE_KEYS));
  if (ungraded <= 0) return null;
  return `${ungraded} more ${ungraded === 1 ? "was" : "were"} verified before this report counted how. Each verification says how.`;
}

function averageOf({ counted }: Source): string | null {
  const [count, minutes] = [sumOf(counted.map((row) => row.count)), sumOf(counted.map(({ sum }) => sum))];
  if (count === 0) return null;
  return `On average ${durationWords(minutes / count)}.`;
}

function durationWords(minutes: number): string {
  const hours = minutes / 60;
  if (minutes < 90) return formatCount(Math.round(minutes), "minute");
  return hours < 48 ? `${hours.toFixed(1)} hours` : `${(hours / 24).toFixed(1)} days`;
}

/** Sums by the part before the last colon of a key, with one figure for each of the words after it. */
function crossTable({ counted }: Source, words: readonly string[]): Map<string, number[]> {
  const table = new Map<string, number[]>();
  for (const { key, count } of counted) {
    const colon = key.lastIndexOf(":");
    const at = words.indexOf(key.slice(colon + 1));
    const name = key.slice(0, colon);
    const cells = table.get(name) ?? words.map(() => 0);
    if (at >= 0) cells[at] = (cells[at] ?? 0) + count;
    table.set(name, cells);
  }
  return table;
}

const bySize = (a: { cells: readonly number[] }, b: { cells: readonly number[] }) => sumOf(b.cells) - sumOf(a.cells);

function rulesTable(source: Source) {
  const table = crossTable(source, ["hold", "warn"]);
  return {
    head: ["Rule", "Held", "Warned"],
    units: ["count", "count"] as const,
    rows: [...table].map(([rule, cells]) => ({ label: ruleLabel(rule), cells })).sort(bySize),
    drawn: [0, 1],
    note: null,
  };
}

function peopleTable(source: Source) {
  const words = ["verification_verified", "verification_rejected", "payment_approved", "payment_rejected"];
  const table = crossTable(source, words);
  return {
    head: ["Person", "Verified", "Rejected", "Payments approved", "Payments rejected"],
    units: ["count", "count", "count", "count"] as const,
    rows: [...table]
      .map(([person, cells]) => ({ label: person === BY_RULE ? "PayeeProof, by rule" : source.nameOf(person), cells }))
      .sort(bySize),
    drawn: [],
    note: null,
  };
}

export const shownCell = (value: number, unit: ReportUnit): string =>
  unit === "cents" ? formatAud(value) : formatCount(value);

/** The report for a spreadsheet: plain numbers, dollars with two decimals. */
export function csvRows({ head, units, rows, totals }: Report): { head: string[]; rows: CsvCell[][] } {
  const cell = (value: number, at: number) => (units[at] === "cents" ? (value / 100).toFixed(2) : value);
  const names = head.map((name, at) => (units[at - 1] === "cents" ? `${name} (AUD)` : name));
  return {
    head: names,
    rows: [...rows.map(({ label, cells }) => [label, ...cells.map(cell)]), ["Total", ...totals.map(cell)]],
  };
}

/** The report in API form: cents and numbers, each under its column's name. */
export function toReportJson({ id, head, units, rows, totals }: Report, { from, to }: ReportRange) {
  const named = (cells: readonly number[]) =>
    Object.fromEntries(cells.map((value, at) => [nameOf(head[at + 1] ?? "", units[at] ?? "count"), value]));
  const shown = rows.map(({ label, cells }) => ({ label, figures: named(cells) }));
  return { report: id, from, to, rows: shown, totals: named(totals) };
}

/** "Payments held" becomes `paymentsHeld` for programs; the name of an amount says that it is in cents. */
function nameOf(title: string, unit: ReportUnit): string {
  const [first = "", ...rest] = title.toLowerCase().split(/[^a-z]+/);
  const name = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return unit === "cents" ? `${name}Cents` : name;
}
