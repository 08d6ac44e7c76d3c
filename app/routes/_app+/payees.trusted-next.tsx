import { useLoaderData } from "@remix-run/react";
import { ListCard } from "~/components/tables/list-card";
import { RowLink } from "~/components/tables/table";
import { Badge } from "~/components/ui/elements";
import { named, PageHeader } from "~/components/ui/page-parts";
import { page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { listTrustedNext } from "~/modules/payees/whitelist/trusted-next.server";

export const { meta, ErrorBoundary } = named("Will be trusted next · Payees", "Error Loading Payees");

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
        description="A payee with three or more successful payments since its bank details last changed is whitelisted automatically, unless a check finds a reason against it."
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      <ListCard
        label="Payees that will be trusted next"
        rows={rows}
        fixed
        columns={[
          { head: "Payee", width: "wide:w-[28%]", cell: (row) => <RowLink to={row.href}>{row.name}</RowLink> },
          {
            head: "Successful payments",
            width: "wide:w-[14%]",
            align: "right",
            cell: (row) => <span className="figures">{formatCount(row.paymentCount)}</span>,
          },
          {
            head: "Next run",
            width: "wide:w-[16%]",
            cell: (row) => (row.isDue ? <Badge tone="verified">Whitelisted</Badge> : "Not yet"),
          },
          { head: "What is missing", cell: (row) => (row.isDue ? `Nothing. ${row.sentence}` : row.sentence) },
        ]}
        empty={{
          icon: "list",
          title: "No payees here yet",
          children: "Payees appear here after their first successful payment, until they are whitelisted.",
        }}
      />
    </>
  );
}
