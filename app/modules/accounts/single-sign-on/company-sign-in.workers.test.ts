import {
  alerts,
  auditLogs,
  organizationDomains,
  organizationPolicies,
  providerPeople,
  sessions,
  users,
} from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { refusalOf } from "~/kernel/access";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { endAllAccess } from "~/modules/accounts/identity/account.server";
import { askForPasskey, finishSignInWithPasskey } from "~/modules/accounts/identity/passkey-sign-in.server";
import { findPersonBySession } from "~/modules/accounts/identity/person.server";
import { finishSignIn, signIn } from "~/modules/accounts/identity/sign-in.server";
import { TotpRequired } from "~/modules/accounts/identity/sign-in-steps.server";
import type { MemberChange } from "~/modules/accounts/members/members";
import { changeMember } from "~/modules/accounts/members/members.server";
import { selectOrganization } from "~/modules/accounts/members/switch-organization.server";
import {
  changeDomain,
  listDomains,
  lookAtProofs,
  proofOfDomain,
  proveDomain,
} from "~/modules/accounts/organizations/domains.server";
import { raiseAlerts } from "~/modules/messages/alerts/trail.server";
import type { Services } from "~/services-and-actor";
import type { Lie } from "../../../../simulators/identity/tokens";
import { mailsOf, mailsTo, someone, someoneWithTwoStep } from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { addKey, decideFor } from "../../../../tests/support/passkeys";
import { peek } from "../../../../tests/support/payees";
import { aDomain, aPerson, belongs, claims, findUser, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { aWorld } from "../../../../tests/support/simulators";
import {
  aCompany,
  asActor,
  comeBack,
  comeIn,
  issuerOf,
  proof,
  settingsOf,
  signInThere,
  signInWithCompany,
  test as testProvider,
} from "../../../../tests/support/single-sign-on";
import { SIMULATORS_ORIGIN } from "../../../../tests/support/test-env";
import { beginCompanySignIn, beginRenewal, findVouchedSession, linkAccount } from "./company-sign-in.server";
import { hasSoleClaim } from "./provider-rule.server";
import { chooseMode, saveProvider } from "./settings.server";

const world = aWorld();

const refused = { status: 401, code: "PROVIDER_REFUSED" };
const expired = { status: 401, code: "SIGN_IN_EXPIRED" };

const trailOf = async (services: Services, organizationId: string) =>
  (
    await services.db
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(eq(auditLogs.organizationId, organizationId))
  ).map(({ action }) => action);

const linksOf = (services: Services, organizationId: string) =>
  services.db.select().from(providerPeople).where(eq(providerPeople.organizationId, organizationId));

async function ticketOf(email: string) {
  const outcome = await comeIn(world, { email });
  if (!("ticket" in outcome)) throw new Error("the account was opened");
  return outcome.ticket;
}

test.each(["microsoft", "google", "okta"] as const)(
  "a newcomer comes in at %s, reads, and is asked to confirm the address",
  async (tenant) => {
    const { organization, domain } = await aCompany(world, { tenant });
    const person = await signInWithCompany(world, { email: `mira@${domain}` });
    expect(person).toMatchObject({
      email: `mira@${domain}`,
      firstName: "Mira",
      lastName: "Okafor",
      role: "read_only",
      status: "active",
      emailVerified: false,
      organizationId: organization.id,
      signInMethod: "provider",
      vouchedBy: { organizationId: organization.id, until: world.clock.now() + HOUR_MS },
    });
    expect(await mailsTo(world, person.email)).toContain("emailConfirmation");
    expect(await trailOf(world, organization.id)).toEqual(
      expect.arrayContaining([
        "organization.provider_set",
        "organization.provider_tested",
        "member.provider_joined",
        "session.started",
      ]),
    );
    const again = await signInWithCompany(world, { email: `mira@${domain}`, firstName: "Somebody", lastName: "Else" });
    expect(again).toMatchObject({ userId: person.userId, firstName: "Mira", lastName: "Okafor", role: "read_only" });
  },
);

test("newcomers get the role that the administrator chose", async () => {
  const { domain } = await aCompany(world, { newcomerRole: "member" });
  expect(await signInWithCompany(world, { email: `mira@${domain}` })).toMatchObject({ role: "member" });
});

test("a name that could not stand in our emails is not taken from a provider", async () => {
  const { domain } = await aCompany(world);
  const person = await signInWithCompany(world, {
    email: `mira@${domain}`,
    firstName: "https://evil.example",
    lastName: "x",
  });
  expect(person).toMatchObject({ firstName: "mira", lastName: "" });
});

const LIES: Lie[] = [
  "unverified",
  "other_issuer",
  "mixed_up",
  "wrong_nonce",
  "wrong_audience",
  "other_party",
  "two_audiences",
  "unsigned",
  "own_secret",
  "unknown_key",
  "expired",
];

test.each(LIES)(
  "a provider's answer that is %s signs nobody in, makes no account, and stands in the trail",
  async (lie) => {
    const { organization, domain } = await aCompany(world);
    const email = `victim@${domain}`;
    await expect(comeIn(world, { email, lie })).rejects.toMatchObject(refused);
    expect(await findUser(world, email)).toBeUndefined();
    expect(await trailOf(world, organization.id)).toContain("session.vouched_refused");
    expect(await signInWithCompany(world, { email })).toMatchObject({ email });
  },
);

test.each(["microsoft", "google"] as const)(
  "at %s an address that nobody verified opens no account either",
  async (tenant) => {
    const { domain } = await aCompany(world, { tenant });
    await expect(comeIn(world, { email: `victim@${domain}`, lie: "unverified" })).rejects.toMatchObject(refused);
  },
);

test("a provider that changed its keys is believed with the new one at once, and not with the old one", async () => {
  const { domain } = await aCompany(world);
  const begun = await beginCompanySignIn(world, { email: `mira@${domain}`, next: null });
  await world.visit("/identity/okta/rotate", {});
  const query = await signInThere(world, begun.address, { email: `mira@${domain}` });
  expect(await comeBack(world, begun, query)).toHaveProperty("signedIn");
});

test("what came back once does not come back again, nor in another browser, nor after ten minutes", async () => {
  const { domain } = await aCompany(world);
  const who = { email: `mira@${domain}` };
  const begun = await beginCompanySignIn(world, { email: who.email, next: null });
  const query = await signInThere(world, begun.address, who);
  const another = await beginCompanySignIn(world, { email: who.email, next: null });
  await expect(comeBack(world, another, query)).rejects.toMatchObject(refused);
  expect(await comeBack(world, begun, query)).toHaveProperty("signedIn");
  await expect(comeBack(world, begun, query)).rejects.toMatchObject(expired);
  const late = await beginCompanySignIn(world, { email: who.email, next: null });
  const lateQuery = await signInThere(world, late.address, who);
  world.clock.advance(10 * MINUTE_MS);
  await expect(comeBack(world, late, lateQuery)).rejects.toMatchObject(expired);
});

test("an answer for one organisation is no answer for another, whose address it comes to", async () => {
  const one = await aCompany(world);
  const two = await aCompany(world);
  const begun = await beginCompanySignIn(world, { email: `mira@${one.domain}`, next: null });
  const query = await signInThere(world, begun.address, { email: `mira@${one.domain}` });
  await expect(comeBack(world, begun, query, { organizationId: two.organization.id })).rejects.toMatchObject(expired);
});

test("a provider that vouches for an address of somebody else's domain links nobody", async () => {
  const { domain } = await aCompany(world);
  const stranger = await someone(world, { email: `ceo@${aDomain(world, "elsewhere")}` });
  const begun = await beginCompanySignIn(world, { email: `mira@${domain}`, next: null });
  const query = await signInThere(world, begun.address, { email: stranger.email });
  await expect(comeBack(world, begun, query)).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining("does not belong to your organisation alone"),
  });
});

