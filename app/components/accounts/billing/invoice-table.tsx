import { Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge, type Tone } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Icon } from "~/components/ui/icons";
import { Time } from "~/components/ui/time";
import type { BillingStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import type { SubscriptionView } from "~/modules/accounts/billing/subscription.view";

const LOOKS: Record<BillingStatus, { tone: Tone; word: string }> = {
  open: { tone: "pending", word: "Open" },
  paid: { tone: "verified", word: "Paid" },
  failed: { tone: "review", word: "Failed" },
  void: { tone: "neutral", word: "Void" },
  refunded: { tone: "info", word: "Refunded" },
};

/** Every invoice with its GST and its PDF. */
export function InvoiceTable({ invoices }: { invoices: SubscriptionView["invoices"] }) {
  return (
    <Card title="Invoices" flush>
      {invoices.length === 0 ? (
        <EmptyState icon="file" title="No invoices yet" headingLevel={3}>
          Each month's tax invoice appears here.
        </EmptyState>
      ) : (
        <Table
          caption="Invoices, newest first"
          head={
            <>
              <Th>Number</Th>
              <Th>Date</Th>
              <Th>For</Th>
              <Th>Status</Th>
              <Th align="right">Of which GST</Th>
              <Th align="right">Total</Th>
              <Th hidden>PDF</Th>
            </>
          }
        >
          {invoices.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} />
          ))}
        </Table>
      )}
    </Card>
  );
}

function InvoiceRow({ invoice }: { invoice: SubscriptionView["invoices"][number] }) {
  return (
    <Tr>
      <Td>
        <span className="figures font-medium">{invoice.number}</span>
      </Td>
      <Td label="Date">
        <Time dateTime={invoice.date.iso} exact={invoice.date.text} />
      </Td>
      <Td label="For">{invoice.description}</Td>
      <Td label="Status">
        <Badge tone={LOOKS[invoice.status].tone}>{LOOKS[invoice.status].word}</Badge>
      </Td>
      <Td label="Of which GST" align="right">
        {invoice.taxAmount}
      </Td>
      <Td label="Total" align="right">
        {invoice.amount}
      </Td>
      <Td actions>
        <a
          href={appPaths.invoice(invoice.id)}
          className="inline-flex min-h-6 items-center gap-1 text-accent-text underline underline-offset-2"
        >
          <Icon name="download" className="size-4" />
          PDF<span className="sr-only"> of invoice {invoice.number}</span>
        </a>
      </Td>
    </Tr>
  );
}
