import { expect, test } from "vitest";
import { verifyBasiqWebhook } from "~/adapters/bank-data/basiq-webhook";
import { createBench } from "../../tests/support/simulator-bench";
import { TEST_ENV } from "../../tests/support/test-env";
import { RETRY_DELAYS_MS } from "./webhooks";

async function completed(persona: string) {
  const bench = createBench();
  const check = await bench.startCheck();
  await bench.postJson("/basiq/complete", { verificationId: check.verificationId, persona });
  await bench.simulators.idle();
  return { bench, check };
}

const verify = (delivery: { headers: Headers; body: string } | undefined, nowMs: number) => {
  if (!delivery) throw new Error("nothing was delivered");
  return verifyBasiqWebhook({
    secret: TEST_ENV.BASIQ_WEBHOOK_SECRET,
    headers: delivery.headers,
    rawBody: delivery.body,
    nowMs,
  });
};

test.each([
  ["match", ["consent.created", "connection.created", "connection.activated", "account.updated"]],
  ["outage", ["consent.created", "connection.created", "connection.invalidated"]],
  ["refused", ["connection.created", "connection.invalidated"]],
  ["never", ["consent.created", "connection.created"]],
])("%s tells the app what happened", async (persona, expected) => {
  const { bench, check } = await completed(persona);
  const webhooks = await Promise.all(bench.deliveries.map((delivery) => verify(delivery, bench.clock.now())));
  expect(webhooks.map(({ eventTypeId }) => eventTypeId)).toEqual(expected);
  const event = await bench.bankData.getEvent(webhooks[0]?.eventId ?? "");
  expect(event).toMatchObject({ eventType: expected[0], providerUserId: check.providerUserId });
});

test("a webhook is refused when it was changed or is old", async () => {
  const { bench } = await completed("never");
  const [delivery] = bench.deliveries;
  const changed = delivery && { ...delivery, body: delivery.body.replace("consent", "account") };
  await expect(verify(changed, bench.clock.now())).rejects.toMatchObject({ reason: "bad_signature" });
  await expect(verify(delivery, bench.clock.now() + 301_000)).rejects.toMatchObject({ reason: "too_old" });
});

test("a webhook the app does not take is sent again on the provider's schedule, then given up", async () => {
  const bench = createBench();
  const { verificationId } = await bench.startCheck();
  bench.app.webhookStatus = 503;
  await bench.postJson("/basiq/complete", { verificationId, persona: "never" });
  await bench.simulators.idle();
  expect(bench.deliveries).toHaveLength(2);

  const waits = [];
  // Both events wait alike, beside the timer that ends the job.
  while (bench.timersSet() > 0) waits.push(await bench.runNextTimer());
  expect(waits.filter((wait) => wait > 0).reduce((sum, wait) => sum + wait, 0)).toBe(
    RETRY_DELAYS_MS.reduce((sum, wait) => sum + wait, 0),
  );
  expect(bench.deliveries).toHaveLength(2 * (1 + RETRY_DELAYS_MS.length));
  const ids = new Set(bench.deliveries.map(({ headers }) => headers.get("webhook-id")));
  expect(ids.size).toBe(2);
});

test("a retry is signed anew and ends when the app takes it", async () => {
  const bench = createBench();
  const { verificationId } = await bench.startCheck();
  bench.app.webhookStatus = 500;
  await bench.postJson("/basiq/complete", { verificationId, persona: "match" });
  await bench.simulators.idle();
  bench.app.webhookStatus = 200;
  expect(await bench.runNextTimer()).toBe(5_000);
  expect(await verify(bench.deliveries.at(-1), bench.clock.now())).toBeTruthy();
  while (bench.timersSet() > 0) await bench.runNextTimer();
  expect(bench.deliveries).toHaveLength(8);
});

test("a person can send an event again, under the same webhook id", async () => {
  const { bench } = await completed("never");
  const { eventId, webhookId } = await verify(bench.deliveries[0], bench.clock.now());
  await bench.postForm(`/basiq/events/${eventId}/resend`, {});
  await bench.simulators.idle();
  expect((await verify(bench.deliveries.at(-1), bench.clock.now())).webhookId).toBe(webhookId);
});
