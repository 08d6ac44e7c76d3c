import { alertChoices, alertContacts, alerts, outbox, rateCounters, trailCursors } from "@db/database";
import { and, eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import { ALERT_TEXTS_A_DAY } from "~/kernel/limits";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import type { Actor } from "~/services-and-actor";
import { raiseAllAlerts } from "../../../../tests/support/alerts";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { anAddedPayee, peek, promisedMails } from "../../../../tests/support/payees";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { aWorld } from "../../../../tests/support/simulators";
import { countUnread, findSubjectsOfAlerts, listAlerts, readAlert, readAllAlerts } from "./alerts.server";
import { BURST_MS } from "./burst.server";
import {
  chooseAlerts,
  confirmPhone,
  openStopEmailsToken,
  sendPhoneCode,
  stopAlertEmails,
  stopEmailsHref,
} from "./choices.server";
import { sendDigests } from "./digest.server";
import { raiseAlerts } from "./trail.server";

/** Clears the alerts for everything that other tests wrote. */
beforeEach(async () => {
  await raiseAllAlerts(testServices());
});

async function aTeam(services: TestServices) {
  const admin = await aMember(services, { role: "admin", firstName: "Ada" });
  const organization = { id: admin.organizationId, name: admin.organizationName };
  const join = (role: "member" | "read_only", firstName: string) =>
    aMember(services, { organization, role, firstName });
  return { admin, mira: await join("member", "Mira"), lena: await join("read_only", "Lena") };
}

const changeDetails = (services: TestServices, actor: Actor, entityId = services.ids.next()) =>
  runCommand(services, actor, {
    audit: [{ action: "payee.bank_details_changed", entityType: "payee", entityId, details: { changes: [] } }],
  });

const alertsOf = ({ organizationId }: Actor) =>
  peek.select().from(alerts).where(eq(alerts.organizationId, organizationId));
const emailsOf = ({ organizationId }: Actor) =>
  peek
    .select()
    .from(outbox)
    .where(and(eq(outbox.organizationId, organizationId), inArray(outbox.kind, ["email", "safety_email"])));

test("an act is told once to everyone it concerns, and never to who did it", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  await changeDetails(services, mira);
  expect(await raiseAlerts(services)).toBe(1);
  expect(await raiseAlerts(services)).toBe(0);
  expect((await alertsOf(admin)).map(({ userId, event }) => [userId, event])).toEqual([
    [admin.userId, "bank_details_changed"],
  ]);
  expect(await emailsOf(admin)).toHaveLength(1);
});

test("who never chose alerts by email is not told that they did", async () => {
  const world = aWorld();
  const { admin, mira, lena } = await aTeam(world);
  const everyAlert = { inApp: true, email: "now", sms: false } as const;
  await chooseAlerts(world, lena, { quiet: null, choices: new Map([["bank_details_changed", everyAlert]]) });
  await changeDetails(world, mira);
  await raiseAlerts(world);
  await world.pass(BURST_MS);
  const mails = await world.mails();
  const reasonTo = ({ email }: Actor) => mails.find(({ to }) => to === email)?.text ?? "";
  expect(reasonTo(admin)).toContain("because administrators are always told about this");
  expect(reasonTo(lena)).toContain("because you chose alerts of this kind by email");
});

test.each(["before", "after"] as const)("a connection lost %s the write tells nobody twice", async (when) => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  await changeDetails(services, mira);
  await raiseAlerts({ ...services, db: losingConnection(services.db, when) });
  await raiseAlerts(services);
  expect(await alertsOf(admin)).toHaveLength(1);
  expect(await emailsOf(admin)).toHaveLength(1);
});

test("readers of three Workers at once tell everything once", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  await changeDetails(services, mira);
  await Promise.all([raiseAlerts(services), raiseAlerts(testServices()), raiseAlerts(testServices())]);
  expect(await alertsOf(admin)).toHaveLength(1);
  expect(await emailsOf(admin)).toHaveLength(1);
});

