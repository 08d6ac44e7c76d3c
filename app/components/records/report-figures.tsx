import { Table } from "~/components/tables/table";
import { cx } from "~/components/ui/elements";
import type { ReportView } from "~/modules/records/reports/report.server";

/** Headings of this many letters in all fit beside each other on a phone. */
const SHORT = 26;

type FiguresProps = Pick<ReportView, "title" | "head" | "rows" | "totals">;

type Row = Pick<FiguresProps["rows"][number], "label" | "cells">;

/** The table of a report, with its totals. */
export function ReportFigures({ title, head, rows, totals }: FiguresProps) {
  const [first = "", ...figures] = head;
  const weightOf = ({ cells }: Row) => (cells === totals ? "font-medium" : undefined);
  return (
    <div className="min-w-0">
      <Table
        caption={title}
        dense
        small={head.join("").length <= SHORT}
        rows={[...rows, { label: "Total", cells: totals }]}
        keyOf={({ label }) => label}
        columns={[
          { head: first, cell: ({ label }) => label, classOf: weightOf },
          ...figures.map((head, at) => ({
            head,
            align: "right" as const,
            cell: ({ cells }: Row) => cells[at],
            classOf: (row: Row) => cx("print:text-right", weightOf(row)),
          })),
        ]}
      />
    </div>
  );
}
