import { useLoaderData } from "@remix-run/react";
import { named } from "~/components/layout/named";
import { RowLink, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
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

interface TrustedNextTableProps {
  rows: readonly { id: string; name: string; href: string; paymentCount: number; isDue: boolean; sentence: string }[];
}

/** Payees on their way to the whitelist, and what each still lacks. */
function TrustedNextTable({ rows }: TrustedNextTableProps) {
  return (
    <Table
      caption="Payees that will be trusted next"
      fixed
      head={
        <>
          <Th width="lg:w-[28%]">Payee</Th>
          <Th width="lg:w-[14%]" align="right">
            Successful payments
          </Th>
          <Th width="lg:w-[16%]">Next run</Th>
          <Th>What is missing</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={row.href}>{row.name}</RowLink>
          </Td>
          <Td label="Successful payments" align="right">
            <span className="figures">{row.paymentCount.toLocaleString("en-AU")}</span>
          </Td>
          <Td label="Next run">{row.isDue ? <Badge tone="verified">Whitelisted</Badge> : "Not yet"}</Td>
          <Td label="What is missing">{row.isDue ? `Nothing. ${row.sentence}` : row.sentence}</Td>
        </Tr>
      ))}
    </Table>
  );
}
