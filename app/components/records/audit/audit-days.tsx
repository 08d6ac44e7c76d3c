import { Button } from "~/components/ui/button";
import type { DayLinks } from "~/modules/records/audit-trail/audit-page.view";

/** One day at a time: the day that is shown, with the days beside it. */
export function AuditDays({ days }: { days: DayLinks }) {
  if (!("day" in days)) {
    return (
      <span className="print:hidden">
        <Button to={days.today} variant="quiet">
          Today
        </Button>
      </span>
    );
  }
  return (
    <nav aria-label="Days" className="flex flex-wrap items-center gap-2">
      <Button to={days.previous} variant="secondary" size="sm" icon="chevronLeft" rel="prev">
        Previous day
      </Button>
      <span className="figures px-1 font-medium">{days.day}</span>
      {days.next && (
        <Button to={days.next} variant="secondary" size="sm" iconAfter="chevronRight" rel="next">
          Next day
        </Button>
      )}
    </nav>
  );
}
