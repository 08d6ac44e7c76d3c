import { Button } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";
import { appPaths } from "~/kernel/paths/app";
import type { PayeeFilter } from "~/modules/payees/payee-list";
import { payeesHref } from "~/modules/payees/payee-list.view";

interface NoPayeesProps {
  q?: string;
  filter: PayeeFilter;
  /** False for people who may only look. */
  canAdd: boolean;
  /** Where the list goes on, when a search has looked only part of the way. */
  nextHref?: string;
}

/** What the list says when it has nothing to list, and what to do about it. */
export function NoPayees({ q, filter, canAdd, nextHref }: NoPayeesProps) {
  if (nextHref) {
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
        These words are common, so only part of the list was searched.
      </EmptyState>
    );
  }
  if (q) {
    return (
      <EmptyState
        icon="search"
        title="No payee found"
        action={
          <Button to={payeesHref({ filter })} variant="secondary">
            Clear the search
          </Button>
        }
      >
        Nothing matches “{q}”. Search by the beginning of a name, a BSB or an account number.
      </EmptyState>
    );
  }
  if (filter === "pending") {
    return (
      <EmptyState icon="checkCircle" mood="done" title="No payees are waiting for verification">
        Every payee's details have been decided on.
      </EmptyState>
    );
  }
  if (filter === "disputed") {
    return (
      <EmptyState icon="checkCircle" mood="done" title="No disputes">
        No payee has said that its details are wrong.
      </EmptyState>
    );
  }
  if (filter === "whitelisted" || filter === "not_whitelisted") {
    return (
      <EmptyState icon="list" title="No payees here">
        {filter === "whitelisted"
          ? "A payee joins the whitelist when its verification is approved, or after three successful payments."
          : "Every payee is on the whitelist."}
      </EmptyState>
    );
  }
  if (filter === "archived") {
    return (
      <EmptyState icon="list" title="No archived payees">
        A payee that you do not pay any more can be archived on its page. Nothing is deleted.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="users"
      title="No payees yet"
      action={
        canAdd && (
          <>
            <Button to={appPaths.imports} icon="upload">
              Import payees
            </Button>
            <Button to={appPaths.newPayee} variant="secondary" icon="plus">
              Verify a payee
            </Button>
          </>
        )
      }
    >
      Add the people and businesses you pay. Each is checked before money goes out.
    </EmptyState>
  );
}
