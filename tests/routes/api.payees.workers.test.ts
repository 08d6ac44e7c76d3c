import { auditLogs, organizations, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { routeOf } from "~/api/calls.server";
import * as institution from "~/routes/_app+/payees.institution";
import type { Actor, Services } from "~/services-and-actor";
import { aTickingClock } from "../support/clock";
import { aMember } from "../support/factories";
import { aColleague, anAddedPayee, peek } from "../support/payees";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { test } from "../support/signed-in";

const list = routeOf("/api/payees");
const one = routeOf("/api/payees/{id}");
const opening = routeOf("/api/payees/{id}/verifications");
const trust = routeOf("/api/payees/{id}/whitelist");

type Route = Pick<typeof list, "loader" | "action">;
type Init = Parameters<typeof routeArgs>[4];
type Body = Record<string, unknown> & { code?: string; message?: string };

async function call(services: Services, actor: Actor | null, route: Route, path: string, id?: string, init: Init = {}) {
  const args = await routeArgs(services, actor, path, id === undefined ? {} : { id }, init);
  const response = await (args.request.method === "GET" ? route.loader(args) : route.action(args));
  return { status: response.status, body: (await response.json()) as Body };
}

let accounts = 41_000_000;
const typed = (given: object = {}) => ({
  name: "Saltbush Signs",
  accountName: "Saltbush Signs Pty Ltd",
  bsb: "062-000",
  accountNumber: String(accounts++),
  email: "Pay@Saltbush.Example",
  ...given,
});

test("adding answers 201 with the payee and its verification, digits only and instants in ISO", async ({
  services,
  actor,
}) => {
  const json = typed({ abn: "51 824 753 556", phone: "0412 345 678" });
  const { status, body } = await call(services, actor, list, "/api/payees", undefined, { json });
  expect(status).toBe(201);
  expect(body.payee).toMatchObject({
    name: json.name,
    bsb: "062000",
    accountNumber: json.accountNumber,
    abn: "51824753556",
    email: "pay@saltbush.example",
    phone: "+61412345678",
    address: null,
    institution: "Commonwealth Bank of Australia",
    status: "pending",
    whitelisted: false,
    version: 1,
    createdAt: "2026-11-20T03:00:00.000Z",
  });
  expect(body.verification).toMatchObject({
    status: "pending",
    verificationMethod: "manual",
    matchType: "none",
    nameMatchScore: null,
    payee: { accountName: json.accountName, bsb: "062000", accountNumber: json.accountNumber },
    evidence: { institution: { mnemonic: "CBA" } },
  });
  expect(JSON.stringify(body)).not.toMatch(/f1:|hash|ingerprint/);
});

test("wrong input answers 400 with a sentence beside each field", async ({ services, actor }) => {
  const json = { name: "A", accountName: "", bsb: "1", accountNumber: "1", abn: "123" };
  const { status, body } = await call(services, actor, list, "/api/payees", undefined, { json });
  expect(status).toBe(400);
  expect(Object.keys(body.fieldErrors ?? {}).sort()).toEqual(["abn", "accountName", "accountNumber", "bsb", "name"]);
  expect(body.fieldErrors).toMatchObject({ abn: ["ABN must be at least 11 characters"] });
});

test("a duplicate answers 409 with the existing payee's id", async ({ services, actor }) => {
  const { payeeId, details } = await anAddedPayee(services, actor);
  const json = typed({ bsb: details.bsb, accountNumber: `0${details.accountNumber}` });
  const { status, body } = await call(services, actor, list, "/api/payees", undefined, { json });
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: "DUPLICATE_PAYEE", payeeId });
});

test("the same Idempotency-Key and body is answered with the same payee and verification", async () => {
  // The first answer is made of what was written, the second is read.
  const services = testServices({ clock: aTickingClock() });
  const actor = await aMember(services);
  const init = { json: typed(), headers: { "Idempotency-Key": "k-1" } };
  const first = await call(services, actor, list, "/api/payees", undefined, init);
  expect(await call(services, actor, list, "/api/payees", undefined, init)).toEqual(first);
  const other = { ...init, json: typed() };
  expect(await call(services, actor, list, "/api/payees", undefined, other)).toMatchObject({ status: 409 });
});