test("a domain that another organisation has claimed too links nobody new, and lets in who is linked", async () => {
  const { domain, organization } = await aCompany(world);
  const linked = await signInWithCompany(world, { email: `mira@${domain}` });
  await claims(world, (await anOrganization(world)).id, domain);
  await expect(comeIn(world, { email: `new@${domain}` })).rejects.toMatchObject(refused);
  expect(await signInWithCompany(world, { email: `mira@${domain}` })).toMatchObject({ userId: linked.userId });
  expect(await linksOf(world, organization.id)).toHaveLength(2);
});

/** Publishes DNS records for a domain that name its organisation. */
async function publishAt(domain: string, ...texts: string[]) {
  const body = JSON.stringify({ name: `_payeeproof.${domain}`, type: "TXT", data: texts.map((text) => `"${text}"`) });
  await world.ask(new Request(`${SIMULATORS_ORIGIN}/dns/records`, { method: "POST", body }));
}

/** A company named by its DNS, while another organisation claims its domain with a mailbox. */
async function aProvedCompany() {
  const company = await aCompany(world);
  const rival = await anOrganization(world);
  await claims(world, rival.id, company.domain);
  await publishAt(company.domain, proofOfDomain(company.organization.id, company.domain).text);
  const own = async () =>
    (await listDomains(world, company.organization.id)).find(({ domain }) => domain === company.domain);
  await proveDomain(world, company.admin, { id: (await own())?.id ?? "" });
  return { ...company, rival, own };
}

