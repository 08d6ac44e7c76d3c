import { auditLogs, changeNotices, organizations, outbox, outsideMessages, payees, users } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { MESSAGES_PER_DAY } from "~/kernel/limits";
import { invitePerson } from "~/modules/accounts/members/invitations.server";
import type { ContactsTold } from "~/modules/messages/notifications/notice-rules";
import { findSendingAllowance, hashRecipient } from "~/modules/messages/notifications/outside-messages.queries.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { detailsOf } from "~/modules/payees/payee.server";
import { toFormValues } from "~/modules/payees/payee-form.server";
import { readPayeePage } from "~/modules/payees/payee-page.server";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { whitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { toCertificateView } from "~/modules/records/certificates/certificate";
import { issueCertificate } from "~/modules/records/certificates/certificate.server";
import { restoreFormerDetails } from "~/modules/verifying/review/restore-former.server";
import { basisOf } from "~/modules/verifying/review/review";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import { action as payeeAction } from "~/routes/_app+/payees.$id";
import { action as editForm } from "~/routes/_app+/payees.$id_.edit";
import { loader as reviewPage } from "~/routes/_app+/verifications.$id";
import type { Actor } from "~/services-and-actor";
import { dyingConnection, losingConnection } from "../support/lost-connections";
import { anAdministration, haveSent } from "../support/organizations";
import { aColleague, alertsAbout, anAddedPayee, noticesOf, peek, readPayee, refusal } from "../support/payees";
import { routeArgs } from "../support/requests";
import { aWorld, type World } from "../support/simulators";

const payeeRoute = routeOf("/api/payees/{id}");
const verificationRoute = routeOf("/api/verifications/{id}");

/**
 * The warning cannot be used up: whoever was a payee's contact is told of changed bank details, whatever else was sent;
 * and as long as they are not told, every place that shows the change says so.
 */

/** The contact of the payee of each test: what one test sends to it does not count for the next. */
let REAL = "";
beforeEach(() => {
  REAL = `accounts@${crypto.randomUUID().slice(0, 12)}.example`;
});

let accounts = 71_000_000;
const anAccount = () => String(accounts++);

/** An organisation with a payee that somebody trusts. */
async function anOffice(given: { email?: string | null; phone?: string | null } = {}) {
  const world = aWorld();
  const { admin, organization } = await anAdministration(world);
  const clerk = await aColleague(world, admin, { firstName: "Carl" });
  const payeeId = await aTrustedPayee(world, admin, { email: REAL, ...given });
  return { world, admin, clerk, organization, payeeId };
}

async function aTrustedPayee(world: World, actor: Actor, given: { email?: string | null; phone?: string | null }) {
  const { payeeId } = await anAddedPayee(world, actor, { accountNumber: anAccount(), ...given });
  await whitelistByHand(world, actor, { payeeId, reason: "Supplier since 2011" });
  return payeeId;
}

/** All that a trial may send to people outside it in a day. */
async function useUpTheDay(world: World, admin: Actor) {
  await haveSent(world, admin.organizationId, MESSAGES_PER_DAY.trial);
  const refused = await refusal(invitePerson(world, admin, { email: "more@elsewhere.example", role: "member" }));
  expect(refused.status).toBe(429);
  await world.drain();
}

type Answer = { formerContact: ContactsTold | null; latestVerification: { id: string } };

async function call(world: World, actor: Actor, payeeId: string, json?: object): Promise<Answer> {
  const init = json ? { method: "PATCH", json } : {};
  const args = await routeArgs(world, actor, `/api/payees/${payeeId}`, { id: payeeId }, init);
  const response = await (json ? payeeRoute.action(args) : payeeRoute.loader(args));
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

const changeAccount = (world: World, actor: Actor, payeeId: string) =>
  call(world, actor, payeeId, { accountNumber: anAccount() });

/** The edit form, posted as confirmed; what the next page says at first. */
async function changeOnThePage(world: World, actor: Actor, payeeId: string) {
  const payee = await readPayee(payeeId);
  const typed = { accountNumber: anAccount(), version: String(payee.version), intent: "confirm" };
  const form = { ...toFormValues(detailsOf(payee)), ...typed };
  const answer = await editForm(await routeArgs(world, actor, `/payees/${payeeId}/edit`, { id: payeeId }, { form }));
  if (!(answer instanceof Response)) throw new Error(JSON.stringify(answer));
  expect(answer.status).toBe(303);
  const [flash = ""] = answer.headers.getSetCookie();
  return atob(decodeURIComponent(flash.split(";")[0]?.split("=")[1] ?? "").split(".")[0] ?? "");
}

async function verificationOf(world: World, actor: Actor, payeeId: string) {
  const { latestVerification } = await call(world, actor, payeeId);
  const { id } = latestVerification;
  const answer = await verificationRoute.loader(await routeArgs(world, actor, `/api/verifications/${id}`, { id }));
  const body = (await answer.json()) as { formerContact: ContactsTold | null };
  const page = await reviewPage(await routeArgs(world, actor, `/verifications/${id}`, { id }));
  return { id, said: body.formerContact, onPage: page.view.contactsTold };
}

async function certificateOf(world: World, actor: Actor, payeeId: string) {
  const { id } = await verificationOf(world, actor, payeeId);
  const verification = await getVerification(world, actor, id);
  await reviewVerification(world, actor, {
    verificationId: id,
    review: { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" },
    basis: basisOf(verification),
  });
  const certificate = await issueCertificate(world, actor, id);
  const { sections, summary } = toCertificateView(certificate, "");
  return { summary, section: sections.find(({ title }) => title === "Notice of the change") };
}

async function viewArgs(world: World, actor: Actor, payeeId: string) {
  const { id } = (await call(world, actor, payeeId)).latestVerification;
  return routeArgs(world, actor, `/verifications/${id}`, { id });
}

const mailsTo = async (world: World, to: string, about = "bank details") =>
  (await world.mails()).filter((mail) => mail.to === to && mail.subject.includes(about));

const toldAlerts = async (world: World, { organizationId, userId }: Actor) =>
  (await alertsAbout(world, organizationId, "contact_not_told")).filter((alert) => alert.userId === userId);

const bankAlerts = async (world: World, { organizationId, userId }: Actor) =>
  (await alertsAbout(world, organizationId, "bank_details_changed")).filter((alert) => alert.userId === userId);

test("the daily limit of a trial is used up, then a clerk changes a trusted payee's account by the API: its contact is told all the same", async () => {
  const { world, admin, clerk, payeeId } = await anOffice();
  await useUpTheDay(world, admin);

  const changed = await changeAccount(world, clerk, payeeId);
  expect(changed.formerContact).toEqual({
    state: "not_told_yet",
    message: "The former contact was NOT told yet: the message is on its way.",
    contacts: [
      {
        channel: "email",
        address: REAL,
        changed: "bank_details",
        state: "not_told_yet",
        reason: { code: null, message: "the message is on its way" },
        toldAt: null,
      },
    ],
  });
  expect((await bankAlerts(world, admin))[0]?.body).toContain("A notice to the former contact is on its way");

  await world.drain();
  expect(await mailsTo(world, REAL)).toHaveLength(1);
  const told = { state: "told", contacts: [{ state: "told", toldAt: new Date(world.clock.now()).toISOString() }] };
  expect((await call(world, clerk, payeeId)).formerContact).toMatchObject(told);
  const { said, onPage } = await verificationOf(world, clerk, payeeId);
  expect(said).toMatchObject(told);
  expect(onPage).toMatchObject({ state: "told", title: "The former contact was told" });
  expect((await readPayeePage(world, clerk, payeeId)).contactsTold).toMatchObject({ state: "told" });
  expect(await toldAlerts(world, admin)).toEqual([]);
  expect(await findSendingAllowance(world, admin.organizationId)).toMatchObject({
    perDay: MESSAGES_PER_DAY.trial,
    sent: MESSAGES_PER_DAY.trial,
  });
  const certificate = await certificateOf(world, admin, payeeId);
  expect(certificate.section?.rows).toEqual([
    { term: "Former contact", value: "The former contact was told." },
    { term: "Contact 1", value: `${REAL}, by email: told on 20 Nov 2026, 2:00 pm` },
  ]);
});

test("the same on the page: the edit's answer says that the contact is not told yet, and a moment later it is", async () => {
  const { world, admin, clerk, payeeId } = await anOffice({ phone: "+61412345678" });
  await useUpTheDay(world, admin);
  const flash = await changeOnThePage(world, clerk, payeeId);
  expect(flash).toContain("The former contact was NOT told yet: the message is on its way.");
  expect((await readPayeePage(world, clerk, payeeId)).contactsTold).toMatchObject({
    state: "not_told_yet",
    title: "The former contact was NOT told yet",
  });
  await world.drain();
  expect(await mailsTo(world, REAL)).toHaveLength(1);
  expect((await world.texts()).map(({ to }) => to)).toEqual(["+61412345678"]);
  expect((await readPayeePage(world, clerk, payeeId)).contactsTold).toMatchObject({ state: "told" });
});

test("the recipient's limits are used up by this organisation and by others: the contact is told all the same", async () => {
  const { world, admin, clerk, organization, payeeId } = await anOffice();
  const others = await anAdministration(world, "Elsewhere");
  const recipientHash = await hashRecipient(world, REAL);
  const sent = (organizationId: string, kind: "payee_link" | "change_notice") => ({
    id: world.ids.next(),
    organizationId,
    kind,
    recipientHash,
    createdAt: world.clock.now(),
  });
  for (let i = 0; i < 10; i++) await peek.insert(outsideMessages).values(sent(organization.id, "payee_link"));
  for (let i = 0; i < 40; i++) {
    await peek.insert(outsideMessages).values(sent(others.organization.id, i % 2 ? "payee_link" : "change_notice"));
  }
  await changeAccount(world, clerk, payeeId);
  await world.drain();
  expect(await mailsTo(world, REAL)).toHaveLength(1);
  expect((await call(world, admin, payeeId)).formerContact).toMatchObject({ state: "told" });
});

test("a payee edited thirty times uses up nothing: another trusted payee's contact is told at once", async () => {
  const { world, admin, clerk, payeeId } = await anOffice();
  const decoy = await aTrustedPayee(world, admin, { email: "decoy@elsewhere.example" });
  for (let i = 0; i < 30; i++) {
    await editPayee(world, clerk, { payeeId: decoy, patch: { accountNumber: anAccount() } });
    await world.drain();
  }
  expect(await mailsTo(world, "decoy@elsewhere.example")).toHaveLength(3);
  await changeAccount(world, clerk, payeeId);
  await world.drain();
  expect(await mailsTo(world, REAL)).toHaveLength(1);

  const look = await call(world, clerk, decoy);
  expect(look.formerContact?.message).toBe(
    "The former contact was NOT told yet: today's changes are collected for one more message.",
  );
  await world.pass(6 * HOUR_MS);
  const [collected] = await mailsTo(world, "decoy@elsewhere.example");
  expect(collected?.text).toContain("27 times, the last time on 20 Nov 2026");
  expect((await call(world, clerk, decoy)).formerContact).toMatchObject({ state: "told" });
});

test("made-up payees use half of the quota at most: the trusted payee's contact is told", async () => {
  const { world, clerk, organization, payeeId } = await anOffice();
  const sentBefore = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: world.ids.next(),
      organizationId: organization.id,
      kind: "change_notice" as const,
      recipientHash: `made-up-${i}`,
      createdAt: world.clock.now(),
    }));
  for (const row of sentBefore(100)) await peek.insert(outsideMessages).values(row);
  const madeUp = await anAddedPayee(world, clerk, { email: "made-up@elsewhere.example" });
  const held = await changeAccount(world, clerk, madeUp.payeeId);
  expect(held.formerContact).toMatchObject({
    state: "not_told_yet",
    contacts: [{ reason: { code: "sender_limit" } }],
  });
  await changeAccount(world, clerk, payeeId);
  await world.drain();
  expect(await mailsTo(world, "made-up@elsewhere.example")).toHaveLength(0);
  expect(await mailsTo(world, REAL)).toHaveLength(1);
  await world.pass(DAY_MS + 6 * HOUR_MS);
  expect(await mailsTo(world, "made-up@elsewhere.example")).toHaveLength(1);
});

