import { Button } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";
import { appPaths } from "~/kernel/paths/app";
import { FILTER_LABELS } from "~/modules/payments/payment-list";
import { isNarrowed, type PaymentSearch } from "~/modules/payments/payment-search";

interface NoPaymentsProps {
  search: PaymentSearch;
  canAdd: boolean;
  /** There are older payments that were not looked at. */
  nextHref?: string;
}

/** What the list says when it has nothing to list, and what to do about it. */
export function NoPayments({ search, canAdd, nextHref }: NoPaymentsProps) {
  const { filter } = search;
  if (isNarrowed(search)) return <NoMatch nextHref={nextHref} />;
  if (filter === "held") {
    return (
      <EmptyState icon="checkCircle" mood="done" title="No payment is held">
        Every payment has been decided on.
      </EmptyState>
    );
  }
  if (filter !== "all") {
    return (
      <EmptyState
        icon="list"
        title="No payments here"
        action={
          <Button to={appPaths.payments} variant="secondary">
            Show all payments
          </Button>
        }
      >
        None of your payments has the status “{FILTER_LABELS[filter]}”.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="card"
      title="No payments yet"
      action={
        canAdd && (
          <Button to={appPaths.newPayment} icon="plus">
            Record a payment
          </Button>
        )
      }
    >
      Record a payment before you make it: it is authorised at once, or held with the reasons.
    </EmptyState>
  );
}

function NoMatch({ nextHref }: Pick<NoPaymentsProps, "nextHref">) {
  return (
    <EmptyState
      icon="list"
      title="No payment matches your search"
      action={
        <Button to={nextHref ?? appPaths.payments} variant="secondary">
          {nextHref ? "Search the older payments" : "Show all payments"}
        </Button>
      }
    >
      {nextHref ? "None of the newest payments matches." : "Try fewer words, other days or other amounts."}
    </EmptyState>
  );
}
