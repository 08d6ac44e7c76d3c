import { apiTokens, organizationPolicies, organizationUsers, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { asMember } from "~/http/page.server";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import type { ApiScope } from "~/modules/accounts/identity/api-token";
import { createApiToken, listApiTokens, revokeApiToken } from "~/modules/accounts/identity/api-token.server";
import type { Actor } from "~/services-and-actor";
import { mailsTo, someone, trailOf } from "../support/account";
import { anOrganization } from "../support/factories";
import { belongs, PASSWORD } from "../support/people";
import { cookieOf, routeArgs } from "../support/requests";
import { type TestServices, testServices } from "../support/services";

const { action: logout } = routeOf("/api/logout");
const { action: addPayee, loader: listPayees } = routeOf("/api/payees");
const { loader: readUser } = routeOf("/api/user");

async function aMemberOf(services: TestServices, membership: "admin" | "member" | "read_only" = "member") {
  const organization = await anOrganization(services);
  const person = await someone(services, { organizationId: organization.id, membership });
  return asMember(person);
}

const wish = (scopes: ApiScope[], lifetimeDays = 90) => ({
  name: "Nightly import",
  scopes,
  lifetimeDays,
  currentPassword: PASSWORD,
});

async function aToken(services: TestServices, actor: Actor, ...scopes: ApiScope[]) {
  const { token } = await createApiToken(services, actor, wish(scopes));
  const [newest] = await listApiTokens(services, actor);
  return { token, id: newest?.id ?? "" };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

type Route = typeof listPayees;

async function call(
  services: TestServices,
  route: Route,
  path: string,
  headers: Record<string, string>,
  json?: unknown,
) {
  const answer = (await route(await routeArgs(services, null, path, {}, { headers, json }))) as Response;
  const body = (await answer.text()) || "null";
  return { status: answer.status, body: JSON.parse(body), cookies: answer.headers.getSetCookie() };
}

test("a token speaks for its person, and gets no session", async () => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const { token } = await aToken(services, actor, "payees:read");
  expect(token).toMatch(/^pp_[\w-]{43}$/);
  const user = await call(services, readUser, "/api/user", bearer(token));
  expect(user).toMatchObject({ status: 200, body: { id: actor.userId }, cookies: [] });
  expect(await call(services, listPayees, "/api/payees", bearer(token))).toMatchObject({ status: 200, cookies: [] });
});

test("the token is nowhere in the database, and is reported by email and in the audit trail", async () => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const { token, id } = await aToken(services, actor, "payees:read");
  const [row] = await services.db.select().from(apiTokens).where(eq(apiTokens.id, id));
  expect(JSON.stringify(row)).not.toContain(token.slice(3));
  expect(row).toMatchObject({ hint: token.slice(-4), organizationId: actor.organizationId });
  expect(await mailsTo(services, actor.email)).toEqual(["apiTokenCreated"]);
  expect(await trailOf(services, actor.organizationId, actor.userId)).toEqual(["api_token.created"]);
});

test("a scope that is missing is named, and reading is not writing", async () => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const { token } = await aToken(services, actor, "payees:read", "payments:write");
  expect(await call(services, addPayee, "/api/payees", bearer(token), {})).toMatchObject({
    status: 403,
    body: { code: "SCOPE_MISSING", message: expect.stringContaining("payees:write") },
  });
  const reader = await aToken(services, actor, "payments:read");
  expect((await call(services, listPayees, "/api/payees", bearer(reader.token))).status).toBe(403);
});

test("calls about the person's own sign-in want a session", async () => {
  const services = testServices();
  const { token } = await aToken(services, await aMemberOf(services), "payees:write");
  const answer = await call(services, logout, "/api/logout", bearer(token), {});
  expect(answer).toMatchObject({ status: 403, body: { code: "SESSION_REQUIRED" } });
});

test("a cookie beside the header counts for nothing", async () => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const Cookie = await cookieOf(services, actor);
  for (const Authorization of ["Bearer ", "Bearer", "Bearer pp_unknown", "bearer x", "BEARER\tpp_x"]) {
    const answer = await call(services, readUser, "/api/user", { Cookie, Authorization });
    expect(answer).toMatchObject({ status: 401, body: { code: "INVALID_TOKEN" } });
  }
  expect((await call(services, readUser, "/api/user", { Cookie, Authorization: "Basic eA==" })).status).toBe(200);
});

test("a revoked token is over at once, an expired one to the millisecond", async () => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const { token, id } = await aToken(services, actor, "payees:read");
  const status = async () => (await call(services, readUser, "/api/user", bearer(token))).status;
  services.clock.advance(90 * DAY_MS - 1);
  expect(await status()).toBe(200);
  services.clock.advance(1);
  expect(await status()).toBe(401);
  const other = await aToken(services, actor, "payees:read");
  expect((await call(services, readUser, "/api/user", bearer(other.token))).status).toBe(200);
  await revokeApiToken(services, actor, { tokenId: other.id });
  expect((await call(services, readUser, "/api/user", bearer(other.token))).status).toBe(401);
  await expect(revokeApiToken(services, actor, { tokenId: other.id })).rejects.toMatchObject({ status: 404 });
  await revokeApiToken(services, actor, { tokenId: id });
  expect(await listApiTokens(services, actor)).toEqual([]);
});

