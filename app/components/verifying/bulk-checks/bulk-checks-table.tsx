import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Time } from "~/components/ui/time";
import { appPaths } from "~/kernel/paths/app";
import type { BulkCheckView } from "~/modules/verifying/bulk-checks/bulk-check.view";

/** Bulk checks of an organisation, the newest first. */
export function BulkChecksTable({ rows }: { rows: readonly BulkCheckView[] }) {
  return (
    <Table
      caption="Bulk checks"
      dense
      fixed
      head={
        <>
          <Th width="lg:w-[40%]">Payees</Th>
          <Th align="right">Counted</Th>
          <Th align="right">Asked</Th>
          <Th>Status</Th>
          <Th>When</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={appPaths.bulkCheck(row.id)}>{row.choice}</RowLink>
            <CellNote>{row.askedBy}</CellNote>
          </Td>
          <Td label="Counted" align="right">
            {row.payeeCount.toLocaleString("en-AU")}
          </Td>
          <Td label="Asked" align="right">
            {row.askedCount.toLocaleString("en-AU")}
          </Td>
          <Td label="Status">{row.statusWord}</Td>
          <Td label="When">
            <Time {...row.at} stacked />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
