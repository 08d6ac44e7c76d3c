import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { Select, TextInput, tickClass } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { FoldedFilters, ListCard } from "~/components/tables/list-card";
import { CellNote, type Column, RowLink } from "~/components/tables/table";
import { Button, linkClass } from "~/components/ui/elements";
import type { EmptyStateProps } from "~/components/ui/empty-state";
import { Amount, Bsb, Card, Masked, named, PageHeader, Time } from "~/components/ui/page-parts";
import { Results } from "~/components/ui/results";
import { StatusBadge } from "~/components/ui/status-badge";
import { formAction, keepingAll, page, pageMember, pageWriter, parseForm } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import {
  type HeldResult,
  rejectHeldPayments,
  sumUpRejected,
  type WaitingFile,
} from "~/modules/payments/held-payments.server";
import { MAX_REASON_LENGTH } from "~/modules/payments/payment";
import { rejectHeldSchema } from "~/modules/payments/payment-fields.server";
import {
  FILTER_LABELS,
  isNarrowed,
  PAYMENT_FILTERS,
  type PaymentRow,
  type PaymentSearch,
  paymentsCsvHref,
  paymentsHref,
} from "~/modules/payments/payment-list";
import { readPaymentsPage } from "~/modules/payments/payment-list.server";
import { canWrite } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Payments", "Error Loading Payments");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const reading = readAhead(scope, (reader) => readPaymentsPage(scope.services, reader, scope.url.searchParams));
  const actor = await pageMember(scope);
  return { ...(await reading(actor)), canAdd: canWrite(actor) };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  return formAction(
    scope,
    async (form) => {
      const { id: ids, reason, submissionId: key } = parseForm(form, rejectHeldSchema);
      return { next: sumUpRejected(await rejectHeldPayments(scope.services, actor, { ids, reason, key })) };
    },
    { title: "Nothing was rejected", describe: keepingAll("id") },
  );
});

export const clientAction = keepWhatWasTyped;

export default function Payments() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const { rows, files, search, totals, people, payeeName, canAdd, previousHref, firstHref, nextHref } = loaded;
  const done = answer?.code === "NEXT_STEP" ? (answer.extra as Rejected | undefined) : undefined;
  const refused = answer?.code === "NEXT_STEP" ? undefined : answer;
  const ticked = refused && Array.isArray(refused.extra?.id) ? refused.extra.id.map(String) : [];
  const { filter, q, ...rest } = search;
  const isQueue = filter === "held" && canAdd;
  const isNew = totals.counts.all === "0" && files.length === 0 && !isNarrowed(search);
  return (
    <>
      <PageHeader
        title="Payments"
        description="Every payment is checked against what is known about its payee before it is authorised."
        actions={
          canAdd && (
            <Button to={appPaths.newPayment} icon="plus">
              Record a payment
            </Button>
          )
        }
      />
      {done && <Results {...done} hrefOf={appPaths.payment} notDone="not rejected" />}
      {refused && <FormErrorSummary title={refused.title} errors={refused.errors} formErrors={refused.formErrors} />}
      <WaitingFiles files={files} />
      <ListCard
        label="Payments"
        rows={rows}
        columns={columnsOf(isQueue ? ticked : undefined, rows[0]?.id)}
        dense
        fixed
        brief
        filters={
          isNew
            ? undefined
            : {
                label: "Status",
                items: PAYMENT_FILTERS.map((each) => ({
                  label: FILTER_LABELS[each],
                  to: paymentsHref({ ...search, filter: each }),
                  current: each === filter,
                  count: totals.counts[each],
                })),
              }
        }
        search={
          isNew
            ? undefined
            : {
                label: "Search payee, reference or account",
                defaultValue: q,
                keep: { ...rest, status: filter === "all" ? undefined : filter },
                clearHref: paymentsHref({ ...rest, filter }),
              }
        }
        more={
          isNew ? undefined : (
            <>
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
            </>
          )
        }
        empty={emptyOf(search, canAdd, files.length > 0, nextHref)}
        around={(table) =>
          isQueue ? (
            <PostForm answer={refused} summary={false}>
              <HiddenFields values={{ submissionId: loaded.submissionId }} />
              <p className="px-5 pb-3 text-base text-ink-soft">
                Payments where the account may be wrong come first, then the largest amounts. You can reject several
                together, and approve each one by itself.
              </p>
              {table}
              <RejectBar />
            </PostForm>
          ) : (
            table
          )
        }
        pager={{ previousHref: previousHref ?? firstHref, nextHref }}
      />
    </>
  );
}

type Rejected = { title: string; results: HeldResult[] };