test.each([
  [100, "the replaced contact was told a minute before", 2],
  [150, "the message about the replaced contact waits for the quota", 1],
])(
  "%i notices went out, then somebody replaces the contact and changes the account: %s, the bank details are told at once",
  async (count, _case, mails) => {
    const { world, clerk, organization, payeeId } = await anOffice();
    for (let i = 0; i < count; i++) {
      const row = { id: world.ids.next(), organizationId: organization.id, recipientHash: `payee-${i}` };
      await peek.insert(outsideMessages).values({ ...row, kind: "change_notice", createdAt: world.clock.now() });
    }
    await call(world, clerk, payeeId, { email: `taken-${REAL}` });
    await world.pass(MINUTE_MS);
    await changeAccount(world, clerk, payeeId);
    await world.drain();
    expect(await mailsTo(world, REAL, "bank details")).toHaveLength(1);
    expect(await mailsTo(world, REAL, "details")).toHaveLength(mails);
  },
);

test("the quota of notices itself is used up: everything says that the contact is NOT told yet, and the next day it is", async () => {
  const { world, admin, clerk, organization, payeeId } = await anOffice();
  for (let i = 0; i < 200; i++) {
    const row = { id: world.ids.next(), organizationId: organization.id, recipientHash: `payee-${i}` };
    await peek.insert(outsideMessages).values({ ...row, kind: "change_notice", createdAt: world.clock.now() });
  }
  const why = "the organisation has sent as many notices of changes as it can in 24 hours";
  const changed = await changeAccount(world, clerk, payeeId);
  expect(changed.formerContact?.message).toBe(`The former contact was NOT told yet: ${why}.`);
  await world.drain();
  expect(await mailsTo(world, REAL)).toHaveLength(0);
  expect((await bankAlerts(world, admin))[0]?.body).toContain(`The former contact was NOT told yet: ${why}.`);
  expect((await verificationOf(world, clerk, payeeId)).onPage).toMatchObject({
    title: "The former contact was NOT told yet",
    lines: [{ text: `${REAL}, by email: NOT told yet: ${why}. We keep trying.` }],
  });
  const certificate = await certificateOf(world, admin, payeeId);
  expect(certificate.summary).toContain("The former contact was NOT told yet");
  expect(certificate.section?.rows[1]?.value).toBe(`${REAL}, by email: NOT told when this was issued: ${why}`);

  await world.pass(DAY_MS + 6 * HOUR_MS);
  expect(await mailsTo(world, REAL)).toHaveLength(1);
  expect((await call(world, clerk, payeeId)).formerContact).toMatchObject({ state: "told" });
  expect((await toldAlerts(world, admin)).map(({ title }) => title)).toEqual([
    "The former contact has now been told: Wattle Creek Electrical",
  ]);
});

