import { useLoaderData } from "@remix-run/react";
import { Select, TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/post-form";
import { named } from "~/components/layout/named";
import { FilterTabs } from "~/components/tables/filter-tabs";
import { SearchBox } from "~/components/tables/search-box";
import { CellNote, RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Amount, Bsb, Masked } from "~/components/ui/digits";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { canWrite } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import {
  FILTER_LABELS,
  isNarrowed,
  PAYMENT_FILTERS,
  type PaymentRow,
  type PaymentSearch,
  type PaymentsTotals,
  paymentsCsvHref,
  paymentsHref,
} from "~/modules/payments/payment-list";
import { readPaymentsPage } from "~/modules/payments/payment-list.server";

export const { meta, ErrorBoundary } = named("Payments", "Error Loading Payments");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const reading = readAhead(scope, (reader) => readPaymentsPage(scope.services, reader, scope.url.searchParams));
  const actor = await pageMember(scope);
  return { ...(await reading(actor)), canAdd: canWrite(actor) };
});

export default function Payments() {
  const { rows, search, totals, people, payeeName, canAdd, previousHref, nextHref } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Payments"
        description="Every payment is checked against what is known of its payee before it is authorised."
        actions={
          canAdd && (
            <Button to={appPaths.newPayment} icon="plus">
              Record a payment
            </Button>
          )
        }
      />
      <Card flush>
        <PaymentsToolbar search={search} totals={totals} people={people} payeeName={payeeName} />
        {rows.length === 0 ? (
          <NoPayments search={search} canAdd={canAdd} nextHref={nextHref} />
        ) : (
          <PaymentsTable rows={rows} />
        )}
        <Pagination label="Payments" previousHref={previousHref} nextHref={nextHref} />
      </Card>
    </>
  );
}

interface NoPaymentsProps {
  search: PaymentSearch;
  canAdd: boolean;
  /** There are older payments that were not looked at. */
  nextHref?: string;
}

/** What the list says when it has nothing to list, and what to do about it. */
function NoPayments({ search, canAdd, nextHref }: NoPaymentsProps) {
  const { filter } = search;
  if (isNarrowed(search)) return <NoMatch nextHref={nextHref} />;
  if (filter === "held") {
    return (
      <EmptyState icon="checkCircle" mood="done" title="No payment is held">
        Every payment has been decided on.
      </EmptyState>
    );
  }
  if (filter !== "all") {
    return (
      <EmptyState
        icon="list"
        title="No payments here"
        action={
          <Button to={appPaths.payments} variant="secondary">
            Show all payments
          </Button>
        }
      >
        None of your payments has the status “{FILTER_LABELS[filter]}”.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="card"
      title="No payments yet"
      action={
        canAdd && (
          <Button to={appPaths.newPayment} icon="plus">
            Record a payment
          </Button>
        )
      }
    >
      Record a payment before you make it: it is authorised at once, or held with the reasons.
    </EmptyState>
  );
}

function NoMatch({ nextHref }: Pick<NoPaymentsProps, "nextHref">) {
  return (
    <EmptyState
      icon="list"
      title="No payment matches your search"
      action={
        <Button to={nextHref ?? appPaths.payments} variant="secondary">
          {nextHref ? "Search the older payments" : "Show all payments"}
        </Button>
      }
    >
      {nextHref ? "None of the newest payments matches." : "Try fewer words, other days or other amounts."}
    </EmptyState>
  );
}

/** The payments of an organisation as a table. */
function PaymentsTable({ rows }: { rows: readonly PaymentRow[] }) {
  return (
    <Table
      caption="Payments"
      fixed
      head={
        <>
          <Th width="lg:w-[20%]">Payee</Th>
          <Th width="lg:w-[20%]">Account</Th>
          <Th>Reference</Th>
          <Th width="lg:w-[12%]" align="right">
            Amount
          </Th>
          <Th width="lg:w-[17%]">Status</Th>
          <Th width="lg:w-[16%]">Recorded</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={appPaths.payment(row.id)}>{row.payeeName ?? "Unknown account"}</RowLink>
          </Td>
          <Td label="Account">
            {row.accountName}
            <CellNote>
              <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />
            </CellNote>
          </Td>
          <Td label="Reference">
            <span className="break-words">{row.reference}</span>
          </Td>
          <Td label="Amount" align="right">
            <Amount cents={row.amount} />
          </Td>
          <Td label="Status">
            <StatusBadge of="payment" status={row.status} />
          </Td>
          <Td label="Recorded">
            <Time {...row.recordedAt} stacked />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

interface PaymentsToolbarProps {
  search: PaymentSearch;
  totals: PaymentsTotals;
  people: readonly { userId: string; name: string }[];
  /** Whose payments alone are shown. */
  payeeName: string | null;
}

/** Search and filters of the payments, how many stand in each status, and what they add up to; all in the address. */
function PaymentsToolbar({ search, totals, people, payeeName }: PaymentsToolbarProps) {
  const { filter, q, ...rest } = search;
  return (
    <div className="grid gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FilterTabs
          label="Status"
          items={PAYMENT_FILTERS.map((each) => ({
            label: FILTER_LABELS[each],
            to: paymentsHref({ ...search, filter: each }),
            current: each === filter,
            count: totals.counts[each],
          }))}
        />
        <SearchBox
          label="Search payee, reference or account"
          defaultValue={q}
          keep={{ ...rest, status: filter === "all" ? undefined : filter }}
          clearHref={paymentsHref({ ...rest, filter })}
        />
      </div>
      <PaymentsFilter search={search} people={people} />
      <div className="flex flex-wrap items-center justify-between gap-3 text-base">
        <p>
          {payeeName !== null && (
            <>
              To <span className="font-medium">{payeeName}</span>:{" "}
            </>
          )}
          {totals.sentence}
        </p>
        <Button to={paymentsCsvHref(search)} reloadDocument variant="secondary" size="sm" icon="download">
          Download as CSV
        </Button>
      </div>
    </div>
  );
}

interface PaymentsFilterProps {
  search: PaymentSearch;
  people: readonly { userId: string; name: string }[];
}

/** Days, amounts and who recorded it. A GET form, so a search has an address; open while it narrows the list. */
function PaymentsFilter({ search, people }: PaymentsFilterProps) {
  const { filter, q, from, to, min, max, payeeId, by } = search;
  return (
    <details open={isNarrowed({ ...search, q: undefined })} className="w-full">
      <summary className="inline-flex min-h-10 items-center rounded-base text-accent-text text-base">
        Dates, amounts and people
      </summary>
      <Form method="get" preventScrollReset className="grid items-end gap-3 pt-2 sm:grid-cols-3 lg:grid-cols-6">
        <HiddenFields values={{ status: filter === "all" ? undefined : filter, q, payeeId }} />
        <TextInput name="from" type="date" label="From" defaultValue={from} />
        <TextInput name="to" type="date" label="To" defaultValue={to} />
        <TextInput name="min" label="At least ($)" inputMode="decimal" autoComplete="off" digits defaultValue={min} />
        <TextInput name="max" label="At most ($)" inputMode="decimal" autoComplete="off" digits defaultValue={max} />
        <Select
          name="by"
          label="Recorded by"
          placeholder="Anyone"
          defaultValue={by ?? ""}
          options={people.map(({ userId, name }) => ({ value: userId, label: name }))}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="secondary">
            Show
          </Button>
          {isNarrowed(search) && (
            <Button to={paymentsHref({ filter })} variant="quiet">
              Clear
            </Button>
          )}
        </div>
      </Form>
    </details>
  );
}
