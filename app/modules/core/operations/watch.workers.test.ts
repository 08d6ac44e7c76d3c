import {
  auditLogs,
  componentDays,
  incidents,
  keysInUse,
  operationSamples,
  outbox,
  providerCalls,
  scheduleRuns,
} from "@db/database";
import { eq, like, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createHttpOperator } from "~/adapters/operator/http-operator";
import { DAY_MS, HOUR_MS, MINUTE_MS, startOfDay } from "~/kernel/dates";
import { enqueueJob, runStatement } from "~/modules/core/commands/run-command.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import type { QueueName, Services } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { peek } from "../../../../tests/support/payees";
import { testServices } from "../../../../tests/support/services";
import { consume } from "../../../../workers/queues";
import { runSchedule } from "../../../../workers/schedules";
import { readFigures } from "./figures.server";
import { readNotices } from "./notice.server";
import { readOperations, readOperationsPage } from "./operations-page.server";
import { EVERY_MINUTE } from "./problems";
import { readStatusPage } from "./status-page.server";
import { expectSchedules, noteRun, providerCallStatements, tellThatBlind, watchOperations } from "./watch.server";

/** The operator's two addresses, and outside parties that answer or fail. */
const HEARTBEAT = "https://monitor.example/beat";
const WEBHOOK = "https://pager.example/hook";

type Broken = {
  mail?: boolean;
  abr?: boolean;
  outbox?: boolean;
  seals?: boolean;
  cron?: boolean;
  hourly?: boolean;
  database?: boolean;
  webhook?: boolean;
  queue?: boolean;
  deadLetters?: boolean;
};
type Told = { state: string; watched: string; text: string; at: number };

/** The trail cannot be emptied, so each test has three days of its own, in years that no other file's tests reach. */
let plants = 1_000;

async function aPlant() {
  const broken: Broken = {};
  const told: Told[] = [];
  let beats = 0;
  const answer = async (request: Request): Promise<Response> => {
    if (request.url === HEARTBEAT) beats++;
    if (request.url === WEBHOOK) {
      if (broken.webhook) return new Response(null, { status: 502 });
      told.push({ ...((await request.json()) as Omit<Told, "at">), at: services.clock.now() });
    }
    if (request.url.includes("/mail/emails")) {
      return broken.mail ? new Response(null, { status: 503 }) : Response.json({ id: services.ids.next() });
    }
    if (request.url.includes("AbnDetails")) {
      if (broken.abr) throw new Error("connection refused");
      return new Response('callback({"Message":"No record found"})');
    }
    return new Response("ok");
  };
  const services = testServices({ fetch: answer });
  const { clock, config } = services;
  clock.advance(plants++ * 3 * DAY_MS);
  const operator = createHttpOperator({
    heartbeatUrl: HEARTBEAT,
    webhookUrl: WEBHOOK,
    appOrigin: config.appOrigin,
    fetch: answer,
    clock,
  });
  const plant: Services = { ...services, operator, config: { ...config }, queues: { send } };
  /** What a queue delivers, unless it has stopped. */
  async function send(queue: QueueName, jobIds: readonly string[]) {
    if (broken.queue && queue === "jobs") return;
    if (broken.deadLetters && queue === "dead-letters") return;
    const messages = jobIds.map((jobId) => ({ body: { jobId, v: 1 }, ack() {}, retry() {} }));
    await consume({ queue, messages } as unknown as MessageBatch, plant);
    for (const statement of providerCallStatements(plant, plant.providerCalls.take()))
      await runStatement(plant, statement);
  }
  const actor = await aMember(services);
  const use = async () => {
    await plant.mail
      .send({ to: "a@b.example", subject: "s", html: "h", text: "t" }, services.ids.next())
      .catch(() => {});
    await plant.businessRegister?.findByAbn("51824753556").catch(() => {});
    await peek.insert(auditLogs).values(anEntry(actor.organizationId, clock.now(), services.ids.next()));
    const id = services.ids.next();
    await services.db.batch([enqueueJob(services, { id, kind: "email", organizationId: null, subjectId: null })]);
    if (!broken.outbox)
      await peek.update(outbox).set({ status: "done", finishedAt: clock.now() }).where(eq(outbox.status, "pending"));
  };
  /** Runs the schedules minute by minute, apart from those that are broken. */
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      clock.advance(MINUTE_MS);
      const at = Math.floor(clock.now() / MINUTE_MS);
      await use();
      if (broken.cron) continue;
      await expectSchedules(plant);
      if (at % 5 === 0 && !broken.seals) {
        while ((await sealAuditTrail(plant)) > 0);
        await noteRun(plant, "*/5 * * * *", undefined);
      }
      if (at % 60 === 7) await noteRun(plant, "7 * * * *", broken.hourly ? "failed: digests sent" : undefined);
      plant.config.databaseLimitBytes = broken.database ? 1_000_000 : 10_000_000_000;
      await watchOperations(plant);
      await noteRun(plant, "* * * * *", undefined);
    }
  };
  return { plant, broken, told, pass, beats: () => beats, services, actor };
}

