import { auditLogs, organizationDomains, organizations, organizationUsers, users } from "@db/database";
import { and, desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { listOrganizations, suspendOrganization } from "~/modules/accounts/administration/organizations.server";
import { changeAccount, countMembers, listMembers, listPeople } from "~/modules/accounts/administration/people.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import { PLATFORM_ORGANIZATION_ID } from "~/services-and-actor";
import { aMember, anOrganization } from "../../../../tests/support/factories";
import { anAdministration, standingOf } from "../../../../tests/support/organizations";
import { peek, promisedMails, refusal } from "../../../../tests/support/payees";
import { aDomain, aPerson, belongs, claims, findUser, ORIGIN } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { changeDetails, findDetails } from "./details.server";
import { changeDomain, claimOwnDomain, listDomains } from "./domains.server";
import { changePolicy, findPolicy, findPolicyState } from "./policy.server";
import { applyDueChanges } from "./policy-changes.server";

async function lastEntry(organizationId: string) {
  const [entry] = await peek
    .select()
    .from(auditLogs)
    .where(eq(auditLogs.organizationId, organizationId))
    .orderBy(desc(auditLogs.position))
    .limit(1);
  return entry;
}

const DETAILS = {
  name: "Harbour Joinery",
  abn: "51824753556",
  address: "1 Wharf Road, Sydney",
  phone: "+61293744000",
  contactEmail: "office@harbour.example",
  website: "https://harbour.example/",
  subdomain: null,
};

test("details are changed with a trail of what was and what is", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  expect(await changeDetails(services, admin, { details: DETAILS, logo: "data:image/png;base64,AA==" })).toMatchObject({
    isNew: true,
  });
  expect(await findDetails(services, organization.id)).toEqual({
    details: DETAILS,
    logo: "data:image/png;base64,AA==",
  });
  const entry = await lastEntry(organization.id);
  expect(entry).toMatchObject({
    action: "organization.details_changed",
    details: { abn: { from: null, to: "51824753556" }, logo: "changed" },
  });
  expect(entry?.details).not.toHaveProperty("name");
  expect(await changeDetails(services, admin, { details: DETAILS })).toEqual({ isNew: false });
  expect((await lastEntry(organization.id))?.id).toBe(entry?.id);
});

test("a subdomain is one organisation's: another one that takes it is told beside the field", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  const subdomain = `harbour-${organization.id.slice(-12)}`;
  await changeDetails(services, admin, { details: { ...DETAILS, subdomain } });
  const { admin: other, organization: elsewhere } = await anAdministration(services, "Elsewhere");
  expect(await refusal(changeDetails(services, other, { details: { ...DETAILS, subdomain } }))).toMatchObject({
    status: 400,
    fieldErrors: { subdomain: ["Another organisation uses this subdomain. Choose another one."] },
  });
  expect((await findDetails(services, elsewhere.id))?.details.name).toBe("Elsewhere");
});

test("two admins who change details at once leave a trail without gaps", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const other = await add({ role: "admin" });
  const outcomes = await Promise.allSettled([
    changeDetails(services, admin, { details: { ...DETAILS, name: "One" } }),
    changeDetails(services, other, { details: { ...DETAILS, name: "Two" } }),
  ]);
  const trail = await peek.select().from(auditLogs).where(eq(auditLogs.organizationId, organization.id));
  expect(trail).toHaveLength(outcomes.filter((outcome) => outcome.status === "fulfilled").length);
  const names = trail.map((entry) => entry.details?.name as { from: string; to: string });
  expect(names[0]?.from).toBe(organization.name);
  if (names[1]) expect(names[1].from).toBe(names[0]?.to);
  expect((await findDetails(services, organization.id))?.details.name).toBe(names.at(-1)?.to);
});

test("a policy change is audited, old to new, each rule on its own", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  const policy = {
    ...DEFAULT_POLICY,
    secondPersonRequired: true,
    firstPaymentLimitCents: 50_000,
    ruleLevels: { unusual_amount: "hold" },
  } as const;
  expect(await changePolicy(services, admin, { version: 0, policy })).toEqual({ isChanged: true, waitsUntil: null });
  expect(await findPolicy(services, organization.id)).toEqual(policy);
  expect(await lastEntry(organization.id)).toMatchObject({
    action: "organization.policy_changed",
    details: {
      secondPersonRequired: { from: false, to: true },
      firstPaymentLimitCents: { from: 1_000_000, to: 50_000 },
      unusual_amount: { from: "default", to: "hold" },
    },
  });
  const { version } = await findPolicyState(services, organization.id);
  expect(await changePolicy(services, admin, { version, policy })).toEqual({ isChanged: false, waitsUntil: null });
});

