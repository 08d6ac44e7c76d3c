import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { again, mailsTo, sessionsOf, signedIn, someone, trailOf } from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { aPerson, aRegistration, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { testServices } from "../../../../tests/support/services";
import { register } from "./register.server";
import { listSessions, revokeOtherSessions, revokeSession, signOut, whySessionEnded } from "./session.server";
import { signIn } from "./sign-in.server";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1";

test("a person sees where they are signed in, this one first", async () => {
  const services = testServices();
  const here = await someone(services);
  services.clock.advance(5 * MINUTE_MS);
  const there = { ...ORIGIN, userAgent: FIREFOX, ipAddress: "198.51.100.4", place: "Hobart, AU" };
  await signedIn(services, here.userId, there);
  const sessions = await listSessions(services, here);
  expect(sessions).toMatchObject([
    { isThisOne: true, device: "An unknown program", ipAddress: ORIGIN.ipAddress, place: null },
    { isThisOne: false, device: "Firefox on Linux", ipAddress: "198.51.100.4", place: "Hobart, AU" },
  ]);
  expect(sessions[0]?.lastSeen.relative).toBe("5 minutes ago");
});

test("sessions that are over by time are not listed", async () => {
  const services = testServices();
  const idle = await someone(services);
  services.clock.advance(12 * HOUR_MS);
  const here = await signedIn(services, idle.userId);
  expect(await listSessions(services, here)).toHaveLength(1);
  await expect(again(services, idle.sessionId)).rejects.toThrow("over");
  services.clock.advance(7 * DAY_MS);
  expect(await listSessions(services, here)).toEqual([]);
});

test("the sign-in page says whether a session was unused or ended", async () => {
  const services = testServices();
  const { userId, sessionId } = await someone(services);
  services.clock.advance(13 * HOUR_MS);
  expect(await whySessionEnded(services, sessionId)).toBe(
    "You had not used PayeeProof for a while, or your organisation now asks for another way to sign in.",
  );
  services.clock.advance(7 * DAY_MS);
  expect(await whySessionEnded(services, sessionId)).toContain("seven days at the latest");
  const here = await signedIn(services, userId);
  await signOut(services, here);
  expect(await whySessionEnded(services, here.sessionId)).toContain("seven days at the latest");
});

test("an ended session is over at once, and the others are not", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const here = await someone(services, { organizationId: organization.id });
  const [one, two] = [await signedIn(services, here.userId), await signedIn(services, here.userId)];
  await revokeSession(services, here, { sessionId: one.sessionId });
  await expect(again(services, one.sessionId)).rejects.toThrow("over");
  await again(services, two.sessionId);
  expect(await trailOf(services, organization.id, here.userId)).toEqual(["session.revoked"]);
});

test("nobody ends another person's session, or one that is not there", async () => {
  const services = testServices();
  const [me, other] = [await someone(services), await someone(services)];
  for (const sessionId of [other.sessionId, "x", ""]) {
    await expect(revokeSession(services, me, { sessionId })).rejects.toMatchObject({ status: 404 });
  }
  expect(await sessionsOf(services, other.userId)).toHaveLength(1);
});

test("signing out everywhere else leaves this session, and other people's", async () => {
  const services = testServices();
  const [here, other] = [await someone(services), await someone(services)];
  await signedIn(services, here.userId);
  await signedIn(services, here.userId);
  await revokeOtherSessions(services, here);
  expect(await sessionsOf(services, here.userId)).toEqual([here.sessionId]);
  expect(await sessionsOf(services, other.userId)).toHaveLength(1);
});

test("a sign-in from another browser or network is told, once each", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  const from = (userAgent: string, ipAddress: string) =>
    signIn(services, { ...ORIGIN, userAgent, ipAddress }, { login: email, password: PASSWORD });
  await from(FIREFOX, "203.0.113.7");
  expect(await mailsTo(services, email)).toEqual([]);
  await from(FIREFOX, "203.0.113.99");
  expect(await mailsTo(services, email)).toEqual([]);
  await from(PHONE, "203.0.113.7");
  expect(await mailsTo(services, email)).toEqual(["newDeviceSignIn"]);
  await from(PHONE, "203.0.113.8");
  await from(FIREFOX, "198.51.100.4");
  await from(FIREFOX, "198.51.100.5");
  expect(await mailsTo(services, email)).toEqual(["newDeviceSignIn", "newDeviceSignIn"]);
});

test("where a person registered is known, and the first sign-in from elsewhere is told", async () => {
  const services = testServices();
  const { email } = (await register(services, ORIGIN, aRegistration(services))).person;
  await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  expect(await mailsTo(services, email)).toEqual(["emailConfirmation"]);
  await signIn(services, { ...ORIGIN, userAgent: PHONE }, { login: email, password: PASSWORD });
  expect(await mailsTo(services, email)).toEqual(["emailConfirmation", "newDeviceSignIn"]);
});

test("a refused sign-in from elsewhere makes nothing known and tells nobody", async () => {
  const services = testServices();
  const { email } = await aPerson(services);
  await signIn(services, ORIGIN, { login: email, password: PASSWORD });
  const elsewhere = { ...ORIGIN, userAgent: PHONE };
  await expect(signIn(services, elsewhere, { login: email, password: "Wrong-horse-77" })).rejects.toThrow();
  expect(await mailsTo(services, email)).toEqual([]);
  await signIn(services, elsewhere, { login: email, password: PASSWORD });
  expect(await mailsTo(services, email)).toEqual(["newDeviceSignIn"]);
});
