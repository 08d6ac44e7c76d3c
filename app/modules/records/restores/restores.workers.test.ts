import {
  auditLogs,
  type Db,
  lostMessages,
  organizationIntegrations,
  organizations,
  outbox,
  paymentRecords,
  restores,
  sessions,
  twoSteps,
  users,
} from "@db/database";
import { grantStatements } from "@db/seed/grant-super-admin.mjs";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { UpstreamError } from "~/kernel/app-error";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { openSession } from "~/modules/accounts/identity/session.server";
import { renewRestored, sealCredentials } from "~/modules/connections/tokens.server";
import { findTip, verifyTrail } from "~/modules/core/audit/seals.server";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { enqueueJob, runStep } from "~/modules/core/commands/run-command.server";
import { checkDatabase } from "~/modules/core/restores/database-state.server";
import { readLostTime } from "~/modules/core/restores/lost-time.server";
import { noteTrail } from "~/modules/core/restores/outside-trail.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import {
  queueEmail,
  queueSms,
  sendQueuedEmail,
  sendQueuedSms,
} from "~/modules/messages/notifications/notifications.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { AccessLost, type AccountingSystem } from "~/ports/accounting";
import { connectMyob } from "../../../../tests/support/accounting";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, refusal } from "../../../../tests/support/payees";
import { aNewPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { ORIGIN } from "../../../../tests/support/people";
import { aRestorableApp } from "../../../../tests/support/restored";
import { someNotes, type TestServices } from "../../../../tests/support/services";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { runSchedule, SCHEDULES } from "../../../../workers/schedules";
import { askConnections } from "./ask-providers.server";
import { readRestorePage, releaseRestore } from "./restores.server";
import { tellOfRestores } from "./tell-organizations.server";

const ZONE = { timeZone: "Australia/Sydney", now: 0 };

/** Outside parties that count their calls. */
function parties() {
  const texts: string[] = [];
  const mails: string[] = [];
  return {
    texts,
    mails,
    sms: {
      async send({ body }: { body: string }) {
        texts.push(body);
        return { providerMessageId: `sms-${texts.length}` };
      },
    },
    mail: {
      async send({ subject }: { subject: string }) {
        mails.push(subject);
        return { providerMessageId: `mail-${mails.length}` };
      },
    },
  };
}

/** Sends the waiting messages, as the consumer would. */
async function deliver(services: TestServices, look: Db): Promise<number> {
  const waiting = await look.select().from(outbox).where(eq(outbox.status, "pending"));
  let claimed = 0;
  for (const { id } of waiting) {
    const job = await claimJob(services, id);
    if (!job) continue;
    claimed += 1;
    if (job.kind.endsWith("sms")) await sendQueuedSms(services, job);
    else if (job.kind.endsWith("email")) await sendQueuedEmail(services, job);
  }
  return claimed;
}

async function anHourLost() {
  const outside = parties();
  const bankData = { listCreatedUsers: async () => [{ providerUserId: "user-1", createdAt: 0 }] } as never;
  const cards = {
    listCreated: async () => ({ customerIds: ["cus_new"], subscriptions: [{ id: "sub_new", customerId: "cus_new" }] }),
  } as never;
  const app = await aRestorableApp({ sms: outside.sms, mail: outside.mail, bankData, cards });
  const { before } = app;
  const { clock } = before;
  const actor = await aMember(before, { role: "admin" });
  const payee = await aTrustedPayee(before, actor, { name: "Riverside Timber" });
  const stranger = await anAddedPayee(before, actor, { name: "Waiting Pty Ltd" });
  const waiting = await recordPayment(before, actor, { payment: aNewPayment({ payeeId: stranger.payeeId }) });
  const text = { to: "+61400000001", body: "Your payment is held." };
  const data = { organizationName: "Harbour", firstName: "Mira", href: "https://app.test/x" };
  const jobs = [
    ...(await queueSms(before, actor.organizationId, text)),
    ...(await queueEmail(before, actor.organizationId, [actor.email], { template: "memberApproved", data })),
  ];
  await app.lookBefore.delete(outbox);
  for (const job of jobs) await (enqueueJob(before, job) as unknown as Promise<unknown>);
  const session = await openSession(before, actor.userId, ORIGIN);
  await before.db.batch([session.statement as never]);
  await noteTrail(before);
  expect(await checkDatabase(before)).toBe("in_use");
  await app.takeCopy();

  // Everything in the next hour will be lost.
  clock.advance(20 * MINUTE_MS);
  expect(await checkDatabase(before)).toBe("in_use");
  const payment = aNewPayment({ payeeId: payee.payeeId }, { amount: 777_700 });
  const lost = await recordPayment(before, actor, { payment });
  expect(lost.payment.status).toBe("authorised");
  await decidePayment(before, actor, { paymentId: waiting.payment.id, decision: "approve", reason: "Called them" });
  expect(await deliver(before, app.lookBefore)).toBe(2);
  expect([outside.texts.length, outside.mails.length]).toEqual([1, 1]);
  await sealAuditTrail(before);
  const tip = await findTip(before, actor.organizationId);
  if (!tip) throw new Error("nothing is sealed");
  await noteTrail(before);
  clock.advance(40 * MINUTE_MS);
  expect(await checkDatabase(before)).toBe("in_use");
  return { ...app, after: app.restored(), outside, actor, payee, payment, waiting: waiting.payment, tip, clock };
}

test("before the database moves an operator holds the app by hand: nothing changes and no schedule works, until that is undone", async () => {
  const { before, lookBefore } = await aRestorableApp();
  const actor = await aMember(before, { role: "admin" });
  expect(await checkDatabase(before)).toBe("in_use");
  await lookBefore.run(sql.raw("UPDATE database_state SET restoreId = 'moving' WHERE id = 1"));
  expect((await refusal(anAddedPayee(before, actor, { name: "Held" }))).code).toBe("ON_HOLD");
  for (const cron of Object.keys(SCHEDULES)) await runSchedule(cron, before);
  expect(before.log.lines.filter(({ event }) => event === "schedule.on_hold")).toHaveLength(4);
  expect(before.sent).toEqual([]);
  await lookBefore.run(sql.raw("UPDATE database_state SET restoreId = NULL WHERE id = 1"));
  expect(await anAddedPayee(before, actor, { name: "Held" })).toMatchObject({ payeeId: expect.any(String) });
});

test("a super admin can be made while the app is on hold", async () => {
  const { after, lookAfter } = await anHourLost();
  expect(await checkDatabase(after)).toBe("on_hold");
  const newcomer = await lookAfter.select().from(users).where(eq(users.role, "admin"));
  const [{ id = "", email = "" } = {}] = newcomer;
  const now = after.clock.now();
  await lookAfter.insert(twoSteps).values({ userId: id, sealedSecret: "x", enabledAt: now, createdAt: now });
  for (const statement of grantStatements(email, { id: after.ids.next(), now }))
    await lookAfter.run(sql.raw(statement));
  const [granted] = await lookAfter.select({ role: users.role }).from(users).where(eq(users.id, id));
  expect(granted?.role).toBe("super_admin");
  expect(await checkDatabase(after)).toBe("on_hold");
});

const aRelease = async (services: TestServices) => {
  const { held } = await readRestorePage(services, { ...ZONE, now: services.clock.now() });
  if (!held) throw new Error("not on hold");
  return { restoreId: held.restoreId };
};

test("a restore to an hour ago authorises nothing, sends nothing, and pays and tells nobody twice", async () => {
  const { before, lookBefore, after, lookAfter, outside, actor, payee, payment, waiting, tip, clock } =
    await anHourLost();
  const operator = { userId: actor.userId, origin: ORIGIN };

  // The notes reveal nothing about anybody.
  const notes = [...(before.notes as ReturnType<typeof someNotes>).kept].flat().join("\n");
  expect(notes).toContain("payment.recorded");
  const secrets = [payee.details.accountNumber, payee.details.name, actor.email, actor.lastName, "+61400000001"];
  expect(secrets.filter((secret) => notes.includes(secret))).toEqual([]);
  const entries = await lookBefore.select({ id: auditLogs.id }).from(auditLogs);
  expect(entries.filter(({ id }) => !notes.includes(id))).toEqual([]);

  // The first write triggers the check, although no cron run has happened.
  const refused = await refusal(recordPayment(after, actor, { payment }));
  expect([refused.status, refused.code, refused.retryAfterSeconds]).toEqual([503, "ON_HOLD", 300]);
  expect(await lookAfter.select().from(paymentRecords)).toMatchObject([{ id: waiting.id, status: "held" }]);
  expect(await deliver(after, lookAfter)).toBe(0);
  expect(await checkDatabase(after)).toBe("on_hold");
  const step = { conditions: [{ name: "any", found: sql`SELECT 1` }] as const };
  expect((await refusal(runStep(after, { conditions: [step.conditions[0]] }))).code).toBe("ON_HOLD");
  expect(await lookAfter.select().from(sessions)).toEqual([]);
  expect(await lookAfter.select().from(restores)).toMatchObject([{ source: "in_place", releasedAt: null }]);

  // The lost period is read from the notes, and cannot be released before that.
  expect(await readLostTime(after)).toBe(false);
  const early = await aRelease(after);
  expect((await refusal(releaseRestore(after, operator, early))).status).toBe(409);
  clock.advance(3 * MINUTE_MS);
  expect(await readLostTime(after)).toBe(true);
  const { held } = await readRestorePage(after, { ...ZONE, now: clock.now() });
  expect(held).toMatchObject({ isRead: true, isLost: true, sent: 2, bankUsers: 1 });
  expect(held).toMatchObject({ cards: { customers: 1, subscriptions: 1 }, isBeyondBankData: false });
  expect(held?.payments.map(({ amount }) => amount)).toEqual(["$7,777.00", "$1,250.00"]);
  expect(held?.acts.map(({ label, count }) => [label, count])).toEqual(
    expect.arrayContaining([
      ["Recorded the payment", 1],
      ["Approved the held payment", 1],
    ]),
  );

  await releaseRestore(after, operator, await aRelease(after));
  expect((await refusal(releaseRestore(after, operator, early))).status).toBe(409);
  expect(await checkDatabase(after)).toBe("in_use");

  // Messages that were waiting in the restored database had been sent in the lost period.
  expect(await deliver(after, lookAfter)).toBe(2);
  expect([outside.texts.length, outside.mails.length]).toEqual([1, 1]);
  expect(await lookAfter.select().from(lostMessages)).toEqual([]);
  expect(await lookAfter.select().from(outbox).where(eq(outbox.status, "pending"))).toEqual([]);

  // The lost payment is held when it is repeated, but others are not.
  const again = await recordPayment(after, actor, { payment });
  expect(again.payment.status).toBe("held");
  expect(again.payment.reasons).toMatchObject([{ rule: "repeated_after_restore", level: "hold" }]);
  const other = aNewPayment({ payeeId: payee.payeeId }, { amount: 777_800 });
  expect((await recordPayment(after, actor, { payment: other })).payment.status).toBe("authorised");
  const [stillHeld] = await lookAfter.select().from(paymentRecords).where(eq(paymentRecords.id, waiting.id));
  expect(stillHeld?.reasons.map(({ rule }) => rule)).toContain("repeated_after_restore");

  // Organisations are told once.
  expect(await tellOfRestores(after)).toBe(0);
  await sealAuditTrail(after);
  expect(await tellOfRestores(after)).toBeGreaterThan(0);
  expect(await tellOfRestores(after)).toBe(0);
  await deliver(after, lookAfter);
  expect(outside.mails.filter((subject) => subject.startsWith("Some records of"))).toHaveLength(1);

  // The chain is reported as restored, not as broken.
  await sealAuditTrail(after);
  const whole = await verifyTrail(after, actor.organizationId);
  expect(whole).toMatchObject({ ok: true, restored: { kept: expect.any(Number) } });
  expect(whole.restored?.lostSeal).toBeUndefined();
  const kept = whole.restored?.kept ?? 0;
  expect(kept).toBeLessThan(tip.count);
  expect(await verifyTrail(after, actor.organizationId, { anchor: tip })).toMatchObject({
    ok: true,
    restored: { kept, lostSeal: true },
  });
  const wrong = { count: kept, hash: tip.hash };
  expect(await verifyTrail(after, actor.organizationId, { anchor: wrong })).toMatchObject({
    ok: false,
    brokenAt: kept,
  });

  // A payment like the lost one is held for as long as a duplicate would be.
  clock.advance(31 * DAY_MS);
  await lookAfter.update(organizations).set({ trialEndsAt: clock.now() + DAY_MS });
  expect((await recordPayment(after, actor, { payment: { ...payment, reference: "LATER-1" } })).payment.status).toBe(
    "authorised",
  );
});

test("an app that stood still goes on by itself; notes that cannot be read stop it only after a gap", async () => {
  const unreadable = { ...someNotes(), read: () => Promise.reject(new Error("notes are away")) };
  const { before, lookBefore } = await aRestorableApp();
  const actor = await aMember(before, { role: "admin" });
  const payee = await aTrustedPayee(before, actor);
  await checkDatabase(before);
  const blind = Object.assign(Object.create(before) as TestServices, { notes: unreadable });
  for (let minute = 0; minute < 5; minute++) {
    before.clock.advance(MINUTE_MS);
    expect(await checkDatabase(blind)).toBe("in_use");
  }
  const payment = () => aNewPayment({ payeeId: payee.payeeId });
  expect((await recordPayment(blind, actor, { payment: payment() })).payment.status).toBe("authorised");
  before.clock.advance(HOUR_MS);
  expect((await refusal(recordPayment(blind, actor, { payment: payment() }))).code).toBe("ON_HOLD");
  expect(await lookBefore.select().from(restores)).toEqual([]);
  before.clock.advance(DAY_MS);
  expect((await recordPayment(before, actor, { payment: payment() })).payment.status).toBe("authorised");
});

test("a beat that another counts while this one is looked at is no restore", async () => {
  const { before } = await aRestorableApp({});
  expect(await checkDatabase(before)).toBe("in_use");
  const { notes } = before;
  let counted = 0;
  const slow = {
    ...before,
    notes: {
      ...notes,
      list: notes.list.bind(notes),
      write: notes.write.bind(notes),
      async read(key: string) {
        if (counted++ === 0) expect(await checkDatabase(before)).toBe("in_use");
        return notes.read(key);
      },
    },
  };
  expect(await checkDatabase(slow)).toBe("in_use");
  expect(await before.db.select().from(restores)).toEqual([]);
});

const renewed = { accessToken: "next", refreshToken: "next", accessUntil: 0 };
/** An accounting system that knows the tokens of these connections, and does not answer for others. */
const aSystem = (said: Record<string, "good" | "ended">): AccountingSystem =>
  ({
    async refresh(refreshToken: string) {
      if (said[refreshToken] === "good") return { ...renewed, refreshToken };
      if (said[refreshToken] === "ended") throw new AccessLost("consent_ended", "used before");
      throw new UpstreamError("xero", "unavailable", "no answer");
    },
  }) as unknown as AccountingSystem;

async function aConnection(services: TestServices, look: Db, refreshToken: string): Promise<string> {
  const { organizationId, userId: connectedById } = await aMember(services, { role: "admin" });
  const [id, now] = [services.ids.next(), services.clock.now()];
  const credentials = await sealCredentials(services, id, { accessToken: "was", accessUntil: now, refreshToken });
  await look.insert(organizationIntegrations).values({
    id,
    organizationId,
    system: "xero",
    credentials,
    status: "connected",
    connectedById,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

test("after a restore outside parties are asked, and one that does not answer is said to be unknown", async () => {
  const silent = async () => Promise.reject(new UpstreamError("any", "unavailable", "no answer"));
  const known: Record<string, "good" | "ended"> = { a: "good", b: "ended" };
  const app = await aRestorableApp({
    accounting: { xero: aSystem(known) },
    bankData: { listCreatedUsers: silent } as never,
    cards: { listCreated: silent } as never,
  });
  const { before, lookBefore, lookAfter } = app;
  const [good, ended, late] = await Promise.all(["a", "b", "c"].map((token) => aConnection(before, lookBefore, token)));
  await checkDatabase(before);
  await app.takeCopy();
  before.clock.advance(20 * MINUTE_MS);
  await checkDatabase(before);
  before.clock.advance(40 * MINUTE_MS);
  await checkDatabase(before);
  const after = app.restored();
  expect(await checkDatabase(after)).toBe("on_hold");
  const report = async () => {
    const { held } = await readRestorePage(after, { ...ZONE, now: after.clock.now() });
    if (!held) throw new Error("not on hold");
    return held;
  };
  expect(await report()).toMatchObject({
    cards: null,
    bankUsers: null,
    connections: { good: 0, ended: [], silent: 0, unasked: 3 },
  });

  expect(await askConnections(after)).toBe(2);
  const told = (await report()).connections;
  expect(told).toMatchObject({ good: 1, silent: 1, unasked: 0, ended: [{ id: ended, system: "Xero" }] });
  // The new tokens are stored although the app is on hold, because each can be used only once.
  const rows = await lookAfter.select().from(organizationIntegrations);
  expect(rows.map(({ id, tokenVersion }) => [id, tokenVersion]).sort()).toEqual(
    [
      [good, 1],
      [ended, 0],
      [late, 0],
    ].sort(),
  );

  known.c = "good";
  const system = aSystem(known);
  const refresh = async (...given: Parameters<typeof system.refresh>) => {
    await lookAfter.update(restores).set({ answers: sql`json_set("answers", '$.heard', 'good')` });
    return system.refresh(...given);
  };
  expect(await askConnections({ ...after, accounting: { xero: { ...system, refresh } } })).toBe(1);
  const [{ answers } = { answers: null }] = await lookAfter.select({ answers: restores.answers }).from(restores);
  expect(answers).toMatchObject({ heard: "good", [String(late)]: "good", [String(good)]: "good" });
  expect(await askConnections(after)).toBe(0);
  expect((await report()).connections).toMatchObject({ good: 2, silent: 0 });
});

test("a connection to MYOB that was renewed in the lost time has to be made again, one that was not goes on, and a silent MYOB is unknown", async () => {
  const world = aWorld();
  const app = await aRestorableApp({ accounting: world.accounting, clock: world.clock });
  const { before } = app;
  const at = { ...before, ask: world.ask } as World;
  for (const name of ["renewed", "left alone"]) {
    const admin = await aMember(before, { role: "admin" });
    await app.lookBefore.update(organizations).set({ name }).where(eq(organizations.id, admin.organizationId));
    await connectMyob(at, admin);
  }
  await checkDatabase(before);
  await app.takeCopy();
  world.clock.advance(10 * MINUTE_MS);
  await checkDatabase(before);
  const rows = await app.lookBefore
    .select({ connection: organizationIntegrations, name: organizations.name })
    .from(organizationIntegrations)
    .innerJoin(organizations, eq(organizations.id, organizationIntegrations.organizationId));
  const renewed = rows.find(({ name }) => name === "renewed");
  if (!renewed) throw new Error("nothing is connected");
  await renewRestored(before, renewed.connection);
  world.clock.advance(5 * MINUTE_MS);
  await checkDatabase(before);
  const after = app.restored();
  expect(await checkDatabase(after)).toBe("on_hold");
  const report = async () => (await readRestorePage(after, { ...ZONE, now: after.clock.now() })).held?.connections;

  await world.fault({ party: "myob", fault: "503", times: 10 });
  expect(await askConnections(after)).toBe(0);
  expect(await report()).toMatchObject({ good: 0, ended: [], silent: 2, unasked: 0 });
  await world.clearFaults();
  expect(await askConnections(after)).toBe(2);
  expect(await report()).toMatchObject({
    good: 1,
    ended: [{ id: renewed.connection.id, system: "MYOB", organization: "renewed" }],
    silent: 0,
  });
});
