import { apiTokens, auditLogs, organizations, scimTokens, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { findPersonBySession } from "~/modules/accounts/identity/person.server";
import { createScimToken, revokeScimToken } from "~/modules/accounts/single-sign-on/settings.server";
import { action, loader } from "~/routes/scim+/v2.$";
import type { Actor } from "~/services-and-actor";
import { mailsTo, someone } from "../support/account";
import { standingOf } from "../support/organizations";
import { aDomain, aPerson, belongs, findUser, ORIGIN } from "../support/people";
import { aWorld } from "../support/simulators";
import { aCompany, asActor, comeIn, proof, signInWithCompany } from "../support/single-sign-on";

const world = aWorld();

type Body = Record<string, unknown>;
type Sent = { token?: string; type?: string; text?: string };

/** A directory of an organisation: what it sends goes to the route as HTTP brings it. */
async function aDirectory(actor: Actor) {
  const { token } = await createScimToken(world, actor, proof);
  const send = async (method: string, path: string, body?: Body, sent: Sent = {}) => {
    const headers = {
      Authorization: `Bearer ${sent.token ?? token}`,
      "Content-Type": sent.type ?? "application/scim+json",
    };
    const text = sent.text ?? (body && JSON.stringify(body));
    const request = new Request(`${world.config.appOrigin}/scim/v2${path}`, { method, headers, body: text });
    const splat = path.split("?")[0]?.slice(1) ?? "";
    const run = method === "GET" ? loader : action;
    const answer = await run({
      request,
      params: { "*": splat },
      context: { services: world, origin: ORIGIN, nonce: "" },
    });
    const said = await answer.text();
    return {
      status: answer.status,
      type: answer.headers.get("Content-Type"),
      body: said === "" ? undefined : JSON.parse(said),
    };
  };
  return { token, send };
}

/** learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups */
const entraUser = (email: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
  externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
  userName: email,
  active: true,
  displayName: "lennay",
  emails: [{ primary: true, type: "work", value: email }],
  meta: { resourceType: "User" },
  name: { formatted: "Lennay Okafor", familyName: "Okafor", givenName: "Lennay" },
  title: "Accounts payable",
});
const entraPatch = (value: unknown) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [{ op: "Replace", path: "active", value }],
});

/** developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20 */
const oktaUser = (email: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: email,
  name: { givenName: "Tess", familyName: "Ueda" },
  emails: [{ primary: true, value: email, type: "work" }],
  displayName: "Tess Ueda",
  locale: "en-AU",
  externalId: "00ujl29u0le5T6Aj10h7",
  groups: [],
  password: "1mz050nq",
  active: true,
});
const oktaPatch = (active: boolean) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [{ op: "replace", value: { active } }],
});

const byName = (email: string) => `/Users?${new URLSearchParams({ filter: `userName eq "${email}"` })}`;
const actionsOf = async (organizationId: string) =>
  (
    await world.db
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(eq(auditLogs.organizationId, organizationId))
  ).map(({ action: each }) => each);

