import { DAY_MS, HOUR_MS } from "~/kernel/dates";

/** When a payment may have been processed. Pure: no database, no clock. Instants in epoch milliseconds. */

/** A clock of another party, or a day given without a time, may be ahead of ours by this much. */
const AHEAD_MS = 24 * HOUR_MS;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * A calendar day as people give it, `2026-11-20`, as noon in UTC: the same day everywhere in Australia, from Perth to
 * Lord Howe Island in daylight saving time.
 *
 * @returns undefined for text that is no day of the calendar
 */
export function noonOf(day: string): number | undefined {
  const found = DAY.exec(day.trim());
  if (!found) return undefined;
  const [, year, month, date] = found.map(Number);
  const noon = Date.UTC(year ?? 0, (month ?? 0) - 1, date, 12);
  const read = new Date(noon);
  return read.getUTCMonth() + 1 === month && read.getUTCDate() === date ? noon : undefined;
}

/** Why a payment cannot have been processed then, in a sentence; undefined when it can. */
export function processedAtProblem(processedAt: number, recordedAt: number, now: number): string | undefined {
  if (processedAt > now + AHEAD_MS) return "A payment cannot have been processed in the future";
  if (processedAt < recordedAt - DAY_MS) return "A payment cannot have been processed before it was recorded";
  return undefined;
}

/** A day given without a time may end after now: it counts as now. */
export function latestProcessedAt(processedAt: number, now: number): number {
  return Math.min(processedAt, now);
}
