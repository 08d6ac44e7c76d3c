import { knownDevices, sessions, tokens, users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { HOUR_MS } from "~/kernel/dates";
import { codeAt, STEP_MS } from "../support/account";
import { anOrganization } from "../support/factories";
import { aDomain, aPerson, belongs, findUser, PASSWORD } from "../support/people";
import { testServices } from "../support/services";
import { aBrowser, textOf } from "../support/worker";

const NEW = "Brighter-heron-8";

/** A clock in step with the Worker's, so that sessions and links made here are valid there. */
const liveServices = () => testServices({ clock: { now: () => Date.now() } });

type Browser = ReturnType<typeof aBrowser>;

async function aStaffMember(services = liveServices()) {
  const organization = await anOrganization(services, { name: "Harbour Foods" });
  const person = await aPerson(services, { organizationId: organization.id });
  const browser = aBrowser();
  const answer = await browser.post("/api/login", { email: person.email, password: PASSWORD });
  expect(answer.status).toBe(200);
  return { services, browser, ...person, organization };
}

const isSignedIn = async (browser: Browser) => (await browser.get("/api/user")).status === 200;

async function aResetToken(services: ReturnType<typeof testServices>, userId: string, email: string) {
  const token = services.ids.secret();
  const now = services.clock.now();
  await services.db.insert(tokens).values({
    id: services.ids.next(),
    kind: "password_reset",
    tokenHash: await services.secrets.hashToken(token),
    userId,
    email,
    createdAt: now,
    expiresAt: now + HOUR_MS,
  });
  return token;
}

test("asking for a reset answers the same for every address", async () => {
  const services = liveServices();
  const known = await aPerson(services);
  const inactive = await aPerson(services, { status: "inactive" });
  const addresses = [known.email, inactive.email, `nobody@${aDomain(services)}`];
  for (const email of addresses) {
    const call = await aBrowser().post("/api/forgot-password", { email });
    expect([call.status, await call.json(), call.headers.getSetCookie()]).toEqual([200, {}, []]);
    const browser = aBrowser();
    const page = await browser.submit("/auth/forgot", { email });
    expect([page.status, page.headers.get("Location")]).toEqual([303, "/auth"]);
    expect(await textOf(await browser.get("/auth"))).toContain("Password reset email sent");
  }
});

test("a reset that cannot be asked for says why under both names", async () => {
  const answer = await aBrowser().post("/api/forgot-password", { email: "mira" });
  expect(answer.status).toBe(400);
  const sentence = "Please enter a valid email address";
  expect(await answer.json()).toMatchObject({ error: sentence, message: sentence, fieldErrors: { email: [sentence] } });
  const page = await aBrowser().submit("/auth/forgot", { email: "mira" });
  expect(page.status).toBe(400);
  const html = await page.text();
  expect(html).toContain('value="mira"');
  expect(await textOf(new Response(html))).toContain(`Error ${sentence}`);
});

test("one address asks for ten resets an hour, by page and by call", async () => {
  const browser = aBrowser();
  const email = `nobody@${aDomain(liveServices())}`;
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) {
    const answer =
      i % 2 ? await browser.post("/api/forgot-password", { email }) : await browser.submit("/auth/forgot", { email });
    statuses.push(answer.status);
  }
  expect(statuses.slice(0, 10).every((status) => status < 400)).toBe(true);
  expect(statuses.slice(10)).toEqual([429, 429]);
  const limited = await browser.post("/api/forgot-password", { email });
  expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
  const body = (await limited.json()) as { error: string; message: string };
  expect(body.error).toBe(body.message);
});

