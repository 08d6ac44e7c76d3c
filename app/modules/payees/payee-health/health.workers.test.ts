import { bsbDirectory, healthRuns, outbox, payeeFindings, payees } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { HealthKind } from "~/kernel/enums";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { loadStaffAccounts } from "~/modules/payees/staff-accounts.server";
import { loader as exportLoader } from "~/routes/_app+/payees.health_.export";
import type { Actor } from "~/services-and-actor";
import { anAbn } from "../../../../tests/support/abns";
import { aMember } from "../../../../tests/support/factories";
import { aFinishedImport, aTable } from "../../../../tests/support/imports";
import { aColleague, anAddedPayee, peek } from "../../../../tests/support/payees";
import { aPaidPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { routeArgs } from "../../../../tests/support/requests";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { continueHealthRun, startHealthRun } from "./health.server";
import { readHealthPage } from "./health-page.server";

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  return { services, actor };
}

/** Runs the job, as the queue would, until the run has finished. */
async function deliver(services: TestServices, { organizationId }: Actor) {
  for (;;) {
    const [waiting] = await peek
      .select({ id: outbox.id })
      .from(outbox)
      .where(
        and(eq(outbox.organizationId, organizationId), eq(outbox.kind, "payee_health"), eq(outbox.status, "pending")),
      );
    const job = waiting && (await claimJob(services, waiting.id));
    if (!job) return;
    await continueHealthRun(services, job);
  }
}

async function aReport(services: TestServices, actor: Actor, kind?: HealthKind) {
  await startHealthRun(services, actor);
  await deliver(services, actor);
  return readHealthPage(services, actor, new URLSearchParams(kind && { kind }));
}

const countsOf = (page: Awaited<ReturnType<typeof aReport>>) =>
  Object.fromEntries(page.report?.kinds.map(({ kind, count }) => [kind, count]) ?? []);

test("the report counts what is wrong, with what was paid, and lists it", async () => {
  const { services, actor } = await anOffice();
  const trusted = await aTrustedPayee(services, actor);
  await aPaidPayment(services, actor, trusted.payeeId, { amount: 125_000 });
  await anAddedPayee(services, actor, { name: "Kestrel", accountName: "Kestrel", email: null });
  const page = await aReport(services, actor, "no_contact");
  expect(countsOf(page)).toEqual({ never_verified: 1, no_contact: 1 });
  expect(page.report).toMatchObject({ payeeCount: 2, score: 75 });
  expect(page.report?.notChecked).toHaveLength(1);
  expect(page.list?.rows).toMatchObject([{ name: "Kestrel", paidCents: 0 }]);
  await peek.update(payees).set({ email: null }).where(eq(payees.id, trusted.payeeId));
  const again = await aReport(services, actor, "no_contact");
  expect(again.report?.kinds.find(({ kind }) => kind === "no_contact")).toEqual({
    kind: "no_contact",
    count: 2,
    cents: 125_000,
  });
  expect(again.list?.rows.map(({ paidCents }) => paidCents)).toEqual([125_000, 0]);
});

test("the score moves as work is done, earlier findings are removed, and archived payees are left out", async () => {
  const { services, actor } = await anOffice();
  const { payeeId } = await anAddedPayee(services, actor, { email: null });
  expect((await aReport(services, actor)).report?.score).toBe(50);
  await peek.update(payees).set({ email: "a@wattle.example" }).where(eq(payees.id, payeeId));
  const page = await aReport(services, actor);
  expect(page.report).toMatchObject({ score: 60, history: [{ score: 50 }, { score: 60 }] });
  const left = await peek.select().from(payeeFindings).where(eq(payeeFindings.organizationId, actor.organizationId));
  expect(left.map(({ kind }) => kind)).toEqual(["never_verified"]);
  await peek.update(payees).set({ archivedAt: 1 }).where(eq(payees.id, payeeId));
  expect((await aReport(services, actor)).report).toMatchObject({ payeeCount: 0, score: null });
});

test("BSBs, look-alikes and shared ABNs are found", async () => {
  const { services, actor } = await anOffice();
  const loadedAt = services.clock.now();
  const row = { mnemonic: "CBA", name: "Sydney", paper: true, electronic: true, highValue: true, loadedAt };
  await peek.insert(bsbDirectory).values([
    { ...row, bsb: "062999", status: "merged", successorBsb: "062005" },
    { ...row, bsb: "062000", status: "open" },
  ]);
  const abn = anAbn();
  await anAddedPayee(services, actor, { name: "Gum Tree Joinery", accountName: "Gum Tree Joinery", abn, email: null });
  await anAddedPayee(services, actor, {
    name: "Gum Tree Joinery",
    accountName: "Gum Tree Joinery",
    abn,
    bsb: "062999",
  });
  const page = await aReport(services, actor, "bsb_closed");
  await peek.delete(bsbDirectory);
  expect(countsOf(page)).toEqual({ never_verified: 2, bsb_closed: 1, lookalike: 2, same_abn: 2, no_contact: 1 });
  expect(page.list?.rows[0]?.detail).toContain("062-005");
});

test("staff accounts among payees are told to administrators alone, in the file too", async () => {
  const { services, actor } = await anOffice();
  const { details } = await anAddedPayee(services, actor);
  const bytes = new TextEncoder().encode(`BSB,Account number\n${details.bsb},${details.accountNumber}`);
  await loadStaffAccounts(services, actor, { bytes });
  const page = await aReport(services, actor, "staff_account");
  expect(page.list?.rows).toHaveLength(1);
  const member = await aColleague(services, actor);
  const theirs = await readHealthPage(services, member, new URLSearchParams({ kind: "staff_account" }));
  expect(theirs.list).toBeNull();
  expect(countsOf(theirs)).toEqual({ never_verified: 1 });
  const linesFor = async (who: Actor) => {
    const args = await routeArgs(services, who, "/payees/health/export?kind=staff_account");
    return (await ((await exportLoader(args)) as Response).text()).split("\r\n").filter(Boolean).length;
  };
  expect(await linesFor(actor)).toBe(2);
  expect(await linesFor(member)).toBe(1);
});

test("an import ends with a reading, one at a time, and of one organisation", async () => {
  const { services, actor } = await anOffice();
  await anAddedPayee(services, await aMember(services));
  await aFinishedImport(services, actor, aTable("Wattle,Wattle,062-000,43000001", "Gum,Gum,062-000,43000002"));
  await startHealthRun(services, actor);
  const runs = await peek.select().from(healthRuns).where(eq(healthRuns.organizationId, actor.organizationId));
  expect(runs).toHaveLength(1);
  expect((await readHealthPage(services, actor, new URLSearchParams())).running).toEqual({ payeeCount: 0 });
  await deliver(services, actor);
  expect((await readHealthPage(services, actor, new URLSearchParams())).report).toMatchObject({
    payeeCount: 2,
    score: 50,
  });
});
