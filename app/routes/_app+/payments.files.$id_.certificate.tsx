import type { SerializeFrom } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Card, type Definition, DefinitionList, named, PageHeader } from "~/components/ui/page-parts";
import { idParam, page, pageMember } from "~/http/page.server";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { readCertificatePage, readClearingId } from "~/modules/payments/payment-files/clearings.server";

export const { meta, ErrorBoundary } = named("Certificate of a cleared payment file", "Error Loading Certificate");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const clearingId = readClearingId(scope.url.searchParams);
  return readCertificatePage(scope.services, actor, { fileId: idParam(scope.params), clearingId });
});

export default function Certificate() {
  const certificate = useLoaderData<typeof loader>();
  const { clearing, approvals } = certificate;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Certificate of a cleared payment file"
        description="Print this page to keep it with your records. The SHA-256 says which bytes were cleared: any other file has a different one."
        breadcrumb={[
          { label: "Payment files", to: appPaths.paymentFiles },
          { label: clearing.fileName, to: appPaths.paymentFile(clearing.fileId) },
        ]}
      />
      <Card className="mb-6">
        <DefinitionList items={clearingItems(certificate)} />
      </Card>
      <Card title="Held payments that people approved">
        <Approvals approvals={approvals} />
      </Card>
    </div>
  );
}

type CertificateData = SerializeFrom<typeof loader>;

function clearingItems({ organizationName, clearing, original }: CertificateData): Definition[] {
  const hash = (value: string) => <span className="break-all font-mono text-sm">{value}</span>;
  const { exact } = original.uploadedAt;
  return [
    { term: "Organisation", value: organizationName },
    { term: "File", value: clearing.fileName },
    { term: "Cleared on", value: clearing.clearedAt.exact },
    { term: "Cleared by", value: clearing.clearedBy ?? "PayeeProof" },
    { term: "Payments", value: formatCount(clearing.lineCount) },
    { term: "Total", value: formatAud(clearing.totalCents) },
    { term: "Size", value: `${formatCount(clearing.byteCount)} bytes` },
    { term: "SHA-256 of the cleared file", value: hash(clearing.sha256) },
    { term: "SHA-256 of the uploaded file", value: hash(original.sha256) },
    { term: "Uploaded", value: original.uploadedBy ? `${exact} by ${original.uploadedBy}` : exact },
    { term: "Clearing", value: hash(clearing.id) },
  ];
}

function Approvals({ approvals }: Pick<CertificateData, "approvals">) {
  if (approvals.length === 0) {
    return <p className="text-base text-ink-soft">None. No rule held any of the cleared payments.</p>;
  }
  return (
    <ul className="divide-y divide-line text-base">
      {approvals.map(({ line, amount, accountName, decidedBy, reason }) => (
        <li key={line} className="py-2.5 first:pt-0 last:pb-0">
          Line {line}: {formatAud(amount)} to {accountName}, approved by {decidedBy ?? "PayeeProof"}: {reason}
        </li>
      ))}
    </ul>
  );
}
