import { expect, test } from "vitest";
import { SCHEDULE_LABELS, SCHEDULE_PERIODS } from "~/modules/core/operations/problems";
import type { Services } from "~/services";
import { runSweeps, SCHEDULES } from "./schedules";

const lines: unknown[] = [];
const note = (event: string, fields?: object) => void lines.push([event, fields]);
const services = { log: { info: note, warn: note, error: note } } as Pick<Services, "log"> as Services;

test("a sweep that fails does not silence the others of its minute, and each failure has its own line", async () => {
  const failed = await runSweeps(
    {
      first: async () => 2,
      broken: async () => {
        throw new Error("the outbox is gone");
      },
      nothing: async () => 0,
      counts: async () => ({ sessions: 3 }),
      "also broken": () => Promise.reject("a text"),
    },
    services,
  );
  expect(failed.map(({ sweep }) => sweep)).toEqual(["broken", "also broken"]);
  expect(lines).toEqual([
    ["sweep", { sweep: "first", done: 2 }],
    ["sweep.failed", { sweep: "broken", error: "the outbox is gone" }],
    ["sweep", { sweep: "counts", sessions: 3 }],
    ["sweep.failed", { sweep: "also broken", error: "a text" }],
  ]);
});

test("every schedule is missed when it does not run", () => {
  expect(Object.keys(SCHEDULE_PERIODS)).toEqual(Object.keys(SCHEDULES));
  expect(Object.keys(SCHEDULE_LABELS)).toEqual(Object.keys(SCHEDULES));
});
