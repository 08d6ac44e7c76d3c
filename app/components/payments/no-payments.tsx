import { Button } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";
import { appPaths } from "~/kernel/paths/app";
import { FILTER_LABELS, type PaymentFilter } from "~/modules/payments/payment-list";

/** What the list says when it has nothing to list, and what to do about it. */
export function NoPayments({ filter, canAdd }: { filter: PaymentFilter; canAdd: boolean }) {
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
