import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { auditSeals, leases } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { canonicalJson, toHex } from "~/kernel/encodings";
import { sealAuditTrail } from "~/modules/core/seals.server";
import type { AuditFilter } from "~/modules/records/audit-trail/audit-filter";
import type { Actor, Services } from "~/services-and-actor";
import { aMember, recordAudit } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { testServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";
import { AUDIT_PAGE_SIZE, listAuditEntries, listAuditedPeople } from "./audit.server";
import { exportTrail, findTip, type TrailReport, verifyTrail } from "./seals.server";

async function act(services: Services, actor: Actor, times = 1) {
  for (let i = 0; i < times; i++) {
    await services.db.batch([
      recordAudit(services, actor, {
        action: "payee.added",
        entityType: "payee",
        entityId: `p${i}`,
        details: { i } as never,
      }),
    ]);
  }
}

/** Tests share the database, so there may be more entries than one run seals. */
async function sealEverything(services: Services): Promise<number> {
  const sealed = await sealAuditTrail(services);
  return sealed === 0 ? 0 : sealed + (await sealEverything(services));
}

const sealsOf = (services: Services, actor: Actor) =>
  services.db
    .select()
    .from(auditSeals)
    .where(eq(auditSeals.organizationId, actor.organizationId))
    .orderBy(auditSeals.seq);

test("while a long trail is sealed, requests get their turn between its pages", async ({ services, actor }) => {
  await sealEverything(services);
  const entry = { action: "payee.added", entityType: "payee", entityId: "p", details: { i: 1 } as never } as const;
  for (let batch = 0; batch < 11; batch++) {
    const [first, ...rest] = Array.from({ length: 100 }, () => recordAudit(services, actor, entry));
    if (first) await services.db.batch([first, ...rest]);
  }
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  expect(await sealAuditTrail(services)).toBe(1_100);
  clearInterval(others);
  expect(turns).toBeGreaterThanOrEqual(2);
});

async function linesOf(services: Services, actor: Actor): Promise<Record<string, unknown>[]> {
  const text = await new Response((await exportTrail(services, actor.organizationId, { whole: true })).lines).text();
  return text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
}

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

test("every row gets one seal, counted and chained per organisation", async () => {
  const services = testServices();
  const [one, two] = [await aMember(services), await aMember(services)];
  await act(services, one, 2);
  await act(services, two);
  await act(services, one);
  expect(await sealEverything(services)).toBeGreaterThanOrEqual(4);
  const seals = await sealsOf(services, one);
  expect(seals.map((seal) => seal.seq)).toEqual([1, 2, 3]);
  expect(seals[0]?.prevHash).toBe("0".repeat(64));
  expect(seals[1]?.prevHash).toBe(seals[0]?.hash);
  expect((await sealsOf(services, two)).map((seal) => seal.seq)).toEqual([1]);
});

test("sealing again, or ten times at once, changes nothing", async ({ services, actor }) => {
  await act(services, actor, 3);
  await Promise.all(Array.from({ length: 10 }, () => sealAuditTrail(services)));
  await sealAuditTrail(services);
  const seals = await sealsOf(services, actor);
  expect(seals.map((seal) => seal.seq)).toEqual([1, 2, 3]);
  await sealAuditTrail(services);
  expect(await sealsOf(services, actor)).toEqual(seals);
  expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: true, checked: 3, unsealed: 0 });
});

test("the chain goes on from where it was left", async ({ services, actor }) => {
  await act(services, actor, 2);
  await sealAuditTrail(services);
  await act(services, actor, 2);
  expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: true, checked: 2, unsealed: 2 });
  await sealAuditTrail(services);
  expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: true, checked: 4, unsealed: 0 });
});

test.each(["before", "after"] as const)(
  "a connection lost %s the seals are written loses and doubles nothing",
  async (when) => {
    const services = testServices();
    const actor = await aMember(services);
    await act(services, actor, 3);
    await sealAuditTrail({ ...services, db: losingConnection(services.db, when) });
    expect((await sealsOf(services, actor)).map((seal) => seal.seq)).toEqual([1, 2, 3]);
  },
);