/** Payment files with held payments, above the payments, because a file usually has more than any of them. */
function WaitingFiles({ files }: { files: readonly WaitingFile[] }) {
  if (files.length === 0) return null;
  return (
    <Card title="Held in payment files" description="They are decided on the page of their file." className="mb-6">
      <ul className="divide-y divide-line text-base">
        {files.map((file) => (
          <li
            key={file.id}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5 first:pt-0 last:pb-0"
          >
            <span className="min-w-0 break-words">
              <Link to={appPaths.paymentFile(file.id)} className={linkClass}>
                {file.name}
              </Link>{" "}
              <span className="text-ink-soft text-sm">
                {formatCount(file.heldCount, "payment")} held, uploaded <Time {...file.uploadedAt} />
              </span>
            </span>
            <Amount cents={file.heldCents} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Actions on the ticked payments. Appears once one is ticked, with or without scripts. */
function RejectBar() {
  return (
    <fieldset className="choice-bar" data-screen-only>
      <legend className="sr-only">The ticked payments</legend>
      <TextInput name="reason" label="Reason for rejecting" required maxLength={MAX_REASON_LENGTH} autoComplete="off" />
      <SubmitButton name="intent" value="reject" variant="danger" icon="x" pendingText="Rejecting...">
        Reject
      </SubmitButton>
    </fieldset>
  );
}

/** The empty state of the list, and what to do about it. */
function emptyOf(search: PaymentSearch, canAdd: boolean, hasFiles: boolean, nextHref?: string): EmptyStateProps {
  const { filter } = search;
  if (isNarrowed(search)) {
    return {
      icon: "list",
      title: "No payment matches your search",
      action: (
        <Button to={nextHref ?? appPaths.payments} variant="secondary">
          {nextHref ? "Search the older payments" : "Show all payments"}
        </Button>
      ),
      children: nextHref ? "None of the newest payments matches." : "Try fewer words, other days or other amounts.",
    };
  }
  if (filter === "held") {
    return hasFiles
      ? {
          icon: "file",
          title: "No payment outside a file is held",
          children: "The held payments are in the payment files above.",
        }
      : {
          icon: "checkCircle",
          mood: "done",
          title: "No payment is held",
          children: "No payment is waiting for a decision.",
        };
  }
  if (filter !== "all") {
    return {
      icon: "list",
      title: "No payments here",
      action: (
        <Button to={appPaths.payments} variant="secondary">
          Show all payments
        </Button>
      ),
      children: `None of your payments has the status “${FILTER_LABELS[filter]}”.`,
    };
  }
  return {
    icon: "card",
    title: "No payments yet",
    action: canAdd && (
      <Button to={appPaths.newPayment} icon="plus">
        Record a payment
      </Button>
    ),
    children: "Record a payment before you make it: it is authorised at once, or held with the reasons.",
  };
}

/** Tick boxes if several payments can be rejected together; the error "nothing is ticked" links to the first. */
const columnsOf = (ticked: readonly string[] | undefined, firstId: string | undefined): Column<PaymentRow>[] => [
  {
    head: "Payee",
    width: "wide:w-[20%]",
    cell: (row) => (
      <span className="flex items-center gap-3">
        {ticked && (
          <input
            type="checkbox"
            id={row.id === firstId ? "id" : undefined}
            name="id"
            value={row.id}
            defaultChecked={ticked.includes(row.id)}
            aria-label={`Tick ${row.payeeName ?? "Unknown account"}, ${formatAud(row.amount)}`}
            className={`${tickClass} above-line`}
          />
        )}
        <span className="min-w-0">
          <RowLink to={appPaths.payment(row.id)}>{row.payeeName ?? "Unknown account"}</RowLink>
        </span>
      </span>
    ),
  },
  {
    head: "Account",
    width: "wide:w-[20%]",
    classOf: () => "cell-left-out",
    cell: (row) => (
      <>
        {row.accountName}
        <CellNote>
          <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />
        </CellNote>
      </>
    ),
  },
  {
    head: "Reference",
    classOf: () => "cell-left-out",
    cell: (row) => <span className="break-words">{row.reference}</span>,
  },
  { head: "Amount", width: "wide:w-[12%]", align: "right", cell: (row) => <Amount cents={row.amount} /> },
  {
    head: "Status",
    width: "wide:w-[16%]",
    classOf: () => "cell-last",
    cell: (row) => <StatusBadge of="payment" status={row.status} />,
  },
  {
    head: "Recorded",
    width: "wide:w-[19%]",
    classOf: () => "cell-last",
    cell: (row) => <Time {...row.recordedAt} stacked />,
  },
];

interface PaymentsFilterProps {
  search: PaymentSearch;
  people: readonly { userId: string; name: string }[];
}

/** Filters by days, amounts and person. A GET form, so a search has an address. */
function PaymentsFilter({ search, people }: PaymentsFilterProps) {
  const { filter, q, from, to, min, max, payeeId, by } = search;
  return (
    <FoldedFilters
      summary="Dates, amounts and people"
      filter={search}
      isNarrowed={isNarrowed({ ...search, q: undefined })}
    >
      <Form method="get" preventScrollReset className="grid items-end gap-3 sm:grid-cols-3 lg:grid-cols-6">
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
    </FoldedFilters>
  );
}
