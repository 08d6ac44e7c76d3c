import { recoveryCodes, twoSteps } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { MINUTE_MS } from "~/kernel/dates";
import {
  again,
  beginTwo,
  codeAt,
  mailsTo,
  STEP_MS,
  sessionsOf,
  signedIn,
  someone,
  someoneWithTwoStep,
  trailOf,
} from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { finishSignIn, signIn } from "./sign-in.server";
import { TICKET_TTL_MS, TotpRequired } from "./sign-in-steps.server";
import {
  abandonTwoStep,
  beginTwoStep,
  disableTwoStep,
  enableTwoStep,
  readTwoStep,
  renewRecoveryCodes,
} from "./two-step.server";

const WRONG = "000000";
const currentPassword = PASSWORD;
const wrongTotp = { status: 401, code: "INVALID_TOTP" };

async function ticketFor(services: TestServices, login: string) {
  const error = await signIn(services, ORIGIN, { login, password: PASSWORD }).catch((thrown: unknown) => thrown);
  if (!(error instanceof TotpRequired)) throw new Error(`no code was asked for: ${error}`);
  return error.ticket;
}

test("a person turns it on with the first code of their app, and from then on is asked for one", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { person, secret } = await someoneWithTwoStep(services, { organizationId: organization.id });
  expect(person.twoStepEnabled).toBe(true);
  const login = person.email;
  await expect(signIn(services, ORIGIN, { login, password: PASSWORD })).rejects.toMatchObject({
    status: 401,
    code: "TOTP_REQUIRED",
  });
  const totp = await codeAt(services, secret);
  const signed = await signIn(services, ORIGIN, { login, password: PASSWORD, totp });
  expect(signed.person.userId).toBe(person.userId);
  expect(await mailsTo(services, login)).toContain("twoStepChanged");
  expect(await trailOf(services, organization.id, person.userId)).toContain("user.two_step_enabled");
});

test("the secret and the recovery codes cannot be read in the database", async () => {
  const services = testServices();
  const { person, secret, codes } = await someoneWithTwoStep(services);
  const [row] = await services.db.select().from(twoSteps).where(eq(twoSteps.userId, person.userId));
  const kept = await services.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, person.userId));
  expect(kept).toHaveLength(10);
  const all = JSON.stringify([row, kept]);
  for (const hidden of [secret, ...codes, ...codes.map((code) => code.replaceAll("-", ""))]) {
    expect(all).not.toContain(hidden);
  }
});

test("turning it on ends every session that began without a code, and renews this one", async () => {
  const services = testServices();
  const before = await someone(services);
  await signedIn(services, before.userId);
  const secret = await beginTwo(services, before);
  const { person } = await enableTwoStep(services, before, { currentPassword, code: await codeAt(services, secret) });
  expect(person.sessionId).not.toBe(before.sessionId);
  expect(await sessionsOf(services, person.userId)).toEqual([person.sessionId]);
});

test("setting up needs the password, and the password and a right code to finish", async () => {
  const services = testServices();
  const person = await someone(services);
  const wrongPassword = { status: 400, fieldErrors: { currentPassword: [expect.any(String)] } };
  await expect(beginTwoStep(services, person, { currentPassword: "x" })).rejects.toMatchObject(wrongPassword);
  const secret = await beginTwo(services, person);
  const code = await codeAt(services, secret);
  await expect(enableTwoStep(services, person, { currentPassword: "x", code })).rejects.toMatchObject(wrongPassword);
  await expect(enableTwoStep(services, person, { currentPassword, code: WRONG })).rejects.toMatchObject({
    status: 400,
    fieldErrors: { code: [expect.any(String)] },
  });
  expect((await again(services, person.sessionId)).twoStepEnabled).toBe(false);
});

test("a secret that waits asks nobody for a code, can be made anew and given up", async () => {
  const services = testServices();
  const person = await someone(services);
  const first = await beginTwo(services, person);
  const second = await beginTwo(services, person);
  expect(second).not.toBe(first);
  await expect(signIn(services, ORIGIN, { login: person.email, password: PASSWORD })).resolves.toBeDefined();
  const old = enableTwoStep(services, person, { currentPassword, code: await codeAt(services, first) });
  await expect(old).rejects.toMatchObject({ status: 400 });
  await abandonTwoStep(services, person);
  expect(await readTwoStep(services, person)).toEqual({ state: "off" });
  const late = enableTwoStep(services, person, { currentPassword, code: await codeAt(services, second) });
  await expect(late).rejects.toMatchObject({ status: 409, code: "TWO_STEP_NOT_BEGUN" });
});

test("what is on cannot be begun again or given up, so a stolen session cannot put its own app in", async () => {
  const services = testServices();
  const { person, secret } = await someoneWithTwoStep(services);
  await expect(beginTwoStep(services, person, { currentPassword })).rejects.toMatchObject({ code: "TWO_STEP_ON" });
  await abandonTwoStep(services, person);
  const enabling = enableTwoStep(services, person, { currentPassword, code: await codeAt(services, secret) });
  await expect(enabling).rejects.toMatchObject({ code: "TWO_STEP_ON" });
  expect((await readTwoStep(services, person)).state).toBe("on");
});

