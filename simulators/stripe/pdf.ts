import type { Invoice } from "./objects";
import { day, dollars } from "./page-parts";

/** A one-page PDF, small enough to be written by hand (ISO 32000-1, 7.5): objects, a table of where they are, a trailer. */
export function drawInvoice(invoice: Invoice): Response {
  const lines = [
    "Tax invoice (simulated)",
    `Number ${invoice.number ?? "draft"}`,
    `${day(invoice.period_start)} to ${day(invoice.period_end)}`,
    `Total ${dollars(invoice.total)} including GST ${dollars(invoice.total_taxes[0]?.amount ?? 0)}`,
    `Status ${invoice.status}`,
  ];
  const text = lines
    .map((line, i) => `BT /F1 14 Tf 60 ${760 - i * 24} Td (${line.replace(/[()\\]/g, "\\$&")}) Tj ET`)
    .join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return new Response(body, {
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `inline; filename="invoice-${invoice.number ?? invoice.id}.pdf"`,
    },
  });
}
