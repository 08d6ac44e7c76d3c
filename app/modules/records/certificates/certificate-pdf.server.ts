import { toPdf } from "~/modules/core/printed-documents/pdf-document";
import { type Certificate, certificateText } from "./certificate";
import { toCertificateView } from "./certificate.view";

/** The name under which the facts travel inside the PDF. */
const FACTS_FILE = "certificate.json";

/** The certificate as a PDF file, with its facts inside: `certificate.json` is the very text that the hash is computed from. */
export async function certificatePdf(certificate: Certificate, appOrigin: string) {
  const view = toCertificateView(certificate, appOrigin);
  const bytes = await toPdf({
    title: view.title,
    summary: view.summary,
    sections: view.sections,
    notes: [
      `To check this record, open ${view.checkAddress}`,
      `The file ${FACTS_FILE} inside this document holds these facts; its SHA-256 is the hash above.`,
    ],
    footer: `${certificate.facts.organization.name}, from PayeeProof`,
    createdAt: Date.parse(certificate.facts.issuedAt),
    attachments: [
      {
        name: FACTS_FILE,
        text: certificateText(certificate.facts),
        type: "application/json",
        description: "The facts of the certificate: the text that the hash is computed from",
      },
    ],
  });
  return { name: `certificate-${certificate.id}.pdf`, bytes };
}
