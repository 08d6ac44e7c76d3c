import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";

/** When an event is sent again. Pure. */

/** Waits after the first try, the second, and so on: three days together. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20 * HOUR_MS + 25 * MINUTE_MS - 5_000,
];

/**
 * When to try again.
 * @param attempts tries so far, 1 after the first
 * @returns undefined when there is no more try
 */
export function nextTryAt(now: number, attempts: number): number | undefined {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? undefined : now + delay;
}
