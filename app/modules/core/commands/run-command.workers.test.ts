import { auditLogs, organizations, outbox } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { peek } from "../../../../tests/support/payees";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";
import { runCommand, runOnce, runStep } from "./run-command.server";

/** Renames the organisation if it still has the name that was read: the smallest possible command. */
function rename(services: TestServices, actor: Actor, { from, to }: { from: string; to: string }) {
  const { db } = services;
  const named = (name: string) =>
    db
      .select({ one: sql`1` })
      .from(organizations)
      .where(and(eq(organizations.id, actor.organizationId), eq(organizations.name, name)));
  return runCommand(services, actor, {
    conditions: [
      {
        name: "organization_gone",
        found: db.select({ one: sql`1` }).from(organizations).where(eq(organizations.id, actor.organizationId)),
      },
      { name: "renamed_already", found: named(from) },
    ],
    statements: [db.update(organizations).set({ name: to }).where(eq(organizations.id, actor.organizationId))],
    audit: [
      {
        action: "organization.details_changed",
        details: {},
        entityType: "organization",
        entityId: actor.organizationId,
      },
    ],
    jobs: [{ id: services.ids.next(), kind: "email", organizationId: actor.organizationId, subjectId: null }],
    answer: to,
  });
}

const nameOf = async ({ organizationId }: Actor) =>
  (await peek.select().from(organizations).where(eq(organizations.id, organizationId)))[0]?.name;
const entriesOf = ({ organizationId }: Actor) =>
  peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, "organization.details_changed")));
const jobsOf = ({ organizationId }: Actor) =>
  peek.select().from(outbox).where(eq(outbox.organizationId, organizationId));

test("a command writes its statements, audit entry and jobs, and tells the queue", async ({ services, actor }) => {
  const from = actor.organizationName;
  expect(await rename(services, actor, { from, to: "Tidewater" })).toEqual({ ok: true, answer: "Tidewater" });
  expect(await nameOf(actor)).toBe("Tidewater");
  expect(await entriesOf(actor)).toMatchObject([{ userId: actor.userId }]);
  const [job] = await jobsOf(actor);
  expect(services.sent.map(({ jobId }) => jobId)).toEqual([job?.id]);
});

test("a condition that does not hold refuses everything, and says which it was", async ({ services, actor }) => {
  const result = await rename(services, actor, { from: "Another name", to: "Tidewater" });
  expect(result).toEqual({ ok: false, refused: "renamed_already" });
  expect(await nameOf(actor)).toBe(actor.organizationName);
  expect([await entriesOf(actor), await jobsOf(actor), services.sent]).toEqual([[], [], []]);
});

test("a condition of ten is still the one that is named", async ({ services, actor }) => {
  const conditions = Array.from({ length: 10 }, (_, index) => ({
    name: `number ${index}`,
    found: sql`SELECT 1 WHERE ${index} <> 9`,
  }));
  const audit = [
    { action: "organization.details_changed", details: {}, entityType: "organization", entityId: "x" },
  ] as const;
  expect(await runCommand(services, actor, { conditions, audit })).toEqual({
    ok: false,
    refused: "number 9",
  });
});

test.each(["before", "after"] as const)("a connection lost %s the commit writes once", async (when) => {
  const services = testServices();
  const actor = await aMember(services);
  const losing = { ...services, db: losingConnection(services.db, when) };
  const from = actor.organizationName;
  expect(await rename(losing, actor, { from, to: "Tidewater" })).toEqual({ ok: true, answer: "Tidewater" });
  expect(await entriesOf(actor)).toHaveLength(1);
  expect(await jobsOf(actor)).toHaveLength(1);
});

test("a unique constraint that the command names is a refusal, any other is an error", async ({ services, actor }) => {
  const { db } = services;
  const [row] = await peek.select().from(organizations).where(eq(organizations.id, actor.organizationId));
  if (!row) throw new Error("no organisation");
  const audit = [
    { action: "organization.details_changed", details: {}, entityType: "organization", entityId: row.id },
  ] as const;
  const again = { statements: [db.insert(organizations).values(row)], audit };
  const uniques = { exists_already: "organizations.id" };
  expect(await runCommand(services, actor, { ...again, uniques })).toEqual({ ok: false, refused: "exists_already" });
  await expect(runCommand(services, actor, again)).rejects.toThrow();
});

test("a key is answered once, and belongs to one input", async ({ services, actor }) => {
  let runs = 0;
  const ask = (input: string) =>
    runOnce(services, actor, { operation: "rename", key: "key-1", input }, async (request) => {
      runs++;
      const audit = [
        { action: "organization.details_changed", details: {}, entityType: "organization", entityId: "x" },
      ] as const;
      const result = await runCommand(services, actor, { audit, request, answer: { run: runs } });
      return result.ok ? result.answer : undefined;
    });
  expect(await ask("one")).toEqual({ run: 1 });
  expect(await ask("one")).toEqual({ run: 1 });
  expect(runs).toBe(1);
  await expect(ask("two")).rejects.toMatchObject({ code: "IDEMPOTENCY_CONFLICT", status: 409 });
});

test("a command without an audit entry is refused before anything is written", async ({ services, actor }) => {
  await expect(runCommand(services, actor, { answer: undefined })).rejects.toThrow("audit entry");
});

test.each(["before", "after"] as const)(
  "a background step is written once when the connection is lost %s it",
  async (when) => {
    const services = testServices();
    const actor = await aMember(services);
    const { db } = services;
    const losing = { ...services, db: losingConnection(db, when) };
    const isNamed = db
      .select({ one: sql`1` })
      .from(organizations)
      .where(and(eq(organizations.id, actor.organizationId), eq(organizations.name, actor.organizationName)));
    await runStep(losing, {
      conditions: [{ name: "moved_on", found: isNamed }],
      statements: [
        db.update(organizations).set({ name: "Tidewater" }).where(eq(organizations.id, actor.organizationId)),
      ],
      jobs: [{ id: services.ids.next(), kind: "email", organizationId: actor.organizationId, subjectId: null }],
    });
    expect(await nameOf(actor)).toBe("Tidewater");
    expect(await jobsOf(actor)).toHaveLength(1);
    const again = { conditions: [{ name: "moved_on", found: isNamed }] as const };
    expect(await runStep(services, again)).toEqual({ ok: false, refused: "moved_on" });
  },
);
