import { users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { register } from "~/modules/accounts/identity/register.server";
import { anOrganization } from "../support/factories";
import {
  aDomain,
  aPerson,
  aRegistration,
  claims,
  confirmationToken,
  findUser,
  ORIGIN,
  PASSWORD,
} from "../support/people";
import { testServices } from "../support/services";
import { aBrowser, textOf } from "../support/worker";

/** A clock in step with the Worker's, so that sessions and links made here are valid there. */
const liveServices = () => testServices({ clock: { now: () => Date.now() } });

const aForm = (services: ReturnType<typeof testServices>, changes: Record<string, string> = {}) => ({
  tab: "register",
  email: `mira@${aDomain(services)}`,
  firstName: "Mira",
  lastName: "Okafor",
  password: PASSWORD,
  confirmPassword: PASSWORD,
  acceptTerms: "on",
  createOrganisation: "true",
  "newOrganisation.name": "Harbour Joinery",
  "newOrganisation.abn": "51 824 753 556",
  ...changes,
});

const isSignedIn = async (browser: ReturnType<typeof aBrowser>) => (await browser.get("/api/user")).status === 200;

/** The value of a field in a page's HTML. */
const fieldValue = (html: string, name: string) =>
  /value="([^"]*)"/.exec(
    new RegExp(`<input[^>]*name="${name.replaceAll(".", "\\.")}"[^>]*>`).exec(html)?.[0] ?? "",
  )?.[1];

test("a person registers on the page, lands on the dashboard with a welcome, signs out and in again", async () => {
  const services = liveServices();
  const browser = aBrowser();
  const form = aForm(services);
  const registered = await browser.submit("/auth?tab=register", form);
  expect(registered.status).toBe(303);
  expect(registered.headers.get("Location")).toBe("/dashboard");
  expect(await isSignedIn(browser)).toBe(true);
  expect(await findUser(services, form.email)).toMatchObject({ status: "active", role: "admin", lastName: "Okafor" });
  expect(await textOf(await browser.get("/"))).toContain("Registration successful Welcome, Mira");
  expect(await textOf(await browser.get("/dashboard"))).toContain("Welcome, Mira");

  const left = await browser.submit("/logout", { to: "/" });
  expect(left.status).toBe(303);
  expect(left.headers.get("Location")).toBe("/");
  expect(await isSignedIn(browser)).toBe(false);
  const answer = await browser.get("/");
  // With a message the page brings its scripts: they draw it again from plain data only.
  expect(await answer.clone().text()).not.toContain("SingleFetchClassInstance");
  expect(await textOf(answer)).toContain("Logged out successfully You have been logged out of your account");

  const back = await browser.submit("/auth", { tab: "login", email: form.email, password: PASSWORD });
  expect(back.headers.get("Location")).toBe("/dashboard");
  expect(await textOf(await browser.get("/"))).toContain("Logged in successfully Welcome back, Mira");
  const dashboard = await textOf(await browser.get("/dashboard"));
  expect(dashboard).toContain("Welcome back, Mira");
});

test("signed-in people are led away from the sign-in page", async () => {
  const services = liveServices();
  const browser = aBrowser();
  await browser.submit("/auth", aForm(services));
  const answer = await browser.get("/auth?tab=register");
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
});

test("the avatar menu's logout leads to the sign-in page, and nowhere else can be asked for", async () => {
  for (const [to, location] of [
    ["/auth", "/auth"],
    ["/", "/"],
    ["//evil.example", "/"],
    ["/payees", "/"],
  ] as const) {
    const answer = await aBrowser().submit("/logout", { to });
    expect(answer.headers.get("Location")).toBe(location);
  }
});

test("following a link to /logout signs nobody out, and offers to", async () => {
  const services = liveServices();
  const browser = aBrowser();
  expect((await browser.get("/logout")).headers.get("Location")).toBe("/");
  await browser.submit("/auth", aForm(services));
  const page = await browser.get("/logout");
  expect(page.status).toBe(200);
  expect(await textOf(page)).toContain("Log out of PayeeProof? You are still logged in");
  expect(await isSignedIn(browser)).toBe(true);
  await browser.submit("/logout", {});
  expect(await isSignedIn(browser)).toBe(false);
});

