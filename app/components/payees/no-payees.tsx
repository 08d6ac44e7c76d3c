import { SearchedInPart } from "~/components/tables/searched-in-part";
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
  if (nextHref) return <SearchedInPart of="list" nextHref={nextHref} />;
  if (q) return <NotFound q={q} filter={filter} />;
  if (filter !== "all") return <EmptyFilter filter={filter} />;
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

function NotFound({ q, filter }: { q: string; filter: PayeeFilter }) {
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
      Nothing matches “{q}”. Search by the beginning of a word, by BSB, or by the beginning or end of an account number.
    </EmptyState>
  );
}

type Words = { icon: "checkCircle" | "list"; title: string; sentence: string };

const EMPTY: Record<Exclude<PayeeFilter, "all">, Words> = {
  pending: {
    icon: "checkCircle",
    title: "No payees are waiting for verification",
    sentence: "Every payee's details have been decided on.",
  },
  disputed: { icon: "checkCircle", title: "No disputes", sentence: "No payee has said that its details are wrong." },
  whitelisted: {
    icon: "list",
    title: "No payees here",
    sentence: "A payee joins the whitelist when its verification is approved, or after three successful payments.",
  },
  not_whitelisted: { icon: "list", title: "No payees here", sentence: "Every payee is on the whitelist." },
  archived: {
    icon: "list",
    title: "No archived payees",
    sentence: "A payee that you do not pay any more can be archived in the list or on its page. Nothing is deleted.",
  },
};

function EmptyFilter({ filter }: { filter: keyof typeof EMPTY }) {
  const { icon, title, sentence } = EMPTY[filter];
  return (
    <EmptyState icon={icon} mood={icon === "checkCircle" ? "done" : undefined} title={title}>
      {sentence}
    </EmptyState>
  );
}
