import { auditLogs, outbox } from "@db/database";
import { runUndelivered } from "@workers/queues";
import { and, eq, inArray, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { JOB_KINDS, SWEEP_EVERY_MS } from "~/modules/core/commands/job";
import { listUndelivered, sweepDueJobs } from "~/modules/core/commands/outbox.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { removeExpiredRows } from "~/modules/core/housekeeping.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import { aMember } from "../../../../tests/support/factories";
import { peek, refusal } from "../../../../tests/support/payees";
import { ORIGIN } from "../../../../tests/support/people";
import { aWorld } from "../../../../tests/support/simulators";
import { listGivenUp, runAgain } from "./operations-page.server";

/** All attempts except the last. */
const LAST = JOB_KINDS.email.maxAttempts - 1;

async function anOffice() {
  const world = aWorld();
  const actor = await aMember(world, { role: "admin" });
  const administrator = { userId: actor.userId, origin: ORIGIN };
  /** Queues one email of the organisation. */
  const promise = async (attempts = 0) => {
    const jobs = await queueEmail(world, actor.organizationId, ["ana@wattle.example"], {
      template: "organizationStanding",
      data: { organizationName: "Wattle", isSuspended: false, href: "https://app.test/" },
    });
    await runCommand(world, actor, {
      audit: [
        {
          action: "organization.resumed",
          entityType: "organization",
          entityId: actor.organizationId,
          details: { active: { from: false, to: true } },
        },
      ],
      jobs,
    });
    const id = jobs[0]?.id ?? "";
    await peek.update(outbox).set({ attempts }).where(eq(outbox.id, id));
    return id;
  };
  const jobOf = async (id: string) => (await peek.select().from(outbox).where(eq(outbox.id, id)))[0];
  const acts = (action: string) =>
    peek
      .select()
      .from(auditLogs)
      .where(and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, action)));
  return { world, actor, administrator, promise, jobOf, acts };
}

/** The provider accepts the email, but its response cannot be read, on our last attempt. */
const SPOILT = { party: "mail", fault: "malformed", times: 1 } as const;

test("mail is down for a day: no message is lost, none is sent twice, and the tries grow apart", async () => {
  const { world, promise, jobOf } = await anOffice();
  await world.fault({ party: "mail", fault: "500", times: 1_000 });
  const id = await promise();
  await world.pass(24 * HOUR_MS);
  expect(await jobOf(id)).toMatchObject({ status: "pending" });
  expect((await jobOf(id))?.attempts).toBeLessThan(40);
  await world.clearFaults();
  await world.pass(2 * HOUR_MS);
  expect((await world.mails()).filter(({ to }) => to === "ana@wattle.example")).toHaveLength(1);
  expect(await jobOf(id)).toMatchObject({ status: "done", sealedPayload: null });
});

