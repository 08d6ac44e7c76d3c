import type { Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import { Timeline, type TimelineEvent } from "~/components/ui/timeline";
import type { AuditAction } from "~/modules/audit/audit";
import type { ReviewEvent } from "~/modules/review/review-timeline";

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

const isDrawn = (action: string): action is keyof typeof LOOKS => Object.hasOwn(LOOKS, action);

const toEvent = ({ action, ...event }: ReviewEvent): TimelineEvent => ({
  icon: "dash",
  ...(isDrawn(action) ? LOOKS[action] : {}),
  ...event,
});

/** What has happened to the verification, from the audit trail. */
export function ReviewTimeline({ entries }: { entries: readonly ReviewEvent[] }) {
  return <Timeline label="History of the verification" events={entries.map(toEvent)} />;
}
