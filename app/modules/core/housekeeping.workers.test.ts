import {
  alerts,
  counters,
  emailChanges,
  idempotencyKeys,
  knownDevices,
  lostEntries,
  lostMessages,
  lostPayments,
  outbox,
  outsideMessages,
  payees,
  providerUsers,
  rateCounters,
  sentMessages,
  sessions,
  tokens,
  usedPasskeyChallenges,
  verifications,
  walkCursors,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "@db/database";
import { saveWalk } from "@db/walk";
import { and, eq, gte, like, lt, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { aMember, anOrganization } from "../../../tests/support/factories";
import { peek } from "../../../tests/support/payees";
import { aPayment } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { aPendingVerification, changePayee, changeVerification } from "../../../tests/support/verifications";
import { reconcileCounters, removeExpiredRows } from "./housekeeping.server";

/** Recounts every organisation, wherever earlier nights stopped. */
async function countAll(services: ReturnType<typeof testServices>): Promise<number> {
  await services.db.delete(walkCursors);
  return reconcileCounters(services);
}

test("what is over is removed, what is not stays, and the second run finds nothing", async () => {
  const services = testServices();
  const { db, ids, clock } = services;
  const { userId, organizationId } = await aMember(services);
  const now = clock.now();
  const [over, current] = [ids.next(), ids.next()];
  const outboxRow = { queue: "jobs", kind: "email", organizationId, dueAt: now, createdAt: now } as const;
  const tokenRow = { kind: "invitation", email: "a@b.example", createdAt: now } as const;
  for (const [id, age] of [
    [over, 100 * DAY_MS],
    [current, -DAY_MS],
  ] as const) {
    await db.batch([
      db.insert(sessions).values({ id, userId, createdAt: now, lastSeenAt: now, expiresAt: now - age }),
      db.insert(tokens).values({ ...tokenRow, id, tokenHash: id, expiresAt: now - age }),
      db.insert(emailChanges).values({
        id,
        userId,
        oldEmail: "a@b.example",
        newEmail: "c@d.example",
        oldTokenHash: `${id}-old`,
        newTokenHash: `${id}-new`,
        createdAt: now,
        expiresAt: now - age,
        endedAt: now,
      }),
      db.insert(usedPasskeyChallenges).values({ challengeHash: id, expiresAt: now - age }),
      db.insert(knownDevices).values({ userId, deviceHash: id, firstSeenAt: now, lastSeenAt: now - 4 * age }),
      db.insert(alerts).values({
        id,
        userId,
        organizationId,
        event: "payment_held",
        auditId: id,
        title: "Payment held",
        body: "It needs a decision.",
        inApp: true,
        createdAt: now - 4 * age,
      }),
      db
        .insert(outsideMessages)
        .values({ id, organizationId, kind: "invitation", recipientHash: id, createdAt: now - 4 * age }),
      db
        .insert(sentMessages)
        .values({ key: id, channel: "email", jobId: id, status: "sent", sentAt: now - age, statusAt: now - age }),
      db.insert(webhookEndpoints).values({
        id,
        organizationId,
        url: "https://hooks.harbour.example",
        events: [],
        status: "paused",
        sealedSecret: "sealed",
        activeSince: now,
        createdAt: now,
        updatedAt: now,
      }),
      db.insert(webhookDeliveries).values({
        id,
        organizationId,
        endpointId: id,
        eventId: id,
        eventType: "payee.added",
        payload: "{}",
        status: "delivered",
        createdAt: now - age,
      }),
      db.insert(providerUsers).values({ id, checkId: id, requestedAt: now - 4 * age, goneAt: now - 4 * age }),
      db.insert(rateCounters).values({ key: id, count: 1, windowEndsAt: now - age }),
      db
        .insert(idempotencyKeys)
        .values({ organizationId, key: id, requestHash: "h", response: {}, createdAt: now - age }),
      db.insert(outbox).values({ ...outboxRow, id, status: "done", finishedAt: now - age }),
      db
        .insert(lostEntries)
        .values({ organizationId, entryId: id, restoreId: id, action: "payment.recorded", createdAt: now - 4 * age }),
      db.insert(lostPayments).values({
        ...{ organizationId, paymentId: id, restoreId: id, accountFingerprint: id, amount: 1 },
        createdAt: now - 4 * age,
      }),
      db.insert(lostMessages).values({ digest: id, restoreId: id, sentAt: now - 4 * age }),
      db.insert(webhookEvents).values({ provider: "basiq", eventId: id, eventType: "t", receivedAt: now - age }),
    ]);
  }
  const unfinished = ids.next();
  await db.insert(outbox).values({ ...outboxRow, id: unfinished, createdAt: now - 400 * DAY_MS });
  const givenUp = { status: "failed" as const, sealedPayload: "e1.a.b", finishedAt: now - 8 * DAY_MS };
  await db.insert(outbox).values({ ...outboxRow, ...givenUp, id: ids.next() });

  const removed = await removeExpiredRows(services);
  for (const count of Object.values(removed)) expect(count).toBeGreaterThanOrEqual(1);
  const left = await Promise.all([
    db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId)),
    db.select({ id: tokens.id }).from(tokens).where(eq(tokens.tokenHash, current)),
    db.select({ id: emailChanges.id }).from(emailChanges).where(eq(emailChanges.id, current)),
    db.select({ id: knownDevices.deviceHash }).from(knownDevices).where(eq(knownDevices.userId, userId)),
    db
      .select({ id: usedPasskeyChallenges.challengeHash })
      .from(usedPasskeyChallenges)
      .where(eq(usedPasskeyChallenges.challengeHash, current)),
    db.select({ id: rateCounters.key }).from(rateCounters).where(eq(rateCounters.key, current)),
    db
      .select({ id: idempotencyKeys.key })
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.organizationId, organizationId)),
    db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, current)),
    db
      .select({ id: alerts.id })
      .from(alerts)
      .where(and(eq(alerts.organizationId, organizationId), eq(alerts.userId, userId))),
    db
      .select({ id: webhookEvents.eventId })
      .from(webhookEvents)
      .where(and(eq(webhookEvents.provider, "basiq"), eq(webhookEvents.eventId, current))),
  ]);
  expect(left).toEqual(left.map(() => [{ id: current }]));
  expect(await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, unfinished))).toHaveLength(1);
  expect(Object.values(await removeExpiredRows(services))).toEqual(Object.values(removed).map(() => 0));
});

