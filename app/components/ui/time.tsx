import { cx } from "~/components/cx";

interface TimeProps {
  /** ISO 8601 in UTC, for machines. */
  dateTime: string;
  /** The exact time as text, already in the organisation's time zone: "20 Nov 2026, 4:42 pm". */
  exact: string;
  /** "3 minutes ago"; shown beside the exact time, or below it with `stacked`. */
  relative?: string;
  stacked?: boolean;
  className?: string;
}

/** A point in time. The strings are already formatted, so that server and browser always agree. */
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

/** Only the day, in a list's narrow column; the time of day is on the row's own page. */
export function Day({ dateTime, exact, relative }: Pick<TimeProps, "dateTime" | "exact" | "relative">) {
  return <Time dateTime={dateTime} exact={exact.split(", ")[0] ?? exact} relative={relative} stacked />;
}

/** In a narrow column, a time breaks only between the date and the time of day. */
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