test("a password is reset on the page, and every session of the person is over at once", async () => {
  const { services, browser, id, email } = await aStaffMember();
  const token = await aResetToken(services, id, email);
  const visitor = aBrowser();
  const path = `/reset-password/${token}`;
  const form = await visitor.get(path);
  expect(form.status).toBe(200);
  expect(form.headers.get("Referrer-Policy")).toBe("same-origin");
  expect(await textOf(form)).toContain("Set a new password");

  const wrong = await visitor.submit(path, { password: "secret-7", confirmPassword: "secret-8" });
  expect(wrong.status).toBe(400);
  const wrongHtml = await wrong.text();
  expect(wrongHtml).not.toContain("secret-7");
  const text = await textOf(new Response(wrongHtml));
  expect(text).toContain("Password must contain at least one uppercase letter");
  expect(text).toContain("Passwords do not match");

  const done = await visitor.submit(path, { password: NEW, confirmPassword: NEW });
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/auth"]);
  expect(await isSignedIn(browser)).toBe(false);
  expect(await isSignedIn(visitor)).toBe(false);
  expect((await visitor.post("/api/login", { email, password: NEW })).status).toBe(200);

  const again = await visitor.get(path);
  expect(again.status).toBe(410);
  expect(await textOf(again)).toContain("This link has already been used");
  expect((await visitor.submit(path, { password: NEW, confirmPassword: NEW })).headers.get("Location")).toBe(path);
  expect((await visitor.get("/reset-password/unknown")).status).toBe(404);
});

test("a password is reset by a call, once", async () => {
  const { services, id, email } = await aStaffMember();
  const token = await aResetToken(services, id, email);
  const visitor = aBrowser();
  const weak = await visitor.post("/api/reset-password", { token, password: "weak" });
  expect(weak.status).toBe(400);
  const common = await visitor.post("/api/reset-password", { token, password: "P@ssw0rd1" });
  expect(await common.json()).toMatchObject({
    fieldErrors: { password: [expect.stringContaining("attackers try first")] },
  });
  const done = await visitor.post("/api/reset-password", { token, password: NEW });
  expect([done.status, await done.json()]).toEqual([200, {}]);
  const again = await visitor.post("/api/reset-password", { token, password: NEW });
  expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([410, "LINK_USED"]);
  expect((await visitor.post("/api/reset-password", { token: "x", password: NEW })).status).toBe(404);
});

test("registration refuses a common password, beside its field", async () => {
  const services = liveServices();
  const person = { email: `mira@${aDomain(services)}`, firstName: "Mira", password: "P@ssw0rd1" };
  const call = await aBrowser().post("/api/register", { ...person, newOrganisation: { name: "Harbour" } });
  expect(call.status).toBe(400);
  expect(await call.json()).toMatchObject({
    fieldErrors: { password: [expect.stringContaining("attackers try first")] },
  });
  const form = {
    ...person,
    tab: "register",
    confirmPassword: "P@ssw0rd1",
    acceptTerms: "on",
    createOrganisation: "true",
  };
  const page = await aBrowser().submit("/auth", { ...form, "newOrganisation.name": "Harbour" });
  expect(page.status).toBe(400);
  expect(await textOf(page)).toContain("This password is one of those that attackers try first");
  expect(await findUser(services, person.email)).toBeUndefined();
});

const PAGES = [
  "/profile",
  "/profile/password",
  "/profile/two-step",
  "/profile/passkeys",
  "/profile/sessions",
  "/profile/tokens",
];

test("the pages of the account are for signed-in people, whatever their organisation says of them", async () => {
  for (const path of PAGES) {
    const answer = await aBrowser().get(path);
    expect(answer.headers.get("Location")).toBe(`/auth?next=${encodeURIComponent(path)}`);
    const kept = `/auth/kept-form?to=${encodeURIComponent(path)}&why=signed_out`;
    expect((await aBrowser().submit(path, { intent: "names" })).headers.get("Location")).toBe(kept);
  }
  const services = liveServices();
  const organization = await anOrganization(services);
  for (const status of ["active", "pending", "rejected"] as const) {
    const { email } = await aPerson(services, { status, organizationId: organization.id });
    const browser = aBrowser();
    await browser.post("/api/login", { email, password: PASSWORD });
    for (const path of PAGES) {
      const page = await browser.get(path);
      expect(page.status).toBe(200);
      expect(page.headers.get("Cache-Control")).toMatch(/no-store/);
      expect(await textOf(page)).toContain("Two-step sign-in");
    }
  }
});

