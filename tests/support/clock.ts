import type { Clock } from "~/services-and-actor";

/** A clock that only moves when a test advances it. */
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

/** A clock that advances by a millisecond with each reading, as a real one does during a command. */
export function aTickingClock(start = Date.UTC(2026, 10, 20, 3, 0)): TestClock {
  let now = start;
  return {
    now: () => now++,
    advance(ms) {
      now += ms;
    },
  };
}
