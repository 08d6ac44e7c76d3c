import type { Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import { Timeline, type TimelineEvent } from "~/components/ui/timeline";
import { lowerFirst } from "~/kernel/text";
import type { AuditAction } from "~/modules/audit/audit";
import type { ReviewView } from "~/modules/review/review.view";

const LOOKS: Partial<Record<AuditAction, { icon: IconName; tone?: Tone }>> = {
  "verification.opened": { icon: "plus" },
  "verification.superseded": { icon: "pencil", tone: "review" },
  "verification.link_sent": { icon: "mail" },
  "verification.bank_check_started": { icon: "bank" },
  "verification.bank_check_finished": { icon: "bank" },
  "verification.payee_sent_to_bank": { icon: "external" },
  "verification.confirmed_by_payee": { icon: "checkCircle", tone: "verified" },
  "verification.disputed_by_payee": { icon: "hand", tone: "review" },
  "verification.approved": { icon: "checkCircle", tone: "verified" },
  "verification.rejected": { icon: "xCircle", tone: "review" },
  "verification.failed": { icon: "alert", tone: "review" },
};

const lookOf = (action: string) => (action in LOOKS ? LOOKS[action as AuditAction] : undefined);

function toEvent(entry: ReviewView["timeline"][number]): TimelineEvent {
  const { action, sentence, userName, details, id, when } = entry;
  const note = typeof details?.reason === "string" ? details.reason : undefined;
  return {
    id,
    icon: "dash",
    ...lookOf(action),
    ...toWords(userName, sentence),
    when,
    note,
  };
}

/** "Maria Costa sent ...", "PayeeProof sent ...", and as it stands what names its own subject: "The payee confirmed ...". */
function toWords(userName: string | null, sentence: string) {
  if (userName === null && sentence.startsWith("The ")) return { who: "", what: sentence };
  return { who: userName ?? "PayeeProof", what: lowerFirst(sentence) };
}

/** What has happened to the verification, from the audit trail. */
export function ReviewTimeline({ entries }: { entries: ReviewView["timeline"] }) {
  return <Timeline label="History of the verification" events={entries.map(toEvent)} />;
}
