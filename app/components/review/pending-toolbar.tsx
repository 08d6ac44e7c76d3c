import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import type { QueueOrder } from "~/kernel/enums";
import type { MatchType } from "~/modules/name-match";
import { pendingHref } from "~/modules/review/pending-address";

interface PendingToolbarProps {
  q?: string;
  match?: MatchType;
  order: QueueOrder;
  /** How many there are behind each filter, ready to read; left out during a search. */
  counts?: Readonly<Record<"all" | MatchType, string>>;
}

const FILTERS: readonly { label: string; match?: MatchType }[] = [
  { label: "All" },
  { label: "Exact", match: "exact" },
  { label: "Fuzzy", match: "fuzzy" },
  { label: "No match", match: "none" },
];

/** Search and filter of the review queue; both stay in the address. */
export function PendingToolbar({ q, match, order, counts }: PendingToolbarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-2.5">
      <FilterTabs
        label="Match type"
        items={FILTERS.map((filter) => ({
          label: filter.label,
          to: pendingHref({ q, order, match: filter.match }),
          current: filter.match === match,
          count: counts?.[filter.match ?? "all"],
        }))}
      />
      <SearchBox
        label="Search name, BSB or account number"
        defaultValue={q}
        keep={{ match, order: order === "risk" ? undefined : order }}
        clearHref={pendingHref({ match, order })}
      />
    </div>
  );
}
