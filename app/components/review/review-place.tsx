import { ReviewKeys } from "~/components/review/review-keys";
import { Button } from "~/components/ui/button";
import type { PlaceView } from "~/modules/review/place.view";

/** "3 of 14" within the view of the queue, with its neighbours on either side. */
export function ReviewPlace({ place, hasKeys }: { place: PlaceView; hasKeys: boolean }) {
  const { position, previousHref, nextHref } = place;
  return (
    <nav aria-label="Review queue" className="flex items-center gap-2">
      {previousHref && (
        <Button to={previousHref} variant="secondary" size="sm" icon="chevronLeft">
          Previous
        </Button>
      )}
      {position && <span className="figures px-1 text-base text-ink-soft">{position}</span>}
      {nextHref && (
        <Button to={nextHref} variant="secondary" size="sm" iconAfter="chevronRight">
          Next
        </Button>
      )}
      {hasKeys && <ReviewKeys place={place} />}
    </nav>
  );
}
