import { columnsOf, reportDays, users } from "@db/database";
import { and, between, eq, sql } from "drizzle-orm";
import {
  CHART_HEIGHT,
  CHART_LEFT,
  type ChartTone,
  type ChartView,
  drawBars,
  round,
  scaleOf,
  CHART_WIDTH as WIDTH,
} from "~/kernel/chart";
import type { ReportMetric } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { displayName } from "~/kernel/text";
import { type Actor, canWrite, type ReadServices, type Services } from "~/services-and-actor";
import { BY_RULE } from "./count-entries";
import {
  buildReport,
  type Counted,
  type Figures,
  isOverTime,
  metricOf,
  REPORT_IDS,
  type Report,
  type ReportId,
  type ReportUnit,
  shownCell,
} from "./report";
import { dayRange, monthBefore, type ReportRange, readRange } from "./report-range";

export async function readReportsPage(services: Services, actor: Actor, params: URLSearchParams) {
  const now = services.clock.now();
  const range = readRange(params, actor.timeZone, now);
  const read = await Promise.all(REPORT_IDS.map((id) => readReport(services, actor, id, range)));
  const reports = read.map((report) => toReportView(report, range));
  return {
    range,
    days: dayRange(range),
    choices: rangeChoices(range, now, actor.timeZone),
    reports,
    /** Nothing was ever counted. */
    isNew: reports.every(({ isEmpty }) => isEmpty) && !(await hasCounts(services, actor)),
    canWrite: canWrite(actor),
  };
}

async function hasCounts({ db }: ReadServices, { organizationId }: Actor): Promise<boolean> {
  const counted = db.select({ day: reportDays.day }).from(reportDays);
  return (await counted.where(eq(reportDays.organizationId, organizationId)).limit(1)).length > 0;
}

/** A report about some days. It reads only the daily counts, never the rows that were counted. */
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

