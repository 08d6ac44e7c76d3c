import { payees, paymentRecords, verifications } from "@db/database";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { readDashboardPage, showDashboard } from "~/modules/records/dashboard.server";
import { readInboxItems, showInbox } from "~/modules/records/inbox/inbox.server";
import { countTrail } from "~/modules/records/reports/count-trail.server";
import { loader } from "~/routes/_app+/dashboard";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { anAddedPayee, peek } from "../support/payees";
import { anUploadedFile } from "../support/payment-files";
import { aPayment, aTrustedPayee, paymentsOf } from "../support/payments";
import { routeArgs } from "../support/requests";
import { type TestServices, testServices } from "../support/services";
import { test } from "../support/signed-in";

const NOW = Date.UTC(2026, 10, 20, 3);

const viewOf = async (services: TestServices, actor: Actor) =>
  showDashboard(services, actor, await readDashboardPage(services, actor)).view;

test("an empty organisation is shown what to set up", async ({ services, actor }) => {
  expect(await viewOf(services, { ...actor, role: "admin", emailVerified: true })).toEqual({
    counts: {
      ...{ pendingVerifications: 0, whitelistedPayees: 0, heldPayments: 0 },
      ...{ heldCents: 0, heldSince: null, isPartial: false },
    },
    inbox: [],
    money: null,
    setUp: [
      { id: "email", isDone: true, after: null },
      { id: "payee", isDone: false, after: null },
      { id: "verification", isDone: false, after: "Verify a payee first." },
      { id: "payment", isDone: false, after: "Verify a payee first." },
      { id: "person", isDone: false, after: null },
      { id: "two_step", isDone: false, after: null },
    ],
    trialDaysLeft: 14,
    isNew: true,
    canAdminister: true,
    offersSample: true,
  });
});

test("no step is offered that cannot be done yet", async ({ services, actor }) => {
  const openSteps = async () => {
    const { setUp } = await viewOf(services, { ...actor, role: "admin", emailVerified: false });
    return setUp?.filter(({ isDone, after }) => !isDone && after === null).map(({ id }) => id);
  };
  expect(await openSteps()).toEqual(["email", "payee", "two_step"]);
  await anAddedPayee(services, actor);
  expect(await openSteps()).toEqual(["email", "verification", "payment", "two_step"]);
});

test("counts are true, and what waits stands in the order of urgency with its money", async ({ services, actor }) => {
  await aTrustedPayee(services, actor, { name: "Riverbend Timber" });
  const close = await anAddedPayee(services, actor, { name: "Coolabah Freight", accountName: "Coolabah Freight" });
  const disputed = await anAddedPayee(services, actor, { name: "Saltbush Signs", accountName: "Saltbush Signs" });
  const changed = await anAddedPayee(services, actor, { name: "Karri Couriers", accountName: "Karri Couriers" });
  await anAddedPayee(services, actor, { name: "Mulga Metal", accountName: "Mulga Metal" });
  await peek
    .update(verifications)
    .set({ outcome: "close_match", nameMatchScore: 88, matchType: "fuzzy" })
    .where(eq(verifications.id, close.verificationId));
  await peek.update(verifications).set({ isOfChange: true }).where(eq(verifications.id, changed.verificationId));
  await peek.update(payees).set({ bankDetailsChangedAt: NOW }).where(eq(payees.id, changed.payeeId));
  await peek.update(payees).set({ disputedAt: NOW }).where(eq(payees.id, disputed.payeeId));
  await aPayment(services, actor, changed.payeeId, { amount: 90_000 });
  await aPayment(services, actor, disputed.payeeId, { amount: 10_000 });
  const organization = { id: actor.organizationId, name: actor.organizationName };
  await aMember(services, { organization, status: "pending", firstName: "Noor" });
  const { counts, inbox } = await viewOf(services, { ...actor, role: "admin" });
  expect(counts).toMatchObject({ pendingVerifications: 4, whitelistedPayees: 1, heldPayments: 2, heldCents: 100_000 });
  expect(inbox.map(({ title, word, cents }) => [title, word, cents])).toEqual([
    ["Saltbush Signs", "Disputed", 10_000],
    ["Karri Couriers", "Not checked", 90_000],
    ["Coolabah Freight", "Close match", null],
    ["Mulga Metal", "Not checked", null],
    ["Noor Okafor", "Join request", null],
  ]);
  const { items } = showInbox(services, { ...actor, role: "admin" }, await readInboxItems(services, actor), {});
  expect(inbox).toEqual(items);
  const asMember = await viewOf(services, { ...actor, role: "member" });
  expect(asMember.inbox.map(({ word }) => word)).not.toContain("Join request");
});

