import { createHash } from "node:crypto";
import { auditLogs, passkeys } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { refusalOf } from "~/kernel/access";
import { DAY_MS } from "~/kernel/dates";
import { canonicalJson } from "~/kernel/encodings";
import { invitePerson, listInvitations } from "~/modules/accounts/members/invitations.server";
import { changeMember } from "~/modules/accounts/members/members.server";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { changePolicy, findPolicyState } from "~/modules/accounts/organizations/policy.server";
import { raisedEvents } from "~/modules/messages/alerts/events";
import type { Person } from "~/services-and-actor";
import {
  again,
  beginTwo,
  codeAt,
  mailsTo,
  STEP_MS,
  signedIn,
  someone,
  someoneWithTwoStep,
  tokenSentTo,
  workOnResets,
} from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { actorOf, addKey, addNewKey, anApprover, decideFor } from "../../../../tests/support/passkeys";
import { peek, refusal } from "../../../../tests/support/payees";
import { aDomain, belongs, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import type { SoftwareKey } from "../../../../tests/support/software-authenticator";
import {
  askForPasskey,
  findSecondSteps,
  signInWithPasskey,
  stepUpWithCode,
  stepUpWithPasskey,
} from "./passkey-sign-in.server";
import { beginPasskey, removePasskey } from "./passkeys.server";
import { askForPasswordReset, resetPassword } from "./password.server";
import { signIn } from "./sign-in.server";
import type { OfferedApproval } from "./signed-approval.server";
import { disableTwoStep, enableTwoStep } from "./two-step.server";

/** Thieves with a password and code, a mailbox or a session, and what they cannot do. */

const currentPassword = PASSWORD;
const needsPasskey = { status: 403, code: "PASSKEY_REQUIRED" };

async function anOffice(policy: Partial<Policy>) {
  const services = testServices();
  const organization = await anOrganization(services);
  await decideFor(services, organization.id, policy);
  return { services, organization };
}

/** Requests the text for a policy change, and tries to sign it with this key. */
async function signPolicies(services: TestServices, person: Person, key: SoftwareKey) {
  const actor = actorOf(person);
  const { version, policy } = await findPolicyState(services, actor.organizationId);
  const asked = { version, policy: { ...policy, secondPersonRequired: !policy.secondPersonRequired } };
  const approval = (await refusal(changePolicy(services, actor, { ...asked, signed: {} }))).extra
    ?.approval as OfferedApproval;
  const signed = { shownToPasskey: approval.sealed, passkey: await key.sign(await challengeIn(services, approval)) };
  return { approval, run: () => changePolicy(services, actor, { ...asked, signed }) };
}

/** The page offers no challenge to a new passkey, but the thief computes it from the page's contents. */
async function challengeIn(services: TestServices, { options, sealed }: OfferedApproval): Promise<string> {
  if (options) return options.challenge;
  const { text } = JSON.parse(await services.secrets.open(sealed, "signed-approval")) as { text: object };
  return createHash("sha256").update(canonicalJson(text)).digest("base64url");
}

test("a thief with a phished password and code adds the first passkey: it signs nothing for a day, and the others are told", async () => {
  const { services, organization } = await anOffice({ passkeyForPolicies: true });
  const elsewhere = await anOrganization(services);
  const who = { organizationId: organization.id, membership: "admin", role: "admin" } as const;
  const { person, secret } = await someoneWithTwoStep(services, who);
  await belongs(services, person.userId, elsewhere.id, "member");
  const { key, person: thief } = await addNewKey(services, person, "Mine", await codeAt(services, secret));

  const { approval, run } = await signPolicies(services, thief, key);
  expect(approval).toMatchObject({ options: null, countsFrom: expect.any(String) });
  expect(await refusal(run())).toMatchObject({
    ...needsPasskey,
    message: expect.stringContaining("This passkey is new"),
  });
  expect((await findPolicyState(services, organization.id)).policy.secondPersonRequired).toBe(false);
  // The same after the thief signs out and in again with the new passkey.
  const { options, kept } = await askForPasskey(services, {});
  const came = await signInWithPasskey(services, ORIGIN, { passkey: await key.sign(options.challenge), kept });
  expect(await refusal((await signPolicies(services, came.person, key)).run())).toMatchObject(needsPasskey);

  expect(await mailsTo(services, person.email)).toContain("passkeyChanged");
  for (const { id } of [organization, elsewhere]) {
    const entries = await peek
      .select()
      .from(auditLogs)
      .where(and(eq(auditLogs.organizationId, id), eq(auditLogs.action, "user.passkey_added")));
    expect(entries.flatMap(({ action, details }) => raisedEvents({ action, details }))).toEqual(["control_changed"]);
  }

  services.clock.advance(DAY_MS);
  await (await signPolicies(services, await signedIn(services, person.userId), key)).run();
  expect((await findPolicyState(services, organization.id)).policy.secondPersonRequired).toBe(true);
});

test("a phished password sets up a code and a passkey: neither opens bank details for a day, however the thief comes in", async () => {
  const { services, organization } = await anOffice({ stepUpRequired: true });
  const phished = await someone(services, { organizationId: organization.id });
  const secret = await beginTwo(services, phished);
  const proof = { currentPassword, code: await codeAt(services, secret) };
  const { person, codes } = await enableTwoStep(services, phished, proof);
  const { key, person: withKey } = await addNewKey(services, person, "Mine", codes[0]);
  expect([person.provenAt, withKey.provenAt]).toEqual([undefined, undefined]);
  const isNew = { status: 403, code: "STEP_UP_REQUIRED", message: expect.stringContaining("is new") };
  services.clock.advance(STEP_MS);
  expect(await refusal(stepUpWithCode(services, withKey, await codeAt(services, secret)))).toMatchObject(isNew);
  const asked = await askForPasskey(services, { person: withKey });
  expect(asked.options.allowCredentials).toEqual([]);
  const shown = { passkey: await key.sign(asked.options.challenge), kept: asked.kept };
  expect(await refusal(stepUpWithPasskey(services, withKey, shown))).toMatchObject(isNew);
  const totp = await codeAt(services, secret);
  const byCode = await signIn(services, ORIGIN, { login: person.email, password: PASSWORD, totp });
  const first = await askForPasskey(services, {});
  const byKey = await signInWithPasskey(services, ORIGIN, {
    passkey: await key.sign(first.options.challenge),
    kept: first.kept,
  });
  expect([byCode.person.provenAt, byKey.person.provenAt]).toEqual([undefined, undefined]);
  expect(await findSecondSteps(services, byKey.person)).toMatchObject({ asksCode: false, takesPasskey: false });

  services.clock.advance(DAY_MS);
  const owner = await signedIn(services, person.userId);
  expect(await findSecondSteps(services, owner)).toEqual({ asksCode: true, takesPasskey: true, opensFrom: null });
  await stepUpWithCode(services, owner, await codeAt(services, secret));
  expect((await again(services, owner.sessionId)).provenAt).toBe(services.clock.now());
});

test("who gave a code lately moves it to another app without waiting", async () => {
  const services = testServices();
  const { person, codes } = await someoneWithTwoStep(services);
  await stepUpWithCode(services, person, codes[0] ?? "");
  const proven = await again(services, person.sessionId);
  const off = await disableTwoStep(services, proven, { currentPassword, code: codes[1] ?? "" });
  const secret = await beginTwo(services, off.person);
  const on = await enableTwoStep(services, off.person, { currentPassword, code: await codeAt(services, secret) });
  expect(await findSecondSteps(services, on.person)).toMatchObject({ asksCode: true, opensFrom: null });
});

test("a second key that is added in a session of a new one is as new; one that an older key vouches for counts at once", async () => {
  const { services, organization } = await anOffice({ passkeyForApprovals: true });
  const { person: thief } = await addNewKey(services, await someone(services, { organizationId: organization.id }));
  const { person: still } = await addNewKey(services, thief, "Another");
  expect(still.passkeyCountsFrom).toBe(services.clock.now() + DAY_MS);
  services.clock.advance(DAY_MS);
  const { person: owner } = await addNewKey(services, still, "Third");
  expect(owner.passkeyCountsFrom).toBe(services.clock.now());
});

test.each<keyof Policy>(["passkeyForApprovals", "passkeyForFiles", "passkeyForPolicies", "passkeyForPeople"])(
  "where %s alone is on, a phished password and code add no key beside the owner's",
  async (name) => {
    const { services, organization } = await anOffice({ [name]: true });
    const { person, secret } = await someoneWithTwoStep(services, { organizationId: organization.id });
    await addKey(services, person, "Phone", await codeAt(services, secret));
    services.clock.advance(30_000);
    const phished = await signedIn(services, person.userId);
    const code = await codeAt(services, secret);
    expect(await refusal(beginPasskey(services, phished, { currentPassword, code }))).toMatchObject(needsPasskey);
  },
);

test("where passkeys are required, a thief's new key decides nothing either", async () => {
  const { services, organization } = await anOffice({ passkeysRequired: true, passkeyGraceDays: 0 });
  const { key, person } = await addNewKey(services, await someone(services, { organizationId: organization.id }));
  expect([person.needsPasskey, refusalOf(person, "change")?.code]).toEqual([true, "PASSKEY_REQUIRED"]);
  services.clock.advance(DAY_MS);
  const { options, kept } = await askForPasskey(services, {});
  const came = await signInWithPasskey(services, ORIGIN, { passkey: await key.sign(options.challenge), kept });
  expect(came.person.needsPasskey).toBe(false);
});

test("the owner removes a thief's new key with their password, although the organisation asks for passkeys", async () => {
  const { services, organization } = await anOffice({ passkeysRequired: true, passkeyGraceDays: 0 });
  const { person } = await addNewKey(services, await someone(services, { organizationId: organization.id }));
  const owner = await signedIn(services, person.userId);
  const [row] = await services.db.select().from(passkeys).where(eq(passkeys.userId, person.userId));
  await removePasskey(services, owner, { passkeyId: row?.id ?? "", currentPassword });
  expect(await services.db.select().from(passkeys).where(eq(passkeys.userId, person.userId))).toEqual([]);
});

test("a thief with the mailbox and a code resets the password: the owner's passkey stays, a new one goes, and none is added", async () => {
  const { services, organization } = await anOffice({ passkeyForFiles: true });
  const { person, secret } = await someoneWithTwoStep(services, { organizationId: organization.id });
  const { key, person: owner } = await addKey(services, person, "Phone", await codeAt(services, secret));
  const [own] = await services.db.select().from(passkeys).where(eq(passkeys.userId, owner.userId));
  if (!own) throw new Error("no passkey");
  const thiefs = { ...own, id: services.ids.next(), credentialId: "thief", countsFrom: services.clock.now() + 1 };
  await services.db.insert(passkeys).values(thiefs);

  await askForPasswordReset(services, ORIGIN, { email: person.email });
  await workOnResets(services);
  const password = "Brighter-heron-8";
  await resetPassword(services, ORIGIN, { token: await tokenSentTo(services, person.email), password });
  const left = await services.db.select().from(passkeys).where(eq(passkeys.userId, owner.userId));
  expect(left.map(({ id }) => id)).toEqual([own.id]);
  services.clock.advance(30_000);
  const thief = await signedIn(services, person.userId);
  const proof = { currentPassword: password, code: await codeAt(services, secret) };
  expect(await refusal(beginPasskey(services, thief, proof))).toMatchObject(needsPasskey);
  const { options, kept } = await askForPasskey(services, {});
  expect(
    (await signInWithPasskey(services, ORIGIN, { passkey: await key.sign(options.challenge), kept })).person.userId,
  ).toBe(person.userId);
});

test("a stolen session of an administrator makes nobody an approver where roles are signed, and ends access all the same", async () => {
  const { services, organization } = await anOffice({ passkeyForPeople: true });
  const { actor, key } = await anApprover(services, organization, "admin");
  const clerk = await someone(services, {
    organizationId: organization.id,
    membership: "read_only",
    role: "read_only",
  });
  const asked = {
    organizationId: organization.id,
    userId: clerk.userId,
    change: { act: "change_role", role: "admin" },
  } as const;
  const { extra } = await refusal(changeMember(services, actor, { ...asked, signed: {} }));
  const approval = extra?.approval as OfferedApproval;
  expect(approval.shows).toContainEqual({ term: "Role", value: "Administrator" });
  const signed = { shownToPasskey: approval.sealed, passkey: await key.sign(approval.options?.challenge ?? "") };
  const other = { ...asked, change: { act: "change_role", role: "member" } } as const;
  expect(await refusal(changeMember(services, actor, { ...other, signed }))).toMatchObject({
    code: "APPROVAL_CHANGED",
  });
  await changeMember(services, actor, { ...asked, signed });
  await changeMember(services, actor, { ...asked, change: { act: "change_role", role: "read_only" } });
  await changeMember(services, actor, { ...asked, change: { act: "deactivate" } });
  await changeMember(services, actor, { ...asked, change: { act: "reactivate" } });
});

test("a stolen session of an administrator invites nobody who decides where roles are signed; who only reads is invited", async () => {
  const { services, organization } = await anOffice({ passkeyForPeople: true });
  const { actor, key } = await anApprover(services, organization, "admin");
  const invitations = async () =>
    (await listInvitations(services, organization.id)).map(({ email, role }) => [email, role]);
  const [partner, clerk] = [`partner@${aDomain(services)}`, `clerk@${aDomain(services)}`];
  const asked = { email: partner, role: "admin" } as const;
  expect(await refusal(invitePerson(services, actor, asked))).toMatchObject(needsPasskey);
  const { extra, ...refused } = await refusal(invitePerson(services, actor, asked, {}));
  expect(refused).toMatchObject(needsPasskey);
  const approval = extra?.approval as OfferedApproval;
  expect(approval.shows).toEqual([
    { term: "Decision", value: "Give this person the role" },
    { term: "Email", value: partner },
    { term: "Role", value: "Administrator" },
    { term: "Organisation", value: actor.organizationName },
  ]);
  await invitePerson(services, actor, { email: clerk, role: "read_only" }, {});
  expect(await invitations()).toEqual([[clerk, "read_only"]]);
  const signed = { shownToPasskey: approval.sealed, passkey: await key.sign(approval.options?.challenge ?? "") };
  const other = { email: `thief@${aDomain(services)}`, role: "admin" } as const;
  expect(await refusal(invitePerson(services, actor, other, signed))).toMatchObject({ code: "APPROVAL_CHANGED" });
  await invitePerson(services, actor, asked, signed);
  expect((await invitations()).sort()).toEqual(
    [
      [clerk, "read_only"],
      [partner, "admin"],
    ].sort(),
  );
  const again = await refusal(invitePerson(services, actor, { ...asked, email: `two@${aDomain(services)}` }, signed));
  expect(again).toMatchObject({ code: "APPROVAL_CHANGED" });
});
