import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { NoPayees } from "~/components/payees/no-payees";
import { PayeesTable } from "~/components/payees/payees-table";
import { PayeesToolbar } from "~/components/payees/payees-toolbar";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { canWrite } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import { bulkChoiceHref } from "~/modules/bulk-checks/bulk-check.view";
import { countsOfFilters } from "~/modules/payees/payee-list";
import { countPayees, listPayees } from "~/modules/payees/payee-list.queries.server";
import { readPayeesQuery } from "~/modules/payees/payee-list.schema.server";
import { payeesHref, toPayeeRow } from "~/modules/payees/payee-list.view";

export const meta: MetaFunction = (route) => [pageTitle(route, "Payees")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const query = readPayeesQuery(url.searchParams);
  const { q, filter } = query;
  const [list, counts] = await Promise.all([
    listPayees(services, actor, query),
    q ? undefined : countPayees(services, actor),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: list.payees.map((payee) => toPayeeRow(payee, zone)),
    query: { q, filter },
    counts: counts && countsOfFilters(counts),
    canAdd: canWrite(actor),
    bulkHref: canWrite(actor) ? bulkChoiceHref(query) : undefined,
    previousHref: list.previous && payeesHref({ q, filter, before: list.previous }),
    nextHref: list.next && payeesHref({ q, filter, after: list.next }),
  };
});

export default function Payees() {
  const { rows, query, counts, canAdd, bulkHref, previousHref, nextHref } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Payees"
        description={
          <>
            Everyone your organisation pays, and how much each is trusted. See{" "}
            <Link to={appPaths.trustedNext} className="text-accent-text underline underline-offset-2">
              who will be trusted next
            </Link>
            .
          </>
        }
        actions={
          canAdd && (
            <>
              <Button to={appPaths.payeeHealth} variant="secondary" icon="shieldCheck">
                Health
              </Button>
              <Button to={appPaths.payeeRequests} variant="secondary" icon="mail">
                Ask a payee
              </Button>
              <Button to={appPaths.imports} variant="secondary" icon="upload">
                Import
              </Button>
              <Button to={appPaths.newPayee} icon="plus">
                Verify a payee
              </Button>
            </>
          )
        }
      />
      <Card flush>
        <PayeesToolbar {...query} counts={counts} bulkHref={bulkHref} />
        {rows.length === 0 ? <NoPayees {...query} canAdd={canAdd} nextHref={nextHref} /> : <PayeesTable rows={rows} />}
        <Pagination label="Payees" previousHref={previousHref} nextHref={nextHref} />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payees" />;
}