test("the provider is down for two days: NOT told yet, people are told so once, then the contact is told, once", async () => {
  const { world, admin, clerk, payeeId } = await anOffice();
  await world.fault({ party: "mail", fault: "503", times: 1_000 });
  await changeAccount(world, clerk, payeeId);
  await world.drain();
  expect((await call(world, clerk, payeeId)).formerContact).toMatchObject({
    state: "not_told_yet",
    message: "The former contact was NOT told yet: the provider did not accept the message.",
  });
  expect(await toldAlerts(world, admin)).toEqual([]);
  await world.pass(MINUTE_MS);
  const alert = {
    title: "The former contact was NOT told yet: Wattle Creek Electrical",
    body: `We could not tell ${REAL} about the changed bank details yet: the provider did not accept the message. We keep trying, and will tell you when it is sent.`,
  };
  expect(await toldAlerts(world, admin)).toMatchObject([alert]);
  await world.pass(2 * DAY_MS);
  expect(await toldAlerts(world, admin)).toHaveLength(1);
  expect((await call(world, clerk, payeeId)).formerContact).toMatchObject({ state: "not_told_yet" });

  await world.clearFaults();
  await world.pass(HOUR_MS);
  expect(await mailsTo(world, REAL)).toHaveLength(1);
  expect((await call(world, clerk, payeeId)).formerContact).toMatchObject({ state: "told" });
  expect((await toldAlerts(world, admin)).map(({ title }) => title)).toContain(
    "The former contact has now been told: Wattle Creek Electrical",
  );
});

