import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { type CheckTimes, decideNextStep, PROVIDER_TIMEOUT_MS } from "./bank-check";
import type { ConsentProgress } from "./bank-data.port";

const T0 = 1_790_000_000_000;
const EXPIRES = T0 + 7 * DAY_MS;
const times = (changes: Partial<CheckTimes> = {}): CheckTimes => ({
  lastActivityAt: T0,
  linkExpiresAt: EXPIRES,
  returnedAt: null,
  ...changes,
});
const running: ConsentProgress = { state: "running", jobId: "j" };

test("while the payee is expected, looks come every five minutes for an hour, then hourly, and last at the link's end", () => {
  const waits = (now: number) => {
    const step = decideNextStep({ state: "waiting" }, times(), now);
    return step.do === "look_again" ? step.at - now : step.do;
  };
  expect(waits(T0)).toBe(5 * MINUTE_MS);
  expect(waits(T0 + 59 * MINUTE_MS)).toBe(5 * MINUTE_MS);
  expect(waits(T0 + HOUR_MS)).toBe(HOUR_MS);
  expect(waits(EXPIRES - 10 * MINUTE_MS)).toBe(10 * MINUTE_MS);
  expect(waits(EXPIRES)).toBe("finish");
});

test("a link sent again, or confirmed late, brings the close looks back", () => {
  const step = decideNextStep({ state: "waiting" }, times({ lastActivityAt: T0 + 3 * DAY_MS }), T0 + 3 * DAY_MS);
  expect(step).toEqual({ do: "look_again", at: T0 + 3 * DAY_MS + 5 * MINUTE_MS, seenAtBank: false });
});

test("looks at a running bank start close together, grow apart and end half an hour after the return", () => {
  const at = (now: number) => decideNextStep(running, times({ returnedAt: T0 }), now);
  expect(at(T0)).toEqual({ do: "look_again", at: T0 + 5_000, seenAtBank: true });
  expect(at(T0 + MINUTE_MS)).toEqual({ do: "look_again", at: T0 + 1.5 * MINUTE_MS, seenAtBank: true });
  expect(at(T0 + 20 * MINUTE_MS)).toEqual({ do: "look_again", at: T0 + 22 * MINUTE_MS, seenAtBank: true });
  expect(at(T0 + PROVIDER_TIMEOUT_MS)).toMatchObject({
    do: "finish",
    result: { outcome: "unable", reasonCode: "provider_timeout" },
  });
});

test("a bank that works past the link's end is waited for: the payee did answer", () => {
  const step = decideNextStep(running, times({ returnedAt: EXPIRES - MINUTE_MS }), EXPIRES + MINUTE_MS);
  expect(step.do).toBe("look_again");
});

test("a refusal is the payee's word, any other failure is nobody's", () => {
  const failed = (retryable: boolean) =>
    decideNextStep({ state: "failed", jobId: "j", code: "x", retryable }, times(), T0);
  expect(failed(false)).toMatchObject({ result: { outcome: "consent_refused", reasonCode: "consent_refused" } });
  expect(failed(true)).toMatchObject({ result: { outcome: "unable", reasonCode: "provider_unavailable" } });
  expect(decideNextStep({ state: "succeeded", jobId: "j" }, times(), T0)).toEqual({ do: "collect" });
});

test("the next look is always in the future, and a check that only waits comes to an end", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<ConsentProgress>({ state: "waiting" }, running),
      fc.integer({ min: 0, max: 8 * DAY_MS }),
      fc.option(fc.integer({ min: 0, max: 8 * DAY_MS }), { nil: null }),
      (progress, sinceStart, returned) => {
        const now = T0 + sinceStart;
        const returnedAt = returned === null ? null : T0 + Math.min(returned, sinceStart);
        const step = decideNextStep(progress, times({ returnedAt }), now);
        if (step.do === "look_again") expect(step.at).toBeGreaterThan(now);
        else expect(step.do).toBe("finish");
      },
    ),
  );
});