test("a sealer that died is followed by another once its lease has run out", async ({ services, actor }) => {
  await act(services, actor);
  const until = services.clock.now() + 60_000;
  await services.db.insert(leases).values({ name: "audit-sealer", holder: "a dead one", until });
  expect(await sealAuditTrail(services)).toBe(0);
  services.clock.advance(60_001);
  await sealAuditTrail(services);
  expect(await sealsOf(services, actor)).toHaveLength(1);
});

test("an auditor can check the export with nothing but SHA-256", async ({ services, actor }) => {
  await act(services, actor, 5);
  await sealAuditTrail(services);
  const lines = await linesOf(services, actor);
  expect(lines.map((line) => line.seq)).toEqual([1, 2, 3, 4, 5]);
  let previous = "0".repeat(64);
  for (const { hash, prevHash, ...entry } of lines) {
    expect(prevHash).toBe(previous);
    expect(hash).toBe(
      createHash("sha256")
        .update(`${previous}\n${canonicalJson(entry)}`)
        .digest("hex"),
    );
    previous = String(hash);
  }
  expect(await findTip(services, actor.organizationId)).toEqual({ count: 5, hash: previous });
});

test("an export of several pages has every line once, and none of anybody else", async () => {
  const services = testServices();
  const [actor, stranger] = [await aMember(services), await aMember(services)];
  await act(services, stranger);
  const now = services.clock.now();
  const { organizationId, userId } = actor;
  const rows = JSON.stringify(Array.from({ length: 1203 }, (_, i) => `${organizationId}:${i}`));
  const { DB } = env as unknown as { DB: D1Database };
  await DB.prepare(
    "INSERT INTO audit_logs (id, userId, organizationId, action, createdAt) SELECT value, ?, ?, 'payee.added', ? FROM json_each(?)",
  )
    .bind(userId, organizationId, now, rows)
    .run();
  await sealAuditTrail(services);
  const lines = await linesOf(services, actor);
  expect(lines.map((line) => line.seq)).toEqual(Array.from({ length: 1203 }, (_, i) => i + 1));
  expect(new Set(lines.map((line) => line.organizationId))).toEqual(new Set([organizationId]));
  expect(await verifyTrail(services, organizationId)).toMatchObject({ ok: true, checked: 1203 });
});

test("a long trail is exported and checked in parts that follow each other without a gap", async ({
  services,
  actor,
}) => {
  const { organizationId } = actor;
  const rows = JSON.stringify(Array.from({ length: 1700 }, (_, i) => `${organizationId}:${i}`));
  await services.db.run(sql`INSERT INTO audit_logs (id, organizationId, action, createdAt)
    SELECT value, ${organizationId}, 'payee.added', 1 FROM json_each(${rows})`);
  await sealAuditTrail(services);

  const lines: Record<string, unknown>[] = [];
  const parts: number[][] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const part = await exportTrail(services, organizationId, { whole: true, after, partSize: 700 });
    const text = await new Response(part.lines).text();
    lines.push(
      ...text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
    parts.push([part.first, part.last]);
    after = part.next;
  }
  expect(parts).toEqual([
    [1, 700],
    [701, 1400],
    [1401, 1700],
  ]);
  // What a reader can check without us: numbers without a gap, and each line containing the hash of the line before.
  expect(lines.map((line) => line.seq)).toEqual(Array.from({ length: 1700 }, (_, i) => i + 1));
  for (const [index, line] of lines.entries()) if (index > 0) expect(line.prevHash).toBe(lines[index - 1]?.hash);

  const reports: TrailReport[] = [];
  let from: TrailReport["next"];
  do {
    reports.push(await verifyTrail(services, organizationId, { from, partSize: 1000 }));
    from = reports.at(-1)?.next;
  } while (from);
  expect(reports.map(({ ok, checked, next }) => [ok, checked, next?.count])).toEqual([
    [true, 1000, 1000],
    [true, 1700, undefined],
  ]);
  const next = reports[0]?.next ?? { count: 0, hash: "" };
  const wrong = { ...next, hash: "0".repeat(64) };
  expect(await verifyTrail(services, organizationId, { from: wrong })).toMatchObject({ ok: false, brokenAt: 1000 });
  await tamper("UPDATE audit_logs SET createdAt = 2 WHERE position = ?", await positionOf(services, actor, 1500));
  expect(await verifyTrail(services, organizationId, { from: next })).toMatchObject({ ok: false, brokenAt: 1500 });
});

