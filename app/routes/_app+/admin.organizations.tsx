import { useActionData, useLoaderData } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, type Column, RowLink } from "~/components/tables/table";
import { Badge, Button, Callout } from "~/components/ui/elements";
import { named, Time } from "~/components/ui/page-parts";
import { formAction, page, parseForm, permit, requireRole } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import {
  type OrganizationRow,
  type OrganizationsQuery,
  readOrganizationsQuery,
  toNameRow,
  toOrganizationRow,
} from "~/modules/accounts/administration/admin-lists";
import {
  listOrganizations,
  suspendOrganization,
  suspensionPostSchema,
} from "~/modules/accounts/administration/organizations.server";
import { decideName, listWaitingNames, namePostSchema } from "~/modules/accounts/organizations/name-requests.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";

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

function OrganizationsCard({ path, query: { q, standing, reported }, rows, next }: OrganizationsCardProps) {
  const kept = { standing, reported: reported ? "yes" : undefined };
  return (
    <ListCard
      label="Organizations"
      rows={rows}
      columns={COLUMNS}
      brief
      filters={{
        label: "Standing",
        items: FILTERS.map((filter) => ({
          label: filter.label,
          to: withQuery(path, { q, standing: filter.standing, reported: filter.reported ? "yes" : undefined }),
          current: filter.standing === standing && filter.reported === reported,
        })),
      }}
      search={{
        label: "Search the start of a name",
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
        <RowLink to={withQuery(appPaths.users, { organization: row.id })}>{row.name}</RowLink>
        {row.domain && <div className="text-ink-soft text-sm">{row.domain}</div>}
      </>
    ),
  },
  {
    head: "Members",
    classOf: () => "brief:order-2",
    cell: (row) => (
      <>
        {row.members}
        <span className="hidden brief:inline"> {row.members === "1" ? "member" : "members"}</span>
      </>
    ),
  },
  { head: "Subscription", classOf: () => "brief:order-3", cell: (row) => row.subscription },
  {
    head: "Standing",
    classOf: () => "brief:text-right",
    cell: (row) => (
      <>
        {row.active ? (
          <Badge tone="verified">Active</Badge>
        ) : (
          <Badge tone="review">{row.isClosed ? "Closed" : "Suspended"}</Badge>
        )}
        {row.reports && <CellNote>{row.reports}</CellNote>}
      </>
    ),
  },
  {
    head: "Since",
    classOf: () => "brief:order-2 brief:text-right",
    cell: (row) => (
      <>
        <span className="hidden brief:inline">Since </span>
        {row.createdOn}
      </>
    ),
  },
  {
    head: "Actions",
    actions: true,
    classOf: () => "brief:order-4 brief:self-center brief:justify-self-end",
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
          {row.active ? "Suspend" : row.isClosed ? "Open again" : "Resume"}
          <span className="sr-only"> {row.name}</span>
        </SubmitButton>
      </Form>
    ),
  },
];

const PATH = appPaths.organizations;

type WaitingName = ReturnType<typeof toNameRow>;

/** Names that may imitate another organisation's: nobody outside sees them before a decision. */
function NamesCard({ rows, answer }: { rows: readonly WaitingName[]; answer?: FormAnswer }) {
  return (
    <ListCard
      label="Names waiting for approval"
      title="Names waiting for approval"
      description="They resemble the name of a bank or ours, or mix alphabets. Approve one only if you know that the organisation may use it. Its administrators are told about your decision."
      rows={rows}
      itemClass="grid gap-4 px-5 py-5 md:grid-cols-2"
      item={(row) => <NameItem row={row} answer={row.id === answer?.values.requestId ? answer : undefined} />}
    />
  );
}

