import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { Form, type FormAnswer, FormErrorSummary, keepWhatWasTyped, SubmitButton } from "~/components/forms/form";
import { ChoosePayee, ChosenPayees } from "~/components/payees/chosen-payees";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, type Column, Table } from "~/components/tables/table";
import { Chart } from "~/components/ui/chart";
import { Button, buttonClass, Callout, linkClass } from "~/components/ui/elements";
import { EmptyState } from "~/components/ui/empty-state";
import { Amount, Bsb, Card, Masked, named, PageHeader, Time } from "~/components/ui/page-parts";
import { formAction, page, pageMember, pageWriter } from "~/http/page.server";
import type { HealthKind } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { bulkHref, healthCsvPath, healthHref, KIND_TEXTS } from "~/modules/payees/payee-health/health";
import { startHealthRun } from "~/modules/payees/payee-health/health.server";
import { type HealthPage as Page, readHealthPage } from "~/modules/payees/payee-health/health-page.server";

/** The payee list's action for ticked payees; `?index` addresses that route rather than its parent. */
const PAYEES_ACTION = `${appPaths.payees}?index`;

/** What is wrong among the payees, how it affects the score, and what to do about it. */
function HealthPage({ page, answer }: { page: Page; answer?: FormAnswer }) {
  const { report, running, hasFailed, list, canStart, canChange, hasPayees } = page;
  return (
    <>
      <PageHeader
        title="Health of your payees"
        description={
          report ? (
            <>
              {formatCount(report.payeeCount, "payee")}, as of <Time {...report.asOf} />
            </>
          ) : (
            "What is wrong in your list of payees, and what to do next."
          )
        }
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
        actions={
          canStart && (
            <Form method="post">
              <SubmitButton variant="secondary" icon="refresh" pendingText="Starting...">
                {report ? "Check again" : "Check your payees"}
              </SubmitButton>
            </Form>
          )
        }
      />
      <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
      {running && (
        <Callout tone="info" title="Your payees are being checked" className="mb-6">
          <span aria-live="polite">
            {formatCount(running.payeeCount, "payee")} so far. This page updates automatically.
          </span>
        </Callout>
      )}
      {hasFailed && (
        <Callout tone="warning" title="The last check could not be finished" className="mb-6">
          Press Check again. Until then the report is the one before.
        </Callout>
      )}
      {report && report.payeeCount > 0 ? (
        <Report report={report} canChange={canChange} />
      ) : (
        !running && <Nothing isChecked={report !== null || !hasPayees} />
      )}
      {list && <FindingsCard list={list} canChange={canChange} />}
    </>
  );
}

function Nothing({ isChecked }: { isChecked: boolean }) {
  return (
    <Card flush>
      <EmptyState
        icon="list"
        title={isChecked ? "No payees to check" : "Not checked yet"}
        action={
          <>
            <Button to={appPaths.imports}>Import payees</Button>
            <Button to={appPaths.newPayee} variant="secondary">
              Verify a payee
            </Button>
          </>
        }
      >
        {isChecked
          ? "Import the payees from your accounting system, then check them here."
          : "Check your payees to see what is wrong in the list. If some are not here yet, import them first."}
      </EmptyState>
    </Card>
  );
}

function Report({ report, canChange }: { report: NonNullable<Page["report"]>; canChange: boolean }) {
  const { score, kinds, history, chart, notChecked } = report;
  return (
    <>
      <Card className="mb-6">
        <div className="flex flex-wrap items-baseline gap-x-6 gap-y-2">
          <p className="figures font-medium text-4xl tracking-[-0.03em]">
            {score}
            <span className="font-normal text-ink-soft text-lg tracking-normal"> of 100</span>
          </p>
          <p className="max-w-[60ch] text-base text-ink-soft">
            The average of your payees: each starts with 100 points and loses some for everything listed below.
          </p>
        </div>
        {chart && (
          <div className="mt-5 grid gap-x-8 gap-y-5 @[61rem]/main:grid-cols-[minmax(0,1fr)_minmax(36%,max-content)]">
            <Chart {...chart} />
            <div className="is-small">
              <Table
                caption="Scores so far"
                dense
                rows={[...history].reverse()}
                keyOf={({ at }) => at.dateTime}
                columns={[
                  { head: "Checked", cell: ({ at }) => <Time {...at} /> },
                  { head: "Payees", align: "right", cell: ({ payeeCount }) => formatCount(payeeCount) },
                  { head: "Score", align: "right", cell: (row) => row.score },
                ]}
              />
            </div>
          </div>
        )}
      </Card>
      <ListCard
        label="What to work on"
        title="What to work on"
        description="The most serious first. A payee can be in several lists."
        className="mb-6"
        rows={kinds}
        keyOf={({ kind }) => kind}
        fixed
        columns={kindColumns(canChange)}
        empty={{ icon: "checkCircle", mood: "done", title: "Nothing is wrong with your payees" }}
      />
      {notChecked.map((sentence) => (
        <p key={sentence} className="mb-6 max-w-[80ch] text-ink-soft text-sm">
          Not checked: {sentence}
        </p>
      ))}
    </>
  );
}

