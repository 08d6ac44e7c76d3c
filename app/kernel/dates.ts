import { formatCount } from "./text";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** IANA name of a new organisation's time zone. */
export const DEFAULT_TIME_ZONE = "Australia/Sydney";

const DAYS_PER_MONTH = 30.436875; // mean Gregorian month
const DAYS_PER_YEAR = 365.2425;

// Spelt out here, because the abbreviations and the blank before "pm" differ between the Unicode data of servers and
// browsers, and a page must be the same in both.
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

type Part = "year" | "month" | "day" | "hour" | "minute";

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-AU", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

type Parts = Record<Part, number>;

function slowPartsOf(ms: number, timeZone: string): Parts {
  const parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0 };
  for (const { type, value } of formatterFor(timeZone).formatToParts(ms)) {
    if (type in parts) parts[type as Part] = Number(value);
  }
  return parts;
}

/** Between these instants, every zone is a whole number of minutes from UTC and changes at most once a day. */
const [FIRST_CACHED, LAST_CACHED] = [Date.UTC(1973, 0), Date.UTC(2100, 0)];
const MAX_CACHED_DAYS = 4_096;

/** By zone and UTC day: the milliseconds to add to that day's instants; undefined if the offset changes on it. */
const offsets = new Map<string, number | undefined>();

function offsetAt(ms: number, timeZone: string): number {
  const { year, month, day, hour, minute } = slowPartsOf(ms, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute) - ms;
}

function offsetOfDay(dayNumber: number, timeZone: string): number | undefined {
  const key = `${timeZone} ${dayNumber}`;
  if (offsets.has(key)) return offsets.get(key);
  const [first, last] = [dayNumber, dayNumber + 1].map((number) => offsetAt(number * DAY_MS, timeZone));
  if (offsets.size >= MAX_CACHED_DAYS) offsets.clear();
  const offset = first === last ? first : undefined;
  offsets.set(key, offset);
  return offset;
}

/** Cached, because a list shows a hundred dates, and formatting each with Intl took a tenth of the page's time. */
function partsOf(ms: number, timeZone: string): Parts {
  const isUsual = ms >= FIRST_CACHED && ms < LAST_CACHED;
  const offset = isUsual ? offsetOfDay(Math.floor(ms / DAY_MS), timeZone) : undefined;
  if (offset === undefined) return slowPartsOf(ms, timeZone);
  const local = new Date(ms + offset);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}

/**
 * Formats the day of an instant: `20 Nov 2026`.
 *
 * @param ms epoch milliseconds
 * @param timeZone IANA name
 * @throws RangeError for an unknown zone or an instant outside what a Date can hold
 */
export function formatDate(ms: number, timeZone: string = DEFAULT_TIME_ZONE): string {
  const { day, month, year } = partsOf(ms, timeZone);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/** Formats a day such as `2026-11-20`: `20 Nov 2026`; null when there is no such day. */
export function formatDay(day: string): string | null {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? null : formatDate(at, "UTC");
}

/** Formats an instant to the minute: `20 Nov 2026, 4:31 pm`. Parameters and errors as for {@link formatDate}. */
export function formatDateTime(ms: number, timeZone: string = DEFAULT_TIME_ZONE): string {
  const { hour, minute } = partsOf(ms, timeZone);
  const clock = `${hour % 12 || 12}:${String(minute).padStart(2, "0")}`;
  return `${formatDate(ms, timeZone)}, ${clock} ${hour < 12 ? "am" : "pm"}`;
}

/** Minutes after midnight of an instant in a zone, 0 to 1439. @throws RangeError for an unknown zone */
export function minuteOfDay(ms: number, timeZone: string): number {
  const { hour, minute } = partsOf(ms, timeZone);
  return hour * 60 + minute;
}

function spanOf(distance: number): string {
  if (distance < HOUR_MS) return formatCount(Math.floor(distance / MINUTE_MS), "minute");
  if (distance < DAY_MS) return formatCount(Math.floor(distance / HOUR_MS), "hour");
  const days = Math.floor(distance / DAY_MS);
  if (days < DAYS_PER_MONTH) return formatCount(days, "day");
  if (days < DAYS_PER_YEAR) return formatCount(Math.floor(days / DAYS_PER_MONTH), "month");
  return formatCount(Math.floor(days / DAYS_PER_YEAR), "year");
}

/**
 * Formats an instant relative to another: `3 hours ago`, `in 2 days`, `just now` within a minute. Rounds down.
 *
 * @param ms epoch milliseconds of the instant
 * @param nowMs the present time in epoch milliseconds
 */
export function formatRelative(ms: number, nowMs: number): string {
  const distance = Math.abs(nowMs - ms);
  if (distance < MINUTE_MS) return "just now";
  return ms < nowMs ? `${spanOf(distance)} ago` : `in ${spanOf(distance)}`;
}

/** ISO 8601 in UTC with milliseconds, `2026-11-20T05:31:00.000Z`: the form of instants in JSON answers. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day of an instant in the format of forms and addresses: `2026-11-20`. @throws RangeError for an unknown zone */
export function isoDay(ms: number, timeZone: string): string {
  const { year, month, day } = partsOf(ms, timeZone);
  return [year, String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
}

/** The day this many days later, or earlier. @param day `YYYY-MM-DD` */
export function moveDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The day of an instant in the format of direct entry files: `201126` for 20 November 2026. */
export function dayCode(ms: number, timeZone: string): string {
  const { year, month, day } = partsOf(ms, timeZone);
  return [day, month, year % 100].map((part) => String(part).padStart(2, "0")).join("");
}

/** The local time and kind of day. @returns minutes after midnight, 0 to 1439, and whether it is Saturday or Sunday */
export function localTime(ms: number, timeZone: string): { minute: number; isWeekend: boolean } {
  const { year, month, day, hour, minute } = partsOf(ms, timeZone);
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return { minute: hour * 60 + minute, isWeekend: weekday === 0 || weekday === 6 };
}

/**
 * Moves an instant by whole calendar months in UTC, keeping the time of day. If the target month lacks the day, its
 * last day is used: 31 January + 1 is 28 (or 29) February.
 *
 * @param months may be negative
 */
export function addMonths(ms: number, months: number): number {
  const from = new Date(ms);
  const to = new Date(ms);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  return to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
}

/** Parses a typed day, `2026-11-20`; undefined for text that is not a calendar day. */
export function parseDay(text: string): string | undefined {
  const day = text.trim();
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && toIso(ms).startsWith(day) ? day : undefined;
}

/** A zone's offset from UTC at an instant, in milliseconds. */
function aheadOfUtc(ms: number, timeZone: string): number {
  const { year, month, day, hour, minute } = partsOf(ms, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/**
 * The instant at which a local day begins, even on days when the clocks change.
 *
 * @param day `YYYY-MM-DD`
 * @param timeZone IANA name
 */
export function startOfDay(day: string, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - aheadOfUtc(midnight, timeZone);
  return midnight - aheadOfUtc(guess, timeZone);
}

/** The instant at which the next day begins. */
export function endOfDay(day: string, timeZone: string): number {
  return startOfDay(moveDay(day, 1), timeZone);
}

/** Where and when a page is read: the IANA name of the reader's time zone, and epoch milliseconds. */
export type Zone = { timeZone: string; now: number };

/** An instant as shown to people, in their organisation's time zone. */
export type ShownTime = { dateTime: string; exact: string; relative: string };

export function showTime(ms: number, zone: Zone): ShownTime {
  return {
    dateTime: toIso(ms),
    exact: formatDateTime(ms, zone.timeZone),
    relative: formatRelative(ms, zone.now),
  };
}
