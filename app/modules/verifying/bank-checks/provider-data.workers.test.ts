import { outbox, providerUsers } from "@db/database";
import { and, asc, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { UpstreamError } from "~/kernel/app-error";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { sweepDueJobs } from "~/modules/core/commands/outbox.server";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import {
  aCase,
  aPayeeAtTheBank,
  aStartedCheck,
  type Case,
  linkInMail,
  PAYEE_ORIGIN,
  readCheckJob,
  readChecks,
} from "../../../../tests/support/bank-checks";
import { dyingConnection } from "../../../../tests/support/lost-connections";
import { peek } from "../../../../tests/support/payees";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { startCheckWithPayee } from "./bank-consent.server";
import { storeBankEvent } from "./bank-events.server";
import { deleteOrphans, LONGEST_LOOK_BACK_MS } from "./provider-data.server";
import { startBankDataCheck } from "./start-bank-check.server";

/** The ways in which a user may be left at the provider, and how each is cleaned up. */

const isThere = (world: World, providerUserId: string) =>
  world.bankData.getProgress(providerUserId).then(
    () => true,
    (error) => (error.kind === "rejected" ? false : Promise.reject(error)),
  );

/** The provider's users that still exist. */
async function usersLeft(world: World): Promise<string[]> {
  const created = await world.bankData.listCreatedUsers(0);
  return created.map(({ providerUserId }) => providerUserId);
}

const anOrphan = async (world: World) =>
  (await world.bankData.createUser({ email: "payee@example.com" }, "answer lost")).providerUserId;

/**
 * The users of one check that our rows still count as existing at the provider; null: the provider's response never
 * arrived.
 */
async function recordsLeft(checkId = ""): Promise<(string | null)[]> {
  const rows = await peek
    .select()
    .from(providerUsers)
    .where(eq(providerUsers.checkId, checkId))
    .orderBy(asc(providerUsers.id));
  return rows.filter(({ goneAt }) => goneAt === null).map(({ providerUserId }) => providerUserId);
}

/** The provider's events mention nobody: they are late, lost, or older than seven days. */
const withoutEvents = (world: World): World => ({
  ...world,
  bankData: { ...world.bankData, listCreatedUsers: async () => [] },
});

/** Delivers only the jobs about these subjects, because tests share one database. */
async function deliverDue(world: World, subjectIds: string[]): Promise<number> {
  const jobs = await world.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(inArray(outbox.subjectId, subjectIds), eq(outbox.status, "pending")));
  for (const { id } of jobs) await world.deliver("bank-checks", { jobId: id, v: 1 });
  return jobs.length;
}

test("a user whose making was never answered is deleted by the schedule, although no event came", async () => {
  const world = aWorld();
  const person = await aStartedCheck(world);
  const [check] = await readChecks(world, person);
  // Clears what other tests left, because tests share one database.
  while ((await deleteOrphans(world)) > 0);
  const orphan = await anOrphan(world);
  expect(await deleteOrphans(world)).toBe(0);
  world.clock.advance(HOUR_MS);
  while ((await deleteOrphans(world)) > 0);
  expect(await isThere(world, orphan)).toBe(false);
  expect(await isThere(world, check?.providerUserId ?? "")).toBe(true);
  expect(await deleteOrphans(world)).toBe(0);
});

test("an orphan of an outage of days is found as far back as the provider tells, and no further", async () => {
  const world = aWorld();
  // Other tests may have left more, because tests share one database.
  const deleteAll = async (lookBack?: number) => {
    while ((await deleteOrphans(world, lookBack)) > 0);
  };
  const orphan = await anOrphan(world);
  world.clock.advance(LONGEST_LOOK_BACK_MS - MINUTE_MS);
  await deleteAll();
  expect(await isThere(world, orphan)).toBe(true);
  await deleteAll(LONGEST_LOOK_BACK_MS);
  expect(await isThere(world, orphan)).toBe(false);
  const older = await anOrphan(world);
  world.clock.advance(LONGEST_LOOK_BACK_MS);
  await deleteAll(LONGEST_LOOK_BACK_MS);
  expect(await isThere(world, older)).toBe(true);
});

