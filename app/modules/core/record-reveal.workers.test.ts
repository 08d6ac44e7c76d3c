import { auditLogs } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { MINUTE_MS } from "~/kernel/dates";
import { aMember } from "../../../tests/support/factories";
import { testServices } from "../../../tests/support/services";
import { recordReveal } from "./record-reveal.server";

async function aTrail() {
  const services = testServices();
  const actor = await aMember(services);
  const shown = { entityType: "payee", entityId: services.ids.next() } as const;
  const looks = () =>
    services.db
      .select({ userId: auditLogs.userId })
      .from(auditLogs)
      .where(and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.entityId, shown.entityId)));
  return { services, actor, shown, looks };
}

test("ten pages opened at once are one look", async () => {
  const { services, actor, shown, looks } = await aTrail();
  await Promise.all(Array.from({ length: 10 }, () => recordReveal(services, actor, shown)));
  expect(await looks()).toEqual([{ userId: actor.userId }]);
});

test("a look a quarter of an hour later is another one, and so is a colleague's", async () => {
  const { services, actor, shown, looks } = await aTrail();
  await recordReveal(services, actor, shown);
  services.clock.advance(15 * MINUTE_MS - 1);
  await recordReveal(services, actor, shown);
  expect(await looks()).toHaveLength(1);
  services.clock.advance(1);
  await recordReveal(services, actor, shown);
  const { organizationId: id, organizationName: name } = actor;
  await recordReveal(services, await aMember(services, { organization: { id, name } }), shown);
  expect(await looks()).toHaveLength(3);
});
