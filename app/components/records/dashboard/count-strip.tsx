import { cx } from "~/components/cx";
import { type Tone, toneText } from "~/components/ui/badge";
import { Icon, type IconName } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";

interface Count {
  label: string;
  /** Ready to read. */
  value: string;
  /** What it means, or what to do. */
  detail: string;
  icon: IconName;
  tone: Tone;
  to: string;
}

/** How things stand, in one line: each count leads to its list. */
export function CountStrip({ counts }: { counts: readonly Count[] }) {
  return (
    <ul className="grid divide-line rounded-base border border-line bg-surface shadow-rest max-sm:divide-y sm:grid-cols-3 sm:divide-x">
      {counts.map(({ label, value, detail, icon, tone, to }) => (
        <li
          key={to}
          className="relative flex min-h-13 items-center gap-2.5 px-4 py-2 has-[a:hover]:bg-sunken/70 sm:max-lg:flex-wrap"
        >
          <Icon name={icon} className={cx("size-5 shrink-0", toneText[tone])} />
          <span className="figures font-medium text-xl">{value}</span>
          <Link
            to={to}
            className="font-medium text-base after:absolute after:inset-0 after:rounded-base focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent-text"
          >
            {label}
          </Link>
          <span className="ml-auto text-right text-ink-soft text-sm sm:max-xl:hidden">{detail}</span>
        </li>
      ))}
    </ul>
  );
}
