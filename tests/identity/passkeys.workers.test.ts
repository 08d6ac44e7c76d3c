import { passkeys } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { anOrganization } from "../support/factories";
import { aPerson, PASSWORD } from "../support/people";
import { testServices } from "../support/services";
import { aSoftwareKey } from "../support/software-authenticator";
import { aBrowser, textOf } from "../support/worker";

/** Passkeys over HTTP: what a browser keeps, what the pages say, and what another browser cannot do with it. */

const ORIGIN = "http://app.test";
const SITE = { origin: ORIGIN, rpId: "app.test" };
const liveServices = () => testServices({ clock: { now: () => Date.now() } });

type Visitor = ReturnType<typeof aBrowser>;

/** Posts a form of the page. */
async function next(visitor: Visitor, form: Record<string, string>) {
  const answer = await visitor.submit("/profile/passkeys", form);
  return { status: answer.status, html: await answer.text() };
}

/** The page contains the answer's data for its script. */
const challengeIn = (html: string) => /challenge\W{1,8}([\w-]{43})\W/.exec(html)?.[1] ?? "";

async function aPersonWithPasskey() {
  const services = liveServices();
  const organization = await anOrganization(services);
  const person = await aPerson(services, { organizationId: organization.id });
  const visitor = aBrowser(ORIGIN);
  await visitor.post("/api/login", { email: person.email, password: PASSWORD });
  const key = await aSoftwareKey(SITE);
  const begun = await next(visitor, { intent: "begin", name: "Phone", currentPassword: PASSWORD });
  expect(begun.status).toBe(200);
  const passkey = await key.make(challengeIn(begun.html));
  const added = await visitor.submit("/profile/passkeys", { intent: "add", name: "Phone", passkey });
  expect([added.status, added.headers.get("Location")]).toEqual([303, "/profile/passkeys"]);
  return { services, person, visitor, key };
}

const ask = async (visitor: Visitor, query = "") => {
  const answer = await visitor.post(`/auth/passkey${query}`);
  return {
    status: answer.status,
    options: (await answer.json()) as { challenge: string; allowCredentials: unknown[] },
  };
};

const isSignedIn = async (visitor: Visitor) => (await visitor.get("/api/user")).status === 200;

test("a passkey is added on the page, listed, and signs a fresh browser in", async () => {
  const { visitor, key } = await aPersonWithPasskey();
  expect(await textOf(await visitor.get("/profile/passkeys"))).toContain("Kept on one device only.");
  const fresh = aBrowser(ORIGIN);
  const { options } = await ask(fresh);
  const form = { tab: "login", passkey: await key.sign(options.challenge), next: "/payees" };
  const came = await fresh.submit("/auth", form);
  expect([came.status, came.headers.get("Location")]).toEqual([303, "/payees"]);
  expect(await isSignedIn(fresh)).toBe(true);
  expect(fresh.jar.has("passkey")).toBe(false);
  expect(await textOf(await fresh.get("/profile/sessions"))).toContain("with a passkey");
});

test("an answer to what one browser was asked signs no other browser in", async () => {
  const { key } = await aPersonWithPasskey();
  const [attacker, victim] = [aBrowser(ORIGIN), aBrowser(ORIGIN)];
  const { options } = await ask(attacker);
  const passkey = await key.sign(options.challenge);
  const refusedWithout = await victim.submit("/auth", { tab: "login", passkey });
  expect(refusedWithout.status).toBe(401);
  await ask(victim);
  const refused = await victim.submit("/auth", { tab: "login", passkey });
  expect(refused.status).toBe(401);
  expect(await textOf(refused)).toContain("This passkey did not sign you in.");
  expect(await isSignedIn(victim)).toBe(false);
  for (const garbage of ["", "[", "{}", '{"id":7}', "x".repeat(30_000)]) {
    expect((await victim.submit("/auth", { tab: "login", passkey: garbage })).status).toBe(401);
  }
});

test("whoever asks is told nothing of which accounts have passkeys", async () => {
  await aPersonWithPasskey();
  const { status, options } = await ask(aBrowser(ORIGIN));
  expect([status, options.allowCredentials]).toEqual([200, []]);
  expect((await ask(aBrowser(ORIGIN), "?step=second")).status).toBe(401);
  expect((await aBrowser(ORIGIN).get("/auth/passkey")).status).toBe(405);
});

test("another site can neither ask nor answer, and pages let this site alone use passkeys", async () => {
  const elsewhere = { Origin: "https://evil.example" };
  expect((await aBrowser(ORIGIN).post("/auth/passkey", undefined, elsewhere)).status).toBe(403);
  const page = await aBrowser(ORIGIN).get("/auth");
  expect(page.headers.get("Permissions-Policy")).toContain("publickey-credentials-get=(self)");
});

test("a stolen session alone adds no passkey", async () => {
  const { services, person, visitor } = await aPersonWithPasskey();
  const key = await aSoftwareKey(SITE);
  expect((await next(visitor, { intent: "begin", name: "Mine", currentPassword: "guess" })).status).toBe(400);
  const passkey = await key.make("A".repeat(43));
  expect((await visitor.submit("/profile/passkeys", { intent: "add", name: "Mine", passkey })).status).toBe(400);
  const rows = await services.db.select().from(passkeys).where(eq(passkeys.userId, person.id));
  expect(rows.map(({ name }) => name)).toEqual(["Phone"]);
});

test("at an address that is a number nothing is offered, and the page says why", async () => {
  const services = liveServices();
  const person = await aPerson(services);
  const visitor = aBrowser("http://127.0.0.1:8787");
  expect(await textOf(await visitor.get("/auth"))).not.toContain("passkey");
  await visitor.post("/api/login", { email: person.email, password: PASSWORD });
  expect(await textOf(await visitor.get("/profile/passkeys"))).toContain("Passkeys cannot be added at this address");
  expect((await visitor.post("/auth/passkey")).status).toBe(409);
});

test("without scripts the pages say what a passkey needs, and the password stays", async () => {
  const { visitor } = await aPersonWithPasskey();
  expect(await textOf(await visitor.get("/profile/passkeys"))).toContain(
    "Adding a passkey needs JavaScript, which is off in this browser. Your password keeps working.",
  );
  const html = await (await aBrowser(ORIGIN).get("/auth")).text();
  expect(html).toMatch(/<noscript><p[^>]*>Signing in with a passkey needs JavaScript/);
  expect(html).toContain('autoComplete="username webauthn"');
});