const positionOf = async (services: Services, actor: Actor, seq: number) => {
  const [seal] = await services.db
    .select({ position: auditSeals.position })
    .from(auditSeals)
    .where(and(eq(auditSeals.organizationId, actor.organizationId), eq(auditSeals.seq, seq)));
  return seal?.position;
};

test.each([
  ["changed", "UPDATE audit_logs SET details = '{\"i\":9}' WHERE position = ?"],
  ["moved in time", "UPDATE audit_logs SET createdAt = createdAt - 1 WHERE position = ?"],
  ["blamed on the system", "UPDATE audit_logs SET userId = NULL WHERE position = ?"],
  ["sealed with another hash", "UPDATE audit_seals SET hash = prevHash WHERE position = ?"],
  ["left without its seal", "DELETE FROM audit_seals WHERE position = ?"],
])("an entry that was %s breaks the chain at its place", async (_, statement) => {
  const services = testServices();
  const actor = await aMember(services);
  await act(services, actor, 4);
  await sealAuditTrail(services);
  await tamper(statement, await positionOf(services, actor, 3));
  const report = await verifyTrail(services, actor.organizationId);
  expect(report).toMatchObject({ ok: false, checked: 2, brokenAt: 3 });
});

test("an end that was cut off is found with an anchor kept elsewhere", async ({ services, actor }) => {
  await act(services, actor, 3);
  await sealAuditTrail(services);
  const anchor = await findTip(services, actor.organizationId);
  const position = await positionOf(services, actor, 3);
  await tamper("DELETE FROM audit_seals WHERE position = ?", position);
  await tamper("DELETE FROM audit_logs WHERE position = ?", position);
  expect((await verifyTrail(services, actor.organizationId)).ok).toBe(true);
  expect(await verifyTrail(services, actor.organizationId, { anchor })).toMatchObject({ ok: false, brokenAt: 3 });
});

test("a trail that was sealed anew as a whole does not fit its anchor", async ({ services, actor }) => {
  await act(services, actor, 2);
  await sealAuditTrail(services);
  const anchor = { count: 2, hash: toHex(new Uint8Array(32).fill(7)) };
  expect(await verifyTrail(services, actor.organizationId, { anchor })).toMatchObject({ ok: false, brokenAt: 2 });
});

test("the list shows the newest entries first, pages by key, and never another organisation's", async () => {
  const services = testServices();
  const [actor, stranger] = [await aMember(services), await aMember(services)];
  await act(services, actor, AUDIT_PAGE_SIZE + 2);
  await act(services, stranger);
  const first = await listAuditEntries(services, actor);
  expect(first.entries).toHaveLength(AUDIT_PAGE_SIZE);
  expect(first.entries[0]).toMatchObject({ details: { i: AUDIT_PAGE_SIZE + 1 }, user: { email: actor.email } });
  const second = await listAuditEntries(services, actor, { cursor: first.nextCursor ?? undefined });
  expect(second.entries.map((entry) => entry.details)).toEqual([{ i: 1 }, { i: 0 }]);
  expect(second.nextCursor).toBeNull();
  const foreign = await listAuditEntries(services, stranger, { cursor: first.nextCursor ?? undefined });
  expect(foreign.entries).toEqual([]);
  const narrowed = async (filter: AuditFilter) => (await listAuditEntries(services, actor, { filter })).entries.length;
  expect(await narrowed({ thing: { type: "payee", id: "p7" } })).toBe(1);
  expect(await narrowed({ person: actor.userId })).toBe(AUDIT_PAGE_SIZE);
  expect(await narrowed({ person: stranger.userId })).toBe(0);
  expect(await narrowed({ action: "payee.edited" })).toBe(0);
  expect(await narrowed({ person: actor.userId, action: "payee.added", from: "2026-11-20", to: "2026-11-20" })).toBe(
    AUDIT_PAGE_SIZE,
  );
  expect(await narrowed({ thing: { type: "payee", id: "p7" }, person: stranger.userId })).toBe(0);
  expect(await narrowed({ to: "2026-11-19" })).toBe(0);
  expect(await narrowed({ from: "2026-11-21" })).toBe(0);
  expect(await listAuditedPeople(services, actor)).toEqual([{ userId: actor.userId, name: "Mira Okafor" }]);
});