test("Entra's directory looks for a person, adds them, reads them, and ends their access: sessions and tokens with it", async () => {
  const { admin, domain, organization } = await aCompany(world);
  const { send } = await aDirectory(admin);
  const email = `lennay@${domain}`;
  expect((await send("GET", byName(email))).body).toMatchObject({ totalResults: 0, Resources: [] });
  const added = await send("POST", "/Users", entraUser(email));
  expect(added).toMatchObject({
    status: 201,
    type: "application/scim+json; charset=utf-8",
    body: {
      userName: email,
      active: true,
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      name: { givenName: "Lennay", familyName: "Okafor" },
      meta: { resourceType: "User", location: expect.stringContaining(`/scim/v2/Users/`) },
    },
  });
  const { id } = added.body;
  expect((await send("GET", byName(email.toUpperCase()))).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  expect(await standingOf(organization.id, id)).toMatchObject({ role: "read_only", status: "active" });

  const person = await signInWithCompany(world, { email });
  expect(person.userId).toBe(id);
  await world.db.insert(apiTokens).values({
    ...{ id: world.ids.next(), userId: id, organizationId: organization.id, name: "nightly", hint: "abcd" },
    ...{ tokenHash: world.ids.secret(), scopes: ["payees:read"], createdAt: world.clock.now() },
  });
  expect((await send("PATCH", `/Users/${id}`, entraPatch("False"))).body).toMatchObject({ id, active: false });
  expect(await findPersonBySession(world, person.sessionId, ORIGIN)).toBeUndefined();
  const [token] = await world.db.select().from(apiTokens).where(eq(apiTokens.userId, id));
  expect(token?.revokedAt).toBe(world.clock.now());
  await expect(comeIn(world, { email })).rejects.toMatchObject({ code: "PROVIDER_REFUSED" });
  expect(await actionsOf(organization.id)).toEqual(
    expect.arrayContaining(["member.provider_joined", "member.deactivated"]),
  );
  expect(await mailsTo(world, email)).toContain("memberDeactivated");

  expect((await send("PATCH", `/Users/${id}`, entraPatch("True"))).body).toMatchObject({ active: true });
  expect(await signInWithCompany(world, { email })).toMatchObject({ userId: id });
});

test("Okta's directory does the same in its own spelling, and by PUT", async () => {
  const { admin, domain } = await aCompany(world);
  const { send } = await aDirectory(admin);
  const email = `tess@${domain}`;
  const { body } = await send("POST", "/Users", oktaUser(email));
  expect((await send("PATCH", `/Users/${body.id}`, oktaPatch(false))).body).toMatchObject({ active: false });
  expect((await send("PATCH", `/Users/${body.id}`, oktaPatch(true))).body).toMatchObject({ active: true });
  const renamed = { ...oktaUser(email), name: { givenName: "Theresa", familyName: "Ueda" } };
  expect((await send("PUT", `/Users/${body.id}`, renamed)).body).toMatchObject({
    name: { givenName: "Theresa" },
    userName: email,
  });
  expect((await send("PUT", `/Users/${body.id}`, { ...renamed, active: false })).body).toMatchObject({ active: false });
});

test("attributes change the name and nothing else: no address, no role, no password", async () => {
  const { admin, domain, organization } = await aCompany(world);
  const { send } = await aDirectory(admin);
  const { body } = await send("POST", "/Users", oktaUser(`tess@${domain}`));
  const before = await findUser(world, `tess@${domain}`);
  const moved = await send("PUT", `/Users/${body.id}`, { ...oktaUser(`ceo@${domain}`) });
  expect(moved).toMatchObject({ status: 400, body: { scimType: "mutability", status: "400" } });
  const roles = { roles: [{ value: "admin" }], password: "Another-horse-7", userType: "admin" };
  await send("PATCH", `/Users/${body.id}`, { Operations: [{ op: "add", value: roles }] });
  expect(await standingOf(organization.id, body.id)).toMatchObject({ role: "read_only" });
  expect((await findUser(world, `tess@${domain}`))?.password).toBe(before?.password);
});

test("DELETE ends the access and deletes nothing; the directory does not see the person until it adds them again", async () => {
  const { admin, domain, organization } = await aCompany(world);
  const { send } = await aDirectory(admin);
  const email = `tess@${domain}`;
  const { body } = await send("POST", "/Users", oktaUser(email));
  expect(await send("DELETE", `/Users/${body.id}`)).toMatchObject({ status: 204, body: undefined });
  expect((await send("GET", `/Users/${body.id}`)).status).toBe(404);
  expect((await send("GET", byName(email))).body).toMatchObject({ totalResults: 0 });
  expect(await standingOf(organization.id, body.id)).toMatchObject({ status: "inactive" });
  expect(await findUser(world, email)).toMatchObject({ id: body.id });
  expect(await actionsOf(organization.id)).toContain("member.directory_removed");
  expect(await send("POST", "/Users", oktaUser(email))).toMatchObject({
    status: 201,
    body: { id: body.id, active: true },
  });
});

test("the last administrator and the two with a way in are not locked out by a directory, and the others are told once a day", async () => {
  const { admin, organization } = await aCompany(world, { mode: "required" });
  const { send } = await aDirectory(admin);
  for (let attempt = 1; attempt <= 3; attempt++) {
    expect(await send("PATCH", `/Users/${admin.userId}`, entraPatch(false))).toMatchObject({
      status: 403,
      body: { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "403" },
    });
  }
  expect((await send("DELETE", `/Users/${admin.userId}`)).status).toBe(403);
  expect((await actionsOf(organization.id)).filter((each) => each === "member.directory_refused")).toHaveLength(1);
  expect(await standingOf(organization.id, admin.userId)).toMatchObject({ status: "active" });
  world.clock.advance(DAY_MS);
  await send("PATCH", `/Users/${admin.userId}`, entraPatch(false));
  expect((await actionsOf(organization.id)).filter((each) => each === "member.directory_refused")).toHaveLength(2);
});

test("the last active administrator stays, whatever the directory says", async () => {
  const { admin, other, organization } = await aCompany(world);
  const { send } = await aDirectory(admin);
  expect((await send("PATCH", `/Users/${other.userId}`, entraPatch(false))).status).toBe(200);
  expect((await send("PATCH", `/Users/${admin.userId}`, entraPatch(false))).status).toBe(403);
  expect(await standingOf(organization.id, admin.userId)).toMatchObject({ status: "active" });
  expect(await actionsOf(organization.id)).toContain("member.directory_refused");
});

test("an account that is somebody's own is not taken in, and no address of another domain is added", async () => {
  const { admin, domain } = await aCompany(world);
  const { send } = await aDirectory(admin);
  const own = await aPerson(world, { email: `own@${domain}` });
  expect(await send("POST", "/Users", entraUser(own.email))).toMatchObject({
    status: 409,
    body: { scimType: "uniqueness" },
  });
  const elsewhere = `ceo@${aDomain(world, "elsewhere")}`;
  expect(await send("POST", "/Users", entraUser(elsewhere))).toMatchObject({ status: 400 });
  expect(await findUser(world, elsewhere)).toBeUndefined();
});

test("a directory brings nobody in whom an administrator rejected, or whose address nobody has shown to be theirs", async () => {
  const { admin, domain, organization } = await aCompany(world);
  const { send } = await aDirectory(admin);
  for (const membership of ["pending", "rejected"] as const) {
    // Anybody may register with the address of somebody whom the directory knows.
    const { id } = await aPerson(world, { email: `${membership}@${domain}` });
    await belongs(world, id, organization.id, "member", membership);
    const emailVerifiedAt = membership === "pending" ? null : world.clock.now();
    await world.db.update(users).set({ emailVerifiedAt }).where(eq(users.id, id));
    const statuses = [];
    for (const active of [true, false, true]) {
      statuses.push((await send("PATCH", `/Users/${id}`, oktaPatch(active))).status);
    }
    expect(statuses).toEqual(membership === "pending" ? [409, 200, 409] : [403, 200, 403]);
    expect((await standingOf(organization.id, id)).status).not.toBe("active");
  }
});

test("a person of another domain whom the directory only named still signs in as they did, where the provider is required", async () => {
  const { admin, organization } = await aCompany(world, { mode: "required" });
  const { send } = await aDirectory(admin);
  const guest = await someone(world, { organizationId: organization.id });
  const Operations = [{ op: "add", path: "externalId", value: "guest-1" }];
  expect((await send("PATCH", `/Users/${guest.userId}`, { Operations })).body).toMatchObject({ externalId: "guest-1" });
  expect(await findPersonBySession(world, guest.sessionId, ORIGIN)).toBeDefined();
});

test("a directory sees and changes the people of its own organisation only", async () => {
  const one = await aCompany(world);
  const two = await aCompany(world);
  const { send } = await aDirectory(one.admin);
  for (const method of ["GET", "PATCH", "PUT", "DELETE"]) {
    const body = method === "PATCH" ? entraPatch(false) : method === "PUT" ? oktaUser(two.admin.email) : undefined;
    expect((await send(method, `/Users/${two.admin.userId}`, body)).status, method).toBe(404);
  }
  expect((await send("GET", byName(two.admin.email))).body).toMatchObject({ totalResults: 0 });
  expect(await standingOf(two.organization.id, two.admin.userId)).toMatchObject({ status: "active" });
});

test("people are listed in pages", async () => {
  const { admin, organization } = await aCompany(world);
  const { send } = await aDirectory(admin);
  await someone(world, { organizationId: organization.id });
  const first = (await send("GET", "/Users?startIndex=1&count=2")).body;
  const second = (await send("GET", "/Users?startIndex=3&count=2")).body;
  expect(first).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 2 });
  expect(second).toMatchObject({ totalResults: 3, startIndex: 3, itemsPerPage: 1 });
  const ids = [...first.Resources, ...second.Resources].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(3);
  expect((await send("GET", "/Users?count=0")).body).toMatchObject({ totalResults: 3, Resources: [] });
});

