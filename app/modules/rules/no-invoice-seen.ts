import type { Rule } from "./facts";

/** For organisations that check every invoice here: a payment of which no invoice was seen. */
export const noInvoiceSeen: Rule = {
  id: "no_invoice_seen",
  label: "No invoice was seen",
  version: 1,
  defaultLevel: "off",
  find({ invoices, reference }) {
    if (!invoices || invoices.length > 0) return undefined;
    return {
      message: `No invoice with the number ${reference} or with this amount to this payee has been checked here.`,
      evidence: {},
    };
  },
};