const goneIn = async (organizationId: string) =>
  (await trailOf(world, organizationId)).filter((action) => action === "organization.domain_proof_gone").length;

test("a proof whose DNS record is gone links nobody new at once, and is none any more a day later; the administrators are told of both", async () => {
  const { organization, domain, admin, own } = await aProvedCompany();
  const linked = await signInWithCompany(world, { email: `mira@${domain}` });
  world.clock.advance(30 * DAY_MS);
  await lookAtProofs(world);
  expect(await own()).toMatchObject({ proofGoneAt: null, proofDueAt: world.clock.now() + 30 * DAY_MS });

  await publishAt(domain);
  world.clock.advance(2 * HOUR_MS);
  await expect(comeIn(world, { email: `thief@${domain}` })).rejects.toMatchObject(refused);
  await expect(comeIn(world, { email: `thief@${domain}` })).rejects.toMatchObject(refused);
  expect(await own()).toMatchObject({ provedAt: expect.any(Number), proofGoneAt: world.clock.now() });
  expect(await goneIn(organization.id)).toBe(1);
  world.clock.advance(23 * HOUR_MS);
  await lookAtProofs(world);
  expect(await own()).toMatchObject({ provedAt: expect.any(Number) });
  world.clock.advance(HOUR_MS);
  await lookAtProofs(world);
  expect(await own()).toMatchObject({ provedAt: null, proofDueAt: null, proofGoneAt: null });
  expect(await goneIn(organization.id)).toBe(2);
  while ((await raiseAlerts(world)) > 0);
  const told = await peek.select({ title: alerts.title }).from(alerts).where(eq(alerts.userId, admin.userId));
  expect(told.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["DNS record of an email domain missing", "Email domain no longer proved"]),
  );
  expect(await signInWithCompany(world, { email: `mira@${domain}` })).toMatchObject({ userId: linked.userId });
  await expect(comeIn(world, { email: `thief@${domain}` })).rejects.toMatchObject(refused);
});

test("a domain that the build before proved while this one was deployed is looked at as well", async () => {
  const { domain, own } = await aProvedCompany();
  await peek.update(organizationDomains).set({ proofDueAt: null }).where(eq(organizationDomains.domain, domain));
  await publishAt(domain);
  await lookAtProofs(world);
  expect(await own()).toMatchObject({ proofGoneAt: world.clock.now() });
});

test("a DNS that does not answer takes no proof away, and a record that is back within the day counts again", async () => {
  const { organization, domain, own } = await aProvedCompany();
  world.clock.advance(40 * DAY_MS);
  await world.fault({ party: "dns", fault: "503", times: 99, path: "query" });
  await lookAtProofs(world);
  expect(await own()).toMatchObject({ provedAt: expect.any(Number), proofGoneAt: null });
  world.clock.advance(2 * DAY_MS);
  expect(await signInWithCompany(world, { email: `one@${domain}` })).toMatchObject({ organizationId: organization.id });
  expect(await goneIn(organization.id)).toBe(0);

  await world.clearFaults();
  await publishAt(domain);
  world.clock.advance(2 * DAY_MS);
  await lookAtProofs(world);
  expect(await own()).toMatchObject({ proofGoneAt: world.clock.now() });
  await publishAt(domain, proofOfDomain(organization.id, domain).text);
  expect(await signInWithCompany(world, { email: `two@${domain}` })).toMatchObject({ organizationId: organization.id });
  expect(await own()).toMatchObject({ provedAt: expect.any(Number), proofGoneAt: null });
});

test("a domain that release 0.1.0 proved, which wrote no date, is looked at again by the schedule", async () => {
  const { domain, organization, own } = await aProvedCompany();
  const isMine = eq(organizationDomains.organizationId, organization.id);
  await world.db.update(organizationDomains).set({ proofDueAt: null }).where(isMine);
  await publishAt(domain);
  world.clock.advance(HOUR_MS);
  await lookAtProofs(world);
  expect(await own()).toMatchObject({ proofGoneAt: world.clock.now() });
  await world.db.update(organizationDomains).set({ proofDueAt: null }).where(isMine);
  world.clock.advance(DAY_MS);
  await lookAtProofs(world);
  expect(await own()).toMatchObject({ provedAt: null });
});

test("another organisation that takes the DNS over proves the domain as its own: the former one links nobody by it", async () => {
  const { organization, domain, rival } = await aProvedCompany();
  world.clock.advance(HOUR_MS);
  await publishAt(domain, proofOfDomain(rival.id, domain).text);
  const buyer = asActor(await someone(world, { organizationId: rival.id, membership: "admin", role: "admin" }));
  const [claimed] = await listDomains(world, rival.id);
  expect(await proveDomain(world, buyer, { id: claimed?.id ?? "" })).toBe(domain);
  expect(await hasSoleClaim(world, organization.id, `mira@${domain}`)).toBe(false);
  expect(await hasSoleClaim(world, rival.id, `mira@${domain}`)).toBe(true);
  await expect(beginCompanySignIn(world, { email: `mira@${domain}`, next: null })).rejects.toMatchObject({
    fieldErrors: { email: [expect.stringContaining("No organisation")] },
  });
});