test("a token works until it is revoked or ends, and what is no token of a directory is answered 401", async () => {
  const { admin, organization } = await aCompany(world);
  const { send, token } = await aDirectory(admin);
  for (const wrong of ["x", "pp_0123", `${token}x`]) {
    expect(await send("GET", "/Users", undefined, { token: wrong })).toMatchObject({
      status: 401,
      body: { status: "401" },
    });
  }
  expect((await send("GET", "/Users")).status).toBe(200);
  const [row] = await world.db.select().from(scimTokens).where(eq(scimTokens.organizationId, organization.id));
  expect(row).toMatchObject({ lastUsedAt: world.clock.now(), hint: token.slice(-4) });
  expect(JSON.stringify(row)).not.toContain(token);
  await createScimToken(world, admin, proof);
  await expect(createScimToken(world, admin, proof)).rejects.toMatchObject({ code: "TOO_MANY_TOKENS" });
  await revokeScimToken(world, admin, row?.id ?? "");
  expect((await send("GET", "/Users")).status).toBe(401);
  const { send: again } = await aDirectory(admin);
  world.clock.advance(366 * DAY_MS);
  expect((await again("GET", "/Users")).status).toBe(401);
});

test("a suspended organisation's directory is answered 403", async () => {
  const { admin, organization } = await aCompany(world);
  const { send } = await aDirectory(admin);
  await world.db.update(organizations).set({ active: false }).where(eq(organizations.id, organization.id));
  expect((await send("GET", "/Users")).status).toBe(403);
});

