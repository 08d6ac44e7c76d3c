import { auditLogs, sentMessages } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueSms } from "~/modules/messages/notifications/notifications.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { alertsAbout, peek } from "../support/payees";
import { aWorld, type World } from "../support/simulators";

const REPORTED_AFTER_MS = 3_000;

async function text(world: World, actor: Actor, to: string) {
  const jobs = await queueSms(world, actor.organizationId, { to, body: "Please confirm your bank details." });
  const audit = [{ action: "payee.archived", entityType: "payee", entityId: world.ids.next() } as const];
  await runCommand(world, actor, { jobs, audit });
  await world.drain();
}

const statusOf = async ({ organizationId }: Actor) =>
  (await peek.select().from(sentMessages).where(eq(sentMessages.organizationId, organizationId))).map(
    ({ channel, status, detail }) => [channel, status, detail],
  );

const failuresOf = ({ organizationId }: Actor) =>
  peek
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, "message.not_delivered")));

test("a text message is sent, then reported delivered", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  await text(world, actor, "+61412345678");
  expect(await statusOf(actor)).toEqual([["sms", "sent", null]]);
  await world.pass(REPORTED_AFTER_MS);
  expect(await statusOf(actor)).toEqual([["sms", "delivered", null]]);
  expect(await failuresOf(actor)).toEqual([]);
});

test("one that does not arrive is in the trail once, and an admin is told", async () => {
  const world = aWorld();
  const actor = await aMember(world, { role: "admin" });
  await text(world, actor, "+61412345699");
  await world.pass(REPORTED_AFTER_MS);
  expect(await statusOf(actor)).toEqual([["sms", "failed", "30003"]]);
  expect((await world.webhook(world.lastWebhook())).status).toBe(204);
  expect(await failuresOf(actor)).toEqual([{ details: { kind: "sms", code: "30003" } }]);
  const told = await alertsAbout(world, actor.organizationId, "delivery_failed");
  expect(told.map(({ body }) => body)).toEqual(["A text message did not arrive. The provider's code is 30003."]);
});

test("a report that another token signed changes nothing", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  world.config.smsAuthTokens = ["another-token"];
  await text(world, actor, "+61412345699");
  await world.pass(REPORTED_AFTER_MS);
  expect((await world.webhook(world.lastWebhook())).status).toBe(401);
  expect(await statusOf(actor)).toEqual([["sms", "sent", null]]);
});

test("a report of a message that is not ours changes nothing", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  await text(world, actor, "+61412345699");
  await peek.delete(sentMessages).where(eq(sentMessages.organizationId, actor.organizationId));
  await world.pass(REPORTED_AFTER_MS);
  expect((await world.webhook(world.lastWebhook())).status).toBe(204);
  expect(await failuresOf(actor)).toEqual([]);
});
