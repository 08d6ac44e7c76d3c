import { maskAccountNumber } from "~/kernel/account-number";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { showTime } from "~/kernel/shown-time";
import { PAYMENT_FILTERS, type PaymentFilter, statusOf } from "./payment-list";
import type { ListedPayment } from "./payment-list.server";
import type { PaymentSearch, PaymentTotals } from "./payment-search";

export const payPath = (payeeId: string) => withQuery(appPaths.newPayment, { payeeId });
/** A payment to an account that is not chosen among the payees. */
export const PAY_ACCOUNT_PATH = withQuery(appPaths.newPayment, { to: "account" });

type ListAddress = Partial<PaymentSearch> & { after?: string; before?: string };

const withSearch = (path: string, { filter, ...rest }: ListAddress): string =>
  withQuery(path, { status: filter === "all" ? undefined : filter, ...rest });

/** The address of a list: what is looked for, and the page. */
export const paymentsHref = (address: ListAddress): string => withSearch(appPaths.payments, address);

/** The same payments as a table to download. */
export const paymentsCsvHref = (search: PaymentSearch): string => withSearch(appPaths.paymentsTable, search);

/** How many payments stand behind each filter, and what those of the current one add up to. */
export type PaymentsTotals = { counts: Record<PaymentFilter, string>; sentence: string };

const NOTHING = { count: 0, cents: 0 };

export function toTotals({ byStatus, isPartial }: PaymentTotals, filter: PaymentFilter): PaymentsTotals {
  const sums = Object.values(byStatus);
  const all = sums.reduce((sum, { count, cents }) => ({ count: sum.count + count, cents: sum.cents + cents }), NOTHING);
  const sumOf = (each: PaymentFilter) => {
    const status = statusOf(each);
    return status === undefined ? all : (byStatus[status] ?? NOTHING);
  };
  const show = (count: number) => `${count.toLocaleString("en-AU")}${isPartial ? "+" : ""}`;
  const { count, cents } = sumOf(filter);
  const payments = `${count.toLocaleString("en-AU")} payment${count === 1 ? "" : "s"}, ${formatAud(cents)}`;
  return {
    counts: Object.fromEntries(PAYMENT_FILTERS.map((each) => [each, show(sumOf(each).count)])) as Record<
      PaymentFilter,
      string
    >,
    sentence: isPartial ? `${payments} among the newest 10,000 payments` : payments,
  };
}

/** One line of the list. The account number arrives masked: the full one stays on the server. */
export function toPaymentRow(payment: ListedPayment, zone: { timeZone: string; now: number }) {
  return {
    id: payment.id,
    /** Null: the account is not one of the payees. */
    payeeName: payment.payee?.name ?? null,
    accountName: payment.accountName,
    bsb: payment.bsb,
    maskedAccountNumber: maskAccountNumber(payment.accountNumber),
    reference: payment.reference,
    /** Integer cents. */
    amount: payment.amount,
    status: payment.status,
    recordedAt: showTime(payment.createdAt, zone),
  };
}

export type PaymentRow = ReturnType<typeof toPaymentRow>;
