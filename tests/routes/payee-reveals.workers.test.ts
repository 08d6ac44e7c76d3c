import { auditLogs } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import * as page from "~/routes/_app+/payees.$id";
import * as editPage from "~/routes/_app+/payees.$id_.edit";
import * as paymentPage from "~/routes/_app+/payments.$id";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { aColleague, anAddedPayee, details, peek } from "../support/payees";
import { aPayment, aTrustedPayee } from "../support/payments";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";

const payeesApi = routeOf("/api/payees");
const payeeApi = routeOf("/api/payees/{id}");
const openingApi = routeOf("/api/payees/{id}/verifications");
const whitelistApi = routeOf("/api/payees/{id}/whitelist");
const paymentsApi = routeOf("/api/payments");
const paymentApi = routeOf("/api/payments/{id}");
const decisionApi = routeOf("/api/payments/{id}/decision");
const outcomeApi = routeOf("/api/payments/{id}/outcome");

/** Every way in which a person comes to see a full account number of a payee or payment leaves an entry of its own. */

type Init = NonNullable<Parameters<typeof routeArgs>[4]>;
type Handler = (args: Awaited<ReturnType<typeof routeArgs>>) => Promise<unknown>;

/** A pending payee with a held payment, a trusted one with an authorised payment, and a person who has seen nothing yet. */
async function aFreshPair() {
  const services = testServices();
  const owner = await aMember(services);
  const held = await anAddedPayee(services, owner);
  const trusted = await aTrustedPayee(services, owner);
  return {
    services,
    owner,
    held,
    trusted,
    heldPayment: (await aPayment(services, owner, held.payeeId)).id,
    authorisedPayment: (await aPayment(services, owner, trusted.payeeId)).id,
    reader: await aColleague(services, owner),
  };
}
type Pair = Awaited<ReturnType<typeof aFreshPair>>;
type Way = [string, Handler, (pair: Pair) => { id?: string; entityId?: string; init?: Init; query?: string }];

const reads =
  (id: (pair: Pair) => string, query = "") =>
  (pair: Pair) => ({ id: id(pair), query });
const posts =
  (id: (pair: Pair) => string, json: object, method = "POST") =>
  (pair: Pair) => ({ id: id(pair), init: { json, method } });
const payeeId = ({ held }: Pair) => held.payeeId;
const reason = "Called them on a known number";

const ways: Way[] = [
  ["the payee's page", page.loader, reads(payeeId)],
  ["the payee's page as data", page.loader, reads(payeeId, "?_data=routes/payees.$id")],
  ["the edit page", editPage.loader, reads(payeeId)],
  ["GET of a payee", payeeApi.loader, reads(payeeId)],
  ["PATCH of a payee", payeeApi.action, posts(payeeId, { name: "Another Name" }, "PATCH")],
  ["POST to the whitelist", whitelistApi.action, posts(payeeId, { reason })],
  ["DELETE from the whitelist", whitelistApi.action, posts(({ trusted }) => trusted.payeeId, { reason }, "DELETE")],
  ["the payment's page", paymentPage.loader, reads(({ heldPayment }) => heldPayment)],
  ["GET of a payment", paymentApi.loader, reads(({ heldPayment }) => heldPayment)],
  ["a decision", decisionApi.action, posts(({ heldPayment }) => heldPayment, { decision: "reject", reason })],
  ["an outcome", outcomeApi.action, posts(({ authorisedPayment }) => authorisedPayment, { status: "successful" })],
];

async function revealsTo(reader: Actor, entityId?: string) {
  const isReveal = and(eq(auditLogs.userId, reader.userId), eq(auditLogs.action, "payee.details_revealed"));
  const rows = await peek.select().from(auditLogs).where(isReveal);
  return entityId === undefined ? rows : rows.filter((row) => row.entityId === entityId);
}

test.each(ways)("%s leaves an entry of the reveal", async (_, handler, way) => {
  const pair = await aFreshPair();
  const { id = "", init, query = "" } = way(pair);
  await handler(await routeArgs(pair.services, pair.reader, `/x${query}`, { id }, init));
  expect(await revealsTo(pair.reader, id)).toHaveLength(1);
});

test("so do opening a verification and paying a payee by its id", async () => {
  const { services, reader, trusted } = await aFreshPair();
  const opening = await openingApi.action(
    await routeArgs(services, reader, "/x", { id: trusted.payeeId }, { json: {} }),
  );
  expect(opening.status).toBe(201);
  const json = { payeeId: trusted.payeeId, amount: 100, reference: "INV-1" };
  await paymentsApi.action(await routeArgs(services, reader, "/api/payments", {}, { json }));
  expect((await revealsTo(reader)).map(({ entityType }) => entityType).sort()).toEqual(["payment", "verification"]);
});

test("what a person types as they add a payee is not revealed to them; the same key again shows what has become of it", async () => {
  const { services, reader } = await aFreshPair();
  const { name, accountName, bsb, accountNumber } = details({ accountNumber: "55544433" });
  const json = { name, accountName, bsb, accountNumber };
  const add = async () => {
    const sent = { json, headers: { "Idempotency-Key": "once" } };
    const added = await payeesApi.action(await routeArgs(services, reader, "/api/payees", {}, sent));
    return (await added.json()) as { payee: { id: string; accountNumber: string } };
  };
  const { payee } = await add();
  expect(payee.accountNumber).toBe("55544433");
  expect(await revealsTo(reader, payee.id)).toEqual([]);
  expect(await add()).toMatchObject({ payee });
  expect(await revealsTo(reader, payee.id)).toHaveLength(1);
});

test("posting the edit form without opening it first leaves one too", async () => {
  const { services, reader, held } = await aFreshPair();
  const form = { ...held.details, abn: "", phone: "", address: "", email: "", version: "1", bsb: "033001" };
  const result = await editPage.action(await routeArgs(services, reader, "/x", { id: held.payeeId }, { form }));
  expect(JSON.stringify(result)).toContain("062-000");
  expect(await revealsTo(reader, held.payeeId)).toHaveLength(1);
});

test("reading all lists as a reader gives no full account number, and leaves no entry", async () => {
  const { services, owner, held, trusted } = await aFreshPair();
  const reader = await aColleague(services, owner, { role: "read_only" });
  for (const [path, { loader }] of [
    ["/api/payees", payeesApi],
    ["/api/payments", paymentsApi],
  ] as const) {
    const text = await (await loader(await routeArgs(services, reader, path))).text();
    for (const { details } of [held, trusted]) {
      expect(text).not.toContain(details.accountNumber);
      expect(text).toContain(details.accountNumber.slice(-3));
    }
  }
  expect(await revealsTo(reader)).toEqual([]);
});
