import { env } from "cloudflare:workers";
import { alertChoices, alerts, auditLogs, auditSeals, keptSeals } from "@db/database";
import { saveWalk } from "@db/walk";
import { and, eq, max } from "drizzle-orm";
import { expect, test } from "vitest";
import { HOUR_MS } from "~/kernel/dates";
import { checkSeals } from "~/modules/core/audit/failed-seals.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { BURST_MS } from "~/modules/messages/alerts/burst.server";
import type { Actor, Services } from "~/services-and-actor";
import { raiseAllAlerts } from "../../../../tests/support/alerts";
import { aMember, recordAudit } from "../../../../tests/support/factories";
import { aWorld } from "../../../../tests/support/simulators";
import { keepSeals, readSealsPage } from "./kept-seals.server";

async function act(services: Services, actor: Actor, times = 1) {
  for (let i = 0; i < times; i++) {
    const about = { entityType: "payee", entityId: `p${i}`, details: { i } as never } as const;
    await services.db.batch([recordAudit(services, actor, { ...about, action: "payee.added" })]);
  }
}

async function sealEverything(services: Services) {
  while ((await sealAuditTrail(services)) > 0);
}

/** The test database holds many organisations, so start the walk at this one. */
const beginAt = (services: Services, { organizationId }: Actor) =>
  saveWalk(
    services.db,
    { name: "seals-kept", key: organizationId.slice(0, -1), startedAt: services.clock.now() },
    null,
  );

async function keepNow(services: Services, actor: Actor) {
  await sealEverything(services);
  await beginAt(services, actor);
  await keepSeals(services);
}

const asks = (services: Services, { organizationId, userId }: Actor) =>
  services.db
    .insert(alertChoices)
    .values({ organizationId, userId, event: "daily_seal", inApp: true, email: "now", sms: false });

const keptOf = (services: Services, { organizationId }: Actor) =>
  services.db.select().from(keptSeals).where(eq(keptSeals.organizationId, organizationId)).orderBy(keptSeals.seq);

const failuresOf = (services: Services, { organizationId }: Actor) =>
  services.db
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, "audit.seal_failed")));

/** Simulates an attacker with direct database access: drops the triggers, changes rows, restores the triggers. */
async function tamper(statement: string, ...values: unknown[]) {
  const { DB } = env as unknown as { DB: D1Database };
  const triggers = await DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('audit_logs', 'audit_seals')",
  ).all<{ name: string; sql: string }>();
  await DB.batch([
    ...triggers.results.map(({ name }) => DB.prepare(`DROP TRIGGER "${name}"`)),
    DB.prepare("PRAGMA defer_foreign_keys = on"),
    DB.prepare(statement).bind(...values),
    ...triggers.results.map(({ sql }) => DB.prepare(sql)),
  ]);
}

/** More entries than any test has, but fewer than one run of the check covers. */
const LATEST = 5_000;

/** Runs the check on the latest entries only, because the test database holds more than one run covers. */
async function checkLatest(services: Services) {
  const [last] = await services.db.select({ position: max(auditSeals.position) }).from(auditSeals);
  const key = String((last?.position ?? 0) - LATEST);
  await saveWalk(services.db, { name: "seals checked", key, startedAt: services.clock.now() }, null);
  return checkSeals(services);
}

const pageOf = (services: Services, actor: Actor, query = "") =>
  readSealsPage(services, actor, new URL(`https://app.example/audit/seals${query}`));

test("an admin who asked gets the seal of the day by email and finds it kept; nobody else gets one", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  const organization = { id: admin.organizationId, name: admin.organizationName };
  await aMember(world, { organization, role: "admin", firstName: "Dana" });
  const quiet = await aMember(world, { role: "admin" });
  await asks(world, admin);
  await act(world, admin, 3);
  await act(world, quiet, 3);
  await keepNow(world, admin);
  expect(await keptOf(world, quiet)).toEqual([]);
  const [kept, ...more] = await keptOf(world, admin);
  expect(kept).toMatchObject({ seq: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(more).toEqual([]);
  await raiseAllAlerts(world);
  await world.pass(BURST_MS);
  const mails = (await world.mails()).filter(({ text }) => text.includes(kept?.hash ?? "none"));
  expect(mails.flatMap(({ to }) => to)).toEqual([admin.email]);
  expect(mails[0]?.text).toContain("entry 3");
  const { seals } = await pageOf(world, admin);
  expect(seals).toMatchObject([{ count: 3, hash: kept?.hash, isHeld: true }]);
});

test("a day on which nothing happened keeps no seal, and the same seal is kept once", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  await asks(world, admin);
  await act(world, admin);
  await keepNow(world, admin);
  await keepNow(world, admin);
  world.clock.advance(24 * HOUR_MS);
  await keepNow(world, admin);
  expect((await keptOf(world, admin)).map(({ seq }) => seq)).toEqual([1]);
  await act(world, admin);
  await keepNow(world, admin);
  expect((await keptOf(world, admin)).map(({ seq }) => seq)).toEqual([1, 3]);
});

test("an admin who chose it and then switched it off gets none", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  await asks(world, admin);
  await world.db
    .update(alertChoices)
    .set({ inApp: false, email: "off" })
    .where(and(eq(alertChoices.organizationId, admin.organizationId), eq(alertChoices.userId, admin.userId)));
  await act(world, admin);
  await keepNow(world, admin);
  expect(await keptOf(world, admin)).toEqual([]);
});

