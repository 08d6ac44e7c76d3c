import { auditLogs, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { UpstreamError } from "~/kernel/app-error";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { claimJob, sweepDueJobs } from "~/modules/core/commands/outbox.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Services } from "~/services-and-actor";
import {
  aCase,
  aPayeeAtTheBank,
  aStartedCheck,
  type Case,
  linkInMail,
  readCheckJob,
  readChecks,
  readVerification,
} from "../../../../tests/support/bank-checks";
import { dyingConnection, losingConnection } from "../../../../tests/support/lost-connections";
import { alertsAbout } from "../../../../tests/support/payees";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { recordBankReturn } from "./bank-consent.server";
import { startBankDataCheck } from "./start-bank-check.server";

const SECOND_MS = 1000;
/** Longer than a check keeps trying while the provider is down. */
const OUTAGE_MS = 60 * HOUR_MS;

const usersCreated = async (world: World) =>
  (await world.calls("/users")).filter(({ method, path }) => method === "POST" && path.endsWith("/users")).length;
const usersDeleted = async (world: World) =>
  (await world.calls("/users/")).filter(({ method, status }) => method === "DELETE" && status === 204).length;
const linkMails = async (world: World) =>
  (await world.mails()).filter(({ subject }) => subject.includes("asks you to confirm")).length;

/**
 * Sweeps until nothing is due, and delivers only this case's jobs: tests share one database, and other files leave more
 * jobs than one sweep handles.
 */
async function sweep(world: World, of: Case): Promise<void> {
  while ((await sweepDueJobs(world)) > 0);
  const { id } = await readCheckJob(world, of);
  const own = world.sent.filter((hint) => hint.jobId === id);
  world.sent.splice(0, world.sent.length, ...own);
  await world.drain();
}

async function countAudits({ db }: World, of: Case, action: string): Promise<number> {
  const rows = await db
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, of.organizationId),
        eq(auditLogs.entityType, "verification"),
        eq(auditLogs.entityId, of.verificationId),
        eq(auditLogs.action, action),
      ),
    );
  return rows.length;
}

test("a message delivered twice makes one provider user and sends one link", async () => {
  const world = aWorld();
  const started = await aStartedCheck(world);
  const { id } = await readCheckJob(world, started);
  await world.deliver("bank-checks", { jobId: id, v: 1 });
  await world.drain();
  expect(await usersCreated(world)).toBe(1);
  expect(await linkMails(world)).toBe(1);
});

test("of two consumers at once one does the work", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  const { id } = await readCheckJob(world, started);
  await Promise.all([1, 2, 3, 4].map(() => world.deliver("bank-checks", { jobId: id, v: 1 })));
  await world.drain();
  expect(await usersCreated(world)).toBe(1);
  expect(await linkMails(world)).toBe(1);
});

test("a consumer killed after it took the job is replaced once its lease is over", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  const { id } = await readCheckJob(world, started);
  world.sent.length = 0;
  expect(await claimJob(world, id)).toBeDefined();

  await world.deliver("bank-checks", { jobId: id, v: 1 });
  expect(await usersCreated(world)).toBe(0);
  world.clock.advance(61 * SECOND_MS);
  await sweep(world, started);
  expect(await usersCreated(world)).toBe(1);
  expect((await readChecks(world, started))[0]?.step).toBe("awaiting_payee");
});

test("a message the queue lost with its process is sent again by the sweep", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  world.sent.length = 0;
  world.clock.advance(31 * SECOND_MS);
  await sweep(world, started);
  expect(await linkMails(world)).toBe(1);
});

