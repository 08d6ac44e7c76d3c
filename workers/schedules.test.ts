import { expect, test } from "vitest";
import { UpstreamError, type UpstreamErrorKind } from "~/kernel/app-error";
import { SCHEDULE_LABELS, SCHEDULE_PERIODS } from "~/modules/core/operations/problems";
import type { Services } from "~/services-and-actor";
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

test("requests get their turn between the tasks of a schedule", async () => {
  const order: string[] = [];
  setTimeout(() => order.push("a request"), 0);
  const task = (name: string) => async () => void order.push(name);
  await runSweeps({ first: task("first"), second: task("second") }, services);
  expect(order).toEqual(["a request", "first", "second"]);
});

test("a party outside that is down puts its sweep off, and does not fail the schedule; one that answers nonsense does", async () => {
  lines.length = 0;
  const failsWith = (kind: UpstreamErrorKind) => () => Promise.reject(new UpstreamError("basiq", kind, "GET /events"));
  const failed = await runSweeps(
    {
      "the night it is down": failsWith("unreachable"),
      "too many questions": failsWith("rate_limited"),
      nonsense: failsWith("malformed"),
      "after it": async () => 1,
    },
    services,
  );
  expect(failed.map(({ sweep }) => sweep)).toEqual(["nonsense"]);
  expect(lines).toEqual([
    ["sweep.put_off", { sweep: "the night it is down", error: "basiq: unreachable: GET /events" }],
    ["sweep.put_off", { sweep: "too many questions", error: "basiq: rate_limited: GET /events" }],
    ["sweep.failed", { sweep: "nonsense", error: "basiq: malformed: GET /events" }],
    ["sweep", { sweep: "after it", done: 1 }],
  ]);
});

test("every schedule is missed when it does not run", () => {
  expect(Object.keys(SCHEDULE_PERIODS)).toEqual(Object.keys(SCHEDULES));
  expect(Object.keys(SCHEDULE_LABELS)).toEqual(Object.keys(SCHEDULES));
});
