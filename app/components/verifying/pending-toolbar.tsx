import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import type { QueueOrder } from "~/kernel/enums";
import type { MatchType } from "~/modules/name-match";
import { MINE, pendingHref } from "~/modules/verifying/review/pending-address";

interface PendingToolbarProps {
  q?: string;
  match?: MatchType;
  order: QueueOrder;
  mine?: boolean;
  counts: QueueCounts;
}

/** How many there are behind each filter, ready to read: "60+" where counting stopped. */
export type QueueCounts = Readonly<Record<"all" | "mine" | MatchType, string>>;

const FILTERS: readonly { label: string; match?: MatchType; mine?: boolean }[] = [
  { label: "All" },
  { label: "Exact", match: "exact" },
  { label: "Fuzzy", match: "fuzzy" },
  { label: "No match", match: "none" },
  { label: "Mine", mine: true },
];

/** Search and filter of the review queue; both stay in the address. */
export function PendingToolbar({ q, match, order, mine, counts }: PendingToolbarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-2.5">
      <FilterTabs
        label="Filter"
        items={FILTERS.map((filter) => ({
          label: filter.label,
          to: pendingHref({ q, order, match: filter.match, mine: filter.mine }),
          current: Boolean(filter.mine) === Boolean(mine) && filter.match === match,
          count: counts[filter.mine ? "mine" : (filter.match ?? "all")],
        }))}
      />
      <SearchBox
        label="Search name, BSB or account number"
        defaultValue={q}
        keep={{ match, order: order === "risk" ? undefined : order, assigned: mine ? MINE : undefined }}
        clearHref={pendingHref({ match, order, mine })}
      />
    </div>
  );
}
