import { bankChecks, bulkCheckPayees, bulkChecks, organizations, outbox, payees, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { MESSAGES_PER_DAY } from "~/kernel/limits";
import { claimJob, sweepDueJobs } from "~/modules/core/commands/outbox.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import type { Actor } from "~/services-and-actor";
import { aMember, anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { haveSent } from "../../../../tests/support/organizations";
import { alertsAbout, anAddedPayee, peek, refusal } from "../../../../tests/support/payees";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { advanceBulkCheck } from "./advance-bulk-check.server";
import type { BulkChoice } from "./bulk-check";
import { readBulkCheckPage } from "./bulk-check-page.server";
import { countPayeesToCheck, startBulkCheck, stopBulkCheck } from "./control-bulk-check.server";

/** A bulk check over the real queue, with the simulated bank-data provider and mailbox. */

const CHOICE: BulkChoice = { filter: "all", verified: "never", paid: "any" };

/** An admin of an organisation that has a subscription, or one on trial. */
async function someone(world: World, hasPaid = true): Promise<Actor> {
  const organization = await anOrganization(world);
  const paid = { firstPaidAt: world.clock.now(), subscriptionStatus: "active" } as const;
  if (hasPaid) await peek.update(organizations).set(paid).where(eq(organizations.id, organization.id));
  return aMember(world, { organization, role: "admin" });
}

async function payeesOf(world: World, actor: Actor, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await anAddedPayee(world, actor)).payeeId);
  return ids;
}

async function counted(world: World, actor: Actor, choice: Partial<BulkChoice> = {}): Promise<string> {
  const { bulkCheckId } = await countPayeesToCheck(world, actor, { ...CHOICE, ...choice });
  await world.drain();
  return bulkCheckId;
}

async function readIt(id: string) {
  const [row] = await peek.select().from(bulkChecks).where(eq(bulkChecks.id, id));
  if (!row) throw new Error("no bulk check");
  return row;
}

const checksOf = ({ organizationId }: Actor) =>
  peek.select().from(bankChecks).where(eq(bankChecks.organizationId, organizationId));
const askedOf = (id: string) => peek.select().from(bulkCheckPayees).where(eq(bulkCheckPayees.bulkCheckId, id));

test("payees are counted first, with cost and time, and asked in steps; a person's own checks are left alone", async () => {
  const world = aWorld();
  world.config.bankCheckCostCents = 55;
  const actor = await someone(world);
  const ids = await payeesOf(world, actor, 13);
  await peek
    .update(payees)
    .set({ email: null })
    .where(eq(payees.id, ids[0] ?? ""));
  const [own] = await peek
    .select()
    .from(verifications)
    .where(eq(verifications.payeeId, ids[1] ?? ""));
  await startBankDataCheck(world, actor, { verificationId: own?.id ?? "" });
  await world.drain();

  const id = await counted(world, actor);
  expect(await readIt(id)).toMatchObject({ status: "ready", payeeCount: 11, noContactCount: 1, underWayCount: 1 });
  expect(await checksOf(actor)).toHaveLength(1);
  const { check } = await readBulkCheckPage(world, actor, id, undefined);
  expect(check.sentences.join(" ")).toContain("charges $6.05: $0.55 for each payee");
  expect(check.sentences.join(" ")).toContain("takes about a minute. Your organisation may send 2,000 messages a day");

  await startBulkCheck(world, actor, id);
  await world.drain();
  expect(await readIt(id)).toMatchObject({ status: "running", askedCount: 10 });
  await world.pass(10_000);
  expect(await readIt(id)).toMatchObject({ status: "finished", askedCount: 11 });
  expect(await checksOf(actor)).toHaveLength(12);
  expect((await world.mails()).filter(({ text }) => text.includes("/verify/"))).toHaveLength(12);
  expect(await alertsAbout(world, actor.organizationId, "result_arrived")).toEqual([]);
  const { asked } = await readBulkCheckPage(world, actor, id, undefined);
  expect(asked.map(({ position, word }) => [position, word])[0]).toEqual([11, "Waiting for the payee"]);

  const again = await counted(world, actor);
  expect(await readIt(again)).toMatchObject({ payeeCount: 0, underWayCount: 12 });
});

test("a day's messages are not used up, and the check goes on when there is room again", async () => {
  const world = aWorld();
  const actor = await someone(world, false);
  await payeesOf(world, actor, 3);
  const createdAt = world.clock.now();
  await haveSent(world, actor.organizationId, MESSAGES_PER_DAY.trial * 0.8 - 2);
  const id = await counted(world, actor);
  await startBulkCheck(world, actor, id);
  await world.pass(30_000);
  expect(await readIt(id)).toMatchObject({ status: "running", askedCount: 2, waitsUntil: createdAt + DAY_MS });
  const { check } = await readBulkCheckPage(world, actor, id, undefined);
  expect(check.sentences.join(" ")).toContain("It continues");
  world.clock.advance(DAY_MS);
  // Other files leave due jobs in the shared database, more than one sweep handles, so only this check's jobs are
  // delivered.
  while ((await sweepDueJobs(world)) > 0);
  const own = (await peek.select({ id: outbox.id }).from(outbox).where(eq(outbox.subjectId, id))).map((job) => job.id);
  world.sent.splice(0, world.sent.length, ...world.sent.filter(({ jobId }) => own.includes(jobId)));
  await world.drain();
  expect(await readIt(id)).toMatchObject({ status: "finished", askedCount: 3, waitsUntil: null });
});

