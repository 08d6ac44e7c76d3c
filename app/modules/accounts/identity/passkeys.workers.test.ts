import { organizationPolicies, passkeys, usedPasskeyChallenges, users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  again,
  codeAt,
  mailsOf,
  mailsTo,
  sessionsOf,
  signedIn,
  someone,
  someoneWithTwoStep,
  trailOf,
} from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { addKey, siteOf } from "../../../../tests/support/passkeys";
import { ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { aSoftwareKey, type SoftwareKey, type Wrong } from "../../../../tests/support/software-authenticator";
import { endAllAccess } from "./account.server";
import { CHALLENGE_TTL_MS } from "./passkey-assertion.server";
import { askForPasskey, finishSignInWithPasskey, signInWithPasskey } from "./passkey-sign-in.server";
import {
  addPasskey,
  addPasskeySchema,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "./passkeys.server";
import { signIn } from "./sign-in.server";
import { type SignInTicket, TotpRequired } from "./sign-in-steps.server";

const currentPassword = PASSWORD;
const refused = { status: 401, code: "INVALID_PASSKEY" };
const expired = { status: 401, code: "PASSKEY_EXPIRED" };
const notMade = { status: 400, code: "INVALID_PASSKEY" };

/** A person with one passkey. */
async function withPasskey(services: TestServices, who: Parameters<typeof someone>[1] = {}) {
  return addKey(services, await someone(services, who));
}

/** A person with two-step sign-in and one passkey. */
async function withBoth(services: TestServices, who: Parameters<typeof someone>[1] = {}) {
  const { person, secret, codes } = await someoneWithTwoStep(services, who);
  const added = await addKey(services, person, "Work laptop", await codeAt(services, secret));
  services.clock.advance(30_000);
  return { ...added, secret, codes };
}

async function comeIn(services: TestServices, key: SoftwareKey, wrong: Wrong = {}) {
  const { options, kept } = await askForPasskey(services, {});
  return signInWithPasskey(services, ORIGIN, { passkey: await key.sign(options.challenge, wrong), kept });
}

async function ticketOf(services: TestServices, login: string): Promise<SignInTicket> {
  const error = await signIn(services, ORIGIN, { login, password: PASSWORD }).catch((thrown: unknown) => thrown);
  if (!(error instanceof TotpRequired)) throw new Error(`no second step was asked for: ${error}`);
  return error.ticket;
}

const rowsOf = (services: TestServices, userId: string) =>
  services.db.select().from(passkeys).where(eq(passkeys.userId, userId));

test("a passkey that was added signs in without the password, and counts as both steps", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { key, person } = await withBoth(services, { organizationId: organization.id });
  const came = await comeIn(services, key, { userHandle: person.userId });
  expect(came.person).toMatchObject({ userId: person.userId, signInMethod: "passkey" });
  expect(await trailOf(services, organization.id, person.userId)).toEqual(
    expect.arrayContaining(["user.passkey_begun", "user.passkey_added", "session.started"]),
  );
  expect(await mailsTo(services, person.email)).toContain("passkeyChanged");
  expect(await rowsOf(services, person.userId)).toMatchObject([
    { counter: 1, kind: "multiDevice", isBackedUp: true, lastUsedAt: services.clock.now(), transports: ["internal"] },
  ]);
});

test("adding needs the password, and the code of people with two-step sign-in", async () => {
  const services = testServices();
  const { person } = await someoneWithTwoStep(services);
  await expect(beginPasskey(services, person, { currentPassword: "x" })).rejects.toMatchObject({
    fieldErrors: { currentPassword: [expect.any(String)] },
  });
  await expect(beginPasskey(services, person, { currentPassword })).rejects.toMatchObject({
    fieldErrors: { code: ["Enter the code"] },
  });
  await expect(beginPasskey(services, person, { currentPassword, code: "000000" })).rejects.toMatchObject({
    fieldErrors: { code: [expect.any(String)] },
  });
  expect(await rowsOf(services, person.userId)).toEqual([]);
});

test("adding ends every other session, and the next page is this person's", async () => {
  const services = testServices();
  const before = await someone(services);
  await signedIn(services, before.userId);
  const { person } = await addKey(services, before);
  expect(await sessionsOf(services, person.userId)).toEqual([person.sessionId]);
});

const WRONGLY_MADE: readonly [string, Wrong][] = [
  ["for another origin", { origin: "https://payeepr00f.example" }],
  ["for another host", { rpId: "payeepr00f.example" }],
  ["for another challenge", { challenge: "bm90LW91cnMtYXQtYWxsLW5vdC1vdXJzLWF0LWFsbA" }],
  ["without a finger, face or PIN", { verified: false }],
  ["as a sign-in", { type: "webauthn.get" }],
];

test.each(WRONGLY_MADE)("a passkey made %s is not added", async (_, wrong) => {
  const services = testServices();
  const person = await someone(services);
  const key = await aSoftwareKey(siteOf(services));
  const { options, kept } = await beginPasskey(services, person, { currentPassword });
  const { passkey: response } = addPasskeySchema.parse({
    name: "Phone",
    passkey: await key.make(options.challenge, wrong),
  });
  await expect(addPasskey(services, person, { name: "Phone", response, kept })).rejects.toMatchObject(notMade);
  expect(await rowsOf(services, person.userId)).toEqual([]);
});

test("what one session began is not finished by another session, later than ten minutes, or twice", async () => {
  const services = testServices();
  const person = await someone(services);
  const key = await aSoftwareKey(siteOf(services));
  const { options, kept } = await beginPasskey(services, person, { currentPassword });
  const { passkey: response } = addPasskeySchema.parse({ name: "Phone", passkey: await key.make(options.challenge) });
  const input = { name: "Phone", response, kept };
  const elsewhere = await signedIn(services, person.userId);
  await expect(addPasskey(services, elsewhere, input)).rejects.toMatchObject(notMade);
  await expect(addPasskey(services, person, { ...input, kept: null })).rejects.toMatchObject(notMade);
  const signInKept = (await askForPasskey(services, {})).kept;
  await expect(addPasskey(services, person, { ...input, kept: signInKept })).rejects.toMatchObject(notMade);
  services.clock.advance(CHALLENGE_TTL_MS);
  await expect(addPasskey(services, person, input)).rejects.toMatchObject(notMade);
  services.clock.advance(-CHALLENGE_TTL_MS);
  const { person: after } = await addPasskey(services, person, input);
  await expect(addPasskey(services, after, input)).rejects.toMatchObject(notMade);
  await expect(addPasskey(services, person, input)).rejects.toMatchObject(notMade);
  expect(await rowsOf(services, person.userId)).toHaveLength(1);
});

test("a key that belongs to one person is not added by another", async () => {
  const services = testServices();
  const { key } = await withPasskey(services);
  const other = await someone(services);
  const { options, kept } = await beginPasskey(services, other, { currentPassword });
  const { passkey: response } = addPasskeySchema.parse({ name: "Mine", passkey: await key.make(options.challenge) });
  await expect(addPasskey(services, other, { name: "Mine", response, kept })).rejects.toMatchObject(notMade);
});

const WRONGLY_SIGNED: readonly [string, Wrong][] = [
  ["for another origin", { origin: "https://payeepr00f.example" }],
  ["for another host", { rpId: "payeepr00f.example" }],
  ["for a challenge that another browser was asked", { challenge: "bm90LW91cnMtYXQtYWxsLW5vdC1vdXJzLWF0LWFsbA" }],
  ["without a finger, face or PIN", { verified: false }],
  ["as the making of a passkey", { type: "webauthn.create" }],
  ["in the name of another person", { userHandle: "01a1f2b3-0b52-7a90-8f2b-000000000000" }],
  ["with a key that nobody has", { credentialId: "bm9ib2R5LWhhcy10aGlz" }],
];

test.each(WRONGLY_SIGNED)("a passkey that signs %s opens nothing", async (_, wrong) => {
  const services = testServices();
  const { key, person } = await withPasskey(services);
  await expect(comeIn(services, key, wrong)).rejects.toMatchObject(refused);
  expect(await sessionsOf(services, person.userId)).toEqual([person.sessionId]);
});

test("the key of one person does not sign for the passkey of another", async () => {
  const services = testServices();
  const victim = await withPasskey(services);
  const attacker = await withPasskey(services);
  await expect(comeIn(services, attacker.key, { credentialId: victim.key.id })).rejects.toMatchObject(refused);
  expect(await sessionsOf(services, victim.person.userId)).toEqual([victim.person.sessionId]);
});

test("an answer opens once: sent again, with everything the browser kept, it opens nothing", async () => {
  const services = testServices();
  const { key } = await withPasskey(services);
  const { options, kept } = await askForPasskey(services, {});
  // A device without a counter, so that only the challenge distinguishes the second answer from the first.
  const answer = { passkey: await key.sign(options.challenge, { counter: 0 }), kept };
  await signInWithPasskey(services, ORIGIN, answer);
  await expect(signInWithPasskey(services, ORIGIN, answer)).rejects.toMatchObject(refused);
});

test("two requests with the same answer at once open one session", async () => {
  const services = testServices();
  const { key, person } = await withPasskey(services);
  const { options, kept } = await askForPasskey(services, {});
  const answer = { passkey: await key.sign(options.challenge, { counter: 0 }), kept };
  const both = await Promise.allSettled([1, 2].map(() => signInWithPasskey(services, ORIGIN, answer)));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await sessionsOf(services, person.userId)).toHaveLength(2);
});

