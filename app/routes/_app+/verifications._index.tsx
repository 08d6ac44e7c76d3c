import { useLoaderData } from "@remix-run/react";
import { SelectControl, TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { named } from "~/components/layout/named";
import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
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
  return (
    <>
      <PageHeader
        title="Verifications"
        description="Every verification of your payees, decided ones too."
        actions={
          <>
            <Button to={csvHref} reloadDocument variant="secondary" icon="download">
              Download CSV
            </Button>
            <Button to={appPaths.pendingVerifications}>Pending verifications</Button>
          </>
        }
      />
      <Card flush>
        <VerificationFilters filter={filter} people={people} methods={methods} />
        {rows.length === 0 ? (
          <EmptyState icon="search" title="No verifications">
            {isPartial
              ? "None of the newest thousand fits these filters. Older ones follow on the next page."
              : "No verification fits these filters."}
          </EmptyState>
        ) : (
          <VerificationsTable rows={rows} />
        )}
        <Pagination
          label="Verifications"
          previousHref={firstHref}
          nextHref={nextHref}
          summary={
            isPartial ? "Looked through a thousand verifications. Older ones follow on the next page." : undefined
          }
        />
      </Card>
    </>
  );
}

/** What narrows the list; a GET form, so a view has an address. */
function VerificationFilters({ filter, people, methods }: Pick<VerificationsPage, "filter" | "people" | "methods">) {
  const isNarrowed = Object.values(filter).some(Boolean);
  return (
    <Form method="get" action={appPaths.verifications} className="flex flex-wrap items-end gap-3 px-5 py-4">
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
        <Button to={appPaths.verifications} variant="quiet">
          Clear
        </Button>
      )}
    </Form>
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

/** Every verification, newest first. */
function VerificationsTable({ rows }: { rows: readonly ListedRow[] }) {
  return (
    <Table
      caption="Verifications"
      fixed
      dense
      head={
        <>
          <Th width="lg:w-[16%]">Payee</Th>
          <Th width="lg:w-[19%]">Account Details</Th>
          <Th width="lg:w-[18%]">Status</Th>
          <Th width="lg:w-[12%]">Result</Th>
          <Th width="lg:w-[8%]">Method</Th>
          <Th width="lg:w-[14%]">Decided By</Th>
          <Th>Opened</Th>
        </>
      }
    >
      {rows.map((row) => (
        <VerificationLine key={row.id} row={row} />
      ))}
    </Table>
  );
}

function VerificationLine({ row }: { row: ListedRow }) {
  return (
    <Tr>
      <Td>
        <span className="block lg:truncate" title={row.payeeName}>
          <RowLink to={appPaths.verification(row.id)}>{row.payeeName}</RowLink>
        </span>
      </Td>
      <Td label="Account Details">
        <span className="figures block lg:truncate" title={row.account}>
          {row.account}
        </span>
      </Td>
      <Td label="Status">
        {row.verdict ? (
          <span className="flex flex-col items-start gap-0.5">
            <VerdictBadge verdict={row.verdict} />
            {row.verdict.change && <ChangeMark change={row.verdict.change} />}
          </span>
        ) : (
          <>
            <StatusBadge of="verification" status={row.status} />
            {row.grade && <CellNote>{row.grade}</CellNote>}
          </>
        )}
      </Td>
      <Td label="Result">
        {row.outcome}
        {row.score !== null && <span className="figures text-ink-soft"> {row.score}%</span>}
      </Td>
      <Td label="Method">{row.method}</Td>
      <Td label="Decided By">
        {row.decidedBy ?? <span className="text-ink-soft">Not decided yet</span>}
        {row.decidedAt && <span className="figures block text-ink-soft text-xs">{row.decidedAt.exact}</span>}
      </Td>
      <Td label="Opened">
        <Time dateTime={row.createdAt.dateTime} exact={row.createdAt.exact} />
        <span className="block text-ink-soft text-xs">{row.requestedBy}</span>
      </Td>
    </Tr>
  );
}
