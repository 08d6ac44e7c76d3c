import { systemName } from "~/kernel/accounting-system";
import { formatBsb } from "~/kernel/bank-account";
import { formatDate } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import type { BillFact, BillsFact, InvoiceFact, PaymentFacts, Rule } from "./facts";

/** "Invoice CSR-4471 of Coral Sea Refrigeration, which was received on 20 Nov 2026," */
const invoiceWords = ({ number, supplier, receivedAt }: InvoiceFact, timeZone: string): string =>
  `Invoice ${number ?? "without a number"}${supplier ? ` of ${supplier}` : ""}, which was received on ${formatDate(receivedAt, timeZone)},`;

function stoppedInvoiceReason({ invoices = [], timeZone }: PaymentFacts) {
  const stopped = invoices.find(({ stop }) => stop !== null);
  if (!stopped) return undefined;
  const how =
    stopped.stop === "open"
      ? "was stopped when it was read, and nobody had decided about it"
      : "was stopped by a person";
  return { message: `${invoiceWords(stopped, timeZone)} ${how}.`, evidence: { invoiceId: stopped.id } };
}

/**
 * Holds a payment when the invoice with its number or amount shows a different account, and every payment of a stopped
 * invoice.
 */
export const invoiceAccountDiffers: Rule = {
  id: "invoice_account_differs",
  label: "The invoice names a different account, or is stopped",
  version: 5,
  defaultLevel: "hold",
  find(facts) {
    const stopped = stoppedInvoiceReason(facts);
    if (stopped) return stopped;
    const other = (facts.invoices ?? []).find(
      ({ accounts }) => accounts.length > 0 && !accounts.some(({ isPaid }) => isPaid),
    );
    if (!other) return undefined;
    const named = other.accounts.map(({ bsb, maskedAccountNumber }) => `${formatBsb(bsb)} ${maskedAccountNumber}`);
    return {
      message: `${invoiceWords(other, facts.timeZone)} names the ${named.length === 1 ? "account" : "accounts"} ${named.join(" and ")}. This payment goes to a different one.`,
      evidence: { invoiceId: other.id },
    };
  },
};

/**
 * Holds a payment that seems to be for another supplier's bill: its reference is the number of a bill approved for a
 * supplier with a different account, and the amount or the name matches that bill too.
 */
export const billAccountDiffers: Rule = {
  id: "bill_account_differs",
  label: "The approved bill is from a supplier with a different account",
  version: 2,
  defaultLevel: "hold",
  find({ bills, account }) {
    const named = bills?.named ?? [];
    const [bill] = named.filter(({ isOwn, bsb }) => !isOwn && bsb !== null);
    if (!bill || named.some(({ isOwn }) => isOwn)) return undefined;
    const { system, number, supplier, bsb, maskedAccountNumber } = bill;
    return {
      message: `Bill ${number} in ${systemName(system)} is from ${supplier}, which has the account ${formatBsb(bsb ?? "")} ${maskedAccountNumber} there. This payment goes to a different account, in the name of ${account.accountName}.`,
      evidence: { system, number, supplier, bsb, maskedAccountNumber },
    };
  },
};

/** Warns when the invoice has been paid already, however long ago. */
export const invoicePaidBefore: Rule = {
  id: "invoice_paid_before",
  label: "The invoice was paid before",
  version: 3,
  defaultLevel: "warn",
  find({ invoices = [], timeZone }) {
    const invoice = invoices.find(({ paid }) => paid !== null);
    if (!invoice?.paid) return undefined;
    return {
      message: `${invoiceWords(invoice, timeZone)} has a payment of its amount already, recorded on ${formatDate(invoice.paid.createdAt, timeZone)}.`,
      evidence: { invoiceId: invoice.id, paymentId: invoice.paid.id },
    };
  },
};

/** Warns when the payment's reference is the number of one of the payee's invoices, and the amount differs. */
export const invoiceAmountDiffers: Rule = {
  id: "invoice_amount_differs",
  label: "The amount is not the invoice's",
  version: 3,
  defaultLevel: "warn",
  find({ invoices = [], amount, timeZone }) {
    const own = invoices.filter(({ by, isOwn, totalCents }) => by === "reference" && isOwn && totalCents !== null);
    const [invoice] = own;
    if (!invoice || own.some(({ totalCents }) => totalCents === amount)) return undefined;
    const total = invoice.totalCents ?? 0;
    return {
      message: `${invoiceWords(invoice, timeZone)} is for ${formatAud(total)}. This payment is for ${formatAud(amount)}.`,
      evidence: { invoiceId: invoice.id, totalCents: total },
    };
  },
};

/** True if the amount is what is due on the bill, or was due when it was paid or last listed. */
const fits = (amount: number, { status, amountDue, amountPaid }: BillFact): boolean =>
  status !== "void" && ((amountDue > 0 && amount === amountDue) || (amountPaid > 0 && amount === amountPaid));

/** "$10.00 more", compared with the amount due. */
const difference = (amount: number, due: number) =>
  `${formatAud(Math.abs(amount - due))} ${amount > due ? "more" : "less"}`;

/**
 * Holds a payment whose amount was not approved: it is not the amount of the bill with its number, of any of the
 * payee's bills, or of several of them together.
 */
export const billAmountDiffers: Rule = {
  id: "bill_amount_differs",
  label: "The amount is not that of an approved bill",
  version: 2,
  defaultLevel: "hold",
  find({ bills, amount, payee, account }) {
    if (!bills) return undefined;
    const own = bills.named.filter(({ isOwn }) => isOwn);
    const [bill] = own;
    if (bill) return own.some((each) => fits(amount, each)) ? undefined : billReason(amount, bill);
    return bills.others && !bills.others.isFitting
      ? otherBillsReason(bills.others, payee?.name ?? account.accountName)
      : undefined;
  },
};

function billReason(amount: number, bill: BillFact) {
  const { system, number, supplier, status, amountDue, amountPaid } = bill;
  const evidence = { system, number, supplier, status, amountDue, amountPaid };
  const name = systemName(system);
  const paid = `This payment is for ${formatAud(amount)}`;
  switch (status) {
    case "void":
      return {
        message: `Bill ${number} of ${supplier} was voided or deleted in ${name}: nothing is due on it.`,
        evidence,
      };
    case "gone": {
      const text = `Bill ${number} of ${supplier} is not among the open bills in ${name} any more; ${formatAud(amountDue)} was due on it. ${paid}.`;
      return { message: text, evidence };
    }
    case "paid":
      return {
        message: `Bill ${number} of ${supplier} is paid in ${name}, with ${formatAud(amountPaid)}. ${paid}.`,
        evidence,
      };
    case "open":
      return {
        message: `${formatAud(amountDue)} is due on bill ${number} of ${supplier} in ${name}. ${paid}, ${difference(amount, amountDue)}.`,
        evidence,
      };
  }
}

function otherBillsReason({ system, count, totalCents }: NonNullable<BillsFact["others"]>, payee: string) {
  const name = systemName(system);
  const message =
    count === 1
      ? `${name} has one approved bill of ${payee}: it is for ${formatAud(totalCents)}. The payment has a different amount and a different number.`
      : `None of the ${count} approved bills of ${payee} in ${name}, ${formatAud(totalCents)} in all, has this amount or number, nor do any of them add up to it.`;
  return { message, evidence: { system, count, totalCents } };
}

/** For organisations that check every invoice here: holds a payment for which no invoice was seen. */
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
