import { useLoaderData } from "@remix-run/react";
import { SelectControl, TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { FoldedFilters, ListCard } from "~/components/tables/list-card";
import { CellNote, type Column, RowLink } from "~/components/tables/table";
import { Button, Link } from "~/components/ui/elements";
import { named, PageHeader } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import { page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { OUTCOME_LABELS, STATUS_LABELS } from "~/modules/verifying/review/verification-list";
import { readVerificationsPage } from "~/modules/verifying/review/verification-list.server";

type VerificationsPage = Awaited<ReturnType<typeof readVerificationsPage>>;
type ListedRow = VerificationsPage["rows"][number];

export const { meta, ErrorBoundary } = named("Verifications", "Error Loading Verifications");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readVerificationsPage(scope.services, actor, scope.url.searchParams);
});

export default function Verifications() {
  const { rows, filter, people, methods, isPartial, firstHref, nextHref, csvHref } = useLoaderData<typeof loader>();
  const isNarrowed = Object.values(filter).some(Boolean);
  return (
    <>
      <PageHeader
        title="Verifications and certificates"
        description="Every verification of your payees, including decided ones, with the certificate of each that was approved."
        actions={
          <>
            <Button to={csvHref} reloadDocument variant="secondary" icon="download">
              Download CSV
            </Button>
            <Button to={appPaths.pendingVerifications}>Pending verifications</Button>
          </>
        }
      />
      <ListCard
        label="Verifications"
        rows={rows}
        columns={COLUMNS}
        fixed
        dense
        brief
        more={<VerificationFilters filter={filter} people={people} methods={methods} />}
        empty={{
          icon: "search",
          title: isNarrowed ? "No verifications" : "No verifications yet",
          children: isPartial
            ? "None of the newest thousand matches these filters. Older ones follow on the next page."
            : isNarrowed
              ? "No verification matches these filters."
              : "Adding a payee opens one, and each approved one has a certificate.",
        }}
        pager={{
          previousHref: firstHref,
          nextHref,
          summary: isPartial ? "Searched a thousand verifications. Older ones follow on the next page." : undefined,
        }}
      />
    </>
  );
}

/** The list's filters; a GET form, so a view has an address. */
function VerificationFilters({ filter, people, methods }: Pick<VerificationsPage, "filter" | "people" | "methods">) {
  const isNarrowed = Object.values(filter).some(Boolean);
  return (
    <FoldedFilters summary="Status, result, method, person and days" filter={filter} isNarrowed={isNarrowed}>
      <Form method="get" action={appPaths.allVerifications} className="flex flex-wrap items-end gap-3">
        <Choice name="status" label="Status" value={filter.status} options={STATUS_LABELS} />
        <Choice name="outcome" label="Result" value={filter.outcome} options={OUTCOME_LABELS} />
        <Choice name="method" label="Method" value={filter.method} options={methods} />
        <Choice
          name="person"
          label="Person"
          value={filter.person}
          options={Object.fromEntries(people.map(({ userId, name }) => [userId, name]))}
        />
        <TextInput name="from" label="From" type="date" defaultValue={filter.from} showOptional={false} />
        <TextInput name="to" label="To" type="date" defaultValue={filter.to} showOptional={false} />
        <Button type="submit" variant="secondary">
          Show
        </Button>
        {isNarrowed && (
          <Button to={appPaths.allVerifications} variant="quiet">
            Clear
          </Button>
        )}
      </Form>
    </FoldedFilters>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  value: string | undefined;
  options: Readonly<Record<string, string>>;
}

function Choice({ name, label, value, options }: ChoiceProps) {
  return (
    <label htmlFor={`filter-${name}`} className="min-w-36 text-base">
      <span className="mb-1.5 block font-medium">{label}</span>
      <SelectControl id={`filter-${name}`} name={name} defaultValue={value ?? ""}>
        <option value="">All</option>
        {Object.entries(options).map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </SelectControl>
    </label>
  );
}

const COLUMNS: Column<ListedRow>[] = [
  {
    head: "Payee",
    width: "wide:w-[16%]",
    cell: (row) => (
      <span className="block break-words">
        <RowLink to={appPaths.verification(row.id)}>{row.payeeName}</RowLink>
      </span>
    ),
  },
  {
    head: "Account Details",
    width: "wide:w-[15%]",
    classOf: () => "cell-left-out",
    cell: ({ account, accountName, payeeName }) => (
      <>
        <span className="figures">{account}</span>
        {accountName !== payeeName && (
          <CellNote>
            <span className="break-words">{accountName}</span>
          </CellNote>
        )}
      </>
    ),
  },
  {
    head: "Status",
    width: "wide:w-[18%]",
    classOf: () => "cell-last",
    cell: ({ verdict, status, grade }) =>
      verdict ? (
        <span className="flex flex-col items-start gap-0.5">
          <VerdictBadge verdict={verdict} />
          {verdict.change && <ChangeMark change={verdict.change} />}
        </span>
      ) : (
        <>
          <StatusBadge of="verification" status={status} />
          {grade && <CellNote>{grade}</CellNote>}
        </>
      ),
  },
  {
    head: "Result",
    width: "wide:w-[11%]",
    classOf: () => "cell-left-out",
    cell: (row) => (
      <>
        {row.outcome}
        {row.score !== null && <span className="figures text-ink-soft"> {row.score}%</span>}
      </>
    ),
  },
  { head: "Method", width: "wide:w-[13%]", classOf: () => "cell-left-out", cell: (row) => row.method },
  {
    head: "Decided By",
    width: "wide:w-[14%]",
    classOf: () => "cell-left-out",
    cell: (row) => (
      <>
        {row.decidedBy ?? <span className="text-ink-soft">Not decided yet</span>}
        {row.decidedAt && <span className="figures block text-ink-soft text-xs">{row.decidedAt}</span>}
        {row.status === "verified" && (
          <Link
            to={appPaths.certificate(row.id)}
            className="above-line text-accent-text text-xs underline underline-offset-2"
          >
            Certificate
          </Link>
        )}
      </>
    ),
  },
  {
    head: "Opened",
    classOf: () => "cell-last",
    cell: (row) => (
      <>
        <span className="figures sm:whitespace-nowrap">{row.openedOn}</span>
        <CellNote>{row.requestedBy}</CellNote>
      </>
    ),
  },
];