test("a challenge that was answered wrongly is not answered again", async () => {
  const services = testServices();
  const { key } = await withPasskey(services);
  const { options, kept } = await askForPasskey(services, {});
  const wrong = { passkey: await key.sign(options.challenge, { verified: false, counter: 0 }), kept };
  await expect(signInWithPasskey(services, ORIGIN, wrong)).rejects.toMatchObject(refused);
  const right = { passkey: await key.sign(options.challenge, { counter: 0 }), kept };
  await expect(signInWithPasskey(services, ORIGIN, right)).rejects.toMatchObject(refused);
});

test("an answer after ten minutes, of a browser that was asked nothing, or for another purpose is refused", async () => {
  const services = testServices();
  const { key, person } = await withBoth(services);
  const { options, kept } = await askForPasskey(services, {});
  const passkey = await key.sign(options.challenge);
  await expect(signInWithPasskey(services, ORIGIN, { passkey, kept: null })).rejects.toMatchObject(expired);
  const ticket = await ticketOf(services, person.email);
  const second = await askForPasskey(services, { ticket: ticket });
  const forSecond = { passkey: await key.sign(second.options.challenge), kept: second.kept };
  await expect(signInWithPasskey(services, ORIGIN, forSecond)).rejects.toMatchObject(expired);
  const forFirst = { ticket, passkey, kept };
  await expect(finishSignInWithPasskey(services, ORIGIN, forFirst)).rejects.toMatchObject(expired);
  services.clock.advance(CHALLENGE_TTL_MS);
  await expect(signInWithPasskey(services, ORIGIN, { passkey, kept })).rejects.toMatchObject(expired);
});

