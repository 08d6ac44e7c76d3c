import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import type { MatchType } from "~/modules/name-match";
import { pendingHref } from "~/modules/review/pending-address";

interface PendingToolbarProps {
  q?: string;
  match?: MatchType;
  order: "newest" | "oldest";
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
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
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
        keep={{ match, order: order === "oldest" ? order : undefined }}
        clearHref={pendingHref({ match, order })}
      />
    </div>
  );
}