test("a consumer whose lease was given away meanwhile changes nothing, and its provider user goes", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  world.sent.length = 0;
  const { id } = await readCheckJob(world, started);
  const slow: Services = {
    ...world,
    bankData: {
      ...world.bankData,
      async createUser(person, reference) {
        const made = await world.bankData.createUser(person, reference);
        world.clock.advance(61 * SECOND_MS);
        await world.deliver("bank-checks", { jobId: id, v: 1 });
        return made;
      },
    },
  };
  await world.deliver("bank-checks", { jobId: id, v: 1 }, slow);
  await world.drain();
  expect(await usersCreated(world)).toBe(2);
  expect(await usersDeleted(world)).toBe(1);
  expect(await linkMails(world)).toBe(1);
  const [check] = await readChecks(world, started);
  await expect(world.bankData.getProgress(check?.providerUserId ?? "")).resolves.toEqual({ state: "waiting" });
});

test("a database that fails after the provider made the user leaves neither a second user nor a lost check", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  world.sent.length = 0;
  const { id } = await readCheckJob(world, started);
  // The request was stored, but the provider's answer cannot be.
  const broken = dyingConnection(world.db, { when: "before", batch: 2 });
  const { retried } = await world.deliver("bank-checks", { jobId: id, v: 1 }, { ...world, db: broken });
  expect(retried).toBe(1);
  expect(await usersDeleted(world)).toBe(1);
  world.clock.advance(61 * SECOND_MS);
  await sweep(world, started);
  expect((await readChecks(world, started))[0]?.step).toBe("awaiting_payee");
  expect(await linkMails(world)).toBe(1);
});

test.each(["before", "after"] as const)("a connection lost %s the commit of the link sends one link", async (when) => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  world.sent.length = 0;
  const { id } = await readCheckJob(world, started);
  await world.deliver("bank-checks", { jobId: id, v: 1 }, { ...world, db: losingConnection(world.db, when) });
  await world.drain();
  expect(await usersDeleted(world)).toBe(0);
  expect(await linkMails(world)).toBe(1);
  expect((await readChecks(world, started))[0]?.step).toBe("awaiting_payee");
});

test.each(["before", "after"] as const)(
  "a connection lost %s the commit of the result keeps one result",
  async (when) => {
    const world = aWorld();
    const person = await aPayeeAtTheBank(world);
    world.lose.webhooks = true;
    await world.completeAtBank(person.verificationId, "match");
    await recordBankReturn(world, { state: person.state });
    world.sent.length = 0;
    const { id } = await readCheckJob(world, person);
    await world.deliver("bank-checks", { jobId: id, v: 1 }, { ...world, db: losingConnection(world.db, when) });
    await world.drain();
    expect((await readVerification(world, person)).outcome).toBe("match");
    expect(await countAudits(world, person, "verification.bank_check_finished")).toBe(1);
    expect(await alertsAbout(world, person.organizationId, "result_arrived")).toHaveLength(1);
  },
);

test("a provider that asks for patience is asked again when it said, and not before", async () => {
  const world = aWorld();
  await world.fault({ party: "basiq", fault: "429", times: 1, path: "/users", retryAfter: 120 });
  const started = await aStartedCheck(world);
  expect((await readCheckJob(world, started)).dueAt).toBe(world.clock.now() + 120 * SECOND_MS);
  await world.pass(119 * SECOND_MS);
  expect(await usersCreated(world)).toBe(1);
  await world.pass(2 * SECOND_MS);
  expect(await usersCreated(world)).toBe(2);
  expect(await linkMails(world)).toBe(1);
});

test.each(["500", "503", "401", "malformed", "truncated", "empty", "lost_acknowledgement"])(
  "a provider that answers with %s once is asked again",
  async (fault) => {
    const world = aWorld();
    await world.fault({ party: "basiq", fault, times: 1, path: "/users" });
    const started = await aStartedCheck(world);
    await world.pass(MINUTE_MS);
    expect((await readChecks(world, started))[0]).toMatchObject({ step: "awaiting_payee", finishedAt: null });
    expect(await linkMails(world)).toBe(1);
  },
);

