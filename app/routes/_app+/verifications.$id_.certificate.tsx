import { useLoaderData } from "@remix-run/react";
import { named } from "~/components/layout/named";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import { PageHeader } from "~/components/ui/page-header";
import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import type { CertificateSection } from "~/modules/records/certificates/certificate";
import { issueCertificate, showCertificate } from "~/modules/records/certificates/certificate.server";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => loaded?.title ?? "Certificate",
  "Error Loading Certificate",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const certificate = await issueCertificate(services, actor, idParam(scope.params));
  return showCertificate(certificate, services.config.appOrigin);
});

export default function CertificateOfVerification() {
  const { id, title, summary, sections, checkPath, checkAddress, codeImage } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={title}
        description={summary}
        breadcrumb={[
          { label: "Verifications", to: appPaths.allVerifications },
          { label: "Verification", to: appPaths.verification(id) },
        ]}
        actions={
          <>
            <Button to={appPaths.certificatePdf(id)} reloadDocument icon="download">
              Download PDF
            </Button>
            <Button to={appPaths.certificateJson(id)} reloadDocument variant="secondary">
              Facts as JSON
            </Button>
          </>
        }
      />
      <CertificateSheet sections={sections} />
      <div className="mt-5 flex flex-wrap items-start gap-5">
        <img
          src={codeImage}
          alt="QR code of the public check"
          width={104}
          height={104}
          className="shrink-0 rounded-base border border-line"
        />
        <p className="min-w-0 flex-1 basis-64 text-base text-ink-soft">
          Anyone who has the record id and the hash can check this record at{" "}
          <a href={checkPath} className="break-all text-accent-text underline underline-offset-2">
            {checkAddress}
          </a>
        </p>
      </div>
    </div>
  );
}

/** The sections of a certificate, on screen and on paper. */
function CertificateSheet({ sections }: { sections: readonly CertificateSection[] }) {
  return (
    <div className="grid gap-5">
      {sections.map(({ title, rows }) => (
        <Card key={title} title={title}>
          <DefinitionList
            items={rows.map(({ term, value, isCode }) => ({
              term,
              value: isCode ? (
                <span className="break-all font-mono text-sm">{value}</span>
              ) : (
                <span className="break-words">{value}</span>
              ),
            }))}
          />
        </Card>
      ))}
    </div>
  );
}
