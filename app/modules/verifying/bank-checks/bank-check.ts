import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { nextAttemptAt } from "~/modules/core/commands/job";
import type { ConsentProgress } from "~/ports/bank-data";
import { type CheckResult, withoutData } from "./compare-with-bank";

/**
 * The state machine of a bank check: states, events and effects. Pure: no database, no clock, no provider. The commands
 * call `nextStep` and carry out the effect; `bank-check.test.ts` has the table of all cases.
 */

/**
 * - `starting`: the provider and the payee do not know of it yet
 * - `awaiting_payee`: the provider has a user for it, and the payee has a link but has not been at the bank
 * - `at_bank`: the payee has been at the bank, whose answer is expected
 * - `finished`: it has a result, or its verification was decided without it
 */
export type CheckState = "starting" | "awaiting_payee" | "at_bank" | "finished";

export type CheckEvent =
  /** Its job is due. */
  | { type: "due" }
  | { type: "payee_unreachable" }
  /** The provider's user exists, and the payee's link is queued. */
  | { type: "payee_asked" }
  /** We asked the provider for the state of the payee's consent. */
  | { type: "looked"; progress: ConsentProgress }
  /** The provider could not be reached. */
  | { type: "look_failed" }
  | { type: "compared"; result: CheckResult }
  | { type: "payee_sent_to_bank" }
  | { type: "payee_returned" }
  /** Something changed at the provider. */
  | { type: "provider_event" }
  /** The payee withdrew the consent, or it expired. */
  | { type: "consent_over"; hasExpired?: boolean }
  /** The job has used up its attempts. */
  | { type: "given_up" }
  /** The queue could not deliver the job. */
  | { type: "dead_lettered" };

export type Effect =
  | { do: "nothing" }
  /** Create the provider's user and send the payee our link. */
  | { do: "ask_payee" }
  /** Ask the provider for the state of the consent. */
  | { do: "look" }
  /** Fetch the data that the payee shared, and compare it. */
  | { do: "collect" }
  /** Poll again at this time. `seenAtBank`: the provider shows that the payee is at the bank. */
  | { do: "wait"; until: number; seenAtBank: boolean }
  /** Fail the job, so that it is tried again later. */
  | { do: "try_again" }
  /** Make the job due now. */
  | { do: "wake" }
  /** `charged`: the bank was asked, which the provider charges for. */
  | { do: "finish"; result: CheckResult; charged: boolean }
  | { do: "delete_provider_data" }
  /** The provider still holds data: delete it later, trying until it succeeds. */
  | { do: "delete_later" };

/** Instants in epoch milliseconds; null if it has not happened. */
export type CheckTimes = {
  /** When something last happened that may lead the payee to the bank: the link was sent or confirmed. */
  lastActivityAt: number;
  linkExpiresAt: number | null;
  /** When the payee came back from the bank, or was first noticed to have been there. */
  returnedAt: number | null;
  /** When the provider stopped responding; null: it responded the last time. */
  silentSince: number | null;
  /** For how many milliseconds since the payee's return it was silent in earlier outages. */
  silentMs: number;
};

/** A webhook or the payee's return usually wakes the check; polling covers a lost one. */
const WAITING_POLL_MS = 5 * MINUTE_MS;
const LATER_POLL_MS = HOUR_MS;
const EARLY_MS = HOUR_MS;

/** A bank answers within seconds or hardly at all: the first polls are close together, later ones further apart. */
const FIRST_RUNNING_POLL_MS = 5_000;
const LAST_RUNNING_POLL_MS = 2 * MINUTE_MS;

/**
 * A bank that has not finished this long after the payee's return will not finish. Time in which the provider did not
 * respond is not counted, because nobody could tell then whether the bank had finished.
 */
export const PROVIDER_TIMEOUT_MS = 30 * MINUTE_MS;

/** A new user at the provider may appear before our commit; unclaimed by this time, a crash left it behind. */
export const ORPHAN_AFTER_MS = HOUR_MS;

/** How far back the hourly run reads the provider's events: longer than a day, so that missed runs lose nothing. */
export const LOOK_BACK_MS = 26 * HOUR_MS;

/** This many failures take about a day; after that, one attempt a day is enough. */
const FREQUENT_DELETIONS = 30;

/** When to try a deletion at the provider again: often on the first day, then daily, without end. */
export function nextDeletionAt(now: number, attempts: number): number {
  return attempts < FREQUENT_DELETIONS ? nextAttemptAt(now, attempts) : now + DAY_MS;
}

