import { alertContacts, auditLogs, sentMessages, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { resumeAlertEmails, stopEmailsHref } from "~/modules/messages/alerts/choices.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import { action as stoppedAction, loader as stoppedLoader } from "~/routes/_app+/settings.stopped-addresses";
import { action as atOnce } from "~/routes/_public+/stop-emails.$token_.at-once";
import type { Actor } from "~/services-and-actor";
import { raiseAllAlerts } from "../support/alerts";
import { aMember } from "../support/factories";
import { aColleague, alertsAbout, peek } from "../support/payees";
import { routeArgs } from "../support/requests";
import { aWorld, type World } from "../support/simulators";

const ALERT = { title: "Payment held", body: "It needs a decision.", href: "http://app.test/payments" };

/** Sends an alert email to an address, as the product sends it. */
async function sendAlert(world: World, actor: Actor, to: string) {
  const stopHref = await stopEmailsHref(world, actor.userId);
  const jobs = await queueEmail(world, actor.organizationId, [to], {
    template: "alertRaised",
    data: { ...ALERT, stopHref },
  });
  const audit = [{ action: "payee.archived", entityType: "payee", entityId: world.ids.next() } as const];
  await runCommand(world, actor, { jobs, audit });
  await world.pass(REPORTED_AFTER_MS);
}

/** The provider reports a moment after it took an email. */
const REPORTED_AFTER_MS = 2_000;

const mailsTo = async (world: World, to: string) => (await world.mails()).filter((mail) => mail.to === to);

const statusOf = async (organizationId: string) =>
  (await peek.select().from(sentMessages).where(eq(sentMessages.organizationId, organizationId))).map(
    ({ status, detail }) => [status, detail],
  );

const entriesOf = (organizationId: string, action: string) =>
  peek
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, action)));

const anAddress = (world: World, name: string) => `${name}@${world.ids.next().slice(-12)}.example`;

test("an alert email carries the headers with which a mail program unsubscribes, and its post answers without a page", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  await sendAlert(world, actor, actor.email);
  const [mail] = await mailsTo(world, actor.email);
  expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  const address = /^<(http.+\/stop-emails\/[^/]+\/at-once)>$/.exec(mail?.headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
  const token = decodeURIComponent(address.split("/").at(-2) ?? "");

  const post = (body: string, params: { token: string }) => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const request = new Request(address, { method: "POST", headers, body });
    const origin = { ipAddress: "203.0.113.9", userAgent: "a mail provider", requestId: world.ids.next() };
    return atOnce({ request, params, context: { services: world, origin, nonce: "" } });
  };
  expect((await post("something=else", { token })).status).toBe(400);
  expect((await post("List-Unsubscribe=One-Click", { token: "unknown" })).status).toBe(404);
  const answer = await post("List-Unsubscribe=One-Click", { token });
  expect([answer.status, await answer.text()]).toEqual([204, ""]);
  const [contact] = await peek.select().from(alertContacts).where(eq(alertContacts.userId, actor.userId));
  expect(contact?.emailStoppedReason).toBe("unsubscribed");
});

test("an email that is no alert carries no such headers", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const to = anAddress(world, "delivered");
  const data = { firstName: "Jo", link: "http://app.test/reset-password/x" };
  const jobs = await queueEmail(world, null, [to], { template: "passwordReset", data });
  const audit = [{ action: "user.password_reset_requested", entityType: "user", entityId: actor.userId } as const];
  await runCommand(world, actor, { jobs, audit });
  await world.drain();
  expect((await mailsTo(world, to))[0]?.headers).toEqual({});
});

test("an email that arrives is marked delivered", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  await sendAlert(world, actor, anAddress(world, "delivered"));
  expect(await statusOf(actor.organizationId)).toEqual([["delivered", null]]);
});

