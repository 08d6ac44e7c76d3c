import { AppError } from "~/kernel/app-error";

/** About six seconds of work. Those who come later are told to try again: few people wait longer than that for a page. */
export const MAX_WAITING = 64;
/** How often a waiting request looks whether its turn has come. */
const LOOK_EVERY_MS = 20;
/** A request that was cancelled looks no more and never gives up its place: it is passed over after this time. */
export const PASSED_OVER_AFTER_MS = 1_000;
const BUSY = "Too many people are signing in right now. Please try again in a moment.";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Keeps a flood of sign-ins from blocking the Worker. Hashing takes a tenth of a second in which nothing else runs, so
 * many in a row would leave new connections unread until they break. One hash runs at a time, first come first served,
 * and the event loop turns before each. Each request waits by a timer of its own: in a Worker a request must not wait
 * for the promise of another one.
 * @throws AppError 503 BUSY when too many wait
 */
export function createHashQueue() {
  /** Places in the order of arrival, with when each request looked last. */
  const waiting = new Map<object, number>();
  const passOver = (now: number) => {
    for (const [place, since] of waiting) if (now - since > PASSED_OVER_AFTER_MS) waiting.delete(place);
  };
  const isFirst = (place: object) => {
    const now = Date.now();
    waiting.set(place, now);
    passOver(now);
    return waiting.keys().next().value === place;
  };
  return async <T>(work: () => Promise<T>): Promise<T> => {
    passOver(Date.now());
    if (waiting.size >= MAX_WAITING) throw new AppError("BUSY", 503, BUSY);
    const place = {};
    waiting.set(place, Date.now());
    try {
      while (!isFirst(place)) await sleep(LOOK_EVERY_MS);
      await sleep(0);
      return await work();
    } finally {
      waiting.delete(place);
    }
  };
}