test("a person without an organisation can create one, is told how to join one, and can log out", async () => {
  const services = liveServices();
  const browser = aBrowser();
  const domain = aDomain(services, "pier");
  await browser.post("/api/register", { email: `mira@${domain}`, firstName: "Mira", password: PASSWORD });
  expect(await textOf(await browser.get("/dashboard"))).toContain("Create or join an organisation");
  const html = await (await browser.get("/select-organization")).text();
  expect(fieldValue(html, "name")).toMatch(/^Pier /);
  const text = await textOf(new Response(html));
  for (const way of ["Create a new organisation", "Ask to join your organisation", "Send the link again", "Logout"]) {
    expect(text).toContain(way);
  }
  const refused = await browser.submit("/select-organization", { intent: "create", name: "x", abn: "12" });
  expect(refused.status).toBe(400);
  expect(await textOf(refused)).toContain("Organisation name must be at least 2 characters");
  const created = await browser.submit("/select-organization", { intent: "create", name: "Pier Foods", abn: "" });
  expect([created.status, created.headers.get("Location")]).toEqual([303, "/dashboard"]);
  const user = await (await browser.get("/api/user")).json();
  expect(user).toMatchObject({ role: "admin", status: "active", needsOrganizationSelection: false });
  const again = await browser.submit("/select-organization", { intent: "create", name: "Pier Foods Two" });
  expect(again.status).toBe(409);
});

test("a person who waits for approval is not asked again to confirm an address that is confirmed", async () => {
  const services = liveServices();
  const organization = await anOrganization(services);
  const waiting = { organizationId: organization.id, status: "pending" as const };
  for (const isConfirmed of [true, false]) {
    const { email } = await aPerson(services, { ...waiting, isConfirmed });
    const browser = aBrowser();
    await browser.post("/api/login", { email, password: PASSWORD });
    const text = await textOf(await browser.get("/payees"));
    expect(text).toContain("Your account is waiting for approval");
    expect(text.includes("First confirm your email address")).toBe(!isConfirmed);
  }
});

test.each([
  ["/payees?q=acme", "/payees?q=acme"],
  ["/verifications/pending", "/verifications/pending"],
  ["", "/dashboard"],
  ["https://evil.example", "/dashboard"],
  ["//evil.example", "/dashboard"],
  ["/\\evil.example", "/dashboard"],
  ["/\t/evil.example", "/dashboard"],
  ["/\n/evil.example", "/dashboard"],
  ["javascript:alert(1)", "/dashboard"],
  ["payees", "/dashboard"],
])("after sign-in and registration next=%j leads to %s", async (next, location) => {
  const services = liveServices();
  const { email } = await aPerson(services);
  const login = await aBrowser().submit("/auth", { tab: "login", email, password: PASSWORD, next });
  expect(login.headers.get("Location")).toBe(location);
  const registered = await aBrowser().submit("/auth", aForm(services, { next }));
  expect(registered.headers.get("Location")).toBe(location);
});

test("the page that a person wanted travels with the forms and the tabs", async () => {
  const html = await (await aBrowser().get("/auth?next=%2Fpayees%3Fq%3Da")).text();
  expect(fieldValue(html, "next")).toBe("/payees?q=a");
  expect(html).toContain("tab=register&amp;next=%2Fpayees%3Fq%3Da");
  const poisoned = await (await aBrowser().get("/auth?next=%2F%2Fevil.example")).text();
  expect(poisoned).not.toContain('name="next"');
  expect(poisoned).not.toContain("tab=register&amp;next");
});

test("where a person was going is not forgotten by a refused try", async () => {
  const services = liveServices();
  const { email } = await aPerson(services);
  const browser = aBrowser();
  const page = await (await browser.get("/auth?next=%2Fpayees")).text();
  const action = /<form[^>]*action="([^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const refused = await browser.submit(action, { tab: "login", next: "/payees", email, password: "Wrong-horse-77" });
  expect(fieldValue(await refused.text(), "next")).toBe("/payees");
});

test("a refused sign-in keeps the address, forgets the password and says why", async () => {
  const services = liveServices();
  const { email } = await aPerson(services);
  const browser = aBrowser();
  const answer = await browser.submit("/auth", { tab: "login", email, password: "Wrong-horse-77" });
  expect(answer.status).toBe(401);
  const html = await answer.text();
  expect(fieldValue(html, "email")).toBe(email);
  expect(html).not.toContain("Wrong-horse-77");
  expect(await textOf(new Response(html))).toContain("Login failed Invalid username or password");
  expect(await isSignedIn(browser)).toBe(false);
});

test("the sign-in form's sentences are the specification's", async () => {
  const answer = await aBrowser().submit("/auth", { tab: "login", email: "mira", password: "short" });
  expect(answer.status).toBe(400);
  const text = await textOf(answer);
  expect(text).toContain("Please enter a valid email address");
  expect(text).toContain("Password must be at least 8 characters");
});

