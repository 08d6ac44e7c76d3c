import { apiTokens, organizationDomains, organizations, twoSteps, users } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { createApiToken } from "~/modules/accounts/identity/api-token.server";
import { confirmEmail } from "~/modules/accounts/identity/confirm-email.server";
import { resendConfirmation } from "~/modules/accounts/identity/confirmation.server";
import { askForEmailChange } from "~/modules/accounts/identity/email-change.server";
import { askForPasswordReset } from "~/modules/accounts/identity/password.server";
import { register } from "~/modules/accounts/identity/register.server";
import { enableTwoStep } from "~/modules/accounts/identity/two-step.server";
import { beginTwo, codeAt, signedIn, tokenSentTo, workOnResets } from "../support/account";
import { anOrganization } from "../support/factories";
import {
  aDomain,
  aPerson,
  aRegistration,
  belongs,
  confirmAddress,
  confirmationToken,
  findUser,
  ORIGIN,
  PASSWORD,
} from "../support/people";
import { type TestServices, testServices } from "../support/services";
import { aBrowser, textOf } from "../support/worker";

/** What an attacker tried against accounts and addresses, one test for each. */

/** A clock in step with the Worker's, so that sessions and links made here are valid there. */
const liveServices = () => testServices({ clock: { now: () => Date.now() } });

const NEW = "Brighter-heron-8";

/** An attacker registers the victim's address, with a password and a session of their own. */
async function aFalseRegistration(services: TestServices) {
  const domain = aDomain(services);
  const email = `victim@${domain}`;
  const registration = aRegistration(services, {
    email,
    firstName: "Help",
    lastName: "Desk",
    newOrganization: { name: "Harbour Joinery Support" },
  });
  const attacker = aBrowser();
  const { person } = await register(services, ORIGIN, registration);
  const link = `/confirm-email/${await confirmationToken(services)}`;
  await attacker.post("/api/login", { email, password: PASSWORD });
  return { domain, email, attacker, person, link, token: link.split("/").at(-1) ?? "" };
}

const userOf = async (browser: ReturnType<typeof aBrowser>) => (await browser.get("/api/user")).json();

const claimsOf = (services: TestServices, domain: string) =>
  services.db.select().from(organizationDomains).where(eq(organizationDomains.domain, domain));

test("pressing the button in a confirmation email does not confirm an account that another person registered", async () => {
  const services = liveServices();
  const { domain, email, attacker, link } = await aFalseRegistration(services);
  const victim = aBrowser();
  const page = await textOf(await victim.get(link));
  expect(page).toContain(`Help Desk registered ${email} with PayeeProof on`);
  expect(page).toContain("for Harbour Joinery Support");
  expect(page).toContain("This was not me");

  const pressed = await victim.submit(link, { intent: "confirm" });
  expect(pressed.status).toBe(400);
  expect(await textOf(pressed)).toContain("Enter your password");
  const guessed = await victim.submit(link, { intent: "confirm", password: "Not-the-password-1" });
  expect(guessed.status).toBe(400);
  expect(await textOf(guessed)).toContain("This is not the password of this account");

  expect(await userOf(attacker)).toMatchObject({ emailVerified: false });
  expect(await claimsOf(services, domain)).toEqual([]);
});

test("a session of another account does not confirm the address", async () => {
  const services = liveServices();
  const { email, link } = await aFalseRegistration(services);
  const colleague = await aPerson(services);
  const browser = aBrowser();
  await browser.post("/api/login", { email: colleague.email, password: PASSWORD });
  expect((await browser.submit(link, { intent: "confirm" })).status).toBe(403);
  expect(await findUser(services, email)).toMatchObject({ emailVerifiedAt: null });
});

test("the person who registered confirms with one press where they are signed in, elsewhere with the password", async () => {
  const services = liveServices();
  const here = await aFalseRegistration(services);
  expect(await textOf(await here.attacker.get(here.link))).not.toContain("enter the password");
  expect((await here.attacker.submit(here.link, { intent: "confirm" })).headers.get("Location")).toBe("/dashboard");
  expect(await userOf(here.attacker)).toMatchObject({ emailVerified: true });

  const there = await aFalseRegistration(services);
  const phone = aBrowser();
  const confirmed = await phone.submit(there.link, { intent: "confirm", password: PASSWORD });
  expect([confirmed.status, confirmed.headers.get("Location")]).toEqual([303, "/dashboard"]);
  expect(await userOf(phone)).toMatchObject({ email: there.email, emailVerified: true });
  expect(await claimsOf(services, there.domain)).toHaveLength(1);
});

