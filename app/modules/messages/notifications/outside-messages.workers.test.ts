import { billingAccounts, outbox, outsideMessages, users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { MESSAGES_PER_DAY, RECIPIENT_LIMITS, REPORTS } from "~/kernel/limits";
import { listOrganizations, suspendOrganization } from "~/modules/accounts/administration/organizations.server";
import { invitePerson } from "~/modules/accounts/members/invitations.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { sendPhoneCode } from "~/modules/messages/alerts/choices.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import type { Actor } from "~/services-and-actor";
import { anAdministration, haveSent } from "../../../../tests/support/organizations";
import { anAddedPayee, noticesOf, peek, promisedMails, refusal } from "../../../../tests/support/payees";
import { aPerson, ORIGIN } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { aWorld } from "../../../../tests/support/simulators";
import { findSendingAllowance } from "./outside-messages.queries.server";
import {
  reportMessage,
  requireSendingAllowed,
  sendToOutsider,
  sendToOutsidersAsAllowed,
} from "./outside-messages.server";

const invite = (services: TestServices, admin: Actor, email: string) =>
  invitePerson(services, admin, { email, role: "member" });

const jobsOf = (organizationId: string) => peek.select().from(outbox).where(eq(outbox.organizationId, organizationId));

test("a mailer for criminals: an organisation whose admin has confirmed no address sends nothing to strangers", async () => {
  const services = aWorld();
  const { admin, organization } = await anAdministration(services);
  const { payeeId } = await anAddedPayee(services, admin, { email: "victim@elsewhere.example" });
  await peek.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, admin.userId));

  expect(await refusal(invite(services, admin, "stranger@elsewhere.example"))).toMatchObject({
    status: 403,
    code: "EMAIL_NOT_CONFIRMED",
  });
  await editPayee(services, admin, { payeeId, patch: { accountNumber: "98765432" } });
  await services.pass(DAY_MS);
  expect(await services.mails()).toEqual([]);
  expect(await noticesOf(organization.id)).toMatchObject([{ status: "waiting", problem: "sender_unconfirmed" }]);
});

test("a trial sends to all payees of a first week; beyond that it needs a card on file", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  await haveSent(services, organization.id, MESSAGES_PER_DAY.trial - 1);
  await invite(services, admin, "the-last@elsewhere.example");
  expect(await refusal(invite(services, admin, "one-more@elsewhere.example"))).toMatchObject({ status: 429 });
  await peek.insert(billingAccounts).values({ organizationId: organization.id, cardLast4: "4242" });
  await invite(services, admin, "one-more@elsewhere.example");
});

test("a mailer for criminals: whoever complains slows it down, three complaints stop it nearly, and a month forgives", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  await peek.insert(billingAccounts).values({ organizationId: organization.id, cardLast4: "4242" });
  const perDay = async () => (await findSendingAllowance(services, organization.id)).perDay;
  expect(await perDay()).toBe(MESSAGES_PER_DAY.withCard);
  const seen: number[] = [];
  for (let i = 0; i < 4; i++) {
    await haveSent(services, organization.id, 1, { reportedAt: services.clock.now() });
    seen.push(await perDay());
  }
  const { reported, distrusted } = MESSAGES_PER_DAY;
  expect(seen).toEqual([reported, reported, distrusted, distrusted]);
  await haveSent(services, organization.id, distrusted - 4);
  expect(await refusal(invite(services, admin, "victim@elsewhere.example"))).toMatchObject({ status: 429 });
  services.clock.advance(REPORTS.countFor + 1);
  expect(await perDay()).toBe(MESSAGES_PER_DAY.withCard);
});

test("a mailer for criminals: calls at the same moment pass the limit no further than calls one by one", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  await haveSent(services, organization.id, MESSAGES_PER_DAY.trial - 5);
  const calls = Array.from({ length: 15 }, (_, i) => invite(services, admin, `parallel-${i}@elsewhere.example`));
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(await jobsOf(organization.id)).toHaveLength(5);
});

test("a mailer for criminals: forty change notices to one stranger become three, and one that says how many more", async () => {
  const services = aWorld();
  const { admin } = await anAdministration(services);
  const { payeeId } = await anAddedPayee(services, admin, { email: "victim@elsewhere.example" });
  for (let i = 0; i < 40; i++) {
    await editPayee(services, admin, { payeeId, patch: { accountNumber: `${1_000_000 + i}` } });
    await services.drain();
  }
  expect(await services.mails()).toHaveLength(3);
  await services.pass(DAY_MS);
  const [last, ...before] = await services.mails();
  expect(before).toHaveLength(3);
  expect(last?.text).toContain("37 times");
});

test("a mailer for criminals: twelve made-up payees of one stranger are ten notices a day", async () => {
  const services = aWorld();
  const { admin, organization } = await anAdministration(services);
  for (let i = 0; i < 12; i++) {
    const email = "victim@elsewhere.example";
    const { payeeId } = await anAddedPayee(services, admin, { email, accountNumber: `${2_000_000 + i}` });
    await editPayee(services, admin, { payeeId, patch: { accountNumber: `${3_000_000 + i}` } });
    await services.drain();
  }
  expect(await services.mails()).toHaveLength(10);
  const waiting = (await noticesOf(organization.id)).filter(({ status }) => status === "waiting");
  expect(waiting.map(({ problem }) => problem)).toEqual(["recipient_limit", "recipient_limit"]);
});

