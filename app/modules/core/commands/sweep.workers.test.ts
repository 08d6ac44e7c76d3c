import { outbox } from "@db/database";
import { and, eq, ne } from "drizzle-orm";
import { expect, test } from "vitest";
import { peek } from "../../../../tests/support/payees";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { LEASE_MS, SWEEP_EVERY_MS } from "./job";
import { claimJob, sweepDueJobs } from "./outbox.server";
import { enqueueJob } from "./run-command.server";

async function aJob(services: TestServices) {
  const id = services.ids.next();
  await services.db.batch([enqueueJob(services, { id, kind: "email", organizationId: null, subjectId: null })]);
  await peek
    .update(outbox)
    .set({ status: "done" })
    .where(and(ne(outbox.id, id), eq(outbox.status, "pending")));
  return id;
}

/** Milliseconds from a crash until a queue is told about the job and it can be claimed again. */
async function recoveryAfter(services: TestServices, jobId: string, crashAt: number): Promise<number> {
  for (let sweeps = 0; sweeps < 4; sweeps++) {
    services.sent.length = 0;
    await sweepDueJobs(services);
    const hint = services.sent.find((sent) => sent.jobId === jobId);
    if (hint) return services.clock.now() + (hint.delaySeconds ?? 0) * 1000 - crashAt;
    services.clock.advance(SWEEP_EVERY_MS);
  }
  throw new Error("nobody was told of the job");
}

test.each([1_000, 10_000, 20_000, 29_000])(
  "a job whose consumer died %i ms after a sweep is taken up again within a minute",
  async (sinceSweep) => {
    const services = testServices();
    const id = await aJob(services);
    await sweepDueJobs(services);
    services.clock.advance(sinceSweep);
    expect(await claimJob(services, id)).toBeDefined();
    const crashAt = services.clock.now();
    services.clock.advance(SWEEP_EVERY_MS - sinceSweep);
    const took = await recoveryAfter(services, id, crashAt);
    expect(took).toBeLessThanOrEqual(LEASE_MS + 1_000);
    services.clock.advance(Math.max(0, crashAt + took - services.clock.now()));
    expect(await claimJob(services, id)).toBeDefined();
  },
);

test("a job of which no queue was told, because of a crash after the commit, waits for one sweep at most", async () => {
  const services = testServices();
  const crashAt = services.clock.now();
  const id = await aJob(services);
  services.clock.advance(SWEEP_EVERY_MS);
  expect(await recoveryAfter(services, id, crashAt)).toBeLessThanOrEqual(SWEEP_EVERY_MS);
});
