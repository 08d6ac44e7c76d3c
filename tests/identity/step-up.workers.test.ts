import { sessions } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { MINUTE_MS } from "~/kernel/dates";
import { someoneWithTwoStep } from "../support/account";
import { anOrganization } from "../support/factories";
import { actorOf, decideFor } from "../support/passkeys";
import { anAddedPayee } from "../support/payees";
import { PASSWORD } from "../support/people";
import { testServices } from "../support/services";
import { aBrowser, textOf } from "../support/worker";

/** A second step before bank details are shown, and forms that were posted in vain: over HTTP, as browsers do it. */

const DOCUMENT = { Accept: "text/html" };

async function anOffice() {
  const services = testServices({ clock: { now: () => Date.now() } });
  const organization = await anOrganization(services);
  const who = { organizationId: organization.id, membership: "admin", role: "admin" } as const;
  const office = await someoneWithTwoStep({ ...services, clock: Object.assign(services.clock, { advance() {} }) }, who);
  const payee = await anAddedPayee(services, actorOf(office.person));
  await decideFor(services, organization.id, { stepUpRequired: true, stepUpMinutes: 15 });
  return { services, organization, payee, ...office };
}

/** A browser whose session has had no code for a long time, like that of a thief with only the cookie. */
async function aStolenSession({ services, person, codes }: Awaited<ReturnType<typeof anOffice>>) {
  const visitor = aBrowser();
  await visitor.post("/api/login", { email: person.email, password: PASSWORD, totp: codes[0] });
  await services.db
    .update(sessions)
    .set({ provenAt: Date.now() - 16 * MINUTE_MS })
    .where(eq(sessions.userId, person.userId));
  return visitor;
}

test("a stolen session is shown no bank details, given no file and answered no call, until somebody gives a code", async () => {
  const office = await anOffice();
  const visitor = await aStolenSession(office);
  const page = `/payees/${office.payee.payeeId}`;
  const led = await visitor.get(page);
  expect([led.status, led.headers.get("Location")]).toEqual([302, `/auth/confirm?next=${encodeURIComponent(page)}`]);
  const file = await visitor.get("/payees/export", { Referer: "http://app.test/payees?q=timber" });
  expect(file.headers.get("Location")).toBe(`/auth/confirm?next=${encodeURIComponent("/payees?q=timber")}`);
  const call = await visitor.get("/api/payees");
  expect([call.status, ((await call.json()) as { code: string }).code]).toEqual([403, "STEP_UP_REQUIRED"]);
  expect((await visitor.get("/payees")).status).toBe(200);
  // Calls with a token need no second step, but creating a token does.
  const token = { name: "Nightly import", scopes: "payees:read", lifetimeDays: "90", currentPassword: PASSWORD };
  const made = await visitor.submit("/profile/tokens", { intent: "create", ...token });
  expect(made.headers.get("Location")).toBe("/auth/kept-form?to=%2Fprofile%2Ftokens&why=step_up");
  // A refused post of the page would draw it too.
  const posted = await visitor.submit(page, { intent: "nothing" }, DOCUMENT);
  expect([posted.status, posted.headers.get("Location")]).toEqual([
    307,
    `/auth/kept-form?to=${encodeURIComponent(page)}&why=step_up`,
  ]);

  const asked = `/auth/confirm?next=${encodeURIComponent(page)}`;
  expect(await textOf(await visitor.get(asked))).toContain("full account numbers");
  const wrong = await visitor.submit(asked, { code: "000000", next: page });
  expect([wrong.status, await textOf(wrong)]).toEqual([400, expect.stringContaining("This code is not right")]);
  const right = await visitor.submit(asked, { code: office.codes[1] ?? "", next: page });
  expect([right.status, right.headers.get("Location")]).toEqual([303, page]);
  expect(await textOf(await visitor.get(page))).toContain(office.payee.details.accountNumber);
  expect((await visitor.get("/payees/export")).status).toBe(200);
  expect((await visitor.get("/api/payees")).status).toBe(200);
});

test("a sign-in with a code opens them at once, for the minutes of the policy", async () => {
  const office = await anOffice();
  const visitor = aBrowser();
  const { email } = office.person;
  await visitor.post("/api/login", { email, password: PASSWORD, totp: office.codes[2] });
  expect((await visitor.get(`/payees/${office.payee.payeeId}`)).status).toBe(200);
});

test("a form that was posted after its session had ended is kept with what was typed, and is sent again", async () => {
  const visitor = aBrowser();
  const typed = {
    name: 'Acme "Timber" <Pty>',
    accountNumber: "12345678",
    currentPassword: "Never-shown-1",
    intent: "save",
  };
  const led = await visitor.submit("/payees/verify", typed, DOCUMENT);
  expect(led.status).toBe(307);
  const kept = await visitor.submit(led.headers.get("Location") ?? "", typed, DOCUMENT);
  const html = await kept.clone().text();
  expect(kept.status).toBe(401);
  expect(await textOf(kept)).toContain("You were signed out");
  expect(html).toContain('action="/payees/verify"');
  expect(html).toContain('value="Acme &quot;Timber&quot; &lt;Pty&gt;"');
  expect(html).toContain('name="accountNumber" value="12345678"');
  expect(html).not.toContain("Never-shown-1");
  // With scripts, the page itself keeps the form.
  const scripted = await visitor.submit("/payees/verify", typed);
  expect([scripted.status, scripted.headers.get("Location")]).toEqual([302, led.headers.get("Location")]);
  expect((await visitor.get(led.headers.get("Location") ?? "")).headers.get("Location")).toBe(
    "/auth?next=%2Fpayees%2Fverify",
  );
  const large = await aBrowser().submit(
    "/auth/kept-form?to=/payments/files&why=signed_out",
    { file: "x".repeat(70_000) },
    DOCUMENT,
  );
  expect([large.status, large.headers.get("Location")]).toEqual([303, "/auth?next=%2Fpayments%2Ffiles"]);
  for (const to of ["//evil.example", "https://evil.example"]) {
    const answer = await visitor.submit(`/auth/kept-form?to=${encodeURIComponent(to)}`, typed, DOCUMENT);
    expect(await answer.text()).not.toContain("evil.example");
  }
});

test("nobody steps up without a session", async () => {
  expect((await aBrowser().get("/auth/confirm")).headers.get("Location")).toMatch(/^\/auth/);
  expect((await aBrowser().post("/auth/passkey?step=confirm")).status).toBe(401);
});
