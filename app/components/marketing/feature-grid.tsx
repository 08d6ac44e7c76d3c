import { Icon, type IconName } from "~/components/ui/icons";

export interface Feature {
  icon: IconName;
  title: string;
  text: string;
}

/** Six claims in a ruled grid. */
export function FeatureGrid({ items }: { items: readonly Feature[] }) {
  return (
    <ul className="grid gap-px overflow-clip rounded-base bg-line ring-1 ring-line sm:grid-cols-2 lg:grid-cols-3">
      {items.map((item) => (
        <li key={item.title} className="bg-surface p-6">
          <Icon name={item.icon} className="size-6 text-accent-text" />
          <h3 className="mt-4 font-semibold text-md tracking-[-0.01em]">{item.title}</h3>
          <p className="mt-1.5 text-base text-ink-soft">{item.text}</p>
        </li>
      ))}
    </ul>
  );
}