const anEntry = (organizationId: string, createdAt: number, id: string) => ({
  id,
  organizationId,
  action: "payee.added",
  entityType: "payee",
  entityId: "p",
  requestId: "r",
  createdAt,
});

/** Tests share the database, so what others left must not count as late or failed here. */
beforeEach(async () => {
  await peek.update(outbox).set({ status: "done" }).where(eq(outbox.status, "pending"));
  for (const table of [incidents, scheduleRuns, providerCalls, operationSamples, componentDays, keysInUse])
    await peek.delete(table);
  const services = testServices();
  while ((await sealAuditTrail(services)) > 0);
});

test("while all is well the heartbeat is called every minute, and nobody is told anything", async () => {
  const { pass, told, beats, plant } = await aPlant();
  await pass(15);
  expect([beats(), told]).toEqual([15, []]);
  expect(await readOperations(plant)).toMatchObject({
    ok: true,
    problems: [],
    sealer: { lagSeconds: expect.any(Number) },
  });
});

test.each([
  ["mail", { mail: true }, "mail"],
  ["a provider", { abr: true }, "provider abr"],
  ["the outbox", { outbox: true }, "outbox"],
  ["the sealer and its schedule", { seals: true }, "sealer"],
  ["the database is nearly full", { database: true }, "database"],
  ["a queue, whose jobs the schedule runs meanwhile,", { queue: true }, "queue jobs"],
  ["the queue of dead letters", { deadLetters: true }, "queue dead-letters"],
] as const)(
  "%s stops: the operator is told within ten minutes, and again when it goes on",
  async (_, stop, watched) => {
    const { pass, told, beats, broken, plant, services } = await aPlant();
    await pass(6);
    const stoppedAt = services.clock.now();
    const wasBeating = beats();
    Object.assign(broken, stop);
    await pass(10);
    const first = told.find((each) => each.watched === watched);
    expect(first).toMatchObject({ state: "started", text: expect.stringContaining(plant.config.appOrigin) });
    expect((first?.at ?? 0) - stoppedAt).toBeLessThanOrEqual(10 * MINUTE_MS);
    const atAlarm = beats();
    expect(atAlarm).toBeLessThan(wasBeating + 10);
    await pass(5);
    expect(beats()).toBe(atAlarm);
    expect(told.filter((each) => each.watched === watched)).toHaveLength(1);
    for (const key of Object.keys(stop)) broken[key as keyof Broken] = false;
    await pass(11);
    expect(told.filter((each) => each.watched === watched).map(({ state }) => state)).toEqual(["started", "ended"]);
    expect(beats()).toBeGreaterThan(atAlarm);
  },
);

