import { cx } from "~/components/cx";
import { ReportChart } from "~/components/records/reports/report-chart";
import { Table, Td, Th, Tr } from "~/components/tables/table";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import type { ReportView } from "~/modules/records/reports/report.view";

/** One report: its chart, its table and its file. */
export function ReportCard({ id, title, description, note, head, rows, totals, chart, csvHref }: ReportView) {
  return (
    <Card
      title={title}
      actions={
        <Button to={csvHref} reloadDocument variant="quiet" size="sm" icon="download" aria-label={`CSV of ${title}`}>
          CSV
        </Button>
      }
    >
      <p className="text-base text-ink-soft">
        {description} {note}
      </p>
      {chart === null ? (
        <p className="mt-4 text-base">Nothing was counted in these days.</p>
      ) : (
        <div className="mt-4 grid gap-x-8 gap-y-5 xl:grid-cols-2" id={`report-${id}`}>
          <ReportChart {...chart} />
          <Figures title={title} head={head} rows={rows} totals={totals} />
        </div>
      )}
    </Card>
  );
}

type FiguresProps = Pick<ReportView, "title" | "head" | "rows" | "totals">;

function Figures({ title, head, rows, totals }: FiguresProps) {
  const [first = "", ...figures] = head;
  return (
    <div className="min-w-0">
      <Table
        caption={title}
        dense
        head={
          <>
            <Th>{first}</Th>
            {figures.map((name) => (
              <Th key={name} align="right">
                {name}
              </Th>
            ))}
          </>
        }
      >
        {rows.map(({ label, cells }) => (
          <Row key={label} label={label} cells={cells} figures={figures} />
        ))}
        <Row label="Total" cells={totals} figures={figures} isTotal />
      </Table>
    </div>
  );
}

type RowProps = { label: string; cells: readonly string[]; figures: readonly string[]; isTotal?: boolean };

function Row({ label, cells, figures, isTotal }: RowProps) {
  const weight = isTotal ? "font-medium" : undefined;
  return (
    <Tr>
      <Td className={weight}>{label}</Td>
      {cells.map((cell, at) => (
        <Td key={figures[at]} label={figures[at]} align="right" className={cx("print:text-right", weight)}>
          {cell}
        </Td>
      ))}
    </Tr>
  );
}
