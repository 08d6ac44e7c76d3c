import { auditLogs, organizationPolicies, outbox } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { enqueueJob } from "~/modules/core/commands/run-command.server";
import { disputePayeeDetails, sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import {
  aCase,
  aPayeeAtTheBank,
  aStartedCheck,
  type Case,
  linkIn,
  PAYEE_ORIGIN,
  readCheckJob,
  readChecks,
  readPayee,
  readVerification,
} from "../../../../tests/support/bank-checks";
import { aMember, anOrganization } from "../../../../tests/support/factories";
import { alertsAbout } from "../../../../tests/support/payees";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { aPendingVerification, changePayee, changeVerification } from "../../../../tests/support/verifications";
import { recordBankReturn, startBankConsent } from "./bank-consent.server";
import { storeBankEvent } from "./bank-events.server";
import { startBankDataCheck } from "./start-bank-check.server";

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => `${error.status} ${error.code}`,
  );

const start = (world: World, of: Case) => startBankDataCheck(world, of.actor, of);

async function setPolicy({ db, clock }: World, of: Case, policy: Partial<typeof organizationPolicies.$inferInsert>) {
  await db
    .insert(organizationPolicies)
    .values({ organizationId: of.organizationId, updatedAt: clock.now(), ...policy });
}

test("starting a check again, or many times at once, is one check and one job", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const started = await Promise.all(Array.from({ length: 10 }, () => start(world, own)));
  const again = await start(world, own);
  expect(new Set([...started, again].map(({ checkId }) => checkId)).size).toBe(1);
  const jobs = await world.db.select().from(outbox).where(eq(outbox.subjectId, again.checkId));
  expect(jobs).toHaveLength(1);
  expect((await readVerification(world, own)).method).toBe("basiq");
});

test("a payee that cannot be reached is not asked: no email, and a landline is no mobile", async () => {
  const world = aWorld();
  const silent = await aCase(world, { email: null, phone: null });
  const landline = await aCase(world, { email: null, phone: "+61293744000" });
  expect(await codeOf(start(world, silent))).toBe("409 PAYEE_CONTACT_REQUIRED");
  expect(await codeOf(start(world, landline))).toBe("409 PAYEE_CONTACT_REQUIRED");
  expect(await codeOf(sendPayeeLink(world, silent.actor, silent))).toBe("409 PAYEE_CONTACT_REQUIRED");
  expect(await readChecks(world, silent)).toEqual([]);
});

test("another organisation's verification is not there", async () => {
  const world = aWorld();
  const [own, foreign] = [await aCase(world), await aCase(world)];
  const mixed = { ...foreign, actor: own.actor };
  expect(await codeOf(start(world, mixed))).toBe("404 NOT_FOUND");
  expect(await codeOf(sendPayeeLink(world, mixed.actor, mixed))).toBe("404 NOT_FOUND");
});

test("a verification that has ended, that its payee disputed, or of which the bank said all, is not checked again", async () => {
  const world = aWorld();
  const ended = await aCase(world);
  await changeVerification(world, ended, { status: "rejected" });
  expect(await codeOf(start(world, ended))).toBe("409 ALREADY_DECIDED");
  expect(await codeOf(sendPayeeLink(world, ended.actor, ended))).toBe("409 ALREADY_DECIDED");
  const disputed = await aCase(world);
  await changeVerification(world, disputed, { disputedByPayeeAt: 1 });
  expect(await codeOf(start(world, disputed))).toBe("409 PAYEE_DISPUTED");
  expect(await codeOf(sendPayeeLink(world, disputed.actor, disputed))).toBe("409 PAYEE_DISPUTED");
  // A bank that withholds the name will withhold it again; one that could not be reached may answer next time.
  const withheld = await aCase(world);
  await changeVerification(world, withheld, { outcome: "unable", reasonCode: "name_withheld" });
  expect(await codeOf(start(world, withheld))).toBe("409 CHECK_WOULD_REPEAT");
  await changeVerification(world, withheld, { reasonCode: "provider_unavailable" });
  expect(await codeOf(start(world, withheld))).toBe("done");
});

test("after the trial a new check needs a subscription; a link does not, and a running check stays the same one", async () => {
  const world = aWorld();
  const organization = await anOrganization(world, { trialEndsAt: world.clock.now() + HOUR_MS });
  const actor = await aMember(world, { organization });
  const running = { actor, ...(await aPendingVerification(world, actor)) };
  const { checkId } = await start(world, running);
  world.clock.advance(HOUR_MS);
  const late = { actor, ...(await aPendingVerification(world, actor)) };
  expect(await codeOf(start(world, late))).toBe("402 SUBSCRIPTION_REQUIRED");
  expect(await codeOf(sendPayeeLink(world, actor, late))).toBe("done");
  expect((await start(world, running)).checkId).toBe(checkId);
});

