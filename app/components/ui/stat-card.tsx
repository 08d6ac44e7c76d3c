import { cx } from "~/components/cx";
import { type Tone, toneText } from "~/components/ui/badge";
import { Icon, type IconName } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";

interface StatCardProps {
  label: string;
  /** The figure as text: "12", "$48,210.00". */
  value: string;
  /** One line about its meaning or what to do. */
  detail?: string;
  icon: IconName;
  tone?: Tone;
  /** Makes the whole card a link. */
  to?: string;
}

/** One number on the dashboard. */
export function StatCard({ label, value, detail, icon, tone = "neutral", to }: StatCardProps) {
  return (
    <div className="relative flex flex-col rounded-base bg-surface p-5 shadow-rest border border-line transition-shadow has-[a:hover]:border-control">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-medium text-base text-ink-soft">
          {to ? (
            <Link
              to={to}
              className="after:absolute after:inset-0 after:rounded-base focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent-text focus-visible:after:outline-offset-2"
            >
              {label}
            </Link>
          ) : (
            label
          )}
        </h2>
        <Icon name={icon} className={cx("size-5", toneText[tone])} />
      </div>
      <p className="figures mt-2 font-medium text-3xl tracking-[-0.03em]">{value}</p>
      {detail && <p className="mt-1 text-ink-soft text-sm">{detail}</p>}
    </div>
  );
}
