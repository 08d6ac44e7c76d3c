import { auditLogs, outbox, users } from "@db/database";
import { and, desc, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { createOwnOrganization } from "~/modules/accounts/identity/create-organization.server";
import { register } from "~/modules/accounts/identity/register.server";
import { someone } from "../../../../tests/support/account";
import { anAdministration } from "../../../../tests/support/organizations";
import { peek, promisedMails, refusal } from "../../../../tests/support/payees";
import { aPerson, aRegistration, ORIGIN } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { changeDetails, findDetails } from "./details.server";
import { decideName, findWaitingName, listWaitingNames } from "./name-requests.server";

const aSuperAdmin = async (services: TestServices) => ({
  userId: (await aPerson(services, { role: "super_admin" })).id,
  origin: ORIGIN,
});

const nameOf = async (services: TestServices, organizationId: string) =>
  (await findDetails(services, organizationId))?.details.name;

const detailsOf = (name: string) => ({
  name,
  abn: null,
  address: null,
  phone: null,
  contactEmail: null,
  website: null,
  subdomain: null,
});

async function findRequest(services: TestServices, organizationId: string) {
  const found = (await listWaitingNames(services)).find((each) => each.organizationId === organizationId);
  return found?.id ?? "";
}

async function actionsOf(organizationId: string) {
  const rows = await peek
    .select({ action: auditLogs.action, userId: auditLogs.userId })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.entityType, "organization")))
    .orderBy(desc(auditLogs.position));
  return rows;
}

test.each([
  ["PayeeProof Support", "ours"],
  ["Westpac Security", "institution"],
  ["Аcme Pty Ltd", "alphabets"],
])("whoever registers as %s works under a name of their own until an operator has decided", async (name, why) => {
  const services = testServices();
  const { person } = await register(services, ORIGIN, aRegistration(services, { newOrganization: { name } }));
  const organizationId = person.organizationId ?? "";
  expect(person).toMatchObject({ role: "admin", status: "active" });
  expect(person.organizationName).toBe(`${person.firstName}'s organisation`);
  expect(await findWaitingName(services, organizationId)).toEqual({ name, why });
  const platform = await aSuperAdmin(services);
  const requestId = await findRequest(services, organizationId);
  await decideName(services, platform, { intent: "approve-name", requestId, reason: "" });
  expect(await nameOf(services, organizationId)).toBe(name);
  expect(await findWaitingName(services, organizationId)).toBeUndefined();
  const [last] = await actionsOf(organizationId);
  expect(last).toEqual({ action: "organization.name_approved", userId: platform.userId });
  const again = decideName(services, platform, { intent: "refuse-name", requestId, reason: "Too late" });
  expect(await refusal(again)).toMatchObject({ status: 409, code: "NAME_DECIDED" });
});

test("a person without an organisation creates one whose name waits", async () => {
  const services = testServices();
  const person = await someone(services);
  const created = await createOwnOrganization(services, person, { name: "Payee Proof Pty Ltd" });
  const organizationId = created.person.organizationId ?? "";
  expect(created.person.organizationName).toBe(`${person.firstName}'s organisation`);
  expect((await actionsOf(organizationId)).map(({ action }) => action)).toContain("organization.name_requested");
});

test("an organisation that asks for such a name keeps its own, and the rest of its details change at once", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  const asked = { ...detailsOf("PayeePr00f"), website: "https://pier.example/" };
  expect(await changeDetails(services, admin, { details: asked })).toEqual({ isNew: true, waiting: "PayeePr00f" });
  const found = await findDetails(services, organization.id);
  expect(found?.details).toMatchObject({ name: organization.name, website: "https://pier.example/" });
  // Requesting the same name again is not a second request; a different name replaces it.
  await changeDetails(services, admin, { details: asked });
  await changeDetails(services, admin, { details: { ...asked, name: "Payee Proof" } });
  const waiting = (await listWaitingNames(services)).filter((each) => each.organizationId === organization.id);
  expect(waiting.map(({ name }) => name)).toEqual(["Payee Proof"]);
  const requests = (await actionsOf(organization.id)).filter(({ action }) => action === "organization.name_requested");
  expect(requests).toHaveLength(2);
});

/** How many queued emails to the operator mention one of these names. */
async function operatorEmails({ secrets }: TestServices, names: readonly string[]) {
  const jobs = await peek.select().from(outbox).where(isNull(outbox.organizationId));
  // Payloads that other tests left are wiped, or encrypted with different keys.
  const opened = await Promise.all(
    jobs.map(({ id, sealedPayload }) => secrets.open(sealedPayload ?? "", id).catch(() => "")),
  );
  return opened.filter((payload) => names.some((name) => payload.includes(name))).length;
}

test("one post after the other, or all at once, with two names that wait: the operator gets one email a day", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  const names = [`Westpac ${organization.id}`, `Commonwealth Bank ${organization.id}`];
  const ask = (name = "") => changeDetails(services, admin, { details: detailsOf(name) });
  const told = () => operatorEmails(services, names);
  await Promise.allSettled(names.map(ask));
  for (const name of [...names, ...names]) await ask(name);
  expect(await told()).toBe(1);
  // The operator is told again on a new day, and about a name after a decision.
  services.clock.advance(DAY_MS + 1);
  await ask(names[0]);
  expect(await told()).toBe(2);
  const requestId = await findRequest(services, organization.id);
  await decideName(services, await aSuperAdmin(services), { intent: "refuse-name", requestId, reason: "Not yours" });
  await ask(names[1]);
  expect(await told()).toBe(3);
});

test("an organisation that takes another name does not get the one that waited", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  await changeDetails(services, admin, { details: detailsOf("NAB Support") });
  const requestId = await findRequest(services, organization.id);
  await changeDetails(services, admin, { details: detailsOf("Pier Four Joinery") });
  expect(await findWaitingName(services, organization.id)).toBeUndefined();
  const late = decideName(services, await aSuperAdmin(services), { intent: "approve-name", requestId, reason: "" });
  expect(await refusal(late)).toMatchObject({ status: 409, code: "NAME_DECIDED" });
  expect(await nameOf(services, organization.id)).toBe("Pier Four Joinery");
});

test("a name that is refused leaves the organisation as it is called, and its administrators read why", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  await changeDetails(services, admin, { details: detailsOf("NAB Security") });
  const { id: leftId } = await aPerson(services, { organizationId: organization.id, membership: "admin" });
  await services.db.update(users).set({ status: "inactive" }).where(eq(users.id, leftId));
  const requestId = await findRequest(services, organization.id);
  const platform = await aSuperAdmin(services);
  await decideName(services, platform, { intent: "refuse-name", requestId, reason: "It is not your name" });
  expect(await nameOf(services, organization.id)).toBe(organization.name);
  expect((await actionsOf(organization.id))[0]?.action).toBe("organization.name_refused");
  const mails = await promisedMails(services, organization.id);
  expect(mails.map(({ to, data }) => [to, data.reason])).toEqual([[admin.email, "It is not your name"]]);
});

test("two operators at once: one decides", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  await changeDetails(services, admin, { details: detailsOf("ANZ Alerts") });
  const requestId = await findRequest(services, organization.id);
  const decide = async (intent: "approve-name" | "refuse-name") =>
    decideName(services, await aSuperAdmin(services), { intent, requestId, reason: "Looked at" });
  const both = await Promise.allSettled([decide("approve-name"), decide("refuse-name")]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
