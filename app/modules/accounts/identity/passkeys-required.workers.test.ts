import { apiTokens, passkeys, recoveryCodes } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { refusalOf } from "~/kernel/access";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { changePolicy, findPolicyState } from "~/modules/accounts/organizations/policy.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import type { Person } from "~/services-and-actor";
import { again, codeAt, signedIn, someone, someoneWithTwoStep } from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { actorOf, addKey, decideFor } from "../../../../tests/support/passkeys";
import { refusal } from "../../../../tests/support/payees";
import { aPerson, belongs, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { createApiToken } from "./api-token.server";
import { askForEmailChange } from "./email-change.server";
import { askForPasskey, signInWithPasskey } from "./passkey-sign-in.server";
import { beginPasskey, removePasskey } from "./passkeys.server";
import { findPersonByApiToken, sessionTouchMs } from "./person.server";
import { listSessions } from "./session.server";
import { beginTwoStep, disableTwoStep, renewRecoveryCodes } from "./two-step.server";

const currentPassword = PASSWORD;
const refused = { status: 403, code: "PASSKEY_REQUIRED" };

/** The error code when this person tries to change something. */
const barOf = (person: Person) => refusalOf(person, "change")?.code;

async function anOfficeThatAsks(services: TestServices, graceDays = 14) {
  const organization = await anOrganization(services);
  await decideFor(services, organization.id, {
    passkeysRequired: true,
    passkeyGraceDays: graceDays,
    passkeysRequiredSince: services.clock.now(),
  });
  return organization;
}

test("from the day on people without a passkey decide nothing, and one that they add opens it again", async () => {
  const services = testServices();
  const { id: organizationId } = await anOfficeThatAsks(services);
  const { userId } = await someone(services, { organizationId });
  const dueAt = services.clock.now() + 14 * DAY_MS;
  expect(await signedIn(services, userId)).toMatchObject({ needsPasskey: false, passkeyDueAt: dueAt });
  services.clock.advance(14 * DAY_MS - 1);
  expect(barOf(await signedIn(services, userId))).toBeUndefined();
  services.clock.advance(1);
  const person = await signedIn(services, userId);
  expect(person).toMatchObject({ needsPasskey: true, passkeyDueAt: dueAt });
  expect([barOf(person), refusalOf(person, "administer")?.code, refusalOf(person, "look")]).toEqual([
    "PASSKEY_REQUIRED",
    "ADMIN_REQUIRED",
    undefined,
  ]);
  const { person: withKey, key } = await addKey(services, person);
  expect([barOf(withKey), withKey.passkeyDueAt]).toEqual([undefined, undefined]);

  // A session from a phished password and code cannot decide anything; one from the passkey can.
  expect(barOf(await signedIn(services, userId))).toBe("PASSKEY_REQUIRED");
  const { options, kept } = await askForPasskey(services, {});
  const came = await signInWithPasskey(services, ORIGIN, { passkey: await key.sign(options.challenge), kept });
  expect(barOf(came.person)).toBeUndefined();
});

test("people who join later have their days from then, and people who only view are asked for nothing", async () => {
  const services = testServices();
  const { id: organizationId } = await anOfficeThatAsks(services, 7);
  services.clock.advance(30 * DAY_MS);
  expect((await someone(services, { organizationId })).passkeyDueAt).toBe(services.clock.now() + 7 * DAY_MS);
  const reader = await someone(services, { organizationId, membership: "read_only", role: "read_only" });
  expect([reader.passkeyDueAt, reader.needsPasskey]).toEqual([undefined, false]);
});

test("turning it on counts from then, weakening waits, and turning it on again counts anew", async () => {
  const services = testServices();
  const { id: organizationId } = await anOrganization(services);
  const admin = actorOf(await someone(services, { organizationId, membership: "admin", role: "admin" }));
  services.clock.advance(DAY_MS);
  const policy = { ...DEFAULT_POLICY, passkeysRequired: true };
  const since = services.clock.now();
  await changePolicy(services, admin, { version: 0, policy });
  const state = await findPolicyState(services, organizationId);
  expect(state.policy).toEqual(policy);
  services.clock.advance(MINUTE_MS);
  const weaker = { ...policy, passkeysRequired: false, passkeyGraceDays: 90, idleMinutes: 720 };
  const asked = await changePolicy(services, admin, { version: state.version, policy: weaker });
  expect(asked).toEqual({ isChanged: false, waitsUntil: services.clock.now() + DAY_MS });
  expect((await signedIn(services, admin.userId)).passkeyDueAt).toBe(since + 14 * DAY_MS);
});

test("a session that came without the passkey adds none, turns nothing off and makes no token", async () => {
  const services = testServices();
  const { id: organizationId } = await anOfficeThatAsks(services, 0);
  const { person, secret, codes } = await someoneWithTwoStep(services, { organizationId });
  await addKey(services, person, "Phone", await codeAt(services, secret));
  services.clock.advance(30_000);

  const phished = await signedIn(services, person.userId);
  const code = await codeAt(services, secret);
  const passkeyId = (await services.db.select().from(passkeys).where(eq(passkeys.userId, person.userId)))[0]?.id ?? "";
  const token = { name: "Mine", scopes: ["payments:write"] as const, lifetimeDays: 30, currentPassword };
  for (const attempt of [
    () => beginPasskey(services, phished, { currentPassword, code }),
    () => removePasskey(services, phished, { currentPassword, code, passkeyId }),
    () => renewRecoveryCodes(services, phished, { currentPassword, code }),
    () => disableTwoStep(services, phished, { currentPassword, code }),
    () => createApiToken(services, actorOf(phished), token),
    () => askForEmailChange(services, phished, { email: "thief@example.com", currentPassword }),
  ]) {
    expect(await refusal(attempt())).toMatchObject(refused);
  }
  // Switching to an organisation of theirs without that requirement does not help either.
  const elsewhere = await anOrganization(services);
  await belongs(services, person.userId, elsewhere.id, "admin");
  expect(
    await refusal(beginPasskey(services, { ...phished, organizationId: elsewhere.id }, { currentPassword, code })),
  ).toMatchObject(refused);

  // A person who has lost every passkey uses a recovery code.
  const { person: back } = await addKey(services, phished, "New phone", codes[0]);
  expect(barOf(back)).toBeUndefined();
  const used = await services.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, person.userId));
  expect(used.filter(({ usedAt }) => usedAt !== null)).toHaveLength(1);
});

