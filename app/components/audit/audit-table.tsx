import { Link } from "@remix-run/react";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
import { Digits } from "~/components/ui/digits";
import { Email } from "~/components/ui/email";
import { Time } from "~/components/ui/time";
import type { AuditLine } from "~/modules/audit/audit.view";

/** The audit trail as a table, newest first. */
export function AuditTable({ lines }: { lines: readonly AuditLine[] }) {
  return (
    <Table
      caption="Audit trail"
      dense
      head={
        <>
          <Th>When</Th>
          <Th>Who</Th>
          <Th>What</Th>
          <Th>About</Th>
          <Th>From</Th>
          <Th align="right">Seal</Th>
        </>
      }
    >
      {lines.map((line) => (
        <AuditRow key={line.id} line={line} />
      ))}
    </Table>
  );
}

function AuditRow({ line }: { line: AuditLine }) {
  return (
    <Tr>
      <Td>
        <Time {...line.when} stacked />
      </Td>
      <Td label="Who">
        <Who who={line.who} />
      </Td>
      <Td label="What">
        <span className="font-medium">{line.what}</span>
        {line.details.length > 0 && (
          <CellNote>
            {line.details.map(({ term, value }) => (
              <span key={term} className="mr-3 inline-block">
                {term}: <span className="text-ink">{value}</span>
              </span>
            ))}
          </CellNote>
        )}
      </Td>
      <Td label={line.about ? "About" : undefined}>
        {line.about && (
          <Link
            to={line.about.href}
            className="inline-flex min-h-6 items-center text-accent-text underline underline-offset-2"
          >
            {line.about.label}
          </Link>
        )}
      </Td>
      <Td label={line.ipAddress ? "From" : undefined}>{line.ipAddress && <Digits>{line.ipAddress}</Digits>}</Td>
      <Td label="Seal" align="right">
        {line.seq === null ? (
          <Badge tone="neutral" icon="clock">
            Not sealed yet
          </Badge>
        ) : (
          <Digits>{`#${line.seq}`}</Digits>
        )}
      </Td>
    </Tr>
  );
}

function Who({ who }: Pick<AuditLine, "who">) {
  if (!who) return "System";
  return (
    <>
      {who.name}
      <CellNote>
        <Email value={who.email} />
      </CellNote>
    </>
  );
}