/** The payees with one kind of finding. Actions on ticked ones are those of the payee list. */
function FindingsCard({ list, canChange }: { list: NonNullable<Page["list"]>; canChange: boolean }) {
  const { title, next } = KIND_TEXTS[list.kind];
  return (
    <ListCard
      id="list"
      label={title}
      title={title}
      description={next}
      rows={list.rows}
      keyOf={(row) => row.payeeId}
      dense
      fixed
      columns={[
        {
          head: "Payee",
          width: "wide:w-[30%]",
          cell: (row) => (
            <div className="flex gap-3">
              {canChange && <ChoosePayee id={row.payeeId} name={row.name} />}
              <div className="min-w-0">
                <Link to={appPaths.payee(row.payeeId)} className={linkClass}>
                  {row.name}
                </Link>
                <CellNote>{row.accountName}</CellNote>
              </div>
            </div>
          ),
        },
        {
          head: "Account",
          width: "wide:w-[22%]",
          cell: (row) => (
            <>
              <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />
              <CellNote>{row.bank ?? "The bank was never asked"}</CellNote>
            </>
          ),
        },
        { head: "Finding", cell: (row) => row.detail || title },
        {
          head: "Paid in the last year",
          width: "wide:w-[15%]",
          align: "right",
          cell: (row) => <Amount cents={row.paidCents} />,
        },
      ]}
      empty={{ icon: "checkCircle", mood: "done", title: "No payees are on this list now" }}
      around={(table) => (canChange ? <ChosenPayees action={PAYEES_ACTION}>{table}</ChosenPayees> : table)}
      pager={{ nextHref: list.nextHref }}
    />
  );
}

function CheckInBulk({ kind, cents }: { kind: HealthKind; cents: number }) {
  const href = bulkHref(kind, cents);
  if (href === undefined) return null;
  return (
    <Button to={href} variant="secondary" size="sm">
      Check in bulk<span className="sr-only">: {KIND_TEXTS[kind].title}</span>
    </Button>
  );
}

const kindColumns = (canChange: boolean): Column<NonNullable<Page["report"]>["kinds"][number]>[] => [
  {
    head: "Finding",
    width: "wide:w-[46%]",
    cell: ({ kind }) => (
      <>
        <Link to={healthHref({ kind })} className={linkClass}>
          {KIND_TEXTS[kind].title}
        </Link>
        <CellNote>
          {KIND_TEXTS[kind].meaning} {KIND_TEXTS[kind].next}
        </CellNote>
      </>
    ),
  },
  { head: "Payees", align: "right", cell: ({ count }) => formatCount(count) },
  { head: "Paid in the last year", align: "right", cell: ({ cents }) => <Amount cents={cents} /> },
  {
    head: "Actions",
    width: "wide:w-[22%]",
    actions: true,
    cell: ({ kind, cents }) => (
      <>
        {canChange && <CheckInBulk kind={kind} cents={cents} />}
        {kind === "no_contact" && (
          <Button to={appPaths.imports} variant="secondary" size="sm">
            Import contacts
          </Button>
        )}
        <a href={healthCsvPath(kind)} className={buttonClass("secondary", "sm")} download>
          CSV<span className="sr-only"> of {KIND_TEXTS[kind].title}</span>
        </a>
      </>
    ),
  },
];

/** How often the page reloads during a run, in seconds. */
const REFRESH_SECONDS = "2";

export const { meta, ErrorBoundary } = named<typeof loader>(
  "Health of your payees",
  "Error Loading the Report",
  (loaded) => (loaded?.running ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readHealthPage(scope.services, actor, scope.url.searchParams);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  return formAction(scope, async () => {
    await startHealthRun(scope.services, actor);
    return { to: appPaths.payeeHealth };
  });
});

export const clientAction = keepWhatWasTyped;

export default function PayeeHealth() {
  return <HealthPage page={useLoaderData<typeof loader>()} answer={useActionData<FormAnswer>()} />;
}
