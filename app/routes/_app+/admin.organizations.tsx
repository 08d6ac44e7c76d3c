import { useActionData, useLoaderData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { Form } from "~/components/forms/form";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { RefusedAct } from "~/components/forms/refused-act";
import { named } from "~/components/layout/named";
import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { formAction, parseForm } from "~/http/form-action.server";
import { permit, requireRole } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import {
  type OrganizationRow,
  type OrganizationsQuery,
  readOrganizationsQuery,
  toOrganizationRow,
} from "~/modules/accounts/administration/admin-lists";
import {
  listOrganizations,
  suspendOrganization,
  suspensionPostSchema,
} from "~/modules/accounts/administration/organizations.server";
import { DEFAULT_POLICY } from "~/modules/accounts/organizations/policy";

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
function OrganizationsCard({ path, query: { q, standing, reported }, rows, next }: OrganizationsCardProps) {
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

const PATH = appPaths.organizations;

export const { meta, ErrorBoundary } = named("Organizations", "Error Loading Organizations");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { services, url } = scope;
  const query = readOrganizationsQuery(url.searchParams);
  const list = await listOrganizations(services, query);
  const zone = { timeZone: DEFAULT_POLICY.timeZone, now: services.clock.now() };
  return {
    rows: list.organizations.map((one) => toOrganizationRow(one, zone)),
    next: list.next,
    query,
    person: { firstName: person.firstName, lastName: person.lastName, username: person.username },
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  return formAction(scope, async (form) => {
    const { intent, organizationId } = parseForm(form, suspensionPostSchema);
    const active = intent === "resume";
    const { name } = await suspendOrganization(scope.services, person, { organizationId, active });
    const title = active ? `${name} is active again` : `${name} is suspended`;
    return { to: PATH, flash: { tone: "success", title } };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function Organizations() {
  const { person, ...list } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AdminPage person={person} scope="Every organisation" stats={[]}>
      <RefusedAct answer={answer} />
      <OrganizationsCard path={PATH} {...list} />
    </AdminPage>
  );
}