test("a stranger with a mailbox claims the domain too: once its DNS names the organisation, that changes nothing", async () => {
  const { organization, domain, admin } = await aCompany(world);
  const rival = await anOrganization(world);
  await claims(world, rival.id, domain);
  const [claimed] = await listDomains(world, organization.id);
  const id = claimed?.id ?? "";
  const publish = (...texts: string[]) => publishAt(domain, ...texts);
  const notProven = { status: 409, code: "DOMAIN_NOT_PROVEN" };
  await expect(proveDomain(world, admin, { id })).rejects.toMatchObject(notProven);
  await publish("v=spf1 -all", proofOfDomain(rival.id, domain).text);
  await expect(proveDomain(world, admin, { id })).rejects.toMatchObject(notProven);
  await expect(comeIn(world, { email: `mira@${domain}` })).rejects.toMatchObject(refused);

  await publish("v=spf1 -all", proofOfDomain(organization.id, domain).text);
  expect(await proveDomain(world, admin, { id })).toBe(domain);
  expect(await signInWithCompany(world, { email: `mira@${domain}` })).toMatchObject({
    organizationId: organization.id,
  });
  const stranger = asActor(await someone(world, { organizationId: rival.id, membership: "admin", role: "admin" }));
  await expect(proveDomain(world, stranger, { id })).rejects.toMatchObject({ status: 404 });
});

test("a squatter who claimed a domain first loses its sign-in to whom its DNS names", async () => {
  const domain = aDomain(world, "realcorp");
  await claims(world, (await anOrganization(world)).id, domain);
  const real = await anOrganization(world);
  await claims(world, real.id, domain);
  const admin = asActor(await someone(world, { organizationId: real.id, membership: "admin", role: "admin" }));
  await publishAt(domain, proofOfDomain(real.id, domain).text);
  const [claimed] = await listDomains(world, real.id);
  await proveDomain(world, admin, { id: claimed?.id ?? "" });
  expect(await hasSoleClaim(world, real.id, `mira@${domain}`)).toBe(true);
});

test("whoever takes over an administrator cannot demote the two who sign in without the provider", async () => {
  const { organization, admin, other } = await aCompany(world, { mode: "required" });
  const change = (act: MemberChange) =>
    changeMember(world, admin, { organizationId: organization.id, userId: other.userId, change: act });
  const wayIn = { status: 409, code: "WAY_IN" };
  await expect(change({ act: "change_role", role: "member" })).rejects.toMatchObject(wayIn);
  await expect(change({ act: "deactivate" })).rejects.toMatchObject(wayIn);
  const third = asActor(await someone(world, { organizationId: organization.id, membership: "admin", role: "admin" }));
  const ways = { wayInOne: admin.userId, wayInTwo: third.userId };
  await chooseMode(world, admin, { mode: "required", newcomerRole: "read_only", ...ways, ...proof });
  await change({ act: "deactivate" });
});

test("an organisation that claims a domain after another has no sign-in for it", async () => {
  const { domain } = await aCompany(world);
  const rival = await anOrganization(world);
  await claims(world, rival.id, domain);
  const begun = await beginCompanySignIn(world, { email: `mira@${domain}`, next: null });
  expect(begun.organizationId).not.toBe(rival.id);
});

test("a domain that was given up leads nowhere", async () => {
  const { domain, admin, organization } = await aCompany(world);
  const [claimed] = await listDomains(world, organization.id);
  await changeDomain(world, admin, { id: claimed?.id ?? "", change: { act: "remove" } });
  await expect(beginCompanySignIn(world, { email: `mira@${domain}`, next: null })).rejects.toMatchObject({
    fieldErrors: { email: [expect.stringContaining("No organisation")] },
  });
});

test("an account that was there is not opened before its password was given once, and by it alone is linked for good", async () => {
  const { domain, organization } = await aCompany(world);
  const account = await aPerson(world, { email: `old@${domain}`, organizationId: organization.id });
  const ticket = await ticketOf(account.email);
  await expect(linkAccount(world, ORIGIN, ticket, { password: "Wrong-horse-7" })).rejects.toMatchObject({
    fieldErrors: { password: [expect.any(String)] },
  });
  const { person } = await linkAccount(world, ORIGIN, ticket, { password: PASSWORD });
  expect(person).toMatchObject({ userId: account.id, role: "member", vouchedBy: { organizationId: organization.id } });
  expect(await signInWithCompany(world, { email: account.email })).toMatchObject({ userId: account.id });
});

