import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ReportCard } from "~/components/records/reports/report-card";
import { ReportRangeForm } from "~/components/records/reports/report-range-form";
import { PageHeader } from "~/components/ui/page-header";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { REPORT_IDS } from "~/modules/records/reports/report";
import { readReport } from "~/modules/records/reports/report.server";
import { rangeChoices, toReportView } from "~/modules/records/reports/report.view";
import { readRange, sayRange } from "~/modules/records/reports/report-range";

export const meta: MetaFunction = (route) => [pageTitle(route, "Reports")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const now = services.clock.now();
  const range = readRange(url.searchParams, actor.timeZone, now);
  const reports = await Promise.all(REPORT_IDS.map((id) => readReport(services, actor, id, range)));
  return {
    range,
    days: sayRange(range),
    choices: rangeChoices(now, actor.timeZone),
    reports: reports.map((report) => toReportView(report, range)),
  };
});

export default function Reports() {
  const { range, days, choices, reports } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Reports"
        description={`${days}. Counted from the audit trail every minute, by the days of your organisation's time zone.`}
      />
      <ReportRangeForm range={range} choices={choices} />
      <div className="grid gap-6">
        {reports.map((report) => (
          <ReportCard key={report.id} {...report} />
        ))}
      </div>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Reports" />;
}