test("a code works once, and one older than the last never", async () => {
  const services = testServices();
  const { person, secret } = await someoneWithTwoStep(services);
  const totp = await codeAt(services, secret);
  const credentials = { login: person.email, password: PASSWORD };
  await signIn(services, ORIGIN, { ...credentials, totp });
  await expect(signIn(services, ORIGIN, { ...credentials, totp })).rejects.toMatchObject(wrongTotp);
  const older = await codeAt(services, secret, -1);
  await expect(signIn(services, ORIGIN, { ...credentials, totp: older })).rejects.toMatchObject(wrongTotp);
  services.clock.advance(STEP_MS);
  await signIn(services, ORIGIN, { ...credentials, totp: await codeAt(services, secret) });
});

test("of ten sign-ins at once with one code exactly one comes in", async () => {
  const services = testServices();
  const { person, secret } = await someoneWithTwoStep(services);
  const totp = await codeAt(services, secret);
  const input = { login: person.email, password: PASSWORD, totp };
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => signIn(services, ORIGIN, input)));
  expect(all.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  for (const result of all) {
    if (result.status === "rejected") expect([401, 429]).toContain(result.reason.status);
  }
});

test("the code that turned it on cannot be used to sign in", async () => {
  const services = testServices();
  const person = await someone(services);
  const secret = await beginTwo(services, person);
  const code = await codeAt(services, secret);
  await enableTwoStep(services, person, { currentPassword, code });
  const replay = signIn(services, ORIGIN, { login: person.email, password: PASSWORD, totp: code });
  await expect(replay).rejects.toMatchObject(wrongTotp);
});

test("a recovery code comes in once, however it is typed, and the page counts what is left", async () => {
  const services = testServices();
  const { person, codes } = await someoneWithTwoStep(services);
  const [first = ""] = codes;
  const input = { login: person.email, password: PASSWORD, totp: ` ${first.toLowerCase().replaceAll("-", " ")} ` };
  await signIn(services, ORIGIN, input);
  await expect(signIn(services, ORIGIN, input)).rejects.toMatchObject(wrongTotp);
  expect(await readTwoStep(services, person)).toMatchObject({ state: "on", codesLeft: 9 });
});

test("where the key that sealed a secret is lost, a person is told to use a recovery code, and it works", async () => {
  const services = testServices();
  const { person, secret, codes } = await someoneWithTwoStep(services);
  const sealedSecret = await services.secrets.seal(secret, "somebody else's");
  await services.db.update(twoSteps).set({ sealedSecret }).where(eq(twoSteps.userId, person.userId));
  const login = { login: person.email, password: PASSWORD };
  await expect(signIn(services, ORIGIN, { ...login, totp: await codeAt(services, secret) })).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining("Use a recovery code"),
  });
  await expect(signIn(services, ORIGIN, { ...login, totp: codes[0] })).resolves.toBeDefined();
});

test("of ten at once with one recovery code exactly one comes in", async () => {
  const services = testServices();
  const { person, codes } = await someoneWithTwoStep(services);
  const input = { login: person.email, password: PASSWORD, totp: codes[0] };
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => signIn(services, ORIGIN, input)));
  expect(all.filter((result) => result.status === "fulfilled")).toHaveLength(1);
});

test("another person's recovery code is wrong", async () => {
  const services = testServices();
  const [mine, theirs] = [await someoneWithTwoStep(services), await someoneWithTwoStep(services)];
  const input = { login: mine.person.email, password: PASSWORD, totp: theirs.codes[0] };
  await expect(signIn(services, ORIGIN, input)).rejects.toMatchObject(wrongTotp);
});

test("after five wrong codes the account's codes rest for 15 minutes, even the right one", async () => {
  const services = testServices();
  const { person, secret } = await someoneWithTwoStep(services);
  const input = { login: person.email, password: PASSWORD };
  for (let i = 0; i < 5; i++) {
    await expect(signIn(services, ORIGIN, { ...input, totp: WRONG })).rejects.toMatchObject(wrongTotp);
  }
  const right = await codeAt(services, secret);
  await expect(signIn(services, ORIGIN, { ...input, totp: right })).rejects.toMatchObject({ status: 429 });
  services.clock.advance(15 * MINUTE_MS);
  await signIn(services, ORIGIN, { ...input, totp: await codeAt(services, secret) });
});

test("of 40 codes guessed at once no more than five are looked at", async () => {
  const services = testServices();
  const { person } = await someoneWithTwoStep(services);
  const guess = { login: person.email, password: PASSWORD, totp: WRONG };
  const all = await Promise.allSettled(Array.from({ length: 40 }, () => signIn(services, ORIGIN, guess)));
  const statuses = all.map((result) => (result.status === "rejected" ? result.reason.status : 200));
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(35);
});

