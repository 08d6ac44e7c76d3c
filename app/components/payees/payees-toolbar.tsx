import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import { Button, buttonClass } from "~/components/ui/button";
import { FILTER_LABELS, PAYEE_FILTERS, type PayeeFilter } from "~/modules/payees/payee-list";
import { payeesCsvHref, payeesHref } from "~/modules/payees/payee-list.view";

interface PayeesToolbarProps {
  q?: string;
  filter: PayeeFilter;
  /** How many there are behind each filter, where they are counted; left out during a search. */
  counts?: Partial<Record<PayeeFilter, number>>;
  /** Where these payees are checked in bulk; absent for people who may only look. */
  bulkHref?: string;
}

/** Search and filter of the payees; both stay in the address. */
export function PayeesToolbar({ q, filter, counts, bulkHref }: PayeesToolbarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
      <FilterTabs
        label="Status"
        items={PAYEE_FILTERS.map((each) => ({
          label: FILTER_LABELS[each],
          to: payeesHref({ q, filter: each }),
          current: each === filter,
          count: counts?.[each]?.toLocaleString("en-AU"),
        }))}
      />
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search payee, account name, BSB or account number"
          defaultValue={q}
          keep={{ status: filter === "all" ? undefined : filter }}
          clearHref={payeesHref({ filter })}
        />
        {bulkHref && (
          <Button to={bulkHref} variant="secondary" size="sm">
            Check in bulk
          </Button>
        )}
        <a href={payeesCsvHref({ q, filter })} className={buttonClass("secondary", "sm")} download>
          CSV<span className="sr-only"> of this list</span>
        </a>
      </div>
    </div>
  );
}
