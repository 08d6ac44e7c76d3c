import { auditLogs, webhookDeliveries, webhookEndpoints } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { aMember } from "../../../../tests/support/factories";
import { aColleague, alertsAbout, anAddedPayee, peek, refusal } from "../../../../tests/support/payees";
import { aPayment } from "../../../../tests/support/payments";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { RETRY_DELAYS_MS, raiseWebhooks } from "./deliver.server";
import {
  addEndpoint,
  chooseEvents,
  endFormerSecret,
  MAX_ENDPOINTS,
  removeEndpoint,
  renewSecret,
  resendDelivery,
  sendTestEvent,
  setEndpointActive,
} from "./endpoint.server";
import { WEBHOOK_EVENT_NAMES, type WebhookEventName } from "./webhook-event";

type Received = { url: string; headers: Record<string, string>; body: string };

const receivedAt = async (world: World, url: string): Promise<Received[]> => {
  const all = (await (await world.visit("/receiver/events")).json()) as Received[];
  return all.filter((event) => event.url === url).reverse();
};

let hosts = 0;

/** An organisation with an endpoint that is told of everything. */
async function anEndpoint({
  host = "hooks",
  events = WEBHOOK_EVENT_NAMES as WebhookEventName[],
  timeoutMs = 5_000,
} = {}) {
  const world = aWorld({ timeoutMs });
  const actor = await aMember(world, { role: "admin" });
  const url = `https://${host}.customer-${++hosts}.example/payeeproof`;
  const { id, secret } = await addEndpoint(world, actor, { url, events });
  const tell = async () => {
    while ((await raiseWebhooks(world)) > 0);
    await world.drain();
  };
  return { world, actor, url, id, secret, tell };
}

const logOf = (endpointId: string) =>
  peek
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .orderBy(asc(webhookDeliveries.id));

const endpointOf = async (id: string) => {
  const [row] = await peek.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  return row;
};

const verified = (secret: string, { headers, body }: Received, nowMs: number) => {
  const system = Date.now;
  Date.now = () => nowMs;
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    Date.now = system;
  }
};

test("what happens is sent once to each endpoint that chose it, signed, with ids and states and no bank number", async () => {
  const { world, actor, url, id, secret, tell } = await anEndpoint({ events: ["payee.added", "payment.recorded"] });
  const { payeeId, details } = await anAddedPayee(world, actor);
  const payment = await aPayment(world, actor, payeeId);
  await tell();
  await tell();
  const events = await receivedAt(world, url);
  expect(events.map((event) => JSON.parse(event.body))).toEqual([
    {
      type: "payee.added",
      timestamp: expect.any(String),
      data: { organizationId: actor.organizationId, object: "payee", id: payeeId, state: "pending" },
    },
    {
      type: "payment.recorded",
      timestamp: expect.any(String),
      data: expect.objectContaining({ object: "payment", id: payment.id, state: "held" }),
    },
  ]);
  for (const event of events) {
    expect(() => verified(secret, event, world.clock.now())).not.toThrow();
    expect(event.body).not.toContain(details.accountNumber);
    expect(event.body).not.toContain(details.accountName);
  }
  expect(
    (await logOf(id)).map((row) => [row.eventType, row.status, row.attempts, row.answerStatus, row.answerBody]),
  ).toEqual([
    ["payee.added", "delivered", 1, 200, "taken"],
    ["payment.recorded", "delivered", 1, 200, "taken"],
  ]);
});

test("an event goes to its own organisation only, and not to an endpoint that is added afterwards", async () => {
  const one = await anEndpoint();
  const other = await addEndpoint(one.world, await aMember(one.world, { role: "admin" }), {
    url: "https://other.customer.example/",
    events: ["payee.added"],
  });
  await anAddedPayee(one.world, one.actor);
  one.world.clock.advance(1_000);
  const late = await addEndpoint(one.world, one.actor, {
    url: "https://late.customer.example/",
    events: ["payee.added"],
  });
  await one.tell();
  expect((await logOf(one.id)).length).toBeGreaterThan(0);
  expect(await logOf(other.id)).toEqual([]);
  expect(await logOf(late.id)).toEqual([]);
});

test("of two readers at once one queues each event", async () => {
  const { world, actor, id } = await anEndpoint({ events: ["payee.added"] });
  await anAddedPayee(world, actor);
  await Promise.all([raiseWebhooks(world), raiseWebhooks(world)]);
  await raiseWebhooks(world);
  expect(await logOf(id)).toHaveLength(1);
});

