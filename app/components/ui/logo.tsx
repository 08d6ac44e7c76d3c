import { cx } from "./elements";

/** The logo: a ledger line that turns into a tick. The same drawing as public/favicon.svg. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" focusable="false" viewBox="0 0 32 32" className={cx("shrink-0", className ?? "size-7")}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g fill="none" className="stroke-on-accent" strokeLinecap="round" strokeLinejoin="round">
        <path d="M7 10.5h9" strokeWidth="2.5" strokeOpacity="0.55" />
        <path d="M7 17.5h4.5l4.5 5L25.5 10" strokeWidth="3" />
      </g>
    </svg>
  );
}

/** Logo and name. Wrap it in a link yourself; the name is its accessible text. */
export function Logo({ size = "md" }: { size?: "sm" | "md" }) {
  const small = size === "sm";
  return (
    <span className={cx("inline-flex items-center", small ? "gap-1.5" : "gap-2.5")}>
      <LogoMark className={small ? "size-5" : undefined} />
      <span className={cx("font-semibold", small ? "text-base tracking-[-0.015em]" : "text-lg tracking-[-0.025em]")}>
        PayeeProof
      </span>
    </span>
  );
}
