import { outbox, tokens, users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import {
  mailsTo,
  sessionsOf,
  signedIn,
  someoneWithTwoStep,
  tokenSentTo,
  trailOf,
  workOnResets,
} from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { aDomain, aPerson, linksOf, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { askForPasswordReset, findPasswordReset, resetPassword } from "./password.server";
import { signIn } from "./sign-in.server";

const NEW = "Brighter-heron-8";

async function asked(services: TestServices, email: string): Promise<string> {
  await askForPasswordReset(services, ORIGIN, { email });
  await workOnResets(services);
  return tokenSentTo(services, email);
}

const canSignIn = (services: TestServices, login: string, password: string) =>
  signIn(services, ORIGIN, { login, password }).then(
    () => true,
    () => false,
  );

test("a person sets a new password by the link in their mail, and signs in with it", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { id, email } = await aPerson(services, { organizationId: organization.id });
  await resetPassword(services, ORIGIN, { token: await asked(services, email), password: NEW });
  expect(await canSignIn(services, email, PASSWORD)).toBe(false);
  expect(await canSignIn(services, email, NEW)).toBe(true);
  expect(await mailsTo(services, email)).toEqual(["passwordReset", "passwordChanged"]);
  expect(await trailOf(services, organization.id, id)).toEqual([
    "session.started",
    "user.password_reset",
    "user.password_reset_requested",
  ]);
});

test("asking does the same work for every address, and what is kept of it cannot be read", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const nobody = `nobody@${aDomain(services)}`;
  for (const address of [email, nobody]) {
    const before = services.sent.length;
    await askForPasswordReset(services, ORIGIN, { email: address });
    expect(services.sent.length).toBe(before + 1);
    const [job] = await services.db
      .select()
      .from(outbox)
      .where(eq(outbox.id, services.sent.at(-1)?.jobId ?? ""));
    expect(job).toMatchObject({ kind: "password_reset", organizationId: null, subjectId: null, status: "pending" });
    expect(JSON.stringify(job)).not.toContain(address);
  }
});

test("an unknown address and an inactive person get no email, and the work is over", async () => {
  const services = testServices();
  const inactive = await aPerson(services, { status: "inactive" });
  const nobody = `nobody@${aDomain(services)}`;
  for (const email of [inactive.email, nobody]) {
    await askForPasswordReset(services, ORIGIN, { email });
    await workOnResets(services);
    expect(await mailsTo(services, email)).toEqual([]);
    const [job] = await services.db
      .select()
      .from(outbox)
      .where(eq(outbox.id, services.sent.at(-1)?.jobId ?? ""));
    expect(job).toMatchObject({ status: "done", sealedPayload: null });
  }
  expect(await linksOf(services, inactive.id)).toEqual([]);
});

test.each(["pending", "rejected"] as const)("a %s person can reset their password", async (status) => {
  const services = testServices();
  const { email } = await aPerson(services, { status });
  await resetPassword(services, ORIGIN, { token: await asked(services, email), password: NEW });
  expect(await canSignIn(services, email, NEW)).toBe(true);
});

test("nobody's mailbox is filled: five links an hour, and more again in the next", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  for (let i = 0; i < 8; i++) await asked(services, email);
  expect(await mailsTo(services, email)).toHaveLength(5);
  services.clock.advance(HOUR_MS);
  await asked(services, email);
  expect(await mailsTo(services, email)).toHaveLength(6);
});

test("the token stands nowhere in the database", async () => {
  const services = testServices();
  const { id, email } = await aPerson(services);
  const token = await asked(services, email);
  const links = await linksOf(services, id);
  expect(links).toHaveLength(1);
  expect(JSON.stringify(links)).not.toContain(token);
});

test("the link leads to our own address, whatever the request said", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  await askForPasswordReset(services, ORIGIN, { email });
  await workOnResets(services);
  const jobId = services.sent.at(-1)?.jobId ?? "";
  const [job] = await services.db.select().from(outbox).where(eq(outbox.id, jobId));
  const mail = await services.secrets.open(job?.sealedPayload ?? "", jobId);
  expect(JSON.parse(mail).data.link).toMatch(/^http:\/\/app\.test\/reset-password\/[\w-]{43}$/);
});

test("a link works once", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const token = await asked(services, email);
  await resetPassword(services, ORIGIN, { token, password: NEW });
  const second = resetPassword(services, ORIGIN, { token, password: "Another-heron-9" });
  await expect(second).rejects.toMatchObject({ status: 410, code: "LINK_USED" });
  expect(await canSignIn(services, email, NEW)).toBe(true);
});