test("a name is changed on the page", async () => {
  const { services, browser, email } = await aStaffMember();
  const bad = await browser.submit("/profile", { intent: "names", firstName: "M", lastName: "Okafor-Lee" });
  expect(bad.status).toBe(400);
  expect(await textOf(bad)).toContain("First name must be at least 2 characters");
  const done = await browser.submit("/profile", { intent: "names", firstName: "Mira", lastName: "" });
  expect(done.headers.get("Location")).toBe("/profile");
  expect(await findUser(services, email)).toMatchObject({ firstName: "Mira", lastName: "" });
});

/** Who the forms of a page belong to, as the page itself says. */
const typistOn = async (browser: Browser, path: string) =>
  /name="typist" value="([^"]+)"/.exec(await (await browser.get(path)).text())?.[1] ?? "";

test("a form that was kept after a session had ended is not sent by the next person who logs in in that browser", async () => {
  const { services, browser, email } = await aStaffMember();
  const typed = { intent: "names", firstName: "Mirabel", lastName: "", typist: await typistOn(browser, "/profile") };
  browser.jar.clear();
  const led = await browser.submit("/profile", typed, { Accept: "text/html" });
  const kept = await (await browser.submit(led.headers.get("Location") ?? "", typed, { Accept: "text/html" })).text();
  expect(kept).toContain(`name="typist" value="${typed.typist}"`);
  const other = await aPerson(services, { organizationId: (await anOrganization(services)).id });
  await browser.post("/api/login", { email: other.email, password: PASSWORD });
  const refused = await browser.submit("/profile", typed, { Accept: "text/html" });
  expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/dashboard"]);
  const next = await (await browser.get("/dashboard")).text();
  expect(next).toContain("That form was filled in by somebody else");
  expect(next).not.toContain("Mirabel");
  expect((await findUser(services, other.email))?.firstName).not.toBe("Mirabel");
  await browser.post("/api/login", { email, password: PASSWORD });
  expect((await browser.submit("/profile", typed)).status).toBe(303);
  expect(await findUser(services, email)).toMatchObject({ firstName: "Mirabel" });
});

test("a form that was opened in one organisation asks before it is sent in another, and keeps what was typed", async () => {
  const { services, browser, id, email } = await aStaffMember();
  const typed = { intent: "names", firstName: "Mirabel", lastName: "", typist: await typistOn(browser, "/profile") };
  const second = await anOrganization(services, { name: "Second Harbour" });
  await belongs(services, id, second.id, "admin");
  const chosen = await browser.post("/api/select-organization", { organizationId: second.id });
  expect(chosen.status).toBe(200);
  const asked = await browser.submit("/profile", typed, { Accept: "text/html" });
  const html = await asked.clone().text();
  expect([asked.status, await textOf(asked)]).toEqual([
    409,
    expect.stringContaining("You are now working in Second Harbour"),
  ]);
  expect(html).toContain('value="Mirabel"');
  expect((await findUser(services, email))?.firstName).not.toBe("Mirabel");
  const again = { ...typed, typist: /name="typist" value="([^"]+)"/.exec(html)?.[1] ?? "" };
  expect(again.typist).not.toBe(typed.typist);
  expect((await browser.submit("/profile", again)).status).toBe(303);
  expect(await findUser(services, email)).toMatchObject({ firstName: "Mirabel" });
});

test("a password is changed on the page: a new session here, no other anywhere", async () => {
  const { browser, email } = await aStaffMember();
  const elsewhere = aBrowser();
  await elsewhere.post("/api/login", { email, password: PASSWORD });
  const before = browser.jar.get("session");
  const form = { currentPassword: PASSWORD, password: NEW, confirmPassword: NEW };
  const wrong = await browser.submit("/profile/password", { ...form, currentPassword: "Wrong-horse-77" });
  expect(wrong.status).toBe(400);
  const html = await wrong.text();
  expect(html).not.toContain(NEW);
  expect(await textOf(new Response(html))).toContain("This is not your current password");
  const done = await browser.submit("/profile/password", form);
  expect(done.headers.get("Location")).toBe("/profile/password");
  expect(browser.jar.get("session")).not.toBe(before);
  expect(await isSignedIn(browser)).toBe(true);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect((await aBrowser().get("/api/user", { Cookie: `session=${before}` })).status).toBe(401);
});

