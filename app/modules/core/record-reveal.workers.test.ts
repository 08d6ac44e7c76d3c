import { auditLogs } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { MINUTE_MS } from "~/kernel/dates";
import { aMember } from "../../../tests/support/factories";
import { testServices } from "../../../tests/support/services";
import { recordExport, recordReveal } from "./record-reveal.server";

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

test("a file that comes in parts is one export, and another kind of file is another one", async () => {
  const { services, actor } = await aTrail();
  await Promise.all(Array.from({ length: 5 }, () => recordExport(services, actor, "payments")));
  await recordExport(services, actor, "the list of payees");
  const said = await services.db
    .select({ action: auditLogs.action, details: auditLogs.details })
    .from(auditLogs)
    .where(eq(auditLogs.organizationId, actor.organizationId));
  expect(said.map(({ details }) => details?.what).sort()).toEqual(["payments", "the list of payees"]);
});
