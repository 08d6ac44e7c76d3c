import { useLoaderData } from "@remix-run/react";
import type { ComponentProps } from "react";
import { TextInput, tickClass } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { ReportFigures } from "~/components/records/report-figures";
import { FilterTabs } from "~/components/tables/list-card";
import { Chart } from "~/components/ui/chart";
import { Button } from "~/components/ui/elements";
import { EmptyState } from "~/components/ui/empty-state";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { type ReportView, readReportsPage } from "~/modules/records/reports/report.server";
import type { ReportRange } from "~/modules/records/reports/report-range";

/** A table with more columns needs the page's whole width, as a chart does. */
const COLUMNS = 4;

/** One report with figures: its table and download, and its chart beside them. */
function ReportCard({ id, title, description, note, head, rows, totals, chart, csvHref }: ReportView) {
  return (
    <Card
      title={title}
      description={
        <>
          {description} {note}
        </>
      }
      className={chart || head.length > COLUMNS ? "@[61rem]/main:col-span-2" : undefined}
      actions={
        <Button to={csvHref} reloadDocument variant="quiet" size="sm" icon="download" aria-label={`CSV of ${title}`}>
          CSV
        </Button>
      }
    >
      <div className="report" id={`report-${id}`}>
        {chart && (
          <>
            <Chart {...chart} />
            <label className="figures-fold">
              <input type="checkbox" className={tickClass} aria-label={`Show the figures of ${title}`} />
              Show the figures
            </label>
          </>
        )}
        <ReportFigures title={title} head={head} rows={rows} totals={totals} />
      </div>
    </Card>
  );
}

export const { meta, ErrorBoundary } = named("Reports", "Error Loading Reports");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readReportsPage(scope.services, actor, scope.url.searchParams);
});

export default function Reports() {
  const { range, days, choices, reports, isNew, canWrite } = useLoaderData<typeof loader>();
  if (isNew) return <NothingYet canWrite={canWrite} />;
  const empty = reports.filter(({ isEmpty }) => isEmpty);
  return (
    <>
      <PageHeader
        title="Reports"
        description={`${days}. Counted from the audit trail every minute, by the days of your organisation's time zone.`}
      />
      <ReportRangeForm range={range} choices={choices} />
      <div className="grid grid-flow-dense gap-6 @[61rem]/main:grid-cols-2">
        {reports.map((report) => !report.isEmpty && <ReportCard key={report.id} {...report} />)}
        {empty.length > 0 && (
          <Card title="Nothing was counted on these days" className="self-start">
            <ul className="list-disc pl-5 text-base">
              {empty.map(({ id, title }) => (
                <li key={id}>{title}</li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </>
  );
}

/** Before anything was counted: what will be here, and where it begins. */
const NothingYet = ({ canWrite }: { canWrite: boolean }) => (
  <>
    <PageHeader title="Reports" />
    <Card>
      <EmptyState
        icon="chart"
        title="Nothing is counted yet"
        action={
          canWrite && (
            <Button to={appPaths.newPayee} icon="shieldCheck">
              Verify a payee
            </Button>
          )
        }
      >
        Here you will see how many payees were verified and how long that took, how much money was held and why, and who
        decided. The figures appear about a minute after each decision.
      </EmptyState>
    </Card>
  </>
);

/** The days of the reports; a GET form, so that a view has an address. */
function ReportRangeForm({
  range,
  choices,
}: {
  range: ReportRange;
  choices: ComponentProps<typeof FilterTabs>["items"];
}) {
  return (
    <Form method="get" action={appPaths.reports} className="mb-6 flex flex-wrap items-end gap-3 print:hidden">
      <TextInput name="from" label="From" type="date" defaultValue={range.from} showOptional={false} />
      <TextInput name="to" label="To" type="date" defaultValue={range.to} showOptional={false} />
      <Button type="submit" variant="secondary">
        Show
      </Button>
      <FilterTabs label="Days" items={choices} />
    </Form>
  );
}