test("an orphan whom the provider will not delete is left to a job, which goes on after its events are gone", async () => {
  const world = aWorld();
  const orphan = await anOrphan(world);
  const other = await anOrphan(world);
  world.clock.advance(HOUR_MS);
  await world.fault({ party: "basiq", fault: "500", times: 40, path: `/users/${orphan}` });
  expect(await deleteOrphans(world)).toBe(1);
  expect(await isThere(world, other)).toBe(false);
  // It is counted once, however often it is found.
  expect(await deleteOrphans(world)).toBe(0);
  const jobs = await world.db.select().from(outbox).where(eq(outbox.subjectId, orphan));
  expect(jobs.map(({ kind, status }) => [kind, status])).toEqual([["bank_user", "pending"]]);
  for (let day = 0; day < 8; day++) {
    world.clock.advance(DAY_MS);
    await deliverDue(world, [orphan]);
  }
  await world.clearFaults();
  expect(await isThere(world, orphan)).toBe(true);
  world.clock.advance(DAY_MS);
  await deliverDue(world, [orphan]);
  expect(await isThere(world, orphan)).toBe(false);
  expect(await deliverDue(world, [orphan])).toBe(0);
});

test("a job that is to delete a user whom a check has claimed by now leaves them to the check", async () => {
  const world = aWorld();
  const person = await aStartedCheck(world);
  const user = (await readChecks(world, person))[0]?.providerUserId ?? "";
  const id = world.ids.next();
  await world.db.insert(outbox).values({
    id,
    kind: "bank_user",
    queue: "bank-checks",
    subjectId: user,
    dueAt: world.clock.now(),
    createdAt: world.clock.now(),
  });
  await deliverDue(world, [user]);
  expect(await isThere(world, user)).toBe(true);
  expect(await deliverDue(world, [user])).toBe(0);
});

test("an event of a user nobody has claimed is looked at once, an hour later; one of ours is left alone", async () => {
  const world = aWorld();
  const person = await aStartedCheck(world);
  const [check] = await readChecks(world, person);
  const own = check?.providerUserId ?? "";
  const orphan = await anOrphan(world);
  for (const [user, type] of [
    [own, "user.created"],
    [orphan, "connection.created"],
  ] as const) {
    const eventId = world.ids.next();
    const { getEvent } = world.bankData;
    world.bankData.getEvent = async (id) =>
      id === eventId ? { eventId, eventType: type, providerUserId: user } : getEvent(id);
    await storeBankEvent(world, { eventId, eventTypeId: type });
    await world.drain();
    await world.pass(HOUR_MS + MINUTE_MS);
    const [job] = await world.db.select().from(outbox).where(eq(outbox.subjectId, eventId));
    expect(job?.status).toBe("done");
  }
  expect(await isThere(world, own)).toBe(true);
  expect(await isThere(world, orphan)).toBe(false);
});

test.each(["before", "after"] as const)(
  "a check that dies %s its user is written leaves nobody once the schedules have run",
  async (when) => {
    for (const batch of [1, 2, 3, 4]) {
      const world = aWorld();
      const started = await aCase(world);
      await startBankDataCheck(world, started.actor, started);
      world.sent.length = 0;
      const { id } = await readCheckJob(world, started);
      // The process is killed, so no clean-up code runs either.
      const killed = { ...world, db: dyingConnection(world.db, { when, batch }) };
      killed.bankData = { ...world.bankData, deleteUser: () => Promise.reject(new Error("killed")) };
      await world.deliver("bank-checks", { jobId: id, v: 1 }, killed);
      world.clock.advance(2 * MINUTE_MS);
      await world.deliver("bank-checks", { jobId: id, v: 1 });
      world.clock.advance(HOUR_MS);
      await deleteOrphans(world);
      const [check] = await readChecks(world, started);
      expect(await usersLeft(world)).toEqual([check?.providerUserId]);
      expect(await recordsLeft(check?.id)).toEqual([check?.providerUserId]);
    }
  },
);

test("a user whom neither the check nor the provider's answer keeps is deleted by a job", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  const { id } = await readCheckJob(world, started);
  world.sent.length = 0;
  const { createUser } = world.bankData;
  const raced = {
    ...world,
    bankData: {
      ...world.bankData,
      async createUser(...of: Parameters<typeof createUser>) {
        const made = await createUser(...of);
        const review = { approved: false, reason: "Manual rejection" } as const;
        await reviewVerification(world, started.actor, { verificationId: started.verificationId, review });
        return made;
      },
    },
  };
  await world.fault({ party: "basiq", fault: "503", times: 1, path: "/users/" });
  await world.deliver("bank-checks", { jobId: id, v: 1 }, raced);
  const [left = ""] = await usersLeft(world);
  expect(left).not.toBe("");
  await world.pass(MINUTE_MS);
  expect(await usersLeft(world)).toEqual([]);
});