test("a payee with only a mobile gets the link as a text message", async () => {
  const world = aWorld();
  const person = await aStartedCheck(world, { email: null, phone: "+61412345678" });
  const [text] = await world.texts();
  expect(text?.to).toBe("+61412345678");
  expect(text?.body).toContain("Harbour Joinery Pty Ltd asks you to confirm");
  expect(text?.body).not.toContain(person.details.accountNumber);
  expect(linkIn(text?.body ?? "")).toMatchObject({ vid: person.verificationId, pid: person.payeeId });
  expect(await readVerification(world, person)).toMatchObject({
    verificationChannel: "sms",
    notificationSent: true,
    notificationSentAt: world.clock.now(),
  });
});

test("an exact result approves itself where the organisation said so, and the payee is whitelisted", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await setPolicy(world, person, { autoApproveExact: true });
  await world.completeAtBank(person.verificationId, "match");
  await world.drain();
  expect(await readVerification(world, person)).toMatchObject({
    status: "verified",
    outcome: "match",
    approved: true,
    nameMatch: true,
  });
  expect(await readPayee(world, person)).toMatchObject({ whitelisted: true, whitelistedById: null });
});

test.each([
  ["the result is only close", "close", { autoApproveExact: true }, {}],
  ["a second person must look", "match", { autoApproveExact: true, secondPersonRequired: true }, {}],
  ["the payee stands in dispute", "match", { autoApproveExact: true }, { disputedAt: 1 }],
  ["the organisation never said so", "match", {}, {}],
] as const)("nothing approves itself when %s", async (_, persona, policy, payee) => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await setPolicy(world, person, policy);
  await changePayee(world, person, { disputedAt: null, ...payee });
  await world.completeAtBank(person.verificationId, persona);
  await world.drain();
  expect((await readVerification(world, person)).status).toBe("pending");
  expect((await readPayee(world, person)).whitelisted).toBe(false);
});

test("an exact result of another bank than the BSB's waits for a person", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await setPolicy(world, person, { autoApproveExact: true });
  await world.completeAtBank(person.verificationId, "match", "AU99001");
  await world.drain();
  expect(await readVerification(world, person)).toMatchObject({
    status: "pending",
    outcome: "match",
    resultData: { institution: "Riverbend Mutual", institutionDiffers: true },
  });
});

test("the way back from the bank is recognised by its state, once, and says nothing to strangers", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  expect(await recordBankReturn(world, { state: "made up" })).toBeNull();
  const back = await recordBankReturn(world, { state: person.state });
  expect(back).toEqual({ organizationName: person.actor.organizationName });
  const [first] = await readChecks(world, person);
  world.clock.advance(MINUTE_MS);
  await recordBankReturn(world, { state: person.state });
  expect((await readChecks(world, person))[0]?.returnedAt).toBe(first?.returnedAt);
});

test("a payee who goes to the bank again gets a new state, and the old one is forgotten", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await startBankConsent(world, PAYEE_ORIGIN, person.link);
  expect(await recordBankReturn(world, { state: person.state })).toBeNull();
});

test("a payee who disputes ends the check under way, and the bank is not asked", async () => {
  const world = aWorld();
  const person = await aStartedCheck(world);
  const mail = (await world.mails()).find(({ text }) => text.includes("/verify/"));
  const link = linkIn(mail?.text ?? "");
  await disputePayeeDetails(world, PAYEE_ORIGIN, { ...link, note: null });
  await world.drain();
  expect((await readChecks(world, person))[0]).toMatchObject({
    step: "finished",
    outcome: "unable",
    reasonCode: "payee_disputed",
  });
  expect(await readVerification(world, person)).toMatchObject({ status: "pending", outcome: null });
  expect((await readCheckJob(world, person)).status).toBe("done");
});

async function anEvent(world: World, eventType: string, providerUserId: string) {
  const eventId = world.ids.next();
  world.bankData.getEvent = async () => ({ eventId, eventType, providerUserId });
  await storeBankEvent(world, { eventId, eventTypeId: eventType });
  return eventId;
}

test("a consent taken back before the comparison ends the check as refused", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  const [check] = await readChecks(world, person);
  await anEvent(world, "consent.revoked", check?.providerUserId ?? "");
  await world.drain();
  expect(await readVerification(world, person)).toMatchObject({
    status: "failed",
    outcome: "consent_refused",
    reasonCode: "consent_withdrawn",
  });
  expect((await readCheckJob(world, person)).status).toBe("done");
});

