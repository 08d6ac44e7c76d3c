import { auditLogs, organizations, organizationUsers, tokens, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { RECIPIENT_LIMITS } from "~/kernel/limits";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { register } from "~/modules/accounts/identity/register.server";
import { signIn } from "~/modules/accounts/identity/sign-in.server";
import type { Actor } from "~/services-and-actor";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { anAdministration, change, sessionsOf, standingOf } from "../../../../tests/support/organizations";
import { peek, promisedMails, refusal } from "../../../../tests/support/payees";
import { aDomain, aPerson, aRegistration, findUser, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { acceptInvitation, registerByInvitation } from "./accept-invitation.server";
import {
  findInvitation,
  INVITATION_TTL_MS,
  invitePerson,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from "./invitations.server";

const NEWCOMER = { firstName: "Noor", lastName: "Haddad", password: PASSWORD };

/** The token from the newest invitation email to a person. */
async function tokenTo(services: TestServices, admin: Actor, email: string): Promise<string> {
  const mails = await promisedMails(services, admin.organizationId);
  const mail = mails.filter((one) => one.template === "invitation" && one.to === email).at(-1);
  return String(mail?.data.link).split("/").at(-1) ?? "";
}

/** An open invitation and its token. */
async function invited(services: TestServices, role: "admin" | "member" | "read_only" = "member", email?: string) {
  const administration = await anAdministration(services);
  const to = email ?? `noor@${aDomain(services)}`;
  await invitePerson(services, administration.admin, { email: to, role });
  const token = await tokenTo(services, administration.admin, to);
  const [listed] = await listInvitations(services, administration.organization.id);
  return { ...administration, email: to, token, id: listed?.id ?? "" };
}

async function signedIn(services: TestServices, who: Parameters<typeof aPerson>[1] = {}) {
  const { email } = await aPerson(services, who);
  return (await signIn(services, ORIGIN, { login: email, password: PASSWORD })).person;
}

const tokenRows = (organizationId: string) =>
  peek.select().from(tokens).where(eq(tokens.organizationId, organizationId));

test("an invitation is stored as a digest, emailed as a link, and opening it changes nothing", async () => {
  const services = testServices();
  const { email, token, organization } = await invited(services, "read_only");
  const [row] = await tokenRows(organization.id);
  expect(row).toMatchObject({ kind: "invitation", email, role: "read_only", usedAt: null });
  expect(row?.tokenHash).toBe(await services.secrets.hashToken(token));
  expect(JSON.stringify(row)).not.toContain(token);
  const looked = await findInvitation(services, token);
  expect(looked).toMatchObject({ state: "open", email, organizationName: organization.name, account: null });
  expect(await tokenRows(organization.id)).toEqual([row]);
});

test("a new person accepts: account, membership and confirmed address at once, signed in", async () => {
  const services = testServices();
  const { email, token, organization } = await invited(services, "admin");
  const { person } = await registerByInvitation(services, ORIGIN, token, NEWCOMER);
  expect(person).toMatchObject({
    email,
    emailVerified: true,
    role: "admin",
    status: "active",
    organizationId: organization.id,
  });
  expect(await sessionsOf(person.userId)).toHaveLength(1);
  expect((await signIn(services, ORIGIN, { login: email, password: PASSWORD })).person.userId).toBe(person.userId);
  const actions = await peek
    .select({ action: auditLogs.action })
    .from(auditLogs)
    .where(eq(auditLogs.organizationId, organization.id))
    .orderBy(auditLogs.position);
  expect(actions.map(({ action }) => action)).toEqual([
    "member.invited",
    "member.invitation_accepted",
    "session.started",
  ]);
});

test("who registers and who is invited can use single keys at once", async () => {
  const services = testServices();
  const { token } = await invited(services, "member");
  const { person: newcomer } = await registerByInvitation(services, ORIGIN, token, NEWCOMER);
  const { person } = await register(services, ORIGIN, aRegistration(services));
  for (const { userId } of [newcomer, person])
    expect(await findReviewChoices(services, userId)).toMatchObject({ reviewKeys: true });
});

test("an existing person accepts, keeps their password, and works in the new organisation from now on", async () => {
  const services = testServices();
  const person = await signedIn(services, { isConfirmed: false });
  const { token, organization } = await invited(services, "member", person.email);
  const joined = await acceptInvitation(services, person, token);
  expect(joined.person).toMatchObject({
    userId: person.userId,
    organizationId: organization.id,
    role: "member",
    emailVerified: true,
  });
  const open = await sessionsOf(person.userId);
  expect(open.map(({ id }) => id)).toEqual([joined.person.sessionId]);
});

test.each(["pending", "rejected"] as const)(
  "who is %s elsewhere comes in by invitation and stays so there",
  async (status) => {
    const services = testServices();
    const elsewhere = await anAdministration(services, "Elsewhere");
    const person = await signedIn(services, { status, organizationId: elsewhere.organization.id });
    const { token, organization } = await invited(services, "member", person.email);
    const joined = await acceptInvitation(services, person, token);
    expect(joined.person).toMatchObject({ status: "active", organizationId: organization.id });
    expect(await standingOf(elsewhere.organization.id, person.userId)).toMatchObject({ status });
  },
);

test("an invitation lets in who was shut out or turned down before", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  const person = await signedIn(services, { status: "rejected", organizationId: organization.id });
  await invitePerson(services, admin, { email: person.email, role: "read_only" });
  await acceptInvitation(services, person, await tokenTo(services, admin, person.email));
  expect(await standingOf(organization.id, person.userId)).toMatchObject({ role: "read_only", status: "active" });
});

test("a person who was approved meanwhile keeps the role they were given", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  const person = await signedIn(services, { status: "rejected", organizationId: organization.id });
  await invitePerson(services, admin, { email: person.email, role: "read_only" });
  await change(services, admin, person, { act: "approve" });
  await change(services, admin, person, { act: "change_role", role: "admin" });
  await acceptInvitation(services, person, await tokenTo(services, admin, person.email));
  expect(await standingOf(organization.id, person.userId)).toMatchObject({ role: "admin", account: { role: "admin" } });
});

test("a super admin is invited like other people, and stays one", async () => {
  const services = testServices();
  const person = await signedIn(services, { role: "super_admin" });
  const { token, organization } = await invited(services, "read_only", person.email);
  const joined = await acceptInvitation(services, person, token);
  expect(joined.person).toMatchObject({ role: "super_admin", organizationRole: "read_only" });
  expect(await standingOf(organization.id, person.userId)).toMatchObject({ account: { role: "super_admin" } });
});

test("an invitation works once, also when pressed twice at once", async () => {
  const services = testServices();
  const { token, organization, email } = await invited(services);
  const presses = await Promise.allSettled(
    [1, 2, 3].map(() => registerByInvitation(services, ORIGIN, token, NEWCOMER)),
  );
  expect(presses.filter((press) => press.status === "fulfilled")).toHaveLength(1);
  const people = await peek.select().from(users).where(eq(users.email, email));
  expect(people).toHaveLength(1);
  const again = await refusal(registerByInvitation(services, ORIGIN, token, NEWCOMER));
  expect(again).toMatchObject({ status: 409, code: "INVITATION_USED" });
  const members = await peek
    .select()
    .from(organizationUsers)
    .where(eq(organizationUsers.organizationId, organization.id));
  expect(members).toHaveLength(2);
});

test("an invitation ends after seven days", async () => {
  const services = testServices();
  const { token } = await invited(services);
  services.clock.advance(INVITATION_TTL_MS - 1);
  expect(await findInvitation(services, token)).toMatchObject({ state: "open" });
  services.clock.advance(1);
  const late = await refusal(registerByInvitation(services, ORIGIN, token, NEWCOMER));
  expect(late).toMatchObject({ status: 410, code: "INVITATION_EXPIRED" });
});

test("sending again makes a new link for seven more days and ends the old one", async () => {
  const services = testServices();
  const { admin, email, token, id, organization } = await invited(services);
  services.clock.advance(8 * DAY_MS);
  expect(await resendInvitation(services, admin, { id })).toBe(email);
  expect(await findInvitation(services, token)).toBeUndefined();
  const renewed = await tokenTo(services, admin, email);
  const { person } = await registerByInvitation(services, ORIGIN, renewed, NEWCOMER);
  expect(person.organizationId).toBe(organization.id);
});

test("an invitation that was taken back is unknown", async () => {
  const services = testServices();
  const { admin, token, id, organization } = await invited(services);
  await revokeInvitation(services, admin, { id });
  expect(await refusal(registerByInvitation(services, ORIGIN, token, NEWCOMER))).toMatchObject({ status: 404 });
  expect(await refusal(revokeInvitation(services, admin, { id }))).toMatchObject({ status: 404 });
  expect(await listInvitations(services, organization.id)).toEqual([]);
});

test("an invitation is for the person with its address alone", async () => {
  const services = testServices();
  const { token, organization } = await invited(services);
  const somebody = await signedIn(services);
  expect(await refusal(acceptInvitation(services, somebody, token))).toMatchObject({
    status: 403,
    code: "WRONG_PERSON",
  });
  expect(await findUser(services, somebody.email)).toMatchObject({ organizationId: null });
  expect((await tokenRows(organization.id))[0]).toMatchObject({ usedAt: null });
});

test("who has an account logs in to accept: no second account for the address", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const { token } = await invited(services, "member", email);
  const refused = await refusal(registerByInvitation(services, ORIGIN, token, NEWCOMER));
  expect(refused).toMatchObject({ status: 409, code: "EMAIL_EXISTS", extra: { action: "LOGIN" } });
});

