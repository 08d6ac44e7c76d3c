import { UploadsTable } from "~/components/tables/uploads-table";
import { Amount } from "~/components/ui/digits";
import { StatusBadge } from "~/components/ui/status-badge";
import { appPaths } from "~/kernel/paths/app";
import type { FileRow } from "~/modules/payments/payment-files/payment-file.view";

/** The payment files of an organisation. */
export function FilesTable({ rows }: { rows: readonly FileRow[] }) {
  return (
    <UploadsTable
      caption="Payment files"
      rows={rows}
      to={({ id }) => appPaths.paymentFile(id)}
      note={({ uploadedBy }) => uploadedBy}
      figures={[
        { head: "Payments", of: ({ lineCount }) => lineCount.toLocaleString("en-AU") },
        { head: "Total", of: ({ totalCents }) => <Amount cents={totalCents} /> },
        { head: "Held", of: ({ heldCount }) => heldCount.toLocaleString("en-AU") },
      ]}
      status={({ status }) => <StatusBadge of="file" status={status} />}
    />
  );
}