test.each(["429", "401", "timeout", "malformed", "lost_acknowledgement"])(
  "a provider that answers %s for a moment loses nothing, and nobody is sent it twice",
  async (fault) => {
    const world = aWorld({ timeoutMs: 5 });
    const { admin } = await anAdministration(world);
    const payeeId = await aTrustedPayee(world, admin, { email: REAL });
    await world.fault({ party: "mail", fault, times: 2 });
    await changeAccount(world, admin, payeeId);
    await world.pass(MINUTE_MS);
    expect(await mailsTo(world, REAL)).toHaveLength(1);
    expect((await call(world, admin, payeeId)).formerContact).toMatchObject({ state: "told" });
  },
);

test("after thirty days without a provider the contact counts as NOT told, for good", async () => {
  const { world, admin, clerk, payeeId } = await anOffice();
  await world.fault({ party: "mail", fault: "503", times: 1_000 });
  await changeAccount(world, clerk, payeeId);
  await world.pass(MINUTE_MS);
  world.clock.advance(30 * DAY_MS + HOUR_MS);
  await world.pass(HOUR_MS);
  expect((await call(world, clerk, payeeId)).formerContact?.message).toBe(
    "The former contact was NOT told: it could not be sent within 30 days.",
  );
  expect((await toldAlerts(world, admin)).map(({ title }) => title).sort()).toEqual([
    "The former contact was NOT told yet: Wattle Creek Electrical",
    "The former contact was NOT told: Wattle Creek Electrical",
  ]);
});