test("a counter that goes back is refused, stands in the trail, and the person is told", async () => {
  const services = testServices();
  const { key, person } = await withPasskey(services);
  await comeIn(services, key, { counter: 7 });
  await expect(comeIn(services, key, { counter: 7 })).rejects.toMatchObject(refused);
  await expect(comeIn(services, key, { counter: 0 })).rejects.toMatchObject(refused);
  const told = (await mailsOf(services)).filter(
    (mail) => mail.to === person.email && mail.template === "passkeyChanged" && mail.data.change === "counter",
  );
  expect(told).toHaveLength(2);
  await comeIn(services, key, { counter: 8 });
});

test("an inactive person's passkey opens nothing; a person who waits comes in as with the password", async () => {
  const services = testServices();
  const { db } = services;
  const organization = await anOrganization(services);
  const { key, person } = await withPasskey(services, { organizationId: organization.id });
  await db.update(users).set({ status: "inactive" }).where(eq(users.id, person.userId));
  await expect(comeIn(services, key)).rejects.toMatchObject(refused);
  await db.update(users).set({ status: "pending" }).where(eq(users.id, person.userId));
  expect((await comeIn(services, key)).person.status).toBe("pending");
});

test("after ten failures the account's passkeys rest; the password is another matter", async () => {
  const services = testServices();
  const { key, person } = await withPasskey(services);
  for (let failure = 0; failure < 10; failure++) {
    await expect(comeIn(services, key, { verified: false })).rejects.toMatchObject(refused);
  }
  await expect(comeIn(services, key)).rejects.toMatchObject({ status: 429, code: "SIGN_IN_LOCKED" });
  await signIn(services, ORIGIN, { login: person.email, password: PASSWORD });
});

test("after the password a passkey of the same person stands in for the code", async () => {
  const services = testServices();
  const { key, person } = await withBoth(services);
  const ticket = await ticketOf(services, person.email);
  const { options, kept } = await askForPasskey(services, { ticket: ticket });
  expect(options.allowCredentials).toMatchObject([{ id: key.id, transports: ["internal"] }]);
  const answer = { ticket, kept, passkey: await key.sign(options.challenge) };
  const came = await finishSignInWithPasskey(services, ORIGIN, answer);
  expect(came.person).toMatchObject({ userId: person.userId, signInMethod: "password_and_passkey" });
});

test("after the password the passkey of another person, or an answer to another ticket, opens nothing", async () => {
  const services = testServices();
  const victim = await withBoth(services);
  const attacker = await withBoth(services);
  const ticket = await ticketOf(services, victim.person.email);
  const own = await ticketOf(services, attacker.person.email);
  const { options, kept } = await askForPasskey(services, { ticket: ticket });
  const passkey = await attacker.key.sign(options.challenge);
  await expect(finishSignInWithPasskey(services, ORIGIN, { ticket, kept, passkey })).rejects.toMatchObject(refused);
  const asked = await askForPasskey(services, { ticket: own });
  const elsewhere = { ticket, kept: asked.kept, passkey: await attacker.key.sign(asked.options.challenge) };
  await expect(finishSignInWithPasskey(services, ORIGIN, elsewhere)).rejects.toMatchObject(expired);
});