test("what is written while a Worker's reader runs is told by that run, whoever asks", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  await changeDetails(services, mira);
  const first = raiseAlerts(services);
  await changeDetails(services, mira);
  expect(await raiseAlerts(services)).toBe(0);
  expect(await first).toBe(2);
  expect(await alertsOf(admin)).toHaveLength(2);
});

test("a reader that comes late to its write writes nothing that another wrote", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  await changeDetails(services, mira);
  const ofAlerts = eq(trailCursors.name, "alerts");
  const [cursor] = await peek.select().from(trailCursors).where(ofAlerts);
  const goBack = () =>
    peek
      .update(trailCursors)
      .set({ position: cursor?.position ?? 0 })
      .where(ofAlerts);
  await raiseAlerts(services);
  await goBack();
  await expect(raiseAlerts(services)).rejects.toThrow();
  await goBack();
  expect(await alertsOf(admin)).toHaveLength(1);
  await peek.delete(alerts);
  await raiseAlerts(services);
});

test("quiet hours delay the email, not the alert in the app", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  // 3:00 UTC is 2 pm in Sydney in November.
  await chooseAlerts(services, admin, { choices: new Map(), quiet: { from: 13 * 60, to: 15 * 60 } });
  await changeDetails(services, mira);
  await raiseAlerts(services);
  expect(await alertsOf(admin)).toHaveLength(1);
  expect((await emailsOf(admin))[0]?.dueAt).toBe(services.clock.now() + HOUR_MS);
});

test("what waits for the digest is sent once, in the organisation's morning", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  const digest = { inApp: true, email: "digest", sms: false } as const;
  await chooseAlerts(services, admin, { choices: new Map([["bank_details_changed", digest]]), quiet: null });
  await changeDetails(services, mira);
  await changeDetails(services, mira);
  await raiseAlerts(services);
  await sendDigests(services);
  expect(await emailsOf(admin)).toHaveLength(0);
  services.clock.advance(17 * HOUR_MS);
  await Promise.all([sendDigests(services), sendDigests(services)]);
  expect(await emailsOf(admin)).toHaveLength(1);
  services.clock.advance(DAY_MS);
  await sendDigests(services);
  expect(await emailsOf(admin)).toHaveLength(1);
});

test("forty other alerts do not push a changed account out of the digest, which is tried until it is sent", async () => {
  const world = aWorld();
  const { admin, mira } = await aTeam(world);
  const digest = { inApp: true, email: "digest", sms: false } as const;
  await chooseAlerts(world, admin, { choices: new Map([["bank_details_changed", digest]]), quiet: null });
  for (let i = 0; i < 40; i++) {
    const entityId = world.ids.next();
    await runCommand(world, mira, {
      audit: [{ action: "job.given_up", entityType: "job", entityId, details: { kind: "sms" } }],
    });
  }
  await changeDetails(world, mira);
  await raiseAllAlerts(world);
  world.clock.advance(17 * HOUR_MS);
  await sendDigests(world);
  const ofAdmin = (await emailsOf(admin)).filter(({ status }) => status === "pending");
  expect(ofAdmin.map(({ kind }) => kind)).toContain("safety_email");
  await world.drain();
  const mail = (await world.mails()).find(
    ({ to, text }) => to === admin.email && text.includes("Bank details changed"),
  );
  expect(mail?.text.indexOf("Bank details changed")).toBeLessThan(mail?.text.indexOf("Something was not") ?? 0);
});

test("stopped emails stay stopped; the alert is still there in the app", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  const href = await stopEmailsHref(services, admin.userId);
  const token = decodeURIComponent(href.slice(href.lastIndexOf("/") + 1));
  expect(await openStopEmailsToken(services, token)).toBe(admin.userId);
  expect(await openStopEmailsToken(services, `${token}x`)).toBeUndefined();
  await stopAlertEmails(services, { userId: admin.userId, reason: "unsubscribed", origin: admin.origin });
  await changeDetails(services, mira);
  await raiseAlerts(services);
  expect(await emailsOf(admin)).toHaveLength(0);
  expect(await alertsOf(admin)).toHaveLength(1);
});