/** A raw INSERT, as an attacker with direct database access would write it. */
async function insertRaw(
  actor: Actor,
  { verb = "INSERT", position, id }: { verb?: string; position?: number; id?: string },
) {
  const { DB } = env as unknown as { DB: D1Database };
  return DB.prepare(
    `${verb} INTO audit_logs (position, id, userId, organizationId, action, createdAt) VALUES (?, ?, ?, ?, 'payee.edited', 0)`,
  )
    .bind(position ?? null, id ?? crypto.randomUUID(), actor.userId, actor.organizationId)
    .run();
}

test.each([
  ["negative", -5],
  ["zero", 0],
  ["earlier", 1],
])("a raw INSERT with a %s position is refused", async (_, position) => {
  const services = testServices();
  const actor = await aMember(services);
  await act(services, actor, 2);
  await expect(insertRaw(actor, { position })).rejects.toThrow("append-only");
  expect((await listAuditEntries(services, actor)).entries).toHaveLength(2);
});

test("INSERT OR REPLACE of an entry, by its position or its id, is refused", async ({ services, actor }) => {
  await act(services, actor, 2);
  const [entry] = (await listAuditEntries(services, actor)).entries;
  await sealAuditTrail(services);
  const position = await positionOf(services, actor, 2);
  await expect(insertRaw(actor, { verb: "INSERT OR REPLACE", position })).rejects.toThrow("append-only");
  await expect(insertRaw(actor, { verb: "REPLACE", id: entry?.id })).rejects.toThrow("append-only");
  expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: true, checked: 2, unsealed: 0 });
});

test("INSERT OR REPLACE of a seal is refused", async ({ services, actor }) => {
  await act(services, actor, 2);
  await sealAuditTrail(services);
  const { DB } = env as unknown as { DB: D1Database };
  const forged = DB.prepare(
    "INSERT OR REPLACE INTO audit_seals SELECT organizationId, seq, position, prevHash, prevHash, 0 FROM audit_seals WHERE organizationId = ?",
  ).bind(actor.organizationId);
  await expect(forged.run()).rejects.toThrow("append-only");
  expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: true, checked: 2 });
});

test.each([-5, 0])(
  "an entry slipped in at position %i is not listed, not exported, and counted by the check",
  async (at) => {
    const services = testServices();
    const actor = await aMember(services);
    await act(services, actor, 2);
    await sealAuditTrail(services);
    await tamper(
      "INSERT INTO audit_logs (position, id, organizationId, action, createdAt) VALUES (?, ?, ?, 'payee.edited', 0)",
      at,
      crypto.randomUUID(),
      actor.organizationId,
    );
    expect((await listAuditEntries(services, actor)).entries.map((entry) => entry.action)).toEqual([
      "payee.added",
      "payee.added",
    ]);
    expect(await linesOf(services, actor)).toHaveLength(2);
    expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: false, unknown: 1, unsealed: 0 });
    await tamper("DELETE FROM audit_logs WHERE position = ?", at);
  },
);