test("a registration with everything wrong says so by each field, and keeps what was typed", async () => {
  const answer = await aBrowser().submit("/auth?tab=register", {
    tab: "register",
    email: "mira",
    firstName: "M",
    password: "secret-7",
    confirmPassword: "secret-8",
    createOrganisation: "true",
    "newOrganisation.name": "H",
    "newOrganisation.abn": "12",
  });
  expect(answer.status).toBe(400);
  const html = await answer.text();
  const text = await textOf(new Response(html));
  for (const sentence of [
    "Registration failed",
    "Please enter a valid email address",
    "First name must be at least 2 characters",
    "Password must contain at least one uppercase letter",
    "Passwords do not match",
    "Organisation name must be at least 2 characters",
    "ABN must be at least 11 characters",
    "You must accept the Terms and Conditions to register",
  ]) {
    expect(text).toContain(sentence);
  }
  expect(fieldValue(html, "firstName")).toBe("M");
  expect(fieldValue(html, "newOrganisation.abn")).toBe("12");
  expect(html).not.toContain("secret-7");
  expect(html).not.toContain("secret-8");
});

test("an address with an account is told to go to login, with the address kept", async () => {
  const services = liveServices();
  const { email } = await aPerson(services);
  const answer = await aBrowser().submit("/auth", aForm(services, { email }));
  expect(answer.status).toBe(409);
  const html = await answer.text();
  const text = await textOf(new Response(html));
  expect(text).toContain("Account Already Exists");
  expect(text).toContain("Looks like you already have an account with us. Please login instead.");
  expect(text).toContain("Go to Login");
  expect(html).toContain(`/auth?tab=login&amp;email=${encodeURIComponent(email)}`);
});

test("the same form posted twice makes one account and signs in both times", async () => {
  const services = liveServices();
  const browser = aBrowser();
  const page = await (await browser.get("/auth?tab=register")).text();
  const submissionId = fieldValue(page, "submissionId") ?? "";
  const form = aForm(services, { submissionId });
  const answers = await Promise.all([aBrowser().submit("/auth", form), aBrowser().submit("/auth", form)]);
  expect(answers.map((answer) => answer.status)).toEqual([303, 303]);
});

test.each(["domain", "email"])(
  "the address's %s prefills the email and welcomes to the organisation",
  async (param) => {
    const services = liveServices();
    const domain = aDomain(services);
    const { id } = await anOrganization(services, { name: "Harbour Foods" });
    await claims(services, id, domain);
    const value = param === "email" ? `Mira@${domain}` : domain;
    const html = await (await aBrowser().get(`/auth?tab=register&${param}=${encodeURIComponent(value)}`)).text();
    expect(await textOf(new Response(html))).toContain("Welcome to Harbour Foods");
    expect(fieldValue(html, "email")).toBe(param === "email" ? value : `@${domain}`);
    expect(fieldValue(html, "organisationId")).toBe(id);
  },
);

test("a refused registration without scripts offers what the typed address leads to", async () => {
  const services = liveServices();
  const domain = aDomain(services, "pier");
  const { id } = await anOrganization(services, { name: "Pier Foods" });
  const blank = { password: "", "newOrganisation.name": "", email: `mira@${domain}` };
  const before = await (await aBrowser().submit("/auth", aForm(services, blank))).text();
  expect(fieldValue(before, "newOrganisation.name")).toMatch(/^Pier /);
  expect(before).toContain("Suggested from your email address");
  await claims(services, id, domain);
  const after = await (await aBrowser().submit("/auth", aForm(services, blank))).text();
  expect(await textOf(new Response(after))).toContain("Join Pier Foods");
  expect(fieldValue(after, "organisationId")).toBe(id);
});

test("an unknown domain says so, and suggests a name for a new organisation", async () => {
  const services = liveServices();
  const domain = aDomain(services, "pier");
  const html = await (await aBrowser().get(`/auth?tab=register&domain=${domain}`)).text();
  const text = await textOf(new Response(html));
  expect(text).toContain(`Organisation Not Found Unable to find organisation with domain: ${domain}`);
  expect(fieldValue(html, "newOrganisation.name")).toMatch(/^Pier /);
});

