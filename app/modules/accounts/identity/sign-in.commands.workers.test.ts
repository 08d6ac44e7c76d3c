import { auditLogs, sessions, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createScryptPasswords } from "~/adapters/passwords/scrypt";
import { MINUTE_MS } from "~/kernel/dates";
import { PLATFORM_ORGANIZATION_ID } from "~/services-and-actor";
import { anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { aDomain, aPerson, belongs, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { testServices } from "../../../../tests/support/services";
import { signOut } from "./session.server";
import { signIn } from "./sign-in.server";

const WRONG = "Wrong-horse-77";
const refused = { status: 401, code: "INVALID_CREDENTIALS", message: "Invalid username or password" };

async function failTimes(services: ReturnType<typeof testServices>, login: string, times: number) {
  for (let i = 0; i < times; i++) {
    await expect(signIn(services, ORIGIN, { login, password: WRONG })).rejects.toMatchObject(refused);
  }
}

test("a person signs in with their address, in any case, or their username", async () => {
  const services = testServices();
  const { id, email, username } = await aPerson(services);
  for (const login of [email, ` ${email.toUpperCase()} `, username]) {
    const { person } = await signIn(services, ORIGIN, { login, password: PASSWORD });
    expect(person.userId).toBe(id);
  }
});

test("signing in notes when, and leaves a trail", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { id, email } = await aPerson(services, { organizationId: organization.id });
  services.clock.advance(5_000);
  await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  const [user] = await services.db.select().from(users).where(eq(users.id, id));
  expect(user?.lastLoginAt).toBe(services.clock.now());
  const trail = await services.db.select().from(auditLogs).where(eq(auditLogs.organizationId, organization.id));
  expect(trail).toMatchObject([{ action: "session.started", userId: id, ipAddress: ORIGIN.ipAddress }]);
});

test("a sign-in always makes a new session and ends the one presented", async () => {
  const services = testServices();
  const { id, email } = await aPerson(services);
  const first = await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  const second = await signIn(services, ORIGIN, {
    login: email,
    password: PASSWORD,
    presentedSessionId: first.person.sessionId,
  });
  expect(second.token).not.toBe(first.token);
  const open = await services.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, id));
  expect(open).toEqual([{ id: second.person.sessionId }]);
});

test("the token in the cookie stands nowhere in the database", async () => {
  const services = testServices();
  const { id, email } = await aPerson(services);
  const { token } = await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  const [session] = await services.db.select().from(sessions).where(eq(sessions.userId, id));
  expect(JSON.stringify(session)).not.toContain(token);
  expect(session?.id).toBe(await services.secrets.hashToken(token));
});

test("an unknown account, a wrong password and an inactive person are refused alike, after the same comparison", async () => {
  const services = testServices();
  const compared: (string | undefined)[] = [];
  const passwords = {
    ...services.passwords,
    verify: (password: string, stored: string | undefined) => {
      compared.push(stored);
      return services.passwords.verify(password, stored);
    },
  };
  const known = await aPerson(services);
  const inactive = await aPerson(services, { status: "inactive" });
  const tries = [
    { login: `nobody@${aDomain(services)}`, password: PASSWORD },
    { login: `nobody-${services.ids.next()}`, password: PASSWORD },
    { login: known.email, password: WRONG },
    { login: inactive.email, password: PASSWORD },
  ];
  for (const input of tries) {
    await expect(signIn({ ...services, passwords }, ORIGIN, input)).rejects.toMatchObject(refused);
  }
  expect(compared).toHaveLength(tries.length);
});

test("refused sign-ins stand in the platform's trail without what was typed", async () => {
  const services = testServices();
  const known = await aPerson(services);
  await failTimes(services, known.email, 1);
  const rows = await services.db
    .select()
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, PLATFORM_ORGANIZATION_ID),
        eq(auditLogs.entityType, "user"),
        eq(auditLogs.entityId, known.id),
      ),
    );
  expect(rows).toMatchObject([{ action: "session.refused", userId: null, details: null }]);
});

test("after 10 failures the account rests for what is left of 15 minutes, even for the right password", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  await failTimes(services, email, 10);
  services.clock.advance(5 * MINUTE_MS);
  const locked = signIn(services, ORIGIN, { login: email, password: PASSWORD });
  await expect(locked).rejects.toMatchObject({ status: 429, code: "SIGN_IN_LOCKED", retryAfterSeconds: 600 });
  services.clock.advance(10 * MINUTE_MS);
  await expect(signIn(services, ORIGIN, { login: email, password: PASSWORD })).resolves.toBeDefined();
});

test("an account that does not exist rests just the same", async () => {
  const services = testServices();
  const login = `nobody@${aDomain(services)}`;
  await failTimes(services, login, 10);
  await expect(signIn(services, ORIGIN, { login, password: WRONG })).rejects.toMatchObject({ status: 429 });
});

test("failures by address and by username count against the same account, and against no other", async () => {
  const services = testServices();
  const { email, username } = await aPerson(services);
  const other = await aPerson(services);
  await failTimes(services, email, 5);
  await failTimes(services, username, 5);
  await expect(signIn(services, ORIGIN, { login: email, password: PASSWORD })).rejects.toMatchObject({ status: 429 });
  await expect(signIn(services, ORIGIN, { login: other.email, password: PASSWORD })).resolves.toBeDefined();
});

