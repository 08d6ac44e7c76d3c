import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { NoPending } from "~/components/review/no-pending";
import { PendingTable } from "~/components/review/pending-table";
import { PendingToolbar } from "~/components/review/pending-toolbar";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { countPending, listPendingVerifications, readHeldMoney } from "~/modules/review/pending.queries.server";
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
  const payeeIds = list.verifications.map(({ payee }) => payee.id);
  const held = await readHeldMoney(services, actor, payeeIds);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: list.verifications.map((row) => toPendingRow(row, held.get(row.payee.id) ?? 0, zone)),
    filter: { q, match, order },
    isNarrowed: Boolean(q || match || after || before),
    counts: counts && showCounts(counts),
    previousHref: list.previous && pendingHref({ q, match, order, before: list.previous }),
    nextHref: list.next && pendingHref({ q, match, order, after: list.next }),
  };
});

export default function PendingVerifications() {
  const { rows, filter, isNarrowed, counts, previousHref, nextHref } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Pending verifications"
        actions={
          <Button to={appPaths.verifications} variant="quiet" size="sm">
            All verifications
          </Button>
        }
      />
      <Card flush>
        <PendingToolbar {...filter} counts={counts} />
        {rows.length === 0 ? (
          <NoPending isNarrowed={isNarrowed} nextHref={nextHref} />
        ) : (
          <PendingTable rows={rows} view={filter} />
        )}
        <p className="border-line border-t px-5 py-3 text-base text-ink-soft">
          Fuzzy name matches need a manual review: the difference can be a typing error or a fraud.
        </p>
        <Pagination label="Pending verifications" previousHref={previousHref} nextHref={nextHref} />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Verifications" />;
}
