import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";

/** A session ends after this long without a request ... */
export const SESSION_IDLE_MS = 12 * HOUR_MS;

/** ... and in any case this long after sign-in. */
export const SESSION_ABSOLUTE_MS = 7 * DAY_MS;

/** How stale `lastSeenAt` may become before a request writes it again. */
export const SESSION_TOUCH_MS = 5 * MINUTE_MS;
