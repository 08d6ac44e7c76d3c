import * as schema from "@db/database";
import { and, asc, count, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { changeMember } from "~/modules/accounts/members/members.server";
import { addPayee } from "~/modules/payees/add-payee.server";
import { removeClosedOrganizations } from "~/modules/records/organization-export/remove-organization.server";
import { loadSample, readSamplePage, removeSample } from "~/modules/records/sample-data.server";
import { aMember } from "../tests/support/factories";
import { rowsOf } from "../tests/support/organization-rows";
import { aColleague, details, peek } from "../tests/support/payees";
import { aWorld } from "../tests/support/simulators";
import { runSweeps, SCHEDULES } from "./schedules";

const { auditLogs, organizations, organizationUsers, payees, paymentFileLines, users, verifications } = schema;

const pages = async (world: ReturnType<typeof aWorld>, actor: Parameters<typeof readSamplePage>[1]) =>
  (await readSamplePage(world, actor)).state;

test("sample data is loaded into an organisation of its own, reaches nobody, and is removed whole", async () => {
  const world = aWorld();
  world.config.asksBanksAutomatically = true;
  const admin = await aMember(world, { role: "admin" });
  const member = await aColleague(world, admin);
  await expect(loadSample(world, member)).rejects.toMatchObject({ code: "ADMIN_REQUIRED" });
  await loadSample(world, admin);
  await expect(loadSample(world, admin)).rejects.toMatchObject({ code: "CHANGED_MEANWHILE" });
  expect(await pages(world, admin)).toBe("making");
  await world.drain();
  expect(await pages(world, admin)).toBe("ready");

  const [sample] = await peek.select().from(organizations).where(eq(organizations.sampleFor, admin.organizationId));
  const sampleId = sample?.id ?? "";
  const pending = await peek
    .select({ name: payees.name })
    .from(verifications)
    .innerJoin(payees, eq(payees.id, verifications.payeeId))
    .where(and(eq(verifications.organizationId, sampleId), eq(verifications.status, "pending")))
    .orderBy(asc(verifications.queueRank), asc(verifications.id));
  const first = pending.slice(0, 2).map(({ name }) => name);
  expect(first.sort()).toEqual(["Coastal Glass Supplies", "Harbourside Timber"]);
  const lines = await peek
    .select({ status: paymentFileLines.status, n: count() })
    .from(paymentFileLines)
    .where(eq(paymentFileLines.organizationId, sampleId))
    .groupBy(paymentFileLines.status);
  expect(new Set(lines.map(({ status }) => status))).toEqual(new Set(["authorised", "held", "rejected"]));

  // Every schedule over it: nothing is queued for it, nobody is told, no bank is asked, nobody outside is named.
  for (const sweeps of Object.values(SCHEDULES)) await runSweeps(sweeps, world);
  world.clock.advance(40 * DAY_MS);
  for (const sweeps of Object.values(SCHEDULES)) await runSweeps(sweeps, world);
  await world.drain();
  const sent = [...(await world.mails()), ...(await world.texts())].map((message) => JSON.stringify(message));
  // Every other organisation of the database sends what is due too; only the sample's names, addresses and numbers are looked for.
  expect(sent.filter((text) => /\.invalid|Sample data|\+6125550/.test(text))).toEqual([]);
  const rows = await rowsOf(sampleId);
  for (const table of [
    "outbox",
    "alerts",
    "sent_messages",
    "outside_messages",
    "webhook_deliveries",
    "bank_questions",
  ]) {
    expect(rows[table], table).toBeUndefined();
  }
  expect(
    await peek
      .select()
      .from(payees)
      .where(and(eq(payees.organizationId, sampleId), eq(payees.whitelistGlobal, true))),
  ).toEqual([]);
  expect(Object.keys(rows).length).toBeGreaterThan(15);

  // Their own organisation is as it was, but for its trail.
  const acts = await peek
    .select({ action: auditLogs.action })
    .from(auditLogs)
    .where(
      and(eq(auditLogs.organizationId, admin.organizationId), sql`${auditLogs.action} LIKE 'organization.sample%'`),
    );
  expect(acts).toEqual([{ action: "organization.sample_loaded" }]);
  expect(await peek.select().from(payees).where(eq(payees.organizationId, admin.organizationId))).toEqual([]);

  // Looked at from inside: only who administers the organisation that it is for removes it.
  await peek.update(users).set({ organizationId: sampleId, role: "read_only" }).where(eq(users.id, admin.userId));
  const inside = {
    ...admin,
    organizationId: sampleId,
    role: "read_only" as const,
    organizationRole: "read_only" as const,
  };
  expect(await readSamplePage(world, inside)).toMatchObject({ state: "inside", canRemove: true });
  await expect(removeSample(world, { ...inside, userId: member.userId })).rejects.toMatchObject({
    code: "ADMIN_REQUIRED",
  });
  const staff = await peek.select().from(organizationUsers).where(eq(organizationUsers.organizationId, sampleId));
  await removeSample(world, inside);
  expect(await rowsOf(sampleId)).toEqual({});
  expect(await peek.select().from(organizations).where(eq(organizations.id, sampleId))).toEqual([]);
  for (const { userId } of staff) {
    const [left] = await peek.select().from(users).where(eq(users.id, userId));
    const wiped = { email: userId, firstName: "", lastName: "", status: "inactive" };
    expect(left).toMatchObject(
      userId === admin.userId ? { organizationId: admin.organizationId, role: "admin", status: "active" } : wiped,
    );
  }
  expect(await pages(world, admin)).toBe("none");

  // It comes again while there is nothing real, and not after.
  await loadSample(world, admin);
  await removeSample(world, admin);
  const home = eq(organizations.id, admin.organizationId);
  await peek
    .update(organizations)
    .set({ trialEndsAt: world.clock.now() * 2 })
    .where(home);
  await addPayee(world, member, { details: details() });
  await expect(loadSample(world, admin)).rejects.toMatchObject({ code: "CHANGED_MEANWHILE" });
}, 120_000);

test("a removal that was cut off is finished in the night, and a real organisation never becomes a sample", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  await loadSample(world, admin);
  const ofHome = eq(organizations.sampleFor, admin.organizationId);
  const real = eq(organizations.id, admin.organizationId);
  await expect(peek.update(organizations).set({ sampleFor: admin.organizationId }).where(real)).rejects.toThrow();
  await expect(peek.update(organizations).set({ removalStartedAt: 1 }).where(real)).rejects.toThrow();
  await expect(peek.update(organizations).set({ sampleFor: null }).where(ofHome)).rejects.toThrow();
  await peek.update(organizations).set({ removalStartedAt: 1 }).where(ofHome);
  expect(await pages(world, admin)).toBe("failed");
  await world.drain();
  await removeClosedOrganizations(world);
  expect(await peek.select().from(organizations).where(ofHome)).toEqual([]);
});

test("whose access ends does not go on in the sample", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  const other = await aColleague(world, admin, { role: "admin" });
  await loadSample(world, admin);
  const { organizationId } = other;
  await changeMember(world, other, { organizationId, userId: admin.userId, change: { act: "deactivate" } });
  const [left] = await peek.select().from(users).where(eq(users.id, admin.userId));
  expect(left).toMatchObject({ organizationId, status: "inactive" });
});
