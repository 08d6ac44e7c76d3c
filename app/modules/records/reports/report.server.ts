import { reportDays, users } from "@db/schema";
import { and, between, eq, sql } from "drizzle-orm";
import { type Actor, displayName } from "~/kernel/actor";
import type { ReportMetric } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { ReadServices, Services } from "~/services";
import { BY_RULE } from "./count-entries";
import {
  buildReport,
  type Counted,
  isOverTime,
  metricOf,
  REPORT_IDS,
  type Report,
  type ReportId,
  type ReportUnit,
  shownCell,
} from "./report";
import { monthBefore, type ReportRange, readRange, sayRange } from "./report-range";

/** The page of all reports, of the days that its address names. */
export async function readReportsPage(services: Services, actor: Actor, params: URLSearchParams) {
  const now = services.clock.now();
  const range = readRange(params, actor.timeZone, now);
  const reports = await Promise.all(REPORT_IDS.map((id) => readReport(services, actor, id, range)));
  return {
    range,
    days: sayRange(range),
    choices: rangeChoices(now, actor.timeZone),
    reports: reports.map((report) => toReportView(report, range)),
  };
}

/** A report of some days. It reads the counts of these days, never the rows that were counted. */
export async function readReport(
  services: ReadServices,
  { organizationId }: { organizationId: string },
  id: ReportId,
  range: ReportRange,
): Promise<Report> {
  const counted = await readCounts(services, organizationId, { metric: metricOf(id), byDay: isOverTime(id), range });
  const names = id === "people" ? await readNames(services, counted) : new Map<string, string>();
  return buildReport(id, { range, counted, nameOf: (userId) => names.get(userId) ?? "A former member" });
}

type Asked = { metric: ReportMetric; byDay: boolean; range: ReportRange };

async function readCounts(
  { db }: ReadServices,
  organizationId: string,
  { metric, byDay, range }: Asked,
): Promise<Counted[]> {
  const day = byDay ? reportDays.day : sql<string>`''`.as("day");
  return db
    .select({
      metric: reportDays.metric,
      key: reportDays.key,
      day,
      count: sql<number>`sum(${reportDays.count})`,
      sum: sql<number>`sum(${reportDays.sum})`,
    })
    .from(reportDays)
    .where(
      and(
        eq(reportDays.organizationId, organizationId),
        eq(reportDays.metric, metric),
        between(reportDays.day, range.from, range.to),
      ),
    )
    .groupBy(...(byDay ? [reportDays.day, reportDays.key] : [reportDays.key]));
}

