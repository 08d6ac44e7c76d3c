import type { Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import { Timeline, type TimelineEvent } from "~/components/ui/timeline";
import type { PaymentStatus } from "~/kernel/enums";
import { paymentDone } from "~/kernel/payment-sentences";
import type { ShownStep } from "~/modules/payments/payment.view";

const LOOKS: Record<PaymentStatus, { icon: IconName; tone: Tone }> = {
  authorised: { icon: "checkCircle", tone: "verified" },
  held: { icon: "pause", tone: "review" },
  verification_requested: { icon: "clock", tone: "pending" },
  rejected: { icon: "xCircle", tone: "review" },
  successful: { icon: "check", tone: "verified" },
  failed: { icon: "alert", tone: "review" },
};

const RECORDED = { icon: "plus", what: "recorded this payment" } as const;

function toEvent({ id, to, who, when, note }: ShownStep): TimelineEvent {
  return {
    id,
    who,
    when,
    note: note ?? undefined,
    ...(to === null ? RECORDED : { ...LOOKS[to], what: paymentDone(to) }),
  };
}

/** Each step of the payment's life, oldest first. */
export function PaymentTimeline({ steps }: { steps: readonly ShownStep[] }) {
  return <Timeline label="History of the payment" events={steps.map(toEvent)} />;
}
