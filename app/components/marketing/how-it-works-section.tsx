import type { DemoStep } from "./demo-card";
import { DemoCard, type DemoPayee } from "./demo-card";
import { Section } from "./section";

interface HowItWorksSectionProps {
  steps: readonly HowItWorksStep[];
  payee: DemoPayee;
  step: DemoStep;
  /** The page that contains it. */
  action: string;
}

/** The four steps beside the demo card. */
export function HowItWorksSection({ steps, payee, step, action }: HowItWorksSectionProps) {
  return (
    <Section
      id="how-it-works"
      kicker="How it works"
      title="Four steps from an invoice to an authorised payment"
      ground="sunken"
    >
      <div className="grid items-start gap-12 lg:grid-cols-2">
        <HowItWorksSteps items={steps} />
        <DemoCard step={step} payee={payee} action={action} />
      </div>
    </Section>
  );
}

export interface HowItWorksStep {
  title: string;
  text: string;
}

/** The four steps in order, joined by a line. */
function HowItWorksSteps({ items }: { items: readonly HowItWorksStep[] }) {
  return (
    <ol className="grid">
      {items.map((item, index) => (
        <li key={item.title} className="relative flex gap-5 pb-9 last:pb-0">
          {index < items.length - 1 && (
            <span aria-hidden="true" className="absolute top-10 bottom-1 left-[1.0625rem] w-px bg-line" />
          )}
          <span className="figures grid size-9 shrink-0 place-items-center rounded-full bg-surface font-medium text-accent-text text-base border border-line">
            {index + 1}
          </span>
          <div className="min-w-0 pt-1">
            <h3 className="font-semibold text-lg tracking-[-0.01em]">{item.title}</h3>
            <p className="mt-1 max-w-[48ch] text-ink-soft text-md">{item.text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
