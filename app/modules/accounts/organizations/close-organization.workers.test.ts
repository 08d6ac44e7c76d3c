import { auditLogs, organizationIntegrations, organizations } from "@db/database";
import { and, asc, eq, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { suspendOrganization } from "~/modules/accounts/administration/organizations.server";
import { findPersonBySession } from "~/modules/accounts/identity/person.server";
import { openSession } from "~/modules/accounts/identity/session.server";
import { endConnections } from "~/modules/connections/connect.server";
import * as settings from "~/routes/_app+/settings._index";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { alertsAbout, peek, refusal } from "../../../../tests/support/payees";
import { routeArgs } from "../../../../tests/support/requests";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { askToClose, cancelClosing, closeDueOrganizations, findClosing } from "./close-organization.server";

async function anOffice(services: TestServices) {
  const ada = await aMember(services, { role: "admin", firstName: "Ada" });
  const organization = { id: ada.organizationId, name: ada.organizationName };
  return { ada, bo: await aMember(services, { organization, role: "admin", firstName: "Bo" }), organization };
}

const trail = async ({ organizationId }: Actor) =>
  (
    await peek
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(and(eq(auditLogs.organizationId, organizationId), like(auditLogs.action, "organization.clos%")))
      .orderBy(asc(auditLogs.position))
  ).map(({ action }) => action.replace("organization.", ""));

const stored = async ({ organizationId }: Actor) =>
  (await peek.select().from(organizations).where(eq(organizations.id, organizationId)))[0];

test("it closes a week after it was asked for, every page says so until then, and then nobody works in it", async () => {
  const services = testServices();
  const { ada, bo, organization } = await anOffice(services);
  const looks = async () => {
    const { sessionId, statement } = await openSession(services, bo.userId, bo.origin);
    await statement;
    return (await findPersonBySession(services, sessionId, bo.origin))?.person;
  };
  expect((await looks())?.notices).toBeUndefined();
  await askToClose(services, ada, organization.name);
  const [notice] = (await looks())?.notices ?? [];
  expect(notice?.to).toBe("/settings");
  expect(notice?.text).toMatch(
    /^This organisation closes on \d+ \w+ \d{4}, .* unless an administrator cancels that under Settings\.$/,
  );
  services.clock.advance(7 * DAY_MS - 1);
  expect(await closeDueOrganizations(services, endConnections)).toBe(0);
  services.clock.advance(1);
  expect(await closeDueOrganizations(services, endConnections)).toBe(1);
  expect(await closeDueOrganizations(services, endConnections)).toBe(0);
  expect(await looks()).toMatchObject({ isSuspended: true, isClosed: true });
  expect(await stored(ada)).toMatchObject({ active: false, closedAt: services.clock.now() });
  expect(await trail(ada)).toEqual(["closing_asked", "closed"]);
});

test("any administrator keeps it open until the day, and the others are told of both", async () => {
  const services = testServices();
  const { ada, bo, organization } = await anOffice(services);
  await askToClose(services, ada, organization.name);
  expect(await refusal(askToClose(services, bo, organization.name))).toMatchObject({ code: "CLOSING_ASKED" });
  await cancelClosing(services, bo);
  expect(await refusal(cancelClosing(services, bo))).toMatchObject({ code: "NOT_CLOSING", status: 409 });
  expect(await findClosing(services, ada)).toEqual({ name: organization.name, closesOn: null });
  services.clock.advance(8 * DAY_MS);
  expect(await closeDueOrganizations(services, endConnections)).toBe(0);
  expect(await trail(ada)).toEqual(["closing_asked", "closing_cancelled"]);
  const told = await alertsAbout(services, ada.organizationId, "control_changed");
  expect(told.map(({ userId, title }) => [userId === ada.userId ? "Ada" : "Bo", title]).sort()).toEqual([
    ["Ada", "The organisation stays open"],
    ["Bo", "The organisation is going to close"],
  ]);
});

test("its name is typed: by another one nothing is asked, and the field says how it is spelt", async () => {
  const services = testServices();
  const { ada, organization } = await anOffice(services);
  const answer = await settings.action(
    await routeArgs(services, ada, "/settings", {}, { form: { intent: "close", closingName: "Somebody else" } }),
  );
  expect(answer).toMatchObject({ init: { status: 400 } });
  expect(JSON.stringify(answer)).toContain(`Type the name exactly as shown: ${organization.name}`);
  expect(await trail(ada)).toEqual([]);
});

test("its connections are cut, and a subscription that cannot be ended keeps it from closing until it can", async () => {
  const services = testServices({
    fetch: async () => new Response('{"error":{"message":"down"}}', { status: 503 }),
  });
  const { ada, organization } = await anOffice(services);
  const here = eq(organizations.id, ada.organizationId);
  await peek
    .update(organizations)
    .set({ stripeCustomerId: `cus_${ada.userId}`, stripeSubscriptionId: "sub_1", subscriptionStatus: "active" })
    .where(here);
  const now = services.clock.now();
  const connection = { id: services.ids.next(), organizationId: ada.organizationId, system: "xero" as const };
  await peek
    .insert(organizationIntegrations)
    .values({ ...connection, status: "connected", credentials: "sealed", createdAt: now, updatedAt: now });
  await askToClose(services, ada, organization.name);
  services.clock.advance(8 * DAY_MS);
  expect(await closeDueOrganizations(services, endConnections)).toBe(0);
  expect(services.log.lines).toContainEqual(expect.objectContaining({ event: "organization.not_closed" }));
  expect(await stored(ada)).toMatchObject({ active: true, closedAt: null });
  await peek.update(organizations).set({ subscriptionStatus: "canceled" }).where(here);
  expect(await closeDueOrganizations(services, endConnections)).toBe(1);
  const [cut] = await peek
    .select()
    .from(organizationIntegrations)
    .where(eq(organizationIntegrations.organizationId, ada.organizationId));
  expect(cut).toMatchObject({ credentials: null, status: "disconnected", active: false });
});

test("a super admin opens it again: it is as it was, and does not close again by itself", async () => {
  const services = testServices();
  const { ada, organization } = await anOffice(services);
  await askToClose(services, ada, organization.name);
  services.clock.advance(8 * DAY_MS);
  await closeDueOrganizations(services, endConnections);
  const administrator = { ...(await aMember(services, { role: "admin" })), role: "super_admin" as const };
  await suspendOrganization(services, administrator, { organizationId: ada.organizationId, active: true });
  expect(await stored(ada)).toMatchObject({ active: true, closedAt: null, closesAt: null });
  expect(await closeDueOrganizations(services, endConnections)).toBe(0);
});
