import { FilterTabs } from "~/components/tables/filter-tabs";
import { FILTER_LABELS, PAYMENT_FILTERS, type PaymentFilter } from "~/modules/payments/payment-list";
import { paymentsHref } from "~/modules/payments/payment-list.view";

/** The filter of the payments; it stays in the address. How many are held is always in sight. */
export function PaymentsToolbar({ filter, held }: { filter: PaymentFilter; held: number }) {
  return (
    <div className="px-5 py-4">
      <FilterTabs
        label="Status"
        items={PAYMENT_FILTERS.map((each) => ({
          label: FILTER_LABELS[each],
          to: paymentsHref({ filter: each }),
          current: each === filter,
          count: each === "held" ? held.toLocaleString("en-AU") : undefined,
        }))}
      />
    </div>
  );
}
