import { alertChoices, alerts, organizationPolicies, outbox, payees, reportDays } from "@db/database";
import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { eventPayload } from "~/modules/messages/webhook-endpoints/webhook-event";
import { readDashboardPage, showDashboard } from "~/modules/records/dashboard.server";
import { countTrail } from "~/modules/records/reports/count-trail.server";
import { readReport } from "~/modules/records/reports/report.server";
import type { Actor } from "~/services-and-actor";
import { raiseAllAlerts } from "../../../../tests/support/alerts";
import { aMember } from "../../../../tests/support/factories";
import { aColleague, anAddedPayee, peek } from "../../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../../tests/support/payment-files";
import { aPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { clearFile } from "./clear-file.server";
import { decideLines } from "./decide-lines.server";
import { readFilePage } from "./file-page.server";
import { changeLimits } from "./settings.server";

const TODAY = { from: "2026-11-20", to: "2026-11-20" };

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin", firstName: "Una" });
  const colleague = await aColleague(services, actor, { firstName: "Ava" });
  const trusted = await aTrustedPayee(services, actor);
  const unknown = await anAddedPayee(services, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
  return { services, actor, colleague, trusted, unknown };
}

/** A pay run with one held line of $95,000. */
async function aRun() {
  const office = await anOffice();
  const { services, actor, trusted, unknown } = office;
  const lines = [
    { ...trusted.details, amount: 100_00 },
    { ...unknown.details, amount: 95_000_00 },
  ];
  return { ...office, ...(await anUploadedFile(services, actor, lines, "november.aba")) };
}

const told = async (services: TestServices, { organizationId }: Actor, event = "payment_file_waiting") => {
  await raiseAllAlerts(services);
  return peek
    .select({ userId: alerts.userId, title: alerts.title, body: alerts.body, href: alerts.href })
    .from(alerts)
    .where(and(eq(alerts.organizationId, organizationId), eq(alerts.event, event)));
};

const dashboardOf = async (services: TestServices, actor: Actor) =>
  showDashboard(services, actor, await readDashboardPage(services, actor)).view;

test("a pay run with a held line of $95,000 is told to everybody but who uploaded it, by email unless they chose otherwise", async () => {
  const { services, actor, colleague, fileId } = await aRun();
  const quiet = await aColleague(services, actor, { firstName: "Quin" });
  await peek.insert(alertChoices).values({
    ...{ organizationId: actor.organizationId, userId: quiet.userId, event: "payment_file_waiting" },
    ...{ inApp: true, email: "off", sms: false, updatedAt: 1 },
  } as typeof alertChoices.$inferInsert);
  const rows = await told(services, actor);
  expect(rows.map(({ userId }) => userId).sort()).toEqual([colleague.userId, quiet.userId].sort());
  expect(rows[0]).toMatchObject({
    title: "Payment file needs a decision: $95,000.00 held in november.aba",
    body: "1 of 2 payments is held, $95,000.00. They need a decision.",
    href: `/payments/files/${fileId}`,
  });
  const emails = await peek
    .select()
    .from(outbox)
    .where(and(eq(outbox.organizationId, actor.organizationId), inArray(outbox.kind, ["email", "safety_email"])));
  expect(emails).toHaveLength(1);
});

test("a run of which nothing is held tells nobody", async () => {
  const { services, actor, trusted } = await anOffice();
  await anUploadedFile(services, actor, [trusted.details]);
  expect(await told(services, actor)).toEqual([]);
});

test("a run that waits for a second person, and is above what a member may approve, says so", async () => {
  const { services, actor, trusted, unknown } = await anOffice();
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: actor.organizationId, secondPersonRequired: true, updatedAt: 1 });
  await changeLimits(
    services,
    actor,
    {
      memberLimitCents: 50_000_00,
      adminLimitCents: null,
      workingHours: null,
    },
    {},
  );
  await anUploadedFile(services, actor, [trusted.details, { ...unknown.details, amount: 95_000_00 }]);
  const [row] = await told(services, actor);
  expect(row?.body).toContain("Someone other than the person who uploaded the file has to approve them.");
  expect(row?.body).toContain(
    "The largest, $95,000.00, is above what a member may approve ($50,000.00): an administrator has to approve it.",
  );
});

