import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { AuditDays } from "~/components/records/audit/audit-days";
import { AuditFilterForm } from "~/components/records/audit/audit-filter-form";
import { AuditTable } from "~/components/records/audit/audit-table";
import { SealStatus } from "~/components/records/audit/seal-status";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { check } from "~/http/body.server";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { anchorSchema } from "~/modules/core/audit/anchor.server";
import { listAuditEntries, listAuditedPeople } from "~/modules/core/audit/audit.server";
import { auditHref, readAuditFilter } from "~/modules/core/audit/audit-filter";
import { seesEmails } from "~/modules/core/audit/mask-emails";
import { findTip, PART_SIZE, verifyTrail } from "~/modules/core/audit/seals.server";
import { auditPage } from "~/modules/records/audit-trail/audit-page.view";
import { readAuditNames } from "~/modules/records/audit-trail/names.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Audit trail")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const { organizationId } = actor;
  const filter = readAuditFilter(url.searchParams);
  const cursor = url.searchParams.get("cursor")?.slice(0, 80) || undefined;
  const [list, people, tip, report] = await Promise.all([
    listAuditEntries(services, actor, { cursor, filter }),
    listAuditedPeople(services, actor),
    findTip(services, organizationId),
    url.searchParams.has("check")
      ? verifyTrail(services, organizationId, check(anchorSchema, Object.fromEntries(url.searchParams)))
      : undefined,
  ]);
  const names = await readAuditNames(services, organizationId, list.entries);
  const reader = { timeZone: actor.timeZone, now: services.clock.now(), whole: seesEmails(actor) };
  return {
    ...auditPage({ list, names, filter, tip, partSize: PART_SIZE }, reader),
    filter,
    people,
    tip,
    report,
    newestHref: cursor && auditHref(filter),
  };
});

export default function AuditTrail() {
  const { items, filter, people, actions, tip, report, parts, days, about, notes, csvHref, ndjsonHref, ...hrefs } =
    useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Audit trail"
        description="Who did what, when and from where. Nothing in it can be changed or removed."
        actions={
          <>
            <Button to={csvHref} reloadDocument variant="secondary" icon="download">
              Download CSV
            </Button>
            {ndjsonHref && (
              <Button to={ndjsonHref} reloadDocument variant="secondary" icon="download">
                Download NDJSON
              </Button>
            )}
          </>
        }
      />
      <SealStatus report={report} tip={tip} checkHref={hrefs.checkHref} parts={parts} />
      <Card flush>
        <div className="flex flex-wrap items-end justify-between gap-3 px-5 py-4">
          <AuditFilterForm filter={filter} people={people} actions={actions} />
          <AuditDays days={days} />
          {about && <p className="w-full text-base text-ink-soft">{about}</p>}
        </div>
        {items.length > 0 ? (
          <AuditTable items={items} />
        ) : (
          <EmptyState icon="history" title="Nothing to show">
            {notes.empty}
          </EmptyState>
        )}
        <Pagination
          label="Audit trail"
          previousHref={hrefs.newestHref}
          nextHref={hrefs.nextHref}
          summary={notes.partial}
        />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading the Audit Trail" />;
}
