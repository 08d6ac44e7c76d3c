import { organizationDomains, organizations, organizationUsers } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { someone, tokenSentTo } from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { aDomain, aRegistration, claims, confirmAddress, findUser, ORIGIN } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { createOwnOrganization } from "./create-organization.server";
import { findPersonBySession } from "./person.server";
import { register } from "./register.server";

const input = { name: "Pier Foods" };

const domainsOf = (services: TestServices, domain: string) =>
  services.db.select().from(organizationDomains).where(eq(organizationDomains.domain, domain));

test("a person without an organisation becomes the admin of the one they create, with a new session", async () => {
  const services = testServices();
  const person = await someone(services);
  const created = await createOwnOrganization(services, person, input);
  expect(created.person).toMatchObject({ role: "admin", status: "active", organizationName: "Pier Foods" });
  expect(created.person.sessionId).not.toBe(person.sessionId);
});

test("the domain of a confirmed address goes to the new organisation, unless another one has it", async () => {
  const services = testServices();
  const [free, taken] = [aDomain(services), aDomain(services)];
  await claims(services, (await anOrganization(services)).id, taken);
  for (const domain of [free, taken]) {
    await createOwnOrganization(services, await someone(services, { email: `mira@${domain}` }), input);
    expect(await domainsOf(services, domain)).toHaveLength(1);
  }
});

test("the domain of an address that is confirmed later goes to it then", async () => {
  const services = testServices();
  const email = `mira@${aDomain(services)}`;
  const { person } = await register(services, ORIGIN, aRegistration(services, { email, newOrganization: undefined }));
  const created = await createOwnOrganization(services, person, input);
  const domain = email.split("@")[1] ?? "";
  expect(await domainsOf(services, domain)).toEqual([]);
  await confirmAddress(services, await tokenSentTo(services, email));
  expect(await domainsOf(services, domain)).toMatchObject([{ organizationId: created.person.organizationId }]);
});

test("pressed twice at once, one organisation is created", async () => {
  const services = testServices();
  const person = await someone(services);
  const presses = await Promise.allSettled([1, 2].map(() => createOwnOrganization(services, person, input)));
  expect(presses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const rows = await services.db.select().from(organizationUsers).where(eq(organizationUsers.userId, person.userId));
  expect(rows).toHaveLength(1);
});

test.each(["before", "after"] as const)("a connection lost %s the commit creates one organisation", async (when) => {
  const services = testServices();
  const person = await someone(services);
  const flaky = { ...services, db: losingConnection(services.db, when) };
  const created = await createOwnOrganization(flaky, person, input);
  expect((await findUser(services, person.email))?.organizationId).toBe(created.person.organizationId);
});

test("a member of an organisation, and a person who waits for one, cannot create another", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  for (const status of ["active", "pending"] as const) {
    const person = await someone(services, { organizationId: organization.id, status });
    await expect(createOwnOrganization(services, person, input)).rejects.toMatchObject({ code: "ALREADY_A_MEMBER" });
  }
});

test("whoever acts for an organisation learns from its very next request that the trial has ended", async () => {
  const services = testServices();
  const created = await createOwnOrganization(services, await someone(services), input);
  expect(created.person.subscriptionEnded).toBe(false);
  const { sessionId, organizationId } = created.person;
  await services.db
    .update(organizations)
    .set({ trialEndsAt: services.clock.now() })
    .where(eq(organizations.id, organizationId ?? ""));
  const found = await findPersonBySession(services, sessionId, ORIGIN);
  expect(found?.person.subscriptionEnded).toBe(true);
});