/** Turns two-step sign-in on by the pages. @returns the app's secret and the page that shows the recovery codes */
async function turnOn(browser: Browser, services: ReturnType<typeof testServices>) {
  await browser.submit("/profile/two-step", { intent: "begin", currentPassword: PASSWORD });
  const setUp = await textOf(await browser.get("/profile/two-step"));
  const secret = (/((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})/.exec(setUp)?.[1] ?? "").replaceAll(" ", "");
  expect(secret).toHaveLength(32);
  const code = await codeAt(services, secret);
  const done = await browser.submit("/profile/two-step", { intent: "enable", currentPassword: PASSWORD, code });
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/profile/two-step"]);
  return { secret, shown: await textOf(await browser.get("/profile/two-step")) };
}

test("two-step sign-in is turned on by the pages, its recovery codes shown once, and asked for at sign-in", async () => {
  const { services, browser, email } = await aStaffMember();
  const elsewhere = aBrowser();
  await elsewhere.post("/api/login", { email, password: PASSWORD });
  const { secret, shown } = await turnOn(browser, services);
  const codes = shown.match(/[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}/g) ?? [];
  expect(codes).toHaveLength(10);
  const later = await textOf(await browser.get("/profile/two-step"));
  for (const hidden of [secret, ...codes]) expect(later).not.toContain(hidden);
  expect(await (await browser.get("/api/user")).json()).toMatchObject({ twoStepEnabled: true });
  expect(await isSignedIn(elsewhere)).toBe(false);

  const credentials = { email, password: PASSWORD };
  const asked = await elsewhere.post("/api/login", credentials);
  expect([asked.status, ((await asked.json()) as { code: string }).code]).toEqual([401, "TOTP_REQUIRED"]);
  expect(asked.headers.getSetCookie()).toEqual([]);
  const wrong = await elsewhere.post("/api/login", { ...credentials, totp: "000000" });
  expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([401, "INVALID_TOTP"]);
  const [first = "", second = ""] = codes;
  expect((await elsewhere.post("/api/login", { ...credentials, totp: first })).status).toBe(200);
  expect((await aBrowser().post("/api/login", { ...credentials, totp: first })).status).toBe(401);

  const person = aBrowser();
  const half = await person.submit("/auth?next=%2Fpayees", { tab: "login", ...credentials, next: "/payees" });
  expect([half.status, half.headers.get("Location")]).toEqual([303, "/auth/two-step?next=%2Fpayees"]);
  expect(await isSignedIn(person)).toBe(false);
  expect(await textOf(await person.get("/auth/two-step?next=%2Fpayees"))).toContain("Your password was right");
  const refused = await person.submit("/auth/two-step", { code: "000000", next: "/payees" });
  expect(refused.status).toBe(401);
  expect(await textOf(refused)).toContain("This code is not right");
  const inside = await person.submit("/auth/two-step", { code: second, next: "/payees" });
  expect(inside.headers.get("Location")).toBe("/payees");
  expect(await isSignedIn(person)).toBe(true);
  expect(person.jar.has("sign-in")).toBe(false);
});

test("the second step without the first, or with a forged one, leads back to the first", async () => {
  const browser = aBrowser();
  expect((await browser.get("/auth/two-step")).headers.get("Location")).toBe("/auth");
  for (const Cookie of ["sign-in=x", "sign-in=eyJ1c2VySWQiOiJ4In0=", `sign-in=${"a".repeat(3_000)}`]) {
    const answer = await browser.submit("/auth/two-step", { code: "123456" }, { Cookie });
    expect(answer.headers.get("Location")).toBe("/auth");
  }
  for (const next of ["//evil.example", "https://evil.example", "/\\evil.example"]) {
    const page = await aBrowser().get(`/auth/two-step?next=${encodeURIComponent(next)}`);
    expect(page.headers.get("Location")).toBe("/auth");
  }
});