test("a new password at the link ends every way in that another person prepared", async () => {
  const services = liveServices();
  const { email, attacker, person, link } = await aFalseRegistration(services);
  const secret = await beginTwo(services, person);
  const code = await codeAt(services, secret);
  const enabled = await enableTwoStep(services, person, { currentPassword: PASSWORD, code });
  const actor = { ...enabled.person, organizationId: person.organizationId ?? "", organizationName: "x" };
  const input = { name: "Script", scopes: ["payees:read" as const], lifetimeDays: 0, currentPassword: PASSWORD };
  const made = await createApiToken(services, actor, input);
  const elsewhere = `attacker@${aDomain(services)}`;
  await askForEmailChange(services, enabled.person, { email: elsewhere, currentPassword: PASSWORD });

  const victim = aBrowser();
  const weak = await victim.submit(link, { intent: "new-password", password: "weak", confirmPassword: "weaker" });
  expect(weak.status).toBe(400);
  const done = await victim.submit(link, { intent: "new-password", password: NEW, confirmPassword: NEW });
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/dashboard"]);
  expect(await userOf(victim)).toMatchObject({ email, emailVerified: true, twoStepEnabled: false });

  expect((await attacker.get("/api/user")).status).toBe(401);
  expect((await aBrowser().post("/api/login", { email, password: PASSWORD })).status).toBe(401);
  const bearer = { Authorization: `Bearer ${made.token}` };
  expect((await aBrowser().get("/api/payees", bearer)).status).toBe(401);
  const live = and(eq(apiTokens.userId, person.userId), isNull(apiTokens.revokedAt));
  expect(await services.db.select().from(apiTokens).where(live)).toEqual([]);
  expect(await services.db.select().from(twoSteps).where(eq(twoSteps.userId, person.userId))).toEqual([]);
  const moved = await aBrowser().submit(`/email-change/${await tokenSentTo(services, elsewhere)}`, {
    intent: "confirm",
    password: NEW,
  });
  expect(moved.status).toBe(303);
  expect(await findUser(services, email)).toMatchObject({ id: person.userId });
});

test('"This was not me" deletes a false registration, and the address is free again', async () => {
  const services = liveServices();
  const { email, attacker, person, link } = await aFalseRegistration(services);
  const victim = aBrowser();
  const disowned = await victim.submit(link, { intent: "disown" });
  expect([disowned.status, disowned.headers.get("Location")]).toEqual([303, "/"]);
  expect(await textOf(await victim.get("/"))).toContain("Registration deleted");
  expect((await attacker.get("/api/user")).status).toBe(401);
  expect((await aBrowser().post("/api/login", { email, password: PASSWORD })).status).toBe(401);
  expect((await victim.get(link)).status).toBe(404);
  const [abandoned] = await services.db
    .select({ active: organizations.active })
    .from(organizations)
    .where(eq(organizations.id, person.organizationId ?? ""));
  expect(abandoned).toEqual({ active: false });
  const own = await register(services, ORIGIN, aRegistration(services, { email }));
  expect(own.person.email).toBe(email);
});

test("a confirmed account cannot be deleted or given a new password by another of its links", async () => {
  const services = liveServices();
  const { email, person, token, link } = await aFalseRegistration(services);
  await resendConfirmation(services, person);
  const second = `/confirm-email/${await confirmationToken(services)}`;
  await confirmAddress(services, token);
  for (const path of [link, second]) {
    const forms: Record<string, string>[] = [
      { intent: "disown" },
      { intent: "new-password", password: NEW, confirmPassword: NEW },
      { intent: "renew" },
    ];
    for (const form of forms) {
      const answer = await aBrowser().submit(path, form);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
    }
  }
  expect((await aBrowser().post("/api/login", { email, password: PASSWORD })).status).toBe(200);
});

test("a false organisation with an accomplice in it does not get the victim's domain", async () => {
  const services = liveServices();
  const { domain, person, token } = await aFalseRegistration(services);
  const accomplice = await aPerson(services);
  await belongs(services, accomplice.id, person.organizationId ?? "", "admin");
  await confirmEmail(services, ORIGIN, { token, proof: { by: "new_password", password: NEW } });
  expect(await claimsOf(services, domain)).toEqual([]);
});

