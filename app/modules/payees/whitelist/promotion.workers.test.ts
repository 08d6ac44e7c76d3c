import {
  auditLogs,
  counters,
  organizationPolicies,
  payeeChanges,
  payees,
  promotionDue,
  verifications,
  walkCursors,
} from "@db/database";
import { saveWalk } from "@db/walk";
import { runSchedule } from "@workers/schedules";
import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { unwhitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Actor, Services } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { anAddedPayee, details, peek, readPayee } from "../../../../tests/support/payees";
import { aNewPayment } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { promoteEarnedPayees } from "./promotion.server";
import { listTrustedNext } from "./trusted-next.server";

// The cron run covers every organisation, including those of other tests, so the tests only look at their own payees.

/** A payment to an untrusted payee: held, approved by a person, processed by the bank. */
async function pay(services: Services, actor: Actor, payeeId: string, status: "successful" | "failed" = "successful") {
  const { payment } = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
  const paymentId = payment.id;
  if (payment.status === "held") {
    await decidePayment(services, actor, { paymentId, decision: "approve", reason: "Known supplier" });
  }
  const reason = status === "failed" ? "Returned" : null;
  return recordOutcome(services, actor, { paymentId, status, reason, processedAt: null });
}

/** A payee with a pending verification that was paid three times, a day apart. */
async function anEarnedPayee(times = 3) {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  for (let i = 0; i < times; i++) {
    services.clock.advance(DAY_MS);
    await pay(services, actor, payeeId);
  }
  return { services, actor, payeeId, verificationId };
}

const changesOf = (payeeId: string) => peek.select().from(payeeChanges).where(eq(payeeChanges.payeeId, payeeId));
const auditsOf = (payeeId: string) =>
  peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, payeeId), eq(auditLogs.action, "payee.promoted")));

test("three successful payments whitelist a payee, with a reason that names them, and never globally", async () => {
  const { services, actor, payeeId } = await anEarnedPayee();
  expect(await promoteEarnedPayees(services)).toBeGreaterThanOrEqual(1);
  const payee = await readPayee(payeeId);
  expect(payee).toMatchObject({ whitelisted: true, whitelistGlobal: false, whitelistedById: null });
  expect(payee.whitelistedReason).toMatch(/^3 successful payments since .*: INV-\d+ \(\$1,250\.00, 2\d Nov 2026\); /);
  expect(await changesOf(payeeId)).toMatchObject([
    { field: "whitelisted", oldValue: "false", newValue: "true", userId: null },
  ]);
  const [audit, ...rest] = await auditsOf(payeeId);
  expect(rest).toEqual([]);
  expect(audit).toMatchObject({ userId: null, organizationId: actor.organizationId });
  expect(audit?.details?.paymentIds).toHaveLength(3);
  expect((await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) })).decision).toBe("authorised");
});

test("the whitelist's count follows", async () => {
  const { services, actor } = await anEarnedPayee();
  await promoteEarnedPayees(services);
  const [row] = await peek
    .select()
    .from(counters)
    .where(and(eq(counters.organizationId, actor.organizationId), eq(counters.name, "whitelistedPayees")));
  expect(row?.value).toBe(1);
});

test("a verification that waits stays pending, and rejecting it takes the trust away for good", async () => {
  const { services, actor, payeeId, verificationId } = await anEarnedPayee();
  await promoteEarnedPayees(services);
  const [verification] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(verification?.status).toBe("pending");
  await reviewVerification(services, actor, { verificationId, review: { approved: false, reason: "Not theirs" } });
  await promoteEarnedPayees(services);
  expect((await readPayee(payeeId)).whitelisted).toBe(false);
});

test("running twice, or twice at once, changes nothing more", async () => {
  const { services, payeeId } = await anEarnedPayee();
  await Promise.all([promoteEarnedPayees(services), promoteEarnedPayees(services)]);
  const { version, whitelisted } = await readPayee(payeeId);
  expect(whitelisted).toBe(true);
  await promoteEarnedPayees(services);
  expect((await readPayee(payeeId)).version).toBe(version);
  expect(await changesOf(payeeId)).toHaveLength(1);
  expect(await auditsOf(payeeId)).toHaveLength(1);
});

test("the hourly schedule promotes, though the bank data provider that it asks first is not there", async () => {
  const { services, payeeId } = await anEarnedPayee();
  await runSchedule("7 * * * *", services);
  expect((await readPayee(payeeId)).whitelisted).toBe(true);
});

