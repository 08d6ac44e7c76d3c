import { SearchedInPart } from "~/components/tables/searched-in-part";
import { Button } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";
import { appPaths } from "~/kernel/paths/app";

interface NoPendingProps {
  isNarrowed: boolean;
  /** Where the queue goes on, when a search has looked only part of the way. */
  nextHref?: string;
}

/** An emptied queue is good news; a search that found nothing says how to see the rest. */
export function NoPending({ isNarrowed, nextHref }: NoPendingProps) {
  if (nextHref) return <SearchedInPart of="queue" nextHref={nextHref} />;
  if (isNarrowed) {
    return (
      <EmptyState
        icon="search"
        title="No Pending Verifications"
        action={
          <Button to={appPaths.pendingVerifications} variant="secondary">
            Show all
          </Button>
        }
      >
        Nothing waiting for review matches this search and filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="checkCircle"
      mood="done"
      title="No Pending Verifications"
      action={
        <Button to={appPaths.payees} variant="secondary">
          Manage Payees
        </Button>
      }
    >
      Everything has been reviewed. A new payee, or a change of bank details, will appear here.
    </EmptyState>
  );
}
