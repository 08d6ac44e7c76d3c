import { DemoCard, type DemoPayee } from "~/components/marketing/demo-card";
import type { DemoStep } from "~/components/marketing/demo-step";
import { type HowItWorksStep, HowItWorksSteps } from "~/components/marketing/how-it-works-steps";
import { Section } from "~/components/marketing/section";

interface HowItWorksSectionProps {
  steps: readonly HowItWorksStep[];
  /** Whom the card verifies. */
  payee: DemoPayee;
  step: DemoStep;
  /** The page it is on. */
  action: string;
}

/** The four steps beside the card that takes them. */
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
