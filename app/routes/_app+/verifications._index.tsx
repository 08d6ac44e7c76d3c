import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { VerificationFilters } from "~/components/verifying/verification-filters";
import { VerificationsTable } from "~/components/verifying/verifications-table";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { listAuditedPeople } from "~/modules/core/audit/audit.server";
import { methodLabels, verificationsHref } from "~/modules/verifying/review/verification-list";
import { listVerificationsOf, readVerificationFilter } from "~/modules/verifying/review/verification-list.server";
import { toListedRow } from "~/modules/verifying/review/verification-list.view";

export const meta: MetaFunction = (route) => [pageTitle(route, "Verifications")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const { filter, after } = readVerificationFilter(scope.url.searchParams);
  const { timeZone } = actor;
  const [list, people] = await Promise.all([
    listVerificationsOf(services, actor, { filter, timeZone, after }),
    listAuditedPeople(services, actor),
  ]);
  const { providerName } = services.bankData;
  const reader = { timeZone, providerName, now: services.clock.now() };
  return {
    rows: list.verifications.map((row) => toListedRow(row, reader)),
    filter,
    people,
    methods: methodLabels(services.instantBankData ? "Bank data provider" : providerName),
    isPartial: list.isPartial,
    firstHref: after && verificationsHref(filter),
    nextHref: list.next && verificationsHref(filter, { after: list.next }),
    csvHref: verificationsHref(filter, {}, appPaths.verificationsCsv),
  };
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

export function ErrorBoundary() {
  return <LoadError title="Error Loading Verifications" />;
}
