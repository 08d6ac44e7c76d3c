import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import { PageHeader } from "~/components/ui/page-header";
import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { findCertificate } from "~/modules/payment-files/certificate.queries.server";
import { readClearingId } from "~/modules/payment-files/payment-file.schema.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Certificate of a cleared payment file")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const clearingId = readClearingId(scope.url.searchParams);
  return findCertificate(scope.services, actor, { fileId: idParam(scope.params), clearingId });
});

export default function Certificate() {
  const { organizationName, clearing, original, approvals } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Certificate of a cleared payment file"
        description="Print this page to keep it with your records. The SHA-256 says which bytes were cleared: any other file has another one."
        breadcrumb={[
          { label: "Payment files", to: appPaths.paymentFiles },
          { label: clearing.fileName, to: appPaths.paymentFile(clearing.fileId) },
        ]}
      />
      <Card className="mb-6">
        <DefinitionList
          items={[
            { term: "Organisation", value: organizationName },
            { term: "File", value: clearing.fileName },
            { term: "Cleared on", value: clearing.clearedAt.exact },
            { term: "Cleared by", value: clearing.clearedBy ?? "PayeeProof" },
            { term: "Payments", value: clearing.lineCount.toLocaleString("en-AU") },
            { term: "Total", value: formatAud(clearing.totalCents) },
            { term: "Size", value: `${clearing.byteCount.toLocaleString("en-AU")} bytes` },
            {
              term: "SHA-256 of the cleared file",
              value: <span className="break-all font-mono text-sm">{clearing.sha256}</span>,
            },
            {
              term: "SHA-256 of the uploaded file",
              value: <span className="break-all font-mono text-sm">{original.sha256}</span>,
            },
            {
              term: "Uploaded",
              value: `${original.uploadedAt.exact}${original.uploadedBy ? ` by ${original.uploadedBy}` : ""}`,
            },
            { term: "Clearing", value: <span className="break-all font-mono text-sm">{clearing.id}</span> },
          ]}
        />
      </Card>
      <Card title="Held payments that people approved">
        {approvals.length === 0 ? (
          <p className="text-base text-ink-soft">None. No rule held any of the cleared payments.</p>
        ) : (
          <ul className="divide-y divide-line text-base">
            {approvals.map(({ line, amount, accountName, decidedBy, reason }) => (
              <li key={line} className="py-2.5 first:pt-0 last:pb-0">
                Line {line}: {formatAud(amount)} to {accountName}, approved by {decidedBy ?? "PayeeProof"}: {reason}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Certificate" />;
}