test("a successful sign-in forgets the failures before it", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  await failTimes(services, email, 9);
  await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  await failTimes(services, email, 9);
  await expect(signIn(services, ORIGIN, { login: email, password: PASSWORD })).resolves.toBeDefined();
});

test("of 40 guesses at once no more than 10 are answered with a plain refusal", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const guesses = await Promise.allSettled(
    Array.from({ length: 40 }, () => signIn(services, ORIGIN, { login: email, password: WRONG })),
  );
  const statuses = guesses.map((guess) => (guess.status === "rejected" ? guess.reason.status : 200));
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
});

test("the right password does not get in if the account was locked while it was compared", async () => {
  const services = testServices();
  const { id, email } = await aPerson(services);
  await failTimes(services, email, 9);
  const passwords = {
    ...services.passwords,
    verify: async (password: string, stored: string | undefined) => {
      await failTimes(services, email, 1);
      return services.passwords.verify(password, stored);
    },
  };
  const late = signIn({ ...services, passwords }, ORIGIN, { login: email, password: PASSWORD });
  await expect(late).rejects.toMatchObject({ status: 429 });
  expect(await services.db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([]);
});

test("a person shut out while their password was compared does not get in", async () => {
  const services = testServices();
  const { id, email } = await aPerson(services);
  const passwords = {
    ...services.passwords,
    verify: async (password: string, stored: string | undefined) => {
      await services.db.update(users).set({ status: "inactive" }).where(eq(users.id, id));
      return services.passwords.verify(password, stored);
    },
  };
  const late = signIn({ ...services, passwords }, ORIGIN, { login: email, password: PASSWORD });
  await expect(late).rejects.toMatchObject(refused);
  expect(await services.db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([]);
});

test("a hash made with other parameters is renewed, by two sign-ins at once too", async () => {
  const services = testServices();
  const stronger = { ...services, passwords: createScryptPasswords({ N: 4, r: 1, p: 1 }) };
  const { id, email } = await aPerson(services);
  const both = await Promise.allSettled(
    [1, 2].map(() => signIn(stronger, ORIGIN, { login: email, password: PASSWORD })),
  );
  expect(both.map((result) => result.status)).toEqual(["fulfilled", "fulfilled"]);
  const [user] = await services.db.select().from(users).where(eq(users.id, id));
  expect(user?.password).toMatch(/^scrypt\$4\$1\$1\$/);
  expect(await stronger.passwords.verify(PASSWORD, user?.password)).toEqual({ ok: true, needsRehash: false });
});

test.each(["before", "after"] as const)("a connection lost %s the commit still opens one session", async (when) => {
  const services = testServices();
  const { id, email } = await aPerson(services);
  const flaky = {
    ...services,
    db: losingConnection(services.db, when),
    passwords: createScryptPasswords({ N: 4, r: 1, p: 1 }),
  };
  const { person } = await signIn(flaky, ORIGIN, { login: email, password: PASSWORD });
  const open = await services.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, id));
  expect(open).toEqual([{ id: person.sessionId }]);
});

test("a person of two organisations enters the one they name, with their role there", async () => {
  const services = testServices();
  const [home, away] = [await anOrganization(services), await anOrganization(services)];
  const { id, email } = await aPerson(services, { organizationId: home.id, membership: "admin", role: "admin" });
  await belongs(services, id, away.id, "read_only");
  const { person } = await signIn(services, ORIGIN, { login: email, password: PASSWORD, organizationId: away.id });
  expect(person).toMatchObject({ organizationId: away.id, role: "read_only" });
  const [user] = await services.db.select().from(users).where(eq(users.id, id));
  expect(user).toMatchObject({ organizationId: away.id, role: "read_only" });
});

test("naming another person's organisation is refused like a wrong password; a page's hint is let go", async () => {
  const services = testServices();
  const [home, foreign] = [await anOrganization(services), await anOrganization(services)];
  const { email } = await aPerson(services, { organizationId: home.id });
  const input = { login: email, password: PASSWORD, organizationId: foreign.id };
  await expect(signIn(services, ORIGIN, input)).rejects.toMatchObject(refused);
  const hinted = await signIn(services, ORIGIN, { ...input, organizationIsHint: true });
  expect(hinted.person.organizationId).toBe(home.id);
});

test("a super admin stays one in whichever organisation they enter", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { id, email } = await aPerson(services, { role: "super_admin" });
  await belongs(services, id, organization.id, "member");
  const { person } = await signIn(services, ORIGIN, {
    login: email,
    password: PASSWORD,
    organizationId: organization.id,
  });
  expect(person.role).toBe("super_admin");
});

test.each(["pending", "rejected"] as const)("a %s person can sign in", async (status) => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { email } = await aPerson(services, { status, organizationId: organization.id });
  const { person } = await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  expect(person.status).toBe(status);
});

test("signing out ends this session and no other, and may be repeated", async () => {
  const services = testServices();
  const { id, email } = await aPerson(services);
  const here = await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  const there = await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  await signOut(services, here.person);
  await signOut(services, here.person);
  const open = await services.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, id));
  expect(open).toEqual([{ id: there.person.sessionId }]);
});
