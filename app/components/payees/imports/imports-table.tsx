import { UploadsTable } from "~/components/tables/uploads-table";
import { StatusBadge } from "~/components/ui/status-badge";
import { appPaths } from "~/kernel/paths/app";
import { type ImportView, KIND_LABELS } from "~/modules/payees/imports/import.view";

/** The imports of an organisation. */
export function ImportsTable({ rows }: { rows: readonly ImportView[] }) {
  return (
    <UploadsTable
      caption="Imports"
      rows={rows}
      to={({ id }) => appPaths.import(id)}
      note={({ kind, uploadedBy }) => [KIND_LABELS[kind], uploadedBy].filter(Boolean).join(", ")}
      figures={[
        { head: "Rows", of: ({ rowCount }) => rowCount.toLocaleString("en-AU") },
        { head: "Added", of: ({ addedCount }) => addedCount.toLocaleString("en-AU") },
        { head: "Refused", of: ({ refusedCount }) => refusedCount.toLocaleString("en-AU") },
      ]}
      status={({ status }) => <StatusBadge of="import" status={status} />}
    />
  );
}
