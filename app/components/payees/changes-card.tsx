import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Card } from "~/components/ui/card";
import { Time } from "~/components/ui/time";
import type { PayeeView } from "~/modules/payees/payee.view";

/** What was changed of the payee, field by field, newest first. */
export function ChangesCard({ changes }: { changes: PayeeView["changes"] }) {
  return (
    <Card title="Changes" flush>
      {changes.length === 0 ? (
        <p className="px-5 pb-5 text-base text-ink-soft">
          Nothing has been changed. Every change of the payee is kept here.
        </p>
      ) : (
        <Table
          caption="Changes"
          head={
            <>
              <Th>Field</Th>
              <Th>From</Th>
              <Th>To</Th>
              <Th>Changed by</Th>
            </>
          }
        >
          {changes.map((change) => (
            <Tr key={change.id}>
              <Td>
                <span className="font-medium">{change.field}</span>
              </Td>
              <Td label="From">
                <span className="figures break-words text-ink-soft">{change.from ?? "none"}</span>
              </Td>
              <Td label="To">
                <span className="figures break-words">{change.to ?? "none"}</span>
              </Td>
              <Td label="Changed by">
                {change.by}
                <CellNote>
                  <Time {...change.at} stacked />
                </CellNote>
              </Td>
            </Tr>
          ))}
        </Table>
      )}
    </Card>
  );
}