test("who loses every passkey comes in with the password and the second step, never without it", async () => {
  const services = testServices();
  const { key, person, secret, codes } = await withBoth(services);
  const [row] = await rowsOf(services, person.userId);
  const code = await codeAt(services, secret);
  await removePasskey(services, person, { passkeyId: row?.id ?? "", currentPassword, code });
  await expect(comeIn(services, key)).rejects.toMatchObject(refused);
  await expect(signIn(services, ORIGIN, { login: person.email, password: PASSWORD })).rejects.toMatchObject({
    code: "TOTP_REQUIRED",
  });
  const came = await signIn(services, ORIGIN, { login: person.email, password: PASSWORD, totp: codes[0] });
  expect(came.person.userId).toBe(person.userId);
});

test("removing needs the proof, ends the other sessions, and a passkey of another person is not found", async () => {
  const services = testServices();
  const { person } = await withPasskey(services);
  const other = await withPasskey(services);
  const [row] = await rowsOf(services, person.userId);
  const passkeyId = row?.id ?? "";
  await expect(removePasskey(services, person, { passkeyId, currentPassword: "x" })).rejects.toMatchObject({
    fieldErrors: { currentPassword: [expect.any(String)] },
  });
  await expect(removePasskey(services, other.person, { passkeyId, currentPassword })).rejects.toMatchObject({
    status: 404,
  });
  await expect(renamePasskey(services, other.person, { passkeyId, name: "Mine" })).rejects.toMatchObject({
    status: 404,
  });
  await renamePasskey(services, person, { passkeyId, name: "Old laptop" });
  expect(await listPasskeys(services, person)).toMatchObject([{ name: "Old laptop", lastUsed: null }]);
  await signedIn(services, person.userId);
  const removed = await removePasskey(services, person, { passkeyId, currentPassword });
  expect(await sessionsOf(services, person.userId)).toEqual([removed.person.sessionId]);
  expect(await listPasskeys(services, removed.person)).toEqual([]);
});

test("where the organisation requires two-step sign-in, a passkey satisfies it for its own session alone", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const { key, person } = await withPasskey(services, { organizationId: organization.id });
  const policies = { organizationId: organization.id, twoStepRequired: true };
  await services.db
    .insert(organizationPolicies)
    .values({ ...policies, updatedAt: services.clock.now() })
    .onConflictDoUpdate({ target: organizationPolicies.organizationId, set: policies });
  expect((await comeIn(services, key)).person.needsTwoStep).toBe(false);
  const byPassword = await signIn(services, ORIGIN, { login: person.email, password: PASSWORD });
  expect(byPassword.person.needsTwoStep).toBe(true);
  // The session that added the passkey counts as having used it.
  expect((await again(services, person.sessionId)).needsTwoStep).toBe(false);
});

test("what ends all access of an account removes its passkeys", async () => {
  const services = testServices();
  const { key, person } = await withPasskey(services);
  await services.db.batch(endAllAccess(services, person.userId) as never);
  await expect(comeIn(services, key)).rejects.toMatchObject(refused);
});

test("passkeys are offered once, after a password, to people who have none", async () => {
  const services = testServices();
  const person = await someone(services);
  const input = { login: person.email, password: PASSWORD, mayOfferPasskey: true };
  expect((await signIn(services, ORIGIN, { ...input, mayOfferPasskey: undefined })).offersPasskey).toBeUndefined();
  expect((await signIn(services, ORIGIN, input)).offersPasskey).toBe(true);
  expect((await signIn(services, ORIGIN, input)).offersPasskey).toBeUndefined();
  const other = await withPasskey(services);
  const again = { ...input, login: other.person.email };
  expect((await signIn(services, ORIGIN, again)).offersPasskey).toBeUndefined();
});

test("challenges are kept as digests", async () => {
  const services = testServices();
  const { key } = await withPasskey(services);
  const { options, kept } = await askForPasskey(services, {});
  await signInWithPasskey(services, ORIGIN, { passkey: await key.sign(options.challenge), kept });
  const usedAs = (challengeHash: string) =>
    services.db.select().from(usedPasskeyChallenges).where(eq(usedPasskeyChallenges.challengeHash, challengeHash));
  expect(await usedAs(options.challenge)).toEqual([]);
  expect(await usedAs(await services.secrets.hashToken(options.challenge))).toHaveLength(1);
});
