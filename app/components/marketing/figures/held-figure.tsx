import { Sheet } from "~/components/marketing/figures/sheet";
import { Amount } from "~/components/ui/digits";
import { StatusBadge } from "~/components/ui/status-badge";
import { ReasonList, type ShownReason } from "~/components/verification/reason-list";

const REASONS: readonly ShownReason[] = [
  {
    rule: "details_changed",
    level: "hold",
    message: "The bank details changed and nobody has decided since.",
    note: "Account number, 20 Nov 2026, 10:02 am",
  },
  {
    rule: "unusual_amount",
    level: "warn",
    message: "The amount is more than three times the largest recent payment.",
    note: "Largest of the last 10: $2,640.00",
  },
];

export function HeldFigure() {
  return (
    <Sheet caption="A payment and its reasons">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <p className="font-medium text-md">
          Harbour Foods <Amount cents={845_000} className="ml-2 font-normal text-ink-soft" />
        </p>
        <StatusBadge of="payment" status="held" />
      </div>
      <ReasonList reasons={REASONS} />
    </Sheet>
  );
}