test("what cannot be read, or does not exist, is refused in the protocol's own form", async () => {
  const { admin } = await aCompany(world);
  const { send } = await aDirectory(admin);
  const form = { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"] };
  expect(await send("POST", "/Users", undefined, { text: "{" })).toMatchObject({
    status: 400,
    body: { ...form, scimType: "invalidSyntax" },
  });
  expect(await send("POST", "/Users", { userName: "not an address" })).toMatchObject({
    status: 400,
    body: { scimType: "invalidValue" },
  });
  expect(await send("POST", "/Users", {}, { type: "text/plain" })).toMatchObject({ status: 415, body: form });
  expect(await send("GET", '/Users?filter=title eq "x"')).toMatchObject({
    status: 400,
    body: { scimType: "invalidFilter" },
  });
  expect(await send("GET", "/Groups")).toMatchObject({ status: 404, body: form });
  expect(await send("PUT", "/Users", oktaUser("a@b.example"))).toMatchObject({ status: 405 });
  for (const path of ["/ServiceProviderConfig", "/ResourceTypes", "/Schemas"]) {
    expect((await send("GET", path)).status, path).toBe(200);
  }
});

test("a person who was made by the directory is linked at their first sign-in, and a reset of the password undoes that", async () => {
  const { admin, domain } = await aCompany(world);
  const { send } = await aDirectory(admin);
  const { body } = await send("POST", "/Users", oktaUser(`tess@${domain}`));
  await world.db
    .update(users)
    .set({ emailVerifiedAt: world.clock.now() })
    .where(and(eq(users.id, body.id)));
  expect(await comeIn(world, { email: `tess@${domain}` })).toHaveProperty("ticket");
  await world.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, body.id));
  expect(asActor(await signInWithCompany(world, { email: `tess@${domain}` }))).toMatchObject({ userId: body.id });
});
