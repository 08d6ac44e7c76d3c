import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Section } from "~/components/marketing/section";
import { Button, Icon } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";
import { type PlanLine, PLAN as STANDARD } from "~/modules/accounts/billing/subscription";

/** The plan as the pricing section shows it. */
const PLAN = {
  name: "PayeeProof",
  price: "A$500.00",
  per: "per month, including GST",
  includes: STANDARD.includes,
};

export function PricingSection({ title = "One plan with everything included" }: { title?: string }) {
  return (
    <Section id="pricing" kicker="Pricing" title={title}>
      <PriceCard
        {...PLAN}
        actions={
          <>
            <Button to={sitePaths.register}>Get Started</Button>
            <Link
              to={sitePaths.contact}
              className="inline-flex min-h-10 items-center rounded-base px-1 font-medium text-accent-text text-base underline underline-offset-2"
            >
              Get in touch
            </Link>
          </>
        }
      />
      <p className="mt-4 max-w-[62ch] text-base text-ink-soft">14 days to try it, no card needed.</p>
    </Section>
  );
}

interface PriceCardProps {
  name: string;
  /** "$500.00" */
  price: string;
  /** "per month, including GST" */
  per: string;
  includes: readonly PlanLine[];
  actions: ReactNode;
}

function PriceCard({ name, price, per, includes, actions }: PriceCardProps) {
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