test("a list shows the organisation's payees, searched and filtered, and never fails on a strange address", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor, { name: "Mulga Metal" });
  await anAddedPayee(services, actor);
  const found = await call(services, actor, list, "/api/payees?q=mulga&status=pending");
  expect(found.body).toMatchObject({ payees: [{ id: payeeId, name: "Mulga Metal" }], nextCursor: null });
  const strange = await call(services, actor, list, "/api/payees?status=nonsense&cursor=%00");
  expect(strange.status).toBe(200);
  expect(strange.body.payees).toHaveLength(2);
});

test("a program that reads a payee is told in red that its account was another payee's", async ({
  services,
  actor,
}) => {
  const former = await anAddedPayee(services, actor, {
    name: "Cassowary Cleaning",
    accountName: "Cassowary Cleaning",
    accountNumber: "44111700",
  });
  await call(services, actor, one, "/api/payees", former.payeeId, {
    json: { accountNumber: "44222788" },
    method: "PATCH",
  });
  const { payeeId } = await anAddedPayee(services, actor, {
    name: "Emu Electrical",
    accountName: "Emu Electrical",
    accountNumber: "44111700",
  });
  const { body } = await call(services, actor, one, `/api/payees/${payeeId}`, payeeId);
  expect(body).toMatchObject({
    verdict: {
      name: "former_account",
      tone: "review",
      because: [expect.stringMatching(/^This account was Cassowary Cleaning's until /)],
    },
    flags: ["former_account", "unchecked"],
  });
});

test("one payee is shown with its latest verification and its changes, and looking is recorded", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId, details } = await anAddedPayee(services, actor);
  const patch = { json: { accountNumber: "46464646", version: 1 }, method: "PATCH" };
  const edited = await call(services, actor, one, `/api/payees/${payeeId}`, payeeId, patch);
  expect(edited.status).toBe(200);
  const { body } = await call(services, actor, one, `/api/payees/${payeeId}`, payeeId);
  expect(body).toEqual(edited.body);
  expect(body).toMatchObject({
    payee: { id: payeeId, accountNumber: "46464646", status: "changed", version: 2 },
    latestVerification: { status: "pending", payee: { accountNumber: "46464646" } },
    changes: [
      { field: "accountNumber", oldValue: details.accountNumber, newValue: "46464646", changedBy: "Mira Okafor" },
    ],
  });
  expect(body).toMatchObject({ verdict: { name: "not_checked" }, flags: ["changed_details", "unchecked"] });
  expect((body.latestVerification as { id: string }).id).not.toBe(verificationId);
  const looks = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, payeeId), eq(auditLogs.action, "payee.details_revealed")));
  expect(looks).toHaveLength(1);
});

test("an edit made from an older version answers 409", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const edit = (name: string) =>
    call(services, actor, one, `/api/payees/${payeeId}`, payeeId, { json: { name, version: 1 }, method: "PATCH" });
  expect((await edit("First name")).status).toBe(200);
  expect(await edit("Second name")).toMatchObject({ status: 409, body: { code: "EDIT_CONFLICT" } });
});

test("trust is given and taken with a reason", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const path = `/api/payees/${payeeId}/whitelist`;
  const json = { reason: "Called them on the number in the contract" };
  const none = await call(services, actor, trust, path, payeeId, { json: {} });
  expect(none).toMatchObject({ status: 400, body: { fieldErrors: { reason: ["Give a reason"] } } });
  const on = await call(services, actor, trust, path, payeeId, { json });
  expect(on.body.payee).toMatchObject({ whitelisted: true, whitelistedReason: json.reason, status: "whitelisted" });
  const off = await call(services, actor, trust, path, payeeId, { json, method: "DELETE" });
  expect(off.body.payee).toMatchObject({ whitelisted: false, whitelistedReason: null });
});

