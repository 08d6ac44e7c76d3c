import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { NoPending } from "~/components/review/no-pending";
import { PendingTable } from "~/components/review/pending-table";
import { PendingToolbar } from "~/components/review/pending-toolbar";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { countPending, listPendingVerifications } from "~/modules/review/pending.queries.server";
import { readPendingFilter } from "~/modules/review/pending.schema.server";
import { showCounts, toPendingRow } from "~/modules/review/pending.view";
import { pendingHref } from "~/modules/review/pending-address";

export const meta: MetaFunction = (route) => [pageTitle(route, "Pending verifications")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const { q, match, order, after, before } = readPendingFilter(url.searchParams);
  const [list, counts] = await Promise.all([
    listPendingVerifications(services, actor, { q, match, order, after, before }),
    q ? undefined : countPending(services, actor),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: list.verifications.map((verification) => toPendingRow(verification, zone)),
    filter: { q, match, order },
    isNarrowed: Boolean(q || match || after || before),
    counts: counts && showCounts(counts),
    previousHref: list.previous && pendingHref({ q, match, order, before: list.previous }),
    nextHref: list.next && pendingHref({ q, match, order, after: list.next }),
  };
});

export default function PendingVerifications() {
  const { rows, filter, isNarrowed, counts, previousHref, nextHref } = useLoaderData<typeof loader>();
  const { q, match, order } = filter;
  return (
    <>
      <PageHeader title="Pending verifications" description="Bank details that need a decision." />
      <Callout tone="info" title="Fuzzy name matches need a person" className="mb-5">
        A fuzzy match can be a typing error or a fraud. Review it by hand before you approve it.
      </Callout>
      <Card flush>
        <PendingToolbar {...filter} counts={counts} />
        {rows.length === 0 ? (
          <NoPending isNarrowed={isNarrowed} nextHref={nextHref} />
        ) : (
          <PendingTable
            rows={rows}
            order={order}
            otherOrderHref={pendingHref({ q, match, order: order === "oldest" ? "newest" : "oldest" })}
          />
        )}
        <Pagination label="Pending verifications" previousHref={previousHref} nextHref={nextHref} />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Verifications" />;
}
