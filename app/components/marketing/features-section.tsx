import { type Feature, FeatureGrid } from "~/components/marketing/feature-grid";
import { Section } from "~/components/marketing/section";

export function FeaturesSection({ features }: { features: readonly Feature[] }) {
  return (
    <Section id="features" kicker="Features" title="Six features that stop payments to the wrong account">
      <FeatureGrid items={features} />
    </Section>
  );
}
