import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { appPaths } from "~/kernel/paths/app";
import { type ImportView, KIND_LABELS } from "~/modules/imports/import.view";

/** The imports of an organisation. */
export function ImportsTable({ rows }: { rows: readonly ImportView[] }) {
  return (
    <Table
      caption="Imports"
      fixed
      head={
        <>
          <Th width="lg:w-[34%]">File</Th>
          <Th align="right">Rows</Th>
          <Th align="right">Added</Th>
          <Th align="right">Refused</Th>
          <Th>Status</Th>
          <Th>Uploaded</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={appPaths.import(row.id)}>
              <span className="break-words">{row.name}</span>
            </RowLink>
            <CellNote>{[KIND_LABELS[row.kind], row.uploadedBy].filter(Boolean).join(", ")}</CellNote>
          </Td>
          <Td label="Rows" align="right">
            {row.rowCount.toLocaleString("en-AU")}
          </Td>
          <Td label="Added" align="right">
            {row.addedCount.toLocaleString("en-AU")}
          </Td>
          <Td label="Refused" align="right">
            {row.refusedCount.toLocaleString("en-AU")}
          </Td>
          <Td label="Status">
            <StatusBadge of="import" status={row.status} />
          </Td>
          <Td label="Uploaded">
            <Time {...row.uploadedAt} stacked />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