test.each(["before", "after"] as const)(
  "a consumer that dies %s a commit asks nobody twice and leaves nobody out",
  async (when) => {
    const world = aWorld();
    const actor = await someone(world);
    await payeesOf(world, actor, 3);
    const id = await counted(world, actor);
    await startBulkCheck(world, actor, id);
    const [job] = await peek
      .select()
      .from(outbox)
      .where(and(eq(outbox.subjectId, id), eq(outbox.status, "pending")));
    for (let round = 0; round < 3; round++) {
      const claimed = await claimJob(world, job?.id ?? "");
      if (!claimed) throw new Error("the job is not due");
      const dying = {
        ...world,
        db: losingConnection(world.db, when),
        queues: { send: () => Promise.reject(new Error("died")) },
      };
      await advanceBulkCheck(dying, claimed).catch(() => undefined);
      world.clock.advance(60_000);
      if ((await readIt(id)).status === "finished") break;
    }
    await world.drain();
    await world.pass(60_000);
    expect(await readIt(id)).toMatchObject({ status: "finished", askedCount: 3 });
    expect(await askedOf(id)).toHaveLength(3);
    expect(await checksOf(actor)).toHaveLength(3);
  },
);

test("two consumers of one job, and two checks at once: each payee is asked once", async () => {
  const world = aWorld();
  const actor = await someone(world);
  await payeesOf(world, actor, 4);
  const [first, second] = [await counted(world, actor), await counted(world, actor)];
  await startBulkCheck(world, actor, first);
  expect(await refusal(startBulkCheck(world, actor, second))).toMatchObject({ code: "CHANGED_MEANWHILE" });
  expect(await refusal(startBulkCheck(world, actor, first))).toMatchObject({ code: "CHANGED_MEANWHILE" });
  const [job] = await peek
    .select()
    .from(outbox)
    .where(and(eq(outbox.subjectId, first), eq(outbox.status, "pending")));
  const claimed = await claimJob(world, job?.id ?? "");
  if (!claimed) throw new Error("the job is not due");
  await Promise.all([advanceBulkCheck(world, claimed), advanceBulkCheck(world, claimed)]);
  await world.pass(60_000);
  expect(await checksOf(actor)).toHaveLength(4);
  expect(await readIt(first)).toMatchObject({ status: "finished", askedCount: 4 });
});

test("of chosen payees each one is answered for: asked, or why not", async () => {
  const world = aWorld();
  const actor = await someone(world);
  const [asked = "", silent = "", other = ""] = await payeesOf(world, actor, 3);
  await peek.update(payees).set({ email: null }).where(eq(payees.id, silent));
  const id = await counted(world, actor, { verified: "any", payeeIds: [asked, silent] });
  expect(await readIt(id)).toMatchObject({ status: "ready", payeeCount: 1, noContactCount: 1 });
  const words = async () => {
    const { asked: those, notAsked } = await readBulkCheckPage(world, actor, id, undefined);
    return [those.map(({ word }) => word), notAsked.map(({ payeeId, word }) => [payeeId, word])];
  };
  const why = [silent, "Cannot be asked: no email address and no mobile number"];
  expect(await words()).toEqual([[], [why, [asked, "Will be asked"]]]);
  await startBulkCheck(world, actor, id);
  await world.drain();
  expect(await readIt(id)).toMatchObject({ status: "finished", askedCount: 1 });
  expect(await words()).toEqual([["Waiting for the payee"], [why]]);
  expect(
    await refusal(countPayeesToCheck(world, await someone(world), { ...CHOICE, payeeIds: [other] })),
  ).toMatchObject({
    status: 400,
  });
});

test("a payee whose bank confirms the name is not told as a match where something speaks against paying", async () => {
  const world = aWorld();
  const actor = await someone(world);
  const ids = [
    (await anAddedPayee(world, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight Pty Ltd" })).payeeId,
    (await anAddedPayee(world, actor, { name: "Bowerbird Events", accountName: "Bowerbird Events Pty Ltd" })).payeeId,
  ];
  const bulkCheckId = await counted(world, actor, { payeeIds: ids });
  await startBulkCheck(world, actor, bulkCheckId);
  await world.drain();
  const held = { payeeId: "p", name: "Cassowary Cleaning", until: "2026-11-22T13:00:00.000Z", isArchived: false };
  for (const [at, payeeId] of ids.entries()) {
    const [row] = await peek.select().from(verifications).where(eq(verifications.payeeId, payeeId));
    if (!row?.evidence) throw new Error("nothing waits");
    const evidence = at === 0 ? row.evidence : { ...row.evidence, formerHolders: [held] };
    await peek
      .update(verifications)
      .set({ outcome: "match", nameMatchScore: 100, matchType: "exact", evidence })
      .where(eq(verifications.id, row.id));
  }
  const { asked } = await readBulkCheckPage(world, actor, bulkCheckId, undefined);
  const words = new Map(asked.map(({ name, word }) => [name, word]));
  expect(Object.fromEntries(words)).toEqual({
    "Kestrel Freight": "The names match",
    "Bowerbird Events": "Another payee's former account",
  });
});

test("a stopped check asks no further payee; another organisation neither sees nor stops it", async () => {
  const world = aWorld();
  const actor = await someone(world);
  await payeesOf(world, actor, 12);
  const id = await counted(world, actor);
  await startBulkCheck(world, actor, id);
  await world.drain();
  const stranger = await someone(world);
  expect(await refusal(stopBulkCheck(world, stranger, id))).toMatchObject({ status: 404 });
  await stopBulkCheck(world, actor, id);
  await world.pass(60_000);
  expect(await readIt(id)).toMatchObject({ status: "stopped", askedCount: 10 });
  expect(await checksOf(actor)).toHaveLength(10);
});
