import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { anOrganization } from "../support/factories";
import { aDomain, aPerson, aRegistration, claims, PASSWORD } from "../support/people";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { aBrowser } from "../support/worker";

const { action: loginCall } = routeOf("/api/login");
const { action: registerCall } = routeOf("/api/register");

// Passwords hashed here with cheap parameters are rehashed by the Worker at the first sign-in.

const WRONG = "Wrong-horse-77";

/** A clock in step with the Worker's, so that sessions and links made here are valid there. */
const liveServices = () => testServices({ clock: { now: () => Date.now() } });

const theirs = (services: ReturnType<typeof testServices>) => {
  const { newOrganization, organizationId, ...person } = aRegistration(services);
  return { ...person, newOrganisation: newOrganization };
};

test("a script registers, is known, signs out, is unknown, and signs in again", async () => {
  const services = liveServices();
  const browser = aBrowser();
  const body = theirs(services);
  const registered = await browser.post("/api/register", body);
  expect(registered.status).toBe(201);
  const user = await registered.json();
  expect(user).toEqual({
    id: expect.any(String),
    username: expect.any(String),
    email: body.email,
    emailVerified: false,
    firstName: "Mira",
    lastName: "Okafor",
    organizationId: expect.any(String),
    needsOrganizationSelection: false,
    role: "admin",
    status: "active",
    pendingOrganizations: [],
    twoStepEnabled: false,
  });
  expect(await (await browser.get("/api/user")).json()).toEqual(user);

  const left = await browser.post("/api/logout");
  expect(left.status).toBe(204);
  expect(await left.text()).toBe("");
  expect(browser.jar.has("session")).toBe(false);
  const unknown = await browser.get("/api/user");
  expect(unknown.status).toBe(401);
  expect(await unknown.json()).toMatchObject({ code: "SIGNED_OUT", message: "Sign in first." });

  const back = await browser.post("/api/login", { email: body.email, password: PASSWORD });
  expect(back.status).toBe(200);
  expect(await back.json()).toEqual(user);
});

test("signing out ends the session itself, not only the browser's cookie", async () => {
  const services = liveServices();
  const browser = aBrowser();
  await browser.post("/api/register", theirs(services));
  const Cookie = `session=${browser.jar.get("session")}`;
  await browser.post("/api/logout");
  expect((await aBrowser().get("/api/user", { Cookie })).status).toBe(401);
});

test("a second registration of an address is told so, with what to do", async () => {
  const services = liveServices();
  const body = theirs(services);
  await aBrowser().post("/api/register", body);
  const again = await aBrowser().post("/api/register", { ...body, email: body.email.toUpperCase() });
  expect(again.status).toBe(409);
  expect(await again.json()).toMatchObject({
    code: "EMAIL_EXISTS",
    action: "LOGIN",
    message: "Looks like you already have an account with us. Please login instead.",
  });
  expect(again.headers.getSetCookie()).toEqual([]);
});

