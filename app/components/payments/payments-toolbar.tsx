import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import { Button } from "~/components/ui/button";
import { FILTER_LABELS, PAYMENT_FILTERS } from "~/modules/payments/payment-list";
import { type PaymentsTotals, paymentsCsvHref, paymentsHref } from "~/modules/payments/payment-list.view";
import type { PaymentSearch } from "~/modules/payments/payment-search";
import { PaymentsFilter } from "./payments-filter";

interface PaymentsToolbarProps {
  search: PaymentSearch;
  totals: PaymentsTotals;
  people: readonly { userId: string; name: string }[];
  /** Whose payments alone are shown. */
  payeeName: string | null;
}

/** Search and filters of the payments, how many stand in each status, and what they add up to; all in the address. */
export function PaymentsToolbar({ search, totals, people, payeeName }: PaymentsToolbarProps) {
  const { filter, q, ...rest } = search;
  return (
    <div className="grid gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FilterTabs
          label="Status"
          items={PAYMENT_FILTERS.map((each) => ({
            label: FILTER_LABELS[each],
            to: paymentsHref({ ...search, filter: each }),
            current: each === filter,
            count: totals.counts[each],
          }))}
        />
        <SearchBox
          label="Search payee, reference or account"
          defaultValue={q}
          keep={{ ...rest, status: filter === "all" ? undefined : filter }}
          clearHref={paymentsHref({ ...rest, filter })}
        />
      </div>
      <PaymentsFilter search={search} people={people} />
      <div className="flex flex-wrap items-center justify-between gap-3 text-base">
        <p>
          {payeeName !== null && (
            <>
              To <span className="font-medium">{payeeName}</span>:{" "}
            </>
          )}
          {totals.sentence}
        </p>
        <Button to={paymentsCsvHref(search)} reloadDocument variant="secondary" size="sm" icon="download">
          Download as CSV
        </Button>
      </div>
    </div>
  );
}
