import { env } from "cloudflare:workers";
import { auditLogs, organizations, organizationUsers, outbox, sessions } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { PLATFORM_ORGANIZATION_ID } from "~/services-and-actor";
import { anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import {
  aDomain,
  aRegistration,
  confirmationToken,
  findUser,
  linksOf,
  ORIGIN,
  PASSWORD,
} from "../../../../tests/support/people";
import { testServices } from "../../../../tests/support/services";
import { register } from "./register.server";

const trailOf = async (services: ReturnType<typeof testServices>, organizationId: string) =>
  (await services.db.select().from(auditLogs).where(eq(auditLogs.organizationId, organizationId))).map(
    (row) => row.action,
  );

/** Bypasses the query watch, because only a test may read the whole table. */
async function countOrganizations(name: string) {
  const { DB } = env as unknown as { DB: D1Database };
  return DB.prepare("SELECT count(*) AS n FROM organizations WHERE name = ?").bind(name).first("n");
}

test("registering with a new organisation makes an active admin, signed in, in a trial of 14 days", async () => {
  const services = testServices();
  const registration = aRegistration(services, { newOrganization: { name: "Harbour Joinery", abn: "51824753556" } });
  const { token, person } = await register(services, ORIGIN, registration);
  expect(person).toMatchObject({
    role: "admin",
    status: "active",
    emailVerified: false,
    organizationName: "Harbour Joinery",
  });
  const user = await findUser(services, registration.email);
  expect(user).toMatchObject({ role: "admin", lastLoginAt: services.clock.now() });
  expect(user?.password).toMatch(/^scrypt\$/);
  const organizationId = person.organizationId ?? "";
  const [organization] = await services.db.select().from(organizations).where(eq(organizations.id, organizationId));
  expect(organization).toMatchObject({
    abn: "51824753556",
    subscriptionStatus: null,
    trialEndsAt: services.clock.now() + 14 * DAY_MS,
    planTier: "standard",
  });
  const [membership] = await services.db
    .select()
    .from(organizationUsers)
    .where(eq(organizationUsers.organizationId, organizationId));
  expect(membership).toMatchObject({ userId: person.userId, role: "admin" });
  const [session] = await services.db.select().from(sessions).where(eq(sessions.userId, person.userId));
  expect(session?.id).toBe(await services.secrets.hashToken(token));
  expect(await trailOf(services, organizationId)).toEqual(["organization.created", "user.registered"]);
});

test("the confirmation mail is promised with the account, and its link is kept only as a digest", async () => {
  const services = testServices();
  const { person } = await register(services, ORIGIN, aRegistration(services));
  expect(services.sent).toHaveLength(1);
  const token = await confirmationToken(services);
  const links = await linksOf(services, person.userId);
  expect(links.map((link) => link.tokenHash)).toEqual([await services.secrets.hashToken(token)]);
  expect(links[0]).toMatchObject({ expiresAt: services.clock.now() + DAY_MS, organizationId: person.organizationId });
  const [job] = await services.db
    .select()
    .from(outbox)
    .where(eq(outbox.id, services.sent[0]?.jobId ?? ""));
  expect(JSON.stringify(job)).not.toContain(token);
});

test("joining an organisation by its id makes a waiting member", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { person } = await register(services, ORIGIN, aRegistration(services, { organizationId: organization.id }));
  expect(person).toMatchObject({ role: "member", status: "pending", organizationId: organization.id });
  const links = await linksOf(services, person.userId);
  expect(links[0]?.organizationId).toBeNull();
});

test.each([
  ["an unknown id", "0190e0a0-0000-7000-8000-000000000000"],
  ["no id at all", "x"],
  ["the platform", PLATFORM_ORGANIZATION_ID],
])("nobody can join %s, and nothing is written", async (_, organizationId) => {
  const services = testServices();
  const registration = aRegistration(services, { organizationId });
  await expect(register(services, ORIGIN, registration)).rejects.toMatchObject({ status: 404 });
  expect(await findUser(services, registration.email)).toBeUndefined();
});

