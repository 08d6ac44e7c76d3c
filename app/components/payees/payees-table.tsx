import { PayeeStatusBadge } from "~/components/payees/payee-status-badge";
import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Bsb, Masked } from "~/components/ui/digits";
import { Time } from "~/components/ui/time";
import { appPaths } from "~/kernel/paths/app";
import type { PayeeRow } from "~/modules/payees/payee-list.view";

/** The payees of an organisation as a table. */
export function PayeesTable({ rows }: { rows: readonly PayeeRow[] }) {
  return (
    <Table
      caption="Payees"
      fixed
      head={
        <>
          <Th width="lg:w-[23%]">Payee</Th>
          <Th width="lg:w-[25%]">Account</Th>
          <Th>Institution</Th>
          <Th width="lg:w-[16%]">Status</Th>
          <Th width="lg:w-[16%]">Added</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={appPaths.payee(row.id)}>{row.name}</RowLink>
          </Td>
          <Td label="Account">
            {row.accountName}
            <CellNote>
              <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />
            </CellNote>
          </Td>
          <Td label="Institution">{row.institution ?? "Unknown BSB"}</Td>
          <Td label="Status">
            <PayeeStatusBadge status={row.status} />
          </Td>
          <Td label="Added">
            <Time {...row.addedAt} stacked />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
