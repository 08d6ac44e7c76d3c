import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "~/kernel/app-error";
import { createHashQueue, MAX_WAITING, PASSED_OVER_AFTER_MS } from "./scrypt";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => {});

test("hashes run one at a time, in the order of arrival, and the event loop turns before each", async () => {
  const inQueue = createHashQueue();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 160));
    seen.push(`${name} ends`);
  };
  const all = Promise.all(["first", "second", "third"].map((name) => inQueue(work(name))));
  expect(seen).toEqual([]);
  await vi.runAllTimersAsync();
  await all;
  expect(seen).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("a flood is told to try again, and there is room again afterwards", async () => {
  const inQueue = createHashQueue();
  const all = Promise.allSettled(Array.from({ length: 200 }, () => inQueue(async () => "hashed")));
  await vi.runAllTimersAsync();
  const refusals = (await all).flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refusals).toHaveLength(200 - MAX_WAITING);
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: "BUSY", status: 503, retryAfterSeconds: 5 });
  }
  const later = inQueue(async () => "hashed");
  await vi.runAllTimersAsync();
  expect(await later).toBe("hashed");
});

test("a request that was cancelled holds nobody up for longer than a second", async () => {
  const inQueue = createHashQueue();
  void inQueue(never);
  const next = inQueue(async () => "hashed");
  await vi.advanceTimersByTimeAsync(PASSED_OVER_AFTER_MS - 100);
  const early = await Promise.race([next, "waiting"]);
  expect(early).toBe("waiting");
  await vi.advanceTimersByTimeAsync(200);
  expect(await next).toBe("hashed");
});
