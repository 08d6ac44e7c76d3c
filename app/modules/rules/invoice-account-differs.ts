import { formatBsb } from "~/kernel/bsb";
import { formatDate } from "~/kernel/dates";
import type { InvoiceFact, PaymentFacts, Rule } from "./facts";

/** "Invoice CSR-4471 of Coral Sea Refrigeration, which came in on 20 Nov 2026," */
export const sayInvoice = ({ number, supplier, receivedAt }: InvoiceFact, timeZone: string): string =>
  `Invoice ${number ?? "without a number"}${supplier ? ` of ${supplier}` : ""}, which came in on ${formatDate(receivedAt, timeZone)},`;

function sayStop({ invoices = [], timeZone }: PaymentFacts) {
  const stopped = invoices.find(({ stop }) => stop !== null);
  if (!stopped) return undefined;
  const how = stopped.stop === "open" ? "is stopped, and nobody has decided about it" : "was stopped by a person";
  return { message: `${sayInvoice(stopped, timeZone)} ${how}.`, evidence: { invoiceId: stopped.id } };
}

/**
 * Holds a payment to another account than is printed on the invoice with its number or its amount, and every payment of an
 * invoice that is stopped.
 */
export const invoiceAccountDiffers: Rule = {
  id: "invoice_account_differs",
  label: "The invoice names another account, or is stopped",
  version: 1,
  defaultLevel: "hold",
  find(facts) {
    const stopped = sayStop(facts);
    if (stopped) return stopped;
    const other = (facts.invoices ?? []).find(
      ({ accounts }) => accounts.length > 0 && !accounts.some(({ isPaid }) => isPaid),
    );
    if (!other) return undefined;
    const named = other.accounts.map(({ bsb, maskedAccountNumber }) => `${formatBsb(bsb)} ${maskedAccountNumber}`);
    return {
      message: `${sayInvoice(other, facts.timeZone)} names the account ${named.join(" and ")}. This payment goes to another one.`,
      evidence: { invoiceId: other.id },
    };
  },
};
