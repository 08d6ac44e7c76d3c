import { Card } from "~/components/ui/card";
import { Icon } from "~/components/ui/icons";
import { formatAud } from "~/kernel/money";
import { PLAN } from "~/modules/accounts/billing/plan";

/** The one plan and what is in it. */
export function PlanCard() {
  return (
    <Card title={PLAN.name}>
      <p className="figures font-medium text-3xl tracking-[-0.03em]">{formatAud(PLAN.amount)}</p>
      <p className="mt-1 text-base text-ink-soft">AUD per month, including GST of {formatAud(PLAN.taxAmount)}</p>
      <ul className="mt-5 grid gap-2.5">
        {PLAN.includes.map(({ text, note }) => (
          <li key={text} className="flex gap-2.5 text-base">
            <Icon name="check" className="mt-0.5 size-4.5 text-accent-text" />
            <span>
              {text}
              {note && <span className="block text-ink-soft text-sm">{note}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