test("linking asks for the code of who has two-step sign-in", async () => {
  const { domain, organization } = await aCompany(world);
  const { person, codes } = await someoneWithTwoStep(world, {
    email: `old@${domain}`,
    organizationId: organization.id,
  });
  const ticket = await ticketOf(person.email);
  expect(ticket.asksCode).toBe(true);
  await expect(linkAccount(world, ORIGIN, ticket, { password: PASSWORD })).rejects.toMatchObject({
    fieldErrors: { code: ["Enter the code"] },
  });
  const linked = await linkAccount(world, ORIGIN, ticket, { password: PASSWORD, code: codes[0] });
  expect(linked.person.signInMethod).toBe("provider_two_step");
});

test("after it was linked the address says nothing: another person of the provider with it is asked for the password", async () => {
  const { domain } = await aCompany(world);
  const first = await signInWithCompany(world, { email: `role@${domain}`, sub: "first-person" });
  const outcome = await comeIn(world, { email: `role@${domain}`, sub: "second-person" });
  expect(outcome).toMatchObject({ ticket: { userId: first.userId } });
  expect(await signInWithCompany(world, { email: `role@${domain}`, sub: "first-person" })).toMatchObject({
    userId: first.userId,
  });
});

test("a linked person whose address changed there is still themself", async () => {
  const { domain } = await aCompany(world);
  const before = await signInWithCompany(world, { email: `married@${domain}`, sub: "one-person" });
  const after = await signInWithCompany(world, { email: `newname@${domain}`, sub: "one-person" });
  expect(after).toMatchObject({ userId: before.userId, email: `married@${domain}` });
});

test("a reset of the password unlinks the account: whoever made it with a provider comes in no more", async () => {
  const { domain, organization } = await aCompany(world);
  const person = await signInWithCompany(world, { email: `ceo@${domain}` });
  await world.db.batch(endAllAccess(world, person.userId) as never);
  expect(await comeIn(world, { email: `ceo@${domain}` })).toHaveProperty("ticket");
  const [link] = (await linksOf(world, organization.id)).filter(({ userId }) => userId === person.userId);
  expect(link).toMatchObject({ subject: null, isMadeHere: false });
});

test("an account of another organisation joins with the newcomers' role, and its session is good here only", async () => {
  const { domain, organization } = await aCompany(world);
  const elsewhere = await anOrganization(world);
  const account = await aPerson(world, {
    email: `both@${domain}`,
    organizationId: elsewhere.id,
    membership: "admin",
    role: "admin",
  });
  const { person } = await linkAccount(world, ORIGIN, await ticketOf(account.email), { password: PASSWORD });
  expect(person).toMatchObject({ organizationId: organization.id, role: "read_only" });
  await expect(selectOrganization(world, person, { organizationId: elsewhere.id })).rejects.toMatchObject({
    code: "PROVIDER_SESSION",
  });
  await world.db.update(users).set({ organizationId: elsewhere.id }).where(eq(users.id, account.id));
  expect(await findPersonBySession(world, person.sessionId, ORIGIN)).toBeUndefined();
});

test("nobody whose access was ended, or who was not approved, comes in by the provider", async () => {
  const { domain, organization } = await aCompany(world);
  for (const status of ["inactive", "rejected"] as const) {
    const account = await aPerson(world, { email: `${status}@${domain}` });
    await belongs(world, account.id, organization.id, "member", status);
    await expect(
      linkAccount(world, ORIGIN, await ticketOf(account.email), { password: PASSWORD }),
    ).rejects.toMatchObject(refused);
  }
});

test("our own staff never come in by a customer's provider", async () => {
  const { domain, organization } = await aCompany(world);
  const staff = await aPerson(world, {
    email: `staff@${domain}`,
    role: "super_admin",
    organizationId: organization.id,
  });
  await expect(linkAccount(world, ORIGIN, await ticketOf(staff.email), { password: PASSWORD })).rejects.toMatchObject(
    refused,
  );
});

test("a session ends an hour after the provider's answer, and the provider is asked again without a question", async () => {
  const { domain } = await aCompany(world);
  const who = { email: `mira@${domain}` };
  const person = await signInWithCompany(world, who);
  world.clock.advance(HOUR_MS - 1);
  expect(await findPersonBySession(world, person.sessionId, ORIGIN)).toBeDefined();
  world.clock.advance(1);
  expect(await findPersonBySession(world, person.sessionId, ORIGIN)).toBeUndefined();
  const session = await findVouchedSession(world, ORIGIN, person.sessionId);
  if (!session) throw new Error("the session was not a vouched one");
  const begun = await beginRenewal(world, session, { next: "/payees", silently: true });
  expect(new URL(begun?.address ?? "").searchParams.get("prompt")).toBe("none");
  expect(begun).toMatchObject({ purpose: "renew", next: "/payees" });
});

