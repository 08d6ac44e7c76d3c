import { ReportFigures } from "~/components/records/report-figures";
import { Chart } from "~/components/ui/chart";
import { Button, Icon } from "~/components/ui/elements";
import { Card } from "~/components/ui/page-parts";
import { appPaths } from "~/kernel/paths/app";
import type { showMoney } from "~/modules/records/reports/money.server";

type MoneyCardProps = { money: NonNullable<ReturnType<typeof showMoney>> };

/** The money of the last weeks: what was authorised, held and rejected. */
export function MoneyCard({ money: { title, weeks, description, chart, head, rows, totals } }: MoneyCardProps) {
  return (
    <Card
      title={title}
      description={weeks}
      actions={
        <Button to={appPaths.reports} variant="secondary" size="sm" iconAfter="chevronRight">
          Reports
        </Button>
      }
    >
      <Chart {...chart} note={description} />
      <details className="group mt-2">
        <summary className="inline-flex min-h-10 items-center gap-1.5 rounded-base text-accent-text text-base">
          Show the figures
          <Icon name="chevronDown" className="size-4 transition-transform group-open:rotate-180" />
        </summary>
        <ReportFigures title={title} head={head} rows={rows} totals={totals} />
      </details>
    </Card>
  );
}