test("a payee whose check cannot be written at the press of their button leaves no user", async () => {
  const world = aWorld();
  const person = await aCase(world);
  await sendPayeeLink(world, person.actor, person);
  await world.drain();
  const link = await linkInMail(world);
  // The first two batches store the request and the response; the third is the check.
  const db = dyingConnection(world.db, { when: "before", batch: 3, times: 1 });
  await expect(startCheckWithPayee({ ...world, db }, PAYEE_ORIGIN, link)).rejects.toThrow();
  expect(await usersLeft(world)).toEqual([]);
  // The check was written and only the response was lost, so the user belongs to the check.
  const lost = dyingConnection(world.db, { when: "after", batch: 3 });
  await startCheckWithPayee({ ...world, db: lost }, PAYEE_ORIGIN, link).catch(() => {});
  const [check] = await readChecks(world, person);
  expect(await usersLeft(world)).toEqual([check?.providerUserId]);
});

const reject = (world: World, of: Case) =>
  reviewVerification(world, of.actor, {
    verificationId: of.verificationId,
    review: { approved: false, reason: "Manual rejection" },
  });

test.each<[string, (world: World, of: Case) => Promise<unknown>]>([
  ["rejected", reject],
  [
    "approved",
    (world, of) =>
      reviewVerification(world, of.actor, {
        verificationId: of.verificationId,
        review: { approved: true, addToGlobalWhitelist: false, reason: "Called them on a known number" },
      }),
  ],
  [
    "superseded by other details",
    (world, of) => editPayee(world, of.actor, { payeeId: of.payeeId, patch: { accountNumber: "87654321" } }),
  ],
  ["archived", (world, of) => archivePayee(world, of.actor, of.payeeId)],
])("a check whose payee is %s while they are asked is over at once at the provider too", async (_, act) => {
  const world = aWorld();
  const person = await aStartedCheck(world);
  const own = (await readChecks(world, person))[0]?.id ?? "";
  expect(await usersLeft(world)).toHaveLength(1);
  world.clock.advance(MINUTE_MS);
  await act(world, person);
  const job = await readCheckJob(world, person);
  expect(job).toMatchObject({ status: "pending", dueAt: world.clock.now(), sentAt: null });
  while ((await sweepDueJobs(world)) > 0);
  expect(world.sent.map(({ jobId }) => jobId)).toContain(job.id);
  await deliverDue(world, [own]);
  expect(await usersLeft(world)).toEqual([]);
});

test.each([
  ["500", "unavailable"],
  ["403", "rejected"],
] as const)(
  "a provider that answers %s to the deletion for days is asked on, and the log says so daily",
  async (status, kind) => {
    const world = aWorld();
    const person = await aPayeeAtTheBank(world);
    const own = (await readChecks(world, person))[0]?.id ?? "";
    const { deleteUser } = world.bankData;
    let asked = 0;
    world.bankData.deleteUser = async () => {
      asked++;
      throw new UpstreamError("basiq", kind, `HTTP ${status}`);
    };
    await world.completeAtBank(person.verificationId, "match");
    await world.drain();
    for (let hour = 0; hour < 30; hour++) {
      world.clock.advance(HOUR_MS);
      await deliverDue(world, [own]);
    }
    const inADay = asked;
    expect(inADay).toBeGreaterThan(15);
    for (let day = 0; day < 10; day++) {
      world.clock.advance(DAY_MS);
      await deliverDue(world, [own]);
    }
    expect(asked - inADay).toBeLessThanOrEqual(10);
    const kept = world.log.lines.filter(({ event }) => event === "bank_check.provider_data_kept");
    expect(kept.length).toBeGreaterThan(5);
    expect((await readCheckJob(world, person)).status).toBe("pending");
    world.bankData.deleteUser = deleteUser;
    world.clock.advance(DAY_MS);
    await deliverDue(world, [own]);
    expect(await usersLeft(world)).toEqual([]);
    expect((await readCheckJob(world, person)).status).toBe("done");
  },
);

test("a dead letter of a check that is over does not keep the user at the provider", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.fault({ party: "basiq", fault: "500", times: 1, path: "/users/" });
  await reject(world, person);
  const job = await readCheckJob(world, person);
  await world.deliver("dead-letters", { jobId: job.id, v: 1 });
  expect((await readCheckJob(world, person)).status).toBe("pending");
  world.clock.advance(MINUTE_MS);
  await world.clearFaults();
  await world.deliver("bank-checks", { jobId: job.id, v: 1 });
  expect(await usersLeft(world)).toEqual([]);
  expect((await readCheckJob(world, person)).status).toBe("done");
});

