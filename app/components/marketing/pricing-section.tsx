import { Link } from "@remix-run/react";
import { PLAN } from "~/components/marketing/plan-content";
import { PriceCard } from "~/components/marketing/price-card";
import { Section } from "~/components/marketing/section";
import { Button } from "~/components/ui/button";
import { sitePaths } from "~/kernel/paths/site";

export function PricingSection({ title = "One plan with everything included" }: { title?: string }) {
  return (
    <Section id="pricing" kicker="Pricing" title={title}>
      <PriceCard
        {...PLAN}
        actions={
          <>
            <Button to={sitePaths.signIn}>Get Started</Button>
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
