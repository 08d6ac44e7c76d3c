import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Amount, Bsb, Masked } from "~/components/ui/digits";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { appPaths } from "~/kernel/paths/app";
import type { PaymentRow } from "~/modules/payments/payment-list.view";

/** The payments of an organisation as a table. */
export function PaymentsTable({ rows }: { rows: readonly PaymentRow[] }) {
  return (
    <Table
      caption="Payments"
      fixed
      head={
        <>
          <Th width="lg:w-[20%]">Payee</Th>
          <Th width="lg:w-[20%]">Account</Th>
          <Th>Reference</Th>
          <Th width="lg:w-[12%]" align="right">
            Amount
          </Th>
          <Th width="lg:w-[17%]">Status</Th>
          <Th width="lg:w-[16%]">Recorded</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={appPaths.payment(row.id)}>{row.payeeName ?? "Unknown account"}</RowLink>
          </Td>
          <Td label="Account">
            {row.accountName}
            <CellNote>
              <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />
            </CellNote>
          </Td>
          <Td label="Reference">
            <span className="break-words">{row.reference}</span>
          </Td>
          <Td label="Amount" align="right">
            <Amount cents={row.amount} />
          </Td>
          <Td label="Status">
            <StatusBadge of="payment" status={row.status} />
          </Td>
          <Td label="Recorded">
            <Time {...row.recordedAt} stacked />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