test("an organisation without a confirmed address sends nothing yet, says so, and sends once an administrator confirms", async () => {
  const { world, admin, clerk, payeeId } = await anOffice();
  const confirm = (emailVerifiedAt: number | null) =>
    peek.update(users).set({ emailVerifiedAt }).where(eq(users.id, admin.userId));
  await confirm(null);
  const changed = await changeAccount(world, clerk, payeeId);
  expect(changed.formerContact?.message).toBe(
    "The former contact was NOT told yet: no administrator of the organisation has confirmed their email address.",
  );
  await world.pass(HOUR_MS);
  expect(await world.mails()).toEqual([]);
  await confirm(world.clock.now());
  await world.pass(HOUR_MS);
  expect(await mailsTo(world, REAL)).toHaveLength(1);
});

test("a suspended organisation sends nothing while it is suspended, and what waited afterwards", async () => {
  const { world, clerk, organization, payeeId } = await anOffice();
  await changeAccount(world, clerk, payeeId);
  const suspend = (active: boolean) =>
    peek.update(organizations).set({ active }).where(eq(organizations.id, organization.id));
  await suspend(false);
  await world.pass(2 * HOUR_MS);
  expect(await world.mails()).toEqual([]);
  await suspend(true);
  await world.pass(2 * HOUR_MS);
  expect(await mailsTo(world, REAL)).toHaveLength(1);
});

test("an email that bounces was not told after all: page, API, alert and certificate say NOT told", async () => {
  const bounced = `bounced@${crypto.randomUUID().slice(0, 8)}.example`;
  const { world, admin, clerk, payeeId } = await anOffice({ email: bounced });
  await changeAccount(world, clerk, payeeId);
  await world.pass(5_000);
  const message = "The former contact was NOT told: the mailbox did not accept the email.";
  expect((await call(world, clerk, payeeId)).formerContact).toMatchObject({ state: "not_told", message });
  expect((await readPayeePage(world, clerk, payeeId)).contactsTold).toMatchObject({ state: "not_told" });
  expect(await toldAlerts(world, admin)).toMatchObject([
    {
      title: "The former contact was NOT told: Wattle Creek Electrical",
      body: `We could not tell ${bounced} about the changed bank details: the mailbox did not accept the email. Call the payee on a number that you had before the change.`,
    },
  ]);
  const { summary, section } = await certificateOf(world, admin, payeeId);
  expect(summary).toContain("The former contact was NOT told");
  expect(section?.rows).toEqual([
    { term: "Former contact", value: message },
    { term: "Contact 1", value: `${bounced}, by email: NOT told: the mailbox did not accept the email` },
  ]);

  // Emails to the address are stopped now: the next notice fails at once, and the page says so.
  await changeAccount(world, clerk, payeeId);
  await world.drain();
  expect((await call(world, clerk, payeeId)).formerContact?.message).toMatch(
    /^The former contact was NOT told: no more emails go to this address/,
  );
});

const decide = async (world: World, actor: Actor, payeeId: string, approved: boolean) => {
  const { id } = await verificationOf(world, actor, payeeId);
  const review = approved
    ? ({ approved, addToGlobalWhitelist: false, reason: "Called the number in the contract" } as const)
    : ({ approved, reason: "Not theirs" } as const);
  await reviewVerification(world, actor, { verificationId: id, review });
};

test.each([true, false])(
  "the payee's page says that the contact was NOT told until somebody decides (approved: %s), then its history does",
  async (approved) => {
    const bounced = `bounced@${crypto.randomUUID().slice(0, 8)}.example`;
    const { world, admin, clerk, payeeId } = await anOffice({ email: bounced });
    await changeAccount(world, clerk, payeeId);
    await world.pass(DAY_MS);
    expect((await readPayeePage(world, admin, payeeId)).contactsTold).toMatchObject({ state: "not_told" });
    await decide(world, admin, payeeId, approved);
    const { contactsTold, timeline } = await readPayeePage(world, admin, payeeId);
    expect(contactsTold).toBeNull();
    expect(timeline.find(({ action }) => action === "payee.contact_not_told")).toMatchObject({
      sentence: "Did NOT tell a contact of the payee about the change",
      reason: "The mailbox did not accept the email",
    });
    expect((await verificationOf(world, admin, payeeId)).onPage).toMatchObject({ state: "not_told" });

    world.clock.advance(DAY_MS);
    await changeAccount(world, clerk, payeeId);
    expect((await readPayeePage(world, admin, payeeId)).contactsTold).not.toBeNull();
  },
);