test("registering with neither leaves the choice for later", async () => {
  const services = testServices();
  const { person } = await register(services, ORIGIN, aRegistration(services, { newOrganization: undefined }));
  expect(person).toMatchObject({ role: "member", status: "active", organizationId: null });
});

test("of 50 registrations of one address at once exactly one succeeds and no organisation is left over", async () => {
  const services = testServices();
  const email = `race@${aDomain(services)}`;
  const name = `Race ${services.ids.next()}`;
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      register(services, ORIGIN, aRegistration(services, { email, newOrganization: { name } })),
    ),
  );
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refusals).toHaveLength(49);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ code: "EMAIL_EXISTS", status: 409, extra: { action: "LOGIN" } });
  }
  const user = await findUser(services, email);
  const created = await services.db
    .select()
    .from(organizations)
    .where(eq(organizations.id, user?.organizationId ?? ""));
  expect(created).toHaveLength(1);
  expect(await countOrganizations(name)).toBe(1);
  expect(services.sent).toHaveLength(1);
});

test("20 people with the same local part at once all get a username of their own", async () => {
  const services = testServices();
  const local = `info${services.ids.next().slice(-6)}`;
  const people = await Promise.all(
    Array.from({ length: 20 }, () =>
      register(services, ORIGIN, aRegistration(services, { email: `${local}@${aDomain(services)}` })),
    ),
  );
  const names = people.map(({ person }) => person.username);
  expect(new Set(names).size).toBe(20);
  expect(names).toContain(local);
  for (const name of names) expect(name.startsWith(local)).toBe(true);
});

test("the same form sent twice is one registration, signed in both times", async () => {
  const services = testServices();
  const registration = { ...aRegistration(services), submissionId: services.ids.next() };
  const [first, second] = await Promise.all([
    register(services, ORIGIN, registration),
    register(services, ORIGIN, registration),
  ]);
  expect(second.person.userId).toBe(first.person.userId);
  expect(second.token).not.toBe(first.token);
  expect(services.sent).toHaveLength(1);
});

test("a known form id opens nothing without the password, or with other details", async () => {
  const services = testServices();
  const registration = { ...aRegistration(services), submissionId: services.ids.next() };
  await register(services, ORIGIN, registration);
  const guess = register(services, ORIGIN, { ...registration, password: "Another-horse-8" });
  await expect(guess).rejects.toMatchObject({ code: "EMAIL_EXISTS" });
  const otherDetails = register(services, ORIGIN, { ...registration, firstName: "Eve" });
  await expect(otherDetails).rejects.toMatchObject({ code: "EMAIL_EXISTS" });
  const otherAddress = register(services, ORIGIN, { ...registration, email: `eve@${aDomain(services)}` });
  await expect(otherAddress).rejects.toMatchObject({ code: "ALREADY_SENT", status: 409 });
});

test.each(["before", "after"] as const)("a connection lost %s the commit still makes one account", async (when) => {
  const services = testServices();
  const registration = aRegistration(services);
  const flaky = { ...services, db: losingConnection(services.db, when) };
  const { person } = await register(flaky, ORIGIN, registration);
  expect(await findUser(services, registration.email)).toMatchObject({ id: person.userId });
  const mine = eq(organizationUsers.userId, person.userId);
  expect(await services.db.select().from(organizationUsers).where(mine)).toHaveLength(1);
});

test("registering ends the session that the browser came with", async () => {
  const services = testServices();
  const first = await register(services, ORIGIN, aRegistration(services));
  await register(services, ORIGIN, { ...aRegistration(services), presentedSessionId: first.person.sessionId });
  expect(await services.db.select().from(sessions).where(eq(sessions.id, first.person.sessionId))).toEqual([]);
});

test("the password is stored so that only the password itself verifies", async () => {
  const services = testServices();
  const registration = aRegistration(services);
  await register(services, ORIGIN, registration);
  const user = await findUser(services, registration.email);
  expect(await services.passwords.verify(PASSWORD, user?.password)).toMatchObject({ ok: true });
  expect(await services.passwords.verify(`${PASSWORD} `, user?.password)).toMatchObject({ ok: false });
});