async function readNames({ db }: ReadServices, counted: readonly Counted[]): Promise<Map<string, string>> {
  const ids = [...new Set(counted.map(({ key }) => key.split(":")[0] ?? ""))].filter((id) => id !== BY_RULE);
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(sql`${users.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  return new Map(rows.map(({ id, ...name }) => [id, displayName(name)]));
}

/** A report ready to draw: the words of its table, and the places of everything in its chart. Pure. */

/** Fills, in the order of the figures. */
const TONES = ["accent", "review", "pending", "neutral"] as const;
export type Tone = (typeof TONES)[number];

/** In units of the drawing, whose width is 600. */
type Rect = { x: number; y: number; width: number; height: number; tone: Tone };
type Label = { x: number; y: number; text: string; anchor: "start" | "middle" | "end" };

export type ChartView = {
  width: number;
  height: number;
  rects: Rect[];
  labels: Label[];
  legend: { tone: Tone; text: string }[];
  /** What a reader who does not see the chart is told. */
  summary: string;
};

const WIDTH = 600;
const COLUMNS_HEIGHT = 200;
const TOP = 30;
const BOTTOM = 24;
const BAR = 18;
const BAR_STEP = 30;
const BARS_AT = 226;
const VALUE_ROOM = 86;
const LONGEST_LABEL = 32;

const toneOf = (at: number): Tone => TONES[at % TONES.length] ?? "neutral";
const round = (value: number): number => Math.round(value * 10) / 10;

export function toReportView(report: Report, range: ReportRange) {
  const { id, title, description, note, head, units, rows, totals } = report;
  const shown = (cells: readonly number[]) => cells.map((value, at) => shownCell(value, units[at] ?? "count"));
  const drawn = totals.some((total) => total > 0);
  return {
    id,
    title,
    description,
    note,
    head,
    /** Along time only what happened; the chart and the file have the empty days too. */
    rows: rows
      .filter(({ cells }) => !report.isOverTime || cells.some((value) => value !== 0))
      .map(({ label, cells }) => ({ label, cells: shown(cells) })),
    totals: shown(totals),
    chart: drawn ? (report.isOverTime ? columns(report) : bars(report)) : null,
    csvHref: withQuery(appPaths.reportCsv, { report: id, ...range }),
  };
}

export type ReportView = ReturnType<typeof toReportView>;

const legendOf = ({ head, drawn }: Report) =>
  drawn.length < 2 ? [] : drawn.map((column, at) => ({ tone: toneOf(at), text: head[column + 1] ?? "" }));

function summaryOf({ title, head, drawn, totals, units }: Report): string {
  const parts = drawn.map((at) => `${head[at + 1] ?? ""}: ${shownCell(totals[at] ?? 0, units[at] ?? "count")}`);
  return `Chart of ${title.toLowerCase()}. In all, ${parts.join(", ")}. The table has every figure.`;
}

const drawnOf = (cells: readonly number[], { drawn }: Report): number[] => drawn.map((at) => cells[at] ?? 0);
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const unitOf = ({ units, drawn }: Report): ReportUnit => units[drawn[0] ?? 0] ?? "count";

/** A column for each row, its figures on top of each other. */
function columns(report: Report): ChartView {
  const { rows } = report;
  const stacks = rows.map(({ cells }) => drawnOf(cells, report));
  const highest = Math.max(1, ...stacks.map(total));
  const step = WIDTH / rows.length;
  const width = round(Math.min(32, step * 0.7));
  const scale = (COLUMNS_HEIGHT - TOP - BOTTOM) / highest;
  const rects = stacks.flatMap((stack, column) => {
    let base = COLUMNS_HEIGHT - BOTTOM;
    return stack.flatMap((value, at): Rect[] => {
      if (value <= 0) return [];
      const height = Math.max(1, value * scale);
      base -= height;
      return [
        {
          x: round(column * step + (step - width) / 2),
          y: round(base),
          width,
          height: round(height),
          tone: toneOf(at),
        },
      ];
    });
  });
  const ends: Label[] = [
    { x: 0, y: COLUMNS_HEIGHT - 6, text: rows[0]?.label ?? "", anchor: "start" },
    { x: WIDTH, y: COLUMNS_HEIGHT - 6, text: rows.length > 1 ? (rows.at(-1)?.label ?? "") : "", anchor: "end" },
    { x: 0, y: 11, text: `Highest: ${shownCell(highest, unitOf(report))}`, anchor: "start" },
  ];
  return {
    width: WIDTH,
    height: COLUMNS_HEIGHT,
    rects,
    labels: ends,
    legend: legendOf(report),
    summary: summaryOf(report),
  };
}

/** A bar for each row, its figures behind each other. */
function bars(report: Report): ChartView {
  const { rows } = report;
  const stacks = rows.map(({ cells }) => drawnOf(cells, report));
  const longest = Math.max(1, ...stacks.map(total));
  const scale = (WIDTH - BARS_AT - VALUE_ROOM) / longest;
  const rects: Rect[] = [];
  const labels: Label[] = [];
  for (const [row, stack] of stacks.entries()) {
    const y = row * BAR_STEP + 6;
    let x = BARS_AT;
    for (const [at, value] of stack.entries()) {
      if (value <= 0) continue;
      const width = round(Math.max(1, value * scale));
      rects.push({ x: round(x), y, width, height: BAR, tone: toneOf(at) });
      x += width;
    }
    const label = rows[row]?.label ?? "";
    const text = label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
    labels.push({ x: 0, y: y + 13, text, anchor: "start" });
    labels.push({ x: round(x + 6), y: y + 13, text: shownCell(total(stack), unitOf(report)), anchor: "start" });
  }
  const height = rows.length * BAR_STEP + 6;
  return { width: WIDTH, height, rects, labels, legend: legendOf(report), summary: summaryOf(report) };
}

/** Ranges that people ask for often. */
function rangeChoices(now: number, timeZone: string): { label: string; href: string }[] {
  const last30 = readRange(new URLSearchParams(), timeZone, now);
  const year = readRange(new URLSearchParams({ from: "2000-01-01" }), timeZone, now);
  const choices = { "Last 30 days": last30, "Last month": monthBefore(now, timeZone), "Last 12 months": year };
  return Object.entries(choices).map(([label, range]) => ({ label, href: withQuery(appPaths.reports, range) }));
}
