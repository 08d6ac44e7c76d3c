import { payees, verifications } from "@db/schema";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { readDashboard } from "~/modules/dashboard/dashboard.queries.server";
import { toDashboardView } from "~/modules/dashboard/dashboard.view";
import { loader } from "~/routes/_app+/dashboard";
import { aMember } from "../support/factories";
import { anAddedPayee, peek } from "../support/payees";
import { aPayment, aTrustedPayee } from "../support/payments";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";

const zone = { timeZone: "Australia/Sydney", now: Date.UTC(2026, 10, 20, 3) };

test("an empty organisation is shown the way in", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const view = toDashboardView(await readDashboard(services, actor), zone);
  expect(view).toEqual({
    counts: { pendingVerifications: 0, whitelistedPayees: 0, heldPayments: 0 },
    answered: [],
    held: [],
    disputed: [],
    firstSteps: [
      { id: "payee", isDone: false },
      { id: "verification", isDone: false },
      { id: "payment", isDone: false },
    ],
  });
});

test("counts are true, and what waits longest stands first", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await aTrustedPayee(services, actor, { name: "Riverbend Timber" });
  const first = await anAddedPayee(services, actor, { name: "Coolabah Freight" });
  const second = await anAddedPayee(services, actor, { name: "Saltbush Catering" });
  await anAddedPayee(services, actor);
  for (const { verificationId } of [second, first]) {
    await peek
      .update(verifications)
      .set({ outcome: "close_match", nameMatchScore: 88, matchType: "fuzzy" })
      .where(eq(verifications.id, verificationId));
  }
  await peek.update(payees).set({ disputedAt: zone.now }).where(eq(payees.id, second.payeeId));
  const older = await aPayment(services, actor, first.payeeId);
  const newer = await aPayment(services, actor, second.payeeId);
  const view = toDashboardView(await readDashboard(services, actor), zone);
  expect(view.counts).toEqual({ pendingVerifications: 3, whitelistedPayees: 1, heldPayments: 2 });
  expect(view.answered.map(({ payeeName }) => payeeName)).toEqual(["Coolabah Freight", "Saltbush Catering"]);
  expect(view.held.map(({ id }) => id)).toEqual([older.id, newer.id]);
  expect(view.disputed).toMatchObject([{ name: "Saltbush Catering" }]);
  expect(view.firstSteps).toBeNull();
});

test("another organisation's rows are not counted", async () => {
  const services = testServices();
  const stranger = await aMember(services);
  const { payeeId } = await anAddedPayee(services, stranger);
  await aPayment(services, stranger, payeeId);
  const found = await readDashboard(services, await aMember(services));
  expect(found).toMatchObject({ counts: {}, hasPayment: false, held: [], answered: [], disputed: [] });
});

test("it is one query, and the rows it reads do not grow with what waits", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const queue = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const { payeeId, verificationId } = await anAddedPayee(services, actor);
      await peek.update(verifications).set({ outcome: "unable" }).where(eq(verifications.id, verificationId));
      await peek.update(payees).set({ disputedAt: zone.now }).where(eq(payees.id, payeeId));
      await aPayment(services, actor, payeeId);
    }
  };
  const read = async () => {
    const queries: number[] = [];
    await readDashboard(testServices({ meter: (_, { rowsRead }) => void queries.push(rowsRead) }), actor);
    return queries;
  };
  await queue(6);
  const before = await read();
  expect(before).toHaveLength(1);
  await queue(14);
  expect(await read()).toEqual(before);
  expect(before[0]).toBeLessThan(80);
});

test("people who are signed out are sent to sign in", async () => {
  const services = testServices();
  const sent = loader(await routeArgs(services, null, "/dashboard"));
  await expect(sent).rejects.toMatchObject({ status: 302 });
  const location = await sent.catch((answer: unknown) => (answer as Response).headers.get("Location"));
  expect(location).toBe("/auth");
});

test.each(["pending", "rejected"] as const)("a person whose account is %s is shown no data", async (status) => {
  const services = testServices();
  const actor = await aMember(services, { status });
  expect(await loader(await routeArgs(services, actor, "/dashboard"))).toBeNull();
});
