import { apiTokens, auditLogs, organizations, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { OrganizationRole } from "~/kernel/enums";
import { loadSample } from "~/modules/records/sample-data.server";
import type { Actor } from "~/services-and-actor";
import { anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { anAdministration, change, sessionsOf, standingOf } from "../../../../tests/support/organizations";
import { peek, promisedMails, refusal } from "../../../../tests/support/payees";
import { belongs } from "../../../../tests/support/people";
import { cookieOf } from "../../../../tests/support/requests";
import { testServices } from "../../../../tests/support/services";
import { invitePerson, listInvitations } from "./invitations.server";
import { listMemberEmails } from "./members.server";
import { listMemberships } from "./switch-organization.server";

const trailOf = (organizationId: string) =>
  peek.select().from(auditLogs).where(eq(auditLogs.organizationId, organizationId));

const role = (to: OrganizationRole) => ({ act: "change_role", role: to }) as const;

test("an admin changes a role: it is mirrored, audited and told", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const member = await add();
  await change(services, admin, member, role("read_only"));
  expect(await standingOf(organization.id, member.userId)).toEqual({
    role: "read_only",
    status: "active",
    account: { role: "read_only", status: "active", organizationId: organization.id },
  });
  expect(await trailOf(organization.id)).toMatchObject([
    {
      action: "member.role_changed",
      userId: admin.userId,
      entityId: member.userId,
      details: { role: { from: "member", to: "read_only" } },
    },
  ]);
  expect(await promisedMails(services, organization.id)).toEqual([]);
});

test("a waiting person can be approved once their address is confirmed, not before", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const person = await add({ status: "pending" });
  await peek.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, person.userId));
  const refused = await refusal(change(services, admin, person, { act: "approve" }));
  expect(refused).toMatchObject({ status: 409, code: "ADDRESS_NOT_CONFIRMED" });
  expect(await standingOf(organization.id, person.userId)).toMatchObject({ status: "pending" });
  await peek.update(users).set({ emailVerifiedAt: 1 }).where(eq(users.id, person.userId));
  await change(services, admin, person, { act: "approve" });
  expect(await standingOf(organization.id, person.userId)).toMatchObject({
    status: "active",
    account: { status: "active" },
  });
});

test("a waiting person is rejected, and may still be approved later", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const person = await add({ status: "pending" });
  await change(services, admin, person, { act: "reject" });
  expect(await standingOf(organization.id, person.userId)).toMatchObject({ account: { status: "rejected" } });
  await change(services, admin, person, { act: "approve" });
  expect(await standingOf(organization.id, person.userId)).toMatchObject({ account: { status: "active" } });
  const mails = await promisedMails(services, organization.id);
  expect(mails.map((mail) => mail.template)).toEqual(["memberRejected", "memberApproved"]);
});

test("who is shut out loses sessions and API tokens with the same commit, gets no alerts, and may come back", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const member = await add();
  await cookieOf(services, member);
  await peek.insert(apiTokens).values({
    id: services.ids.next(),
    userId: member.userId,
    organizationId: organization.id,
    name: "script",
    tokenHash: services.ids.secret(),
    hint: "abcd",
    scopes: [],
    createdAt: 1,
  });
  await change(services, admin, member, { act: "deactivate" });
  expect(await sessionsOf(member.userId)).toEqual([]);
  const [token] = await peek.select().from(apiTokens).where(eq(apiTokens.userId, member.userId));
  expect(token?.revokedAt).toBe(services.clock.now());
  expect(await standingOf(organization.id, member.userId)).toMatchObject({
    status: "inactive",
    account: { status: "inactive" },
  });
  expect(await listMemberEmails(services, organization.id)).toEqual([admin.email]);
  await change(services, admin, member, { act: "reactivate" });
  expect(await standingOf(organization.id, member.userId)).toMatchObject({
    status: "active",
    account: { status: "active" },
  });
});

test("who is shut out of one organisation goes on in another of theirs", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const member = await add();
  const other = await anOrganization(services, { name: "Elsewhere" });
  await belongs(services, member.userId, other.id, "admin");
  await change(services, admin, member, { act: "deactivate" });
  expect(await standingOf(organization.id, member.userId)).toMatchObject({
    status: "inactive",
    account: { role: "admin", status: "active", organizationId: other.id },
  });
});

test("whose access ends while they look at the sample data is signed out there too, and cannot go back to it", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const loader = await add({ role: "admin" });
  await loadSample(services, loader);
  const [sample] = await peek
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.sampleFor, organization.id));
  await peek.update(users).set({ organizationId: sample?.id, role: "read_only" }).where(eq(users.id, loader.userId));
  await cookieOf(services, loader);
  await change(services, admin, loader, { act: "deactivate" });
  expect(await sessionsOf(loader.userId)).toEqual([]);
  expect(await standingOf(organization.id, loader.userId)).toMatchObject({
    status: "inactive",
    account: { status: "inactive", organizationId: organization.id },
  });
  expect(await listMemberships(services, loader.userId)).toEqual([]);
});

test("an organisation's admin cannot sign people out who work elsewhere now, nor change their role there", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const member = await add();
  const other = await anOrganization(services, { name: "Elsewhere" });
  await belongs(services, member.userId, other.id, "admin");
  await peek.update(users).set({ organizationId: other.id, role: "admin" }).where(eq(users.id, member.userId));
  await cookieOf(services, member);
  await change(services, admin, member, role("read_only"));
  await change(services, admin, member, { act: "deactivate" });
  expect(await sessionsOf(member.userId)).toHaveLength(1);
  expect(await standingOf(organization.id, member.userId)).toEqual({
    role: "read_only",
    status: "inactive",
    account: { role: "admin", status: "active", organizationId: other.id },
  });
});

