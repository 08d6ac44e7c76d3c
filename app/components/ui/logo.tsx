import { cx } from "~/components/cx";

/** The mark: a ledger line that turns into a tick. The same drawing is public/favicon.svg. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" focusable="false" viewBox="0 0 32 32" className={cx("size-7 shrink-0", className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g fill="none" className="stroke-on-accent" strokeLinecap="round" strokeLinejoin="round">
        <path d="M7 10.5h9" strokeWidth="2.5" strokeOpacity="0.55" />
        <path d="M7 17.5h4.5l4.5 5L25.5 10" strokeWidth="3" />
      </g>
    </svg>
  );
}

/** Mark and name. Wrap it in a link yourself; the name is its accessible text. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={cx("inline-flex items-center gap-2.5", className)}>
      <LogoMark />
      <span className="font-semibold text-lg tracking-[-0.025em]">PayeeProof</span>
    </span>
  );
}
