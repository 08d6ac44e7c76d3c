import { formatDateTime, formatRelative, toIso } from "./dates";

/** An instant as people read it, in their organisation's zone. */
export type ShownTime = { dateTime: string; exact: string; relative: string };

export function showTime(ms: number, zone: { timeZone: string; now: number }): ShownTime {
  return {
    dateTime: toIso(ms),
    exact: formatDateTime(ms, zone.timeZone),
    relative: formatRelative(ms, zone.now),
  };
}