test("opening an alert marks it as read; another person's does not exist", async () => {
  const services = testServices();
  const { admin, mira, lena } = await aTeam(services);
  await changeDetails(services, mira);
  await changeDetails(services, mira);
  await raiseAlerts(services);
  const { alerts: shown } = await listAlerts(services, admin, { unreadOnly: true });
  const [newest, oldest] = shown;
  if (!newest || !oldest) throw new Error("two alerts were expected");
  await expect(readAlert(services, lena, oldest.id)).rejects.toMatchObject({ status: 404 });
  expect(await readAlert(services, admin, oldest.id)).toMatch(/^\/payees\//);
  expect(await countUnread(services, admin)).toBe(1);
  await readAllAlerts(services, admin, newest.id);
  await readAllAlerts(services, admin, newest.id);
  expect(await countUnread(services, admin)).toBe(0);
});

test("alerts about the safety of money are tried until they are sent, others for some hours", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  const kinds = async () => (await emailsOf(admin)).map(({ kind }) => kind);
  await changeDetails(services, mira);
  await raiseAlerts(services);
  expect(await kinds()).toEqual(["safety_email"]);
  const job = { entityType: "job", entityId: services.ids.next() } as const;
  const entry = { ...job, action: "message.not_delivered", details: { kind: "sms" } } as const;
  const now = { inApp: true, email: "now", sms: false } as const;
  await chooseAlerts(services, admin, { choices: new Map([["delivery_failed", now]]), quiet: null });
  services.clock.advance(BURST_MS + 1);
  await peek.update(outbox).set({ status: "done" }).where(eq(outbox.organizationId, admin.organizationId));
  await runCommand(services, mira, { audit: [entry] });
  await raiseAlerts(services);
  expect((await kinds()).sort()).toEqual(["email", "safety_email"]);
});

test("what happens within a minute goes to a person as one email, the gravest first, and is out within the minute", async () => {
  const world = aWorld();
  const { admin, mira } = await aTeam(world);
  const now = { inApp: true, email: "now", sms: false } as const;
  await chooseAlerts(world, admin, { choices: new Map([["delivery_failed", now]]), quiet: null });
  const entry = { action: "job.given_up", entityType: "job", details: { kind: "sms" } } as const;
  for (let i = 0; i < 3; i++) {
    await runCommand(world, mira, { audit: [{ ...entry, entityId: world.ids.next() }] });
    await raiseAlerts(world);
    await world.pass(5_000);
  }
  const { payeeId } = await anAddedPayee(world, mira, { name: "Riverbend Timber" });
  await editPayee(world, mira, { payeeId, patch: { bsb: "033001", accountNumber: "98765432" } });
  await raiseAllAlerts(world);
  expect((await emailsOf(admin)).map(({ kind }) => kind).filter((kind) => kind === "safety_email")).toHaveLength(1);
  await world.pass(BURST_MS - 15_000);
  const mails = (await world.mails()).filter(({ to, subject }) => to === admin.email && !subject.includes("onfirm"));
  expect(mails.map(({ subject }) => subject)).toEqual(["Riverbend Timber: bank details changed, and 3 more alerts"]);
  expect(mails[0]?.text).toMatch(/from \d{3}-\d{3} \S*•\d{3} to 033-001 •••••432/);
  expect(mails[0]?.text.match(/Something was not delivered/g)).toHaveLength(3);
  expect(mails[0]?.text).not.toContain("98765432");
});

test("an email that a queue has taken is not added to: what happens meanwhile is the next email", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  await changeDetails(services, mira);
  await raiseAlerts(services);
  await peek
    .update(outbox)
    .set({ leaseId: "a-consumer", leaseUntil: services.clock.now() + 45_000 })
    .where(eq(outbox.organizationId, admin.organizationId));
  await changeDetails(services, mira);
  await raiseAlerts(services);
  expect(await emailsOf(admin)).toHaveLength(2);
  expect(await alertsOf(admin)).toHaveLength(2);
});