test("a replaced contact that was NOT told leaves the payee's page when somebody trusts the payee again", async () => {
  const bounced = `bounced@${crypto.randomUUID().slice(0, 8)}.example`;
  const { world, admin, clerk, payeeId } = await anOffice({ email: bounced });
  world.clock.advance(MINUTE_MS);
  await call(world, clerk, payeeId, { email: "new@elsewhere.example" });
  await world.pass(DAY_MS);
  expect((await readPayeePage(world, admin, payeeId)).contactsTold).toMatchObject({ state: "not_told" });
  await decide(world, admin, payeeId, true);
  expect((await readPayeePage(world, admin, payeeId)).contactsTold).toBeNull();
});

test.each([true, false])(
  "a contact replaced on a trusted payee with nothing to decide: the page offers a review, whose decision ends the callout (approved: %s)",
  async (approved) => {
    const bounced = `bounced@${crypto.randomUUID().slice(0, 8)}.example`;
    const { world, admin, clerk, payeeId } = await anOffice({ email: bounced });
    await decide(world, admin, payeeId, true);
    world.clock.advance(MINUTE_MS);
    await call(world, clerk, payeeId, { email: "new@elsewhere.example" });
    await world.pass(DAY_MS);
    const before = await readPayeePage(world, admin, payeeId);
    expect(before).toMatchObject({ status: "whitelisted", verdict: null, contactsTold: { state: "not_told" } });
    const form = { intent: "verify" };
    const started = await payeeAction(await routeArgs(world, admin, `/payees/${payeeId}`, { id: payeeId }, { form }));
    expect((started as Response).status).toBe(303);
    expect((await readPayeePage(world, admin, payeeId)).contactsTold).toMatchObject({ state: "not_told" });
    await decide(world, admin, payeeId, approved);
    const after = await readPayeePage(world, admin, payeeId);
    expect(after).toMatchObject({ contactsTold: null, trust: { whitelisted: approved } });
  },
);

/** Rejected, with the former details restored. */
async function putBack(world: World, actor: Actor, payeeId: string) {
  const { id } = await verificationOf(world, actor, payeeId);
  const reason = "Called them: they changed nothing";
  await restoreFormerDetails(world, actor, { verificationId: id, reason });
}

test("former details put back and trusted: whoever is or was the contact is told which account that is, once each", async () => {
  const { world, admin, clerk, payeeId } = await anOffice({ phone: "+61412345678" });
  const { accountNumber } = await readPayee(payeeId);
  await call(world, clerk, payeeId, { email: `taken-${REAL}`, phone: "+61491570156", accountNumber: anAccount() });
  await world.pass(DAY_MS);
  const { former } = (await reviewPage(await viewArgs(world, admin, payeeId))).view;
  expect(former?.hint).toContain("Anyone who was recently the payee's contact is told about it.");
  await putBack(world, admin, payeeId);
  expect((await call(world, admin, payeeId)).formerContact).toMatchObject({ state: "not_told_yet" });
  expect((await bankAlerts(world, clerk)).find(({ title }) => title.startsWith("Former"))?.body).toContain(
    "The payee is trusted with them again. A notice to the former contact is on its way",
  );
  await world.drain();
  for (const to of [REAL, `taken-${REAL}`]) {
    const [mail, ...more] = await mailsTo(world, to, "put back");
    expect(more).toEqual([]);
    expect(mail?.text).toContain(accountNumber.slice(-3));
    expect(mail?.text).not.toContain(accountNumber);
    expect(mail?.text).not.toContain("Payments are held");
  }
  const texts = (await world.texts()).filter(({ body }) => body.includes("put back the former bank details"));
  expect(texts.map(({ to }) => to).sort()).toEqual(["+61412345678", "+61491570156"]);
  expect((await call(world, admin, payeeId)).formerContact).toMatchObject({ state: "told" });
  expect((await readPayeePage(world, admin, payeeId)).contactsTold).toBeNull();
});

test("former details put back without trust: the contact is told that payments are held, and the new verification says who was told", async () => {
  const { world, admin, clerk, payeeId } = await anOffice();
  await changeAccount(world, clerk, payeeId);
  await peek.update(payees).set({ disputedAt: world.clock.now() }).where(eq(payees.id, payeeId));
  await world.pass(HOUR_MS);
  await putBack(world, admin, payeeId);
  await world.drain();
  expect((await mailsTo(world, REAL, "put back"))[0]?.text).toContain(
    "Payments are held until these details are checked.",
  );
  expect(await verificationOf(world, admin, payeeId)).toMatchObject({
    said: { state: "told" },
    onPage: { state: "told" },
  });
  expect((await readPayeePage(world, admin, payeeId)).contactsTold).toMatchObject({ state: "told" });
});