test("a new verification opens with 201, and not while one waits or without a subscription", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  const path = `/api/payees/${payeeId}/verifications`;
  const start = () => call(services, actor, opening, path, payeeId, { method: "POST" });
  expect(await start()).toMatchObject({ status: 409, body: { code: "VERIFICATION_PENDING", verificationId } });
  const reject = (id: string) => peek.update(verifications).set({ status: "rejected" }).where(eq(verifications.id, id));
  await reject(verificationId);
  const started = await start();
  expect(started).toMatchObject({ status: 201, body: { verification: { status: "pending" } } });
  await reject((started.body.verification as { id: string }).id);
  await peek.update(organizations).set({ trialEndsAt: 0 }).where(eq(organizations.id, actor.organizationId));
  expect(await start()).toMatchObject({ status: 402, body: { code: "SUBSCRIPTION_REQUIRED" } });
});

/** Every call that needs an id or changes something. */
const calls: [string, Route, (id: string) => string, Init][] = [
  ["GET one", one, (id) => `/api/payees/${id}`, {}],
  ["PATCH one", one, (id) => `/api/payees/${id}`, { method: "PATCH", json: { name: "Another name" } }],
  ["POST whitelist", trust, (id) => `/api/payees/${id}/whitelist`, { json: { reason: "Because" } }],
  ["DELETE whitelist", trust, (id) => `/api/payees/${id}/whitelist`, { method: "DELETE", json: { reason: "Because" } }],
  ["POST verifications", opening, (id) => `/api/payees/${id}/verifications`, { method: "POST" }],
];

test.each(calls)(
  "%s: another organisation's id, a missing and a malformed one are answered alike",
  async (_, route, path, init) => {
    const services = testServices();
    const [owner, stranger] = [await aMember(services), await aMember(services)];
    const { payeeId } = await anAddedPayee(services, owner);
    const answers = await Promise.all(
      [payeeId, services.ids.next(), "not-an-id"].map((id) => call(services, stranger, route, path(id), id, init)),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect({ ...body, requestId: "" }).toEqual({ code: "NOT_FOUND", message: "Not found", requestId: "" });
    }
  },
);

test.each([...calls.slice(1), ["POST", list, () => "/api/payees", { json: typed() }] as const])(
  "%s: a read_only person is refused and a visitor sent away",
  async (_, route, path, init) => {
    const services = testServices();
    const owner = await aMember(services);
    const reader = await aColleague(services, owner, { role: "read_only" });
    const { payeeId } = await anAddedPayee(services, owner);
    const refused = await call(services, reader, route, path(payeeId), payeeId, init);
    expect(refused).toMatchObject({ status: 403, body: { code: "READ_ONLY" } });
    expect(await call(services, null, route, path(payeeId), payeeId, init)).toMatchObject({ status: 401 });
  },
);

test("a read_only person sees everything of the organisation", async ({ services, actor: owner }) => {
  const reader = await aColleague(services, owner, { role: "read_only" });
  const { payeeId, details } = await anAddedPayee(services, owner);
  const { body } = await call(services, reader, one, `/api/payees/${payeeId}`, payeeId);
  expect(body.payee).toMatchObject({ accountNumber: details.accountNumber });
});

test("the institution of a BSB is told to members only", async ({ services, actor }) => {
  const ask = (who: Actor | null, bsb: string) => call(services, who, institution, `/payees/institution?bsb=${bsb}`);
  expect(await ask(actor, "062-000")).toMatchObject({ status: 200, body: { institution: { mnemonic: "CBA" } } });
  expect(await ask(actor, "999999")).toMatchObject({ status: 200, body: { institution: null } });
  expect((await ask(actor, "06200")).status).toBe(404);
  expect((await ask(null, "062000")).status).toBe(401);
});
