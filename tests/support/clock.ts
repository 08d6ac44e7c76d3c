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

/** A clock that goes on by a millisecond whenever it is read, as a real one does while a command works. */
export function aTickingClock(start = Date.UTC(2026, 10, 20, 3, 0)): TestClock {
  let now = start;
  return {
    now: () => now++,
    advance(ms) {
      now += ms;
    },
  };
}
