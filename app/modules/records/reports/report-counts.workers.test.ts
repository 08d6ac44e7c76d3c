import { alertChoices, alerts, auditLogs, reportDays } from "@db/database";
import { saveWalk } from "@db/walk";
import { runSchedule } from "@workers/schedules";
import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import { BURST_MS } from "~/modules/messages/alerts/burst.server";
import { raiseAlerts } from "~/modules/messages/alerts/trail.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import * as page from "~/routes/_app+/reports._index";
import * as csv from "~/routes/_app+/reports.export[.]csv";
import type { Actor, Services } from "~/services-and-actor";
import { raiseAllAlerts } from "../../../../tests/support/alerts";
import { aMember, recordAudit } from "../../../../tests/support/factories";
import { routeArgs } from "../../../../tests/support/requests";
import { testServices } from "../../../../tests/support/services";
import { aWorld } from "../../../../tests/support/simulators";
import { aPendingVerification } from "../../../../tests/support/verifications";
import { countTrail, reconcileReports } from "./count-trail.server";
import { summarizeMonths } from "./month-summary.server";

import { REPORT_IDS } from "./report";
import { readReport } from "./report.server";

const api = routeOf("/api/reports/{report}");

const TODAY = { from: "2026-11-20", to: "2026-11-20" };

async function aDecision(services: Services, actor: Actor) {
  const { verificationId } = await aPendingVerification(services, actor);
  await reviewVerification(services, actor, { verificationId, review: { approved: false, reason: "Not theirs" } });
}

const daysOf = (services: Services, actor: Actor) =>
  services.db.select().from(reportDays).where(eq(reportDays.organizationId, actor.organizationId));

async function countAll(services: Services) {
  while ((await countTrail(services)) > 0);
}

/** The test database holds many organisations, so the walk starts at this one, as on the night that reaches it. */
const beginAt = (services: Services, name: string, { organizationId }: Actor) =>
  saveWalk(services.db, { name, key: organizationId.slice(0, -1), startedAt: services.clock.now() }, null);

test("what happened is counted once, however often the schedule runs, and never for another organisation", async () => {
  const services = testServices();
  const [actor, other] = [await aMember(services), await aMember(services)];
  await aDecision(services, actor);
  await aDecision(services, actor);
  await countAll(services);
  await Promise.all([countTrail(services), countTrail(services)]);
  const report = await readReport(services, actor, "verifications", TODAY);
  expect(report.rows).toEqual([{ label: "20 Nov 2026", cells: [0, 2, 0] }]);
  expect((await readReport(services, actor, "people", TODAY)).rows).toEqual([
    { label: "Mira Okafor", cells: [0, 2, 0, 0] },
  ]);
  expect((await readReport(services, other, "verifications", TODAY)).totals).toEqual([0, 0, 0]);
});

test("page, file and call show the same figures", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await aDecision(services, actor);
  await countAll(services);
  const query = "?from=2026-11-20&to=2026-11-20";
  const loaded = await page.loader(await routeArgs(services, actor, `/reports${query}`));
  expect(loaded.reports.map(({ id }) => id)).toEqual([...REPORT_IDS]);
  expect(loaded.reports[0]).toMatchObject({ totals: ["0", "1", "0"], rows: [{ label: "20 Nov 2026" }] });
  const path = "/reports/export.csv?report=verifications&from=2026-11-20&to=2026-11-20";
  const file = await csv.loader(await routeArgs(services, actor, path));
  expect(await file.text()).toBe("Day,Verified,Rejected,Failed\r\n20 Nov 2026,0,1,0\r\nTotal,0,1,0\r\n");
  const ask = async (report: string, headers: Record<string, string> = {}) =>
    api.loader(await routeArgs(services, actor, `/api/reports/${report}${query}`, { report }, { headers }));
  const answer = await ask("verifications");
  expect(await answer.json()).toMatchObject({ report: "verifications", totals: { verified: 0, rejected: 1 } });
  const table = await ask("verifications", { Accept: "text/csv" });
  expect(table.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect((await ask("everything")).status).toBe(404);
});

test("a day that is wrong is counted again from the trail, and a day that is right stays", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await aDecision(services, actor);
  await countAll(services);
  const before = await daysOf(services, actor);
  const tomorrow = testServices({ clock: { now: () => services.clock.now() + DAY_MS } });
  await services.db
    .update(reportDays)
    .set({ count: 99 })
    .where(and(eq(reportDays.organizationId, actor.organizationId), eq(reportDays.metric, "decided")));
  await beginAt(services, "reports", actor);
  expect(await reconcileReports(tomorrow)).toBeGreaterThanOrEqual(1);
  expect((await daysOf(services, actor)).sort(byKey)).toEqual(before.sort(byKey));
  expect(tomorrow.log.lines.map(({ event }) => event)).toContain("reports.corrected");
  const dayAfter = testServices({ clock: { now: () => services.clock.now() + DAY_MS + 13 * HOUR_MS } });
  await beginAt(services, "reports", actor);
  expect(await reconcileReports(dayAfter)).toBe(0);
});