test("a job that was given up keeps its content a week, and is run again once, however many press", async () => {
  const { world, administrator, promise, jobOf, acts } = await anOffice();
  // The page lists the newest jobs, so those that other tests gave up are cleared first.
  await peek.update(outbox).set({ status: "done" }).where(eq(outbox.status, "failed"));
  await world.fault(SPOILT);
  const id = await promise(LAST);
  await world.drain();
  const failed = await jobOf(id);
  expect(failed).toMatchObject({ status: "failed", sealedPayload: expect.stringMatching(/^e1\./) });
  expect((await listGivenUp(world)).map((job) => job.id)).toContain(id);
  const press = () => runAgain(world, administrator, { intent: "run-job", jobId: id });
  const presses = await Promise.allSettled([press(), press(), press()]);
  expect(presses.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await world.drain();
  expect((await world.mails()).filter(({ to }) => to === "ana@wattle.example")).toHaveLength(1);
  expect(await acts("job.run_again")).toMatchObject([{ entityId: id, userId: administrator.userId }]);
  expect(await refusal(press())).toMatchObject({ status: 409 });
});

test("all of a kind are run again", async () => {
  const { world, administrator, promise, jobOf } = await anOffice();
  await peek.update(outbox).set({ status: "done" }).where(eq(outbox.status, "failed"));
  await world.fault({ ...SPOILT, times: 3 });
  const ids = [await promise(LAST), await promise(LAST), await promise(LAST)];
  await world.drain();
  expect(await runAgain(world, administrator, { intent: "run-kind", kind: "email" })).toBe(3);
  await world.drain();
  expect(await Promise.all(ids.map(async (id) => (await jobOf(id))?.status))).toEqual(["done", "done", "done"]);
});

test("after a week the content is wiped, and there is nothing to run", async () => {
  const { world, administrator, promise, jobOf } = await anOffice();
  await world.fault(SPOILT);
  const id = await promise(LAST);
  await world.drain();
  world.clock.advance(7 * DAY_MS - HOUR_MS);
  await removeExpiredRows(world);
  expect((await jobOf(id))?.sealedPayload).not.toBeNull();
  world.clock.advance(HOUR_MS);
  await removeExpiredRows(world);
  expect(await jobOf(id)).toMatchObject({ status: "failed", sealedPayload: null });
  const press = runAgain(world, administrator, { intent: "run-job", jobId: id });
  expect(await refusal(press)).toMatchObject({ status: 409, code: "CHANGED_MEANWHILE" });
});

test("what of a kind has lost its content does not stand before what can be run again", async () => {
  const { world, administrator, promise, jobOf } = await anOffice();
  await peek.update(outbox).set({ status: "done" }).where(eq(outbox.status, "failed"));
  await peek.insert(outbox).select(
    sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101)
      SELECT 'wiped-' || i || ${world.ids.next()}, 'jobs', 'email', NULL, NULL, NULL, 'failed', 1, 1, NULL, NULL, NULL, NULL, 1, i FROM n`,
  );
  await world.fault(SPOILT);
  const id = await promise(LAST);
  await world.drain();
  expect(await runAgain(world, administrator, { intent: "run-kind", kind: "email" })).toBe(1);
  await world.drain();
  expect((await jobOf(id))?.status).toBe("done");
  expect((await listGivenUp(world)).every(({ canRun }) => !canRun)).toBe(true);
});

test("a dead letter is a try that failed: the job comes back, and is given up with its content after the last", async () => {
  const { world, promise, jobOf, acts } = await anOffice();
  const id = await promise();
  world.sent.length = 0;
  await world.deliver("dead-letters", { jobId: id, v: 1 });
  expect(await jobOf(id)).toMatchObject({ status: "pending", attempts: 1 });
  await world.pass(HOUR_MS);
  expect((await world.mails()).filter(({ to }) => to === "ana@wattle.example")).toHaveLength(1);
  const last = await promise(LAST);
  await world.deliver("dead-letters", { jobId: last, v: 1 });
  expect(await jobOf(last)).toMatchObject({ status: "failed", sealedPayload: expect.stringMatching(/^e1\./) });
  expect(await acts("job.given_up")).toMatchObject([{ entityId: last }]);
});

test("while the queues deliver nothing, the schedule runs a job within a minute of its time", async () => {
  const { world, promise, jobOf } = await anOffice();
  await peek.update(outbox).set({ status: "done" }).where(eq(outbox.status, "pending"));
  const id = await promise();
  const { dueAt = 0 } = (await jobOf(id)) ?? {};
  while ((await jobOf(id))?.status === "pending" && world.clock.now() < dueAt + 2 * MINUTE_MS) {
    world.clock.advance(SWEEP_EVERY_MS);
    await sweepDueJobs(world);
    await runUndelivered(world);
    world.sent.length = 0;
  }
  expect(world.clock.now() - dueAt).toBeLessThanOrEqual(MINUTE_MS);
  expect((await world.mails()).filter(({ to }) => to === "ana@wattle.example")).toHaveLength(1);
  expect((await jobOf(id))?.status).toBe("done");
});

test("jobs that every consumer dies with keep no other from being run by the schedule", async () => {
  const { world, promise, jobOf } = await anOffice();
  await peek.update(outbox).set({ status: "done" }).where(eq(outbox.status, "pending"));
  const dead = [];
  for (let count = 0; count < 6; count++) dead.push(await promise());
  const leased = { leaseId: "of-the-dead", leaseUntil: world.clock.now() };
  await peek.update(outbox).set(leased).where(inArray(outbox.id, dead));
  world.clock.advance(MINUTE_MS);
  const id = await promise();
  world.clock.advance(MINUTE_MS);
  const [first] = await listUndelivered(world);
  expect(first?.id).toBe(id);
  await runUndelivered(world);
  expect((await jobOf(id))?.status).toBe("done");
});
