import { payees, paymentFileLines, paymentFiles, paymentRecords, verifications } from "@db/schema";
import { and, asc, count, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { HOUR_MS } from "~/kernel/dates";
import { peek } from "../../tests/support/payees";
import { aWorld } from "../../tests/support/simulators";
import { EXAMPLE_DAYS, tellExample } from "./example";
import { ensureOrganization, ensurePerson } from "./fixtures";

async function harbour() {
  const world = aWorld();
  const began = { ...world, clock: { now: () => world.clock.now() - EXAMPLE_DAYS * 24 * HOUR_MS } };
  const organization = await ensureOrganization(began, { name: "Harbour Joinery Pty Ltd", domain: "harbour.example" });
  for (const [firstName, role] of [
    ["Alex", "admin"],
    ["Sam", "member"],
  ] as const) {
    const email = `${firstName.toLowerCase()}@harbour.example`;
    await ensurePerson(began, { email, firstName, lastName: "Marsh", role, organization }, "-");
  }
  return { world, organizationId: organization.id };
}

test("ninety days of an organisation: three frauds stand first, a pay run is half decided, and the trail is whole", async () => {
  const { world, organizationId } = await harbour();
  await tellExample(world, world.ask);
  await world.drain();
  const [counted] = await peek.select({ all: count() }).from(payees).where(eq(payees.organizationId, organizationId));
  expect(counted?.all).toBeGreaterThanOrEqual(80);
  const pending = await peek
    .select({ name: payees.name })
    .from(verifications)
    .innerJoin(payees, eq(payees.id, verifications.payeeId))
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.status, "pending")))
    .orderBy(asc(verifications.queueRank), asc(verifications.id));
  expect(pending.slice(0, 3).map(({ name }) => name)).toEqual([
    "Wattle Creek Electrical",
    "Coastal Glass Supplies",
    "Harbourside Timber",
  ]);
  expect(pending.length).toBeGreaterThanOrEqual(12);
  const held = and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.status, "held"));
  expect((await peek.select().from(paymentRecords).where(held)).length).toBe(3);
  const [open] = await peek
    .select({ id: paymentFiles.id })
    .from(paymentFiles)
    .where(and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.status, "open")));
  const lines = await peek
    .select({ status: paymentFileLines.status })
    .from(paymentFileLines)
    .where(eq(paymentFileLines.fileId, open?.id ?? ""));
  expect(new Set(lines.map(({ status }) => status))).toEqual(new Set(["authorised", "held", "rejected"]));
  expect(world.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});
