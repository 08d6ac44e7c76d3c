import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import type { UserStatus } from "~/kernel/enums";
import { withQuery } from "~/kernel/paths/with-query";
import { USER_STATUS_WORDS } from "~/kernel/status-words";
import type { PeopleQuery } from "~/modules/accounts/administration/admin-lists";
import { STATUS_FILTERS } from "~/modules/accounts/administration/admin-lists.view";

interface PeopleToolbarProps {
  path: string;
  query: PeopleQuery;
  counts?: Record<UserStatus, number>;
}

/** Search and filter of people; both stay in the address. */
export function PeopleToolbar({ path, query: { q, status }, counts }: PeopleToolbarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 pb-4">
      <FilterTabs
        label="Status"
        items={STATUS_FILTERS.map((one) => ({
          label: one ? USER_STATUS_WORDS[one] : "All",
          to: withQuery(path, { q, status: one }),
          current: one === status,
          count: one && counts?.[one].toLocaleString("en-AU"),
        }))}
      />
      <SearchBox
        label="Search first name, last name or email"
        defaultValue={q}
        keep={{ status }}
        clearHref={withQuery(path, { status })}
      />
    </div>
  );
}