const NOTHING: Effect = { do: "nothing" };
const wait = (until: number, seenAtBank = false): Effect => ({ do: "wait", until, seenAtBank });
const finish = (result: CheckResult, charged: boolean): Effect => ({ do: "finish", result, charged });

/** The state of a check, from its row and its verification. */
export function stateOf(check: {
  providerUserId: string | null;
  returnedAt: number | null;
  finishedAt: number | null;
  verification: { status: string };
}): CheckState {
  if (check.finishedAt !== null || check.verification.status !== "pending") return "finished";
  if (check.providerUserId === null) return "starting";
  return check.returnedAt === null ? "awaiting_payee" : "at_bank";
}

/**
 * The effect of an event.
 * @param now epoch milliseconds
 */
export function nextStep(state: CheckState, event: CheckEvent, times: CheckTimes, now: number): Effect {
  if (state === "finished") return whenFinished(event);
  switch (event.type) {
    case "due":
      return state === "starting" ? { do: "ask_payee" } : { do: "look" };
    case "payee_asked":
      return whenWaiting({ ...times, lastActivityAt: now, linkExpiresAt: null }, now);
    case "looked":
      return whenLooked(event.progress, times, now);
    case "look_failed":
      return state === "at_bank" ? { do: "try_again" } : whenWaiting(times, now);
    case "compared":
      return finish(event.result, true);
    case "payee_sent_to_bank":
      return state === "starting" ? NOTHING : { do: "wake" };
    case "payee_returned":
      return state === "awaiting_payee" ? { do: "wake" } : NOTHING;
    case "provider_event":
      return { do: "wake" };
    case "payee_unreachable":
      return finish(withoutData("unable", "payee_unreachable"), false);
    case "consent_over":
      return whenConsentIsOver(event);
    case "given_up":
      return finish(withoutData("unable", "provider_unavailable"), false);
    case "dead_lettered":
      return finish(withoutData("unable", "job_failed"), false);
  }
}

/** The result is final; all that remains is deleting the provider's data. */
function whenFinished(event: CheckEvent): Effect {
  switch (event.type) {
    case "due":
    case "consent_over":
      return { do: "delete_provider_data" };
    case "given_up":
    case "dead_lettered":
      return { do: "delete_later" };
    default:
      return NOTHING;
  }
}

function whenLooked(progress: ConsentProgress, times: CheckTimes, now: number): Effect {
  switch (progress.state) {
    case "succeeded":
      return { do: "collect" };
    case "failed":
      return progress.retryable
        ? finish(withoutData("unable", "provider_unavailable"), true)
        : finish(withoutData("consent_refused", "consent_refused"), true);
    case "withdrawn":
      return whenConsentIsOver(progress);
    case "running":
      return whenRunning(times, now);
    case "waiting":
      return whenWaiting(times, now);
  }
}

const whenConsentIsOver = ({ hasExpired }: { hasExpired?: boolean }): Effect =>
  finish(withoutData("consent_refused", hasExpired ? "consent_expired" : "consent_withdrawn"), true);

/** How long the provider has been silent since the payee's return, up to now. */
export function silenceSinceReturn({ returnedAt, silentSince, silentMs }: CheckTimes, now: number): number {
  if (returnedAt === null) return 0;
  return silentMs + (silentSince === null ? 0 : now - Math.max(silentSince, returnedAt));
}

function whenRunning(times: CheckTimes, now: number): Effect {
  const elapsed = now - (times.returnedAt ?? now) - silenceSinceReturn(times, now);
  if (elapsed >= PROVIDER_TIMEOUT_MS) return finish(withoutData("unable", "provider_timeout"), true);
  const delay = Math.min(Math.max(elapsed / 2, FIRST_RUNNING_POLL_MS), LAST_RUNNING_POLL_MS);
  return wait(Math.round(now + delay), true);
}

function whenWaiting({ lastActivityAt, linkExpiresAt }: CheckTimes, now: number): Effect {
  if (linkExpiresAt !== null && now >= linkExpiresAt) return finish(withoutData("unable", "link_expired"), false);
  const at = now + (now - lastActivityAt < EARLY_MS ? WAITING_POLL_MS : LATER_POLL_MS);
  return wait(linkExpiresAt === null ? at : Math.min(at, linkExpiresAt));
}
