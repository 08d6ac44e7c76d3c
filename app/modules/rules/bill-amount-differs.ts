import { systemName } from "~/kernel/accounting-system";
import { formatAud } from "~/kernel/money";
import type { BillFact, BillsFact, Rule } from "./facts";

/** What is due on a bill, or was when it was paid or was last listed. */
const fits = (amount: number, { status, amountDue, amountPaid }: BillFact): boolean =>
  status !== "void" && ((amountDue > 0 && amount === amountDue) || (amountPaid > 0 && amount === amountPaid));

/** "$10.00 more", against what could be paid. */
const difference = (amount: number, due: number) =>
  `${formatAud(Math.abs(amount - due))} ${amount > due ? "more" : "less"}`;

/**
 * Holds a payment whose amount is not the one that was approved: that of the bill with its number, or of any bill of the
 * payee, or of several of them together.
 */
export const billAmountDiffers: Rule = {
  id: "bill_amount_differs",
  label: "The amount is not that of an approved bill",
  version: 1,
  defaultLevel: "hold",
  find({ bills, amount, payee, account }) {
    if (!bills) return undefined;
    const own = bills.named.filter(({ isOwn }) => isOwn);
    const [bill] = own;
    if (bill) return own.some((each) => fits(amount, each)) ? undefined : sayBill(amount, bill);
    return bills.others && !bills.others.isFitting
      ? sayOthers(bills.others, payee?.name ?? account.accountName)
      : undefined;
  },
};

function sayBill(amount: number, bill: BillFact) {
  const { system, number, supplier, status, amountDue, amountPaid } = bill;
  const evidence = { system, number, supplier, status, amountDue, amountPaid };
  const name = systemName(system);
  const paid = `This payment is of ${formatAud(amount)}`;
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

function sayOthers({ system, count, totalCents }: NonNullable<BillsFact["others"]>, payee: string) {
  const name = systemName(system);
  const message =
    count === 1
      ? `${name} has one approved bill of ${payee}: it is for ${formatAud(totalCents)}. The payment has another amount and another number.`
      : `None of the ${count} approved bills of ${payee} in ${name}, ${formatAud(totalCents)} in all, has this amount or number, nor do any of them add up to it.`;
  return { message, evidence: { system, count, totalCents } };
}