test("two-step sign-in that is on here is asked for after the provider, unless the provider asked for two factors", async () => {
  const { domain, organization } = await aCompany(world);
  const { person, codes } = await someoneWithTwoStep(world, {
    email: `two@${domain}`,
    organizationId: organization.id,
  });
  await linkAccount(world, ORIGIN, await ticketOf(person.email), { password: PASSWORD, code: codes[0] });
  await expect(comeIn(world, { email: person.email })).rejects.toBeInstanceOf(TotpRequired);
  const strong = await signInWithCompany(world, { email: person.email, withTwoFactors: true });
  expect(strong.signInMethod).toBe("provider_two_step");
  world.clock.advance(HOUR_MS);
  const renewed = await signInWithCompany(world, { email: person.email }, { presentedSessionId: strong.sessionId });
  expect(renewed.signInMethod).toBe("provider_two_step");
  world.clock.advance(13 * HOUR_MS);
  await expect(
    comeIn(world, { email: person.email }, { presentedSessionId: renewed.sessionId }),
  ).rejects.toBeInstanceOf(TotpRequired);
});

test("an organisation that requires two-step sign-in lets a person change things only if the provider asked for two factors", async () => {
  const { domain, organization } = await aCompany(world, { newcomerRole: "member" });
  await world.db
    .insert(organizationPolicies)
    .values({ organizationId: organization.id, twoStepRequired: true, updatedAt: world.clock.now() });
  const weak = await signInWithCompany(world, { email: `weak@${domain}` });
  expect(refusalOf(weak, "change")).toMatchObject({ code: "TWO_STEP_REQUIRED" });
  const strong = await signInWithCompany(world, { email: `strong@${domain}`, withTwoFactors: true });
  expect(refusalOf(strong, "change")).toBeUndefined();
});

test("where it is required, a password opens nothing, and every wrong or right one is answered alike", async () => {
  const { domain, organization } = await aCompany(world, { mode: "required" });
  const account = await aPerson(world, { email: `member@${domain}`, organizationId: organization.id });
  const answers = await Promise.all(
    [
      { login: account.email, password: PASSWORD },
      { login: account.email, password: "Wrong-horse-7" },
      { login: `nobody@${domain}`, password: "Wrong-horse-7" },
      { login: `ada@${domain}`, password: "Wrong-horse-7" },
    ].map((input) => signIn(world, ORIGIN, input).catch((error) => `${error.status} ${error.code} ${error.message}`)),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^403 PROVIDER_REQUIRED .*requires its people to sign in with their company/);
  const { person } = await linkAccount(world, ORIGIN, await ticketOf(account.email), { password: PASSWORD });
  expect(person.userId).toBe(account.id);
});

test("sessions that began with a password are over the moment it is required, but those of the two who have a way in", async () => {
  const { domain, organization, admin, other } = await aCompany(world);
  const member = await someone(world, { email: `member@${domain}`, organizationId: organization.id });
  const outsider = await someone(world, { organizationId: organization.id });
  await chooseMode(world, admin, {
    mode: "required",
    newcomerRole: "read_only",
    wayInOne: admin.userId,
    wayInTwo: other.userId,
    ...proof,
  });
  const found = await Promise.all(
    [member, outsider, admin, other].map(({ sessionId }) => findPersonBySession(world, sessionId, ORIGIN)),
  );
  expect(found.map(Boolean)).toEqual([false, true, true, true]);
});

test("who was linked does not get out of it with another address", async () => {
  const { domain } = await aCompany(world, { mode: "required" });
  const { userId } = await signInWithCompany(world, { email: `leaver@${domain}` });
  const email = `leaver@${aDomain(world, "private")}`;
  const password = await world.passwords.hash(PASSWORD);
  await world.db.batch(endAllAccess(world, userId) as never);
  await world.db.update(users).set({ email, password }).where(eq(users.id, userId));
  await expect(signIn(world, ORIGIN, { login: email, password: PASSWORD })).rejects.toMatchObject({ status: 401 });
});

test("one of the two signs in past the provider, which is written down and told in an email of its own, whatever happens beside it", async () => {
  const { organization, domain, admin, other } = await aCompany(world, { mode: "required" });
  for (const name of ["one", "two"]) await signInWithCompany(world, { email: `${name}@${domain}` });
  const { person } = await signIn(world, ORIGIN, { login: admin.email, password: PASSWORD });
  expect(person.userId).toBe(admin.userId);
  expect(await trailOf(world, organization.id)).toContain("session.past_provider");
  while ((await raiseAlerts(world)) > 0);
  const told = (await mailsOf(world)).filter(({ to, template }) => to === other.email && template === "alertRaised");
  expect(told.map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ title: expect.stringMatching(/ signed in without the provider$/) }),
  );
});

