import { DAY_MS } from "~/kernel/dates";
import type { AccountingBill, AccountingPayment } from "~/ports/accounting";
import { parseXeroDate } from "./xero-contact";
import type { XeroInvoice, XeroPayment } from "./xero-schema";

const present = (text: string | null | undefined): string | null => text?.trim() || null;
const toCents = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);

const BILL_STATUSES: Readonly<Record<string, AccountingBill["status"]>> = { AUTHORISED: "open", PAID: "paid" };

/** A bill in our terms. One that is a draft, voided or deleted is not, or not any more, approved. */
export const toBill = (invoice: XeroInvoice): AccountingBill => ({
  id: invoice.InvoiceID,
  contactId: invoice.Contact.ContactID,
  supplier: invoice.Contact.Name?.trim() ?? "",
  number: present(invoice.InvoiceNumber),
  status: BILL_STATUSES[invoice.Status] ?? "void",
  amountDue: toCents(invoice.AmountDue),
  amountPaid: toCents(invoice.AmountPaid),
  currency: present(invoice.CurrencyCode) ?? "AUD",
});

/** A payment in our terms; none for one in a foreign currency or without a supplier. */
export function toPayment(payment: XeroPayment): AccountingPayment[] {
  const contactId = payment.Invoice?.Contact?.ContactID;
  const at = parseXeroDate(payment.Date);
  if (!contactId || at === undefined || (payment.CurrencyRate ?? 1) !== 1) return [];
  return [
    {
      id: payment.PaymentID,
      contactId,
      amount: toCents(payment.Amount),
      paidAt: Math.floor(at / DAY_MS) * DAY_MS + DAY_MS / 2,
      accountText: present(payment.BankAccountNumber),
      billNumber: present(payment.Invoice?.InvoiceNumber),
      isReconciled: payment.IsReconciled === true,
      isDeleted: payment.Status !== "AUTHORISED",
    },
  ];
}