test("a wrong password is refused before any code is looked at, and the code is not used up", async () => {
  const services = testServices();
  const { person, secret } = await someoneWithTwoStep(services);
  const totp = await codeAt(services, secret);
  const refused = signIn(services, ORIGIN, { login: person.email, password: "Wrong-horse-77", totp });
  await expect(refused).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" });
  await signIn(services, ORIGIN, { login: person.email, password: PASSWORD, totp });
});

test("the second step finishes what the first began, in the organisation that was asked for", async () => {
  const services = testServices();
  const { person, secret } = await someoneWithTwoStep(services);
  const ticket = await ticketFor(services, person.email);
  const done = await finishSignIn(services, ORIGIN, { ticket, totp: await codeAt(services, secret) });
  expect(done.person.userId).toBe(person.userId);
});

test("a ticket without a right code opens nothing, and is over after ten minutes", async () => {
  const services = testServices();
  const { person, secret } = await someoneWithTwoStep(services);
  const open = await sessionsOf(services, person.userId);
  const ticket = await ticketFor(services, person.email);
  await expect(finishSignIn(services, ORIGIN, { ticket, totp: WRONG })).rejects.toMatchObject(wrongTotp);
  services.clock.advance(TICKET_TTL_MS);
  const late = finishSignIn(services, ORIGIN, { ticket, totp: await codeAt(services, secret) });
  await expect(late).rejects.toMatchObject({ code: "SIGN_IN_EXPIRED" });
  expect(await sessionsOf(services, person.userId)).toEqual(open);
});

test("turning it off asks for password and code, and makes the password enough again", async () => {
  const services = testServices();
  const { person, secret } = await someoneWithTwoStep(services);
  await expect(disableTwoStep(services, person, { currentPassword, code: WRONG })).rejects.toMatchObject({
    status: 400,
  });
  const code = await codeAt(services, secret);
  await expect(disableTwoStep(services, person, { currentPassword: "x", code })).rejects.toMatchObject({ status: 400 });
  const off = await disableTwoStep(services, person, { currentPassword, code });
  expect(off.person.twoStepEnabled).toBe(false);
  expect(await services.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, person.userId))).toEqual([]);
  await signIn(services, ORIGIN, { login: person.email, password: PASSWORD });
});

test("a recovery code turns it off too: the device is lost", async () => {
  const services = testServices();
  const { person, codes } = await someoneWithTwoStep(services);
  const off = await disableTwoStep(services, person, { currentPassword, code: codes[3] ?? "" });
  expect(off.person.twoStepEnabled).toBe(false);
});

test("what is off cannot be turned off, and has no codes to renew", async () => {
  const services = testServices();
  const person = await someone(services);
  for (const act of [disableTwoStep, renewRecoveryCodes]) {
    await expect(act(services, person, { currentPassword, code: WRONG })).rejects.toMatchObject({
      code: "TWO_STEP_OFF",
    });
  }
});

test("new recovery codes make the old ones void", async () => {
  const services = testServices();
  const { person, secret, codes } = await someoneWithTwoStep(services);
  const renewed = await renewRecoveryCodes(services, person, { currentPassword, code: await codeAt(services, secret) });
  expect(new Set([...codes, ...renewed.codes]).size).toBe(20);
  const input = { login: person.email, password: PASSWORD };
  await expect(signIn(services, ORIGIN, { ...input, totp: codes[0] })).rejects.toMatchObject(wrongTotp);
  await signIn(services, ORIGIN, { ...input, totp: renewed.codes[0] });
});

test("a sign-in without a code that was under way when it was turned on does not come in", async () => {
  const services = testServices();
  const person = await someone(services);
  const secret = await beginTwo(services, person);
  const passwords = {
    ...services.passwords,
    verify: async (password: string, stored: string | undefined) => {
      const result = await services.passwords.verify(password, stored);
      const now = await again(services, person.sessionId).catch(() => undefined);
      if (now) await enableTwoStep(services, person, { currentPassword, code: await codeAt(services, secret) });
      return result;
    },
  };
  const late = signIn({ ...services, passwords }, ORIGIN, { login: person.email, password: PASSWORD });
  await expect(late).rejects.toMatchObject({ code: "TOTP_REQUIRED" });
});

test.each(["before", "after"] as const)("a connection lost %s the commit still turns it on", async (when) => {
  const services = testServices();
  const person = await someone(services);
  const secret = await beginTwo(services, person);
  const flaky = { ...services, db: losingConnection(services.db, when) };
  const enabled = await enableTwoStep(flaky, person, { currentPassword, code: await codeAt(services, secret) });
  expect(await sessionsOf(services, person.userId)).toEqual([enabled.person.sessionId]);
  services.clock.advance(STEP_MS);
  await signIn(services, ORIGIN, { login: person.email, password: PASSWORD, totp: enabled.codes[0] });
});