test("a sign-in with two steps goes to our own pages only", async () => {
  const { services, browser, email } = await aStaffMember();
  const { shown } = await turnOn(browser, services);
  const [code = ""] = shown.match(/(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}/) ?? [];
  const person = aBrowser();
  const half = await person.submit("/auth", { tab: "login", email, password: PASSWORD, next: "//evil.example" });
  expect(half.headers.get("Location")).toBe("/auth/two-step");
  const inside = await person.submit("/auth/two-step", { code, next: "//evil.example" });
  expect(inside.headers.get("Location")).toBe("/dashboard");
});

test("turning it off by the page asks for both, and keeps this session alone", async () => {
  const { services, browser } = await aStaffMember();
  const { shown } = await turnOn(browser, services);
  const [code = ""] = shown.match(/(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}/) ?? [];
  const form = { intent: "disable", currentPassword: PASSWORD };
  expect((await browser.submit("/profile/two-step", { ...form, code: "000000" })).status).toBe(400);
  expect((await browser.submit("/profile/two-step", { ...form, code: "" })).status).toBe(400);
  expect((await browser.submit("/profile/two-step", { ...form, code })).status).toBe(303);
  expect(await (await browser.get("/api/user")).json()).toMatchObject({ twoStepEnabled: false });
});

test("sessions are listed and ended on the page", async () => {
  const { services, browser, id, email } = await aStaffMember();
  const elsewhere = aBrowser();
  await elsewhere.post("/api/login", { email, password: PASSWORD });
  const mine = await services.db.select().from(sessions).where(eq(sessions.userId, id));
  const list = await textOf(await browser.get("/profile/sessions"));
  expect(list).toContain("This one");
  for (const { ipAddress } of mine) expect(list).toContain(ipAddress);
  const html = await (await browser.get("/profile/sessions")).text();
  const other = /name="sessionId" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? "";
  expect((await browser.submit("/profile/sessions", { intent: "revoke", sessionId: other })).status).toBe(303);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect((await browser.submit("/profile/sessions", { intent: "revoke", sessionId: other })).status).toBe(303);
  await elsewhere.post("/api/login", { email, password: PASSWORD });
  await browser.submit("/profile/sessions", { intent: "others" });
  expect([await isSignedIn(elsewhere), await isSignedIn(browser)]).toEqual([false, true]);
});

test("a token made on the page is shown once, and calls without origin or cookie take it", async () => {
  const { browser, id } = await aStaffMember();
  const form = { intent: "create", name: "Nightly import", lifetimeDays: "30", currentPassword: PASSWORD };
  const none = await browser.submit("/profile/tokens", form);
  expect(none.status).toBe(400);
  expect(await textOf(none)).toContain("Choose at least one");
  const made = await browser.submit("/profile/tokens", { ...form, scopes: "payees:read" });
  expect([made.status, made.headers.get("Location")]).toEqual([303, "/profile/tokens"]);
  const token = /pp_[\w-]{43}/.exec(await (await browser.get("/profile/tokens")).text())?.[0] ?? "";
  expect(token).not.toBe("");
  expect(await (await browser.get("/profile/tokens")).text()).not.toContain(token);

  const Authorization = `Bearer ${token}`;
  const script = aBrowser();
  const user = await script.get("/api/user", { Authorization });
  expect(await user.json()).toMatchObject({ id });
  expect(user.headers.getSetCookie()).toEqual([]);
  expect((await script.get("/api/payees", { Authorization })).status).toBe(200);
  const post = await script.post("/api/payees", {}, { Authorization, Origin: "https://elsewhere.example" });
  expect([post.status, ((await post.json()) as { code: string }).code]).toEqual([403, "SCOPE_MISSING"]);
  expect((await script.get("/payees", { Authorization })).headers.get("Location")).toContain("/auth");

  const revokeId =
    /name="tokenId" value="([^"]+)"/.exec(await (await browser.get("/profile/tokens")).text())?.[1] ?? "";
  await browser.submit("/profile/tokens", { intent: "revoke", tokenId: revokeId });
  expect((await script.get("/api/user", { Authorization })).status).toBe(401);
});

