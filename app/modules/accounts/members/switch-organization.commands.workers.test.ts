import { auditLogs, organizations, organizationUsers, sessions } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { signIn } from "~/modules/accounts/identity/sign-in.server";
import { listPendingOrganizations } from "~/modules/accounts/organizations/organization.server";
import { PLATFORM_ORGANIZATION_ID } from "~/services-and-actor";
import { anOrganization } from "../../../../tests/support/factories";
import { aDomain, aPerson, belongs, claims, findUser, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { selectOrganization } from "./switch-organization.server";

async function signedIn(services: TestServices, who: Parameters<typeof aPerson>[1]) {
  const { email } = await aPerson(services, who);
  return (await signIn(services, ORIGIN, { login: email, password: PASSWORD })).person;
}

const notYours = { status: 403, code: "ORGANIZATION_NOT_YOURS" };

test("a person with a confirmed address may choose among the organisations that claimed its domain", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const [one, two] = [await anOrganization(services, { name: "B" }), await anOrganization(services, { name: "A" })];
  const closed = await anOrganization(services);
  await services.db.update(organizations).set({ active: false }).where(eq(organizations.id, closed.id));
  for (const { id } of [one, two, closed]) await claims(services, id, domain);
  const person = await signedIn(services, { email: `ada@${domain}` });
  const offered = await listPendingOrganizations(services, person);
  expect(offered.map(({ id }) => id)).toEqual([two.id, one.id]);
  const chosen = await selectOrganization(services, person, { organizationId: one.id });
  expect(chosen.person).toMatchObject({ organizationId: one.id, role: "member", status: "pending" });
  expect(await listPendingOrganizations(services, chosen.person)).toEqual([]);
});

test("a trusted domain lets the person in at once", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const organization = await anOrganization(services);
  await claims(services, organization.id, domain, true);
  const person = await signedIn(services, { email: `ada@${domain}` });
  const chosen = await selectOrganization(services, person, { organizationId: organization.id });
  expect(chosen.person).toMatchObject({ organizationId: organization.id, status: "active" });
  const trail = await services.db.select().from(auditLogs).where(eq(auditLogs.organizationId, organization.id));
  expect(trail).toMatchObject([{ action: "organization.selected", userId: person.userId }]);
});

test("choosing opens a new session and ends the old one", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const organization = await anOrganization(services);
  await claims(services, organization.id, domain);
  const person = await signedIn(services, { email: `ada@${domain}` });
  const chosen = await selectOrganization(services, person, { organizationId: organization.id });
  const open = await services.db.select().from(sessions).where(eq(sessions.userId, person.userId));
  expect(open.map(({ id }) => id)).toEqual([chosen.person.sessionId]);
  expect(open[0]?.id).toBe(await services.secrets.hashToken(chosen.token));
});

test("before the address is confirmed there is nothing to choose", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const organization = await anOrganization(services);
  await claims(services, organization.id, domain, true);
  const person = await signedIn(services, { email: `ada@${domain}`, isConfirmed: false });
  expect(await listPendingOrganizations(services, person)).toEqual([]);
  await expect(selectOrganization(services, person, { organizationId: organization.id })).rejects.toMatchObject(
    notYours,
  );
});

test("an email provider's domain leads to no organisation, even if one holds it", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  await claims(services, organization.id, "gmail.com", true);
  const person = await signedIn(services, { email: `ada.${services.ids.next()}@gmail.com` });
  await expect(selectOrganization(services, person, { organizationId: organization.id })).rejects.toMatchObject(
    notYours,
  );
});

test("organisations that are not offered are refused alike, existing or not, and nothing is written", async () => {
  const services = testServices();
  const foreign = await anOrganization(services);
  const person = await signedIn(services, {});
  for (const organizationId of [foreign.id, services.ids.next(), PLATFORM_ORGANIZATION_ID, "x"]) {
    await expect(selectOrganization(services, person, { organizationId })).rejects.toMatchObject(notYours);
  }
  expect(await findUser(services, person.email)).toMatchObject({ organizationId: null });
});

test("of two choices at once exactly one counts", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const [one, two] = [await anOrganization(services), await anOrganization(services)];
  for (const { id } of [one, two]) await claims(services, id, domain);
  const person = await signedIn(services, { email: `ada@${domain}` });
  const choices = await Promise.allSettled(
    [one, two].map(({ id }) => selectOrganization(services, person, { organizationId: id })),
  );
  expect(choices.filter((choice) => choice.status === "fulfilled")).toHaveLength(1);
  const memberships = await services.db
    .select()
    .from(organizationUsers)
    .where(eq(organizationUsers.userId, person.userId));
  expect(memberships).toHaveLength(1);
});

test("a person of two organisations switches between them, with their role in each", async () => {
  const services = testServices();
  const [home, away] = [await anOrganization(services), await anOrganization(services)];
  const person = await signedIn(services, { organizationId: home.id, membership: "admin", role: "admin" });
  await belongs(services, person.userId, away.id, "read_only");
  const there = await selectOrganization(services, person, { organizationId: away.id });
  expect(there.person).toMatchObject({ organizationId: away.id, role: "read_only", status: "active" });
  expect(await findUser(services, person.email)).toMatchObject({ role: "read_only" });
  const back = await selectOrganization(services, there.person, { organizationId: home.id });
  expect(back.person).toMatchObject({ organizationId: home.id, role: "admin" });
});

test.each([
  ["pending", "ACCOUNT_PENDING"],
  ["rejected", "ACCOUNT_REJECTED"],
] as const)("a %s person chooses nothing", async (status, code) => {
  const services = testServices();
  const organization = await anOrganization(services);
  const person = await signedIn(services, { status, organizationId: organization.id });
  const choice = selectOrganization(services, person, { organizationId: organization.id });
  await expect(choice).rejects.toMatchObject({ status: 403, code });
});
