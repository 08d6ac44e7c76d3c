import { maskAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";
import { toCsv } from "~/kernel/csv";
import { formatDate, formatDateTime } from "~/kernel/dates";
import { FILTER_LABELS } from "./payment-list";
import type { DownloadedPayment } from "./payment-list.server";

const HEADINGS = [
  "Recorded",
  "Recorded by",
  "Payee",
  "Account name",
  "BSB",
  "Account number",
  "Reference",
  "Description",
  "Amount (AUD)",
  "Status",
  "Processed",
  "Why it failed",
];

/** The payments as a table for a spreadsheet: account numbers masked as on the page, times as the organisation reads them. */
export function writePaymentsCsv(payments: readonly DownloadedPayment[], timeZone: string): string {
  const rows = payments.map((payment) => [
    formatDateTime(payment.createdAt, timeZone),
    payment.recordedBy ?? "PayeeProof",
    payment.payee?.name ?? null,
    payment.accountName,
    formatBsb(payment.bsb),
    maskAccountNumber(payment.accountNumber),
    payment.reference,
    payment.description,
    (payment.amount / 100).toFixed(2),
    FILTER_LABELS[payment.status],
    payment.processedAt === null ? null : formatDate(payment.processedAt, timeZone),
    payment.failureReason,
  ]);
  return toCsv(HEADINGS, rows);
}