test("former details put back, and the mailbox does not exist: everybody who decides is told that the contact was NOT told", async () => {
  const bounced = `bounced@${crypto.randomUUID().slice(0, 8)}.example`;
  const { world, admin, clerk, payeeId } = await anOffice({ email: bounced });
  await changeAccount(world, clerk, payeeId);
  await putBack(world, admin, payeeId);
  await world.pass(MINUTE_MS);
  expect((await call(world, admin, payeeId)).formerContact).toMatchObject({ state: "not_told" });
  expect((await toldAlerts(world, admin)).map(({ title }) => title)).toContain(
    "The former contact was NOT told: Wattle Creek Electrical",
  );
});

test("only a former name is put back: no bank details changed, and nobody is told that they did", async () => {
  const { world, admin, clerk, payeeId } = await anOffice();
  await call(world, clerk, payeeId, { name: "Somebody Else" });
  await putBack(world, admin, payeeId);
  await world.drain();
  expect(await mailsTo(world, REAL, "")).toEqual([]);
});

test("a text message that does not arrive beside an email that does: NOT told at every address", async () => {
  const { world, admin, clerk, payeeId } = await anOffice({ phone: "+61412345699" });
  await changeAccount(world, clerk, payeeId);
  await world.pass(5_000);
  expect((await call(world, clerk, payeeId)).formerContact).toMatchObject({
    state: "not_told",
    message: "The former contact was NOT told at every address: the message did not arrive.",
    contacts: [
      { channel: "sms", state: "not_told" },
      { channel: "email", state: "told" },
    ],
  });
  expect((await toldAlerts(world, admin))[0]?.body).toContain("0412 345 699");
  expect(await alertsAbout(world, admin.organizationId, "delivery_failed")).toEqual([]);
});

test("a payee without any contact: nobody was told, and the answer, the alert and the page say so", async () => {
  const { world, admin, clerk, payeeId } = await anOffice({ email: null });
  const why = "The former contact was NOT told: there was no email address or mobile number on file";
  expect((await changeAccount(world, clerk, payeeId)).formerContact).toEqual({
    state: "not_told",
    message: `${why}.`,
    contacts: [],
  });
  expect((await bankAlerts(world, admin))[0]?.body).toContain(`${why}.`);
  expect((await readPayeePage(world, clerk, payeeId)).contactsTold).toEqual({
    state: "not_told",
    title: why,
    lines: [],
  });
});

test("a payee that was never changed has nothing to say of its contacts", async () => {
  const { world, clerk, payeeId } = await anOffice();
  expect((await call(world, clerk, payeeId)).formerContact).toBeNull();
  expect((await readPayeePage(world, clerk, payeeId)).contactsTold).toBeNull();
  expect(await verificationOf(world, clerk, payeeId)).toMatchObject({ said: null, onPage: null });
});

test("only contacts that were on file are told: not the new address of the same edit, and never one that the caller names", async () => {
  const { world, clerk, payeeId } = await anOffice();
  await call(world, clerk, payeeId, { accountNumber: anAccount(), email: "target@elsewhere.example" });
  await world.drain();
  expect((await world.mails()).map(({ to }) => to)).toEqual([REAL]);
});

const jobOf = async (organizationId: string) => {
  const kind = and(eq(outbox.organizationId, organizationId), eq(outbox.kind, "change_notice"));
  const [job] = await peek.select().from(outbox).where(kind).orderBy(asc(outbox.id));
  if (!job) throw new Error("no notice is queued");
  return job;
};

const entriesOf = async (organizationId: string) =>
  (
    await peek
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, "payee.contact_told")))
  ).length;

// It takes its place, keeps what is sent, and counts it.
test.each([1, 2, 3])(
  "the consumer dies around its batch %i: the notice is sent later, once, and counted once",
  async (batch) => {
    for (const when of ["before", "after"] as const) {
      const { world, clerk, organization, payeeId } = await anOffice();
      await changeAccount(world, clerk, payeeId);
      world.sent.length = 0;
      const { id: jobId } = await jobOf(organization.id);
      const dying = { ...world, db: dyingConnection(world.db, { when, batch }) };
      await world.deliver("jobs", { jobId, v: 1 }, dying);
      expect((await noticesOf(organization.id))[0]?.status).toBe(when === "after" && batch > 2 ? "told" : "waiting");
      world.clock.advance(MINUTE_MS);
      await world.deliver("jobs", { jobId, v: 1 });
      expect(await mailsTo(world, REAL)).toHaveLength(1);
      expect(await noticesOf(organization.id)).toMatchObject([{ status: "told", problem: null }]);
      expect(await entriesOf(organization.id)).toBe(1);
      const counted = peek.select().from(outsideMessages).where(eq(outsideMessages.organizationId, organization.id));
      expect(await counted).toHaveLength(1);
    }
  },
);

