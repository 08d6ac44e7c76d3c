import { Button } from "~/components/ui/button";

interface PaginationProps {
  /** Address of the page before and after, keyed by the first or last row; absent at either end. */
  previousHref?: string;
  nextHref?: string;
  /** "Showing 1 to 25 of 312", ready to read. */
  summary?: string;
  /** What is being paged, for the landmark's name: "Payees". */
  label: string;
}

/** Previous and next by key. Draws nothing but the summary when everything fits on one page. */
export function Pagination({ previousHref, nextHref, summary, label }: PaginationProps) {
  if (!previousHref && !nextHref && !summary) return null;
  return (
    <nav aria-label={`${label} pages`} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
      <p className="figures text-ink-soft text-sm">{summary}</p>
      {(previousHref || nextHref) && (
        <div className="flex gap-2">
          {previousHref && (
            <Button to={previousHref} variant="secondary" size="sm" icon="chevronLeft" rel="prev">
              Previous
            </Button>
          )}
          {nextHref && (
            <Button to={nextHref} variant="secondary" size="sm" iconAfter="chevronRight" rel="next">
              Next
            </Button>
          )}
        </div>
      )}
    </nav>
  );
}