test("it is required of nobody before it was tested, nor without two administrators with a password of their own", async () => {
  const { admin, other, provider, domain } = await aCompany(world);
  const asked = { mode: "required" as const, newcomerRole: "read_only" as const, ...proof };
  await expect(
    chooseMode(world, admin, { ...asked, wayInOne: admin.userId, wayInTwo: admin.userId }),
  ).rejects.toMatchObject({
    fieldErrors: { wayInTwo: [expect.any(String)] },
  });
  const made = await signInWithCompany(world, { email: `made@${domain}` });
  await world.db.update(users).set({ role: "admin" }).where(eq(users.id, made.userId));
  await expect(
    chooseMode(world, admin, { ...asked, wayInOne: admin.userId, wayInTwo: made.userId }),
  ).rejects.toMatchObject({
    fieldErrors: { wayInTwo: [expect.any(String)] },
  });
  await saveProvider(world, admin, { ...provider, clientSecret: "another-secret" });
  const both = { wayInOne: admin.userId, wayInTwo: other.userId };
  await expect(chooseMode(world, admin, { ...asked, ...both })).rejects.toMatchObject({ code: "PROVIDER_NOT_TESTED" });
  await expect(testProvider(world, admin)).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining("invalid_client"),
  });
});

test("a test with somebody else's account, or begun by another administrator, proves nothing", async () => {
  const { admin, domain } = await aCompany(world, { mode: "off" });
  await expect(testProvider(world, admin, { email: `mira@${domain}` })).rejects.toMatchObject(refused);
  await expect(testProvider(world, admin, { lie: "unverified" })).rejects.toMatchObject(refused);
});

test("another issuer switches it off until it was tested and chosen anew; the secret is never sent to it", async () => {
  const { admin, organization, domain, provider } = await aCompany(world);
  const linked = await signInWithCompany(world, { email: `mira@${domain}` });
  const { clientSecret: _kept, ...rest } = provider;
  await expect(saveProvider(world, admin, { ...rest, issuer: issuerOf("google") })).rejects.toMatchObject({
    fieldErrors: { clientSecret: [expect.any(String)] },
  });
  await saveProvider(world, admin, { ...provider, issuer: issuerOf("google") });
  expect(await settingsOf(world, organization.id)).toMatchObject({ mode: "off", testedAt: null });
  expect(await findPersonBySession(world, linked.sessionId, ORIGIN)).toBeUndefined();
  await testProvider(world, admin);
  await chooseMode(world, admin, { mode: "allowed", newcomerRole: "read_only", ...proof });
  expect(await comeIn(world, { email: `mira@${domain}` })).toHaveProperty("ticket");
});

test("switched off, the sessions that the provider vouched for end, and nobody comes in by it", async () => {
  const { admin, domain } = await aCompany(world);
  const person = await signInWithCompany(world, { email: `mira@${domain}` });
  const begun = await beginCompanySignIn(world, { email: person.email, next: null });
  const query = await signInThere(world, begun.address, { email: person.email });
  await chooseMode(world, admin, { mode: "off", newcomerRole: "read_only", ...proof });
  expect(await world.db.select().from(sessions).where(eq(sessions.id, person.sessionId))).toEqual([]);
  await expect(comeBack(world, begun, query)).rejects.toMatchObject(expired);
});

test("settings take the administrator's password, and an issuer that answers", async () => {
  const { admin, provider } = await aCompany(world);
  await expect(saveProvider(world, admin, { ...provider, currentPassword: "x" })).rejects.toMatchObject({
    fieldErrors: { currentPassword: [expect.any(String)] },
  });
  await expect(
    saveProvider(world, admin, { ...provider, issuer: `${issuerOf("okta")}/nowhere` }),
  ).rejects.toMatchObject({
    fieldErrors: { issuer: [expect.stringContaining("cannot be used")] },
  });
});

test("a person who says no at the provider is not signed in", async () => {
  const { domain } = await aCompany(world);
  await expect(comeIn(world, { email: `mira@${domain}`, cancels: true })).rejects.toMatchObject(refused);
});

test("the client's secret is stored in an envelope and nowhere else", async () => {
  const { organization } = await aCompany(world);
  const { sealedSecret } = await settingsOf(world, organization.id);
  expect(sealedSecret).not.toContain("simulated-client-secret");
  const trail = await world.db
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organization.id)));
  expect(JSON.stringify(trail)).not.toContain("simulated-client-secret");
});