test("a dead letter of the deletion of an orphan does not keep them either", async () => {
  const world = aWorld();
  const orphan = await anOrphan(world);
  world.clock.advance(HOUR_MS);
  await world.fault({ party: "basiq", fault: "500", times: 1, path: `/users/${orphan}` });
  await deleteOrphans(world);
  world.clock.advance(MINUTE_MS);
  const [job] = await world.db.select().from(outbox).where(eq(outbox.subjectId, orphan));
  await world.deliver("dead-letters", { jobId: job?.id, v: 1 });
  world.clock.advance(MINUTE_MS);
  await deliverDue(world, [orphan]);
  expect(await isThere(world, orphan)).toBe(false);
});

test("a user is written down before the provider is asked, and again before the check claims them", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  world.sent.length = 0;
  const { id, subjectId } = await readCheckJob(world, started);
  const seen: (string | null)[][] = [];
  const { createUser } = world.bankData;
  const watched = {
    ...world,
    bankData: {
      ...world.bankData,
      async createUser(...of: Parameters<typeof createUser>) {
        seen.push(await recordsLeft(subjectId ?? ""));
        return createUser(...of);
      },
    },
  };
  await world.deliver("bank-checks", { jobId: id, v: 1 }, watched);
  const [check] = await readChecks(world, started);
  expect(seen).toEqual([[null]]);
  expect(await recordsLeft(check?.id)).toEqual([check?.providerUserId]);
});

test("a crash before the check claims its user is found in our own rows, without any event of the provider", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  world.sent.length = 0;
  const { id } = await readCheckJob(world, started);
  const killed = { ...world, db: dyingConnection(world.db, { when: "after", batch: 2 }) };
  killed.bankData = { ...world.bankData, deleteUser: () => Promise.reject(new Error("killed")) };
  await world.deliver("bank-checks", { jobId: id, v: 1 }, killed);
  const [left = ""] = await usersLeft(world);
  await reject(world, started);
  const silent = withoutEvents(world);
  expect(await deleteOrphans(silent)).toBe(0);
  world.clock.advance(HOUR_MS);
  expect(await deleteOrphans(silent)).toBe(1);
  expect(await isThere(world, left)).toBe(false);
  expect(await deleteOrphans(silent)).toBe(0);
});

test("an answer that is lost leaves a request that the next look at the events settles", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  world.sent.length = 0;
  const { id, subjectId } = await readCheckJob(world, started);
  await world.fault({ party: "basiq", fault: "lost_acknowledgement", times: 1, path: "/users" });
  await world.deliver("bank-checks", { jobId: id, v: 1 });
  await reject(world, started);
  expect(await recordsLeft(subjectId ?? "")).toEqual([null]);
  expect(await usersLeft(world)).toHaveLength(1);
  world.clock.advance(HOUR_MS);
  expect(await deleteOrphans(world)).toBe(1);
  expect(await usersLeft(world)).toEqual([]);
  expect(await recordsLeft(subjectId ?? "")).toEqual([]);
});

test("a request whose answer never came, and that no event tells of in seven days, is an error in the log", async () => {
  const world = aWorld();
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  world.sent.length = 0;
  const { id, subjectId } = await readCheckJob(world, started);
  await world.fault({ party: "basiq", fault: "lost_acknowledgement", times: 1, path: "/users" });
  await world.deliver("bank-checks", { jobId: id, v: 1 });
  world.clock.advance(LONGEST_LOOK_BACK_MS + MINUTE_MS);
  await deleteOrphans(withoutEvents(world), LONGEST_LOOK_BACK_MS);
  const lost = world.log.lines.filter(({ event }) => event === "bank_check.user_unknown");
  expect(lost).toHaveLength(1);
  expect(lost[0]).toMatchObject({ level: "error" });
  expect(await recordsLeft(subjectId ?? "")).toContain(null);
});

test("a user of a check that was over long ago, and whom no job is about to delete, is found in our own rows", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  const [check] = await readChecks(world, person);
  await reject(world, person);
  const job = await readCheckJob(world, person);
  await world.db.update(outbox).set({ status: "done" }).where(eq(outbox.id, job.id));
  const silent = withoutEvents(world);
  world.clock.advance(HOUR_MS);
  expect(await deleteOrphans(silent)).toBe(0);
  world.clock.advance(DAY_MS);
  expect(await deleteOrphans(silent)).toBe(1);
  expect(await isThere(world, check?.providerUserId ?? "")).toBe(false);
  expect(await recordsLeft(check?.id)).toEqual([]);
});

test("a check that ends leaves no user at the provider and none in our rows", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  const [check] = await readChecks(world, person);
  await world.completeAtBank(person.verificationId, "match");
  await world.drain();
  expect(await usersLeft(world)).toEqual([]);
  expect(await recordsLeft(check?.id)).toEqual([]);
});
