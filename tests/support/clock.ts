import type { Clock } from "~/services";

/** A clock that stands still until it is moved on. */
export type TestClock = Clock & { advance(ms: number): void };

export function aClock(start = Date.UTC(2026, 10, 20, 3, 0)): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