test("a consent taken back after the decision deletes what the provider holds and leaves the decision", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await setPolicy(world, person, { autoApproveExact: true });
  await world.completeAtBank(person.verificationId, "match");
  await world.drain();
  const before = await readVerification(world, person);
  const [check] = await readChecks(world, person);
  await anEvent(world, "consent.revoked", check?.providerUserId ?? "");
  await world.drain();
  expect(await readVerification(world, person)).toEqual(before);
  const trail = await world.db
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, person.organizationId),
        eq(auditLogs.entityType, "verification"),
        eq(auditLogs.entityId, person.verificationId),
        eq(auditLogs.action, "verification.consent_ended"),
      ),
    );
  expect(trail).toEqual([{ details: { eventType: "consent.revoked" } }]);
});

test("a provider user that a crash left behind is deleted once nobody has claimed it for an hour", async () => {
  const world = aWorld();
  const orphan = await world.bankData.createUser({ email: "payee@example.com" }, "never committed");
  const eventId = await anEvent(world, "user.created", orphan.providerUserId);
  const [job] = await world.db.select().from(outbox).where(eq(outbox.subjectId, eventId));
  const deliver = () => world.deliver("bank-checks", { jobId: job?.id, v: 1 });
  await deliver();
  await expect(world.bankData.getProgress(orphan.providerUserId)).resolves.toEqual({ state: "waiting" });
  world.clock.advance(HOUR_MS);
  await deliver();
  await expect(world.bankData.getProgress(orphan.providerUserId)).rejects.toMatchObject({ kind: "rejected" });
  const [ended] = await world.db.select().from(outbox).where(eq(outbox.subjectId, eventId));
  expect(ended).toMatchObject({ status: "done", finishedAt: world.clock.now() });
});

test("an event that cannot be read is given up, and the check goes on by its own looks", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.fault({ party: "basiq", fault: "500", times: 1000, path: "/events" });
  await world.completeAtBank(person.verificationId, "match");
  await world.pass(HOUR_MS);
  expect((await readVerification(world, person)).outcome).toBe("match");
});

test("a dead letter ends its check as unable, tells the members and leaves its trace", async () => {
  const world = aWorld();
  const person = await aStartedCheck(world);
  const colleague = await aMember(world, {
    organization: { id: person.organizationId, name: person.actor.organizationName },
  });
  const job = await readCheckJob(world, person);
  world.clock.advance(HOUR_MS);
  await world.deliver("dead-letters", { jobId: job.id, v: 1 });
  await world.drain();
  expect(await readVerification(world, person)).toMatchObject({
    status: "pending",
    outcome: "unable",
    reasonCode: "job_failed",
  });
  const told = await alertsAbout(world, person.organizationId, "result_arrived");
  expect(told.map(({ userId }) => userId).sort()).toEqual([person.actor.userId, colleague.userId].sort());
  expect(new Set(told.map(({ title }) => title))).toEqual(new Set(["Could not check: Riverbend Timber"]));
  const trail = await world.db
    .select()
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, person.organizationId),
        eq(auditLogs.entityType, "job"),
        eq(auditLogs.entityId, job.id),
      ),
    );
  expect(trail.map((row) => row.action)).toEqual(["job.dead_lettered"]);
  expect((await readCheckJob(world, person)).status).toBe("done");
});

test("a dead letter of a job that has moved on is left alone", async () => {
  const world = aWorld();
  const person = await aStartedCheck(world);
  const { id } = await readCheckJob(world, person);
  await world.deliver("dead-letters", { jobId: id, v: 1 });
  expect((await readChecks(world, person))[0]?.finishedAt).toBeNull();
  expect(world.log.lines.map((line) => line.event)).toContain("dead_letter.moved_on");
});

test("a dead letter that cannot be read is logged and gone", async () => {
  const world = aWorld();
  const { retried } = await world.deliver("dead-letters", { account: "062000" });
  expect(retried).toBe(0);
  expect(world.log.lines.map((line) => line.event)).toEqual(["dead_letter.malformed"]);
});

test("a job without its check ends quietly", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const id = world.ids.next();
  const job = { id, kind: "bank_check" as const, organizationId: own.organizationId, subjectId: world.ids.next() };
  await world.db.batch([enqueueJob(world, job) as never]);
  await world.deliver("bank-checks", { jobId: id, v: 1 });
  const [row] = await world.db.select().from(outbox).where(eq(outbox.id, id));
  expect(row?.status).toBe("done");
  expect(await readChecks(world, own)).toEqual([]);
});
