import { Sheet } from "~/components/marketing/figures/sheet";
import { Bsb, Masked } from "~/components/ui/digits";
import { StatusBadge } from "~/components/ui/status-badge";

const PAYEES = [
  { name: "Coastline Timber Supplies", bsb: "062000", accountNumber: "12345678", status: "whitelisted" },
  { name: "Fern & Co", bsb: "082057", accountNumber: "447120981", status: "whitelisted" },
  { name: "Harbour Foods", bsb: "032123", accountNumber: "880214", status: "changed" },
] as const;

export function WhitelistFigure() {
  return (
    <Sheet caption="Payees" flush>
      <ul className="divide-y divide-line">
        {PAYEES.map((payee) => (
          <li key={payee.name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5">
            <div>
              <p className="font-medium text-md">{payee.name}</p>
              <p className="flex gap-3 text-ink-soft text-sm">
                <Bsb value={payee.bsb} />
                <Masked value={payee.accountNumber} />
              </p>
            </div>
            <StatusBadge of="payee" status={payee.status} />
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
