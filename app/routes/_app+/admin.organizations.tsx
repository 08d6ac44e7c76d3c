import { useActionData, useLoaderData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { Form } from "~/components/forms/form";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { RefusedAct } from "~/components/forms/refused-act";
import { named } from "~/components/layout/named";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, type Column } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
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
    <ListCard
      label="Organizations"
      title="Organizations"
      rows={rows}
      columns={COLUMNS}
      filters={{
        label: "Standing",
        items: FILTERS.map((filter) => ({
          label: filter.label,
          to: withQuery(path, { q, standing: filter.standing, reported: filter.reported ? "yes" : undefined }),
          current: filter.standing === standing && filter.reported === reported,
        })),
      }}
      search={{
        label: "Search organisations by the beginning of their name",
        defaultValue: q,
        keep: kept,
        clearHref: withQuery(path, kept),
      }}
      empty={{ icon: "building", title: "Nothing to show", children: "No organisations match this filter." }}
      pager={{ nextHref: next && withQuery(path, { q, ...kept, after: next }) }}
    />
  );
}

const COLUMNS: Column<OrganizationRow>[] = [
  {
    head: "Organisation",
    cell: (row) => (
      <>
        <span className="font-medium">{row.name}</span>
        {row.domain && <CellNote>{row.domain}</CellNote>}
      </>
    ),
  },
  { head: "Members", cell: (row) => row.members },
  { head: "Subscription", cell: (row) => row.subscription },
  {
    head: "Standing",
    cell: (row) => (
      <>
        {row.active ? <Badge tone="verified">Active</Badge> : <Badge tone="review">Suspended</Badge>}
        {row.reports && <CellNote>{row.reports}</CellNote>}
      </>
    ),
  },
  { head: "Since", cell: (row) => row.createdOn },
  {
    head: "Actions",
    actions: true,
    cell: (row) => (
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
    ),
  },
];

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
