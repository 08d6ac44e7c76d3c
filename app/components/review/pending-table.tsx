import { MatchTypeLabel } from "~/components/review/match-type";
import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Bsb, Masked } from "~/components/ui/digits";
import { Email } from "~/components/ui/email";
import { Time } from "~/components/ui/time";
import { appPaths } from "~/kernel/paths/app";
import type { PendingRow } from "~/modules/review/pending.view";

interface PendingTableProps {
  rows: readonly PendingRow[];
  order: "newest" | "oldest";
  /** Address of the same list in the other order. */
  otherOrderHref: string;
}

/** The review queue as a table (specification, section 2). */
export function PendingTable({ rows, order, otherOrderHref }: PendingTableProps) {
  return (
    <Table
      caption="Pending verifications"
      fixed
      head={
        <>
          <Th width="lg:w-[19%]">Payee</Th>
          <Th width="lg:w-[22%]">Account Details</Th>
          <Th width="lg:w-[16%]">Match Type</Th>
          <Th>Requested By</Th>
          <Th width="lg:w-[16%]" sortHref={otherOrderHref} sorted={order === "oldest" ? "ascending" : "descending"}>
            Date
          </Th>
          <Th width="lg:w-[10%]" align="right">
            Actions
          </Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={appPaths.verification(row.id)}>{row.payeeName}</RowLink>
          </Td>
          <Td label="Account Details">
            {row.accountName}
            <CellNote>
              <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />
            </CellNote>
          </Td>
          <Td label="Match Type">
            <span className="flex flex-wrap items-center gap-1.5">
              <MatchTypeLabel matchType={row.matchType} score={row.nameMatchScore} />
              {row.isDisputed && (
                <Badge tone="review" icon="hand">
                  Disputed by payee
                </Badge>
              )}
            </span>
          </Td>
          <Td label="Requested By">
            {row.requestedBy ? (
              <>
                {row.requestedBy.name}
                <CellNote>
                  <Email value={row.requestedBy.email} />
                </CellNote>
              </>
            ) : (
              "System"
            )}
          </Td>
          <Td label="Date">
            <Time {...row.createdAt} stacked />
          </Td>
          <Td actions>
            <Button
              to={appPaths.verification(row.id)}
              variant="secondary"
              size="sm"
              aria-label={`Review ${row.payeeName}`}
            >
              Review
            </Button>
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