test("agreeing in the mailbox alone does not move an attacker's account to the victim's address", async () => {
  const services = liveServices();
  const attacker = await aPerson(services, { isConfirmed: false });
  const browser = aBrowser();
  await browser.post("/api/login", { email: attacker.email, password: PASSWORD });
  const person = await signedIn(services, attacker.id);
  const email = `victim@${aDomain(services)}`;
  await askForEmailChange(services, person, { email, currentPassword: PASSWORD });
  const link = `/email-change/${await tokenSentTo(services, email)}`;
  const victim = aBrowser();
  const page = await textOf(await victim.get(link));
  expect(page).toContain(`Ada Nguyen , who signs in as ${attacker.email}, asked on`);
  const pressed = await victim.submit(link, { intent: "confirm" });
  expect(pressed.status).toBe(400);
  expect(await findUser(services, email)).toBeUndefined();
  const stopped = await victim.submit(link, { intent: "stop" });
  expect(stopped.headers.get("Location")).toBe("/");
  expect((await browser.submit(link, { intent: "confirm" })).headers.get("Location")).toBe(link);
  const rows = await services.db.select({ email: users.email }).from(users).where(eq(users.id, attacker.id));
  expect(rows).toEqual([{ email: attacker.email }]);
});

test("an API token that never expires does not survive a password reset", async () => {
  const services = liveServices();
  const organization = await anOrganization(services);
  const victim = await aPerson(services, { organizationId: organization.id });
  const person = await signedIn(services, victim.id);
  const actor = { ...person, organizationId: organization.id, organizationName: organization.name };
  const input = { name: "Left behind", scopes: ["payees:read" as const], lifetimeDays: 0, currentPassword: PASSWORD };
  const made = await createApiToken(services, actor, input);
  const bearer = { Authorization: `Bearer ${made.token}` };
  expect((await aBrowser().get("/api/payees", bearer)).status).toBe(200);

  await askForPasswordReset(services, ORIGIN, { email: victim.email });
  await workOnResets(services);
  const path = `/reset-password/${await tokenSentTo(services, victim.email)}`;
  const browser = aBrowser();
  expect(await textOf(await browser.get(path))).toContain("your API tokens stop working");
  await browser.submit(path, { password: NEW, confirmPassword: NEW });
  expect(await textOf(await browser.get("/auth"))).toContain("Your API tokens were revoked");
  expect((await aBrowser().get("/api/payees", bearer)).status).toBe(401);
});

test.each(["", "a\rb", "a\u0000b", "a[", "a.b[0", "__proto__"])(
  "a form field named %j does not break the sign-in page",
  async (name) => {
    for (const tab of ["login", "register"]) {
      const answer = await aBrowser().submit("/auth", { tab, email: "x", [name]: "y" });
      expect(answer.status).toBe(400);
    }
  },
);

test.each(["Commonwealth Bank Security - visit commbank-safe.com", "Harbour evil . com"])(
  "an organisation cannot be registered as %j to send emails under that name",
  async (name) => {
    const services = liveServices();
    const person = { email: `mira@${aDomain(services)}`, firstName: "Mira", password: PASSWORD };
    const call = await aBrowser().post("/api/register", { ...person, newOrganisation: { name } });
    expect(call.status).toBe(400);
    const { fieldErrors } = (await call.json()) as { fieldErrors: Record<string, string[]> };
    expect(Object.keys(fieldErrors)).toEqual(["newOrganisation.name"]);
    expect(await findUser(services, person.email)).toBeUndefined();
  },
);

test.each(["Westpac", "C0mmonwealth Bank", "PayeeProof Security"])(
  "an organisation that registers as %j sends nothing under that name before an operator has approved it",
  async (name) => {
    const services = liveServices();
    const email = `mira@${aDomain(services)}`;
    const call = await aBrowser().post("/api/register", {
      ...{ email, firstName: "Mira", password: PASSWORD },
      newOrganisation: { name },
    });
    expect(call.status).toBe(201);
    const { organizationId } = (await findUser(services, email)) ?? {};
    const [found] = await services.db
      .select({ name: organizations.name })
      .from(organizations)
      .where(eq(organizations.id, organizationId ?? ""));
    expect(found?.name).toBe("Mira's organisation");
  },
);

test("a person cannot register under a bank's name, in one field or across both", async () => {
  const services = liveServices();
  for (const [firstName, lastName] of [
    ["CommBank", "Security"],
    ["Commonwealth", "Bank"],
    ["Mira", "visit evil.com"],
  ] as const) {
    const person = { email: `mira@${aDomain(services)}`, firstName, lastName, password: PASSWORD };
    expect((await aBrowser().post("/api/register", person)).status).toBe(400);
    expect(await findUser(services, person.email)).toBeUndefined();
  }
});
