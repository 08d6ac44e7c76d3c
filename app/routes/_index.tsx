import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { CallToAction } from "~/components/marketing/call-to-action";
import { DemoCard } from "~/components/marketing/demo-card";
import { parseDemoStep } from "~/components/marketing/demo-step";
import { FeatureGrid } from "~/components/marketing/feature-grid";
import { Hero } from "~/components/marketing/hero";
import { HeroFigure } from "~/components/marketing/hero-figure";
import { DEMO_PAYEE, FEATURES, PLAN, STEPS } from "~/components/marketing/home-content";
import { HowItWorksSteps } from "~/components/marketing/how-it-works-steps";
import { PriceCard } from "~/components/marketing/price-card";
import { Section } from "~/components/marketing/section";
import { Button } from "~/components/ui/button";
import { page } from "~/http/page.server";

export const meta: MetaFunction = () => [
  { title: "PayeeProof: know who you are paying" },
  {
    name: "description",
    content: "PayeeProof checks a payee's BSB, account number and account name before your organisation pays.",
  },
];

export const loader = page(async ({ url }) => ({ step: parseDemoStep(url.searchParams.get("step")) }));

export default function Home() {
  const { step } = useLoaderData<typeof loader>();
  return (
    <>
      <Hero
        title="Know who you are paying before you pay."
        text="An email changes a BSB, and a real invoice is paid to a criminal. PayeeProof checks every payee's BSB, account number and account name before the payment is authorised, and keeps the evidence."
        primary={{ label: "Get Started", to: "/auth?tab=register" }}
        secondary={{ label: "Learn More", to: "#how-it-works" }}
        note="For Australian organisations. 14 days to try it, no card needed."
        figure={<HeroFigure />}
      />
      <Section id="features" kicker="Features" title="Six ways to stop a payment that should not happen">
        <FeatureGrid items={FEATURES} />
      </Section>
      <Section id="how-it-works" kicker="How it works" title="From a form to an authorised payment" ground="sunken">
        <div className="grid items-start gap-12 lg:grid-cols-2">
          <HowItWorksSteps items={STEPS} />
          <DemoCard step={step} payee={DEMO_PAYEE} action="/" />
        </div>
      </Section>
      <Section id="pricing" kicker="Pricing" title="One plan, everything in it">
        <PriceCard {...PLAN} actions={<Button to="/auth?tab=register">Get Started</Button>} />
      </Section>
      <CallToAction
        title="The next changed bank detail is on its way."
        text="Be the organisation that checks it."
        action={{ label: "Get Started", to: "/auth?tab=register" }}
      />
    </>
  );
}
