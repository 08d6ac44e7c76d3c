import { Link } from "@remix-run/react";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge, type Tone } from "~/components/ui/badge";
import { Bsb, Masked } from "~/components/ui/digits";
import type { IconName } from "~/components/ui/icons";
import { VerdictBadge } from "~/components/verifying/verdict-badge";
import type { RowOutcome } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { OUTCOME_LABELS } from "~/modules/payees/imports/import";
import type { ShownRow } from "~/modules/payees/imports/import.view";

const LOOKS: Readonly<Record<RowOutcome, { tone: Tone; icon: IconName }>> = {
  added: { tone: "verified", icon: "plus" },
  filled: { tone: "verified", icon: "pencil" },
  unchanged: { tone: "neutral", icon: "equals" },
  differs: { tone: "pending", icon: "notEquals" },
  no_account: { tone: "neutral", icon: "dash" },
  refused: { tone: "review", icon: "xCircle" },
};

/** What became of a row, or would. */
function OutcomeBadge({ outcome }: { outcome: RowOutcome }) {
  return (
    <Badge tone={LOOKS[outcome].tone} icon={LOOKS[outcome].icon}>
      {OUTCOME_LABELS[outcome]}
    </Badge>
  );
}

interface RowsTableProps {
  caption: string;
  rows: readonly (Omit<ShownRow, "account"> & Partial<Pick<ShownRow, "account">>)[];
}

/** Rows of a file with what became of them, or would. */
export function RowsTable({ caption, rows }: RowsTableProps) {
  return (
    <Table
      caption={caption}
      dense
      fixed
      head={
        <>
          <Th width="lg:w-[7%]">Line</Th>
          <Th width="lg:w-[30%]">Payee</Th>
          <Th width="lg:w-[18%]">Outcome</Th>
          <Th>Notes</Th>
        </>
      }
    >
      {rows.map(({ line, name, account, outcome, message, payeeId, register, verdict }) => (
        <Tr key={line} isRed={verdict !== null}>
          <Td>{line}</Td>
          <Td label="Payee">
            {payeeId ? (
              <Link to={appPaths.payee(payeeId)} className="font-medium text-accent-text underline underline-offset-2">
                {name}
              </Link>
            ) : (
              <span className="break-words">{name || "No name"}</span>
            )}
            {account && (
              <CellNote>
                <Bsb value={account.bsb} /> <Masked value={account.number} />
              </CellNote>
            )}
          </Td>
          <Td label="Outcome">
            <span className="flex flex-wrap gap-1.5">
              <OutcomeBadge outcome={outcome} />
              {verdict && <VerdictBadge verdict={verdict} />}
            </span>
          </Td>
          <Td label="Notes">
            <span className="break-words">{message}</span>
            {register && <CellNote>{register}</CellNote>}
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
