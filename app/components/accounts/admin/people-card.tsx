import type { ReactNode } from "react";
import { SelectControl } from "~/components/forms/fields";
import { Form, HiddenFields, SubmitButton } from "~/components/forms/form";
import { ListCard } from "~/components/tables/list-card";
import { RowLink } from "~/components/tables/table";
import { Email } from "~/components/ui/email";
import { Time } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { ORGANIZATION_ROLES, type UserStatus } from "~/kernel/enums";
import { withQuery } from "~/kernel/paths/site";
import { USER_STATUS_WORDS } from "~/kernel/status-words";
import { formatCount } from "~/kernel/text";
import { type PeopleQuery, type PersonRow, STATUS_FILTERS } from "~/modules/accounts/administration/admin-lists";
import type { MemberAct } from "~/modules/accounts/members/members";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";

function RoleForm({ row }: { row: PersonRow }) {
  return (
    <Form
      method="post"
      className="above-line pointer-events-none flex flex-wrap items-center gap-2 *:pointer-events-auto @[28rem]/main:@max-[54rem]/main:flex-nowrap @[61rem]/main:flex-nowrap"
    >
      <HiddenFields values={{ userId: row.userId }} />
      <label htmlFor={`role-${row.userId}`} className="min-w-0">
        <span className="sr-only">Role of {row.name}</span>
        <SelectControl key={row.role} id={`role-${row.userId}`} name="role" defaultValue={row.role} className="sm:w-37">
          {ORGANIZATION_ROLES.map((role) => (
            <option key={role} value={role}>
              {ROLE_LABELS[role]}
            </option>
          ))}
        </SelectControl>
      </label>
      <SubmitButton name="intent" value="change_role" variant="secondary" size="sm" pendingText="Saving...">
        Change<span className="sr-only"> the role of {row.name}</span>
      </SubmitButton>
    </Form>
  );
}

const ACTS: Record<MemberAct, { label: string; pendingText: string; variant: "primary" | "secondary" | "quiet" }> = {
  approve: { label: "Approve", pendingText: "Approving...", variant: "primary" },
  reject: { label: "Reject", pendingText: "Rejecting...", variant: "secondary" },
  deactivate: { label: "Deactivate", pendingText: "Ending...", variant: "quiet" },
  reactivate: { label: "Reactivate", pendingText: "Saving...", variant: "secondary" },
};

function ActForm({ row }: { row: PersonRow }) {
  return (
    <Form method="post" className="flex flex-wrap gap-2 sm:justify-end">
      <HiddenFields values={{ userId: row.userId }} />
      {row.acts.map((act) => {
        const { label, pendingText, variant } = ACTS[act];
        return (
          <SubmitButton key={act} name="intent" value={act} variant={variant} size="sm" pendingText={pendingText}>
            {label}
            <span className="sr-only"> {row.name}</span>
          </SubmitButton>
        );
      })}
    </Form>
  );
}

function PersonName({ name, href }: { name: string; href?: string }) {
  return href ? <RowLink to={href}>{name}</RowLink> : <span className="font-medium">{name}</span>;
}

/** A list of people with search, filter, pages, and the actions on each. */
export function PeopleCard(props: {
  title: string;
  description?: ReactNode;
  path: string;
  query: PeopleQuery;
  rows: readonly PersonRow[];
  counts?: Record<UserStatus, number>;
  next?: string;
  canAct: boolean;
  showOrganization?: boolean;
  /** Where a person's row leads; absent: nowhere. */
  hrefOf?: (row: PersonRow) => string | undefined;
}) {
  const { title, description, path, query, rows, counts, next, canAct, showOrganization, hrefOf } = props;
  const { q, status, organization } = query;
  return (
    <ListCard
      label={title}
      title={title}
      description={description}
      caption="People"
      brief
      rows={rows}
      keyOf={(row) => row.userId}
      columns={[
        {
          head: "Person",
          cell: (row) => (
            <>
              <PersonName name={row.name} href={hrefOf?.(row)} />
              <div className="text-ink-soft text-sm">
                <Email value={row.email} />
                {!row.emailVerified && " (not confirmed)"}
              </div>
            </>
          ),
        },
        showOrganization && {
          head: "Organisation",
          classOf: () => "brief:order-2 brief:col-span-2",
          cell: (row) => row.organizationName ?? "None",
        },
        {
          head: "Role",
          classOf: () => "brief:order-3 brief:col-span-2",
          cell: (row) =>
            canAct && row.role !== "super_admin" && row.hasOrganization ? (
              <>
                <RoleForm row={row} />
                <span className="hidden print:inline">{row.roleLabel}</span>
              </>
            ) : (
              row.roleLabel
            ),
        },
        {
          head: "Status",
          classOf: () => "brief:text-right",
          cell: (row) => <StatusBadge of="user" status={row.status} />,
        },
        {
          head: "Last sign-in",
          classOf: () => "brief:order-2 brief:col-span-2 brief:text-ink-soft brief:text-sm",
          cell: ({ lastLogin }) => (
            <>
              <span className="hidden brief:inline">{lastLogin ? "Signed in " : "Signed in: "}</span>
              {lastLogin ? <Time {...lastLogin} stacked /> : "Never"}
            </>
          ),
        },
        canAct && {
          head: "Actions",
          actions: true,
          classOf: () => "brief:order-4 brief:col-span-2 brief:mt-1",
          cell: (row) => <ActForm row={row} />,
        },
      ]}
      filters={{
        label: "Status",
        items: STATUS_FILTERS.map((one) => ({
          label: one ? USER_STATUS_WORDS[one] : "All",
          to: withQuery(path, { q, organization, status: one }),
          current: one === status,
          count: one && counts && formatCount(counts[one]),
        })),
      }}
      search={{
        label: "Search first name, last name or email",
        defaultValue: q,
        keep: { status, organization },
        clearHref: withQuery(path, { status, organization }),
      }}
      empty={{ icon: "users", title: "No people to show", children: "No people match this filter." }}
      pager={{ nextHref: next && withQuery(path, { q, status, organization, after: next }) }}
    />
  );
}
