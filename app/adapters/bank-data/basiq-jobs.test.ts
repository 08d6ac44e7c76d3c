import { expect, test } from "vitest";
import { newestJob, toProgress } from "./basiq";
import { jobSchema } from "./basiq-client";

type Step = [title: string, status: string, code?: string];

const aJob = (steps: Step[], fields: object = {}) =>
  jobSchema.parse({
    id: "j1",
    created: "2026-11-20T01:00:00Z",
    steps: steps.map(([title, status, code]) => ({ title, status, result: code ? { code } : null })),
    links: { source: "https://au-api.basiq.io/users/u1/connections/c1" },
    ...fields,
  });

test.each<[string, Step[]]>([
  ["no steps yet", []],
  [
    "pending",
    [
      ["verify-credentials", "pending"],
      ["retrieve-accounts", "pending"],
    ],
  ],
  [
    "in progress",
    [
      ["verify-credentials", "success"],
      ["retrieve-accounts", "in-progress"],
    ],
  ],
])("a job with %s is running", (_, steps) => {
  expect(toProgress(aJob(steps))).toEqual({ state: "running", jobId: "j1" });
});

test("a job is done when the accounts are there, whatever becomes of transactions", () => {
  const steps: Step[] = [
    ["verify-credentials", "success"],
    ["retrieve-accounts", "success"],
    ["retrieve-transactions", "failed", "service-unavailable"],
  ];
  expect(toProgress(aJob(steps))).toEqual({ state: "succeeded", jobId: "j1", connectionId: "c1" });
});

test.each([
  ["authorization-failed", false],
  ["access-denied", false],
  ["invalid-credentials", true],
  ["account-not-accessible-requires-user-action", true],
  ["service-unavailable", true],
  ["system-unavailable", true],
  ["maintenance", true],
  ["job-timed-out", true],
  ["institution-not-available", true],
  ["a-code-of-tomorrow", true],
])("a step that failed with %s is retryable: %s", (code, retryable) => {
  const steps: Step[] = [
    ["verify-credentials", "failed", code],
    ["retrieve-accounts", "pending"],
  ];
  expect(toProgress(aJob(steps))).toEqual({ state: "failed", jobId: "j1", code, retryable });
});

test("a failed step without a reason is an unknown error", () => {
  expect(toProgress(aJob([["verify-credentials", "failed"]]))).toMatchObject({
    code: "unknown-error",
    retryable: true,
  });
});

test("the job created last is the one that counts, in any order", () => {
  const first = aJob([], { id: "first", created: "2026-11-20T01:00:00Z" });
  const second = aJob([], { id: "second", created: "2026-11-20T01:05:00+00:00" });
  expect(newestJob([first, second])?.id).toBe("second");
  expect(newestJob([second, first])?.id).toBe("second");
  expect(newestJob([])).toBeUndefined();
});
