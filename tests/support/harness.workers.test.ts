import { env, exports } from "cloudflare:workers";
import { auditLogs, counters } from "@db/database";
import journal from "@db/migrations/meta/_journal.json";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { aMember, recordAudit } from "./factories";
import { testServices } from "./services";
import { aBrowser } from "./worker";

test("the built Worker answers its health check", async () => {
  const response = await (exports as unknown as { default: Fetcher }).default.fetch("http://app.test/healthz");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ ok: true, migrations: journal.entries.at(-1)?.tag });
});

test("the health check is not well before the migrations have finished", async () => {
  const { DB } = env as unknown as { DB: D1Database };
  const newest = await DB.prepare("SELECT id, name FROM d1_migrations ORDER BY id DESC LIMIT 1").first<{
    id: number;
    name: string;
  }>();
  await DB.prepare("DELETE FROM d1_migrations WHERE id = ?").bind(newest?.id).run();
  const response = await aBrowser().get("/healthz");
  await DB.prepare("INSERT INTO d1_migrations (id, name) VALUES (?, ?)").bind(newest?.id, newest?.name).run();
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
  const { ok, migrations } = await response.json<{ ok: boolean; migrations: string | null }>();
  expect([ok, migrations]).toEqual([false, journal.entries.at(-2)?.tag ?? null]);
});

test("the audit trail refuses change and removal", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { db } = services;
  await db.batch([
    recordAudit(services, actor, { action: "payee.archived", entityType: "payee", entityId: "x" }) as never,
  ]);
  const mine = eq(auditLogs.organizationId, actor.organizationId);
  await expect(db.update(auditLogs).set({ action: "changed" }).where(mine)).rejects.toThrow();
  await expect(db.delete(auditLogs).where(mine)).rejects.toThrow();
  const rows = await db.select({ n: sql<number>`count(*)` }).from(auditLogs).where(mine);
  expect(rows[0]?.n).toBe(1);
  expect(await db.select().from(counters).where(eq(counters.organizationId, actor.organizationId))).toEqual([]);
});