test("what only looks like a recovery code opens nothing", async () => {
  const services = testServices();
  const { id: organizationId } = await anOfficeThatAsks(services, 0);
  const { person } = await addKey(services, await someone(services, { organizationId }));
  const phished = await signedIn(services, person.userId);
  const code = "ABCD-EFGH-IJKL-MNOP";
  expect(await refusal(beginPasskey(services, phished, { currentPassword, code }))).toMatchObject(refused);

  const two = await someoneWithTwoStep(services, { organizationId });
  await addKey(services, two.person, "Phone", await codeAt(services, two.secret));
  const guessing = beginPasskey(services, await signedIn(services, two.person.userId), { currentPassword, code });
  expect(await refusal(guessing)).toMatchObject({ status: 400, fieldErrors: { code: [expect.any(String)] } });
});

test("where nobody asks for passkeys, nothing of this is asked", async () => {
  const services = testServices();
  const { id: organizationId } = await anOrganization(services);
  const { person } = await addKey(services, await someone(services, { organizationId }));
  const byPassword = await signedIn(services, person.userId);
  await beginPasskey(services, byPassword, { currentPassword });
  await beginTwoStep(services, byPassword, { currentPassword });
  expect(barOf(byPassword)).toBeUndefined();
});

test("an API token goes on for a person who has a passkey, and for nobody else", async () => {
  const services = testServices();
  const { id: organizationId } = await anOfficeThatAsks(services, 1);
  const person = actorOf(await someone(services, { organizationId }));
  const made = await createApiToken(services, person, {
    name: "Ours",
    scopes: ["payments:write"],
    lifetimeDays: 30,
    currentPassword,
  });
  const holder = async () => {
    const found = await findPersonByApiToken(services, await services.secrets.hashToken(made.token), ORIGIN);
    if (!found) throw new Error("the token is over");
    return found.person;
  };
  expect(barOf(await holder())).toBeUndefined();
  services.clock.advance(DAY_MS);
  expect(barOf(await holder())).toBe("PASSKEY_REQUIRED");
  await addKey(services, await signedIn(services, person.userId));
  expect(barOf(await holder())).toBeUndefined();
  expect(await services.db.select().from(apiTokens).where(eq(apiTokens.userId, person.userId))).toHaveLength(1);
});

test("a session ends after the minutes that the organisation sets", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  await decideFor(services, organization.id, { idleMinutes: 15 });
  const { id } = await aPerson(services, { organizationId: organization.id });
  const person = await signedIn(services, id);
  services.clock.advance(15 * MINUTE_MS - 1);
  expect(sessionTouchMs(await again(services, person.sessionId))).toBe(MINUTE_MS);
  services.clock.advance(1);
  await expect(again(services, person.sessionId)).rejects.toThrow("over");
  const here = await signedIn(services, id);
  expect((await listSessions(services, here)).map((session) => session.id)).toEqual([here.sessionId]);
});