test("a table without an index by time is looked through along its key, piece by piece", async () => {
  const services = testServices();
  const { db, clock } = services;
  const now = clock.now();
  await peek.run(sql`INSERT INTO ${rateCounters} ("key", "count", "windowEndsAt")
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
    SELECT 'piece:' || printf('%05d', i), 1, iif(i % 2, ${now - 1}, ${now + DAY_MS}) FROM n`);
  await removeExpiredRows(services);
  const left = await db
    .select({ key: rateCounters.key, windowEndsAt: rateCounters.windowEndsAt })
    .from(rateCounters)
    .where(and(gte(rateCounters.key, "piece:"), lt(rateCounters.key, "piece;")));
  expect([left.length, left.filter(({ windowEndsAt }) => windowEndsAt <= now)]).toEqual([1250, []]);
  expect(await db.select().from(walkCursors).where(eq(walkCursors.name, "housekeeping:rate_counters"))).toMatchObject([
    { key: "", finishedAt: now },
  ]);
});

test("counts that are right are left alone, wrong ones are corrected with a warning", async () => {
  const services = testServices();
  const { db } = services;
  const actor = await aMember(services);
  const { organizationId } = actor;
  const first = await aPendingVerification(services, actor);
  await aPendingVerification(services, actor);
  await changePayee(services, first, { whitelisted: true });
  await countAll(services);
  expect(await countAll(services)).toBe(0);

  const mine = (name: string) => and(eq(counters.organizationId, organizationId), eq(counters.name, name));
  await db.update(counters).set({ value: 40 }).where(mine("pendingVerifications"));
  await db.delete(counters).where(mine("whitelistedPayees"));
  expect(await countAll(services)).toBe(2);
  const rows = await db.select().from(counters).where(eq(counters.organizationId, organizationId));
  expect(Object.fromEntries(rows.map((row) => [row.name, row.value]))).toEqual({
    payees: 2,
    pendingVerifications: 2,
    whitelistedPayees: 1,
  });
  expect(services.log.lines.filter((line) => line.event === "counters.corrected")).toHaveLength(2);
});

