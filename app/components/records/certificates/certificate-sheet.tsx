import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import type { CertificateSection } from "~/modules/records/certificates/certificate.view";

/** The sections of a certificate, on screen and on paper. */
export function CertificateSheet({ sections }: { sections: readonly CertificateSection[] }) {
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
