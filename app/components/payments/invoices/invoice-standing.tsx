import { Badge } from "~/components/ui/elements";
import type { InvoiceRow } from "~/modules/payments/invoices/invoice-page.server";

/**
 * The verdict on an invoice, and in words whether it needs a decision or was paid, because invoices with the same
 * verdict differ in that.
 */
export function InvoiceStanding({ standing, note }: Pick<InvoiceRow, "standing" | "note">) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Badge tone={standing.tone} icon={standing.tone === "pending" ? "alert" : undefined}>
        {standing.word}
      </Badge>
      {note && <span className="text-ink-soft text-sm">{note}</span>}
    </span>
  );
}