test.each(["before", "after"] as const)(
  "a connection lost %s a write of the consumer tells nobody twice",
  async (when) => {
    const { world, clerk, organization, payeeId } = await anOffice();
    await changeAccount(world, clerk, payeeId);
    world.sent.length = 0;
    const { id: jobId } = await jobOf(organization.id);
    await world.deliver("jobs", { jobId, v: 1 }, { ...world, db: losingConnection(world.db, when, 2) });
    world.clock.advance(MINUTE_MS);
    await world.deliver("jobs", { jobId, v: 1 });
    expect(await mailsTo(world, REAL)).toHaveLength(1);
    expect(await entriesOf(organization.id)).toBe(1);
  },
);

test("two consumers at once, and a message of the queue that comes twice, send one notice", async () => {
  const { world, clerk, organization, payeeId } = await anOffice();
  await changeAccount(world, clerk, payeeId);
  const { id: jobId } = await jobOf(organization.id);
  await Promise.all([1, 2, 3].map(() => world.deliver("jobs", { jobId, v: 1 })));
  await world.deliver("jobs", { jobId, v: 1 });
  expect(await mailsTo(world, REAL)).toHaveLength(1);
  expect(await entriesOf(organization.id)).toBe(1);
});

test("a queue that gives the notice up does not end it: it is tried again", async () => {
  const { world, clerk, organization, payeeId } = await anOffice();
  await changeAccount(world, clerk, payeeId);
  world.sent.length = 0;
  const { id: jobId } = await jobOf(organization.id);
  await world.deliver("dead-letters", { jobId, v: 1 });
  expect((await noticesOf(organization.id))[0]).toMatchObject({ status: "waiting" });
  await world.pass(MINUTE_MS);
  expect(await mailsTo(world, REAL)).toHaveLength(1);
  expect((await noticesOf(organization.id))[0]).toMatchObject({ status: "told" });
});

/** A message that waits to be collected goes out while the next batch is written. */
async function sendingAtThatMoment(world: World, organizationId: string) {
  const [waiting] = (await noticesOf(organizationId)).filter(({ status }) => status === "waiting");
  const start = () =>
    peek
      .update(changeNotices)
      .set({ startedAt: world.clock.now() })
      .where(eq(changeNotices.id, waiting?.id ?? ""));
  let isFirst = true;
  const db = new Proxy(world.db, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name, target);
      return async (statements: Parameters<typeof world.db.batch>[0]) => {
        if (isFirst) {
          isFirst = false;
          await start();
        }
        return target.batch(statements);
      };
    },
  });
  return { ...world, db };
}

test.each(["edited", "put back"])(
  "details %s at the very moment at which the message goes out are told by another one",
  async (what) => {
    const { world, admin, clerk, organization, payeeId } = await anOffice();
    for (let i = 0; i < 4; i++) {
      await editPayee(world, clerk, { payeeId, patch: { accountNumber: anAccount() } });
      await world.drain();
    }
    const services = await sendingAtThatMoment(world, organization.id);
    if (what === "edited") await editPayee(services, clerk, { payeeId, patch: { accountNumber: anAccount() } });
    else await putBack(services, admin, payeeId);
    const rows = await noticesOf(organization.id);
    expect(rows.at(-1)).toMatchObject({ status: "waiting", mergedInto: null });
  },
);

test("a payee that was paid, was trusted before or was taken off counts as trusted: its first notice has the whole quota", async () => {
  const { world, clerk, organization } = await anOffice();
  const given: readonly Partial<typeof payees.$inferInsert>[] = [
    { paymentCount: 1 },
    { takenOffWhitelistAt: world.clock.now() },
    { whitelisted: true },
    { address: "1 King St" },
  ];
  for (const set of given) {
    const { payeeId } = await anAddedPayee(world, clerk);
    await peek.update(payees).set(set).where(eq(payees.id, payeeId));
    await editPayee(world, clerk, { payeeId, patch: { accountNumber: anAccount() } });
    await editPayee(world, clerk, { payeeId, patch: { accountNumber: anAccount() } });
  }
  const rows = await peek
    .select({ isTrusted: changeNotices.isTrusted })
    .from(changeNotices)
    .where(eq(changeNotices.organizationId, organization.id));
  expect(rows.map(({ isTrusted }) => isTrusted)).toEqual([true, true, true, true, true, true, false, false]);
});
