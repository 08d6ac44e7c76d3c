import type { Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import { Timeline, type TimelineEvent } from "~/components/ui/timeline";
import type { PaymentStatus } from "~/kernel/enums";
import type { ShownStep } from "~/modules/payments/payment.view";

const LOOKS: Record<PaymentStatus, { icon: IconName; tone: Tone; what: string }> = {
  authorised: { icon: "checkCircle", tone: "verified", what: "approved this payment" },
  held: { icon: "hand", tone: "review", what: "put this payment back on hold" },
  verification_requested: { icon: "clock", tone: "pending", what: "asked for more verification" },
  rejected: { icon: "xCircle", tone: "review", what: "rejected this payment" },
  successful: { icon: "check", tone: "verified", what: "marked this payment successful" },
  failed: { icon: "alert", tone: "review", what: "marked this payment failed" },
};

const RECORDED = { icon: "plus", what: "recorded this payment" } as const;

function toEvent({ id, to, who, when, note }: ShownStep): TimelineEvent {
  return { id, who, when, note: note ?? undefined, ...(to === null ? RECORDED : LOOKS[to]) };
}

/** Each step of the payment's life, oldest first. */
export function PaymentTimeline({ steps }: { steps: readonly ShownStep[] }) {
  return <Timeline label="History of the payment" events={steps.map(toEvent)} />;
}