test("the dashboard counts held lines with their dollars and age, and lists the file among what needs a decision", async () => {
  const { services, actor, unknown, fileId } = await aRun();
  await aPayment(services, actor, unknown.payeeId, { amount: 10_00 });
  const view = await dashboardOf(services, actor);
  expect(view.counts).toMatchObject({ heldPayments: 2, heldCents: 95_010_00, isPartial: false });
  expect(view.counts.heldSince?.relative).toBeTruthy();
  expect(view.inbox.find(({ id }) => id === fileId)).toMatchObject({
    title: "november.aba",
    word: "1 line held",
    cents: 95_000_00,
  });
  await decideLines(services, actor, {
    ...{ fileId, choice: { lines: [3] }, decision: "reject", reason: "Not ours" },
  });
  const after = await dashboardOf(services, actor);
  expect(after.counts).toMatchObject({ heldPayments: 1, heldCents: 10_00 });
  expect(after.inbox.some(({ id }) => id === fileId)).toBe(false);
});

test("held money of a payee whose verification is open stands in the row of that verification, as its sum", async () => {
  const { services, actor, unknown } = await anOffice();
  await aPayment(services, actor, unknown.payeeId, { amount: 10_00 });
  await aPayment(services, actor, unknown.payeeId, { amount: 400_00 });
  const { inbox } = await dashboardOf(services, actor);
  expect(inbox.find(({ id }) => id === unknown.verificationId)?.cents).toBe(410_00);
  expect(inbox.filter(({ what }) => what.startsWith("payment"))).toEqual([]);
});

test("the report of held and rejected money counts the lines of files", async () => {
  const { services, actor, fileId } = await aRun();
  const day = async () => {
    while ((await countTrail(services)) > 0);
    return (await readReport(services, actor, "money", TODAY)).totals;
  };
  expect(await day()).toEqual([1, 95_000_00, 0, 0]);
  await decideLines(services, actor, { fileId, choice: { lines: [3] }, decision: "reject", reason: "Not ours" });
  expect(await day()).toEqual([1, 95_000_00, 1, 95_000_00]);
  expect(await peek.select().from(reportDays).where(eq(reportDays.organizationId, actor.organizationId))).not.toEqual(
    [],
  );
});

test("a webhook of a checked file says how much of it is held", () => {
  const entry = {
    ...{ position: 1, id: "a", organizationId: "o", userId: null, action: "payment_file.checked" },
    ...{ entityType: "payment_file", entityId: "f", createdAt: 0 },
    details: { lineCount: 2, heldCount: 1, heldCents: 95_000_00 },
  };
  const { data } = JSON.parse(eventPayload("payment_file.checked", entry as never));
  expect(data).toMatchObject({ lineCount: 2, heldCount: 1, heldCents: 95_000_00 });
});

test("the figures of a run that was cleared stay as they were, whatever is edited later", async () => {
  const { services, actor, trusted, fileId } = await aRun();
  const before = await readFilePage(services, actor, fileId, {});
  expect(before.newAndChanged).toMatchObject({ firstPayments: 2, changed: 0 });
  await clearFile(services, actor, { fileId });
  await peek
    .update(payees)
    .set({ bankDetailsChangedAt: services.clock.now(), paymentCount: 1 })
    .where(eq(payees.id, trusted.payeeId));
  expect((await readFilePage(services, actor, fileId, {})).newAndChanged).toEqual(before.newAndChanged);
  expect(await linesOf(fileId)).toHaveLength(2);
});

test("the comparison with the last run stays as it was at clearing, whatever is cleared, rejected or renamed later", async () => {
  const { services, actor, trusted, unknown, fileId: firstId } = await aRun();
  const rise = await anUploadedFile(services, actor, [
    { ...trusted.details, amount: 900_00 },
    { ...unknown.details, amount: 10_00 },
  ]);
  const reject = (fileId: string) =>
    decideLines(services, actor, { fileId, choice: { lines: [3] }, decision: "reject", reason: "Not ours" });
  await clearFile(services, actor, { fileId: firstId });
  const before = await readFilePage(services, actor, rise.fileId, {});
  expect(before.lastRun).toMatchObject({
    name: "november.aba",
    added: { count: 1, shown: [{ name: "Kestrel Freight", cents: 10_00 }] },
    jumped: { count: 1, shown: [{ cents: 900_00, beforeCents: 100_00 }] },
  });
  await clearFile(services, actor, { fileId: rise.fileId });
  await reject(rise.fileId);
  await decideLines(services, actor, {
    ...{ fileId: firstId, choice: { lines: [3] }, decision: "approve", reason: "On the contract" },
  });
  await clearFile(services, actor, { fileId: firstId });
  await peek.update(payees).set({ name: "Another Name" }).where(eq(payees.organizationId, actor.organizationId));
  const after = await readFilePage(services, actor, rise.fileId, {});
  expect(after.lastRun).toEqual(before.lastRun);
  expect(await readFilePage(services, actor, firstId, {})).toMatchObject({ lastRun: null, isComparisonLost: false });
});