test("a form made before another person's change overwrites nothing", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  const outcomes = await Promise.allSettled(
    [6, 9].map((reverifyAfterMonths) =>
      changePolicy(services, admin, { version: 0, policy: { ...DEFAULT_POLICY, reverifyAfterMonths } }),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  const stale = { version: 0, policy: { ...DEFAULT_POLICY, twoStepRequired: true } };
  expect(await refusal(changePolicy(services, admin, stale))).toMatchObject({ status: 409, code: "POLICY_CHANGED" });
  const { policy, version } = await findPolicyState(services, organization.id);
  expect(policy.twoStepRequired).toBe(false);
  // Two changes within a millisecond still get different versions.
  await changePolicy(services, admin, { version, policy: { ...policy, twoStepRequired: true } });
  expect((await findPolicyState(services, organization.id)).version).toBeGreaterThan(version);
});

async function aProver(services: TestServices) {
  const { admin, organization } = await anAdministration(services);
  const domain = aDomain(services);
  const email = `ada@${domain}`;
  await peek.update(users).set({ email }).where(eq(users.id, admin.userId));
  return { admin: { ...admin, email }, organization, domain };
}

test("an admin claims the domain of their own confirmed address, once", async () => {
  const services = testServices();
  const { admin, organization, domain } = await aProver(services);
  expect(await claimOwnDomain(services, admin)).toBe(domain);
  expect(await listDomains(services, organization.id)).toMatchObject([{ domain, isPrimary: true, autoApprove: false }]);
  expect(await refusal(claimOwnDomain(services, admin))).toMatchObject({ status: 409, code: "DOMAIN_CLAIMED" });
});

test("a domain is not claimed with an unconfirmed address, nor an email provider's at all", async () => {
  const services = testServices();
  const { admin, organization } = await aProver(services);
  const tries = [
    { ...admin, emailVerified: false },
    { ...admin, email: "ada@gmail.com" },
  ];
  for (const who of tries) {
    expect(await refusal(claimOwnDomain(services, who))).toMatchObject({ code: "DOMAIN_NOT_PROVEN" });
  }
  await peek.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, admin.userId));
  expect(await refusal(claimOwnDomain(services, admin))).toMatchObject({ code: "DOMAIN_NOT_PROVEN" });
  expect(await listDomains(services, organization.id)).toEqual([]);
});

test("domains are trusted, made primary and given up; one of them stays primary", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  for (const domain of ["a", "b"]) await claims(services, organization.id, aDomain(services, domain));
  const [a, b] = await listDomains(services, organization.id);
  if (!a || !b) throw new Error("two domains were claimed");
  await changeDomain(services, admin, { id: a.id, change: { act: "make_primary" } });
  await changeDomain(services, admin, { id: b.id, change: { act: "make_primary" } });
  const trusting = { id: b.id, change: { act: "auto_approve", on: true } } as const;
  expect(await changeDomain(services, admin, trusting)).toMatchObject({ waitsUntil: services.clock.now() + DAY_MS });
  expect(await lastEntry(organization.id)).toMatchObject({
    action: "organization.policy_weakening_asked",
    details: { changes: { [`domain:${b.domain}`]: { from: false, to: true } } },
  });
  expect(await listDomains(services, organization.id)).toMatchObject([{ autoApprove: false }, { autoApprove: false }]);
  services.clock.advance(DAY_MS);
  await applyDueChanges(services);
  expect(await listDomains(services, organization.id)).toMatchObject([
    { id: b.id, isPrimary: true, autoApprove: true },
    { id: a.id, isPrimary: false },
  ]);
  await changeDomain(services, admin, { id: b.id, change: { act: "remove" } });
  expect(await listDomains(services, organization.id)).toMatchObject([{ id: a.id, isPrimary: true }]);
});

test("another organisation's domains are not found", async () => {
  const services = testServices();
  const { organization } = await anAdministration(services);
  await claims(services, organization.id, aDomain(services));
  const [row] = await listDomains(services, organization.id);
  const { admin } = await anAdministration(services, "Elsewhere");
  const refused = await refusal(changeDomain(services, admin, { id: row?.id ?? "", change: { act: "remove" } }));
  expect(refused).toMatchObject({ status: 404, message: "Not found" });
  const left = await peek
    .select()
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organization.id));
  expect(left).toHaveLength(1);
});

const aSuperAdmin = async (services: TestServices) => ({
  userId: (await aPerson(services, { role: "super_admin" })).id,
  origin: ORIGIN,
});

test("an organisation is suspended and let go on: in its own trail, and its admins are told", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  const platform = await aSuperAdmin(services);
  const input = { organizationId: organization.id };
  await suspendOrganization(services, platform, { ...input, active: false });
  const twice = await refusal(suspendOrganization(services, platform, { ...input, active: false }));
  expect(twice).toMatchObject({ status: 409, code: "STANDING_UNCHANGED" });
  await suspendOrganization(services, platform, { ...input, active: true });
  expect(await lastEntry(organization.id)).toMatchObject({ action: "organization.resumed", userId: platform.userId });
  const mails = await promisedMails(services, organization.id);
  expect(mails.map((mail) => [mail.to, mail.data.isSuspended])).toEqual([
    [admin.email, true],
    [admin.email, false],
  ]);
});

