import { maskAccountNumber } from "~/kernel/bank-account";
import { endOfDay, parseDay, showTime, startOfDay, type Zone } from "~/kernel/dates";
import { PAYMENT_STATUSES, type PaymentStatus } from "~/kernel/enums";
import { formatAud, parseAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { PAYMENT_STATUS_WORDS } from "~/kernel/status-words";
import { formatCount } from "~/kernel/text";
import type { ListedPayment } from "./payment-list.server";

export const PAYMENT_FILTERS = [
  "all",
  "held",
  "verification_requested",
  "authorised",
  "successful",
  "failed",
  "rejected",
] as const;
type PaymentFilter = (typeof PAYMENT_FILTERS)[number];

export const FILTER_LABELS: Record<PaymentFilter, string> = { all: "All", ...PAYMENT_STATUS_WORDS };

/** The status that a filter selects; undefined: any. */
export function statusOf(filter: PaymentFilter): PaymentStatus | undefined {
  return PAYMENT_STATUSES.find((status) => status === filter);
}

/** A search of the payments, as in the address of the list. */
export type PaymentSearch = {
  filter: PaymentFilter;
  /** Words in the reference, the payee, the account or the description. */
  q?: string;
  /** Calendar days, including the last: `2026-11-20`. */
  from?: string;
  to?: string;
  /** Dollars as people type them. */
  min?: string;
  max?: string;
  payeeId?: string;
  /** The person who recorded it. */
  by?: string;
};

const MAX_WORDS = 6;
const BSB = /^(\d{3})-(\d{3})$/;

/** The words that must all be found, in lower case; a BSB without its hyphen. */
const wordsOf = (q: string | undefined): string[] =>
  (q ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS)
    .map((word) => word.replace(BSB, "$1$2"));

/** The search as database conditions. Instants in epoch milliseconds, amounts in cents. */
export function conditionsOf(search: PaymentSearch, timeZone: string) {
  const { filter, q, min, max, payeeId, by } = search;
  const [from, to] = [search.from, search.to].map((day) => parseDay(day ?? ""));
  return {
    status: statusOf(filter),
    payeeId,
    since: from ? startOfDay(from, timeZone) : undefined,
    before: to ? endOfDay(to, timeZone) : undefined,
    minCents: min ? parseAud(min) : undefined,
    maxCents: max ? parseAud(max) : undefined,
    recordedById: by,
    words: wordsOf(q),
  };
}
export type PaymentConditions = ReturnType<typeof conditionsOf>;

/** True if anything apart from the status narrows the list. */
export const isNarrowed = ({ filter: _, ...rest }: PaymentSearch): boolean => Object.values(rest).some(Boolean);

export type PaymentTotals = {
  byStatus: Partial<Record<PaymentStatus, { count: number; cents: number }>>;
  /** Older payments were not searched. */
  isPartial: boolean;
};

export const payPath = (payeeId: string) => withQuery(appPaths.newPayment, { payeeId });
/** The form for a payment to an account that is not one of the payees. */
export const PAY_ACCOUNT_PATH = withQuery(appPaths.newPayment, { to: "account" });

type ListAddress = Partial<PaymentSearch> & { after?: string; before?: string };

const withSearch = (path: string, { filter, ...rest }: ListAddress): string =>
  withQuery(path, { status: filter === "all" ? undefined : filter, ...rest });

export const paymentsHref = (address: ListAddress): string => withSearch(appPaths.payments, address);

/** The address for downloading the same payments as a table. */
export const paymentsCsvHref = (search: PaymentSearch): string => withSearch(appPaths.paymentsTable, search);

const NOTHING = { count: 0, cents: 0 };

/** How many payments each filter selects, and the total of the current one. */
export function toTotals(
  { byStatus, isPartial }: PaymentTotals,
  filter: PaymentFilter,
  /** Files with held payments: these count as held, although they are not payments yet. */
  files: readonly { heldCount: number; heldCents: number }[] = [],
) {
  const sums = Object.values(byStatus);
  const all = sums.reduce((sum, { count, cents }) => ({ count: sum.count + count, cents: sum.cents + cents }), NOTHING);
  const sumOf = (each: PaymentFilter) => {
    const status = statusOf(each);
    return status === undefined ? all : (byStatus[status] ?? NOTHING);
  };
  const show = (count: number) => `${formatCount(count)}${isPartial ? "+" : ""}`;
  const { count, cents } = sumOf(filter);
  const payments = `${formatCount(count, "payment")}, ${formatAud(cents)}`;
  const ofFiles = files.reduce(
    (sum, { heldCount, heldCents }) => ({ count: sum.count + heldCount, cents: sum.cents + heldCents }),
    NOTHING,
  );
  const further =
    filter === "held" && ofFiles.count > 0
      ? `; ${formatCount(ofFiles.count)} more in payment files, ${formatAud(ofFiles.cents)}`
      : "";
  const countOf = (each: PaymentFilter) => sumOf(each).count + (each === "held" ? ofFiles.count : 0);
  return {
    counts: Object.fromEntries(PAYMENT_FILTERS.map((each) => [each, show(countOf(each))])) as Record<
      PaymentFilter,
      string
    >,
    sentence: `${payments}${isPartial ? " among the newest 10,000 payments" : ""}${further}`,
  };
}

/** One line of the list. The account number arrives masked: the full one stays on the server. */
export function toPaymentRow(payment: ListedPayment, zone: Zone) {
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
