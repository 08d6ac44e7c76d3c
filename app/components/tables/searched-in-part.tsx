import { Button } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";

interface SearchedInPartProps {
  /** What is searched, e.g. "list". */
  of: string;
  nextHref: string;
}

/** A search for common words that has looked at the first part only. */
export function SearchedInPart({ of, nextHref }: SearchedInPartProps) {
  return (
    <EmptyState
      icon="search"
      title="Nothing found so far"
      action={
        <Button to={nextHref} variant="secondary">
          Keep looking
        </Button>
      }
    >
      These words are common, so only part of the {of} was searched.
    </EmptyState>
  );
}
