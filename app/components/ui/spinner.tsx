import { cx } from "~/components/cx";

/** A quiet turning ring. Give `label` where no words are beside it. */
export function Spinner({ className, label }: { className?: string; label?: string }) {
  return (
    <span role={label ? "status" : undefined} className="inline-flex">
      <svg
        aria-hidden="true"
        viewBox="0 0 20 20"
        fill="none"
        className={cx("icon motion-safe:animate-turn", className)}
      >
        <circle cx="10" cy="10" r="7.5" stroke="currentColor" strokeWidth="2" strokeOpacity="0.25" />
        <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