test("a queue that takes the email between reading and writing loses no alert", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  await changeDetails(services, mira);
  await raiseAlerts(services);
  await changeDetails(services, mira);
  let isTaken = false;
  const { secrets } = services;
  const racing = {
    ...services,
    secrets: {
      ...secrets,
      open: async (...given: Parameters<typeof secrets.open>) => {
        const opened = await secrets.open(...given);
        if (!isTaken) {
          isTaken = true;
          const taken = { leaseId: "a-consumer", leaseUntil: services.clock.now() + 45_000 };
          await peek.update(outbox).set(taken).where(eq(outbox.organizationId, admin.organizationId));
        }
        return opened;
      },
    },
  };
  await raiseAlerts(racing as TestServices);
  expect(await alertsOf(admin)).toHaveLength(2);
  expect(await emailsOf(admin)).toHaveLength(2);
});

test("attack: an administrator weakens a policy, and changes seventy bank details and roles in the same minute: it has an email of its own", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  for (let i = 0; i < 34; i++) await changeDetails(services, mira);
  for (let i = 0; i < 34; i++) {
    const changed = {
      entityType: "user",
      entityId: mira.userId,
      details: { role: { from: "member", to: "admin" } },
    } as const;
    await runCommand(services, mira, { audit: [{ ...changed, action: "member.role_changed" }] });
  }
  const details = {
    changes: { secondPersonRequired: { from: true, to: false } },
    dueAt: services.clock.now() + DAY_MS,
  };
  const entry = { entityType: "organization", entityId: admin.organizationId, details } as const;
  await runCommand(services, mira, {
    audit: [{ ...entry, action: "organization.policy_weakening_asked" }],
  });
  await raiseAllAlerts(services);
  const mails = (await promisedMails(services, admin.organizationId)).filter(({ to }) => to === admin.email);
  expect(mails.map(({ data }) => [data.title, (data.others as unknown[] | undefined)?.length ?? 0]).sort()).toEqual([
    ["A weaker policy is waiting", 0],
    [expect.stringMatching(/^Bank details changed/), 29],
    ["Role changed", 29],
  ]);
});

test("an email holds thirty alerts and counts the others", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  for (let i = 0; i < 34; i++) await changeDetails(services, mira);
  await raiseAllAlerts(services);
  const [mail, ...more] = (await promisedMails(services, admin.organizationId)).filter(({ to }) => to === admin.email);
  expect(more).toEqual([]);
  expect(mail?.data.others).toHaveLength(29);
  expect(mail?.data.more).toBe(4);
});

test("a number is used only after its code came back, and a code can be tried five times", async () => {
  const services = testServices();
  const { admin } = await aTeam(services);
  await sendPhoneCode(services, admin, { phone: "+61412345678" });
  const [job] = await peek
    .select()
    .from(outbox)
    .where(and(eq(outbox.organizationId, admin.organizationId), eq(outbox.kind, "sms")));
  const text = await services.secrets.open(job?.sealedPayload ?? "", job?.id ?? "");
  const code = /(\d{6}) is your PayeeProof code/.exec(text)?.[1] ?? "";
  const wrong = code === "000000" ? "000001" : "000000";
  await expect(confirmPhone(services, admin, { code: wrong })).rejects.toMatchObject({ status: 400 });
  await confirmPhone(services, admin, { code });
  const [contact] = await peek.select().from(alertContacts).where(eq(alertContacts.userId, admin.userId));
  expect(contact).toMatchObject({ phone: "+61412345678", phoneConfirmedAt: services.clock.now(), phoneCodeHash: null });
  await expect(confirmPhone(services, admin, { code })).rejects.toMatchObject({ status: 400 });
});

