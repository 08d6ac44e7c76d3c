import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Amount } from "~/components/ui/digits";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { appPaths } from "~/kernel/paths/app";
import type { FileRow } from "~/modules/payment-files/payment-file.view";

/** The payment files of an organisation. */
export function FilesTable({ rows }: { rows: readonly FileRow[] }) {
  return (
    <Table
      caption="Payment files"
      fixed
      head={
        <>
          <Th width="lg:w-[30%]">File</Th>
          <Th align="right">Payments</Th>
          <Th align="right">Total</Th>
          <Th align="right">Held</Th>
          <Th>Status</Th>
          <Th>Uploaded</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={appPaths.paymentFile(row.id)}>
              <span className="break-words">{row.name}</span>
            </RowLink>
            {row.uploadedBy && <CellNote>{row.uploadedBy}</CellNote>}
          </Td>
          <Td label="Payments" align="right">
            {row.lineCount.toLocaleString("en-AU")}
          </Td>
          <Td label="Total" align="right">
            <Amount cents={row.totalCents} />
          </Td>
          <Td label="Held" align="right">
            {row.heldCount.toLocaleString("en-AU")}
          </Td>
          <Td label="Status">
            <StatusBadge of="file" status={row.status} />
          </Td>
          <Td label="Uploaded">
            <Time {...row.uploadedAt} stacked />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
