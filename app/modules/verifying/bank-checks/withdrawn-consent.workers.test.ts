import { auditLogs, outbox } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createBasiqBankData } from "~/adapters/bank-data/basiq";
import { MINUTE_MS } from "~/kernel/dates";
import {
  aPayeeAtTheBank,
  type Case,
  readCheckJob,
  readChecks,
  readVerification,
} from "../../../../tests/support/bank-checks";
import {
  BASE_URL,
  type Choice,
  CONNECTION,
  createDocumentedBasiq,
  USER,
} from "../../../../tests/support/documented-basiq";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { alertsAbout } from "../../../../tests/support/payees";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { readMissedEvents, storeBankEvent } from "./bank-events.server";

/** A payee withdraws consent, and we learn of it in different ways, with the responses that the provider documents. */

const usersDeleted = async (world: World) =>
  (await world.calls("/users/")).filter(({ method, status }) => method === "DELETE" && status === 204).length;

async function trailOf({ db }: World, { organizationId, verificationId }: Case) {
  const rows = await db
    .select({ action: auditLogs.action, details: auditLogs.details })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.entityType, "verification"),
        eq(auditLogs.entityId, verificationId),
      ),
    );
  return rows.map(({ action, details }) => (action === "verification.consent_ended" ? { action, details } : action));
}

async function expectWithdrawn(world: World, person: Case, { isTold }: { isTold: boolean }) {
  expect(await readVerification(world, person)).toMatchObject({
    status: "failed",
    outcome: "consent_refused",
    reasonCode: "consent_withdrawn",
    resultData: null,
  });
  expect((await readChecks(world, person))[0]).toMatchObject({ step: "finished", reasonCode: "consent_withdrawn" });
  expect((await readCheckJob(world, person)).status).toBe("done");
  expect(await usersDeleted(world)).toBe(1);
  const ended = { action: "verification.consent_ended", details: { eventType: "consent.revoked" } };
  const trail = await trailOf(world, person);
  expect(trail.filter((entry) => typeof entry === "object")).toEqual(isTold ? [ended] : []);
  for (const once of [
    "verification.bank_check_finished",
    "verification.failed",
    "verification.provider_data_deleted",
  ]) {
    expect(trail.filter((action) => action === once)).toEqual([once]);
  }
  const told = await alertsAbout(world, person.organizationId, "result_arrived");
  expect(told.map(({ title }) => title)).toEqual([`Failed: ${person.details.name}`]);
}

test("a consent that is withdrawn while the bank works ends the check by its webhook, and the user at the provider goes", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.completeAtBank(person.verificationId, "withdrawn");
  await world.drain();
  await expectWithdrawn(world, person, { isTold: true });
});

test("the same by the list of events where no webhook came, once", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  world.lose.webhooks = true;
  await world.completeAtBank(person.verificationId, "withdrawn");
  expect(await readMissedEvents(world)).toBe(1);
  expect(await readMissedEvents(world)).toBe(0);
  await world.drain();
  await expectWithdrawn(world, person, { isTold: true });
});

test("the same by the check's own look where neither was read", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  world.lose.webhooks = true;
  await world.completeAtBank(person.verificationId, "withdrawn");
  await world.pass(6 * MINUTE_MS);
  await expectWithdrawn(world, person, { isTold: false });
});

test("a webhook that comes after the list was read changes nothing more", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  world.lose.webhooks = true;
  await world.completeAtBank(person.verificationId, "withdrawn");
  await readMissedEvents(world);
  await world.drain();
  world.lose.webhooks = false;
  const page = await (await world.visit("/basiq")).text();
  const [, eventId = ""] = /\/basiq\/events\/([^/]+)\/resend/.exec(page) ?? [];
  await world.visit(`/basiq/events/${eventId}/resend`, {});
  await world.drain();
  await expectWithdrawn(world, person, { isTold: true });
});

test.each(["before", "after"] as const)(
  "a connection lost %s the commits of a withdrawal ends the check once",
  async (when) => {
    for (const times of [1, 2]) {
      const world = aWorld();
      const person = await aPayeeAtTheBank(world);
      world.lose.webhooks = true;
      await world.completeAtBank(person.verificationId, "withdrawn");
      await readMissedEvents(world);
      await world.drain({ ...world, db: losingConnection(world.db, when, times) });
      await world.pass(5 * MINUTE_MS);
      await expectWithdrawn(world, person, { isTold: true });
    }
  },
);

