import { CellNote, Table } from "~/components/tables/table";
import type { IconName, Tone } from "~/components/ui/elements";
import { Card, Time } from "~/components/ui/page-parts";
import { Timeline, type TimelineEvent } from "~/components/ui/timeline";
import { lowerFirst } from "~/kernel/text";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { PayeeView } from "~/modules/payees/payee-page.server";

/** The payee's changes, field by field, newest first. */
export function ChangesCard({ changes }: { changes: PayeeView["changes"] }) {
  return (
    <Card title="Changes" flush>
      {changes.length === 0 ? (
        <p className="px-5 pb-5 text-base text-ink-soft">
          Nothing has been changed. Every change to the payee is kept here.
        </p>
      ) : (
        <Table
          caption="Changes"
          rows={changes}
          columns={[
            { head: "Field", cell: ({ field }) => <span className="font-medium">{field}</span> },
            {
              head: "From",
              cell: ({ from }) => <span className="figures break-words text-ink-soft">{from ?? "none"}</span>,
            },
            { head: "To", cell: ({ to }) => <span className="figures break-words">{to ?? "none"}</span> },
            {
              head: "Changed by",
              cell: ({ by, at }) => (
                <>
                  {by}
                  <CellNote>
                    <Time {...at} stacked />
                  </CellNote>
                </>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}

export function PayeeTimeline({ entries }: { entries: PayeeView["timeline"] }) {
  return <Timeline label="History of the payee" events={entries.map(toEvent)} />;
}

function toEvent({
  id,
  action,
  sentence,
  userName,
  when,
  changes,
  reason,
}: PayeeView["timeline"][number]): TimelineEvent {
  const isByPayee = sentence.startsWith(BY_PAYEE);
  return {
    id,
    icon: "dash",
    ...LOOKS[action],
    who: userName ?? (isByPayee ? BY_PAYEE.trim() : "PayeeProof"),
    what: isByPayee ? sentence.slice(BY_PAYEE.length) : lowerFirst(sentence),
    when,
    changes,
    note: reason ?? undefined,
  };
}

/** How sentences about the payee's own actions begin. */
const BY_PAYEE = "The payee ";

const LOOKS: Partial<Record<AuditAction, { icon: IconName; tone?: Tone }>> = {
  "payee.added": { icon: "plus" },
  "payee.added_by_payee": { icon: "plus" },
  "payee.edited": { icon: "pencil" },
  "payee.bank_details_changed": { icon: "pencil", tone: "review" },
  "payee.contact_not_told": { icon: "alert", tone: "review" },
  "payee.renamed": { icon: "pencil", tone: "review" },
  "payee.details_restored": { icon: "refresh", tone: "review" },
  "payee.whitelisted": { icon: "shieldCheck", tone: "verified" },
  "payee.promoted": { icon: "shieldCheck", tone: "verified" },
  "verification.disputed_by_payee": { icon: "hand", tone: "review" },
  "payee.archived": { icon: "file" },
  "payee.restored": { icon: "refresh" },
  "payee.filled": { icon: "pencil" },
  "payee.concern_found": { icon: "alert", tone: "review" },
  "payee.unwhitelisted": { icon: "shield", tone: "review" },
  "payee.way_to_pay_forgotten": { icon: "x" },
};
