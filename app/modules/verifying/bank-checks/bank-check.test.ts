import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { ConsentProgress } from "~/ports/bank-data";
import {
  type CheckEvent,
  type CheckState,
  type CheckTimes,
  type Effect,
  nextStep,
  PROVIDER_TIMEOUT_MS,
  silenceSinceReturn,
  stateOf,
} from "./bank-check";
import { withoutData } from "./compare-with-bank";

const T0 = 1_790_000_000_000;
const EXPIRES = T0 + 7 * DAY_MS;
const times = (changes: Partial<CheckTimes> = {}): CheckTimes => ({
  lastActivityAt: T0,
  linkExpiresAt: EXPIRES,
  returnedAt: null,
  silentSince: null,
  silentMs: 0,
  ...changes,
});
const running: ConsentProgress = { state: "running", jobId: "j" };
const looked = (progress: ConsentProgress): CheckEvent => ({ type: "looked", progress });
const waiting = looked({ state: "waiting" });
const compared: CheckEvent = { type: "compared", result: withoutData("unable", "number_masked") };

const STATES: readonly CheckState[] = ["starting", "awaiting_payee", "at_bank", "finished"];

/** The result of each event in each state, in the order of STATES; endings are named by their reason. */
const CASES: readonly [string, CheckEvent, readonly [string, string, string, string]][] = [
  ["due", { type: "due" }, ["ask_payee", "look", "look", "delete_provider_data"]],
  ["payee_unreachable", { type: "payee_unreachable" }, same("payee_unreachable", "nothing")],
  ["payee_asked", { type: "payee_asked" }, same("wait", "nothing")],
  ["looked: waiting", waiting, same("wait", "nothing")],
  ["looked: running", looked(running), same("wait", "nothing")],
  ["looked: succeeded", looked({ state: "succeeded", jobId: "j" }), same("collect", "nothing")],
  ["looked: refused", looked(failed(false)), same("consent_refused charged", "nothing")],
  ["looked: withdrawn", looked({ state: "withdrawn" }), same("consent_withdrawn charged", "nothing")],
  ["looked: expired", looked({ state: "withdrawn", hasExpired: true }), same("consent_expired charged", "nothing")],
  ["looked: failed", looked(failed(true)), same("provider_unavailable charged", "nothing")],
  ["look_failed", { type: "look_failed" }, ["wait", "wait", "try_again", "nothing"]],
  ["compared", compared, same("number_masked charged", "nothing")],
  ["payee_sent_to_bank", { type: "payee_sent_to_bank" }, ["nothing", "wake", "wake", "nothing"]],
  ["payee_returned", { type: "payee_returned" }, ["nothing", "wake", "nothing", "nothing"]],
  ["provider_event", { type: "provider_event" }, same("wake", "nothing")],
  ["consent_over", { type: "consent_over" }, same("consent_withdrawn charged", "delete_provider_data")],
  [
    "consent_over: expired",
    { type: "consent_over", hasExpired: true },
    same("consent_expired charged", "delete_provider_data"),
  ],
  ["given_up", { type: "given_up" }, same("provider_unavailable", "delete_later")],
  ["dead_lettered", { type: "dead_lettered" }, same("job_failed", "delete_later")],
];

function same(underWay: string, finished: string): [string, string, string, string] {
  return [underWay, underWay, underWay, finished];
}

function failed(retryable: boolean): ConsentProgress {
  return { state: "failed", jobId: "j", code: "x", retryable };
}

const inWords = (effect: Effect) =>
  effect.do === "finish" ? `${effect.result.reasonCode}${effect.charged ? " charged" : ""}` : effect.do;

test.each(
  CASES.flatMap(([name, event, expected]) => STATES.map((state, i) => [name, state, event, expected[i]] as const)),
)("%s while %s", (_, state, event, expected) => {
  expect(inWords(nextStep(state, event, times(), T0))).toBe(expected);
});

