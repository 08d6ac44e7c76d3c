import { DAY_MS } from "~/kernel/dates";
import { referenceKey } from "~/modules/rules/reference-key";
import type { AccountingPayment } from "~/ports/accounting";

/** Which payment recorded here a payment of an accounting system is the outcome of. Pure. Instants in epoch milliseconds. */

export type OpenPayment = { id: string; amount: number; referenceKey: string | null; createdAt: number };

/** Without the same reference, a payment was made within this time of being recorded here. */
const NEAR_MS = 14 * DAY_MS;

/**
 * The authorised payment that was paid: of the same amount, recorded no later than a day after the day of the payment. The
 * oldest with the bill's number as its reference; else the only one of that time. Two that could be it are none: a person
 * says which.
 *
 * @param open authorised payments to the same account, the oldest first, that no other payment there is the outcome of
 */
export function findOutcomeOf(
  { amount, paidAt, billNumber }: Pick<AccountingPayment, "amount" | "paidAt" | "billNumber">,
  open: readonly OpenPayment[],
): OpenPayment | undefined {
  const possible = open.filter((each) => each.amount === amount && each.createdAt - DAY_MS <= paidAt);
  const key = billNumber === null ? "" : referenceKey(billNumber);
  const named = key === "" ? undefined : possible.find((each) => each.referenceKey === key);
  if (named) return named;
  const near = possible.filter(({ createdAt }) => paidAt - createdAt <= NEAR_MS);
  return near.length === 1 ? near[0] : undefined;
}
