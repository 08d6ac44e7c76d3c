import { auditLogs, organizationDomains, tokens, users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { anOrganization } from "../../../../tests/support/factories";
import {
  aDomain,
  aRegistration,
  claims,
  confirmAddress,
  confirmationToken,
  findUser,
  linksOf,
  ORIGIN,
} from "../../../../tests/support/people";
import { testServices } from "../../../../tests/support/services";
import { findConfirmation, renewConfirmation } from "./confirmation.server";
import { register } from "./register.server";

const domainsOf = (services: ReturnType<typeof testServices>, organizationId: string) =>
  services.db.select().from(organizationDomains).where(eq(organizationDomains.organizationId, organizationId));

async function registered(services: ReturnType<typeof testServices>, input: Parameters<typeof aRegistration>[1] = {}) {
  const registration = aRegistration(services, input);
  const { person } = await register(services, ORIGIN, registration);
  return { person, email: registration.email, token: await confirmationToken(services) };
}

test("confirming the address gives its domain to the organisation that the person created, as its primary one", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const { person, email, token } = await registered(services, { email: `mira@${domain}` });
  await confirmAddress(services, token);
  expect(await findUser(services, email)).toMatchObject({ emailVerifiedAt: services.clock.now(), status: "active" });
  const organizationId = person.organizationId ?? "";
  expect(await domainsOf(services, organizationId)).toMatchObject([{ domain, isPrimary: true, autoApprove: false }]);
  const trail = await services.db.select().from(auditLogs).where(eq(auditLogs.organizationId, organizationId));
  expect(trail.map((row) => row.action)).toEqual([
    "organization.created",
    "user.registered",
    "user.email_confirmed",
    "organization.domain_claimed",
  ]);
});

test("a further domain of an organisation is not its primary one", async () => {
  const services = testServices();
  const { person, token } = await registered(services);
  const organizationId = person.organizationId ?? "";
  await claims(services, organizationId, aDomain(services, "older"));
  await confirmAddress(services, token);
  const domains = await domainsOf(services, organizationId);
  expect(domains.filter((row) => row.isPrimary)).toEqual([]);
  expect(domains).toHaveLength(2);
});

test("looking at a link changes nothing", async () => {
  const services = testServices();
  const { email, token } = await registered(services);
  expect(await findConfirmation(services, token)).toMatchObject({ state: "open", email });
  expect(await findUser(services, email)).toMatchObject({ emailVerifiedAt: null });
  await expect(confirmAddress(services, token)).resolves.toBeDefined();
});

test("a link works once, also when pressed ten times at once", async () => {
  const services = testServices();
  const { person, token } = await registered(services);
  const presses = await Promise.allSettled(Array.from({ length: 10 }, () => confirmAddress(services, token)));
  expect(presses.filter((press) => press.status === "fulfilled")).toHaveLength(1);
  for (const press of presses) {
    if (press.status === "rejected") expect(press.reason).toMatchObject({ code: "ALREADY_CONFIRMED", status: 409 });
  }
  expect(await domainsOf(services, person.organizationId ?? "")).toHaveLength(1);
});

test("a link works for 24 hours and not a moment longer", async () => {
  const services = testServices();
  const { email, token } = await registered(services);
  services.clock.advance(DAY_MS);
  await expect(confirmAddress(services, token)).rejects.toMatchObject({ code: "LINK_EXPIRED", status: 410 });
  expect(await findUser(services, email)).toMatchObject({ emailVerifiedAt: null });
});

test.each(["", "x", "0".repeat(43), "' OR 1=1 --"])("%j is no link", async (token) => {
  const services = testServices();
  await expect(confirmAddress(services, token)).rejects.toMatchObject({ status: 404 });
  await expect(renewConfirmation(services, token)).rejects.toMatchObject({ status: 404 });
});

test("a link proves nothing once the person's address is another one", async () => {
  const services = testServices();
  const { person, token } = await registered(services);
  await services.db
    .update(users)
    .set({ email: `mira@${aDomain(services)}` })
    .where(eq(users.id, person.userId));
  await expect(confirmAddress(services, token)).rejects.toMatchObject({ status: 404 });
});