test("open verifications are counted by the match of their names, whatever becomes of one", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { organizationId } = actor;
  const [one, other] = [await aPendingVerification(services, actor), await aPendingVerification(services, actor)];
  const counted = async () =>
    Object.fromEntries(
      (await peek.select().from(counters).where(eq(counters.organizationId, organizationId))).flatMap(
        ({ name, value }) =>
          name.startsWith("pending:") && value !== 0 ? [[name.slice("pending:".length), value]] : [],
      ),
    );
  const after = async (changes: Parameters<typeof changeVerification>[2]) => {
    await changeVerification(services, one, changes);
    return counted();
  };
  expect(await counted()).toEqual({});
  expect(await after({ outcome: "unable" })).toEqual({});
  expect(await after({ outcome: "no_match" })).toEqual({ none: 1 });
  expect(await after({ nameMatchScore: 12 })).toEqual({ none: 1 });
  expect(await after({ matchType: "fuzzy", nameMatchScore: 80 })).toEqual({ fuzzy: 1 });
  expect(await after({ matchType: "exact", nameMatchScore: null })).toEqual({ exact: 1 });
  await changeVerification(services, other, { nameMatchScore: 30 });
  expect(await after({ matchType: "none", outcome: null })).toEqual({ none: 1 });
  expect(await after({ matchType: "none", nameMatchScore: 5 })).toEqual({ none: 2 });
  expect(await after({ status: "rejected" })).toEqual({ none: 1 });
  await peek
    .update(counters)
    .set({ value: 7 })
    .where(and(eq(counters.organizationId, organizationId), like(counters.name, "pending:%")));
  await countAll(services);
  expect(await counted()).toEqual({ none: 1 });
});

test("what waits of a payee is corrected, and that of its neighbour left alone", async () => {
  const services = testServices();
  const { db } = services;
  const actor = await aMember(services);
  const [{ payeeId }, wrong] = [
    await aPendingVerification(services, actor),
    await aPendingVerification(services, actor),
  ];
  await aPayment(services, actor, payeeId, { amount: 12_345 });
  await changePayee(services, wrong, { waitingCents: 5 });
  expect(await countAll(services)).toBe(1);
  const rows = await db.select().from(payees).where(eq(payees.organizationId, actor.organizationId));
  const waiting = new Map(rows.map(({ id, waitingCents }) => [id, waitingCents]));
  expect([waiting.get(payeeId), waiting.get(wrong.payeeId)]).toEqual([12_345, 0]);

  const reviews = () =>
    db
      .select()
      .from(verifications)
      .where(eq(verifications.organizationId, actor.organizationId))
      .orderBy(verifications.id);
  expect((await reviews()).map(({ waitingCents }) => waitingCents)).toEqual([12_345, 0]);
  await changeVerification(services, wrong, { waitingCents: 7 });
  services.clock.advance(8 * DAY_MS);
  expect(await countAll(services)).toBe(1);
  expect((await reviews()).map(({ waitingCents }) => waitingCents)).toEqual([12_345, 0]);
  expect(services.log.lines.filter((line) => line.event === "counters.corrected")).toMatchObject([
    { fields: { name: "waitingCents", organizations: [actor.organizationId] } },
    { fields: { name: "waitingCents", organizations: [actor.organizationId] } },
  ]);
});

test("a count falls to nought when its rows are gone", async () => {
  const services = testServices();
  const { organizationId } = await aMember(services);
  await services.db.insert(counters).values({ organizationId, name: "heldPayments", value: 3 });
  await countAll(services);
  const rows = await services.db.select().from(counters).where(eq(counters.organizationId, organizationId));
  expect(rows).toMatchObject([{ name: "heldPayments", value: 0 }]);
});

test("counting goes on where the night before stopped, and begins again after a week", async () => {
  const services = testServices();
  const { db, clock } = services;
  const [early, late] = [await anOrganization(services), await anOrganization(services)];
  const set = (organizationId: string) =>
    db
      .insert(counters)
      .values({ organizationId, name: "heldPayments", value: 3 })
      .onConflictDoUpdate({
        target: [counters.organizationId, counters.name],
        set: { value: 3 },
      });
  const countOf = async (organizationId: string) =>
    (await db.select().from(counters).where(eq(counters.organizationId, organizationId)))[0]?.value;
  for (const { id } of [early, late]) await set(id);
  await db.delete(walkCursors);
  await saveWalk(db, { name: "counters", key: early.id, startedAt: clock.now() }, null);
  await reconcileCounters(services);
  expect([await countOf(early.id), await countOf(late.id)]).toEqual([3, 0]);
  clock.advance(6 * DAY_MS);
  await reconcileCounters(services);
  expect(await countOf(early.id)).toBe(3);
  clock.advance(DAY_MS);
  await reconcileCounters(services);
  expect(await countOf(early.id)).toBe(0);
});