test.each(["500", "timeout", "malformed", "empty"])(
  "an event of a withdrawal that is answered with %s at first is followed later",
  async (fault) => {
    const world = aWorld({ timeoutMs: 40 });
    const person = await aPayeeAtTheBank(world);
    world.lose.webhooks = true;
    await world.completeAtBank(person.verificationId, "withdrawn");
    world.lose.webhooks = false;
    await world.fault({ party: "basiq", fault, times: 2, path: "/events/" });
    await readMissedEvents(world);
    // The check's own polling would find out too.
    await world.fault({ party: "basiq", fault: "503", times: 1000, path: "/jobs" });
    await world.pass(3 * MINUTE_MS);
    await expectWithdrawn(world, person, { isTold: true });
  },
);

test("a provider that will not delete after a withdrawal is asked until it does", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.completeAtBank(person.verificationId, "never");
  await world.drain();
  await world.fault({ party: "basiq", fault: "500", times: 5, path: "/users/" });
  const page = await (await world.visit("/basiq")).text();
  const [, consentId = ""] = /\/basiq\/consents\/([^/]+)\/withdraw/.exec(page) ?? [];
  await world.visit(`/basiq/consents/${consentId}/withdraw`, {});
  await world.drain();
  expect(await usersDeleted(world)).toBe(0);
  await world.pass(10 * MINUTE_MS);
  await expectWithdrawn(world, person, { isTold: true });
});

test("a consent withdrawn after the result leaves the result, and is in the trail", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  // The provider does not delete at once, so that there is still something to withdraw.
  const { deleteUser } = world.bankData;
  world.bankData.deleteUser = async () => {
    throw new Error("not yet");
  };
  await world.completeAtBank(person.verificationId, "match");
  await world.drain();
  world.bankData.deleteUser = deleteUser;
  const page = await (await world.visit("/basiq")).text();
  const [, consentId = ""] = /\/basiq\/consents\/([^/]+)\/withdraw/.exec(page) ?? [];
  await world.visit(`/basiq/consents/${consentId}/withdraw`, {});
  await world.drain();
  expect(await readVerification(world, person)).toMatchObject({ status: "pending", outcome: "match" });
  expect(await usersDeleted(world)).toBe(1);
  expect(await trailOf(world, person)).toContainEqual({
    action: "verification.consent_ended",
    details: { eventType: "consent.revoked" },
  });
});

const DOCUMENTED_END: Record<string, Choice> = {
  "GET /users/{userId}/jobs": "done",
  "GET /users/{userId}/consents": "one stands, one was revoked",
  "GET /users/{userId}/connections": "one",
  "GET /users/{userId}/accounts": "open banking",
  "GET /users/{userId}/identities": "person",
  "GET /connectors": "two ways to one bank",
  "GET /events/{eventId}": "consent revoked",
};

/** From here on, the provider responds with its documentation's examples, about this check's user. */
async function withDocumentedAnswers(world: World, person: Case, chosen: Record<string, Choice> = {}) {
  const [check] = await readChecks(world, person);
  const user = check?.providerUserId ?? "";
  const provider = createDocumentedBasiq(
    { ...DOCUMENTED_END, ...chosen },
    { rename: { [USER]: user, [CONNECTION]: world.ids.next() } },
  );
  world.bankData = createBasiqBankData({
    baseUrl: BASE_URL,
    consentUrl: "https://consent.basiq.io/home",
    apiKey: "a2V5",
    fetch: provider.fetch,
    clock: world.clock,
    log: world.log,
  });
  return { user, provider };
}

const WATTLE = { accountName: "Wattle Joinery Pty Ltd", bsb: "062000", accountNumber: "12345678" };

test("with the documented answers a check finishes", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world, WATTLE);
  const { user, provider } = await withDocumentedAnswers(world, person);
  await world.pass(6 * MINUTE_MS);
  expect(await readVerification(world, person)).toMatchObject({
    outcome: "match",
    verifiedName: "WATTLE JOINERY PTY LTD",
  });
  expect(provider.asked).toContain(`DELETE /users/${user}`);
  expect((await readCheckJob(world, person)).status).toBe("done");
});

test("with the documented answers a withdrawal ends the check, from its webhook on", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world, WATTLE);
  const { user, provider } = await withDocumentedAnswers(world, person, { "GET /users/{userId}/jobs": "in progress" });
  await world.pass(6 * MINUTE_MS);
  expect((await readVerification(world, person)).outcome).toBeNull();
  // The words of the webhook; the event that it names has two.
  await storeBankEvent(world, { eventId: "ev-consent", eventTypeId: "consent.revoked" });
  const [job] = await world.db.select().from(outbox).where(eq(outbox.subjectId, "ev-consent"));
  await world.deliver("bank-checks", { jobId: job?.id, v: 1 });
  await world.drain();
  expect(await readVerification(world, person)).toMatchObject({
    status: "failed",
    outcome: "consent_refused",
    reasonCode: "consent_withdrawn",
  });
  expect(provider.asked).toContain(`DELETE /users/${user}`);
});
