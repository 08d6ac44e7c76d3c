import { ChoosePayee } from "~/components/payees/chosen-payees";
import { PayeeStatusBadge } from "~/components/payees/payee-status-badge";
import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
import { Bsb, Masked } from "~/components/ui/digits";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import { Time } from "~/components/ui/time";
import { appPaths } from "~/kernel/paths/app";
import type { RiskView } from "~/modules/payees/payee-health/row-risk";
import type { PayeeRow } from "~/modules/payees/payee-list.view";

/** The payees of an organisation as a table. */
export function PayeesTable({
  rows,
  canChoose,
}: {
  rows: readonly (PayeeRow & { risk: RiskView })[];
  canChoose: boolean;
}) {
  return (
    <Table
      caption="Payees"
      dense
      fixed
      head={
        <>
          <Th width="lg:w-[25%]">Payee</Th>
          <Th width="lg:w-[21%]">Account</Th>
          <Th width="lg:w-[19%]">Status</Th>
          <Th width="lg:w-[13%]">Risk</Th>
          <Th>Last verified</Th>
          <Th>Last paid</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id} isRed={row.headline.isRed}>
          <Td>
            <div className="flex gap-3">
              {canChoose && <ChoosePayee id={row.id} name={row.name} />}
              <div className="min-w-0">
                <RowLink to={appPaths.payee(row.id)}>{row.name}</RowLink>
                {row.accountName !== row.name && <CellNote>{row.accountName}</CellNote>}
              </div>
            </div>
          </Td>
          <Td label="Account">
            <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />
            <CellNote>{row.institution ?? "Unknown BSB"}</CellNote>
          </Td>
          <Td label="Status">
            <PayeeStatusBadge status={row.status} headline={row.headline} />
            {row.grade && <CellNote>{row.grade}</CellNote>}
            {row.isDraft && <CellNote>Draft, sent by the payee</CellNote>}
            <Flags flagWords={row.flagWords} />
          </Td>
          <Td label="Risk">
            <Risk {...row.risk} to={appPaths.payee(row.id)} />
          </Td>
          <Td label="Last verified">{row.verifiedAt ? <Time {...row.verifiedAt} stacked /> : "Never"}</Td>
          <Td label="Last paid">{row.paidAt ? <Time {...row.paidAt} stacked /> : "Never"}</Td>
        </Tr>
      ))}
    </Table>
  );
}

/**
 * One word; everything that was found is in its title, and read aloud. A title shows only above the row's link, so the word
 * leads where the row does, for a pointer alone: the keyboard and readers have the row's link already.
 */
function Risk({ word, tone, note, title, to }: RiskView & { to: string }) {
  return (
    <>
      <Link to={to} title={title} tabIndex={-1} aria-hidden="true" className="above-line">
        {tone === null ? (
          <span className="text-ink-soft">{word}</span>
        ) : (
          <Badge tone={tone} icon={tone === "review" ? "flag" : "alert"}>
            {word}
          </Badge>
        )}
      </Link>
      <span className="sr-only">
        {word}. {title}
      </span>
      {note && <CellNote>{note}</CellNote>}
    </>
  );
}

function Flags({ flagWords }: Pick<PayeeRow, "flagWords">) {
  return flagWords.map((word) => (
    <CellNote key={word}>
      <span className="inline-flex items-center gap-1 text-review">
        <Icon name="flag" className="size-3.5" />
        {word}
      </span>
    </CellNote>
  ));
}
