import { exports } from "cloudflare:workers";
import { auditLogs, counters } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { aMember } from "./factories";
import { testServices } from "./services";

test("the built Worker answers its health check", async () => {
  const response = await (exports as unknown as { default: Fetcher }).default.fetch("http://app.test/healthz");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ ok: true });
});

test("the audit trail refuses change and removal", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { db } = services;
  await db.batch([
    recordAudit(services, actor, { action: "payee.added", entityType: "payee", entityId: "x" }) as never,
  ]);
  const mine = eq(auditLogs.organizationId, actor.organizationId);
  await expect(db.update(auditLogs).set({ action: "changed" }).where(mine)).rejects.toThrow();
  await expect(db.delete(auditLogs).where(mine)).rejects.toThrow();
  const rows = await db.select({ n: sql<number>`count(*)` }).from(auditLogs).where(mine);
  expect(rows[0]?.n).toBe(1);
  expect(await db.select().from(counters).where(eq(counters.organizationId, actor.organizationId))).toEqual([]);
});
