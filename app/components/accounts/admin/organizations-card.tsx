import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { withQuery } from "~/kernel/paths/with-query";
import type { OrganizationsQuery } from "~/modules/accounts/administration/admin-lists";
import type { OrganizationRow } from "~/modules/accounts/administration/admin-lists.view";

interface OrganizationsCardProps {
  path: string;
  query: OrganizationsQuery;
  rows: readonly OrganizationRow[];
  next?: string;
}

const FILTERS: readonly { label: string; standing?: OrganizationsQuery["standing"]; reported?: boolean }[] = [
  { label: "All" },
  { label: "Active", standing: "active" },
  { label: "Suspended", standing: "suspended" },
  { label: "Reported", reported: true },
];

/** Every organisation, and whether it may act. */
export function OrganizationsCard({ path, query: { q, standing, reported }, rows, next }: OrganizationsCardProps) {
  const kept = { standing, reported: reported ? "yes" : undefined };
  return (
    <Card title="Organizations" flush>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pb-4">
        <FilterTabs
          label="Standing"
          items={FILTERS.map((filter) => ({
            label: filter.label,
            to: withQuery(path, { q, standing: filter.standing, reported: filter.reported ? "yes" : undefined }),
            current: filter.standing === standing && filter.reported === reported,
          }))}
        />
        <SearchBox
          label="Search organisations by the beginning of their name"
          defaultValue={q}
          keep={kept}
          clearHref={withQuery(path, kept)}
        />
      </div>
      {rows.length === 0 ? (
        <EmptyState icon="building" title="Nothing to show" headingLevel={3}>
          No organisations match this filter.
        </EmptyState>
      ) : (
        <OrganizationsTable rows={rows} />
      )}
      <Pagination label="Organizations" nextHref={next && withQuery(path, { q, ...kept, after: next })} />
    </Card>
  );
}

function OrganizationsTable({ rows }: { rows: readonly OrganizationRow[] }) {
  return (
    <Table
      caption="Organizations"
      head={
        <>
          <Th>Organisation</Th>
          <Th>Members</Th>
          <Th>Subscription</Th>
          <Th>Standing</Th>
          <Th>Since</Th>
          <Th hidden>Actions</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <span className="font-medium">{row.name}</span>
            {row.domain && <CellNote>{row.domain}</CellNote>}
          </Td>
          <Td label="Members">{row.members}</Td>
          <Td label="Subscription">{row.subscription}</Td>
          <Td label="Standing">
            {row.active ? <Badge tone="verified">Active</Badge> : <Badge tone="review">Suspended</Badge>}
            {row.reports && <CellNote>{row.reports}</CellNote>}
          </Td>
          <Td label="Since">{row.createdOn}</Td>
          <Td actions>
            <Form method="post">
              <HiddenFields values={{ organizationId: row.id }} />
              <SubmitButton
                name="intent"
                value={row.active ? "suspend" : "resume"}
                variant={row.active ? "quiet" : "secondary"}
                size="sm"
                pendingText="Saving..."
              >
                {row.active ? "Suspend" : "Resume"}
                <span className="sr-only"> {row.name}</span>
              </SubmitButton>
            </Form>
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