test("a mailer for criminals: notices at the same moment pass their limit no further than one by one", async () => {
  const services = aWorld();
  const { admin, organization } = await anAdministration(services);
  const sent = Array.from({ length: 97 }, () => ({
    id: services.ids.next(),
    organizationId: organization.id,
    kind: "change_notice" as const,
    recipientHash: "someone",
    createdAt: services.clock.now(),
  }));
  for (const row of sent) await peek.insert(outsideMessages).values(row);
  const added = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      anAddedPayee(services, admin, { email: `payee-${i}@elsewhere.example`, accountNumber: `2000000${i}` }),
    ),
  );
  await Promise.all(
    added.map(({ payeeId }, i) => editPayee(services, admin, { payeeId, patch: { accountNumber: `3000000${i}` } })),
  );
  const jobs = services.sent.splice(0).map(({ jobId }) => jobId);
  await Promise.all(jobs.map((jobId) => services.deliver("jobs", { jobId, v: 1 })));
  expect(await services.mails()).toHaveLength(3);
  const waiting = (await noticesOf(organization.id)).filter(({ status }) => status === "waiting");
  expect(waiting.map(({ problem }) => problem)).toEqual(["sender_limit", "sender_limit", "sender_limit"]);
});

test("a text message carries its report link too, and one command to many contacts stays within the limit", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  await haveSent(services, organization.id, MESSAGES_PER_DAY.trial - 2);
  const numbers = ["+61412000001", "+61412000002", "+61412000003"];
  const messages = numbers.map((to) => ({ kind: "payee_link", channel: "sms", to, body: "Changed." }) as const);
  const { conditions, parts } = await sendToOutsidersAsAllowed(services, organization.id, messages);
  const audit = [{ action: "payee.archived", entityType: "payee", entityId: "x" } as const];
  expect(await runCommand(services, admin, { conditions, parts, audit })).toMatchObject({
    ok: true,
  });
  const sms = (await jobsOf(organization.id)).filter(({ kind }) => kind === "sms");
  const bodies = await Promise.all(sms.map(({ id, sealedPayload }) => services.secrets.open(sealedPayload ?? "", id)));
  expect(bodies).toHaveLength(2);
  for (const body of bodies) expect(body).toMatch(/Changed\. Report a fraud: http[^"]+\/report-message\/[\w.-]+/);
});

test("many organisations together do not fill one stranger's mailbox", async () => {
  const services = testServices();
  const sendOnce = async () => {
    const { admin } = await anAdministration(services);
    const { conditions, part } = await sendToOutsider(services, admin.organizationId, {
      kind: "payee_link",
      channel: "sms",
      to: "+61412000111",
      body: "hello",
    });
    const audit = [{ action: "session.started", entityType: "user", entityId: admin.userId } as const];
    return runCommand(services, admin, { conditions, parts: [part], audit });
  };
  for (let i = 0; i < RECIPIENT_LIMITS.byAll; i++) expect(await sendOnce()).toMatchObject({ ok: true });
  expect(await sendOnce()).toEqual({ ok: false, refused: "recipient_limit" });
});

test("who was sent a message reports it by its link, once; the platform sees it and stops the organisation", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services, `Reported ${services.ids.next()}`);
  await invite(services, admin, "stranger@elsewhere.example");
  const [email] = await promisedMails(services, organization.id);
  const token = String(email?.reportHref).split("/").at(-1) ?? "";
  expect(email?.reportHref).toContain("/report-message/");

  await reportMessage(services, ORIGIN, { token });
  await reportMessage(services, ORIGIN, { token });
  const { organizations: listed } = await listOrganizations(services, { reported: true });
  expect(listed.find(({ id }) => id === organization.id)).toMatchObject({ reports: 1 });

  const platform = await aPerson(services, { role: "super_admin" });
  await suspendOrganization(
    services,
    { userId: platform.id, origin: ORIGIN },
    { organizationId: organization.id, active: false },
  );
  expect(await refusal(invite(services, admin, "next@elsewhere.example"))).toMatchObject({ status: 403 });
});

test("a report link that was made up or altered reports nothing", async () => {
  const services = testServices();
  const { admin, organization } = await anAdministration(services);
  await invite(services, admin, "stranger@elsewhere.example");
  const [email] = await promisedMails(services, organization.id);
  const token = String(email?.reportHref).split("/").at(-1) ?? "";
  const [id] = token.split(".");
  for (const wrong of ["", "unknown", `${id}.`, `${id}.AAAA`, `${token}x`]) {
    expect(await refusal(reportMessage(services, ORIGIN, { token: wrong }))).toMatchObject({ status: 404 });
  }
});

test("without a provider of text messages nothing is offered or promised by text, and email goes on", async () => {
  const services = aWorld();
  services.config.hasTexts = false;
  const { admin, organization } = await anAdministration(services);
  const toOutsider = (to: string, channel: "sms" | "email") =>
    channel === "sms"
      ? sendToOutsider(services, organization.id, { kind: "payee_link", to, channel, body: "a link" })
      : requireSendingAllowed(services, organization.id, to);
  expect(await refusal(toOutsider("+61412345678", "sms"))).toMatchObject({ status: 409, code: "TEXTS_OFF" });
  expect(await refusal(requireSendingAllowed(services, organization.id, "+61412345678"))).toMatchObject({
    code: "TEXTS_OFF",
  });
  await toOutsider("payee@elsewhere.example", "email");
  expect(await refusal(sendPhoneCode(services, admin, { phone: "+61412345678" }))).toMatchObject({ code: "TEXTS_OFF" });
  expect((await jobsOf(organization.id)).filter(({ kind }) => kind === "sms")).toEqual([]);
});