/** Events after which a payee that qualifies must not be promoted. */
const bars: [string, (scene: Awaited<ReturnType<typeof anEarnedPayee>>) => Promise<unknown>][] = [
  ["a failed payment", ({ services, actor, payeeId }) => pay(services, actor, payeeId, "failed")],
  [
    "an open hold",
    ({ services, actor, payeeId }) => recordPayment(services, actor, { payment: aNewPayment({ payeeId }) }),
  ],
  [
    "a payment that waits for a verification",
    async ({ services, actor, payeeId }) => {
      const { payment } = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
      const asked = { decision: "request_verification", reason: null } as const;
      await decidePayment(services, actor, { paymentId: payment.id, ...asked });
    },
  ],
  [
    "a dispute",
    ({ services, payeeId }) =>
      peek.update(payees).set({ disputedAt: services.clock.now() }).where(eq(payees.id, payeeId)),
  ],
  [
    "details from a link that no person accepted",
    ({ services, payeeId }) =>
      peek.update(payees).set({ draftSince: services.clock.now() }).where(eq(payees.id, payeeId)),
  ],
  [
    "a rejected verification",
    ({ services, actor, verificationId }) =>
      reviewVerification(services, actor, { verificationId, review: { approved: false, reason: "No" } }),
  ],
  [
    "a closed account",
    ({ verificationId }) =>
      peek
        .update(verifications)
        .set({ status: "failed", outcome: "account_closed" })
        .where(eq(verifications.id, verificationId)),
  ],
  [
    "an edit of the bank details",
    async ({ services, actor, payeeId }) => {
      services.clock.advance(DAY_MS);
      await editPayee(services, actor, { payeeId, patch: { accountName: "Wattle Creek Electrical (Vic) Pty Ltd" } });
    },
  ],
  [
    "a person who took it off the whitelist",
    async ({ services, actor, payeeId }) => {
      await promoteEarnedPayees(services);
      services.clock.advance(DAY_MS);
      await unwhitelistByHand(services, actor, { payeeId, reason: "We no longer deal with them" });
    },
  ],
  ["a longer span asked for", ({ services, actor }) => setPolicy(services, actor, { promotionMinSpanDays: 3 })],
  [
    "more distinct days asked for",
    ({ services, actor }) => setPolicy(services, actor, { promotionMinDistinctDays: 4 }),
  ],
];

const setPolicy = (services: Services, { organizationId }: Actor, given: object) =>
  peek.insert(organizationPolicies).values({ organizationId, updatedAt: services.clock.now(), ...given });

test.each(bars)("%s keeps a payee off the whitelist", async (_, happens) => {
  const scene = await anEarnedPayee();
  await happens(scene);
  await promoteEarnedPayees(scene.services);
  expect((await readPayee(scene.payeeId)).whitelisted).toBe(false);
});

test("two payments are not enough", async () => {
  const { services, payeeId } = await anEarnedPayee(2);
  await promoteEarnedPayees(services);
  expect((await readPayee(payeeId)).whitelisted).toBe(false);
});

test("three payments after an edit are enough, whatever failed before it", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor);
  await pay(services, actor, payeeId, "failed");
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: details().accountNumber } });
  for (let i = 0; i < 3; i++) {
    await promoteEarnedPayees(services);
    expect((await readPayee(payeeId)).whitelisted).toBe(false);
    services.clock.advance(DAY_MS / 4);
    await pay(services, actor, payeeId);
  }
  await promoteEarnedPayees(services);
  expect((await readPayee(payeeId)).whitelisted).toBe(true);
});

test("three payments do not put a payee that a person took off the whitelist back on it", async () => {
  const { services, actor, payeeId } = await anEarnedPayee();
  await promoteEarnedPayees(services);
  await unwhitelistByHand(services, actor, { payeeId, reason: "We no longer deal with them" });
  for (let i = 0; i < 3; i++) {
    services.clock.advance(DAY_MS);
    await pay(services, actor, payeeId);
  }
  await promoteEarnedPayees(services);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, paymentCount: 6 });
  expect((await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) })).decision).toBe("held");
});

test("what comes in between the reading and the writing is not overlooked", async () => {
  const { services, actor, payeeId } = await anEarnedPayee();
  const batch = async (statements: Parameters<Services["db"]["batch"]>[0]) => {
    await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
    return services.db.batch(statements);
  };
  const db = new Proxy(services.db, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name, target)),
  });
  await promoteEarnedPayees({ ...services, db });
  expect((await readPayee(payeeId)).whitelisted).toBe(false);
});

test.each(["before", "after"] as const)("a connection lost %s the commit promotes once", async (when) => {
  const { services, payeeId } = await anEarnedPayee();
  await promoteEarnedPayees({ ...services, db: losingConnection(services.db, when) });
  expect((await readPayee(payeeId)).whitelisted).toBe(true);
  expect(await changesOf(payeeId)).toHaveLength(1);
});