test("a kept seal cannot be changed, removed or written over", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  await asks(world, admin);
  await act(world, admin);
  await keepNow(world, admin);
  const { DB } = env as unknown as { DB: D1Database };
  const own = "WHERE organizationId = ?";
  const never = /a seal that was kept never changes/;
  await expect(DB.prepare(`UPDATE kept_seals SET hash = 'x' ${own}`).bind(admin.organizationId).run()).rejects.toThrow(
    never,
  );
  await expect(DB.prepare(`DELETE FROM kept_seals ${own}`).bind(admin.organizationId).run()).rejects.toThrow(never);
  await expect(
    DB.prepare("INSERT OR REPLACE INTO kept_seals VALUES (?, 1, 'x', 1)").bind(admin.organizationId).run(),
  ).rejects.toThrow(never);
});

test.each([
  ["changed an entry", `UPDATE audit_logs SET "ipAddress" = '198.51.100.9' WHERE position = ?`, 2],
  ["changed whose act an entry is", `UPDATE audit_logs SET "userId" = NULL WHERE position = ?`, 2],
  [
    "took an entry away with its seal",
    "DELETE FROM audit_seals WHERE position = ?; DELETE FROM audit_logs WHERE position = ?",
    3,
  ],
  ["took the seal of an entry away", "DELETE FROM audit_seals WHERE position = ?", 2],
  ["changed a seal", `UPDATE audit_seals SET "hash" = '${"a".repeat(64)}' WHERE position = ?`, 2],
])("somebody with the database %s: the schedule finds it, says it once and alerts", async (_, statement, brokenAt) => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  const other = await aMember(world, { role: "admin" });
  await act(world, admin, 4);
  await act(world, other, 4);
  await sealEverything(world);
  const [, second] = await world.db
    .select({ position: auditSeals.position })
    .from(auditSeals)
    .where(eq(auditSeals.organizationId, admin.organizationId))
    .orderBy(auditSeals.seq);
  for (const one of statement.split("; ")) await tamper(one, second?.position);
  await checkLatest(world);
  expect(await failuresOf(world, admin)).toEqual([{ details: { brokenAt } }]);
  expect(await failuresOf(world, other)).toEqual([]);
  await checkLatest(world);
  expect(await failuresOf(world, admin)).toHaveLength(1);
  await raiseAllAlerts(world);
  const told = await world.db
    .select({ title: alerts.title, userId: alerts.userId })
    .from(alerts)
    .where(and(eq(alerts.organizationId, admin.organizationId), eq(alerts.event, "seal_failed")));
  expect(told).toEqual([{ title: `The audit trail was altered at entry ${brokenAt}`, userId: admin.userId }]);
  // Repairs the trail for later tests, which use the same database.
  await tamper("DELETE FROM audit_seals WHERE organizationId = ?", admin.organizationId);
  await tamper("DELETE FROM audit_logs WHERE organizationId = ?", admin.organizationId);
});

test("a trail that nobody touched alarms nobody, however often it is checked", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  await act(world, admin, 3);
  await sealEverything(world);
  await checkLatest(world);
  await act(world, admin, 3);
  await checkLatest(world);
  await sealEverything(world);
  await checkSeals(world);
  await checkSeals(world);
  expect(await failuresOf(world, admin)).toEqual([]);
});

test("a trail that was cut off and sealed anew fits itself, and fails against the seal that was kept", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  await asks(world, admin);
  await act(world, admin, 3);
  await keepNow(world, admin);
  const [kept] = await keptOf(world, admin);
  const last = "(SELECT max(position) FROM audit_seals WHERE organizationId = ?1)";
  await tamper(
    `UPDATE audit_seals SET hash = '${"b".repeat(64)}' WHERE organizationId = ?1 AND seq = 3`,
    admin.organizationId,
  );
  await keepNow(world, admin);
  expect(await failuresOf(world, admin)).toEqual([{ details: { brokenAt: 3, kept: true } }]);
  const page = await pageOf(world, admin, `?count=3&hash=${kept?.hash}`);
  expect(page.checked).toEqual({ problem: "another", count: 3 });
  expect(page.seals.find(({ count }) => count === 3)).toMatchObject({ isHeld: false });
  await tamper(`DELETE FROM audit_seals WHERE position = ${last}`, admin.organizationId);
});

test("a seal that somebody kept is checked as they typed it", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  await act(world, admin, 3);
  await sealEverything(world);
  const [, second] = await world.db
    .select()
    .from(auditSeals)
    .where(eq(auditSeals.organizationId, admin.organizationId))
    .orderBy(auditSeals.seq);
  const hash = second?.hash ?? "";
  const typed = `%20${hash.slice(0, 32)}%20${hash.slice(32).toUpperCase()}`;
  expect((await pageOf(world, admin, `?count=2&hash=${typed}`)).checked).toMatchObject({
    report: { ok: true, checked: 3 },
  });
  expect((await pageOf(world, admin, `?count=9&hash=${hash}`)).checked).toEqual({ problem: "missing", count: 9 });
  expect((await pageOf(world, admin, `?count=3&hash=${hash}`)).checked).toEqual({ problem: "another", count: 3 });
  expect((await pageOf(world, admin, "?count=two&hash=12")).checked).toMatchObject({
    errors: { count: ["Enter the number of the entry"], hash: [expect.stringContaining("64 characters")] },
  });
  // A seal that somebody typed alarms nobody else.
  expect(await failuresOf(world, admin)).toEqual([]);
});
