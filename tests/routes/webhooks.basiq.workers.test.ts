import { outbox, webhookEvents } from "@db/database";
import { and, eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { aPayeeAtTheBank, readVerification } from "../support/bank-checks";
import { losingConnection } from "../support/lost-connections";
import { aWorld, type World } from "../support/simulators";
import { TEST_ENV } from "../support/test-env";

const SECRET = TEST_ENV.BASIQ_WEBHOOK_SECRET;

type Delivery = { eventId?: string; eventTypeId?: string; secret?: string; at?: number; body?: string };

/** A delivery as the provider makes it; what a test changes, it changes after signing unless it is signed as such. */
function aDelivery(world: World, { eventId = world.ids.next(), secret = SECRET, ...rest }: Delivery = {}): Request {
  const { eventTypeId = "connection.created", at = world.clock.now() } = rest;
  const body = rest.body ?? JSON.stringify({ eventTypeId, eventId, links: {} });
  const signedAt = new Date(at);
  return new Request(`${TEST_ENV.APP_ORIGIN}/webhooks/basiq`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": `msg_${eventId}`,
      "webhook-timestamp": String(Math.floor(at / 1000)),
      "webhook-signature": new Webhook(secret).sign(`msg_${eventId}`, signedAt, body),
    },
    body,
  });
}

const stored = async (world: World, eventId: string) => ({
  events: (
    await world.db
      .select()
      .from(webhookEvents)
      .where(and(eq(webhookEvents.provider, "basiq"), eq(webhookEvents.eventId, eventId)))
  ).length,
  jobs: (await world.db.select().from(outbox).where(eq(outbox.subjectId, eventId))).length,
});

test("a signed event is stored with its job before it is acknowledged", async () => {
  const world = aWorld();
  const eventId = world.ids.next();
  const answer = await world.webhook(aDelivery(world, { eventId }));
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect(await stored(world, eventId)).toEqual({ events: 1, jobs: 1 });
  expect(world.sent).toHaveLength(1);
});

test("an event delivered twice, or many times at once, is acknowledged each time and has one effect", async () => {
  const world = aWorld();
  const eventId = world.ids.next();
  const answers = await Promise.all(Array.from({ length: 8 }, () => world.webhook(aDelivery(world, { eventId }))));
  answers.push(await world.webhook(aDelivery(world, { eventId })));
  expect(answers.map((answer) => answer.status)).toEqual(Array(9).fill(200));
  expect(await stored(world, eventId)).toEqual({ events: 1, jobs: 1 });
});

test("an event of a type nobody here knows is kept and acknowledged, and nothing follows", async () => {
  const world = aWorld();
  const eventId = world.ids.next();
  const answer = await world.webhook(aDelivery(world, { eventId, eventTypeId: "moon.risen" }));
  expect(answer.status).toBe(200);
  expect(await stored(world, eventId)).toEqual({ events: 1, jobs: 0 });
});

const FORGED: [string, (world: World, eventId: string) => Request, number][] = [
  ["unsigned", (world) => new Request(aDelivery(world).url, { method: "POST", body: "{}" }), 401],
  [
    "signed by a stranger",
    (world, eventId) => aDelivery(world, { eventId, secret: `whsec_${btoa("x".repeat(24))}` }),
    401,
  ],
  ["six minutes late", (world, eventId) => aDelivery(world, { eventId, at: world.clock.now() - 360_000 }), 401],
  ["six minutes early", (world, eventId) => aDelivery(world, { eventId, at: world.clock.now() + 360_000 }), 401],
  [
    "changed on the way",
    (world, eventId) => {
      const { url, headers } = aDelivery(world, { eventId });
      return new Request(url, {
        method: "POST",
        headers,
        body: JSON.stringify({ eventId, eventTypeId: "user.deleted" }),
      });
    },
    401,
  ],
  ["signed but no event", (world) => aDelivery(world, { body: "[]" }), 400],
];

test.each(FORGED)("a delivery that is %s is refused and leaves nothing", async (_, make, status) => {
  const world = aWorld();
  const eventId = world.ids.next();
  const answer = await world.webhook(make(world, eventId));
  expect(answer.status).toBe(status);
  expect(await stored(world, eventId)).toEqual({ events: 0, jobs: 0 });
  expect(world.sent).toEqual([]);
});

test("while secrets rotate, an event signed with the old one still counts", async () => {
  const world = aWorld();
  world.config.basiqWebhookSecrets = [`whsec_${btoa("n".repeat(24))}`, SECRET];
  expect((await world.webhook(aDelivery(world))).status).toBe(200);
});

test("a body over a megabyte is refused before it is read to its end", async () => {
  const world = aWorld();
  const { url, headers } = aDelivery(world);
  const big = new Request(url, { method: "POST", headers, body: "x".repeat(1024 * 1024 + 1) });
  expect((await world.webhook(big)).status).toBe(413);
});

test("an event that could not be stored is not acknowledged, so that the provider comes again", async () => {
  const world = aWorld();
  const eventId = world.ids.next();
  const db = world.db;
  world.db = losingConnection(db, "before", 10);
  const answer = await world.webhook(aDelivery(world, { eventId }));
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "5"]);
  world.db = losingConnection(db, "after");
  expect((await world.webhook(aDelivery(world, { eventId }))).status).toBe(200);
  world.db = db;
  expect((await world.webhook(aDelivery(world, { eventId }))).status).toBe(200);
  expect(await stored(world, eventId)).toEqual({ events: 1, jobs: 1 });
});

test("an event that comes again after the check has ended changes nothing", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  await world.completeAtBank(person.verificationId, "match");
  await world.drain();
  const before = await readVerification(world, person);
  expect((await world.webhook(world.lastWebhook())).status).toBe(200);
  expect((await world.webhook(aDelivery(world, { eventTypeId: "account.updated" }))).status).toBe(200);
  await world.drain();
  expect(await readVerification(world, person)).toEqual(before);
});
