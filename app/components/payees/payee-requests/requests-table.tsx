import { Link } from "@remix-run/react";
import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge, type Tone } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import type { IconName } from "~/components/ui/icons";
import { Time } from "~/components/ui/time";
import type { RequestRow } from "~/modules/payees/payee-requests/payee-request.view";

const LOOKS: Readonly<Record<RequestRow["state"], { tone: Tone; icon: IconName; word: string }>> = {
  open: { tone: "pending", icon: "mail", word: "Waiting for the payee" },
  answered: { tone: "verified", icon: "check", word: "Details received" },
  cancelled: { tone: "neutral", icon: "dash", word: "Cancelled" },
  expired: { tone: "pending", icon: "clock", word: "Link expired" },
};

/** Requests for payees' details, with what can be done about each. */
export function RequestsTable({
  rows,
  canChange,
  canSend,
}: {
  rows: readonly RequestRow[];
  canChange: boolean;
  canSend: boolean;
}) {
  return (
    <Table
      caption="Requests"
      dense
      fixed
      head={
        <>
          <Th width="lg:w-[34%]">Payee</Th>
          <Th>Status</Th>
          <Th>Sent</Th>
          <Th width="lg:w-[24%]" hidden>
            What to do
          </Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <span className="font-medium">{row.name}</span>
            <CellNote>
              <span className="break-all">{row.sentTo}</span>
            </CellNote>
            {row.note && <CellNote>{row.note}</CellNote>}
          </Td>
          <Td label="Status">
            <Badge tone={LOOKS[row.state].tone} icon={LOOKS[row.state].icon}>
              {LOOKS[row.state].word}
            </Badge>
            {row.state === "open" && (
              <CellNote>
                Until <Time dateTime={row.expiresAt.dateTime} exact={row.expiresAt.exact} />
              </CellNote>
            )}
          </Td>
          <Td label="Sent">
            <Time {...row.sentAt} stacked />
            <CellNote>Asked by {row.askedBy}</CellNote>
          </Td>
          <Td actions>
            {row.result && (
              <Link to={row.result.href} className="font-medium text-accent-text underline underline-offset-2">
                {row.result.label}
              </Link>
            )}
            {canChange && (row.state === "open" || row.state === "expired") && <Acts {...row} canSend={canSend} />}
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

function Acts({ id, name, canSend }: Pick<RequestRow, "id" | "name"> & { canSend: boolean }) {
  return (
    <Form method="post" className="flex flex-wrap gap-2">
      <HiddenFields values={{ requestId: id }} />
      {canSend && (
        <Button type="submit" name="intent" value="resend" variant="secondary" size="sm">
          Send again<span className="sr-only"> to {name}</span>
        </Button>
      )}
      <Button type="submit" name="intent" value="cancel" variant="quiet" size="sm">
        Cancel<span className="sr-only"> the request to {name}</span>
      </Button>
    </Form>
  );
}
