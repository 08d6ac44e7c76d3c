/** Whether the last that is known of a payee is a payment that came back. Pure. Instants in epoch milliseconds. */

export type Returned = { id: string; returnedAt: number; reason: string | null };

type Payee = { lastPaymentDate: number | null; bankDetailsChangedAt: number | null };

/** The newest failed payment, unless a later one went through or the payee has got other bank details since. */
export function stillReturned(newest: Returned | null, payee: Payee): Returned | null {
  if (!newest) return null;
  const since = Math.max(payee.lastPaymentDate ?? 0, payee.bankDetailsChangedAt ?? 0);
  return newest.returnedAt >= since ? newest : null;
}