/** Which second step this person is asked for. */
async function stepOf(email: string, presentedSessionId?: string) {
  const error = await comeIn(world, { email }, { presentedSessionId }).catch((thrown: unknown) => thrown);
  if (!(error instanceof TotpRequired)) throw new Error("no second step was asked for");
  return error.ticket;
}

async function aLinkedPersonWithCodes() {
  const company = await aCompany(world);
  const { organization, domain } = company;
  const { person, codes } = await someoneWithTwoStep(world, {
    email: `two@${domain}`,
    organizationId: organization.id,
  });
  await linkAccount(world, ORIGIN, await ticketOf(person.email), { password: PASSWORD, code: codes[0] });
  return { ...company, person, totp: codes[1] ?? "" };
}

test("past the idle limit a session is not carried on: the person goes to the login page, and takes the second step again", async () => {
  const { organization, person, totp } = await aLinkedPersonWithCodes();
  await decideFor(world, organization.id, { idleMinutes: 15 });
  const { person: before } = await finishSignIn(world, ORIGIN, { ticket: await stepOf(person.email), totp });
  world.clock.advance(15 * MINUTE_MS - 1);
  expect(await findVouchedSession(world, ORIGIN, before.sessionId)).toBeDefined();
  world.clock.advance(1);
  expect(await findVouchedSession(world, ORIGIN, before.sessionId)).toBeUndefined();
  await stepOf(person.email, before.sessionId);
});

test("a provider that refuses whom it was to ask is not asked again and again", async () => {
  const { domain } = await aCompany(world);
  const { sessionId } = await signInWithCompany(world, { email: `mira@${domain}` });
  const session = await findVouchedSession(world, ORIGIN, sessionId);
  if (!session) throw new Error("the session was not a vouched one");
  const begun = await beginRenewal(world, session, { next: null, silently: false });
  if (!begun) throw new Error("nothing was begun");
  const query = new URLSearchParams({ error: "interaction_required", state: begun.state, iss: issuerOf("okta") });
  await expect(comeBack(world, begun, query)).rejects.toMatchObject(refused);
});

test("a second step that is taken after the provider was switched off opens nothing", async () => {
  const { admin, person, totp } = await aLinkedPersonWithCodes();
  const ticket = await stepOf(person.email);
  await chooseMode(world, admin, { mode: "off", newcomerRole: "read_only", ...proof });
  await expect(finishSignIn(world, ORIGIN, { ticket, totp })).rejects.toMatchObject(expired);
});

test("where passkeys are asked for, whoever comes by the provider shows theirs, which counts on at the renewal", async () => {
  const { domain, organization } = await aCompany(world, { mode: "required" });
  const { email } = await aPerson(world, { email: `key@${domain}`, organizationId: organization.id });
  const { person } = await linkAccount(world, ORIGIN, await ticketOf(email), { password: PASSWORD });
  const { key } = await addKey(world, person);
  const now = world.clock.now();
  await decideFor(world, organization.id, { passkeysRequired: true, passkeyGraceDays: 0, passkeysRequiredSince: now });
  const ticket = await stepOf(email);
  const without = await finishSignIn(world, ORIGIN, { ticket, totp: "none" });
  expect(refusalOf(without.person, "change")).toMatchObject({ code: "PASSKEY_REQUIRED" });
  const { options, kept } = await askForPasskey(world, { ticket: ticket });
  const passkey = await key.sign(options.challenge);
  const { person: shown } = await finishSignInWithPasskey(world, ORIGIN, { ticket, passkey, kept });
  expect(shown.vouchedBy?.organizationId).toBe(organization.id);
  expect(refusalOf(shown, "change")).toBeUndefined();
  world.clock.advance(HOUR_MS);
  const renewed = await signInWithCompany(world, { email }, { presentedSessionId: shown.sessionId });
  expect(refusalOf(renewed, "change")).toBeUndefined();
});

test("one person of the provider is not linked to two accounts, whichever was begun first", async () => {
  const { domain, organization } = await aCompany(world);
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) => aPerson(world, { email: `${name}@${domain}`, organizationId: organization.id })),
  );
  const tickets = [];
  for (const { email } of [one, two].flatMap((each) => each ?? [])) {
    const outcome = await comeIn(world, { email, sub: "the-same" });
    if ("ticket" in outcome) tickets.push(outcome.ticket);
  }
  const [first, second] = tickets;
  if (!first || !second) throw new Error("an account was opened");
  expect((await linkAccount(world, ORIGIN, first, { password: PASSWORD })).person.email).toBe(`one@${domain}`);
  await expect(linkAccount(world, ORIGIN, second, { password: PASSWORD })).rejects.toMatchObject(expired);
});