test("of a stopped queue the operator reads since when, and the public nothing, because the schedule does its work", async () => {
  const { pass, broken, plant } = await aPlant();
  await pass(5);
  const queuesOf = async () => (await readOperations(plant)).queues;
  expect(await queuesOf()).toMatchObject([
    { queue: "jobs", silentSince: null },
    { queue: "bank-checks", silentSince: null },
    { queue: "dead-letters", silentSince: null },
  ]);
  broken.queue = true;
  await pass(9);
  const iso = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(await queuesOf()).toMatchObject([
    { queue: "jobs", lastDeliveredAt: iso, silentSince: iso },
    { queue: "bank-checks", lastDeliveredAt: iso, silentSince: null },
    { queue: "dead-letters", lastDeliveredAt: iso, silentSince: null },
  ]);
  const page = await readOperationsPage(plant, "UTC");
  expect(page.incidents).toMatchObject([{ watched: "queue jobs" }]);
  expect(page.schedules.find(({ name }) => name === "Queue jobs")).toMatchObject({ failingSince: expect.anything() });
  const { components, incidents: shown } = await readStatusPage(plant);
  expect(components.find(({ component }) => component === "background")).toMatchObject({ state: "good" });
  expect(shown).toEqual([]);
});

test("after a time in which nobody asked, a queue is asked before it counts as stopped", async () => {
  const { pass, told, broken, services } = await aPlant();
  await pass(5);
  broken.queue = true;
  await pass(3);
  broken.queue = false;
  // The Worker did not run for an hour, so nothing could be delivered.
  services.clock.advance(HOUR_MS);
  await pass(10);
  expect(told.filter(({ watched }) => watched.startsWith("queue"))).toEqual([]);
});

test("the schedules stop: the heartbeat stops with them, and afterwards the gap is told", async () => {
  const { pass, told, beats, broken } = await aPlant();
  await pass(10);
  broken.cron = true;
  const before = beats();
  await pass(10);
  expect(beats()).toBe(before);
  broken.cron = false;
  await pass(6);
  expect(told.map(({ watched, state }) => `${state} ${watched}`)).toContain("started schedule */5 * * * *");
});

test("the schedules stop while people work and export the trail, which seals it: the gap is told afterwards", async () => {
  const { pass, told, broken, plant } = await aPlant();
  await pass(12);
  broken.cron = true;
  await pass(30);
  while ((await sealAuditTrail(plant)) > 0);
  broken.cron = false;
  await pass(1);
  expect(told.map(({ watched }) => watched)).toContain("schedule * * * * *");
});

test("the whole service stops for the night: nothing is late before it could run, and what then does not run is told", async () => {
  const { pass, told, beats, broken, plant, services } = await aPlant();
  await pass(10);
  broken.outbox = true;
  await pass(1);
  broken.outbox = false;
  services.clock.advance(9 * HOUR_MS);
  const before = beats();
  broken.seals = true;
  await pass(7);
  expect([told, beats() - before]).toEqual([[], 7]);
  expect(await readNotices({ ...plant, config: { ...plant.config } })).toEqual([]);
  await pass(3);
  expect(told.map(({ watched }) => watched).sort()).toEqual(["schedule */5 * * * *", "sealer"]);
});

test("a schedule that each stop of the service misses is told, and so is one that stopped beside others", async () => {
  const { pass, told, broken, plant, services } = await aPlant();
  await pass(10);
  await noteRun(plant, "23 16 * * *", undefined);
  for (const day of [1, 2]) {
    await noteRun(plant, "7 * * * *", undefined);
    services.clock.advance(DAY_MS);
    await pass(8);
    expect(told.map(({ watched }) => watched)).toEqual(day === 1 ? [] : ["schedule 23 16 * * *"]);
  }
  broken.cron = true;
  for (let times = 0; times < 4; times++) {
    services.clock.advance(5 * MINUTE_MS + 1);
    await expectSchedules(plant);
    await noteRun(plant, "*/5 * * * *", undefined);
  }
  const { problems } = await readOperations(plant);
  expect(problems.map(({ watched }) => watched)).toContain("schedule * * * * *");
});

