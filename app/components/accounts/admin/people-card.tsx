import type { ReactNode } from "react";
import { PeopleTable } from "~/components/accounts/admin/people-table";
import { PeopleToolbar } from "~/components/accounts/admin/people-toolbar";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import type { UserStatus } from "~/kernel/enums";
import { withQuery } from "~/kernel/paths/with-query";
import type { PeopleQuery } from "~/modules/accounts/administration/admin-lists";
import type { PersonRow } from "~/modules/accounts/administration/admin-lists.view";

interface PeopleCardProps {
  title: string;
  description?: ReactNode;
  path: string;
  query: PeopleQuery;
  rows: readonly PersonRow[];
  counts?: Record<UserStatus, number>;
  next?: string;
  canAct: boolean;
  showOrganization?: boolean;
}

/** A list of people with its search, its filter and its pages. */
export function PeopleCard(props: PeopleCardProps) {
  const { title, description, path, query, rows, counts, next, canAct, showOrganization } = props;
  const { q, status } = query;
  return (
    <Card title={title} description={description} flush>
      <PeopleToolbar path={path} query={query} counts={counts} />
      {rows.length === 0 ? (
        <EmptyState icon="users" title="No people to show" headingLevel={3}>
          No people match this filter.
        </EmptyState>
      ) : (
        <PeopleTable rows={rows} canAct={canAct} showOrganization={showOrganization} />
      )}
      <Pagination label={title} nextHref={next && withQuery(path, { q, status, after: next })} />
    </Card>
  );
}
