import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { type Figures, findProblems, isStartedAgain } from "./problems";

const NOW = Date.UTC(2026, 10, 27, 4);
const ago = (minutes: number) => NOW - minutes * MINUTE_MS;

test.each([
  ["off for the night", 600, false, [], true],
  ["off for five minutes", 5, false, [], true],
  ["off for less: nothing is late yet", 4.9, false, [], false],
  ["people worked on: the schedules stopped", 600, true, [], false],
  ["the sealer was late before the stop", 600, false, ["sealer"], false],
  ["a job was late before the stop", 600, false, ["mail", "outbox"], false],
  ["a schedule was late before the stop", 600, false, ["schedule */5 * * * *"], false],
  ["only an outside party failed before the stop", 600, false, ["mail", "queue jobs"], true],
] as const)("%s: last run %d minutes ago, used %j, open %j: %s", (_, ran, wasUsed, open, isStarted) => {
  const seen = { now: NOW, lastRunAt: ago(ran), wasUsed };
  expect(
    isStartedAgain(
      seen,
      open.map((watched) => ({ watched })),
    ),
  ).toBe(isStarted);
});

const never = { lastSucceededAt: null, lastFailedAt: null, failingSince: null, lastError: null };

/** Started this many minutes ago, after a night; since then the every-minute schedule has run, the others have not. */
function startedAgain(minutes: number, changed: Partial<Figures> = {}): Figures {
  const since = ago(minutes);
  const schedule = (cron: string, lastSucceededAt: number) => ({ ...never, cron, since, lastSucceededAt });
  return {
    now: NOW,
    outbox: { oldestDueAt: ago(500) },
    schedules: [
      schedule("* * * * *", ago(0.5)),
      schedule("*/5 * * * *", ago(600)),
      schedule("7 * * * *", ago(640)),
      schedule("23 16 * * *", ago(1_500)),
    ],
    providers: [],
    queues: [],
    deadLetter: { lastAt: null, about: null },
    sealer: { oldestUnsealedAt: ago(600) },
    database: { bytes: 1, limitBytes: null },
    ...changed,
  };
}

test.each([
  [0, []],
  [4, []],
  [5, ["outbox"]],
  [8, ["outbox", "sealer"]],
  [9, ["outbox", "schedule */5 * * * *", "sealer"]],
  [63, ["outbox", "schedule */5 * * * *", "sealer"]],
  [64, ["outbox", "schedule */5 * * * *", "schedule 7 * * * *", "sealer"]],
])("%d minutes after the start late is what has had its time since: %j", (minutes, watched) => {
  expect(findProblems(startedAgain(minutes)).map((problem) => problem.watched)).toEqual(watched);
});

test("what is late after a start says how long it has really waited, and counts from the start", () => {
  const [outbox] = findProblems(startedAgain(5));
  expect(outbox).toMatchObject({ detail: "a job has been due for 500 minutes", startedAt: ago(5) });
});

test("a dead letter is a problem for ten minutes", () => {
  const lettersAt = (lastAt: number) =>
    findProblems(startedAgain(1, { deadLetter: { lastAt, about: "job 1" } })).map(({ detail }) => detail);
  expect(lettersAt(ago(9))).toEqual(["a queue gave up on job 1"]);
  expect(lettersAt(ago(10))).toEqual([]);
  expect(lettersAt(NOW - HOUR_MS)).toEqual([]);
});
