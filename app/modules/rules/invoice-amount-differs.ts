import { formatAud } from "~/kernel/money";
import type { Rule } from "./facts";
import { sayInvoice } from "./invoice-account-differs";

/** Warns where the payment has the number of an invoice of the payee, and another amount. */
export const invoiceAmountDiffers: Rule = {
  id: "invoice_amount_differs",
  label: "The amount is not the invoice's",
  version: 1,
  defaultLevel: "warn",
  find({ invoices = [], amount, timeZone }) {
    const own = invoices.filter(({ by, isOwn, totalCents }) => by === "reference" && isOwn && totalCents !== null);
    const [invoice] = own;
    if (!invoice || own.some(({ totalCents }) => totalCents === amount)) return undefined;
    const total = invoice.totalCents ?? 0;
    return {
      message: `${sayInvoice(invoice, timeZone)} is for ${formatAud(total)}. This payment is of ${formatAud(amount)}.`,
      evidence: { invoiceId: invoice.id, totalCents: total },
    };
  },
};
