import { FeatureGrid } from "~/components/marketing/feature-grid";
import { FEATURES } from "~/components/marketing/home-content";
import { Section } from "~/components/marketing/section";

export function FeaturesSection() {
  return (
    <Section id="features" kicker="Features" title="Six features that stop payments to the wrong account">
      <FeatureGrid items={FEATURES} />
    </Section>
  );
}