const byKey = (a: { metric: string; key: string }, b: { metric: string; key: string }) =>
  `${a.metric}${a.key}` < `${b.metric}${b.key}` ? -1 : 1;

test("the summary of a month is written once, and reaches only people who chose it", async () => {
  const services = testServices();
  const [actor, quiet] = [await aMember(services, { role: "admin" }), await aMember(services, { role: "admin" })];
  await aDecision(services, actor);
  await countAll(services);
  const december = testServices({ clock: { now: () => Date.parse("2026-12-01T16:23:00Z") } });
  await beginAt(december, "month-summaries", actor);
  expect(await summarizeMonths(december)).toBeGreaterThanOrEqual(1);
  const written = (who: Actor) =>
    services.db
      .select({ details: auditLogs.details })
      .from(auditLogs)
      .where(and(eq(auditLogs.organizationId, who.organizationId), eq(auditLogs.action, "report.month_ended")));
  expect(await written(actor)).toMatchObject([{ details: { month: "November 2026", verified: 0, rejected: 1 } }]);
  expect(await written(quiet)).toEqual([]);
  const nextNight = testServices({ clock: { now: () => Date.parse("2026-12-02T16:23:00Z") } });
  expect(await summarizeMonths(nextNight)).toBe(0);
  await raiseAlerts(december);
  const [told] = await services.db.all<{ number: number }>(
    sql`SELECT count(*) AS "number" FROM "alerts" WHERE "organizationId" = ${actor.organizationId} AND "event" = 'month_summary'`,
  );
  expect(told?.number).toBe(0);
});

test("an admin who chose the summary finds it in the app and is sent it by email; another admin is not", async () => {
  const world = aWorld();
  const actor = await aMember(world, { role: "admin" });
  const organization = { id: actor.organizationId, name: actor.organizationName };
  await aMember(world, { organization, role: "admin", firstName: "Dana" });
  const choice = { event: "month_summary", inApp: true, email: "now", sms: false } as const;
  await world.db.insert(alertChoices).values({ ...choice, organizationId: actor.organizationId, userId: actor.userId });
  await aDecision(world, actor);
  await countAll(world);
  world.clock.advance(Date.parse("2026-12-01T16:23:00Z") - world.clock.now());
  await beginAt(world, "month-summaries", actor);
  await summarizeMonths(world);
  await raiseAllAlerts(world);
  await world.pass(BURST_MS);
  const summaries = (await world.mails()).filter(({ text }) => text.includes("Summary of November 2026"));
  expect(summaries.flatMap(({ to }) => to)).toEqual([actor.email]);
  expect(summaries[0]?.text).toContain("0 payees verified, 1 rejected.");
  const told = await world.db
    .select({ userId: alerts.userId, title: alerts.title })
    .from(alerts)
    .where(and(eq(alerts.organizationId, actor.organizationId), eq(alerts.event, "month_summary")));
  expect(told).toEqual([{ userId: actor.userId, title: "Summary of November 2026" }]);
});

test("the schedules count and look after the counts", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await aDecision(services, actor);
  await runSchedule("* * * * *", services);
  expect((await daysOf(services, actor)).length).toBeGreaterThan(0);
});

test("the rows read for the reports do not grow with what was counted", async () => {
  const cost = async (size: number) => {
    let rows = 0;
    const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
    const actor = await aMember(services);
    const entries = Array.from({ length: size }, (_, i) => ({ id: services.ids.next(), at: services.clock.now() + i }));
    await services.db.batch([
      recordAudit(services, actor, { action: "payee.archived", entityType: "payee", entityId: services.ids.next() }),
    ]);
    await services.db.run(sql`INSERT INTO audit_logs (id, organizationId, userId, action, entityType, entityId, details, createdAt)
      SELECT value ->> 'id', ${actor.organizationId}, ${actor.userId},
        CASE key % 3 WHEN 0 THEN 'verification.approved' WHEN 1 THEN 'payee.whitelisted' ELSE 'verification.bank_check_finished' END,
        'verification', value ->> 'id', '{"outcome":"match","score":97}', value ->> 'at'
      FROM json_each(${JSON.stringify(entries)})`);
    await countAll(services);
    rows = 0;
    await page.loader(await routeArgs(services, actor, "/reports"));
    expect((await readReport(services, actor, "scores", TODAY)).totals[0]).toBeGreaterThan(size / 4);
    return rows;
  };
  const [small, large] = [await cost(300), await cost(6_000)];
  expect(large / small).toBeLessThanOrEqual(1.3);
});