test("a provider that does not answer in time is asked again", async () => {
  const world = aWorld({ timeoutMs: 40 });
  await world.fault({ party: "basiq", fault: "timeout", times: 1, path: "/users" });
  const started = await aStartedCheck(world);
  expect((await readCheckJob(world, started)).attempts).toBe(1);
  await world.pass(MINUTE_MS);
  expect(await linkMails(world)).toBe(1);
});

test.each(["500", "malformed", "wrong_tenant", "empty", "truncated"])(
  "accounts that come back as %s for good end as unable, never as a word against the payee",
  async (fault) => {
    const world = aWorld();
    const person = await aPayeeAtTheBank(world);
    await world.fault({ party: "basiq", fault, times: 1000, path: "/accounts" });
    await world.completeAtBank(person.verificationId, "match");
    await world.pass(fault === "500" ? OUTAGE_MS : 30 * MINUTE_MS);
    expect(await readVerification(world, person)).toMatchObject({
      status: "pending",
      outcome: "unable",
      reasonCode: "provider_unavailable",
      resultData: null,
    });
    expect(await usersDeleted(world)).toBe(1);

    await world.clearFaults();
    await startBankDataCheck(world, person.actor, person);
    expect(await readVerification(world, person)).toMatchObject({ outcome: null, reasonCode: null });
    await world.drain();
    await world.completeAtBank(person.verificationId, "match");
    await world.drain();
    expect((await readVerification(world, person)).outcome).toBe("match");
  },
);

test("a provider that never creates the user ends the check as unable, and it can be started again", async () => {
  const world = aWorld();
  await world.fault({ party: "basiq", fault: "500", times: 1000, path: "/users" });
  const started = await aStartedCheck(world);
  await world.pass(OUTAGE_MS);
  const [first] = await readChecks(world, started);
  expect(first).toMatchObject({ step: "finished", outcome: "unable", reasonCode: "provider_unavailable" });
  await world.clearFaults();
  const second = await startBankDataCheck(world, started.actor, started);
  expect(second.checkId).not.toBe(first?.id);
  await world.drain();
  expect(await linkMails(world)).toBe(1);
});

test("an outage while nobody has been at the bank only delays the next look", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.fault({ party: "basiq", fault: "503", times: 12, path: "/jobs" });
  await world.pass(20 * MINUTE_MS);
  expect((await readChecks(world, person))[0]?.finishedAt).toBeNull();
  await world.clearFaults();
  await world.completeAtBank(person.verificationId, "match");
  await world.drain();
  expect((await readVerification(world, person)).outcome).toBe("match");
});

test("a check whose webhooks and return are all lost is found by its own looks", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  world.lose.webhooks = true;
  await world.completeAtBank(person.verificationId, "close");
  await world.pass(6 * MINUTE_MS);
  expect((await readVerification(world, person)).outcome).toBe("close_match");
});

test("a bank that never finishes ends as unable half an hour after the payee's return", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.completeAtBank(person.verificationId, "never");
  await recordBankReturn(world, { state: person.state });
  await world.pass(29 * MINUTE_MS);
  expect((await readVerification(world, person)).outcome).toBeNull();
  await world.pass(3 * MINUTE_MS);
  expect(await readVerification(world, person)).toMatchObject({
    status: "pending",
    outcome: "unable",
    reasonCode: "provider_timeout",
  });
});

test("a payee who never answers lets the link expire after seven days, which says nothing about them", async () => {
  const world = aWorld();
  const started = await aStartedCheck(world);
  await world.pass(2 * HOUR_MS);
  world.clock.advance(7 * DAY_MS - 4 * HOUR_MS);
  await world.pass(2 * HOUR_MS - MINUTE_MS);
  expect((await readVerification(world, started)).outcome).toBeNull();
  await world.pass(2 * MINUTE_MS);
  expect(await readVerification(world, started)).toMatchObject({
    status: "pending",
    outcome: "unable",
    reasonCode: "link_expired",
  });
  expect(await usersDeleted(world)).toBe(1);
});

