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
import { canWrite } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import { readPaymentsQuery } from "~/modules/payments/payment.schema.server";
import { countHeldPayments, listPayments } from "~/modules/payments/payment-list.queries.server";
import { paymentsHref, toPaymentRow } from "~/modules/payments/payment-list.view";

export const meta: MetaFunction = (route) => [pageTitle(route, "Payments")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const query = readPaymentsQuery(url.searchParams);
  const { filter } = query;
  const [list, held] = await Promise.all([listPayments(services, actor, query), countHeldPayments(services, actor)]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: list.payments.map((payment) => toPaymentRow(payment, zone)),
    filter,
    held,
    canAdd: canWrite(actor),
    previousHref: list.previous && paymentsHref({ filter, before: list.previous }),
    nextHref: list.next && paymentsHref({ filter, after: list.next }),
  };
});

export default function Payments() {
  const { rows, filter, held, canAdd, previousHref, nextHref } = useLoaderData<typeof loader>();
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
        <PaymentsToolbar filter={filter} held={held} />
        {rows.length === 0 ? <NoPayments filter={filter} canAdd={canAdd} /> : <PaymentsTable rows={rows} />}
        <Pagination label="Payments" previousHref={previousHref} nextHref={nextHref} />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payments" />;
}