test("nobody revokes another person's token", async () => {
  const services = testServices();
  const [me, other] = [await aMemberOf(services), await aMemberOf(services)];
  const { token, id } = await aToken(services, other, "payees:read");
  await expect(revokeApiToken(services, me, { tokenId: id })).rejects.toMatchObject({ status: 404 });
  expect((await call(services, readUser, "/api/user", bearer(token))).status).toBe(200);
});

test("it acts with the role its person has at the time of the call", async () => {
  const services = testServices();
  const actor = await aMemberOf(services, "admin");
  const { token } = await aToken(services, actor, "payees:read", "payees:write");
  const mine = and(
    eq(organizationUsers.userId, actor.userId),
    eq(organizationUsers.organizationId, actor.organizationId),
  );
  const role = async () => (await call(services, readUser, "/api/user", bearer(token))).body.role;
  expect(await role()).toBe("admin");
  await services.db.update(organizationUsers).set({ role: "read_only" }).where(mine);
  expect(await role()).toBe("read_only");
  const refused = await call(services, addPayee, "/api/payees", bearer(token), {});
  expect(refused).toMatchObject({ status: 403, body: { code: "READ_ONLY" } });
  await services.db.delete(organizationUsers).where(mine);
  expect((await call(services, readUser, "/api/user", bearer(token))).status).toBe(401);
});

test("its organisation stays the one it was made for, wherever the person works now", async () => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const { token } = await aToken(services, actor, "payees:read");
  const elsewhere = await anOrganization(services);
  await belongs(services, actor.userId, elsewhere.id, "read_only");
  await services.db.update(users).set({ organizationId: elsewhere.id }).where(eq(users.id, actor.userId));
  const user = await call(services, readUser, "/api/user", bearer(token));
  expect(user.body).toMatchObject({ organizationId: actor.organizationId, role: "member" });
});

test.each([
  ["inactive", 401],
  ["pending", 403],
  ["rejected", 403],
] as const)("a person who became %s is answered %i", async (status, answer) => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const { token } = await aToken(services, actor, "payees:read");
  await services.db.update(organizationUsers).set({ status }).where(eq(organizationUsers.userId, actor.userId));
  await services.db.update(users).set({ status }).where(eq(users.id, actor.userId));
  expect((await call(services, listPayees, "/api/payees", bearer(token))).status).toBe(answer);
});

test("when it was last used is noted, at most every five minutes", async () => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const { token, id } = await aToken(services, actor, "payees:read");
  const lastUsed = async () => {
    await call(services, readUser, "/api/user", bearer(token));
    const [row] = await services.db.select().from(apiTokens).where(eq(apiTokens.id, id));
    return row?.lastUsedAt;
  };
  const first = services.clock.now();
  expect(await lastUsed()).toBe(first);
  services.clock.advance(5 * MINUTE_MS);
  expect(await lastUsed()).toBe(first);
  services.clock.advance(1);
  expect(await lastUsed()).toBe(services.clock.now());
});

test("making one asks for the password, and nobody has more than twenty", async () => {
  const services = testServices();
  const actor = await aMemberOf(services);
  const wrong = createApiToken(services, actor, { ...wish(["payees:read"]), currentPassword: "x" });
  await expect(wrong).rejects.toMatchObject({ fieldErrors: { currentPassword: [expect.any(String)] } });
  for (let i = 0; i < 19; i++) await createApiToken(services, actor, wish(["audit:read"], 0));
  const last = await Promise.allSettled([1, 2, 3].map(() => createApiToken(services, actor, wish(["audit:read"]))));
  expect(last.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  expect(await listApiTokens(services, actor)).toHaveLength(20);
});

test("an organisation that asks for two-step sign-in lets nobody change anything without it, by token neither", async () => {
  const services = testServices();
  const actor = await aMemberOf(services, "admin");
  const { organizationId } = actor;
  const { token } = await aToken(services, actor, "payees:read", "payees:write");
  const updatedAt = services.clock.now();
  await services.db.insert(organizationPolicies).values({ organizationId, twoStepRequired: true, updatedAt });
  const Cookie = await cookieOf(services, actor);
  for (const headers of [bearer(token), { Cookie }]) {
    const refused = await call(services, addPayee, "/api/payees", headers, {});
    expect(refused).toMatchObject({ status: 403, body: { code: "TWO_STEP_REQUIRED" } });
    expect((await call(services, listPayees, "/api/payees", headers)).status).toBe(200);
  }
});
