import { auditLogs, outbox, outsideMessages, remittancesDue } from "@db/database";
import { and, eq, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { composeEmail, type Email } from "~/emails/templates";
import { RECIPIENT_LIMITS } from "~/kernel/limits";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { sendRemittances } from "~/modules/payments/remittances.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { peek, promisedMails } from "../../../../tests/support/payees";
import { anUploadedFile } from "../../../../tests/support/payment-files";
import { aPaidPayment, aPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { clearFile } from "./clear-file.server";
import { recordFileOutcomes } from "./record-outcomes.server";
import { changeRemittances } from "./settings.server";

async function anOffice({ isOn = true } = {}) {
  const services = testServices();
  const actor = await aMember(services);
  if (isOn) await changeRemittances(services, actor, true);
  const wattle = await aTrustedPayee(services, actor, { email: "accounts@wattle.example" });
  return { services, actor, wattle };
}

const dueOf = ({ organizationId }: Actor) =>
  peek.select().from(remittancesDue).where(eq(remittancesDue.organizationId, organizationId));

/** Runs every waiting job, as the queue would. */
async function deliver(services: TestServices, { organizationId }: Actor, delivering = services) {
  const waits = and(
    eq(outbox.organizationId, organizationId),
    eq(outbox.kind, "remittance"),
    eq(outbox.status, "pending"),
  );
  for (const { id } of await peek.select({ id: outbox.id }).from(outbox).where(waits)) {
    const job = await claimJob(services, id);
    if (job) await sendRemittances(delivering, job).catch(() => undefined);
  }
}

async function remittancesOf(services: TestServices, { organizationId }: Actor) {
  const mails = await promisedMails(services, organizationId);
  return mails.flatMap((mail) =>
    mail.template === "remittance" ? [{ to: mail.to, ...composeEmail(mail as unknown as Email) }] : [],
  );
}

test("nothing is sent unless the organisation chose so", async () => {
  const { services, actor, wattle } = await anOffice({ isOn: false });
  await aPaidPayment(services, actor, wattle.payeeId);
  await deliver(services, actor);
  expect([await dueOf(actor), await remittancesOf(services, actor)]).toEqual([[], []]);
});

test("a payee is told of all its payments in one email: no bank number beyond the mask, no link", async () => {
  const { services, actor, wattle } = await anOffice();
  const silent = await aTrustedPayee(services, actor, { accountName: "Kestrel Freight", email: null });
  const { fileId } = await anUploadedFile(services, actor, [
    { ...wattle.details, amount: 100_00, reference: "A-1" },
    { ...wattle.details, amount: 200_50, reference: "A-2" },
    { ...silent.details, amount: 300_00, reference: "B-1" },
  ]);
  await clearFile(services, actor, { fileId });
  const outcome = { status: "successful", except: [], reason: null } as const;
  await recordFileOutcomes(services, actor, { fileId, outcome, processedAt: null });
  await deliver(services, actor);
  const [email, ...others] = await remittancesOf(services, actor);
  expect(others).toEqual([]);
  expect(email).toMatchObject({ to: "accounts@wattle.example", subject: `${actor.organizationName} paid you $300.50` });
  expect(email?.facts?.map(({ label }) => label)).toEqual(["A-1", "A-2"]);
  expect(email?.action).toBeUndefined();
  expect(JSON.stringify(email)).not.toContain(wattle.details.accountNumber);
  expect(await dueOf(actor)).toEqual([]);
});

test("a failed payment, and one to an account that the payee no longer has, are not told", async () => {
  const { services, actor, wattle } = await anOffice();
  const { id: paymentId } = await aPayment(services, actor, wattle.payeeId);
  await recordOutcome(services, actor, { paymentId, status: "failed", reason: "Closed", processedAt: null });
  await deliver(services, actor);
  expect([await dueOf(actor), await remittancesOf(services, actor)]).toEqual([[], []]);
});

test.each(["before", "after"] as const)(
  "a consumer whose connection is lost %s its commit tells once",
  async (when) => {
    const { services, actor, wattle } = await anOffice();
    await aPaidPayment(services, actor, wattle.payeeId);
    await deliver(services, actor, { ...services, db: losingConnection(services.db, when) });
    services.clock.advance(120_000);
    await deliver(services, actor);
    expect(await remittancesOf(services, actor)).toHaveLength(1);
  },
);

test("an address that was sent many messages that day is left out, and the trail says so", async () => {
  const { services, actor, wattle } = await anOffice();
  for (let sent = 0; sent <= RECIPIENT_LIMITS.byOne; sent++) {
    await aPaidPayment(services, actor, wattle.payeeId);
    await deliver(services, actor);
  }
  const ofPayee = and(eq(auditLogs.entityId, wattle.payeeId), like(auditLogs.action, "payee.remittance%"));
  const actions = await peek.select({ action: auditLogs.action }).from(auditLogs).where(ofPayee);
  expect(actions.map(({ action }) => action).slice(-2)).toEqual(["payee.remittance_sent", "payee.remittance_not_sent"]);
  const mine = eq(outsideMessages.organizationId, actor.organizationId);
  expect(await peek.select().from(outsideMessages).where(mine)).toHaveLength(RECIPIENT_LIMITS.byOne);
  expect(await dueOf(actor)).toEqual([]);
});
