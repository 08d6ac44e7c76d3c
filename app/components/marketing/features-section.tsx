import { Link } from "@remix-run/react";
import { Icon, type IconName } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";
import { Section } from "./section";

export function FeaturesSection({ features }: { features: readonly Feature[] }) {
  return (
    <Section id="features" kicker="Features" title="Six features that stop payments to the wrong account">
      <FeatureGrid items={features} />
    </Section>
  );
}

export interface Feature {
  /** Its anchor on /features. */
  id: string;
  icon: IconName;
  title: string;
  text: string;
}

/** Six claims in a grid, each linking to the section that demonstrates it. */
function FeatureGrid({ items }: { items: readonly Feature[] }) {
  return (
    <ul className="grid gap-px overflow-clip rounded-base bg-line border border-line sm:grid-cols-2 lg:grid-cols-3">
      {items.map((item) => (
        <li key={item.title} className="group relative bg-surface p-6">
          <Icon name={item.icon} className="size-6 text-accent-text" />
          <h3 className="mt-4 font-semibold text-md tracking-[-0.01em]">
            <Link
              to={`${sitePaths.features}#${item.id}`}
              className="rounded-base after:absolute after:inset-0 group-hover:text-accent-text"
            >
              {item.title}
            </Link>
          </h3>
          <p className="mt-1.5 text-base text-ink-soft">{item.text}</p>
        </li>
      ))}
    </ul>
  );
}