test("of two reviews that are equally grave, the one with more money waiting comes first", async ({
  services,
  actor,
}) => {
  for (const [name, amount] of [
    ["Mulga Metal", 1_000],
    ["Karri Couriers", 1_500_400],
  ] as const) {
    const { payeeId } = await anAddedPayee(services, actor, { name, accountName: name });
    await aPayment(services, actor, payeeId, { amount });
  }
  const { inbox } = await viewOf(services, actor);
  expect(inbox.map(({ title, cents }) => [title, cents])).toEqual([
    ["Karri Couriers", 1_500_400],
    ["Mulga Metal", 1_000],
  ]);
});

test("the picture of money has the payments and the cleared files of the last twelve weeks", async ({
  services,
  actor,
}) => {
  const trusted = await aTrustedPayee(services, actor);
  const { payeeId } = await anAddedPayee(services, actor);
  await aPayment(services, actor, trusted.payeeId, { amount: 100_00 });
  await aPayment(services, actor, payeeId, { amount: 20_00 });
  const { fileId } = await anUploadedFile(services, actor, [{ ...trusted.details, amount: 3_000_00 }]);
  await clearFile(services, actor, { fileId });
  while ((await countTrail(services)) > 0);
  const { money } = await viewOf(services, actor);
  expect(money).toMatchObject({
    weeks: "By week, 31 Aug 2026 to 20 Nov 2026.",
    rows: [{ label: "16 Nov 2026", cells: ["$3,100.00", "$20.00", "$0.00"] }],
    totals: ["$3,100.00", "$20.00", "$0.00"],
  });
  expect(money?.chart.legend.map(({ text }) => text)).toEqual(["Cleared $3,100.00", "Held $20.00", "Rejected $0.00"]);
  expect((await viewOf(services, await aMember(services))).money).toBeNull();
  const later = testServices({ clock: { now: () => NOW + 13 * 7 * DAY_MS } });
  expect((await viewOf(later, actor)).money).toBeNull();
});

test("another organisation's rows are not counted", async ({ services, actor: stranger }) => {
  const { payeeId } = await anAddedPayee(services, stranger);
  await aPayment(services, stranger, payeeId);
  const { counts, inbox, isNew } = await viewOf(services, await aMember(services));
  expect(counts).toMatchObject({ pendingVerifications: 0, whitelistedPayees: 0, heldPayments: 0, heldCents: 0 });
  expect([inbox, isNew]).toEqual([[], true]);
});

test("the rows it reads do not grow with what waits", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const { payeeId: known } = await aTrustedPayee(services, actor);
  await aPayment(services, actor, payeeId);
  const [held] = await paymentsOf(actor.organizationId);
  if (!held) throw new Error("nothing waits");
  const wait = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await peek.insert(paymentRecords).values({ ...held, id: services.ids.next(), payeeId: known, status: "held" });
      await peek.insert(paymentRecords).values({ ...held, id: services.ids.next() });
    }
  };
  const read = async () => {
    let rows = 0;
    await readDashboardPage(testServices({ meter: (_, { rowsRead }) => (rows += rowsRead) }), actor);
    return rows;
  };
  await wait(65);
  const before = await read();
  await wait(15);
  expect(await read()).toBe(before);
  expect(before).toBeLessThan(800);
});

test("the Inbox says that more waits where it looks at no more payments, though the list has few of them", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await aPayment(services, actor, payeeId);
  const [held] = await paymentsOf(actor.organizationId);
  if (!held) throw new Error("nothing waits");
  const wait = async (count: number) => {
    for (let i = 0; i < count; i++) await peek.insert(paymentRecords).values({ ...held, id: services.ids.next() });
  };
  const seen = async () => {
    const { tabs, isPartial, items } = showInbox(services, actor, await readInboxItems(services, actor), {});
    return { isPartial, rows: items.length, counts: tabs.map(({ label, count }) => `${label} ${count}`) };
  };
  await wait(119);
  const whole = { isPartial: false, rows: 1 };
  expect(await seen()).toMatchObject({
    ...whole,
    counts: expect.arrayContaining(["All 1", "Payments 0", "Reviews 1"]),
  });
  await wait(1);
  expect(await seen()).toMatchObject({
    ...{ isPartial: true, rows: 1 },
    counts: expect.arrayContaining(["All 1+", "Payments 0+", "Reviews 1", "Mine 0+"]),
  });
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
