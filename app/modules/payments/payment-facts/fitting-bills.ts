/** Whether a payment pays some of a payee's bills exactly. Pure. Integer cents. */

/** Above this many bills, only one, two and all together are tried: every choice of them would be too many. */
const MAX_TRIED = 12;

/** True if one of the amounts, or several of them together, make up this amount. */
export function isSumOf(amount: number, bills: readonly number[]): boolean {
  if (bills.length <= MAX_TRIED) {
    const sums = new Set([0]);
    for (const bill of bills) for (const sum of [...sums]) sums.add(sum + bill);
    return amount > 0 && sums.has(amount);
  }
  const total = bills.reduce((sum, bill) => sum + bill, 0);
  const seen = new Set<number>();
  for (const bill of bills) {
    if (bill === amount || seen.has(amount - bill)) return true;
    seen.add(bill);
  }
  return total === amount;
}
