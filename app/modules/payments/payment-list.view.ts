import { maskAccountNumber } from "~/kernel/account-number";
import type { PaymentStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import type { PaymentSummary } from "./payment.json";
import type { PaymentFilter } from "./payment-list";

export const payPath = (payeeId: string) => withQuery(appPaths.newPayment, { payeeId });
/** A payment to an account that is not chosen among the payees. */
export const PAY_ACCOUNT_PATH = withQuery(appPaths.newPayment, { to: "account" });

type ListAddress = { filter?: PaymentFilter; after?: string; before?: string };

/** The address of a list: filter and page. */
export function paymentsHref({ filter, after, before }: ListAddress): string {
  return withQuery(appPaths.payments, { status: filter === "all" ? undefined : filter, after, before });
}

/** One line of the list. The account number arrives masked: the full one stays on the server. */
export type PaymentRow = {
  id: string;
  /** Null: the account is not one of the payees. */
  payeeName: string | null;
  accountName: string;
  bsb: string;
  maskedAccountNumber: string;
  reference: string | null;
  /** Integer cents. */
  amount: number;
  status: PaymentStatus;
  recordedAt: ShownTime;
};

export function toPaymentRow(payment: PaymentSummary, zone: { timeZone: string; now: number }): PaymentRow {
  return {
    id: payment.id,
    payeeName: payment.payee?.name ?? null,
    accountName: payment.accountName,
    bsb: payment.bsb,
    maskedAccountNumber: maskAccountNumber(payment.accountNumber),
    reference: payment.reference,
    amount: payment.amount,
    status: payment.status,
    recordedAt: showTime(payment.createdAt, zone),
  };
}
