import { DAY_MS, formatDate, isoDay, moveDay } from "~/kernel/dates";
import { isDay } from "~/modules/records/audit-trail/audit-filter";

/** The days of a report, and how a chart groups them. Pure. */

/** Both days inclusive, `YYYY-MM-DD` in the organisation's time zone. */
export type ReportRange = { from: string; to: string };

const USUAL_DAYS = 30;
/** A report shows at most a year. */
const MAX_DAYS = 366;

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1;

/** The days in an address; the last 30 by default. Swapped days are put in order, and a longer range keeps its end. */
export function readRange(params: URLSearchParams, timeZone: string, now: number): ReportRange {
  const today = isoDay(now, timeZone);
  const day = (name: string) => {
    const text = params.get(name) ?? "";
    return isDay(text) ? text : undefined;
  };
  const to = day("to") ?? today;
  const from = day("from") ?? moveDay(to, 1 - USUAL_DAYS);
  const [first, last] = from <= to ? [from, to] : [to, from];
  return { from: daysBetween(first, last) > MAX_DAYS ? moveDay(last, 1 - MAX_DAYS) : first, to: last };
}

/** The whole month before the one that contains an instant. */
export function monthBefore(now: number, timeZone: string): ReportRange {
  const to = moveDay(`${isoDay(now, timeZone).slice(0, 7)}-01`, -1);
  return { from: `${to.slice(0, 7)}-01`, to };
}

export type Grain = "day" | "week" | "month";

/** Chooses groups so that the chart has few enough columns to tell apart. */
export function grainOf({ from, to }: ReportRange): Grain {
  const days = daysBetween(from, to);
  if (days <= 31) return "day";
  return days <= 190 ? "week" : "month";
}

/** The first day of the group that a day belongs to: weeks begin on Monday. */
export function groupOf(day: string, grain: Grain): string {
  if (grain === "day") return day;
  if (grain === "month") return `${day.slice(0, 7)}-01`;
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return moveDay(day, -((weekday + 6) % 7));
}

/** Every group of a range in order, including empty ones. */
export function groupsOf(range: ReportRange): string[] {
  const grain = grainOf(range);
  const groups = new Set<string>();
  for (let day = range.from; day <= range.to; day = moveDay(day, 1)) groups.add(groupOf(day, grain));
  return [...groups];
}

/** "20 Nov 2026" of a day. */
const shownDay = (day: string): string => formatDate(Date.parse(`${day}T12:00:00Z`), "UTC");

export const groupLabel = (group: string, grain: Grain): string =>
  grain === "month" ? shownDay(group).slice(2).trim() : shownDay(group);

/** "1 Oct 2026 to 31 Oct 2026". */
export const dayRange = ({ from, to }: ReportRange): string =>
  from === to ? shownDay(from) : `${shownDay(from)} to ${shownDay(to)}`;
