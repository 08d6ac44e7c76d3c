import { env } from "cloudflare:workers";
import * as schema from "@db/database";
import { and, asc, count, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDocumentReader } from "~/adapters/document-reader/reader-binding";
import { HOUR_MS } from "~/kernel/dates";
import { removeClosedOrganizations } from "~/modules/records/organization-export/remove-organization.server";
import { aMember } from "../../tests/support/factories";
import { rowsOf } from "../../tests/support/organization-rows";
import { peek } from "../../tests/support/payees";
import { aPayment, aTrustedPayee } from "../../tests/support/payments";
import { aWorld } from "../../tests/support/simulators";
import { EXAMPLE_DAYS, makeExample } from "./example";
import { ensureOrganization, ensurePerson } from "./fixtures";

const {
  auditLogs,
  columnsOf,
  invoices,
  organizations,
  organizationUsers,
  payees,
  paymentFileLines,
  paymentFiles,
  paymentRecords,
} = schema;
const { users, verifications } = schema;

async function harbour() {
  const world = aWorld();
  const { READER } = env as unknown as { READER: Fetcher };
  world.documentReader = createDocumentReader({ binding: READER, log: world.log });
  world.config.invoiceMailDomain = "in.test.example";
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
  await makeExample(world, world.ask);
  // Somebody who starts the product for the first time sees no warning, because nothing is wrong.
  expect(world.log.lines.filter(({ level }) => level !== "info")).toEqual([]);
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
  const received = await peek
    .select(columnsOf(invoices, "invoiceNumber", "verdict", "isStopped", "decision"))
    .from(invoices)
    .where(eq(invoices.organizationId, organizationId))
    .orderBy(asc(invoices.id));
  expect(received.map((each) => Object.values(each).join(" "))).toEqual([
    "KF-1190 other_account true reject",
    "CG-2041 same_account false ",
    "IH-2291 same_account false ",
    "BF-7702 other_account true accept",
    "TE-88104 same_account false ",
    "MOS-5177 same_account false ",
    "BF-7748 same_account false ",
    "WC-3316 other_account true reject",
    "CG-2088 other_account true ",
    "HT-4471 unknown_payee true ",
    " unreadable false ",
    "LSH-0093 unknown_payee false ",
  ]);
  // This test's card provider does not know the customers of other tests.
  expect(world.log.lines.filter(({ level, event }) => level === "error" && event !== "billing.given_up")).toEqual([]);
  await removesItSevenYearsAfterClosing(world, organizationId);
}, 180_000);

/** Of a neighbour with the same tables nothing is touched; what the trail, the seals and the certificates say goes last of all. */
async function removesItSevenYearsAfterClosing(world: ReturnType<typeof aWorld>, organizationId: string) {
  const here = eq(organizations.id, organizationId);
  const neighbour = await aMember(world, { role: "admin" });
  await aPayment(world, neighbour, (await aTrustedPayee(world, neighbour)).payeeId);
  const theirs = await rowsOf(neighbour.organizationId);
  // Their colleague was once here, and signed in through the provider of this organisation.
  const vouched = { userId: neighbour.userId, createdAt: 1, lastSeenAt: 1, providerOrganizationId: organizationId };
  await peek.insert(schema.sessions).values({ ...vouched, id: world.ids.next(), expiresAt: Date.now() * 2 });
  const before = await rowsOf(organizationId);
  expect(Object.keys(before).length).toBeGreaterThan(25);
  const people = await peek
    .select()
    .from(organizationUsers)
    .where(eq(organizationUsers.organizationId, organizationId));
  const closed = (daysAgo: number) => {
    const at = Date.now() - daysAgo * 24 * HOUR_MS;
    return peek.update(organizations).set({ active: false, closesAt: at, closedAt: at }).where(here);
  };
  world.clock.advance(Date.now() - world.clock.now());
  await closed(7 * 365);
  expect(await removeClosedOrganizations(world)).toBe(0);
  await expect(peek.update(organizations).set({ removalStartedAt: 1 }).where(here)).rejects.toThrow();
  await expect(peek.delete(auditLogs).where(eq(auditLogs.organizationId, organizationId))).rejects.toThrow();
  await closed(7 * 366 + 1);
  // Links and messages under way were removed by housekeeping long ago.
  for (const table of [schema.outbox, schema.sentMessages, schema.tokens]) {
    await peek.delete(table).where(eq(table.organizationId, organizationId));
  }
  expect(await removeClosedOrganizations(world)).toBeGreaterThan(1000);
  for (let night = 0; night < 5; night++) await removeClosedOrganizations(world);
  expect(await rowsOf(organizationId)).toEqual({});
  expect(await peek.select().from(organizations).where(here)).toEqual([]);
  for (const { userId } of people) {
    const [left] = await peek.select().from(users).where(eq(users.id, userId));
    expect(left).toMatchObject({ email: userId, firstName: "", lastName: "", password: "", status: "inactive" });
  }
  expect(await rowsOf(neighbour.organizationId)).toEqual(theirs);
}