test("no one can claim an email provider's domain", async () => {
  const services = testServices();
  const email = `mira.${services.ids.next()}@gmail.com`;
  const { person, token } = await registered(services, { email });
  await confirmAddress(services, token);
  expect(await findUser(services, email)).toMatchObject({ emailVerifiedAt: services.clock.now() });
  expect(await domainsOf(services, person.organizationId ?? "")).toEqual([]);
});

test("a domain that another organisation has claimed stays where it is", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const owner = await anOrganization(services);
  await claims(services, owner.id, domain);
  const { person, token } = await registered(services, { email: `mira@${domain}` });
  await confirmAddress(services, token);
  expect(await domainsOf(services, person.organizationId ?? "")).toEqual([]);
});

test("of two organisations whose creators confirm at once exactly one gets the domain", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const one = await registered(services, { email: `one@${domain}` });
  const two = await registered(services, { email: `two@${domain}` });
  await Promise.all([confirmAddress(services, one.token), confirmAddress(services, two.token)]);
  const claimed = await services.db.select().from(organizationDomains).where(eq(organizationDomains.domain, domain));
  expect(claimed).toHaveLength(1);
  for (const { email } of [one, two]) {
    expect(await findUser(services, email)).toMatchObject({ emailVerifiedAt: services.clock.now() });
  }
});

test("someone who joins claims nothing, and waits on after confirming", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { email, token } = await registered(services, { organizationId: organization.id });
  await confirmAddress(services, token);
  expect(await findUser(services, email)).toMatchObject({ status: "pending" });
  expect(await domainsOf(services, organization.id)).toEqual([]);
});

test("someone who joins is approved by a confirmed address in a domain that the organisation trusts", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const organization = await anOrganization(services);
  await claims(services, organization.id, domain, true);
  const trusted = await registered(services, { organizationId: organization.id, email: `mira@${domain}` });
  const stranger = await registered(services, { organizationId: organization.id });
  await confirmAddress(services, trusted.token);
  await confirmAddress(services, stranger.token);
  expect(await findUser(services, trusted.email)).toMatchObject({ status: "active" });
  expect(await findUser(services, stranger.email)).toMatchObject({ status: "pending" });
});

test("a rejected person is not approved by their domain", async () => {
  const services = testServices();
  const domain = aDomain(services);
  const organization = await anOrganization(services);
  await claims(services, organization.id, domain, true);
  const { person, email, token } = await registered(services, {
    organizationId: organization.id,
    email: `mira@${domain}`,
  });
  await services.db.update(users).set({ status: "rejected" }).where(eq(users.id, person.userId));
  await confirmAddress(services, token);
  expect(await findUser(services, email)).toMatchObject({ status: "rejected" });
});

test("an expired link brings one new link to the same mailbox, and is gone", async () => {
  const services = testServices();
  const { person, email, token } = await registered(services);
  services.clock.advance(DAY_MS);
  await Promise.all([renewConfirmation(services, token), renewConfirmation(services, token)]);
  expect(services.sent).toHaveLength(2);
  expect(await linksOf(services, person.userId)).toMatchObject([{ email, organizationId: person.organizationId }]);
  await expect(renewConfirmation(services, token)).rejects.toMatchObject({ status: 404 });
  await confirmAddress(services, await confirmationToken(services));
  expect(await domainsOf(services, person.organizationId ?? "")).toHaveLength(1);
});

test("a link that works or was used brings no further mail", async () => {
  const services = testServices();
  const { token } = await registered(services);
  await expect(renewConfirmation(services, token)).rejects.toMatchObject({ code: "LINK_STILL_WORKS" });
  await confirmAddress(services, token);
  await expect(renewConfirmation(services, token)).rejects.toMatchObject({ code: "ALREADY_CONFIRMED" });
  expect(services.sent).toHaveLength(1);
});

test("a link's token is kept nowhere but in the email", async () => {
  const services = testServices();
  const { person, token } = await registered(services);
  const rows = await services.db.select().from(tokens).where(eq(tokens.userId, person.userId));
  expect(JSON.stringify(rows)).not.toContain(token);
});