test.each<[Partial<Parameters<typeof stateOf>[0]>, CheckState]>([
  [{}, "starting"],
  [{ providerUserId: "u" }, "awaiting_payee"],
  [{ providerUserId: "u", returnedAt: T0 }, "at_bank"],
  [{ providerUserId: "u", returnedAt: T0, finishedAt: T0 }, "finished"],
  [{ providerUserId: "u", verification: { status: "rejected" } }, "finished"],
])("a check with %j is %s", (given, state) => {
  const check = { providerUserId: null, returnedAt: null, finishedAt: null, verification: { status: "pending" } };
  expect(stateOf({ ...check, ...given })).toBe(state);
});

test("while the payee is expected, looks come every five minutes for an hour, then hourly, and last at the link's end", () => {
  const waits = (now: number) => {
    const step = nextStep("awaiting_payee", waiting, times(), now);
    return step.do === "wait" ? step.until - now : inWords(step);
  };
  expect(waits(T0)).toBe(5 * MINUTE_MS);
  expect(waits(T0 + 59 * MINUTE_MS)).toBe(5 * MINUTE_MS);
  expect(waits(T0 + HOUR_MS)).toBe(HOUR_MS);
  expect(waits(EXPIRES - 10 * MINUTE_MS)).toBe(10 * MINUTE_MS);
  expect(waits(EXPIRES)).toBe("link_expired");
});

test("a link sent again, or confirmed late, brings the close looks back", () => {
  const late = T0 + 3 * DAY_MS;
  const step = nextStep("awaiting_payee", waiting, times({ lastActivityAt: late }), late);
  expect(step).toEqual({ do: "wait", until: late + 5 * MINUTE_MS, seenAtBank: false });
});

test("looks at a running bank start close together, grow apart and end half an hour after the return", () => {
  const at = (now: number) => nextStep("at_bank", looked(running), times({ returnedAt: T0 }), now);
  expect(at(T0)).toEqual({ do: "wait", until: T0 + 5_000, seenAtBank: true });
  expect(at(T0 + MINUTE_MS)).toEqual({ do: "wait", until: T0 + 1.5 * MINUTE_MS, seenAtBank: true });
  expect(at(T0 + 20 * MINUTE_MS)).toEqual({ do: "wait", until: T0 + 22 * MINUTE_MS, seenAtBank: true });
  expect(inWords(at(T0 + PROVIDER_TIMEOUT_MS))).toBe("provider_timeout charged");
});

test.each<[string, Partial<CheckTimes>, number]>([
  ["still silent since before the return", { silentSince: T0 - HOUR_MS }, 0],
  ["silent from ten minutes after the return", { silentSince: T0 + 10 * MINUTE_MS }, 10],
  ["silent for a day before, and answering now", { silentMs: DAY_MS - 20 * MINUTE_MS }, 20],
  ["silent once before, and again now", { silentMs: HOUR_MS, silentSince: T0 + 2 * HOUR_MS }, 60],
])("time in which the provider is silent is no time of the bank: %s", (_, silence, counted) => {
  const now = T0 + DAY_MS;
  const step = nextStep("at_bank", looked(running), times({ returnedAt: T0, ...silence }), now);
  expect(step.do).toBe(counted >= 30 ? "finish" : "wait");
  expect(now - T0 - silenceSinceReturn(times({ returnedAt: T0, ...silence }), now)).toBe(counted * MINUTE_MS);
});

test("a bank that works past the link's end is waited for: the payee did answer", () => {
  const returned = times({ returnedAt: EXPIRES - MINUTE_MS });
  expect(nextStep("at_bank", looked(running), returned, EXPIRES + MINUTE_MS).do).toBe("wait");
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
        const state = returnedAt === null ? "awaiting_payee" : "at_bank";
        const step = nextStep(state, looked(progress), times({ returnedAt }), now);
        if (step.do === "wait") expect(step.until).toBeGreaterThan(now);
        else expect(step.do).toBe("finish");
      },
    ),
  );
});