test("a header that looks like a token does not carry a cookie past the check of origins", async () => {
  const { browser, email, services } = await aStaffMember();
  const headers = { Authorization: "Bearer x", Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  expect((await browser.post("/api/logout", {}, headers)).status).toBe(401);
  expect(await isSignedIn(browser)).toBe(true);
  const page = await browser.submit("/profile", { intent: "names", firstName: "Eve" }, headers);
  expect(page.status).toBe(403);
  expect((await findUser(services, email))?.firstName).toBe("Ada");
});

test("posts to the new pages from another site are refused", async () => {
  const { browser } = await aStaffMember();
  for (const path of [...PAGES, "/auth/forgot", "/auth/two-step", "/reset-password/x", "/email-change/x"]) {
    expect((await browser.submit(path, {}, { Origin: "https://evil.example" })).status).toBe(403);
  }
  for (const path of ["/api/forgot-password", "/api/reset-password"]) {
    expect((await browser.post(path, {}, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  }
});

test("a change of address is asked for on the page, and opening its links changes nothing", async () => {
  const { services, browser, id, email } = await aStaffMember();
  const newEmail = `mira@${aDomain(services, "pier")}`;
  const form = { intent: "email", email: newEmail, currentPassword: PASSWORD };
  expect((await browser.submit("/profile", { ...form, currentPassword: "x" })).status).toBe(400);
  expect((await browser.submit("/profile", form)).headers.get("Location")).toBe("/profile");
  const page = await textOf(await browser.get("/profile"));
  expect(page).toContain(`Your address is about to change to ${newEmail}`);
  expect(page).toContain(`waiting for a yes from ${email} and from ${newEmail}`);
  expect((await browser.get("/email-change/unknown")).status).toBe(404);
  expect((await browser.submit("/email-change/unknown", { intent: "confirm" })).status).toBe(404);
  expect((await findUser(services, email))?.id).toBe(id);
});

test("over https the cookies of the account are secure and bound to their pages", async () => {
  const services = liveServices();
  const { email } = await aPerson(services);
  const browser = aBrowser("https://app.payeeproof.test");
  await browser.submit("/auth", { tab: "login", email, password: PASSWORD });
  await browser.submit("/profile/two-step", { intent: "begin", currentPassword: PASSWORD });
  const setUp = await textOf(await browser.get("/profile/two-step"));
  const secret = (/((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})/.exec(setUp)?.[1] ?? "").replaceAll(" ", "");
  const code = await codeAt(services, secret);
  const done = await browser.submit("/profile/two-step", { intent: "enable", currentPassword: PASSWORD, code });
  const codes = done.headers.getSetCookie().find((cookie) => cookie.startsWith("recovery-codes="));
  expect(codes).toMatch(/; Max-Age=120; Path=\/profile; HttpOnly; Secure; SameSite=Lax$/);
  const half = await aBrowser("https://app.payeeproof.test").submit("/auth", {
    tab: "login",
    email,
    password: PASSWORD,
  });
  const ticket = half.headers.getSetCookie().find((cookie) => cookie.startsWith("sign-in="));
  expect(ticket).toMatch(/; Max-Age=600; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/);
});

test("a sign-in from a new kind of browser is remembered, and its code's step too", async () => {
  const { services, browser, id, email } = await aStaffMember();
  const { secret } = await turnOn(browser, services);
  const devices = () => services.db.select().from(knownDevices).where(eq(knownDevices.userId, id));
  expect(await devices()).toHaveLength(1);
  const next = { ...services, clock: { now: () => Date.now() + STEP_MS } };
  const totp = await codeAt(next, secret);
  const headers = { "User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0" };
  const login = { email, password: PASSWORD, totp };
  expect((await aBrowser().post("/api/login", login, headers)).status).toBe(200);
  expect((await aBrowser().post("/api/login", login, headers)).status).toBe(401);
  expect((await devices()).length).toBeGreaterThan(1);
  const [user] = await services.db.select().from(users).where(eq(users.id, id));
  expect(user?.lastLoginAt).not.toBeNull();
});