test("a person who guesses codes is stopped after five tries, even with the right one", async () => {
  const services = testServices();
  const { admin } = await aTeam(services);
  await sendPhoneCode(services, admin, { phone: "+61412345678" });
  const [job] = await peek
    .select()
    .from(outbox)
    .where(and(eq(outbox.organizationId, admin.organizationId), eq(outbox.kind, "sms")));
  const text = await services.secrets.open(job?.sealedPayload ?? "", job?.id ?? "");
  const code = /(\d{6}) is your PayeeProof code/.exec(text)?.[1] ?? "";
  const guesses = Array.from({ length: 5 }, (_, index) =>
    String(index + (Number(code) < 5 ? 500_000 : 0)).padStart(6, "0"),
  );
  await Promise.allSettled(guesses.map((guess) => confirmPhone(services, admin, { code: guess })));
  await expect(confirmPhone(services, admin, { code })).rejects.toMatchObject({ status: 400 });
});

test("an organisation's alerts send so many text messages in a day and no more; the alerts themselves are all made", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  const { organizationId, userId } = admin;
  const now = services.clock.now();
  const reached = { phone: "+61412345678", phoneConfirmedAt: now, updatedAt: now };
  await peek.insert(alertContacts).values({ userId, ...reached });
  const choice = { inApp: true, email: "off", sms: true } as const;
  await peek.insert(alertChoices).values({ organizationId, userId, event: "bank_details_changed", ...choice });
  const counted = (key: string, count: number) => ({
    key: `${key}:${organizationId}`,
    count,
    windowEndsAt: now + DAY_MS,
  });
  // Text messages for other events do not count towards the limit for those about the safety of money.
  await peek
    .insert(rateCounters)
    .values([counted("alert-texts-safety", ALERT_TEXTS_A_DAY - 1), counted("alert-texts", 10 * ALERT_TEXTS_A_DAY)]);
  await changeDetails(services, mira);
  await changeDetails(services, mira);
  await raiseAllAlerts(services);
  const texts = and(eq(outbox.organizationId, organizationId), eq(outbox.kind, "safety_sms"));
  expect(await peek.select({ id: outbox.id }).from(outbox).where(texts)).toHaveLength(1);
  expect(await countUnread(services, admin)).toBe(2);
  expect(services.log.lines.map(({ event }) => event)).toContain("alerts.texts_limited");

  services.clock.advance(DAY_MS);
  await changeDetails(services, mira);
  await raiseAllAlerts(services);
  expect(await peek.select({ id: outbox.id }).from(outbox).where(texts)).toHaveLength(2);
});

test("an alert is grouped under the payee it is about, whether of the payee itself, a verification or a payment", async () => {
  const services = testServices();
  const { admin, mira } = await aTeam(services);
  const { payeeId, verificationId } = await anAddedPayee(services, mira, { name: "Riverbend Timber" });
  await editPayee(services, mira, { payeeId, patch: { bsb: "033001" } });
  await runCommand(services, mira, {
    audit: [
      {
        action: "verification.assigned",
        entityType: "verification",
        entityId: verificationId,
        details: { people: [admin.userId], name: "Ada" },
      },
      { action: "job.given_up", entityType: "job", entityId: services.ids.next(), details: { kind: "sms" } },
    ],
  });
  await raiseAllAlerts(services);
  const { alerts: shown } = await listAlerts(services, admin, { unreadOnly: false });
  const ids = shown.map(({ id }) => id);
  const subjectOf = await findSubjectsOfAlerts(services, admin, ids);
  const told = shown.map(({ id, event }) => [event, subjectOf.get(id)?.payee.name]);
  expect(told).toContainEqual(["bank_details_changed", "Riverbend Timber"]);
  expect(told).toContainEqual(["assigned", "Riverbend Timber"]);
  expect(told).toContainEqual(["delivery_failed", undefined]);
  const stranger = await aMember(services);
  expect((await findSubjectsOfAlerts(services, stranger, ids)).size).toBe(0);
});