test("a false registration of an invited address does not keep its owner out", async () => {
  const services = testServices();
  const email = `victim@${aDomain(services)}`;
  const registration = aRegistration(services, { email, newOrganization: { name: "Harbour Joinery Support" } });
  const { person: attacker } = await register(services, ORIGIN, registration);
  const { token, organization } = await invited(services, "member", email);
  expect(await findInvitation(services, token)).toMatchObject({ account: { isConfirmed: false } });

  const { person } = await registerByInvitation(services, ORIGIN, token, { ...NEWCOMER, password: "Brighter-heron-8" });
  expect(person).toMatchObject({ email, emailVerified: true, organizationId: organization.id });
  expect(person.userId).not.toBe(attacker.userId);
  expect(await sessionsOf(attacker.userId)).toEqual([]);
  expect(await refusal(signIn(services, ORIGIN, { login: email, password: PASSWORD }))).toMatchObject({ status: 401 });
  const closed = eq(organizations.id, attacker.organizationId ?? "");
  expect(await peek.select({ active: organizations.active }).from(organizations).where(closed)).toEqual([
    { active: false },
  ]);
});

test("a registration that is confirmed while the invited person types is not replaced", async () => {
  const services = testServices();
  const { id, email } = await aPerson(services, { isConfirmed: false });
  const { token } = await invited(services, "member", email);
  const passwords = {
    ...services.passwords,
    hash: async (password: string) => {
      await peek.update(users).set({ emailVerifiedAt: services.clock.now() }).where(eq(users.id, id));
      return services.passwords.hash(password);
    },
  };
  const late = registerByInvitation({ ...services, passwords }, ORIGIN, token, NEWCOMER);
  expect(await refusal(late)).toMatchObject({ status: 409, code: "MEMBER_CHANGED" });
  expect(await findUser(services, email)).toMatchObject({ id });
});