test("a registration with wrong fields is told each of them, and nothing is set", async () => {
  const answer = await aBrowser().post("/api/register", { email: "x", firstName: "M", password: "short" });
  expect(answer.status).toBe(400);
  const { fieldErrors } = (await answer.json()) as { fieldErrors: Record<string, string[]> };
  expect(fieldErrors.email).toEqual(["Please enter a valid email address"]);
  expect(fieldErrors.firstName).toEqual(["First name must be at least 2 characters"]);
  expect(fieldErrors.password).toContain("Password must be at least 8 characters long");
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test("whether an account exists cannot be read from a refused sign-in", async () => {
  const services = liveServices();
  const { email, username } = await aPerson(services);
  const inactive = await aPerson(services, { status: "inactive" });
  const tries = [
    { email, password: WRONG },
    { email: `nobody@${aDomain(services)}`, password: WRONG },
    { email: inactive.email, password: PASSWORD },
    { username, password: WRONG },
    { username: `nobody-${services.ids.next()}`, password: WRONG },
    { email, password: PASSWORD, organisationId: services.ids.next() },
    { email, password: PASSWORD, organizationId: "not-an-id" },
  ];
  const answers = await Promise.all(
    tries.map(async (body) => {
      const response = await aBrowser().post("/api/login", body);
      const { requestId, ...rest } = (await response.json()) as { requestId: string };
      expect(requestId).toBe(response.headers.get("X-Request-Id"));
      return { status: response.status, cookies: response.headers.getSetCookie(), ...rest };
    }),
  );
  const refusal = { status: 401, cookies: [], code: "INVALID_CREDENTIALS", message: "Invalid username or password" };
  for (const answer of answers) expect(answer).toEqual(refusal);
});

/** The call itself, with cheap hashes and a clock that stands still: what counts here is the counting. */
async function statusesOf(
  call: typeof loginCall,
  path: string,
  times: number,
  body: (services: ReturnType<typeof testServices>, n: number) => Record<string, unknown>,
  addressOf: (n: number) => string,
) {
  const services = testServices();
  const answers: Response[] = [];
  for (let n = 0; n < times; n++) {
    const args = await routeArgs(services, null, path, {}, { json: body(services, n) });
    args.context.origin.ipAddress = addressOf(n);
    answers.push(await call(args));
  }
  return answers;
}

test("the eleventh try on an account is told to wait, whether the account exists or not", async () => {
  const { email } = await aPerson(testServices());
  for (const login of [email, `nobody@${aDomain(testServices())}`]) {
    const body = () => ({ email: login, password: WRONG });
    const answers = await statusesOf(loginCall, "/api/login", 11, body, (n) => `198.51.100.${n}`);
    expect(answers.map((answer) => answer.status)).toEqual([...Array(10).fill(401), 429]);
    expect(answers[10]?.headers.get("Retry-After")).toBe("900");
    expect(await answers[10]?.json()).toMatchObject({ code: "SIGN_IN_LOCKED" });
  }
});

test("one address gets 20 sign-ins a minute, over all accounts", async () => {
  const body = (services: ReturnType<typeof testServices>) => ({
    email: `nobody@${aDomain(services)}`,
    password: WRONG,
  });
  const answers = await statusesOf(loginCall, "/api/login", 22, body, () => "192.0.2.20");
  expect(answers.map((answer) => answer.status)).toEqual([...Array(20).fill(401), 429, 429]);
});

test("one address gets 10 registrations an hour", async () => {
  const answers = await statusesOf(registerCall, "/api/register", 12, theirs, () => "192.0.2.10");
  expect(answers.map((answer) => answer.status)).toEqual([...Array(10).fill(201), 429, 429]);
});

test.each([
  "session=",
  "session=%",
  "session=abc",
  "session=abc.!!!",
  "session=abc.A",
  "session=eyJub3QiOiJhIHN0cmluZyJ9.AAAA",
  "session=%00%ff",
  `session=${"a".repeat(4_000)}`,
  "__Host-session=abc.def",
  ";;;===",
])("the cookie %s is a signed-out visitor", async (Cookie) => {
  expect((await aBrowser().get("/api/user", { Cookie })).status).toBe(401);
  expect((await aBrowser().get("/auth", { Cookie })).status).toBe(200);
});

test("a signed cookie that was tampered with is a signed-out visitor", async () => {
  const services = liveServices();
  const browser = aBrowser();
  await browser.post("/api/register", theirs(services));
  const value = browser.jar.get("session") ?? "";
  expect((await browser.get("/api/user", { Cookie: `session=${value.replace(/^./, "X")}` })).status).toBe(401);
});

test("the session cookie is out of reach of scripts and other sites", async () => {
  const services = liveServices();
  const answer = await aBrowser().post("/api/register", theirs(services));
  const [cookie] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^session=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
});

test.each([
  [{ Origin: "https://evil.example" }],
  [{ Origin: "null" }],
  [{ "Sec-Fetch-Site": "cross-site" }],
  [{ "Sec-Fetch-Site": "same-site", Origin: "http://app.test" }],
  [{ "Sec-Fetch-Site": "none" }],
])("a post with %j is refused everywhere, and changes nothing", async (headers) => {
  const services = liveServices();
  const { email } = await aPerson(services);
  const browser = aBrowser();
  await browser.post("/api/login", { email, password: PASSWORD });
  for (const [path, json] of [
    ["/api/login", { email, password: PASSWORD }],
    ["/api/register", theirs(services)],
    ["/api/logout", undefined],
    ["/api/select-organization", { organizationId: services.ids.next() }],
  ] as const) {
    expect((await browser.post(path, json, headers)).status).toBe(403);
  }
  for (const path of ["/auth", "/logout", "/confirm-email/x"]) {
    expect((await browser.submit(path, { email }, headers)).status).toBe(403);
  }
  expect((await browser.get("/api/user")).status).toBe(200);
});

test("a post from our own page is let through", async () => {
  const services = liveServices();
  const { email } = await aPerson(services);
  const headers = { Origin: "http://app.test", "Sec-Fetch-Site": "same-origin" };
  expect((await aBrowser().post("/api/login", { email, password: PASSWORD }, headers)).status).toBe(200);
});

test("organisations are found by their domain, in any case, and show their name alone", async () => {
  const services = liveServices();
  const domain = aDomain(services);
  const [one, two] = [
    await anOrganization(services, { name: "Zebra" }),
    await anOrganization(services, { name: "Ant" }),
  ];
  await claims(services, one.id, domain);
  const path = `/api/organizations/by-domain/${domain}`;
  const single = await aBrowser().get(
    path.toUpperCase().replace("/API/ORGANIZATIONS/BY-DOMAIN/", "/api/organizations/by-domain/"),
  );
  expect(await single.json()).toEqual({ organization: { id: one.id, name: "Zebra", domain } });
  await claims(services, two.id, domain);
  expect(await (await aBrowser().get(path)).json()).toEqual({
    multiple: true,
    organizations: [
      { id: two.id, name: "Ant", domain },
      { id: one.id, name: "Zebra", domain },
    ],
  });
  const byId = await aBrowser().get(`/api/organizations/${one.id}`);
  expect(await byId.json()).toEqual({ id: one.id, name: "Zebra" });
});

test.each(["nobody.example", "x", "%25", "a%00b", "%F0%9F%98%80.example", "x".repeat(300)])(
  "the domain %s is nobody's: 404 with the specification's sentence",
  async (domain) => {
    const answer = await aBrowser().get(`/api/organizations/by-domain/${domain}`);
    expect(answer.status).toBe(404);
    const { code, message } = (await answer.json()) as { code: string; message: string };
    expect(code).toBe("ORGANIZATION_NOT_FOUND");
    expect(message).toMatch(/^Unable to find organisation with domain: /);
  },
);

test("missing, malformed and reserved organisations answer alike", async () => {
  const services = liveServices();
  const bodies = await Promise.all(
    [services.ids.next(), "x", "00000000-0000-7000-8000-000000000000", "%25"].map(async (id) => {
      const answer = await aBrowser().get(`/api/organizations/${id}`);
      expect(answer.status).toBe(404);
      const { requestId: _, ...rest } = (await answer.json()) as { requestId: string };
      return JSON.stringify(rest);
    }),
  );
  expect(new Set(bodies).size).toBe(1);
});

test("a person without an organisation sees what they may choose once their address is confirmed, and chooses", async () => {
  const services = liveServices();
  const domain = aDomain(services);
  const organization = await anOrganization(services, { name: "Harbour Foods" });
  await claims(services, organization.id, domain, true);
  const browser = aBrowser();
  const { newOrganization: _, ...person } = aRegistration(services, { email: `mira@${domain}` });
  const first = (await (await browser.post("/api/register", person)).json()) as Record<string, unknown>;
  expect(first).toMatchObject({ needsOrganizationSelection: true, pendingOrganizations: [], organizationId: null });
  const chosenTooEarly = await browser.post("/api/select-organization", { organizationId: organization.id });
  expect(chosenTooEarly.status).toBe(403);

  const confirmed = await aPerson(services, { email: `ada@${domain}` });
  const ada = aBrowser();
  const known = await ada.post("/api/login", { email: confirmed.email, password: PASSWORD });
  const offered = [{ id: organization.id, name: "Harbour Foods" }];
  expect(await known.json()).toMatchObject({ needsOrganizationSelection: true, pendingOrganizations: offered });
  const before = ada.jar.get("session");
  const chosen = await ada.post("/api/select-organization", { organizationId: organization.id });
  expect(chosen.status).toBe(200);
  const user = await chosen.json();
  expect(user).toMatchObject({ organizationId: organization.id, needsOrganizationSelection: false, status: "active" });
  expect(ada.jar.get("session")).not.toBe(before);
  expect(await (await ada.get("/api/user")).json()).toEqual(user);
});

test("choosing needs a person and an id", async () => {
  const services = liveServices();
  const organizationId = services.ids.next();
  expect((await aBrowser().post("/api/select-organization", { organizationId })).status).toBe(401);
  const browser = aBrowser();
  await browser.post("/api/register", theirs(services));
  expect((await browser.post("/api/select-organization", {})).status).toBe(400);
  expect((await browser.post("/api/select-organization", { organizationId })).status).toBe(403);
});

test.each(["/api/nothing", "/api/user/nothing", "/api/", "/api/organizations"])(
  "the path %s has no call: a JSON 404, whatever the method",
  async (path) => {
    for (const method of ["GET", "POST", "PATCH", "DELETE", "PUT"]) {
      const answer = await aBrowser().send(path, { method });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: "NOT_FOUND" });
    }
  },
);

test.each([
  ["GET", "/api/login"],
  ["GET", "/api/register"],
  ["GET", "/api/logout"],
  ["GET", "/api/select-organization"],
  ["POST", "/api/user"],
  ["DELETE", "/api/login"],
])("%s %s is a wrong method: a JSON 405", async (method, path) => {
  const answer = await aBrowser().send(path, { method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("Allow")).toBeTruthy();
  expect(await answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
});

test.each([
  ["", "application/json", 400],
  ["{", "application/json", 400],
  ["[]", "application/json", 400],
  ["null", "application/json", 400],
  ["email=a&password=b", "application/x-www-form-urlencoded", 415],
  [JSON.stringify({ email: "x".repeat(70_000) }), "application/json", 413],
])("the body %j as %s is refused", async (text, type, status) => {
  for (const path of ["/api/login", "/api/register"]) {
    const answer = await aBrowser().send(path, { method: "POST", text, headers: { "Content-Type": type } });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  }
});
