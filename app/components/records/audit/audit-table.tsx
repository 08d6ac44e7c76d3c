import { Link } from "@remix-run/react";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
import { Digits } from "~/components/ui/digits";
import { Email } from "~/components/ui/email";
import { Icon } from "~/components/ui/icons";
import { Time } from "~/components/ui/time";
import type { AuditItem, AuditLine } from "~/modules/records/audit-trail/audit-page.view";

const LINK = "text-accent-text underline underline-offset-2";

/** The audit trail as a table, newest first. The looks at full bank details of a day open from one row. */
export function AuditTable({ items }: { items: readonly AuditItem[] }) {
  return (
    <Table
      caption="Audit trail"
      dense
      fixed
      head={
        <>
          <Th width="lg:w-[15%]">When</Th>
          <Th>What happened</Th>
          <Th width="lg:w-[22%]">By</Th>
          <Th width="lg:w-[11%]" align="right">
            Seal
          </Th>
        </>
      }
    >
      {items.map((item) =>
        "line" in item ? <Entry key={item.line.id} line={item.line} /> : <Looks key={item.looks[0]?.id} {...item} />,
      )}
    </Table>
  );
}

function Entry({ line }: { line: AuditLine }) {
  return (
    <Tr>
      <Td>
        <Time {...line.when} stacked />
      </Td>
      <Td>
        <span className="break-words">{line.sentence}</span>
        {line.href && (
          <>
            {" "}
            <Link
              to={line.href}
              className={`${LINK} print:hidden`}
              aria-label={`Open what this is about: ${line.sentence}`}
            >
              Open
            </Link>
          </>
        )}
      </Td>
      <Td label="By">
        {line.email ? <Email value={line.email} /> : "PayeeProof"}
        {line.ipAddress && (
          <CellNote>
            <Digits>{line.ipAddress}</Digits>
          </CellNote>
        )}
      </Td>
      <Td label="Seal" align="right">
        <Seal seq={line.seq} />
      </Td>
    </Tr>
  );
}

function Seal({ seq }: { seq: number | null }) {
  if (seq !== null) return <Digits>{`#${seq}`}</Digits>;
  return (
    <Badge tone="neutral" icon="clock">
      Not sealed yet
    </Badge>
  );
}

function Looks({ looks, heading }: { looks: readonly AuditLine[]; heading: string }) {
  const [newest] = looks;
  return (
    <Tr>
      <Td>{newest && <Time {...newest.when} stacked />}</Td>
      <Td>
        <details className="group">
          <summary className="inline-flex min-h-6 cursor-pointer items-center gap-1.5 rounded-base text-ink-soft hover:text-ink">
            {heading}
            <Icon name="chevronDown" className="size-4 transition-transform group-open:rotate-180" />
          </summary>
          <ul className="mt-2 grid gap-1.5">
            {looks.map((look) => (
              <li key={look.id}>
                <span className="figures text-ink-soft text-sm">{look.when.exact}</span> {look.sentence}
                {look.ipAddress && <span className="figures text-ink-soft text-sm"> {look.ipAddress}</span>}
              </li>
            ))}
          </ul>
        </details>
      </Td>
      <Td />
      <Td />
    </Tr>
  );
}
