import { type ComponentType, useEffect, useState } from "react";
import { Button } from "~/components/ui/button";
import type { PlaceView } from "~/modules/verifying/review/place.view";

type Keys = ComponentType<{ place: PlaceView }>;

/** "3 of 14" within the view of the queue, with its neighbours on either side. */
export function ReviewPlace({ place, hasKeys }: { place: PlaceView; hasKeys: boolean }) {
  const { position, previousHref, nextHref } = place;
  const Keys = useKeys(hasKeys);
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
      {Keys && <Keys place={place} />}
    </nav>
  );
}

/** Loaded once: the next verification's keys work at once. */
let loaded: { Keys: Keys } | undefined;

/** Keys need a script anyway, so only people who switched them on load theirs. */
function useKeys(hasKeys: boolean): Keys | undefined {
  const [keys, setKeys] = useState(loaded);
  useEffect(() => {
    if (!hasKeys || loaded) return;
    let isWanted = true;
    import("~/components/verifying/review-keys").then(
      ({ ReviewKeys }) => {
        loaded = { Keys: ReviewKeys };
        if (isWanted) setKeys(loaded);
      },
      () => {}, // Without the file the page works as it does without scripts.
    );
    return () => {
      isWanted = false;
    };
  }, [hasKeys]);
  return hasKeys ? keys?.Keys : undefined;
}
