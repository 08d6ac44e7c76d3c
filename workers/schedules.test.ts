import { expect, test } from "vitest";
import type { Services } from "~/services";
import { runSweeps } from "./schedules";

const lines: unknown[] = [];
const note = (event: string, fields?: object) => void lines.push([event, fields]);
const services = { log: { info: note, warn: note, error: note } } as Pick<Services, "log"> as Services;

test("a sweep that fails does not silence the others of its minute, and each failure has its own line", async () => {
  const run = runSweeps(
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
  await expect(run).rejects.toThrow("sweeps failed");
  expect(lines).toEqual([
    ["sweep", { sweep: "first", done: 2 }],
    ["sweep.failed", { sweep: "broken", error: "the outbox is gone" }],
    ["sweep", { sweep: "counts", sessions: 3 }],
    ["sweep.failed", { sweep: "also broken", error: "a text" }],
  ]);
});
