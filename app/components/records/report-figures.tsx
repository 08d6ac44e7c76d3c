import { Table } from "~/components/tables/table";
import { cx } from "~/components/ui/elements";
import type { ReportView } from "~/modules/records/reports/report.server";

/** A name or a day that takes more letters breaks. */
const NAME = 11;
/** So many letters in all fit beside each other on a phone, and in a column beside another. */
const SMALL = 36;
const MIDDLING = 44;
/** Left out on a phone, where each figure is a line. */
const NOTHING = /^\$?0(\.00)?$/;

type FiguresProps = Pick<ReportView, "title" | "head" | "rows" | "totals">;

type Row = FiguresProps["rows"][number];

/** The table of a report, with its totals and, where there is no chart, a bar in each row. */
export function ReportFigures({ title, head, rows, totals }: FiguresProps) {
  const [first = "", ...figures] = head;
  const all: Row[] = [...rows, { label: "Total", cells: totals }];
  const letters = figures.reduce((sum, words, at) => {
    const column = [...words.split(" "), ...all.map(({ cells }) => cells[at] ?? "")];
    return sum + Math.max(...column.map(({ length }) => length));
  }, NAME);
  const weightOf = ({ cells }: Row) => (cells === totals ? "font-medium" : undefined);
  return (
    <div className={cx("figures-table", letters <= SMALL ? "is-small" : letters <= MIDDLING && "is-middling")}>
      <Table
        caption={title}
        dense
        rows={all}
        keyOf={({ label }) => label}
        columns={[
          { head: first, cell: (row) => <Label {...row} />, classOf: weightOf },
          ...figures.map((head, at) => ({
            head,
            align: "right" as const,
            // Of any width, so that long headings break.
            width: "",
            cell: ({ cells }: Row) => cells[at],
            classOf: (row: Row) =>
              cx(
                "print:text-right",
                weightOf(row),
                letters > SMALL && NOTHING.test(row.cells[at] ?? "") && "cell-nothing",
              ),
          })),
        ]}
      />
    </div>
  );
}

function Label({ label, share }: Row) {
  if (!share) return label;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="min-w-0 grow basis-44">{label}</span>
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" className="h-2.5 w-24 grow-2 narrow:h-1.5">
        <rect width={share} height="1" className="fill-accent forced-colors:fill-[Highlight]" />
      </svg>
    </span>
  );
}