test("both secrets sign while the former lives, and the new one alone after it", async () => {
  const { world, actor, url, id, secret } = await anEndpoint();
  const next = await renewSecret(world, actor, id);
  const sendTest = async () => {
    await sendTestEvent(world, actor, id);
    await world.drain();
    return (await receivedAt(world, url)).at(-1) as Received;
  };
  const signs = (key: string, event: Received) => {
    try {
      verified(key, event, world.clock.now());
      return true;
    } catch {
      return false;
    }
  };
  const during = await sendTest();
  expect([signs(secret, during), signs(next, during)]).toEqual([true, true]);
  world.clock.advance(7 * DAY_MS);
  const after = await sendTest();
  expect([signs(secret, after), signs(next, after)]).toEqual([false, true]);
  const last = await renewSecret(world, actor, id);
  await endFormerSecret(world, actor, id);
  const ended = await sendTest();
  expect([signs(next, ended), signs(last, ended)]).toEqual([false, true]);
});

test("an endpoint that fails is tried again for three days under one id, then switched off, and the admins are told", async () => {
  const { world, actor, url, id, tell } = await anEndpoint({ host: "broken", events: ["payee.added"] });
  const admin = await aColleague(world, actor, { role: "admin" });
  const startedAt = world.clock.now();
  await anAddedPayee(world, actor);
  await tell();
  expect(await logOf(id)).toMatchObject([
    {
      status: "pending",
      attempts: 1,
      answerStatus: 500,
      problem: "The answer was 500.",
      answerBody: "Something went wrong",
    },
  ]);
  for (const delay of RETRY_DELAYS_MS) await world.pass(delay);
  const tries = await receivedAt(world, url);
  expect(tries).toHaveLength(RETRY_DELAYS_MS.length + 1);
  expect(new Set(tries.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(3 * DAY_MS);
  expect(world.clock.now() - startedAt).toBeLessThan(3 * DAY_MS + HOUR_MS);
  expect(await logOf(id)).toMatchObject([{ status: "failed", nextAttemptAt: null }]);
  expect(await endpointOf(id)).toMatchObject({ status: "disabled" });
  const told = await alertsAbout(world, actor.organizationId, "delivery_failed");
  expect(told.map(({ userId, title }) => [userId, title]).sort()).toEqual(
    [actor.userId, admin.userId].sort().map((userId) => [userId, "A webhook endpoint was switched off"]),
  );

  await anAddedPayee(world, actor);
  await tell();
  expect(await logOf(id)).toHaveLength(1);
});

test("an endpoint that takes other events is not switched off for one that it refuses", async () => {
  const { world, actor, id, tell } = await anEndpoint({ host: "broken", events: ["payee.added"] });
  await anAddedPayee(world, actor);
  await tell();
  world.clock.advance(MINUTE_MS);
  await peek.update(webhookEndpoints).set({ lastSuccessAt: world.clock.now() }).where(eq(webhookEndpoints.id, id));
  for (const delay of RETRY_DELAYS_MS) await world.pass(delay);
  expect(await logOf(id)).toMatchObject([{ status: "failed" }]);
  expect(await endpointOf(id)).toMatchObject({ status: "active" });
});

test.each([
  ["redirects", 302, "The address answers with a redirect, which is not followed."],
  ["gone", 410, "The answer was 410."],
  ["loopback", null, /leads to an address that is not public/],
  ["link-local", null, /leads to an address that is not public/],
  ["private", null, /leads to an address that is not public/],
  ["private-v6", null, /leads to an address that is not public/],
  ["mixed", null, /leads to an address that is not public/],
  ["nowhere", null, /leads to no address/],
])("an endpoint named %s takes nothing", async (host, status, problem) => {
  const { world, actor, url, id } = await anEndpoint({ host });
  await sendTestEvent(world, actor, id);
  await world.drain();
  const [row] = await logOf(id);
  expect(row).toMatchObject({
    status: "failed",
    attempts: 1,
    answerStatus: status,
    problem: expect.stringMatching(problem),
  });
  expect(await receivedAt(world, url)).toHaveLength(status === null ? 0 : 1);
});

test("an endpoint that does not answer in time is told so, and the next is not kept waiting", async () => {
  const { world, actor, id } = await anEndpoint({ host: "slow", timeoutMs: 20 });
  await sendTestEvent(world, actor, id);
  await world.drain();
  expect(await logOf(id)).toMatchObject([
    { status: "failed", answerStatus: null, problem: expect.stringMatching(/^No answer/) },
  ]);
});

test("of a long answer the beginning is kept", async () => {
  const { world, actor, id } = await anEndpoint({ host: "long" });
  await sendTestEvent(world, actor, id);
  await world.drain();
  const [row] = await logOf(id);
  expect([row?.status, row?.answerBody?.length ?? 0]).toEqual(["delivered", expect.any(Number)]);
  expect(row?.answerBody?.length).toBeLessThanOrEqual(1_000);
});

test("a paused endpoint is told of nothing that happens meanwhile; what failed is sent again under its own id", async () => {
  const { world, actor, url, id, tell } = await anEndpoint({ events: ["payee.added", "payee.bank_details_changed"] });
  await setEndpointActive(world, actor, id, false);
  const { payeeId } = await anAddedPayee(world, actor);
  await tell();
  world.clock.advance(1_000);
  await setEndpointActive(world, actor, id, true);
  await editPayee(world, actor, { payeeId, patch: { accountNumber: "98765432" } });
  await tell();
  const events = await receivedAt(world, url);
  expect(events.map(({ body }) => JSON.parse(body).type)).toEqual(["payee.bank_details_changed"]);

  const [row] = await logOf(id);
  await resendDelivery(world, actor, row?.id ?? "");
  expect(await refusal(resendDelivery(world, actor, row?.id ?? ""))).toMatchObject({ code: "DELIVERY_PENDING" });
  await world.drain();
  const again = await receivedAt(world, url);
  expect(again).toHaveLength(2);
  expect(again[1]?.headers["webhook-id"]).toBe(events[0]?.headers["webhook-id"]);
  expect(again[1]?.body).toBe(events[0]?.body);
});

test("a consumer that ends after the answer and before it is kept sends the event again under the same id", async () => {
  const { world, actor, url, id } = await anEndpoint();
  await sendTestEvent(world, actor, id);
  const [hint] = world.sent;
  const dying = {
    ...world,
    db: new Proxy(world.db, {
      get: (db, name) =>
        name === "batch"
          ? async () => {
              throw new Error("killed");
            }
          : Reflect.get(db, name, db),
    }),
  } as World;
  await world.deliver("jobs", { jobId: hint?.jobId, v: 1 }, dying);
  expect((await logOf(id))[0]?.status).toBe("pending");
  world.clock.advance(MINUTE_MS);
  await world.drain();
  const events = await receivedAt(world, url);
  expect(events.length).toBe(2);
  expect(new Set(events.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect((await logOf(id))[0]?.status).toBe("delivered");
});

test("endpoints belong to their organisation, are limited in number, and leave with their log", async () => {
  const { world, actor, id } = await anEndpoint();
  const stranger = await aMember(world, { role: "admin" });
  for (const act of [
    () => chooseEvents(world, stranger, id, ["payee.added"]),
    () => setEndpointActive(world, stranger, id, false),
    () => renewSecret(world, stranger, id),
    () => sendTestEvent(world, stranger, id),
    () => removeEndpoint(world, stranger, id),
  ]) {
    expect(await refusal(act())).toMatchObject({ status: 404 });
  }
  for (let count = 1; count < MAX_ENDPOINTS; count++) {
    await addEndpoint(world, actor, { url: `https://more-${count}.customer.example/`, events: ["payee.added"] });
  }
  const tooMany = addEndpoint(world, actor, { url: "https://eleven.customer.example/", events: ["payee.added"] });
  expect(await refusal(tooMany)).toMatchObject({ status: 409, code: "TOO_MANY_ENDPOINTS" });

  await sendTestEvent(world, actor, id);
  await world.drain();
  await removeEndpoint(world, actor, id);
  expect([await logOf(id), await endpointOf(id)]).toEqual([[], undefined]);
  const acts = await peek
    .select({ action: auditLogs.action })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.entityId, id)))
    .orderBy(asc(auditLogs.position));
  expect(acts.map(({ action }) => action)).toEqual(["webhook.created", "webhook.tested", "webhook.removed"]);
});

test("the secret is sealed where it is kept", async () => {
  const { secret, id } = await anEndpoint();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect((await endpointOf(id))?.sealedSecret).not.toContain(secret.slice("whsec_".length));
});