test("nobody joins a suspended organisation", async () => {
  const services = testServices();
  const { token, organization } = await invited(services);
  await peek.update(organizations).set({ active: false }).where(eq(organizations.id, organization.id));
  const refused = await refusal(registerByInvitation(services, ORIGIN, token, NEWCOMER));
  expect(refused).toMatchObject({ status: 403, code: "ORGANIZATION_SUSPENDED" });
});

test("an address is invited once at a time, also by two admins at once", async () => {
  const services = testServices();
  const { admin, add, organization } = await anAdministration(services);
  const other = await add({ role: "admin" });
  const invitation = { email: `noor@${aDomain(services)}`, role: "member" } as const;
  const outcomes = await Promise.allSettled([admin, other].map((one) => invitePerson(services, one, invitation)));
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  expect(await refusal(invitePerson(services, admin, invitation))).toMatchObject({ code: "ALREADY_INVITED" });
  expect(await promisedMails(services, organization.id)).toHaveLength(1);
});

test.each([
  ["active", "already belongs to your organisation"],
  ["pending", "is waiting for approval"],
] as const)("who is %s here is not invited", async (status, sentence) => {
  const services = testServices();
  const { admin, add } = await anAdministration(services);
  const { email } = await add({ status });
  const refused = await refusal(invitePerson(services, admin, { email, role: "member" }));
  expect(refused.status).toBe(400);
  expect(refused.fieldErrors?.email?.[0]).toContain(sentence);
});

test("another organisation's invitations are not found", async () => {
  const services = testServices();
  const { id } = await invited(services);
  const { admin } = await anAdministration(services, "Elsewhere");
  for (const act of [resendInvitation, revokeInvitation]) {
    expect(await refusal(act(services, admin, { id }))).toMatchObject({ status: 404, message: "Not found" });
  }
});

test("an address is sent so many invitations a day and no more", async () => {
  const services = testServices();
  const { admin, id } = await invited(services);
  for (let sent = 1; sent < RECIPIENT_LIMITS.byOne; sent++) await resendInvitation(services, admin, { id });
  expect(await refusal(resendInvitation(services, admin, { id }))).toMatchObject({ status: 429 });
});

test.each(["before", "after"] as const)("a connection lost %s the commit accepts once", async (when) => {
  const services = testServices();
  const { token, email } = await invited(services);
  const shaky = { ...services, db: losingConnection(services.db, when) };
  const { person } = await registerByInvitation(shaky, ORIGIN, token, NEWCOMER);
  const mine = and(eq(users.email, email), eq(users.id, person.userId));
  expect(await peek.select().from(users).where(mine)).toHaveLength(1);
});