test.each([
  ["bounced", ["failed", "The mailbox does not exist."], /do not arrive/],
  ["complained", ["complained", null], /are unwanted/],
] as const)(
  "after an address %s nothing more is sent there, and an admin is told once",
  async (cause, status, title) => {
    const world = aWorld();
    const actor = await aMember(world);
    const admin = await aColleague(world, actor, { role: "admin" });
    const to = anAddress(world, cause);
    await sendAlert(world, actor, to);
    expect(await statusOf(actor.organizationId)).toEqual([status]);
    expect(await entriesOf(actor.organizationId, "message.address_stopped")).toEqual([
      { details: { cause, email: to } },
    ]);

    expect((await world.webhook(world.lastWebhook())).status).toBe(200);
    expect(await entriesOf(actor.organizationId, "message.address_stopped")).toHaveLength(1);
    const told = await alertsAbout(world, actor.organizationId, "delivery_failed");
    expect(told).toEqual([{ userId: admin.userId, title: expect.stringMatching(title), body: expect.any(String) }]);
    expect(told[0]?.title).toContain(to);

    await sendAlert(world, actor, to.toUpperCase());
    expect(await mailsTo(world, to)).toHaveLength(1);
    expect(await mailsTo(world, to.toUpperCase())).toHaveLength(0);
    expect(await entriesOf(actor.organizationId, "job.given_up")).toEqual([
      { details: { kind: "email", reason: "address_stopped" } },
    ]);

    const look = async (who: Actor) =>
      (await stoppedLoader(await routeArgs(world, who, "/settings/stopped-addresses"))).addresses.map(
        ({ email }) => email,
      );
    const again = async (who: Actor) =>
      stoppedAction(await routeArgs(world, who, "/settings/stopped-addresses", {}, { form: { email: to } }));
    const stranger = await aMember(world, { role: "admin" });
    expect(await look(stranger)).toEqual([]);
    await expect(again(stranger)).rejects.toMatchObject({ init: { status: 404 } });
    expect(await look(admin)).toEqual([to]);
    expect(await again(admin)).toMatchObject({ status: 303 });
    expect(await look(admin)).toEqual([]);
    await sendAlert(world, actor, to);
    expect(await mailsTo(world, to)).toHaveLength(2);
  },
);

test("a person whose address bounced sees it in their profile, can still reset the password, and turns emails on again", async () => {
  const world = aWorld();
  const email = anAddress(world, "bounced");
  const member = await aMember(world, { role: "admin" });
  const actor = { ...member, email };
  await peek.update(users).set({ email }).where(eq(users.id, actor.userId));
  await sendAlert(world, actor, email);
  const stopped = async () => {
    const [row] = await peek.select().from(alertContacts).where(eq(alertContacts.userId, actor.userId));
    return row?.emailStoppedReason ?? null;
  };
  expect(await stopped()).toBe("bounced");
  await raiseAllAlerts(world);

  const data = { firstName: "Jo", link: "http://app.test/reset-password/x" };
  const jobs = await queueEmail(world, null, [email], { template: "passwordReset", data });
  const audit = [{ action: "user.password_reset_requested", entityType: "user", entityId: actor.userId } as const];
  await runCommand(world, actor, { jobs, audit });
  await world.drain();
  expect(await mailsTo(world, email)).toHaveLength(2);

  await resumeAlertEmails(world, actor);
  expect(await stopped()).toBeNull();
  await sendAlert(world, actor, email);
  expect(await mailsTo(world, email)).toHaveLength(3);
});

test("a report that is not signed changes nothing", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const to = anAddress(world, "bounced");
  world.config.mailWebhookSecrets = [`whsec_${btoa("another secret altogether")}`];
  await sendAlert(world, actor, to);
  expect((await world.webhook(world.lastWebhook())).status).toBe(401);
  expect(await statusOf(actor.organizationId)).toEqual([["sent", null]]);
  await sendAlert(world, actor, to);
  expect(await mailsTo(world, to)).toHaveLength(2);
});

test("the provider tries again until the report is taken, and a late report of an earlier state changes nothing", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  world.lose.webhooks = true;
  const to = anAddress(world, "complained");
  await sendAlert(world, actor, to);
  const [mail] = await mailsTo(world, to);
  world.lose.webhooks = false;
  await world.visit(`/mail/${mail?.id}/complained`, {});
  await world.drain();
  await world.visit(`/mail/${mail?.id}/delivered`, {});
  await world.drain();
  expect(await statusOf(actor.organizationId)).toEqual([["complained", null]]);
});
