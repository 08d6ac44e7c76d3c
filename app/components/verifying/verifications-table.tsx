import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import { appPaths } from "~/kernel/paths/app";
import type { ListedRow } from "~/modules/verifying/review/verification-list.view";

/** Every verification, newest first. */
export function VerificationsTable({ rows }: { rows: readonly ListedRow[] }) {
  return (
    <Table
      caption="Verifications"
      fixed
      dense
      head={
        <>
          <Th width="lg:w-[16%]">Payee</Th>
          <Th width="lg:w-[19%]">Account Details</Th>
          <Th width="lg:w-[18%]">Status</Th>
          <Th width="lg:w-[12%]">Result</Th>
          <Th width="lg:w-[8%]">Method</Th>
          <Th width="lg:w-[14%]">Decided By</Th>
          <Th>Opened</Th>
        </>
      }
    >
      {rows.map((row) => (
        <VerificationLine key={row.id} row={row} />
      ))}
    </Table>
  );
}

function VerificationLine({ row }: { row: ListedRow }) {
  return (
    <Tr>
      <Td>
        <span className="block lg:truncate" title={row.payeeName}>
          <RowLink to={appPaths.verification(row.id)}>{row.payeeName}</RowLink>
        </span>
      </Td>
      <Td label="Account Details">
        <span className="figures block lg:truncate" title={row.account}>
          {row.account}
        </span>
      </Td>
      <Td label="Status">
        {row.verdict ? (
          <span className="flex flex-col items-start gap-0.5">
            <VerdictBadge verdict={row.verdict} />
            {row.verdict.change && <ChangeMark change={row.verdict.change} />}
          </span>
        ) : (
          <>
            <StatusBadge of="verification" status={row.status} />
            {row.grade && <CellNote>{row.grade}</CellNote>}
          </>
        )}
      </Td>
      <Td label="Result">
        {row.outcome}
        {row.score !== null && <span className="figures text-ink-soft"> {row.score}%</span>}
      </Td>
      <Td label="Method">{row.method}</Td>
      <Td label="Decided By">
        {row.decidedBy ?? <span className="text-ink-soft">Not decided yet</span>}
        {row.decidedAt && <span className="figures block text-ink-soft text-xs">{row.decidedAt.exact}</span>}
      </Td>
      <Td label="Opened">
        <Time dateTime={row.createdAt.dateTime} exact={row.createdAt.exact} />
        <span className="block text-ink-soft text-xs">{row.requestedBy}</span>
      </Td>
    </Tr>
  );
}
