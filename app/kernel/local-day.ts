/** Calendar days as people give them, in the zone in which they read their clocks. Pure. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2}))?$/;
const MINUTE_MS = 60_000;

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  const name = new Intl.DateTimeFormat("en-AU", { timeZone, timeZoneName: "longOffset" }).format(ms);
  const [, sign, hours, minutes] = OFFSET.exec(name) ?? [];
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === "-" ? -ahead : ahead;
}

/**
 * When a day begins somewhere: `2026-11-20` in Australia/Sydney is 19 November, 13:00 UTC.
 *
 * @param addDays moves on by so many days; 1 gives the end of the day
 * @returns epoch milliseconds, or undefined for text that is no day of the calendar
 */
export function startOfDay(day: string, timeZone: string, addDays = 0): number | undefined {
  const found = DAY.exec(day.trim());
  if (!found) return undefined;
  const [, year = 0, month = 0, date = 0] = found.map(Number);
  const read = new Date(Date.UTC(year, month - 1, date));
  if (read.getUTCMonth() + 1 !== month || read.getUTCDate() !== date) return undefined;
  const midnight = Date.UTC(year, month - 1, date + addDays);
  // Clocks may change between the guess and the answer: the offset of the first answer decides.
  return midnight - offsetAt(midnight - offsetAt(midnight, timeZone), timeZone);
}
