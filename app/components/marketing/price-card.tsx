import type { ReactNode } from "react";
import { Icon } from "~/components/ui/icons";
import type { PlanLine } from "~/modules/accounts/billing/plan";

interface PriceCardProps {
  name: string;
  /** "$500.00" */
  price: string;
  /** "per month, including GST" */
  per: string;
  includes: readonly PlanLine[];
  actions: ReactNode;
}

/** The one plan. */
export function PriceCard({ name, price, per, includes, actions }: PriceCardProps) {
  return (
    <div className="grid overflow-clip rounded-base bg-surface shadow-rest border border-line md:grid-cols-[1fr_1.5fr]">
      <div className="flex flex-col border-line p-6 max-md:border-b sm:p-8 md:border-r">
        <h3 className="font-medium text-ink-soft text-md">{name}</h3>
        <p className="figures mt-2 font-medium text-4xl tracking-[-0.035em]">{price}</p>
        <p className="mt-1 text-base text-ink-soft">{per}</p>
        <div data-screen-only className="mt-8 flex flex-wrap items-center gap-3">
          {actions}
        </div>
      </div>
      <ul className="grid content-center gap-x-8 gap-y-3 p-6 sm:grid-cols-2 sm:p-8">
        {includes.map(({ text, note }) => (
          <li key={text} className="flex gap-2.5 text-base">
            <Icon name="check" className="mt-0.5 size-4.5 text-accent-text" />
            <span>
              {text}
              {note && <span className="block text-ink-soft text-sm">{note}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