test("a super admin stays one, whatever becomes of their membership", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const guest = await add();
  await peek.update(users).set({ role: "super_admin" }).where(eq(users.id, guest.userId));
  await change(services, admin, guest, role("read_only"));
  await change(services, admin, guest, { act: "deactivate" });
  expect(await standingOf(organization.id, guest.userId)).toEqual({
    role: "read_only",
    status: "inactive",
    account: { role: "super_admin", status: "active", organizationId: null },
  });
});

test("the last active admin stays: not demoted, not shut out by anyone", async () => {
  const services = testServices();
  const { admin, add } = await anAdministration(services);
  await add({ role: "admin", status: "inactive" });
  await add({ role: "admin", status: "pending" });
  const demotion = await refusal(change(services, admin, admin, role("member")));
  expect(demotion).toMatchObject({ status: 409, code: "LAST_ADMIN" });
  const platform = { ...admin, userId: (await add()).userId };
  const ending = await refusal(change(services, platform, admin, { act: "deactivate" }));
  expect(ending).toMatchObject({ status: 409, code: "LAST_ADMIN" });
});

test("nobody ends their own access", async () => {
  const services = testServices();
  const { admin, add } = await anAdministration(services);
  await add({ role: "admin" });
  expect(await refusal(change(services, admin, admin, { act: "deactivate" }))).toMatchObject({ code: "OWN_ACCOUNT" });
});

const acts = [
  ["demote each other", role("member")],
  ["shut each other out", { act: "deactivate" }],
] as const;

test.each(acts)("of two admins who %s at once, one remains", async (_, what) => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const other = await add({ role: "admin" });
  const outcomes = await Promise.allSettled([
    change(services, admin, other, what),
    change(services, other, admin, what),
  ]);
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  const standings = await Promise.all([admin, other].map(({ userId }) => standingOf(organization.id, userId)));
  const left = standings.filter((standing) => standing.role === "admin" && standing.status === "active");
  expect(left).toHaveLength(1);
});

test("of many admins who each demote themselves at once, one remains", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const admins: Actor[] = [admin];
  for (let i = 0; i < 5; i++) admins.push(await add({ role: "admin" }));
  await Promise.allSettled(admins.map((one) => change(services, one, one, role("member"))));
  const standings = await Promise.all(admins.map(({ userId }) => standingOf(organization.id, userId)));
  expect(standings.filter((standing) => standing.role === "admin")).toHaveLength(1);
});

test("of two admins who decide about the same person at once, one is told how it stands", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const other = await add({ role: "admin" });
  const person = await add({ status: "pending" });
  const outcomes = await Promise.allSettled([
    change(services, admin, person, { act: "approve" }),
    change(services, other, person, { act: "approve" }),
  ]);
  const [refused] = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(refused).toMatchObject({ status: 409, code: "MEMBER_CHANGED", message: expect.stringContaining("active") });
  expect(await promisedMails(services, organization.id)).toHaveLength(1);
});

test.each([
  ["approve", "active"],
  ["approve", "inactive"],
  ["reject", "active"],
  ["reactivate", "active"],
  ["deactivate", "inactive"],
] as const)("%s does not apply to a person who is %s", async (act, status) => {
  const services = testServices();
  const { admin, add } = await anAdministration(services);
  const person = await add({ status });
  expect(await refusal(change(services, admin, person, { act }))).toMatchObject({ code: "MEMBER_CHANGED" });
});

test("the role that a person has already is not changed, and that is no error", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const person = await add({ role: "member" });
  expect(await change(services, admin, person, role("member"))).toMatchObject({ isChanged: false });
  expect(await standingOf(organization.id, person.userId)).toMatchObject({ role: "member" });
  const [entry] = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organization.id), eq(auditLogs.action, "member.role_changed")));
  expect(entry).toBeUndefined();
});

test("people of another organisation, and nobody at all, are not found alike", async () => {
  const services = testServices();
  const { admin } = await anAdministration(services);
  const foreign = await anAdministration(services, "Elsewhere");
  for (const userId of [foreign.admin.userId, services.ids.next()]) {
    const refused = await refusal(change(services, admin, { userId }, { act: "deactivate" }));
    expect(refused).toMatchObject({ status: 404, code: "NOT_FOUND", message: "Not found" });
  }
});

test("an admin who is one no more leaves no open invitations behind", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const other = await add({ role: "admin" });
  await invitePerson(services, other, { email: `back-door@${services.ids.next()}.example`, role: "admin" });
  await invitePerson(services, admin, { email: `guest@${services.ids.next()}.example`, role: "member" });
  await change(services, admin, other, role("member"));
  const left = await listInvitations(services, organization.id);
  expect(left.map((invitation) => invitation.role)).toEqual(["member"]);
});

test.each(["before", "after"] as const)("a connection lost %s the commit changes a person once", async (when) => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const member = await add();
  const shaky = { ...services, db: losingConnection(services.db, when) };
  await change(shaky, admin, member, role("read_only"));
  const rows = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organization.id), eq(auditLogs.action, "member.role_changed")));
  expect(rows).toHaveLength(1);
});