test("an entry that never got a seal although later ones of others did breaks the trail", async () => {
  const services = testServices();
  const [actor, other] = [await aMember(services), await aMember(services)];
  await act(services, actor, 2);
  await act(services, other);
  await sealAuditTrail(services);
  await tamper("DELETE FROM audit_seals WHERE position = ?", await positionOf(services, actor, 2));
  expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: false, unknown: 1, brokenAt: 2 });
});

test("an export for others than admins has digests for the addresses in details, with which every entry is proved", async ({
  services,
  actor,
}) => {
  const entry = { action: "member.invited", entityType: "user", entityId: "u1" } as const;
  await services.db.batch([
    recordAudit(services, actor, { ...entry, details: { email: "jo.w@outside.example", role: "member" } }),
  ]);
  await act(services, actor);
  await sealAuditTrail(services);
  const whole = await linesOf(services, actor);
  const text = await new Response((await exportTrail(services, actor.organizationId, { whole: false })).lines).text();
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(text).not.toMatch(/jo\.w@|emailSalt|masked/);
  expect(whole[0]).toMatchObject({ details: { email: "jo.w@outside.example" }, emailSalt: expect.any(String) });
  expect(lines[0].details).toEqual({
    email: expect.stringMatching(/^j•••@outside\.example#[0-9a-f]{64}$/),
    role: "member",
  });
  for (const { prevHash, hash, ...sealed } of lines) {
    expect(await services.secrets.hashToken(`${prevHash}\n${canonicalJson(sealed)}`)).toBe(hash);
  }
  expect(lines[1]).toEqual(whole[1]);
  expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: true, checked: 2 });
});

test("an entry that was sealed with its addresses, before they were hashed, still fits, and is masked for others", async ({
  services,
  actor,
}) => {
  const entry = { action: "member.invited", entityType: "user", entityId: "u1" } as const;
  await services.db.batch([
    recordAudit(services, actor, { ...entry, details: { email: "jo.w@outside.example", role: "member" } }),
  ]);
  await tamper("UPDATE audit_logs SET emailSalt = NULL WHERE organizationId = ?", actor.organizationId);
  await sealEverything(services);
  const lineOf = async (whole: boolean) =>
    JSON.parse(await new Response((await exportTrail(services, actor.organizationId, { whole })).lines).text());
  const masked = { ...(await lineOf(true)), details: { email: "j•••@outside.example", role: "member" }, masked: true };
  expect(await lineOf(false)).toEqual(masked);
  // During an upgrade, the previous version sealed rows of the new version like this.
  await tamper("UPDATE audit_logs SET emailSalt = 'salt' WHERE organizationId = ?", actor.organizationId);
  expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: true, checked: 1 });
  expect(await lineOf(false)).toEqual(masked);
});

test("an entry whose addresses were replaced by their digests is not what was sealed, and an altered one is not passed off as masked", async ({
  services,
  actor,
}) => {
  const entry = { action: "member.invited", entityType: "user", entityId: "u1" } as const;
  const details = { email: "jo.w@outside.example", role: "member" } as const;
  await services.db.batch([recordAudit(services, actor, { ...entry, details })]);
  await sealAuditTrail(services);
  const lineOf = async (whole: boolean) =>
    JSON.parse(await new Response((await exportTrail(services, actor.organizationId, { whole })).lines).text());
  const [{ emailSalt }, { prevHash, hash, ...sealed }] = [await lineOf(true), await lineOf(false)];
  const replace = (salt: string | null, written: object) =>
    tamper(
      "UPDATE audit_logs SET emailSalt = ?, details = ? WHERE organizationId = ?",
      ...[salt, JSON.stringify(written), actor.organizationId],
    );
  for (const salt of [emailSalt, null]) {
    await replace(salt, sealed.details);
    expect(await verifyTrail(services, actor.organizationId)).toMatchObject({ ok: false, brokenAt: 1 });
  }
  await replace(emailSalt, { ...details, email: "jo.x@outside.example" });
  const altered = await lineOf(false);
  expect(altered).toEqual({ ...sealed, prevHash, hash, details: expect.anything() });
  expect(altered.details).not.toEqual(sealed.details);
});
