import { cx } from "~/components/cx";

interface TimeProps {
  /** ISO 8601 in UTC, for machines. */
  dateTime: string;
  /** The exact time as people read it, already in the organisation's time zone: "20 Nov 2026, 4:42 pm". */
  exact: string;
  /** "3 minutes ago"; drawn beside the exact time, or below it with `stacked`. */
  relative?: string;
  stacked?: boolean;
  className?: string;
}

/** A moment. It formats nothing itself: the strings come ready, so server and browser always agree. */
export function Time({ dateTime, exact, relative, stacked, className }: TimeProps) {
  return (
    <span className={cx("figures", stacked && "inline-flex flex-col", className)}>
      <time dateTime={dateTime}>
        <Unbroken text={exact} />
      </time>
      {relative && !stacked && (
        <span aria-hidden="true" className="print:hidden">
          {" · "}
        </span>
      )}
      {relative && (
        <span className={cx("text-ink-soft sm:whitespace-nowrap print:hidden", stacked && "text-xs")}>{relative}</span>
      )}
    </span>
  );
}

/** In a narrow column a moment breaks between the day and the time, and nowhere else. */
function Unbroken({ text }: { text: string }) {
  const [day, ...rest] = text.split(", ");
  if (rest.length === 0) return <span className="sm:whitespace-nowrap">{text}</span>;
  return (
    <>
      <span className="sm:whitespace-nowrap">{day},</span>{" "}
      <span className="sm:whitespace-nowrap">{rest.join(", ")}</span>
    </>
  );
}
