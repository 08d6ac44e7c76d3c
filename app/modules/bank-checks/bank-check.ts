import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { ConsentProgress } from "./bank-data.port";
import { type CheckResult, withoutData } from "./compare";

/** When a bank check looks again, and when it stops waiting. Pure: no database, no clock. */

/** A webhook or the payee's return usually wakes the check; these looks cover a lost one. */
const WAITING_POLL_MS = 5 * MINUTE_MS;
const LATER_POLL_MS = HOUR_MS;
const EARLY_MS = HOUR_MS;

/** A bank answers within seconds or hardly at all: looks start close together and grow apart. */
const FIRST_RUNNING_POLL_MS = 5_000;
const LAST_RUNNING_POLL_MS = 2 * MINUTE_MS;

/** A bank that has not finished this long after the payee's return is not going to. */
export const PROVIDER_TIMEOUT_MS = 30 * MINUTE_MS;

/** Instants in epoch milliseconds; null where it has not happened. */
export type CheckTimes = {
  /** When something last happened that may lead the payee to the bank: the link was sent, or confirmed. */
  lastActivityAt: number;
  linkExpiresAt: number | null;
  /** When the payee came back from the bank, or was first seen to have been there. */
  returnedAt: number | null;
};

/** What a look at the provider leads to. */
export type NextStep =
  | { do: "look_again"; at: number; seenAtBank: boolean }
  | { do: "collect" }
  | { do: "finish"; result: CheckResult };

const lookAgain = (at: number, seenAtBank = false): NextStep => ({ do: "look_again", at, seenAtBank });
const finish = (...ending: Parameters<typeof withoutData>): NextStep => ({
  do: "finish",
  result: withoutData(...ending),
});

/**
 * Decides what follows from where the payee's consent stands.
 * @param now epoch milliseconds
 */
export function decideNextStep(progress: ConsentProgress, times: CheckTimes, now: number): NextStep {
  switch (progress.state) {
    case "succeeded":
      return { do: "collect" };
    case "failed":
      return progress.retryable
        ? finish("unable", "provider_unavailable")
        : finish("consent_refused", "consent_refused");
    case "running":
      return whileRunning(times.returnedAt ?? now, now);
    case "waiting":
      return whileWaiting(times, now);
  }
}

function whileRunning(returnedAt: number, now: number): NextStep {
  const elapsed = now - returnedAt;
  if (elapsed >= PROVIDER_TIMEOUT_MS) return finish("unable", "provider_timeout");
  const delay = Math.min(Math.max(elapsed / 2, FIRST_RUNNING_POLL_MS), LAST_RUNNING_POLL_MS);
  return lookAgain(Math.round(now + delay), true);
}

function whileWaiting({ lastActivityAt, linkExpiresAt }: CheckTimes, now: number): NextStep {
  if (linkExpiresAt !== null && now >= linkExpiresAt) return finish("unable", "link_expired");
  const at = now + (now - lastActivityAt < EARLY_MS ? WAITING_POLL_MS : LATER_POLL_MS);
  return lookAgain(linkExpiresAt === null ? at : Math.min(at, linkExpiresAt));
}
