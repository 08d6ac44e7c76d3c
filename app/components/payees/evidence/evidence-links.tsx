import { Button } from "~/components/ui/elements";

interface EvidenceLinksProps {
  pdfHref: string;
  jsonHref: string;
  /** The audit trail, filtered by this subject. */
  auditHref: string;
}

/** Links for downloading a payee's or payment's history with its proof. */
export function EvidenceLinks({ pdfHref, jsonHref, auditHref }: EvidenceLinksProps) {
  return (
    <div className="mt-5 flex flex-wrap gap-2 border-line border-t pt-4 print:hidden">
      <Button to={pdfHref} reloadDocument variant="secondary" size="sm" icon="download">
        Evidence as PDF
      </Button>
      <Button to={jsonHref} reloadDocument variant="quiet" size="sm">
        Evidence as JSON
      </Button>
      <Button to={auditHref} variant="quiet" size="sm">
        In the audit trail
      </Button>
    </div>
  );
}
