import { Sheet } from "~/components/marketing/figures/sheet";
import { ReasonList, type ShownReason } from "~/components/payees/verification/reason-list";
import { Amount } from "~/components/ui/digits";
import { StatusBadge } from "~/components/ui/status-badge";

const REASONS: readonly ShownReason[] = [
  {
    rule: "details_changed",
    level: "hold",
    message: "The bank details changed and the change has not been reviewed.",
    note: "Account number, 20 Nov 2026, 10:02 am",
  },
  {
    rule: "name_differs",
    level: "hold",
    message: "The name given with the payment is not exactly the payee's.",
    note: "Harbour Funds, score 47",
  },
];

export function HeldFigure() {
  return (
    <Sheet caption="A held payment and its reasons">
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
