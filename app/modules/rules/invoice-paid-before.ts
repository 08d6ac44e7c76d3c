import { formatDate } from "~/kernel/dates";
import type { Rule } from "./facts";
import { sayInvoice } from "./invoice-account-differs";

/** Warns where an invoice has a payment already, however long ago. */
export const invoicePaidBefore: Rule = {
  id: "invoice_paid_before",
  label: "The invoice was paid before",
  version: 1,
  defaultLevel: "warn",
  find({ invoices = [], timeZone }) {
    const invoice = invoices.find(({ paid }) => paid !== null);
    if (!invoice?.paid) return undefined;
    return {
      message: `${sayInvoice(invoice, timeZone)} has a payment of the same amount already, recorded on ${formatDate(invoice.paid.createdAt, timeZone)}.`,
      evidence: { invoiceId: invoice.id, paymentId: invoice.paid.id },
    };
  },
};
