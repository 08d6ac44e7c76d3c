import { maskAccountNumber } from "~/kernel/account-number";
import { type PayeeStatus, payeeStatus } from "~/kernel/payee";
import type { PayeeHeadline } from "~/modules/payees/payee-headline";
import { gradeOfListed, headlineOfListed } from "~/modules/payees/payee-list.view";

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

export function toPayeeChoice(payee: Parameters<typeof headlineOfListed>[0], now: number): PayeeChoice {
  return {
    id: payee.id,
    name: payee.name,
    accountName: payee.accountName,
    bsb: payee.bsb,
    maskedAccountNumber: maskAccountNumber(payee.accountNumber),
    status: payeeStatus(payee, payee.latest),
    headline: headlineOfListed(payee, now),
    grade: gradeOfListed(payee)?.text ?? null,
  };
}
