import { DemoCard } from "~/components/marketing/demo-card";
import type { DemoStep } from "~/components/marketing/demo-step";
import { DEMO_PAYEE, STEPS } from "~/components/marketing/home-content";
import { HowItWorksSteps } from "~/components/marketing/how-it-works-steps";
import { Section } from "~/components/marketing/section";

/** The four steps beside the card that takes them. `action` is the page it is on. */
export function HowItWorksSection({ step, action }: { step: DemoStep; action: string }) {
  return (
    <Section
      id="how-it-works"
      kicker="How it works"
      title="Four steps from an invoice to an authorised payment"
      ground="sunken"
    >
      <div className="grid items-start gap-12 lg:grid-cols-2">
        <HowItWorksSteps items={STEPS} />
        <DemoCard step={step} payee={DEMO_PAYEE} action={action} />
      </div>
    </Section>
  );
}
