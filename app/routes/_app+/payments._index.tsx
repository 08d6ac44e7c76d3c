import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { NoPayments } from "~/components/payments/no-payments";
import { PaymentsTable } from "~/components/payments/payments-table";
import { PaymentsToolbar } from "~/components/payments/payments-toolbar";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { canWrite } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import { listAuditedPeople } from "~/modules/core/audit/audit.server";
import { getPayee } from "~/modules/payees/payee.queries.server";
import { listPayments, sumPayments } from "~/modules/payments/payment-list.server";
import { paymentsHref, toPaymentRow, toTotals } from "~/modules/payments/payment-list.view";
import { conditionsOf } from "~/modules/payments/payment-search";
import { readPaymentsQuery } from "~/modules/payments/payment-search.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Payments")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, url } = scope;
  const { search, after, before } = readPaymentsQuery(url.searchParams);
  const reading = readAhead(scope, (reader) => {
    const conditions = conditionsOf(search, reader.timeZone);
    return Promise.all([
      listPayments(services, reader, { conditions, after, before }),
      sumPayments(services, reader, conditions),
      listAuditedPeople(services, reader),
      search.payeeId === undefined ? undefined : getPayee(services, reader, search.payeeId),
    ]);
  });
  const actor = await pageMember(scope);
  const { timeZone } = actor;
  const [list, totals, people, payee] = await reading(actor);
  const zone = { timeZone, now: services.clock.now() };
  return {
    rows: list.payments.map((payment) => toPaymentRow(payment, zone)),
    search,
    totals: toTotals(totals, search.filter),
    people,
    payeeName: payee?.name ?? null,
    canAdd: canWrite(actor),
    previousHref: list.previous && paymentsHref({ ...search, before: list.previous }),
    nextHref: list.next && paymentsHref({ ...search, after: list.next }),
  };
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

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payments" />;
}