test("of ten at once with one link exactly one sets its password", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const token = await asked(services, email);
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, (_, i) => resetPassword(services, ORIGIN, { token, password: `${NEW}-${i}` })),
  );
  const winners = tries.flatMap((result, i) => (result.status === "fulfilled" ? [i] : []));
  expect(winners).toHaveLength(1);
  for (const result of tries) if (result.status === "rejected") expect(result.reason.status).toBe(410);
  expect(await canSignIn(services, email, `${NEW}-${winners[0]}`)).toBe(true);
});

test("the newest link that is used ends every other one", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const first = await asked(services, email);
  const second = await asked(services, email);
  await resetPassword(services, ORIGIN, { token: second, password: NEW });
  expect(await findPasswordReset(services, first)).toMatchObject({ state: "used" });
});

test("a link works for an hour, to the millisecond", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const token = await asked(services, email);
  services.clock.advance(HOUR_MS - 1);
  expect(await findPasswordReset(services, token)).toMatchObject({ state: "open" });
  services.clock.advance(1);
  await expect(resetPassword(services, ORIGIN, { token, password: NEW })).rejects.toMatchObject({
    status: 410,
    code: "LINK_EXPIRED",
  });
});

test("a link is nobody's after the address was changed, or the person shut out", async () => {
  const services = testServices();
  for (const change of [{ email: `new@${aDomain(services)}` }, { status: "inactive" as const }]) {
    const { id, email } = await aPerson(services);
    const token = await asked(services, email);
    await services.db.update(users).set(change).where(eq(users.id, id));
    const late = resetPassword(services, ORIGIN, { token, password: NEW });
    await expect(late).rejects.toMatchObject({ status: 404 });
  }
});

test.each(["", "x", "a".repeat(43)])("the token %j is unknown", async (token) => {
  const services = testServices();
  await expect(resetPassword(services, ORIGIN, { token, password: NEW })).rejects.toMatchObject({ status: 404 });
});

test("a link of another kind is no link to set a password", async () => {
  const services = testServices();
  const { id, email } = await aPerson(services);
  const token = services.ids.secret();
  const now = services.clock.now();
  await services.db.insert(tokens).values({
    id: services.ids.next(),
    kind: "email_confirmation",
    tokenHash: await services.secrets.hashToken(token),
    userId: id,
    email,
    createdAt: now,
    expiresAt: now + HOUR_MS,
  });
  await expect(resetPassword(services, ORIGIN, { token, password: NEW })).rejects.toMatchObject({ status: 404 });
});

test("every session of the person is over, and no other person's", async () => {
  const services = testServices();
  const [{ id, email }, other] = [await aPerson(services), await aPerson(services)];
  await signedIn(services, id);
  await signedIn(services, id);
  await signedIn(services, other.id);
  await resetPassword(services, ORIGIN, { token: await asked(services, email), password: NEW });
  expect(await sessionsOf(services, id)).toEqual([]);
  expect(await sessionsOf(services, other.id)).toHaveLength(1);
});

test("an account that rests after failed sign-ins is open again", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  for (let i = 0; i < 10; i++) await canSignIn(services, email, "Wrong-horse-77");
  expect(await canSignIn(services, email, PASSWORD)).toBe(false);
  services.clock.advance(MINUTE_MS);
  await resetPassword(services, ORIGIN, { token: await asked(services, email), password: NEW });
  expect(await canSignIn(services, email, NEW)).toBe(true);
});

test("the link does not take the place of two-step sign-in", async () => {
  const services = testServices();
  const { person } = await someoneWithTwoStep(services);
  await resetPassword(services, ORIGIN, { token: await asked(services, person.email), password: NEW });
  const half = signIn(services, ORIGIN, { login: person.email, password: NEW });
  await expect(half).rejects.toMatchObject({ code: "TOTP_REQUIRED" });
});

test("a common password is refused, and the link still works", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const token = await asked(services, email);
  const common = resetPassword(services, ORIGIN, { token, password: "P@ssw0rd1" });
  await expect(common).rejects.toMatchObject({ status: 400, fieldErrors: { password: [expect.any(String)] } });
  const breached = { ...services, breachedPasswords: { isBreached: async () => true } };
  const known = resetPassword(breached, ORIGIN, { token, password: NEW });
  await expect(known).rejects.toMatchObject({ status: 400, message: expect.stringContaining("data breach") });
  await resetPassword(services, ORIGIN, { token, password: NEW });
});

test.each(["before", "after"] as const)("a connection lost %s the commit still sets it once", async (when) => {
  const services = testServices();
  const { email } = await aPerson(services);
  const token = await asked(services, email);
  await resetPassword({ ...services, db: losingConnection(services.db, when) }, ORIGIN, { token, password: NEW });
  expect(await canSignIn(services, email, NEW)).toBe(true);
  expect((await mailsTo(services, email)).filter((template) => template === "passwordChanged")).toHaveLength(1);
});