test("several organisations of one domain can be chosen from", async () => {
  const services = liveServices();
  const domain = aDomain(services);
  const ids = [await anOrganization(services, { name: "One" }), await anOrganization(services, { name: "Two" })];
  for (const { id } of ids) await claims(services, id, domain);
  const html = await (await aBrowser().get(`/auth?tab=register&domain=${domain}`)).text();
  for (const { id } of ids) expect(html).toContain(`<option value="${id}"`);
  expect(html).not.toMatch(/<option value="[^"]+" selected/);
  const unchosen = aForm(services, { createOrganisation: "false", organisationId: "" });
  const refused = await aBrowser().submit("/auth", { ...unchosen, email: `mira@${domain}` });
  expect(refused.status).toBe(400);
  expect(await textOf(refused)).toContain("Choose an organisation");
});

test("someone who joins on the page waits, and what they can open says so", async () => {
  const services = liveServices();
  const organization = await anOrganization(services, { name: "Harbour Foods" });
  const browser = aBrowser();
  const form = aForm(services, { createOrganisation: "false", organisationId: organization.id });
  expect((await browser.submit("/auth", form)).status).toBe(303);
  const user = await (await browser.get("/api/user")).json();
  expect(user).toMatchObject({ status: "pending", role: "member", organizationId: organization.id });
  expect((await browser.get("/api/verifications/pending")).status).toBe(403);
});

test("what an address holds is shown, never run", async () => {
  const html = await (await aBrowser().get("/auth?tab=register&domain=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")).text();
  expect(html).not.toContain("<script>alert(1)");
});

test("opening a confirmation link changes nothing; its button confirms, once", async () => {
  const services = liveServices();
  const registration = aRegistration(services);
  await register(services, ORIGIN, registration);
  const path = `/confirm-email/${await confirmationToken(services)}`;
  const browser = aBrowser();
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  expect(page.headers.get("Referrer-Policy")).toBe("same-origin");
  expect(page.headers.get("Cache-Control")).toBe("no-store");
  expect(await textOf(page)).toContain("Confirm my address");
  expect(await findUser(services, registration.email)).toMatchObject({ emailVerifiedAt: null });

  const confirmed = await browser.submit(path, { intent: "confirm", password: PASSWORD });
  expect([confirmed.status, confirmed.headers.get("Location")]).toEqual([303, "/dashboard"]);
  expect((await findUser(services, registration.email))?.emailVerifiedAt).toBeGreaterThan(0);

  const again = await browser.submit(path, { intent: "confirm" });
  expect([again.status, again.headers.get("Location")]).toEqual([303, path]);
  expect(await textOf(await browser.get(path))).toContain("has been confirmed");
});

test("an expired confirmation link offers a new one", async () => {
  const past = testServices({ clock: { now: () => Date.now() - 2 * DAY_MS } });
  const registration = aRegistration(past);
  await register(past, ORIGIN, registration);
  const path = `/confirm-email/${await confirmationToken(past)}`;
  const browser = aBrowser();
  const page = await browser.get(path);
  expect(page.status).toBe(410);
  expect(await textOf(page)).toContain("This link has expired");
  expect((await browser.submit(path, { intent: "confirm" })).headers.get("Location")).toBe(path);
  const renewed = await browser.submit(path, { intent: "renew" });
  expect([renewed.status, renewed.headers.get("Location")]).toEqual([303, "/auth"]);
  expect((await browser.get(path)).status).toBe(404);
});

test("a link that was never ours is not found", async () => {
  expect((await aBrowser().get("/confirm-email/nothing")).status).toBe(404);
  expect((await aBrowser().submit("/confirm-email/nothing", { intent: "confirm" })).status).toBe(404);
});

test.each([
  ["http://127.0.0.1:8787", "session", /^session=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/],
  ["https://payeeproof.example", "__Host-session", /^__Host-session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/],
])("under %s the session cookie is %s, guarded for it, and read back", async (appOrigin, name, cookie) => {
  const services = liveServices();
  const { email } = await aPerson(services);
  const browser = aBrowser(appOrigin);
  const answer = await browser.submit("/auth", { tab: "login", email, password: PASSWORD });
  expect(answer.headers.getSetCookie()[0]).toMatch(cookie);
  expect([...browser.jar.keys()]).toContain(name);
  expect(await isSignedIn(browser)).toBe(true);
  await browser.submit("/logout", { to: "/" });
  expect(browser.jar.has(name)).toBe(false);
});

test("a person made inactive is signed out at the next request", async () => {
  const services = liveServices();
  const { id, email } = await aPerson(services);
  const browser = aBrowser();
  await browser.submit("/auth", { tab: "login", email, password: PASSWORD });
  expect(await isSignedIn(browser)).toBe(true);
  await services.db.update(users).set({ status: "inactive" }).where(eq(users.id, id));
  expect(await isSignedIn(browser)).toBe(false);
});
