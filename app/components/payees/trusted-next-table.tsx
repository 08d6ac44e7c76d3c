import { RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";

interface TrustedNextTableProps {
  rows: readonly { id: string; name: string; href: string; paymentCount: number; isDue: boolean; sentence: string }[];
}

/** Payees on their way to the whitelist, and what each still lacks. */
export function TrustedNextTable({ rows }: TrustedNextTableProps) {
  return (
    <Table
      caption="Payees that will be trusted next"
      fixed
      head={
        <>
          <Th width="lg:w-[28%]">Payee</Th>
          <Th width="lg:w-[14%]" align="right">
            Successful payments
          </Th>
          <Th width="lg:w-[16%]">Next run</Th>
          <Th>What is missing</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={row.href}>{row.name}</RowLink>
          </Td>
          <Td label="Successful payments" align="right">
            <span className="figures">{row.paymentCount.toLocaleString("en-AU")}</span>
          </Td>
          <Td label="Next run">{row.isDue ? <Badge tone="verified">Whitelisted</Badge> : "Not yet"}</Td>
          <Td label="What is missing">{row.isDue ? `Nothing. ${row.sentence}` : row.sentence}</Td>
        </Tr>
      ))}
    </Table>
  );
}
