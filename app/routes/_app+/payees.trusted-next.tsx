import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { TrustedNextTable } from "~/components/payees/trusted-next-table";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { listTrustedNext } from "~/modules/payees/whitelist/trusted-next.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Will be trusted next · Payees")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const rows = await listTrustedNext(scope.services, actor.organizationId);
  return { rows: rows.map((row) => ({ ...row, href: appPaths.payee(row.id) })) };
});

export default function TrustedNext() {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Will be trusted next"
        description="A payee with three or more successful payments since its bank details last changed is whitelisted automatically, unless a check raises a doubt."
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState icon="list" title="No payee is on its way to the whitelist">
            Payees appear here after their first successful payment, until they are whitelisted.
          </EmptyState>
        ) : (
          <TrustedNextTable rows={rows} />
        )}
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payees" />;
}
