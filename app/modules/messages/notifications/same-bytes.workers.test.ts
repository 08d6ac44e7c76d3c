import { outbox } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { MINUTE_MS } from "~/kernel/dates";
import recorded from "../../../../tests/recorded-jobs.json";
import { peek } from "../../../../tests/support/payees";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { consume } from "../../../../workers/queues";

/** A provider that refuses the first attempts, and records what it was sent. */
function aProvider(refusals = 0) {
  const sent: { key: string | null; body: string }[] = [];
  const services = testServices({
    fetch: async (request) => {
      sent.push({ key: request.headers.get("idempotency-key"), body: await request.text() });
      return sent.length <= refusals
        ? new Response(null, { status: 503 })
        : Response.json({ id: services.ids.next(), sid: services.ids.next() });
    },
  });
  return { services, sent };
}

async function queue({ secrets, clock }: TestServices, kind: string, id: string, payload: object) {
  await peek.delete(outbox).where(eq(outbox.id, id));
  const sealedPayload = await secrets.seal(JSON.stringify(payload), id);
  const now = clock.now();
  await peek.insert(outbox).values({ id, queue: "jobs", kind, sealedPayload, dueAt: now, createdAt: now });
}

const deliver = (services: TestServices, jobId: string) =>
  consume(
    { queue: "jobs", messages: [{ id: "m", body: { jobId, v: 1 }, ack() {}, retry() {} }] } as unknown as MessageBatch,
    services,
  );

test.each(recorded)(
  "$kind of release $release: what was recorded then is sent in the same bytes now",
  async ({ kind, id, payload, body, key }) => {
    const { services, sent } = aProvider();
    await queue(services, kind, id, payload);
    await deliver(services, id);
    expect(sent).toEqual([{ key, body }]);
  },
);

test("an email that failed is sent again as it was composed, whatever its template says by then", async () => {
  const { services, sent } = aProvider(1);
  const id = services.ids.next();
  const data = { organizationName: "Wattle", isSuspended: false, href: "https://app.test/" };
  await queue(services, "email", id, { to: "ana@wattle.example", template: "organizationStanding", data });
  await deliver(services, id);
  const [job] = await peek.select().from(outbox).where(eq(outbox.id, id));
  const kept = JSON.parse(await services.secrets.open(job?.sealedPayload ?? "", id));
  // A later release would word it differently.
  await peek
    .update(outbox)
    .set({
      sealedPayload: await services.secrets.seal(
        JSON.stringify({ ...kept, data: { ...data, organizationName: "Other words" } }),
        id,
      ),
    })
    .where(eq(outbox.id, id));
  services.clock.advance(MINUTE_MS);
  await deliver(services, id);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.body).toContain("Wattle");
  expect((await peek.select().from(outbox).where(eq(outbox.id, id)))[0]).toMatchObject({
    status: "done",
    sealedPayload: null,
  });
});
