import { maskAccountNumber } from "~/kernel/account-number";
import type { PayeeStatus } from "~/kernel/payee";
import type { ListedPayee } from "~/modules/payees/payee-list.server";
import { type PayeeHeadline, standingOf } from "~/modules/payees/payee-standing";

/** What the page that records a payment draws. */

/** A payee to choose. The account number arrives masked. */
export type PayeeChoice = {
  id: string;
  name: string;
  accountName: string;
  bsb: string;
  maskedAccountNumber: string;
  status: PayeeStatus;
  headline: PayeeHeadline;
  /** How it was verified; null: it is not trusted. */
  grade: string | null;
};

export function toPayeeChoice(payee: ListedPayee, now: number): PayeeChoice {
  const { id, name, accountName, bsb, accountNumber } = payee;
  const { status, headline, grade } = standingOf(payee, now);
  return { id, name, accountName, bsb, maskedAccountNumber: maskAccountNumber(accountNumber), status, headline, grade };
}