test("the platform's own organisation is nobody's to suspend", async () => {
  const services = testServices();
  const platform = await aSuperAdmin(services);
  const input = { organizationId: PLATFORM_ORGANIZATION_ID, active: false };
  expect(await refusal(suspendOrganization(services, platform, input))).toMatchObject({ status: 404 });
});

test("a super admin ends and gives back the account of a person without an organisation, no other person's", async () => {
  const services = testServices();
  const platform = await aSuperAdmin(services);
  const person = await aPerson(services);
  await changeAccount(services, platform, { userId: person.id, active: false });
  expect(await findUser(services, person.email)).toMatchObject({ status: "inactive" });
  await changeAccount(services, platform, { userId: person.id, active: true });
  expect(await findUser(services, person.email)).toMatchObject({ status: "active" });
  const { admin } = await anAdministration(services);
  expect(await refusal(changeAccount(services, platform, { userId: admin.userId, active: false }))).toMatchObject({
    status: 404,
  });
  expect(await refusal(changeAccount(services, platform, { userId: platform.userId, active: false }))).toMatchObject({
    code: "OWN_ACCOUNT",
  });
});

test("members are listed by page, found by the beginning of a name or address, and filtered by their standing here", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const zoe = await add({ firstName: "Zoë" });
  const waiting = await add({ firstName: "Zara", status: "pending" });
  await anAdministration(services, "Elsewhere");
  const list = (query = {}) => listMembers(services, organization.id, query);
  const ids = async (query = {}) => (await list(query)).people.map((person) => person.userId);
  expect(await ids()).toEqual([waiting.userId, zoe.userId, admin.userId]);
  expect(await ids({ q: "z" })).toEqual([waiting.userId, zoe.userId]);
  expect(await ids({ q: "ZA okaf" })).toEqual([waiting.userId]);
  expect(await ids({ q: zoe.email.slice(0, -3) })).toEqual([zoe.userId]);
  expect(await ids({ q: "%" })).toEqual([]);
  expect(await ids({ status: "pending" })).toEqual([waiting.userId]);
  expect(await ids({ after: zoe.userId })).toEqual([admin.userId]);
  expect(await countMembers(services, organization.id)).toEqual({ active: 2, pending: 1, inactive: 0, rejected: 0 });
});

test("a list shows a person as they are in that organisation, not in the one they are in now", async () => {
  const services = testServices();
  const { add, organization } = await anAdministration(services);
  const member = await add();
  const other = await anOrganization(services, { name: "Elsewhere" });
  await belongs(services, member.userId, other.id, "admin");
  await peek.update(users).set({ organizationId: other.id, role: "admin" }).where(eq(users.id, member.userId));
  await peek
    .update(organizationUsers)
    .set({ status: "inactive" })
    .where(and(eq(organizationUsers.organizationId, organization.id), eq(organizationUsers.userId, member.userId)));
  const { people } = await listMembers(services, organization.id, { status: "inactive" });
  expect(people).toMatchObject([{ userId: member.userId, role: "member", organizationName: organization.name }]);
  expect(await standingOf(other.id, member.userId)).toMatchObject({ account: { organizationId: other.id } });
});

test("super admins list all people, with and without an organisation", async () => {
  const services = testServices();
  const alone = await aPerson(services);
  const { admin } = await anAdministration(services, "Everybody Pty Ltd");
  const { people } = await listPeople(services, {});
  expect(people.map((person) => person.userId)).toEqual(expect.arrayContaining([alone.id, admin.userId]));
  const found = await listPeople(services, { q: alone.email, status: "active" });
  expect(found.people).toMatchObject([{ userId: alone.id, organizationId: null }]);
  expect((await listPeople(services, { q: alone.email, status: "inactive" })).people).toEqual([]);
  expect((await listPeople(services, { after: people[0]?.userId })).people[0]?.userId).toBe(people[1]?.userId);
});

test("super admins list organisations with their members and standing, the platform's own left out", async () => {
  const services = testServices();
  const name = `Qx${services.ids.next().slice(-6)} Freight`;
  const organization = await anOrganization(services, { name });
  await aMember(services, { organization });
  await aMember(services, { organization, status: "pending" });
  await claims(services, organization.id, aDomain(services));
  const found = await listOrganizations(services, { q: name.slice(0, 8).toUpperCase() });
  expect(found.organizations).toMatchObject([{ id: organization.id, members: 1, active: true }]);
  await peek.update(organizations).set({ active: false }).where(eq(organizations.id, organization.id));
  const list = async (standing: "active" | "suspended") =>
    (await listOrganizations(services, { q: name, standing })).organizations.length;
  expect([await list("active"), await list("suspended")]).toEqual([0, 1]);
  const all = await listOrganizations(services);
  expect(all.organizations.map((one) => one.id)).not.toContain(PLATFORM_ORGANIZATION_ID);
});