test("a decision made while the check runs stands, and the result is dropped", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await reviewVerification(world, person.actor, {
    verificationId: person.verificationId,
    review: { approved: false, reason: "Called: they closed the account" },
  });
  await world.completeAtBank(person.verificationId, "match");
  await world.pass(HOUR_MS);
  const row = await readVerification(world, person);
  expect(row).toMatchObject({ status: "rejected", outcome: null, resultData: null });
  expect(await countAudits(world, person, "verification.bank_check_finished")).toBe(0);
  expect(await usersDeleted(world)).toBe(1);
  expect((await readCheckJob(world, person)).status).toBe("done");
});

test("a decision that lands between the bank's answer and the result wins", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  world.lose.webhooks = true;
  await world.completeAtBank(person.verificationId, "closed");
  await recordBankReturn(world, { state: person.state });
  world.sent.length = 0;
  const { id } = await readCheckJob(world, person);
  const raced: Services = {
    ...world,
    bankData: {
      ...world.bankData,
      async getSharedData(providerUserId) {
        const shared = await world.bankData.getSharedData(providerUserId);
        await reviewVerification(world, person.actor, {
          verificationId: person.verificationId,
          review: { approved: true, addToGlobalWhitelist: false },
        });
        return shared;
      },
    },
  };
  await world.deliver("bank-checks", { jobId: id, v: 1 }, raced);
  expect(await readVerification(world, person)).toMatchObject({ status: "verified", outcome: null });
  expect((await readCheckJob(world, person)).status).toBe("done");
  expect(await usersDeleted(world)).toBe(1);
});

test("a provider that will not delete keeps nobody from the result, and is asked until it does", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.completeAtBank(person.verificationId, "match");
  const { deleteUser } = world.bankData;
  let refusals = 10;
  world.bankData.deleteUser = async (providerUserId) => {
    if (refusals-- > 0) throw new UpstreamError("basiq", "unavailable", "HTTP 503");
    await deleteUser(providerUserId);
  };
  await world.drain();
  expect((await readVerification(world, person)).outcome).toBe("match");
  expect((await readCheckJob(world, person)).status).toBe("pending");
  await world.pass(6 * HOUR_MS);
  expect((await readCheckJob(world, person)).status).toBe("done");
  expect(await usersDeleted(world)).toBe(1);
});

test("an unable ending never takes the place of a result that said something", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.completeAtBank(person.verificationId, "no_match");
  await world.drain();
  await startBankDataCheck(world, person.actor, person);
  await world.drain();
  await world.completeAtBank(person.verificationId, "outage");
  await world.drain();
  expect((await readChecks(world, person))[0]).toMatchObject({ outcome: "unable" });
  expect(await readVerification(world, person)).toMatchObject({ outcome: "no_match", matchType: "none" });
});

test("what the provider charges is added up over the tries that reached the bank", async () => {
  const world = aWorld();
  world.config.bankCheckCostCents = 55;
  const person = await aPayeeAtTheBank(world);
  await world.completeAtBank(person.verificationId, "outage");
  await world.drain();
  await startBankDataCheck(world, person.actor, person);
  await world.drain();
  await world.completeAtBank(person.verificationId, "match");
  await world.drain();
  expect((await readVerification(world, person)).cost).toBe(110);
});

test("a link that is not used ends its check without a charge", async () => {
  const world = aWorld();
  world.config.bankCheckCostCents = 55;
  const started = await aStartedCheck(world);
  expect((await linkInMail(world)).vid).toBe(started.verificationId);
  await world.db
    .update(verifications)
    .set({ verificationTokenExpiresAt: world.clock.now() + MINUTE_MS })
    .where(and(eq(verifications.organizationId, started.organizationId), eq(verifications.id, started.verificationId)));
  await world.pass(6 * MINUTE_MS);
  expect(await readVerification(world, started)).toMatchObject({ reasonCode: "link_expired", cost: 0 });
});
