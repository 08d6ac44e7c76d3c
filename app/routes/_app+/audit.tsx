import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AuditFilterForm } from "~/components/audit/audit-filter-form";
import { AuditTable } from "~/components/audit/audit-table";
import { SealStatus } from "~/components/audit/seal-status";
import { pageTitle } from "~/components/layout/page-title";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { check } from "~/http/body.server";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { anchorSchema } from "~/modules/audit/anchor.schema.server";
import { listAuditEntries, listAuditedPeople } from "~/modules/audit/audit.queries.server";
import { exportParts, toAuditLine } from "~/modules/audit/audit.view";
import { auditHref, parseAuditFilter } from "~/modules/audit/audit-filter";
import { seesEmails } from "~/modules/audit/mask-emails";
import { findTip, PART_SIZE, verifyTrail } from "~/modules/audit/seals.queries.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Audit trail")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const { organizationId } = actor;
  const filter = parseAuditFilter(url.searchParams.get("by"));
  const cursor = url.searchParams.get("cursor")?.slice(0, 80) || undefined;
  const [list, people, tip, report] = await Promise.all([
    listAuditEntries(services, actor, { cursor, filter }),
    listAuditedPeople(services, actor),
    findTip(services, organizationId),
    url.searchParams.has("check")
      ? verifyTrail(services, organizationId, check(anchorSchema, Object.fromEntries(url.searchParams)))
      : undefined,
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    lines: list.entries.map((entry) => toAuditLine(entry, zone, { whole: seesEmails(actor) })),
    filter,
    people,
    tip,
    report,
    parts: exportParts(tip?.count ?? 0, PART_SIZE),
    newestHref: cursor && auditHref(filter),
    nextHref: list.nextCursor ? auditHref(filter, list.nextCursor) : undefined,
  };
});

export default function AuditTrail() {
  const { lines, filter, people, tip, report, parts, newestHref, nextHref } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Audit trail"
        description="Who did what, when and from where. Nothing in it can be changed or removed."
        actions={
          parts.length < 2 && (
            <Button to={appPaths.auditExport} reloadDocument variant="secondary" icon="download">
              Export
            </Button>
          )
        }
      />
      <SealStatus report={report} tip={tip} checkHref={`${auditHref(undefined)}?check=1`} parts={parts} />
      <Card flush>
        <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
          <AuditFilterForm filter={filter} people={people} />
          {newestHref && (
            <Button to={newestHref} variant="quiet" icon="arrowUp">
              Newest
            </Button>
          )}
        </div>
        {lines.length > 0 ? (
          <AuditTable lines={lines} />
        ) : (
          <EmptyState icon="history" title="Nothing to show">
            No audit entries match this filter.
          </EmptyState>
        )}
        <Pagination label="Audit trail" nextHref={nextHref} />
      </Card>
    </>
  );
}
