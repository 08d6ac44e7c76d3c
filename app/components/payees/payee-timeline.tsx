import type { Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import { Timeline, type TimelineEvent } from "~/components/ui/timeline";
import { lowerFirst } from "~/kernel/text";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { TimelineEntry } from "~/modules/payees/payee.view";

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
  "payee.unwhitelisted": { icon: "shield", tone: "review" },
};

/** How sentences begin about what the payee did. */
const BY_PAYEE = "The payee ";

function toEvent({ id, action, sentence, userName, when, changes, reason }: TimelineEntry): TimelineEvent {
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

/** What has happened to the payee, from the audit trail. */
export function PayeeTimeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return <Timeline label="History of the payee" events={entries.map(toEvent)} />;
}