test("trouble with one organisation's payee does not stop the others", async () => {
  const first = await anEarnedPayee();
  const second = await anEarnedPayee();
  const { db } = second.services;
  let left = 1;
  const batch = async (statements: Parameters<Services["db"]["batch"]>[0]) => {
    if (left-- > 0) throw new Error("D1_ERROR: something nobody thought of");
    return db.batch(statements);
  };
  const shaky = new Proxy(db, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name, target)),
  });
  expect(await promoteEarnedPayees({ ...second.services, db: shaky })).toBeGreaterThanOrEqual(1);
  expect(second.services.log.lines.filter(({ event }) => event === "promotion.failed")).toHaveLength(1);
  await promoteEarnedPayees(second.services);
  for (const { payeeId } of [first, second]) expect((await readPayee(payeeId)).whitelisted).toBe(true);
});

/** Payees whose count of payments qualifies, but that fail the other requirements. */
async function fillCandidates({ organizationId }: Actor, size: number) {
  const id = sql`printf('%s-%06d', ${organizationId}, i)`;
  await peek.run(sql`INSERT INTO payees
      (id, organizationId, name, accountName, bsb, accountNumber, hash, accountFingerprint, paymentCount, createdAt, updatedAt)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})
    SELECT ${id}, ${organizationId}, 'Often', 'Often', '062000', printf('%09d', i), ${id}, ${id}, 3, 1, 1 FROM n`);
}

const lookAtAllToday = async ({ db, clock }: Services, key = "", finishedAt: number | null = clock.now()) => {
  await db.delete(walkCursors);
  await saveWalk(db, { name: "promotion", key, startedAt: clock.now() }, finishedAt);
};

test("a run reads what changed since the last, not every payee that cannot be promoted", async () => {
  const cost = async (size: number) => {
    let rows = 0;
    const { services, actor, payeeId } = await anEarnedPayee();
    await fillCandidates(actor, size);
    await lookAtAllToday(services);
    const metered = testServices({ clock: services.clock, meter: (_, meta) => (rows += meta.rowsRead) });
    await promoteEarnedPayees(metered);
    expect((await readPayee(payeeId)).whitelisted).toBe(true);
    return rows;
  };
  const [small, large] = [await cost(100), await cost(5_000)];
  expect(large / small).toBeLessThanOrEqual(1.3);
});

test("a payee that the list of what is due has lost is found by the walk, which goes on where it stopped", async () => {
  const { services, payeeId } = await anEarnedPayee();
  await services.db.delete(promotionDue);
  await lookAtAllToday(services);
  await promoteEarnedPayees(services);
  expect((await readPayee(payeeId)).whitelisted).toBe(false);
  await lookAtAllToday(services, payeeId, null);
  await promoteEarnedPayees(services);
  expect((await readPayee(payeeId)).whitelisted).toBe(false);
  services.clock.advance(DAY_MS);
  await promoteEarnedPayees(services);
  expect((await readPayee(payeeId)).whitelisted).toBe(true);
});

test("what may earn a payee its place puts it on the list: a payment, a hold that is lifted, a new verification", async () => {
  const { services, actor, payeeId } = await anEarnedPayee();
  const isDue = async () =>
    (await peek.select().from(promotionDue).where(eq(promotionDue.payeeId, payeeId))).length === 1;
  expect(await isDue()).toBe(true);
  const { payment } = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
  await services.db.delete(promotionDue);
  await decidePayment(services, actor, { paymentId: payment.id, decision: "reject", reason: "Not ours" });
  expect(await isDue()).toBe(true);
  await lookAtAllToday(services);
  await promoteEarnedPayees(services);
  expect(await isDue()).toBe(false);
  expect((await readPayee(payeeId)).whitelisted).toBe(true);
});

test("candidates are read in pages, to the last one", async () => {
  const { services, actor, payeeId } = await anEarnedPayee();
  await fillCandidates(actor, 230);
  await services.db.delete(promotionDue);
  await services.db.delete(walkCursors);
  const read: number[] = [];
  const metered = testServices({
    clock: services.clock,
    meter: (text, { rowsRead }) => {
      if (/"payees"\."paymentCount" >= 3/.test(text)) read.push(rowsRead);
    },
  });
  await promoteEarnedPayees(metered);
  expect((await readPayee(payeeId)).whitelisted).toBe(true);
  expect(read.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...read)).toBeLessThan(1_000);
});

test("who is on the way to the whitelist is listed with what is missing, who is due first", async () => {
  const { services, actor, payeeId } = await anEarnedPayee();
  const { payeeId: young } = await anAddedPayee(services, actor);
  await pay(services, actor, young);
  const listed = async () =>
    (await listTrustedNext(services, actor.organizationId)).map(({ id, isDue, sentence }) => [id, isDue, sentence]);
  expect(await listed()).toEqual([
    [payeeId, true, expect.stringContaining("3 successful payments")],
    [young, false, "1 of 3 successful payments since its bank details last changed."],
  ]);
  await promoteEarnedPayees(services);
  expect((await listed()).map(([id]) => id)).toEqual([young]);
});