function NameItem({ row, answer }: { row: WaitingName; answer?: FormAnswer }) {
  return (
    <>
      <div className="min-w-0">
        <p className="font-medium break-words">{row.name}</p>
        <p className="mt-1 text-ink-soft text-sm">
          It needs approval because {row.why}. Called {row.meanwhile} until then.
        </p>
        <p className="mt-1 text-ink-soft text-sm">
          Asked for by {row.email}
          {row.isConfirmed ? "" : ", not confirmed"}, <Time {...row.at} />. {row.abn ? `ABN ${row.abn}.` : "No ABN."}
        </p>
      </div>
      <PostForm intent="refuse-name" answer={answer} className="grid gap-3" summary={false}>
        <HiddenFields values={{ requestId: row.id }} />
        <TextInput
          name="reason"
          id={`reason-${row.id}`}
          label={`Reason for refusing ${row.name}`}
          showOptional={false}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="secondary" size="sm" pendingText="Saving...">
            Refuse
          </SubmitButton>
          <Button type="submit" name="intent" value="approve-name" variant="quiet" size="sm">
            Approve<span className="sr-only"> {row.name}</span>
          </Button>
        </div>
      </PostForm>
    </>
  );
}

/** Suspending an organisation stops all its people at once, so the page asks for confirmation with its name. */
function SuspendQuestion({ id, rows }: { id: string; rows: readonly OrganizationRow[] }) {
  const name = rows.find((row) => row.id === id)?.name ?? "this organisation";
  const box = useRef<HTMLElement>(null);
  // It is above the list, away from the button that was pressed.
  useEffect(() => {
    if (id) box.current?.focus();
  }, [id]);
  return (
    <section ref={box} tabIndex={-1} aria-label={`Suspend ${name}?`}>
      <Callout tone="warning" title={`Suspend ${name}?`}>
        <p>
          None of its people can view or change anything, and it sends nothing, until you resume it. Its administrators
          are told by email.
        </p>
        <Form method="post" className="mt-3 flex flex-wrap gap-3">
          <HiddenFields values={{ organizationId: id, sure: "yes" }} />
          <SubmitButton name="intent" value="suspend" variant="danger" size="sm" pendingText="Suspending...">
            Suspend {name}
          </SubmitButton>
          <Button to={PATH} variant="secondary" size="sm">
            Keep it active
          </Button>
        </Form>
      </Callout>
    </section>
  );
}

export const { meta, ErrorBoundary } = named("Organizations", "Error Loading Organizations");

export const loader = /* @__PURE__ */ page(async (scope) => {
  permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { services, url } = scope;
  const query = readOrganizationsQuery(url.searchParams);
  const [list, names] = await Promise.all([listOrganizations(services, query), listWaitingNames(services)]);
  const zone = { timeZone: DEFAULT_POLICY.timeZone, now: services.clock.now() };
  return {
    rows: list.organizations.map((one) => toOrganizationRow(one, zone)),
    names: names.map((one) => toNameRow(one, zone)),
    next: list.next,
    query,
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  return formAction(scope, async (form) => {
    if (form.has("requestId")) {
      const { name, isApproved } = await decideName(scope.services, person, parseForm(form, namePostSchema));
      return { to: PATH, flash: { tone: "success", title: `${name} is ${isApproved ? "approved" : "refused"}` } };
    }
    const { intent, organizationId } = parseForm(form, suspensionPostSchema);
    const active = intent === "resume";
    if (!active && form.get("sure") !== "yes") return { next: { asks: true } };
    const { name } = await suspendOrganization(scope.services, person, { organizationId, active });
    const title = active ? `${name} is active again` : `${name} is suspended`;
    return { to: PATH, flash: { tone: "success", title } };
  });
});

export const clientAction = keepWhatWasTyped;

export default function Organizations() {
  const { names, ...list } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AdminPage title="Organizations" scope="Every organisation">
      <RefusedAct answer={answer} />
      {answer?.extra?.asks === true && <SuspendQuestion id={answer.values.organizationId ?? ""} rows={list.rows} />}
      {names.length > 0 && <NamesCard rows={names} answer={answer} />}
      <OrganizationsCard path={PATH} {...list} />
    </AdminPage>
  );
}