async function readCounts(
  { db }: ReadServices,
  organizationId: string,
  { metric, byDay, range }: { metric: ReportMetric; byDay: boolean; range: ReportRange },
): Promise<Counted[]> {
  const day = byDay ? reportDays.day : sql<string>`''`.as("day");
  return db
    .select({
      ...columnsOf(reportDays, "metric", "key"),
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

/** A report for the page: its table as text, and the positions of everything that is drawn. Pure. */

/** Fill colours, in the order of the figures. */
const TONES: readonly ChartTone[] = ["accent", "review", "pending", "neutral"];

/** The smallest figure is visible too. */
const LEAST = 1;

const toneOf = ({ tones = TONES }: Pick<Figures, "tones">, at: number): ChartTone => tones[at] ?? "neutral";

/** Of one or two figures a picture says no more than the table. */
const FEW = 2;

export function toReportView(report: Report, range: ReportRange) {
  const { chart, ...figures } = showFigures(report);
  return {
    ...figures,
    id: report.id,
    csvHref: withQuery(appPaths.reportCsv, { report: report.id, ...range }),
    isEmpty: report.totals.every((total) => total === 0),
    chart: report.rows.filter(({ cells }) => total(drawnOf(cells, report)) > 0).length > FEW ? chart : null,
  };
}

export type ReportView = ReturnType<typeof toReportView>;

/** What a page draws of figures: their table as text, and their chart. */
export function showFigures(report: Figures) {
  const { title, description, note, head, units, rows, totals, isOverTime } = report;
  const shown = (cells: readonly number[]) => cells.map((value, at) => shownCell(value, units[at] ?? "count"));
  const sizes = rows.map(({ cells }) => total(drawnOf(cells, report)));
  const longest = Math.max(...sizes);
  return {
    title,
    description,
    note,
    head,
    /**
     * In a report over time, the table leaves out empty days; the chart and the file include them. In the others each
     * row has a bar, whose length is a share of the longest in per cent.
     */
    rows: rows.flatMap(({ label, cells }, at): { label: string; cells: string[]; share?: number }[] => {
      if (isOverTime) return cells.some((value) => value !== 0) ? [{ label, cells: shown(cells) }] : [];
      return [{ label, cells: shown(cells), share: round((100 * (sizes[at] ?? 0)) / Math.max(1, longest)) }];
    }),
    totals: shown(totals),
    chart: isOverTime && longest > 0 ? columns(report) : null,
  };
}

const legendOf = (report: Figures) =>
  report.drawn.length < 2
    ? []
    : report.drawn.map((column, at) => ({ tone: toneOf(report, at), text: report.head[column + 1] ?? "" }));

function summaryOf({ title, head, drawn, totals, units }: Figures, most = ""): string {
  const parts = drawn.map((at) => `${head[at + 1] ?? ""}: ${shownCell(totals[at] ?? 0, units[at] ?? "count")}`);
  return `Chart of ${title.toLowerCase()}. In all, ${parts.join(", ")}.${most} The table has every figure.`;
}

const drawnOf = (cells: readonly number[], { drawn }: Figures): number[] => drawn.map((at) => cells[at] ?? 0);
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const unitOf = ({ units, drawn }: Figures): ReportUnit => units[drawn[0] ?? 0] ?? "count";

/** "$80k": the scale has little room. */
function scaleWords(value: number, unit: ReportUnit): string {
  if (unit === "count") return shownCell(value, unit);
  const dollars = value / 100;
  const [by, letter] = dollars >= 1_000_000 ? [1_000_000, "m"] : dollars >= 1_000 ? [1_000, "k"] : [1, ""];
  return `$${dollars / by}${letter}`;
}

/** Columns for each group of days: counts are stacked; amounts are side by side: they are no parts of a whole. */
function columns(report: Figures): ChartView {
  const { rows } = report;
  const unit = unitOf(report);
  const isStacked = unit === "count";
  const stacks = rows.map(({ cells }) => drawnOf(cells, report));
  const sizes = isStacked ? stacks.map(total) : stacks.map((stack) => Math.max(...stack));
  const highest = Math.max(1, ...sizes);
  const { lines, labels, yOf } = scaleOf(highest, (value) => scaleWords(value, unit));
  const step = (WIDTH - CHART_LEFT) / rows.length;
  const whole = Math.min(44, step * 0.72);
  const width = round(isStacked ? whole : whole / report.drawn.length);
  const middleOf = (column: number) => CHART_LEFT + (column + 0.5) * step;
  const drawn = stacks.flatMap((stack, column) => {
    let below = 0;
    let x = middleOf(column) - (isStacked ? width : width * stack.filter((value) => value > 0).length) / 2;
    return stack.flatMap((value, at) => {
      if (value <= 0) return [];
      const [from, to] = [yOf(below), Math.min(yOf(below) - LEAST, yOf(below + value))];
      const bar = { x, y: to, width, height: from - to, tone: toneOf(report, at) };
      if (isStacked) below += value;
      else x += width;
      return [bar];
    });
  });
  const middle = rows.length > 8 ? Math.floor(rows.length / 2) : 0;
  const named = [...new Set([0, middle, rows.length - 1])].flatMap((column): ChartView["labels"] => {
    const row = rows[column];
    const anchor = column === 0 ? "start" : column === rows.length - 1 ? "end" : "middle";
    const x = column === 0 ? CHART_LEFT : anchor === "end" ? WIDTH : middleOf(column);
    return row ? [{ x: round(x), y: CHART_HEIGHT - 6, text: row.label, anchor }] : [];
  });
  const top = rows[sizes.indexOf(highest)]?.label ?? "";
  return {
    ...{ width: WIDTH, height: CHART_HEIGHT, lines, bars: drawBars(drawn), legend: legendOf(report) },
    labels: [...labels, ...named],
    summary: summaryOf(report, ` The most: ${shownCell(highest, unit)}, ${top}.`),
  };
}

/** Ranges that people ask for often. */
function rangeChoices(shown: ReportRange, now: number, timeZone: string) {
  const last30 = readRange(new URLSearchParams(), timeZone, now);
  const year = readRange(new URLSearchParams({ from: "2000-01-01" }), timeZone, now);
  const choices = { "Last 30 days": last30, "Last month": monthBefore(now, timeZone), "Last 12 months": year };
  return Object.entries(choices).map(([label, range]) => ({
    label,
    to: withQuery(appPaths.reports, range),
    current: range.from === shown.from && range.to === shown.to,
  }));
}
