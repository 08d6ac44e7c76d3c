import { useLoaderData } from "@remix-run/react";
import { Seal } from "~/components/records/certificates/record-check-page";
import { Button } from "~/components/ui/elements";
import { Card, DefinitionList, named, PageHeader } from "~/components/ui/page-parts";
import { idParam, page, pageMember } from "~/http/page.server";
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
  const { id, heading, summary, sections, seal, checkPath, checkAddress, codeImage } = useLoaderData<typeof loader>();
  const [payee, ...rest] = sections;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={heading}
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
      <Card>
        <div className="grid gap-6 divide-y divide-line *:not-last:pb-6 print:gap-1 print:*:not-last:pb-1">
          <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
            {payee && <Payee rows={payee.rows} />}
            <Seal {...seal} />
          </div>
          {rest.map((section) => (
            <Part key={section.title} {...section} />
          ))}
          <div className="flex flex-wrap items-start gap-5">
            <img
              src={codeImage}
              alt="QR code of the public check"
              width={104}
              height={104}
              className="shrink-0 rounded-base border border-line"
            />
            <div className="grid min-w-0 flex-1 basis-64 gap-2 text-base text-ink-soft print:gap-1 print:text-sm">
              <p>
                Anyone who has the record id and the hash can check this record, and compare the seal, at{" "}
                <a href={checkPath} className="break-all text-accent-text underline underline-offset-2">
                  {checkAddress}
                </a>
              </p>
              <p>
                This certificate says what was known about these bank details when they were decided. It does not say
                that an invoice is genuine.
              </p>
            </div>
          </div>
        </div>
      </Card>
    </div>
  );
}

/** Whom the certificate is about, and the account. */
function Payee({ rows }: Pick<CertificateSection, "rows">) {
  const [name, ...account] = rows;
  return (
    <div className="min-w-0 flex-1 basis-72">
      <h2 className="text-ink-soft text-sm">{name?.term}</h2>
      <p className="display break-words text-2xl">{name?.value}</p>
      <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-3 text-base print:mt-2 print:gap-x-5">
        {account.map(({ term, value }) => (
          <div key={term} className="min-w-0">
            <dt className="text-ink-soft text-sm">{term}</dt>
            <dd className="figures break-words font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Part({ title, rows }: CertificateSection) {
  return (
    <section className="grid gap-3 print:grid-cols-[6rem_minmax(0,1fr)]">
      <h2 className="font-semibold text-md">{title}</h2>
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
    </section>
  );
}