test("a letter in the queue of dead letters: the operator is told once, the public not, the heartbeat goes on, and it is over ten minutes later", async () => {
  const { pass, told, plant, services, beats } = await aPlant();
  await pass(5);
  const id = services.ids.next();
  await plant.queues.send("dead-letters", [id]);
  await pass(9);
  expect(beats()).toBe(14);
  expect(told).toMatchObject([
    { watched: "dead letters", state: "started", text: expect.stringContaining(`job ${id}`) },
  ]);
  expect((await readOperations(plant)).deadLetter).toMatchObject({ about: `job ${id}` });
  expect((await readOperationsPage(plant, "UTC")).deadLetter).toMatchObject({ about: `job ${id}` });
  expect((await readStatusPage(plant)).incidents).toEqual([]);
  await pass(3);
  expect(told.map(({ state }) => state)).toEqual(["started", "ended"]);
});

test("one schedule fails: it is told, though its next run is an hour away", async () => {
  const { pass, told, broken } = await aPlant();
  broken.hourly = true;
  await pass(15);
  const [first] = told.filter(({ watched }) => watched === "schedule 7 * * * *");
  expect(first?.text).toContain("failed: digests sent");
});

test("a schedule that never ran is missed too", async () => {
  const { pass, told } = await aPlant();
  await pass(2);
  await peek
    .update(scheduleRuns)
    .set({ since: sql`"since" - ${2 * HOUR_MS}` })
    .where(eq(scheduleRuns.cron, "7 * * * *"));
  await peek.update(scheduleRuns).set({ lastSucceededAt: null }).where(eq(scheduleRuns.cron, "7 * * * *"));
  await pass(1);
  expect(told.map(({ watched }) => watched)).toEqual(["schedule 7 * * * *"]);
});

test("a pager that is down is told later, and the database's refusal is told at once", async () => {
  const { pass, told, broken, plant } = await aPlant();
  Object.assign(broken, { mail: true, webhook: true });
  await pass(9);
  expect(told).toEqual([]);
  broken.webhook = false;
  await pass(1);
  expect(told).toMatchObject([{ watched: "mail", state: "started" }]);
  const select = () => {
    throw new Error("D1_ERROR: overloaded");
  };
  await expect(
    watchOperations({ ...plant, db: { ...plant.db, select, insert: plant.db.insert.bind(plant.db) } as never }),
  ).rejects.toThrow();
  expect(told.at(-1)).toMatchObject({ watched: "watch", text: expect.stringContaining("cannot check itself") });
});

test("the database does not answer at all: the operator is told at the first run of a schedule, once, and when it answers", async () => {
  const { pass, told, beats, plant, services } = await aPlant();
  await pass(5);
  const wasBeating = beats();
  const gone = {
    get() {
      throw new Error("Failed query: select 1", { cause: new Error("D1_ERROR: cannot resolve the database") });
    },
  };
  const blind = { ...plant, db: new Proxy(plant.db, gone) };
  for (let run = 0; run < 3; run++) {
    await expect(runSchedule(EVERY_MINUTE, blind)).rejects.toThrow("Failed query");
    services.clock.advance(MINUTE_MS / 2);
  }
  expect(told).toMatchObject([
    { watched: "watch", state: "started", text: expect.stringContaining("itself: D1_ERROR: cannot resolve") },
  ]);
  expect(beats()).toBe(wasBeating);
  await pass(2);
  expect(told.map(({ watched, state }) => `${state} ${watched}`)).toEqual(["started watch", "ended watch"]);
  expect(beats()).toBe(wasBeating + 2);
});

test("neither the pager nor the notes answer with the database: the operator is told once the pager does", async () => {
  const { told, broken, plant } = await aPlant();
  const down = () => Promise.reject(new Error("down"));
  const tell = () => tellThatBlind({ ...plant, notes: { ...plant.notes, read: down, write: down } }, "no database");
  broken.webhook = true;
  await tell();
  broken.webhook = false;
  await tell();
  expect(told).toMatchObject([{ watched: "watch", text: expect.stringContaining("no database") }]);
});

test("the schedules that are expected cannot be read: the tasks of the schedule run, and the failure is told", async () => {
  const { plant, pass, services } = await aPlant();
  await pass(1);
  const { db } = plant;
  let isBroken = true;
  const select = (...columns: Parameters<typeof db.select>) => {
    const query = db.select(...columns);
    const from = (table: typeof scheduleRuns) => {
      if (table === scheduleRuns && isBroken) throw new Error("D1_ERROR: no such column");
      return query.from(table);
    };
    return { from };
  };
  const cron = "*/5 * * * *";
  const half = new Proxy(db, { get: (whole, name) => (name === "select" ? select : Reflect.get(whole, name)) });
  expect((await readFigures(plant)).sealer.oldestUnsealedAt).not.toBeNull();
  await expect(runSchedule(cron, { ...services, db: half })).rejects.toThrow("sweeps failed");
  isBroken = false;
  const { sealer, schedules } = await readFigures(plant);
  expect(sealer.oldestUnsealedAt).toBeNull();
  expect(schedules.find((each) => each.cron === cron)).toMatchObject({ lastError: "failed: schedules expected" });
});

test("every page says what does not work, the status page shows it by the day, and nothing is said where nothing is known", async () => {
  const { pass, broken, plant } = await aPlant();
  const stateOf = async (component: string) =>
    (await readStatusPage(plant)).components.find((each) => each.component === component);
  expect(await stateOf("email")).toMatchObject({
    state: "unknown",
    summary: "Nothing is known about the past 90 days.",
  });
  await pass(10);
  expect(await stateOf("email")).toMatchObject({ state: "good" });
  expect(await stateOf("bank_consent")).toMatchObject({ state: "unknown" });
  broken.mail = true;
  await pass(6);
  expect(await stateOf("email")).toMatchObject({
    state: "bad",
    summary: "Known on 1 of the past 90 days: no problem before now.",
  });
  await pass(6);
  const email = await stateOf("email");
  expect([email?.state, email?.days.at(-1), email?.days.at(-2)]).toEqual(["bad", "bad", "unknown"]);
  expect(await readNotices({ ...plant, config: { ...plant.config } })).toContain(
    "Emails are delayed. We keep trying, and nothing is lost.",
  );
  expect((await readStatusPage(plant)).incidents).toMatchObject([{ name: "Email", to: null }]);
  broken.cron = true;
  await pass(11);
  expect((await readStatusPage(plant)).components.map(({ state }) => state)).toEqual(
    expect.not.arrayContaining(["good"]),
  );
});

test("a day of the status page begins at midnight in Sydney, as its times do", async () => {
  const { pass, plant, services } = await aPlant();
  const midnight = startOfDay("2027-02-03", "Australia/Sydney");
  services.clock.advance(midnight - 10 * MINUTE_MS - services.clock.now());
  const daysOf = async () =>
    (await readStatusPage(plant)).components.find(({ component }) => component === "email")?.days.slice(-2);
  await pass(8);
  const before = await daysOf();
  await pass(8);
  expect([before, await daysOf()]).toEqual([
    ["unknown", "good"],
    ["good", "good"],
  ]);
});

test("what several instances saw of a party counts together", async () => {
  const { db } = testServices();
  const save = async (notes: Parameters<typeof providerCallStatements>[1]) => {
    for (const statement of providerCallStatements({ db }, notes)) await runStatement({ db }, statement);
  };
  const rowOf = async () => (await peek.select().from(providerCalls).where(like(providerCalls.party, "cop")))[0];
  await save([{ party: "cop", lastFailedAt: 30, failingSince: 20, lastError: "HTTP 503" }]);
  await save([{ party: "cop", lastFailedAt: 50, failingSince: 40, lastError: "HTTP 500" }]);
  expect(await rowOf()).toMatchObject({ failingSince: 20, lastFailedAt: 50, lastError: "HTTP 500" });
  await save([{ party: "cop", lastSucceededAt: 10 }]);
  expect(await rowOf()).toMatchObject({ failingSince: 20, lastSucceededAt: 10 });
  await save([{ party: "cop", lastSucceededAt: 60 }]);
  expect(await rowOf()).toMatchObject({ failingSince: null, lastSucceededAt: 60, lastFailedAt: 50 });
});
